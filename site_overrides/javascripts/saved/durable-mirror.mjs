// Mirrors the saved entries to IndexedDB, so that they survive a killed browser: a browser may delay localStorage writes for
// a minute, but an IndexedDB transaction with strict durability is on the disk when it completes. Both have the same texts
// under the same keys, and pages read localStorage only. At the start they are reconciled: the higher revision goes to
// both. A deletion leaves a tombstone with a revision in the database, so that nothing restores the deleted entry. It is
// removed after a week, when no browser delays a write any more.
import { isFramed } from "../shared/embedding.mjs";
import { storageKeyOf } from "../shared/urls.mjs";
import { getLocalStorage, readStoredText, listStoredKeys } from "../shared/web-storage.mjs";

const DATABASE = storageKeyOf("scratch-kept");
const OBJECT_STORE = "entries";
const WEEK = 7 * 24 * 3600 * 1000; // ms
const TOMBSTONE_PREFIX = '{"deleted":';

let databasePromise = null;
let pendingTexts = new Map(); // by key, for the next transaction
let flushPromise = null;

export const isTombstone = (text) => text.startsWith(TOMBSTONE_PREFIX);

/** Create the text that marks the deletion of an entry. */
export const createTombstone = (deletedText) => `${TOMBSTONE_PREFIX}${Date.now()},"revision":${revisionOf(deletedText) + 1}}`;

/** Return the revision of a text: -1 if there is no text, 0 if it has no revision. */
export function revisionOf(storedText) {
  if (!storedText) return -1;
  try {
    const { revision } = JSON.parse(storedText);
    return Number.isSafeInteger(revision) ? revision : 0;
  } catch {
    return 0;
  }
}

/** Write a text under a key, batched with all writes of the same tick. Resolves to whether it is on the disk.
 *  @returns {Promise<boolean>} */
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

/** Write the pending texts in one transaction. */
async function writePendingTexts() {
  const texts = pendingTexts;
  [pendingTexts, flushPromise] = [new Map(), null];
  const { store, done } = await openTransaction();
  for (const [name, text] of texts) store.put(text, name);
  store.transaction.commit?.();
  await done;
}

/** Reconcile storage and database. Resolves to the keys whose stored text has changed, or to null without a database.
 *  `addConflicting` gets each text that conflicts with another one of the same key, to save it as a new entry.
 *  @returns {Promise<string[] | null>} */
export async function reconcileWithDatabase(addConflicting) {
  if (isFramed) return [];
  const prefix = storageKeyOf("scratch-kept-");
  const before = new Map(
    listStoredKeys()
      .filter((name) => name.startsWith(prefix))
      .map((name) => [name, readStoredText(name)]),
  );
  try {
    const { store, done } = await openTransaction();
    const names = await promisifyRequest(store.getAllKeys());
    const texts = await promisifyRequest(store.getAll());
    const durable = new Map(names.map((name, index) => [name, texts[index]]));
    const reconcile = (name) => reconcileKey(store, name, before.get(name) ?? "", durable.get(name) ?? "", addConflicting);
    const changed = [...new Set([...before.keys(), ...names])].filter(reconcile);
    await done;
    return changed;
  } catch {
    return null;
  }
}

/** Reconcile one key. Returns whether its stored text has changed. `textBefore` is the stored text before the user could have
 *  changed it.
 *  @returns {boolean} */
function reconcileKey(store, key, textBefore, durableText, addConflicting) {
  const current = readStoredText(key);
  const isLost = durableText !== textBefore && revisionOf(durableText) >= revisionOf(textBefore);
  const isNewer = current === textBefore && revisionOf(durableText) > revisionOf(textBefore);
  if (current === durableText) return false;
  if (isNewer && isTombstone(durableText)) return applyTombstone(store, key, durableText);
  if (isLost && !isTombstone(durableText)) return restoreLostText(store, key, isNewer, durableText, addConflicting);
  if (current) store.put(current, key);
  return false;
}

/** Apply the deletion of an entry. Returns whether the storage had it; removes an old tombstone if it had not.
 *  @returns {boolean} */
function applyTombstone(store, key, tombstone) {
  const isStored = Boolean(readStoredText(key));
  if (isStored) getLocalStorage().removeItem(key);
  else if (JSON.parse(tombstone).deleted < Date.now() - WEEK) store.delete(key);
  return isStored;
}

/** Restore a text that the storage has lost: under its key, or as a new entry if the key was written in the meantime.
 *  Returns whether it was restored.
 *  @returns {boolean} */
function restoreLostText(store, key, isNewer, durableText, addConflicting) {
  const current = readStoredText(key);
  if (!isNewer && !current) {
    store.put(createTombstone(durableText), key); // the user has just deleted it
    return false;
  }
  try {
    if (isNewer) getLocalStorage().setItem(key, durableText);
    else addConflicting(durableText);
  } catch {
    return false; // the storage is full: the database still has the text
  }
  if (!isNewer) store.put(current, key);
  return true;
}

// ---- the database

async function openTransaction() {
  try {
    const database = await (databasePromise ??= openDatabase());
    const transaction = database.transaction(OBJECT_STORE, "readwrite", { durability: "strict" });
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    done.catch(() => {}); // reported to the callers that await it
    return { store: transaction.objectStore(OBJECT_STORE), done };
  } catch (error) {
    forgetDatabase();
    throw error;
  }
}

async function openDatabase() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(OBJECT_STORE);
  const database = await promisifyRequest(request);
  database.onclose = forgetDatabase; // the user has cleared it: the next write reopens it
  database.onversionchange = () => {
    database.close();
    forgetDatabase();
  };
  return database;
}

function forgetDatabase() {
  databasePromise = null;
}

const promisifyRequest = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
