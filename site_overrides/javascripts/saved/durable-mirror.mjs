// Mirrors the saved entries to IndexedDB, so that they survive a killed browser: a browser may delay localStorage writes for
// a minute, but an IndexedDB transaction with strict durability is on the disk when it completes. Both have the same texts
// under the same keys, and pages read localStorage only. At the start they are reconciled: the higher revision goes to
// both. A deletion leaves a tombstone with a revision in the database, so that nothing restores the deleted entry. It is
// removed after a week, when no browser delays a write any more.
/** @import { StorageKey } from "../shared/urls.mjs" */
/** @import { StoredText } from "./store.mjs" */
import { isFramed } from "../shared/embedding.mjs";
import { openDatabase, promisifyRequest, promisifyTransaction } from "../shared/indexed-db.mjs";
import { storageKeyOf } from "../shared/urls.mjs";
import { getLocalStorage, readLocalStorageText, listLocalStorageKeys } from "../shared/web-storage.mjs";

const DATABASE = storageKeyOf("scratch-kept");
const OBJECT_STORE = "entries";
const WEEK = 7 * 24 * 3600 * 1000; // ms
const TOMBSTONE_PREFIX = '{"deleted":';

/** @type {Promise<IDBDatabase> | null} */
let databasePromise = null;
/** The texts for the next transaction. @type {Map<StorageKey, StoredText>} */
let pendingTexts = new Map();
/** Whether the next transaction is durable. @type {Promise<boolean> | null} */
let flushPromise = null;

/** Whether a text marks the deletion of an entry.
 *  @param {StoredText} text */
export const isTombstone = (text) => text.startsWith(TOMBSTONE_PREFIX);

/** Create the text that marks the deletion of an entry.
 *  @param {StoredText} deletedText
 *  @returns {StoredText} */
export const createTombstone = (deletedText) => `${TOMBSTONE_PREFIX}${Date.now()},"revision":${revisionOrMinusOne(deletedText) + 1}}`;

/** Return the revision of a text.
 *  @param {StoredText} storedText
 *  @returns {number} -1 if there is no text, 0 if it has no revision */
export function revisionOrMinusOne(storedText) {
  if (!storedText) return -1;
  try {
    const { revision } = JSON.parse(storedText);
    return Number.isSafeInteger(revision) ? revision : 0;
  } catch {
    return 0;
  }
}

/** Write a text to the database, batched with all writes of the same tick.
 *  @param {StorageKey} key
 *  @param {StoredText} text
 *  @returns {Promise<boolean>} whether it is on the disk */
export function writeDurably(key, text) {
  if (isFramed) return Promise.resolve(false);
  pendingTexts.set(key, text);
  return (flushPromise ??= Promise.resolve()
    .then(writePendingTexts)
    .then(
      () => true,
      () => false,
    ));
}

/** Write the pending texts in one transaction. Rejects if the browser can't.
 *  @returns {Promise<void>} */
async function writePendingTexts() {
  const texts = pendingTexts;
  [pendingTexts, flushPromise] = [new Map(), null];
  const { store, done } = await openTransaction();
  for (const [name, text] of texts) store.put(text, name);
  store.transaction.commit?.();
  await done;
}

/** Reconcile localStorage and database.
 *  @param {(text: StoredText) => void} addConflicting saves a text that conflicts with another one of the same key as a new entry
 *  @returns {Promise<StorageKey[] | null>} the keys whose text in localStorage has changed, or null without a database */
export async function reconcileWithDatabase(addConflicting) {
  if (isFramed) return [];
  const prefix = storageKeyOf("scratch-kept-");
  const before = new Map(
    listLocalStorageKeys()
      .filter((name) => name.startsWith(prefix))
      .map((name) => [name, readLocalStorageText(name)]),
  );
  try {
    const { store, done } = await openTransaction();
    const names = await promisifyRequest(/** @type {IDBRequest<StorageKey[]>} */ (store.getAllKeys()));
    const texts = await promisifyRequest(/** @type {IDBRequest<StoredText[]>} */ (store.getAll()));
    const durable = new Map(names.map((name, index) => [name, texts[index]]));
    /** @param {StorageKey} name */
    const reconcile = (name) => reconcileKey(store, name, before.get(name) ?? "", durable.get(name) ?? "", addConflicting);
    const changed = [...new Set([...before.keys(), ...names])].filter(reconcile);
    await done;
    return changed;
  } catch {
    return null;
  }
}

