// The saved entries of the calculators: {version, id, name, isNamed, query, summary, label, note, revision, changed}, each
// a localStorage entry of its own. The store does not interpret them: `version` is the calculator's name and the version of
// its query format ("fight/1"), and only Python knows the meaning of a query.
import { createTombstone, reconcileWithDatabase, writeDurably } from "./durable-mirror.mjs";
import { parseStorageKey, storageKeyOf } from "../shared/urls.mjs";
import { getLocalStorage, readStoredText, listStoredKeys } from "../shared/web-storage.mjs";

export const EXPORT_FORMAT = "scratch-kept/1";
const MAX_NAME_LENGTH = 120; // characters
const QUARANTINE_MARK = "-aside-";
const ENTRY_KEY = new RegExp(`^scratch-kept-([\\w-]+?)(/|${QUARANTINE_MARK})(.*)$`, "s");
const IMPORTABLE_VERSIONS = ["character/1", "fight/1"]; // the versions that this site's calculators save
// Reserved for an entry of a campaign itself: CAMPAIGN = "campaign/1".
export const HOUSE_RULES_VERSION = "house/1"; // the house rules of a table, one set; see house-rules.mjs

/** Parse a storage key: the kind of entry, its id, and whether it is quarantined. Returns null for a key that does not
 *  belong to a saved entry of this site.
 *  @returns {{ kind: string, id: string, isQuarantined: boolean } | null} */
export function parseEntryKey(key) {
  const [, kind, mark, id] = parseStorageKey(key).match(ENTRY_KEY) ?? [];
  return kind ? { kind, id, isQuarantined: mark === QUARANTINE_MARK } : null;
}

/** Parse a stored text. Returns null if it contains no entry. */
export function parseEntry(text, id = "") {
  try {
    const { version, query, ...more } = JSON.parse(text);
    const isOurs = typeof version === "string" && /^[\w-]+\/\d+$/.test(version); // the check of the type rejects a list with one string, which would match
    if (!isOurs || typeof query !== "string") return null;
    const entry = { version, id, name: truncateText(more.name), isNamed: Boolean(more.isNamed), query };
    const revision = Number.isSafeInteger(more.revision) ? more.revision : 0;
    const notes = { label: truncateText(more.label), note: truncateText(more.note) };
    return { ...entry, ...notes, summary: truncateText(more.summary), revision, changed: truncateText(more.changed) };
  } catch {
    return null;
  }
}

/** Find the entry with the name and the query of a stored text. */
export function findDuplicate(entries, storedText) {
  const entry = parseEntry(storedText);
  return entries.find(({ name, query }) => name === entry?.name && query === entry.query);
}

/** Truncate a text of a file. Returns "" for any other value. */
const truncateText = (value) => (typeof value === "string" ? value.slice(0, 4 * MAX_NAME_LENGTH) : "");

/** Return the name of the calculator that an entry belongs to. */
export const kindOf = (entry) => entry.version.split("/")[0];

/** The saved entries of one calculator, in this version. */
export class SavedEntries {
  #base;
  #version;

  constructor(version) {
    this.#version = version;
    this.#base = storageKeyOf(`scratch-kept-${version.split("/")[0]}`);
  }

