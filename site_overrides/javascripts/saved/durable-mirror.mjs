// Mirrors the saved entries to IndexedDB, so that they survive a killed browser: a browser may delay localStorage writes for
// a minute, but an IndexedDB transaction with strict durability is on the disk when it completes. Both have the same texts
// under the same keys, and pages read localStorage only. At the start they are reconciled: the higher revision goes to
// both. A deletion leaves a tombstone with a revision in the database, so that nothing restores the deleted entry. It is
// removed after a week, when no browser delays a write any more.
import { isFramed } from "../shared/embedding.mjs";
import { storageKeyOf } from "../shared/urls.mjs";
import { local, readStored, listStoredKeys } from "../shared/web-storage.mjs";

const DATABASE = storageKeyOf("scratch-kept");
const OBJECT_STORE = "entries";
const WEEK = 7 * 24 * 3600 * 1000; // ms
const TOMBSTONE_PREFIX = '{"deleted":';

let databasePromise = null;
let pendingTexts = new Map(); // by key, for the next transaction
let flushPromise = null;

export const isTombstone = (text) => text.startsWith(TOMBSTONE_PREFIX);

/** Create the text that marks the deletion of an entry. */
export const createTombstone = (text) => `${TOMBSTONE_PREFIX}${Date.now()},"revision":${revisionOf(text) + 1}}`;

/** Return the revision of a text: -1 if there is no text, 0 if it has no revision. */
export function revisionOf(text) {
  if (!text) return -1;
  try {
    const { revision } = JSON.parse(text);
    return Number.isSafeInteger(revision) ? revision : 0;
  } catch {
    return 0;
  }
}

/** Write a text under a key, batched with all writes of the same tick. Resolves to whether it is on the disk. */
export function writeDurably(name, text) {
  if (isFramed) return Promise.resolve(false);
  pendingTexts.set(name, text);
  return (flushPromise ??= Promise.resolve()
    .then(flush)
    .then(
      () => true,
      () => false,
    ));
}

async function flush() {
  const texts = pendingTexts;
  [pendingTexts, flushPromise] = [new Map(), null];
  const { store, done } = await openTransaction();
  for (const [name, text] of texts) store.put(text, name);
  store.transaction.commit?.();
  await done;
}

/** Reconcile storage and database. Resolves to the keys whose stored text has changed, or to null without a database.
 *  `addConflicting` gets each text that conflicts with another one of the same key, to save it as a new entry. */
export async function reconcile(addConflicting) {
  if (isFramed) return [];
  const prefix = storageKeyOf("scratch-kept-");
  const before = new Map(
    listStoredKeys()
      .filter((name) => name.startsWith(prefix))
      .map((name) => [name, readStored(name)]),
  );
  try {
    const { store, done } = await openTransaction();
    const names = await promisify(store.getAllKeys());
    const texts = await promisify(store.getAll());
    const durable = new Map(names.map((name, index) => [name, texts[index]]));
    const isChanged = (name) => reconcileKey(store, name, before.get(name) ?? "", durable.get(name) ?? "", addConflicting);
    const changed = [...new Set([...before.keys(), ...names])].filter(isChanged);
    await done;
    return changed;
  } catch {
    return null;
  }
}

/** Reconcile one key. Returns whether its stored text has changed. `before` is the stored text before the user could have
 *  changed it. */
function reconcileKey(store, name, before, durable, addConflicting) {
  const current = readStored(name);
  const isLost = durable !== before && revisionOf(durable) >= revisionOf(before);
  const isNewer = current === before && revisionOf(durable) > revisionOf(before);
  if (current === durable) return false;
  if (isNewer && isTombstone(durable)) return applyTombstone(store, name, durable);
  if (isLost && !isTombstone(durable)) return restoreEntry(store, name, isNewer, durable, addConflicting);
  if (current) store.put(current, name);
  return false;
}

function applyTombstone(store, name, tombstone) {
  const isStored = Boolean(readStored(name));
  if (isStored) local().removeItem(name);
  else if (JSON.parse(tombstone).deleted < Date.now() - WEEK) store.delete(name);
  return isStored;
}

/** Restore a text that the storage has lost: under its key, or as a new entry if the key was written in the meantime. */
function restoreEntry(store, name, isNewer, durable, addConflicting) {
  const current = readStored(name);
  if (!isNewer && !current) {
    store.put(createTombstone(durable), name); // the user has just deleted it
    return false;
  }
  try {
    if (isNewer) local().setItem(name, durable);
    else addConflicting(durable);
  } catch {
    return false; // the storage is full: the database still has the text
  }
  if (!isNewer) store.put(current, name);
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
  const database = await promisify(request);
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

const promisify = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
