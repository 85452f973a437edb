// A browser by hand, for the scripts that keep things: a storage that forgets what it has not written to the disk yet when
// it is killed, and a database that doesn't. Import this before the scripts: they look at the page that they are in.

/** What a browser's storage does: names are its own properties. */
class Storage {
  static isFull = false;
  static isIdle = false; // takes what is written, and keeps nothing

  getItem(name) {
    return Object.hasOwn(this, name) ? this[name] : null;
  }

  setItem(name, text) {
    watching?.(name, this.getItem(name) ?? "", String(text));
    if (Storage.isFull) throw Object.assign(new Error("full"), { name: "QuotaExceededError" });
    if (!Storage.isIdle) this[name] = String(text);
  }

  removeItem(name) {
    delete this[name];
  }
}

let watching = null;
let onDisk = {}; // of the storage
let records = new Map(); // of the database
let queue = Promise.resolve(); // transactions, one after the other
let isBlocked = false;
const databases = [];

const later = () => new Promise((resolve) => setImmediate(resolve));

class Transaction {
  #requests = [];
  #records = null;

  constructor() {
    queue = queue.then(() => this.#run());
  }

  objectStore() {
    return this;
  }

  get transaction() {
    return this;
  }

  commit() {}

  put(value, key) {
    return this.#ask(() => this.#records.set(key, value));
  }

  delete(key) {
    return this.#ask(() => this.#records.delete(key));
  }

  getAll() {
    return this.#ask(() => [...this.#records.values()]);
  }

  getAllKeys() {
    return this.#ask(() => [...this.#records.keys()]);
  }

  #ask(act) {
    const request = { act };
    this.#requests.push(request);
    return request;
  }

  async #run() {
    await later();
    this.#records = new Map(records);
    while (this.#requests.length) {
      const request = this.#requests.shift();
      request.result = request.act();
      request.onsuccess?.();
      await later();
    }
    records = this.#records;
    this.oncomplete?.();
  }
}

function open(name) {
  const request = { name };
  void later().then(() => {
    if (isBlocked) return request.onerror?.();
    request.result = { transaction: () => new Transaction(), close: () => {} };
    databases.push(request.result);
    request.onsuccess?.();
  });
  opened.push(name);
  return request;
}

const opened = []; // the names of databases that were asked for

globalThis.location = new URL("https://example.org/");
globalThis.window = { top: { location } };
globalThis.localStorage = new Storage();
globalThis.sessionStorage = new Storage();
globalThis.indexedDB = { open };

/** What a test does to the browser. */
export const device = {
  opened,
  get records() {
    return records;
  },
  /** All that is kept is gone, and nothing fails. */
  async clear() {
    for (let turn = 0; turn < 20; turn += 1) await later(); // what the test before has left under way
    globalThis.localStorage = new Storage();
    globalThis.sessionStorage = new Storage();
    [onDisk, records, isBlocked, watching] = [{}, new Map(), false, null];
    Storage.isFull = Storage.isIdle = false;
    device.close();
  },
  /** The storage writes what it has held back. */
  flush() {
    onDisk = { ...localStorage };
  },
  /** The browser is killed: what the storage held back is gone, and the tabs. */
  kill() {
    globalThis.localStorage = Object.assign(new Storage(), onDisk);
    globalThis.sessionStorage = new Storage();
    device.close();
  },
  close() {
    for (const each of databases.splice(0)) each.onclose?.();
  },
  /** The browser clears the database, and leaves the storage. */
  evict() {
    records = new Map();
    device.close();
  },
  /** No database is to be had any more. */
  block(is = true) {
    isBlocked = is;
    device.close();
  },
  fill(is = true) {
    Storage.isFull = is;
  },
  idle() {
    Storage.isIdle = true;
  },
  /** Go on in another tab: its own storage, which is given back. */
  inTab(own = new Storage()) {
    globalThis.sessionStorage = own;
    return own;
  },
  /** Be told of each writing: name, text before, text after. */
  watch(told) {
    watching = told;
  },
};
