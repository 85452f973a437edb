// The files that a start of Python saves for the next one: in the origin private file system, or in IndexedDB if the browser
// has no such file system: in WebKitGTK and in private windows. IndexedDB reads them at a third of the speed or less.
// Each file ends with checksums of its content, because a browser that was closed may have written only part of it.
import { openDatabase, promisifyRequest, promisifyTransaction } from "../shared/indexed-db.mjs";

const OBJECT_STORE = "files";
const CHECKSUM_BYTES = 8; // two checksums of 32 bits

/**
 * A place for files with unique names.
 * @typedef {object} FileStore
 * @property {(name: string, condition?: Promise<unknown>) => Promise<Uint8Array<ArrayBuffer> | null>} read waits for the
 *   condition; resolves to null if there is no such file, or another tab is writing it
 * @property {(name: string, parts: Uint8Array<ArrayBuffer>[]) => Promise<void>} write writes the parts in their order
 * @property {() => Promise<void>} clear deletes all files, as far as the browser allows
 */

/** Open the file system's folder, and create it if needed.
 *  @param {string} folderName
 *  @returns {Promise<FileStore>} rejects if the browser has no such file system */
async function openFolder(folderName) {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(folderName, { create: true });
  return {
    // Reading blocks this thread.
    async read(name, condition) {
      const access = await (await folder.getFileHandle(name)).createSyncAccessHandle({ mode: "read-only" });
      await condition;
      const bytes = new Uint8Array(access.getSize());
      access.read(bytes);
      access.close();
      return bytes;
    },
    async write(name, parts) {
      const access = await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle();
      try {
        let at = 0;
        for (const part of parts) {
          access.write(part, { at });
          access.flush(); // a later part is never on the disk without the earlier ones
          at += part.length;
        }
      } finally {
        access.close();
      }
    },
    async clear() {
      for await (const name of folder.keys()) await folder.removeEntry(name).catch(() => {});
      globalThis.indexedDB?.deleteDatabase(folderName); // of a time when the browser had no folder
    },
  };
}

/** Open the database, and create it if needed.
 *  @param {string} name
 *  @returns {Promise<FileStore>} rejects if the browser allows none */
async function openFileDatabase(name) {
  const database = await openDatabase(name, OBJECT_STORE);
  /** Change the store, and wait until the change is saved.
   *  @param {(store: IDBObjectStore) => unknown} change
   *  @returns {Promise<void>} */
  const changeStore = (change) => {
    const transaction = database.transaction(OBJECT_STORE, "readwrite");
    change(transaction.objectStore(OBJECT_STORE));
    return promisifyTransaction(transaction);
  };
  return {
    async read(fileName, condition) {
      await condition;
      const store = database.transaction(OBJECT_STORE, "readonly").objectStore(OBJECT_STORE);
      return (await promisifyRequest(store.get(fileName))) ?? null;
    },
    async write(fileName, parts) {
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
      await changeStore((store) => store.put(bytes, fileName));
    },
    clear: () => changeStore((store) => store.clear()),
  };
}

/** Compute two 32-bit checksums over the words of a file. Each step of the first one is invertible, so a single changed
 *  word always changes it. The browser's own digest takes a third of a second in Firefox; this takes 10 ms.
 *  @param {Uint8Array} bytes
 *  @returns {Uint8Array<ArrayBuffer>} */
function computeChecksums(bytes) {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  let hash = 0;
  let sum = 0;
  for (let index = 0; index < words.length; index += 1) {
    hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ words[index], 0x9e3779b1);
    sum = (sum + hash) | 0;
  }
  return new Uint8Array(new Uint32Array([hash, sum]).buffer);
}

/** @param {Uint8Array<ArrayBuffer>} saved the bytes of a saved file
 *  @returns {Uint8Array<ArrayBuffer>} */
export const contentOf = (saved) => saved.subarray(0, -CHECKSUM_BYTES);

/** The files that starts have saved. Nothing is opened before the first use. */
export class SavedFiles {
  #name;
  /** @type {Promise<FileStore | null> | null} */
  #store = null;
  checkTime = 0; // ms that `isIntact` took

  /** @param {string} name of the folder or database, without a slash; no other site of the host may use it */
  constructor(name) {
    this.#name = name;
  }

  #open() {
    return (this.#store ??= openFolder(this.#name).catch(() => openFileDatabase(this.#name).catch(() => null)));
  }

  /** @returns {Promise<boolean>} whether this browser can save files at all */
  async canSave() {
    return (await this.#open()) !== null;
  }

  /** Read a file. Reading may block this thread.
   *  @param {string} name
   *  @param {Promise<unknown>} [condition] the reading waits for this
   *  @returns {Promise<Uint8Array<ArrayBuffer> | null>} the content and its checksums, see `isIntact`; null if there is no such
   *    file, or another tab is writing it */
  async read(name, condition) {
    const store = await this.#open();
    return store ? store.read(name, condition).catch(() => null) : null;
  }

  /** Compare the content of a file with its checksums.
   *  @param {Uint8Array<ArrayBuffer>} saved the bytes of the file
   *  @returns {boolean} */
  isIntact(saved) {
    if (saved.length < CHECKSUM_BYTES) return false;
    const startTime = performance.now();
    const checksums = saved.subarray(-CHECKSUM_BYTES);
    const matches = computeChecksums(contentOf(saved)).every((byte, index) => byte === checksums[index]);
    this.checkTime += performance.now() - startTime;
    return matches;
  }

  /** Save a file. Its checksums are written last, so an interrupted write leaves a file that is not intact.
   *  @param {string} name
   *  @param {Uint8Array<ArrayBuffer>} content
   *  @returns {Promise<void>} rejects if this browser can't save it */
  async save(name, content) {
    const store = await this.#open();
    if (!store) throw new Error("this browser can't save files");
    await store.write(name, [content, computeChecksums(content)]);
  }

  /** Delete all files, as far as the browser allows.
   *  @returns {Promise<void>} */
  async clear() {
    await (await this.#open())?.clear().catch(() => {});
  }
}
