// A fake localStorage, which loses unflushed writes when the browser is killed, and an IndexedDB, which doesn't.
// Import this before the scripts, because they read the page's URL.
import { setAddress } from "./browser.mjs";
import { settlePromises, until } from "./until.mjs";

const { IDBFactory } = await import(process.env.FAKE_INDEXEDDB ?? "fake-indexeddb");

setAddress("https://example.org/");
let factory = new IDBFactory();
let onDisk = {}; // of the storage
let [isFull, isIdle, isBlocked, watch] = [false, false, false, null];
let records = new Map(); // of the database, after its last complete transaction
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

/** Reject a request to open a database, as a browser without IndexedDB does. */
function refuse() {
  const request = { error: new DOMException("no database", "InvalidStateError") };
  queueMicrotask(() => request.onerror());
  return request;
}

/** Save the database's content when a transaction is complete. */
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

/** Actions of a test on the browser. */
export const device = {
  /** The names of the databases that were opened. */
  opened,
  get records() {
    return records;
  },
  /** Wait until pending writes and recoveries, and their results, are complete. */
  async settle() {
    const { getLastWriteDurability } = await import("../../site_overrides/javascripts/saved/store.mjs");
    for (let last = null; last !== getLastWriteDurability() || running; ) {
      last = getLastWriteDurability();
      await last;
      await until(() => running === 0);
      await settlePromises();
    }
  },
  /** Delete all stored data after pending work of the previous test, and reset all failures. */
  async clear() {
    await device.settle();
    [onDisk, isFull, isIdle, isBlocked, watch] = [{}, false, false, false, null];
    globalThis.localStorage = createStorage();
    globalThis.sessionStorage = createStorage();
    device.evict();
  },
  /** Flush the storage to the disk. */
  flush() {
    onDisk = { ...localStorage };
  },
  /** Kill the browser: unflushed writes and all tabs are lost. */
  kill() {
    globalThis.localStorage = createStorage(onDisk);
    globalThis.sessionStorage = createStorage();
    device.close();
  },
  /** Close the database's connections, which sends the page an event. */
  close() {
    for (const database of databases.splice(0)) {
      database.close();
      database.onclose?.();
    }
  },
  /** Clear the database, but not the storage. */
  evict() {
    device.close();
    factory = new IDBFactory();
    records = new Map();
  },
  /** Disable the database. */
  block(is = true) {
    isBlocked = is;
    device.close();
  },
  fill(is = true) {
    isFull = is;
  },
  /** Ignore writes without an error. */
  idle() {
    isIdle = true;
  },
  /** Switch to another tab, and return its sessionStorage. */
  inTab(own = createStorage()) {
    globalThis.sessionStorage = own;
    return own;
  },
  /** Call a function at each write with the key, the old text and the new text. */
  watch(listener) {
    watch = listener;
  },
};