  /** Read the stored text of an entry, to detect changes. Returns "" if there is none. */
  readText(id) {
    return readStoredText(this.#keyOf(id));
  }

  get(id) {
    const entry = parseEntry(this.readText(id), id);
    return entry?.version === this.#version ? entry : null;
  }

  /** List all entries, the latest first. */
  entries() {
    const entries = this.#listIds()
      .map((id) => this.get(id))
      .filter(Boolean);
    return entries.sort((entry, otherEntry) => (entry.changed < otherEntry.changed ? 1 : -1));
  }

  /** Write an entry under its id, and return it as written. Throws the browser's error if it can't be written. */
  put(entry) {
    const written = { ...entry, version: this.#version, revision: entry.revision + 1, changed: new Date().toISOString() };
    writeWithMirror(this.#keyOf(entry.id), JSON.stringify(written));
    return written;
  }

  /** Add a new entry, and return it. */
  add({ name = "", isNamed = false, query, summary = "", label = "", note = "" }) {
    return this.put({ id: createId(), name, isNamed, query, summary, label, note, revision: 0 });
  }

  /** Remove an entry, and return its text for `restore`. */
  remove(id) {
    const text = this.readText(id);
    deleteEntryByKey(this.#keyOf(id));
    return text;
  }

  /** Restore a removed entry unless it is there already, and return it as it is now. */
  restore(id, removedText) {
    const duplicate = findDuplicate(this.entries(), removedText);
    if (duplicate) return duplicate;
    return this.readText(id) ? this.add(parseEntry(removedText)) : this.put(parseEntry(removedText, id));
  }

  /** Move an entry that Python can't read to the quarantine, from which it can be exported. It stays if the storage is full. */
  quarantine(id) {
    try {
      writeWithMirror(`${this.#base}${QUARANTINE_MARK}${createId()}`, this.readText(id));
      deleteEntryByKey(this.#keyOf(id));
    } catch {
      // the next entry gets another key, so this one is not overwritten
    }
  }

  /** List keys and texts of the entries that can't be read, here or by Python. */
  listQuarantined() {
    const unreadable = this.#listIds()
      .filter((id) => !this.get(id))
      .map((id) => this.#keyOf(id));
    const quarantined = listStoredKeys().filter((name) => name.startsWith(`${this.#base}${QUARANTINE_MARK}`));
    return [...quarantined, ...unreadable].map((name) => ({ name, text: readStoredText(name) }));
  }

  /** Whether a change of a storage key affects these entries, or the one with the `id`. The key null means that the storage
   *  was cleared. */
  isAffectedBy(changedKey, id) {
    return changedKey === null || (id === undefined ? this.#isEntryKey(changedKey) : changedKey === this.#keyOf(id));
  }

  #keyOf(id) {
    return `${this.#base}/${id}`;
  }

  #isEntryKey(key) {
    return key.startsWith(`${this.#base}/`);
  }

  #listIds() {
    return listStoredKeys()
      .filter((name) => this.#isEntryKey(name))
      .map((name) => name.slice(this.#base.length + 1));
  }
}

let durableWrite = Promise.resolve(true);

/** Return a promise of whether everything written so far is durable, so that it survives a killed browser.
 *  @returns {Promise<boolean>} */
export const pendingWrite = () => durableWrite;

/** Write a text to the storage and to the durable mirror. Throws the browser's error, or if the browser has written nothing. */
function writeWithMirror(key, text) {
  getLocalStorage().setItem(key, text);
  if (readStoredText(key) !== text) throw new Error("the browser has not kept what was written");
  durableWrite = writeDurably(key, text);
}

/** Delete the entry with a storage key. */
export function deleteEntryByKey(key) {
  const text = readStoredText(key);
  getLocalStorage().removeItem(key);
  durableWrite = writeDurably(key, createTombstone(text));
}

/** Recover entries that the storage has lost. Resolves to the keys whose text has changed, or to null if the browser has
 *  no database.
 *  @returns {Promise<string[] | null>} */
export function recoverFromMirror() {
  const changed = reconcileWithDatabase((text) => {
    const entry = parseEntry(text);
    if (!entry) return;
    const savedEntries = new SavedEntries(entry.version);
    savedEntries.add({ ...entry, name: findFreeName(entry.name, savedEntries.entries()) });
  });
  durableWrite = changed.then((names) => names !== null);
  return changed;
}

const createId = () => crypto.randomUUID?.() ?? `${Date.now()}-${String(Math.random()).slice(2)}`;

const MAX_ENTRIES_FOR_PYTHON = 60;
const MAX_QUERY_CHARACTERS = 200_000; // characters of queries

/** Serialize the latest entries of a version ("character/1") for Python: names, queries and summaries. */
export function serializeEntriesForPython(version) {
  let remaining = MAX_QUERY_CHARACTERS;
  const serialized = [];
  for (const { name, query, summary } of new SavedEntries(version).entries().slice(0, MAX_ENTRIES_FOR_PYTHON)) {
    remaining -= query.length;
    if (remaining >= 0) serialized.push({ name, query, summary });
  }
  return JSON.stringify(serialized);
}

/** Build the text of an export file with all entries on this device, or with those given. */
export function buildExportFile(entries = listAllEntries()) {
  return `${JSON.stringify({ format: EXPORT_FORMAT, entries }, null, 1)}\n`;
}

function listAllEntries() {
  return listStoredKeys().flatMap((name) => {
    const parsed = parseEntryKey(name);
    return (parsed && !parsed.isQuarantined && parseEntry(readStoredText(name), parsed.id)) || [];
  });
}

/** Parse an export file, or one quarantined entry. Returns its entries and the number of unreadable ones, or null for any
 *  other text.
 *  @returns {{ entries: object[], unreadable: number } | null} */
export function parseExportFile(text) {
  const single = parseEntry(text);
  if (single) return { entries: [single], unreadable: 0 };
  try {
    const { format, entries } = JSON.parse(text);
    if (format !== EXPORT_FORMAT || !Array.isArray(entries)) return null;
    const parsed = entries.map((entry) => parseEntry(JSON.stringify(entry), truncateText(entry?.id))).filter(Boolean);
    return { entries: parsed, unreadable: entries.length - parsed.length };
  } catch {
    return null;
  }
}

/** Import the entries of a file. Skips duplicates, and overwrites nothing: an entry whose name is in use gets another one.
 *  Returns the added entries with their new ids, the duplicates, house rules (which the user imports separately), entries
 *  of an unknown version, and those that could not be written, with the last error. */
export function importEntries(entries) {
  const result = { added: [], duplicates: [], houseRules: [], unknown: [], failed: [], error: null };
  const existing = new Map(IMPORTABLE_VERSIONS.map((version) => [version, new SavedEntries(version).entries()]));
  for (const entry of entries) importEntry(entry, existing.get(entry.version), result);
  return result;
}

/** Import an entry, and add it to a list of the result. */
function importEntry(entry, existing, result) {
  if (entry.version === HOUSE_RULES_VERSION) return result.houseRules.push(entry);
  if (!existing) return result.unknown.push(entry);
  const duplicate = existing.find((each) => each.query === entry.query && mayBeSameEntry(each, entry));
  if (duplicate) return result.duplicates.push(duplicate);
  try {
    const added = new SavedEntries(entry.version).add({ ...entry, name: findFreeName(entry.name, existing) });
    result.added.push(added);
    existing.push(added);
  } catch (error) {
    result.error = error;
    result.failed.push(entry);
  }
}

/** Whether two entries have the same id, the same name, or names that differ by a number. */
const mayBeSameEntry = (entry, otherEntry) =>
  entry.id === otherEntry.id ||
  entry.name === otherEntry.name ||
  isNumberedName(entry.name, otherEntry.name) ||
  isNumberedName(otherEntry.name, entry.name);

/** Whether a name is `bare` with a number, as the names of duplicates are. */
export const isNumberedName = (name, bareName) => name.startsWith(`${bareName} `) && /^\d+$/.test(name.slice(bareName.length + 1));

const STAGE_SEPARATOR = " · "; // between the name of a fight and its stage

/** Remove the stage of a fight from its name. */
export const stripStage = (name) => (name.includes(STAGE_SEPARATOR) ? name.slice(0, name.lastIndexOf(STAGE_SEPARATOR)) : name);

/** Find the next name in a numbered series: "The toll 3" after "The toll" and "The toll 2". */
export function findNextName(name, entries) {
  const bare = name.replace(/ \d+$/, "");
  const isInSeries = isNumberedName(name, bare) && entries.some((each) => each.name === bare);
  return findFreeName(isInSeries ? bare : name, entries);
}

/** Find a name that no other entry has, by appending a number. */
export function findFreeName(wantedName, entries) {
  const used = new Set(entries.map((entry) => entry.name));
  if (!wantedName || !used.has(wantedName)) return wantedName;
  let number = 2;
  while (used.has(`${wantedName} ${number}`)) number += 1;
  return `${wantedName} ${number}`;
}
