// What the browser stores, and what can happen to it: a storage that forgets what it has not flushed to the disk when the
// browser is killed, and a database that doesn't. Import this before the scripts: they look at the page that they are in.
import { setAddress } from "./browser.mjs";
import { settlePromises, until } from "./until.mjs";

const { IDBFactory } = await import(process.env.FAKE_INDEXEDDB ?? "fake-indexeddb");

setAddress("https://example.org/");
let factory = new IDBFactory();
let onDisk = {}; // of the storage
let [isFull, isIdle, isBlocked, watch] = [false, false, false, null];
let records = new Map(); // of the database, as of the last transaction that is complete
let running = 0; // transactions
const [databases, opened] = [[], []];

const { prototype } = window.Storage;
const { setItem } = prototype;
prototype.setItem = function (name, text) {
  watch?.(name, this.getItem(name) ?? "", String(text));
  if (isFull) throw new DOMException("full", "QuotaExceededError");
  if (!isIdle) setItem.call(this, name, text);
};

const createStorage = (entries = {}) => Object.assign(new window.Storage(), entries);

function open(name, version) {
  opened.push(name);
  if (isBlocked) return refuse();
  const request = factory.open(name, version);
  request.addEventListener("success", () => {
    const database = request.result;
    const { transaction } = database;
    databases.push(database);
    database.transaction = (...more) => follow(transaction.apply(database, more));
  });
  return request;
}

/** Answer a request to open a database as a browser that allows none. */
function refuse() {
  const request = { error: new DOMException("no database", "InvalidStateError") };
  queueMicrotask(() => request.onerror());
  return request;
}

/** Remember what the database holds once a transaction is complete. */
function follow(transaction) {
  const store = transaction.objectStore(transaction.objectStoreNames[0]);
  const { put, delete: remove } = store;
  const changes = [];
  store.put = (value, key) => (changes.push(() => records.set(key, value)), put.call(store, value, key));
  store.delete = (key) => (changes.push(() => records.delete(key)), remove.call(store, key));
  transaction.objectStore = () => store;
  running += 1;
  transaction.addEventListener("complete", () => {
    running -= 1;
    for (const change of changes) change();
  });
  transaction.addEventListener("abort", () => (running -= 1));
  return transaction;
}

globalThis.localStorage = createStorage();
globalThis.sessionStorage = createStorage();
globalThis.indexedDB = { open };

/** What a test does to the browser. */
export const device = {
  /** The names of the databases that were opened. */
  opened,
  get records() {
    return records;
  },
  /** Wait until what the scripts have begun to write or to bring back is done, and what follows from it. */
  async settle() {
    const { pendingWrite } = await import("../../site_overrides/javascripts/saved/store.mjs");
    for (let last = null; last !== pendingWrite() || running; ) {
      last = pendingWrite();
      await last;
      await until(() => running === 0);
      await settlePromises();
    }
  },
  /** Delete all that is stored, once what the test before has left under way is done; nothing fails. */
  async clear() {
    await device.settle();
    [onDisk, isFull, isIdle, isBlocked, watch] = [{}, false, false, false, null];
    globalThis.localStorage = createStorage();
    globalThis.sessionStorage = createStorage();
    device.evict();
  },
  /** Write to the disk what the storage has held back. */
  flush() {
    onDisk = { ...localStorage };
  },
  /** Kill the browser: what the storage held back is gone, and so are the tabs. */
  kill() {
    globalThis.localStorage = createStorage(onDisk);
    globalThis.sessionStorage = createStorage();
    device.close();
  },
  /** Close the connections to the database at once, which the page hears. */
  close() {
    for (const database of databases.splice(0)) {
      database.close();
      database.onclose?.();
    }
  },
  /** Clear the database, and leave the storage. */
  evict() {
    device.close();
    factory = new IDBFactory();
    records = new Map();
  },
  /** Allow no database any more. */
  block(is = true) {
    isBlocked = is;
    device.close();
  },
  fill(is = true) {
    isFull = is;
  },
  /** Take what is written, and store nothing. */
  idle() {
    isIdle = true;
  },
  /** Go on in another tab: its own storage, which is returned. */
  inTab(own = createStorage()) {
    globalThis.sessionStorage = own;
    return own;
  },
  /** Call a function at each writing: name, text before, text after. */
  watch(listener) {
    watch = listener;
  },
};