/** Reconcile one key.
 *  @param {IDBObjectStore} store
 *  @param {StorageKey} key
 *  @param {StoredText} textBefore the text in localStorage before the user could have changed it
 *  @param {StoredText} durableText the text in the database
 *  @param {(text: StoredText) => void} addConflicting
 *  @returns {boolean} whether its text in localStorage has changed */
function reconcileKey(store, key, textBefore, durableText, addConflicting) {
  const current = readLocalStorageText(key);
  const isLost = durableText !== textBefore && revisionOrMinusOne(durableText) >= revisionOrMinusOne(textBefore);
  const isNewer = current === textBefore && revisionOrMinusOne(durableText) > revisionOrMinusOne(textBefore);
  if (current === durableText) return false;
  if (isNewer && isTombstone(durableText)) return applyTombstoneToLocalStorage(store, key, durableText);
  if (isLost && !isTombstone(durableText)) return restoreLostText(store, key, isNewer, durableText, addConflicting);
  if (current) store.put(current, key);
  return false;
}

/** Apply the deletion of an entry to localStorage; remove an old tombstone if the entry was not there.
 *  @param {IDBObjectStore} store
 *  @param {StorageKey} key
 *  @param {StoredText} tombstone
 *  @returns {boolean} whether localStorage had the entry */
function applyTombstoneToLocalStorage(store, key, tombstone) {
  const isStored = Boolean(readLocalStorageText(key));
  if (isStored) getLocalStorage().removeItem(key);
  else if (JSON.parse(tombstone).deleted < Date.now() - WEEK) store.delete(key);
  return isStored;
}

/** Restore a text that localStorage has lost: under its key, or as a new entry if the key was written in the meantime.
 *  @param {IDBObjectStore} store
 *  @param {StorageKey} key
 *  @param {boolean} isKeyUnchanged whether the key was not written in the meantime
 *  @param {StoredText} durableText
 *  @param {(text: StoredText) => void} addConflicting
 *  @returns {boolean} whether it was restored */
function restoreLostText(store, key, isKeyUnchanged, durableText, addConflicting) {
  const current = readLocalStorageText(key);
  if (!isKeyUnchanged && !current) {
    store.put(createTombstone(durableText), key); // the user has just deleted it
    return false;
  }
  try {
    if (isKeyUnchanged) getLocalStorage().setItem(key, durableText);
    else addConflicting(durableText);
  } catch {
    return false; // the storage is full: the database still has the text
  }
  if (!isKeyUnchanged) store.put(current, key);
  return true;
}

// ---- the database

/** Open a transaction with strict durability, and the database if needed.
 *  @returns {Promise<{ store: IDBObjectStore, done: Promise<unknown> }>} `done` resolves when the writes are on the disk */
async function openTransaction() {
  try {
    const database = await (databasePromise ??= openMirror());
    const transaction = database.transaction(OBJECT_STORE, "readwrite", { durability: "strict" });
    const done = promisifyTransaction(transaction);
    done.catch(() => {}); // reported to the callers that await it
    return { store: transaction.objectStore(OBJECT_STORE), done };
  } catch (error) {
    forgetDatabase();
    throw error;
  }
}

/** @returns {Promise<IDBDatabase>} */
async function openMirror() {
  const database = await openDatabase(DATABASE, OBJECT_STORE);
  database.onclose = forgetDatabase; // the user has cleared it: the next write reopens it
  database.onversionchange = () => {
    database.close();
    forgetDatabase();
  };
  return database;
}

/** Let the next transaction reopen the database. */
function forgetDatabase() {
  databasePromise = null;
}
