// What is kept, once more where a browser that is killed finds it again: a browser may hold back for a minute what is
// written into its storage, and what a database has written with strict durability is on the disk. Under the same names
// stand the same texts; pages and tabs read the storage alone. At the start the two are reconciled: the higher revision
// stands in both. A deletion leaves a mark in the database, with a revision of its own, so that nothing brings back what
// was deleted; it is dropped after a week, when no storage holds anything back any more.
import { isFramed } from "../shared/embedding.mjs";
import { storageKeyOf } from "../shared/urls.mjs";
import { local, readStored, listStoredKeys } from "../shared/web-storage.mjs";

const NAME = storageKeyOf("scratch-kept");
const ENTRIES = "entries";
const WEEK = 7 * 24 * 3600 * 1000; // ms
const MARK = '{"deleted":';

let opening = null;
let waiting = new Map(); // what the next transaction writes
let writing = null;

export const isTombstone = (text) => text.startsWith(MARK);

/** The text that stands for the deletion of another. */
export const createTombstone = (text) => `${MARK}${Date.now()},"revision":${revisionOf(text) + 1}}`;

/** How often what a text holds was written: -1 where there is no text, 0 where it doesn't say. */
export function revisionOf(text) {
  if (!text) return -1;
  try {
    const { revision } = JSON.parse(text);
    return Number.isSafeInteger(revision) ? revision : 0;
  } catch {
    return 0;
  }
}

/** Write a text under a name, in one transaction with all that is written now. Gives whether it is on the disk. */
export function writeDurably(name, text) {
  if (isFramed) return Promise.resolve(false);
  waiting.set(name, text);
  return (writing ??= Promise.resolve()
    .then(flush)
    .then(
      () => true,
      () => false,
    ));
}

async function flush() {
  const texts = waiting;
  [waiting, writing] = [new Map(), null];
  const { store, done } = await begun();
  for (const [name, text] of texts) store.put(text, name);
  store.transaction.commit?.();
  await done;
}

/** Let storage and database agree. Gives the names under which the storage has another text now; null: no database.
 *  `besides` is given what was written under a name at the same time as another text, to keep it too. */
export async function reconcile(besides) {
  if (isFramed) return [];
  const begin = storageKeyOf("scratch-kept-");
  const before = new Map(
    listStoredKeys()
      .filter((name) => name.startsWith(begin))
      .map((name) => [name, readStored(name)]),
  );
  try {
    const { store, done } = await begun();
    const names = await promisify(store.getAllKeys());
    const texts = await promisify(store.getAll());
    const lasting = new Map(names.map((name, at) => [name, texts[at]]));
    const changes = (name) => reconcileKey(store, name, before.get(name) ?? "", lasting.get(name) ?? "", besides);
    const changed = [...new Set([...before.keys(), ...names])].filter(changes);
    await done;
    return changed;
  } catch {
    return null;
  }
}

/** Settle one name; whether the storage has another text now. `before` is what it had when the reader could not have
 *  done anything yet. */
function reconcileKey(store, name, before, lasting, besides) {
  const now = readStored(name);
  const isNews = lasting !== before && revisionOf(lasting) >= revisionOf(before);
  const isLater = now === before && revisionOf(lasting) > revisionOf(before);
  if (now === lasting) return false;
  if (isLater && isTombstone(lasting)) return applyTombstone(store, name, lasting);
  if (isNews && !isTombstone(lasting)) return restoreEntry(store, name, isLater, lasting, besides);
  if (now) store.put(now, name);
  return false;
}

function applyTombstone(store, name, mark) {
  const isThere = Boolean(readStored(name));
  if (isThere) local().removeItem(name);
  else if (JSON.parse(mark).deleted < Date.now() - WEEK) store.delete(name);
  return isThere;
}

/** What the storage had lost comes back: in its own place, or beside what has been written there meanwhile. */
function restoreEntry(store, name, isLater, lasting, besides) {
  const now = readStored(name);
  if (!isLater && !now) {
    store.put(createTombstone(lasting), name); // the reader has just deleted it
    return false;
  }
  try {
    if (isLater) local().setItem(name, lasting);
    else besides(lasting);
  } catch {
    return false; // no room: the database still has it
  }
  if (!isLater) store.put(now, name);
  return true;
}

// ---- the database

async function begun() {
  try {
    const database = await (opening ??= opened());
    const writes = database.transaction(ENTRIES, "readwrite", { durability: "strict" });
    const done = new Promise((resolve, reject) => {
      writes.oncomplete = resolve;
      writes.onabort = () => reject(writes.error);
    });
    done.catch(() => {}); // who waits for it hears of it
    return { store: writes.objectStore(ENTRIES), done };
  } catch (error) {
    forget();
    throw error;
  }
}

async function opened() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(ENTRIES);
  const database = await promisify(request);
  database.onclose = forget; // somebody has cleared it: the next writing opens it anew
  database.onversionchange = () => {
    database.close();
    forget();
  };
  return database;
}

function forget() {
  opening = null;
}

const promisify = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
