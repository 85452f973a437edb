// The saved entries of the calculators, each a localStorage entry of its own. The store does not interpret them: only Python
// knows the meaning of a query.
/** @import { Query, StorageKey } from "../shared/urls.mjs" */
import { createTombstone, reconcileWithDatabase, revisionOrMinusOne, writeDurably } from "./durable-mirror.mjs";
import { formatUrlSuffix, stripSitePathOfStorageKey, root, storageKeyOf } from "../shared/urls.mjs";
import { getLocalStorage, readLocalStorageText, listLocalStorageKeys } from "../shared/web-storage.mjs";

export const EXPORT_FORMAT = "scratch-kept/1";
const MAX_NAME_LENGTH = 120; // characters
const MAX_FORMER_NAMES = 10;
const TYPING_PAUSE = 10_000; // ms; while the user types a name, its beginnings are saved, too, and are no former names
const QUARANTINE_MARK = "-aside-";
const ENTRY_KEY = new RegExp(`^scratch-kept-([\\w-]+?)(/|${QUARANTINE_MARK})(.*)$`, "s");
export const IMPORTABLE_VERSIONS = ["character/1", "fight/1"]; // the versions that this site's calculators save
export const CAMPAIGN_VERSION = "campaign/1"; // the name and the notes of the campaign on this device, one entry
export const HOUSE_RULES_VERSION = "house/1"; // the house rules of a table, one set; see house-rules.mjs

/**
 * A form that the user has saved.
 * @typedef {object} SavedEntry
 * @property {string} version the calculator's name and the version of its query format: "fight/1"
 * @property {string} id unique on this device; "" for an entry of a file without one
 * @property {string} name as the list shows it
 * @property {boolean} isNamed whether the user has named it in the list, so that answers don't rename it
 * @property {Query} query
 * @property {string} summary of the answer, in a few words
 * @property {string} label the campaign that it belongs to, or ""
 * @property {string} note by the user, or ""
 * @property {number} revision counts its writes
 * @property {string} changed the time of the last write, in ISO format
 * @property {string[]} [formerNames] earlier names, the latest last, without the stage of a fight
 */

/** The fields of an entry that is to be added.
 *  @typedef {Pick<SavedEntry, "query"> & Partial<Pick<SavedEntry, "name" | "isNamed" | "summary" | "label" | "note" | "formerNames">>} NewEntry */

/** The JSON text of an entry as it is stored; "" if there is none. @typedef {string} StoredText */

/** The id and the text of a deleted entry. @typedef {{ id: string, text: StoredText }} DeletedText */

/** Parse a storage key. `kind` is the name of a calculator.
 *  @param {StorageKey} key
 *  @returns {{ kind: string, id: string, isQuarantined: boolean } | null} null for a key that is not of a saved entry of this site */
export function parseEntryKey(key) {
  const [, kind, mark, id] = stripSitePathOfStorageKey(key).match(ENTRY_KEY) ?? [];
  return kind ? { kind, id, isQuarantined: mark === QUARANTINE_MARK } : null;
}

/** Parse a stored text.
 *  @param {StoredText} text
 *  @param {string} id the id of the parsed entry
 *  @returns {SavedEntry | null} null if it contains no entry */
export function parseEntry(text, id = "") {
  try {
    const { version, query, ...more } = JSON.parse(text);
    const isOurs = typeof version === "string" && /^[\w-]+\/\d+$/.test(version); // the check of the type rejects a list with one string, which would match
    if (!isOurs || typeof query !== "string") return null;
    const entry = { version, id, name: truncateText(more.name), isNamed: Boolean(more.isNamed), query };
    const revision = Number.isSafeInteger(more.revision) ? more.revision : 0;
    const notes = { label: truncateText(more.label), note: truncateText(more.note) };
    const formerNames = Array.isArray(more.formerNames) ? more.formerNames.map(truncateText).filter(Boolean).slice(-MAX_FORMER_NAMES) : [];
    const history = { revision, changed: truncateText(more.changed), ...(formerNames.length ? { formerNames } : {}) };
    return { ...entry, ...notes, summary: truncateText(more.summary), ...history };
  } catch {
    return null;
  }
}

/** Find the entry with the name and the query of a stored text.
 *  @param {SavedEntry[]} entries
 *  @param {StoredText} storedText
 *  @returns {SavedEntry | undefined} */
export function findEntryWithNameAndQuery(entries, storedText) {
  const entry = parseEntry(storedText);
  return entries.find(({ name, query }) => name === entry?.name && query === entry?.query);
}

/** Truncate a text of a file.
 *  @param {unknown} value
 *  @returns {string} "" for any other value */
const truncateText = (value) => (typeof value === "string" ? value.slice(0, 4 * MAX_NAME_LENGTH) : "");

/** Return the name of the calculator that an entry belongs to.
 *  @param {SavedEntry} entry
 *  @returns {string} */
export const calculatorNameOf = (entry) => entry.version.split("/")[0];

/** What follows the query of an entry; opens a character in play. @type {Record<string, string>} */
const OPEN_PARAMS = { character: "&then&do=play" };

/** Return the URL that opens an entry; that of its tool if the entry is too long for a URL.
 *  @param {SavedEntry} entry
 *  @returns {string} */
export function entryUrlOf(entry) {
  const kind = calculatorNameOf(entry);
  const address = formatUrlSuffix(entry.query, true);
  return `${root}tools/${kind}/${address}${address && (OPEN_PARAMS[kind] ?? "")}`;
}

/** The text of an entry that can't be read, and its storage key. @typedef {{ name: StorageKey, text: StoredText }} QuarantinedText */

/** The saved entries of one calculator in one version. Reads come from localStorage; writes also go to the durable mirror. */
export class SavedEntries {
  #base;
  #version;

  /** @param {string} version such as "fight/1" */
  constructor(version) {
    this.#version = version;
    this.#base = storageKeyOf(`scratch-kept-${version.split("/")[0]}`);
  }

  /** Read the stored text of an entry, to detect changes.
   *  @param {string} id
   *  @returns {StoredText} */
  readStoredText(id) {
    return readLocalStorageText(this.keyOf(id));
  }

  /** Find an entry of this version.
   *  @param {string} id
   *  @returns {SavedEntry | null} null if there is none, or it is unreadable */
  find(id) {
    const entry = parseEntry(this.readStoredText(id), id);
    return entry?.version === this.#version ? entry : null;
  }

  /** List all readable entries, the latest first.
   *  @returns {SavedEntry[]} */
  listLatestFirst() {
    const entries = this.#listIds()
      .map((id) => this.find(id))
      .filter((entry) => entry !== null);
    return entries.sort((entry, otherEntry) => (entry.changed < otherEntry.changed ? 1 : -1));
  }

  /** Write an entry under its id, with the next revision and its former names. Throws the browser's error if it can't be written.
   *  @param {Omit<SavedEntry, "version" | "changed">} entry
   *  @returns {SavedEntry} as written */
  saveAndMirror(entry) {
    const head = { ...entry, ...this.#formerNamesOf(entry) };
    const written = { ...head, version: this.#version, revision: entry.revision + 1, changed: new Date().toISOString() };
    writeTextAndMirror(this.keyOf(entry.id), JSON.stringify(written));
    return written;
  }

  /** Return the former names of an entry that is to be written, with that of the stored entry if it differs and lasted.
   *  @param {Omit<SavedEntry, "version" | "changed">} entry
   *  @returns {Pick<SavedEntry, "formerNames">} empty if it has none */
  #formerNamesOf({ id, name, formerNames = [] }) {
    const storedName = stripStage(this.find(id)?.name ?? "");
    const hasLasted = Date.now() - (lastRenames.get(id) ?? 0) > TYPING_PAUSE;
    if (storedName !== stripStage(name)) lastRenames.set(id, Date.now());
    const names = new Set(hasLasted ? [...formerNames, storedName] : formerNames);
    names.delete(stripStage(name));
    names.delete("");
    return names.size ? { formerNames: [...names].slice(-MAX_FORMER_NAMES) } : {};
  }

  /** Write a new entry. Throws the browser's error if it can't be written.
   *  @param {NewEntry} fields
   *  @returns {SavedEntry} as written, with its new id */
  addAndMirror({ name = "", isNamed = false, query, summary = "", label = "", note = "", formerNames }) {
    return this.saveAndMirror({ id: createId(), name, isNamed, query, summary, label, note, formerNames, revision: 0 });
  }

  /** Remove an entry.
   *  @param {string} id
   *  @returns {StoredText} its text, for `restoreAndMirror` */
  removeAndMirror(id) {
    const text = this.readStoredText(id);
    deleteEntryAndWriteTombstone(this.keyOf(id));
    return text;
  }

  /** Restore a removed entry unless it is there already.
   *  @param {string} id
   *  @param {StoredText} removedText as `removeAndMirror` has returned it
   *  @returns {SavedEntry} as it is now */
  restoreAndMirror(id, removedText) {
    const duplicate = findEntryWithNameAndQuery(this.listLatestFirst(), removedText);
    if (duplicate) return duplicate;
    const removed = /** @type {SavedEntry} */ (parseEntry(removedText, id)); // only readable entries can be removed
    return this.readStoredText(id) ? this.addAndMirror(removed) : this.saveAndMirror(removed);
  }

  /** Move an entry that Python can't read to the quarantine, from which it can be exported. It stays if the storage is full.
   *  @param {string} id */
  moveToQuarantine(id) {
    try {
      writeTextAndMirror(`${this.#base}${QUARANTINE_MARK}${createId()}`, this.readStoredText(id));
      deleteEntryAndWriteTombstone(this.keyOf(id));
    } catch {
      // the next entry gets another key, so this one is not overwritten
    }
  }

  /** List the entries that can't be read, here or by Python.
   *  @returns {QuarantinedText[]} */
  listQuarantined() {
    const unreadable = this.#listIds()
      .filter((id) => !this.find(id))
      .map((id) => this.keyOf(id));
    const quarantined = listLocalStorageKeys().filter((name) => name.startsWith(`${this.#base}${QUARANTINE_MARK}`));
    return [...quarantined, ...unreadable].map((name) => ({ name, text: readLocalStorageText(name) }));
  }

  /** Whether a change of a storage key affects these entries, or the one with the `id`.
   *  @param {StorageKey | null} changedKey null if the storage was cleared
   *  @param {string} [id] */
  isAffectedBy(changedKey, id) {
    return changedKey === null || (id === undefined ? this.#isEntryKey(changedKey) : changedKey === this.keyOf(id));
  }

  /** Return the storage key of an entry.
   *  @param {string} id
   *  @returns {StorageKey} */
  keyOf(id) {
    return `${this.#base}/${id}`;
  }

  /** @param {string} key */
  #isEntryKey(key) {
    return key.startsWith(`${this.#base}/`);
  }

  #listIds() {
    return listLocalStorageKeys()
      .filter((name) => this.#isEntryKey(name))
      .map((name) => name.slice(this.#base.length + 1));
  }
}

/** The time of the last rename in this tab, by the entry's id. @type {Map<string, number>} */
const lastRenames = new Map();

let durableWrite = Promise.resolve(true);

/** Return the promise of the last write; each write has its own.
 *  @returns {Promise<boolean>} whether everything written so far is durable, so that it survives a killed browser */
export const getLastWriteDurability = () => durableWrite;

/** Write a text to localStorage and to the durable mirror. Throws the browser's error, or an error if it has written nothing.
 *  @param {StorageKey} key
 *  @param {StoredText} text */
function writeTextAndMirror(key, text) {
  getLocalStorage().setItem(key, text);
  if (readLocalStorageText(key) !== text) throw new Error("the browser has not stored the text");
  durableWrite = writeDurably(key, text);
}

/** The storage key of an entry, and its text; "" deletes the entry. @typedef {[StorageKey, StoredText]} KeyAndText */

/** Write entries, all or none. Throws the browser's error after it has restored the earlier texts.
 *  @param {KeyAndText[]} texts
 *  @returns {KeyAndText[]} the texts before, in reverse order, which undo this when they are written */
export function writeAllOrNone(texts) {
  /** @type {KeyAndText[]} */
  const before = [];
  try {
    for (const [key, text] of texts) {
      const current = readLocalStorageText(key);
      before.unshift([key, current]);
      writeOrDelete(key, text && withLaterRevision(text, current));
    }
  } catch (error) {
    for (const each of before) writeOrDelete(...each);
    throw error;
  }
  return before;
}

/** @param {StorageKey} key
 *  @param {StoredText} text "" deletes the entry */
const writeOrDelete = (key, text) => (text ? writeTextAndMirror(key, text) : deleteEntryAndWriteTombstone(key));

/** Return the text of an entry with a revision after that of the current text, so that the durable mirror prefers it.
 *  @param {StoredText} text
 *  @param {StoredText} currentText
 *  @returns {StoredText} */
const withLaterRevision = (text, currentText) =>
  JSON.stringify({ ...JSON.parse(text), revision: Math.max(revisionOrMinusOne(text), revisionOrMinusOne(currentText) + 1) });

/** Delete a saved entry from localStorage, and write its deletion to the durable mirror.
 *  @param {StorageKey} key */
export function deleteEntryAndWriteTombstone(key) {
  const text = readLocalStorageText(key);
  getLocalStorage().removeItem(key);
  durableWrite = writeDurably(key, createTombstone(text));
}

/** Recover entries that localStorage has lost from the durable mirror.
 *  @returns {Promise<StorageKey[] | null>} the keys whose text has changed, or null if the browser has no database */
export function recoverFromMirror() {
  const changed = reconcileWithDatabase((text) => {
    const entry = parseEntry(text);
    if (!entry) return;
    const savedEntries = new SavedEntries(entry.version);
    savedEntries.addAndMirror({ ...entry, name: findFreeName(entry.name, savedEntries.listLatestFirst()) });
  });
  durableWrite = changed.then((names) => names !== null);
  return changed;
}

/** Return a new id that is unique on this device.
 *  @returns {string} */
export const createId = () => crypto.randomUUID?.() ?? `${Date.now()}-${String(Math.random()).slice(2)}`;

const MAX_ENTRIES_FOR_PYTHON = 60;
const MAX_QUERY_CHARACTERS = 200_000; // characters of queries

/** Serialize names, former names, queries and summaries of the latest entries for Python.
 *  @param {string} kindAndVersion such as "character/1"
 *  @returns {string} JSON */
export function serializeLatestEntriesForPython(kindAndVersion) {
  let remaining = MAX_QUERY_CHARACTERS;
  const serialized = [];
  for (const entry of new SavedEntries(kindAndVersion).listLatestFirst().slice(0, MAX_ENTRIES_FOR_PYTHON)) {
    const { name, query, summary, formerNames } = entry;
    remaining -= query.length;
    if (remaining >= 0) serialized.push({ name, query, summary, formerNames }); // JSON omits a missing value
  }
  return JSON.stringify(serialized);
}

// ---- the campaign

/** The name and the notes of a campaign, each "" if there is none. @typedef {{ name: string, notes: string }} Campaign */

/** Read the campaign on this device.
 *  @returns {Campaign} */
export function readCampaign() {
  const entry = new SavedEntries(CAMPAIGN_VERSION).find(CAMPAIGN_ID);
  return { name: entry?.name ?? "", notes: new URLSearchParams(entry?.query).get("notes") ?? "" };
}

/** Save the campaign. Throws the browser's error if it can't be written.
 *  @param {Campaign} campaign */
export const saveCampaign = (campaign) => void writeAllOrNone([campaignTextOf(campaign)]);

/** Return the entry of a campaign as it is stored; no entry for a campaign without name and notes.
 *  @param {Campaign} campaign
 *  @returns {KeyAndText} */
export function campaignTextOf({ name, notes }) {
  const entry = { version: CAMPAIGN_VERSION, id: CAMPAIGN_ID, name, query: `${new URLSearchParams({ notes })}`, revision: 0 };
  const text = name || notes ? JSON.stringify({ ...entry, changed: new Date().toISOString() }) : "";
  return [new SavedEntries(CAMPAIGN_VERSION).keyOf(CAMPAIGN_ID), text];
}

const CAMPAIGN_ID = "here"; // a device has one campaign

// ---- export files

/** Build the text of an export file: of these entries, or of the campaign with all entries on this device.
 *  @param {Partial<SavedEntry>[]} [entries]
 *  @returns {string} JSON */
export function buildExportFile(entries) {
  const { name, notes } = readCampaign();
  const head = entries ? {} : { campaign: name, exported: new Date().toISOString(), notes };
  return `${JSON.stringify({ format: EXPORT_FORMAT, ...head, entries: entries ?? listAllReadableEntries() }, null, 1)}\n`;
}

/** Build the name of the export file of the campaign: "scratch-ferry-road-2026-11-30.json".
 *  @returns {string} */
export function buildExportFileName() {
  const now = new Date();
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => `${part}`.padStart(2, "0")).join("-");
  return `${["scratch", toFileNameStem(readCampaign().name), date].filter(Boolean).join("-")}.json`;
}

/** Convert a name to a file name without extension.
 *  @param {string} name
 *  @returns {string} "" for a name without letters and digits */
export const toFileNameStem = (name) =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);

/** List the readable entries of all calculators, and the house rules.
 *  @returns {SavedEntry[]} */
function listAllReadableEntries() {
  return listLocalStorageKeys().flatMap((name) => {
    const parsed = parseEntryKey(name);
    const entry = parsed && !parsed.isQuarantined && parseEntry(readLocalStorageText(name), parsed.id);
    return entry && entry.version !== CAMPAIGN_VERSION ? [entry] : [];
  });
}

/**
 * The content of an export file.
 * @typedef {object} ExportFile
 * @property {SavedEntry[]} entries
 * @property {number} unreadable the number of unreadable entries
 * @property {Campaign} campaign
 * @property {string} exported the time in ISO format; "" in a file of an earlier version
 */

const MAX_NOTES_LENGTH = 100_000; // characters

/** Parse an export file, or one quarantined entry.
 *  @param {string} text
 *  @returns {ExportFile | null} null for any other text */
export function parseExportFile(text) {
  const single = parseEntry(text);
  if (single) return { entries: [single], unreadable: 0, campaign: { name: "", notes: "" }, exported: "" };
  try {
    const { format, entries, campaign, notes, exported } = JSON.parse(text);
    if (format !== EXPORT_FORMAT || !Array.isArray(entries)) return null;
    const parsed = entries.map((entry) => parseEntry(JSON.stringify(entry), truncateText(entry?.id))).filter((entry) => entry !== null);
    return {
      entries: parsed,
      unreadable: entries.length - parsed.length,
      campaign: { name: truncateText(campaign).trim(), notes: typeof notes === "string" ? notes.slice(0, MAX_NOTES_LENGTH) : "" },
      exported: Number.isNaN(Date.parse(truncateText(exported))) ? "" : exported,
    };
  } catch {
    return null;
  }
}

// ---- names

/** Whether a name is a bare name with a number, as the names of duplicates are.
 *  @param {string} name
 *  @param {string} bareName
 *  @returns {boolean} */
export const isNumberedName = (name, bareName) => name.startsWith(`${bareName} `) && /^\d+$/.test(name.slice(bareName.length + 1));

const STAGE_SEPARATOR = " · "; // between the name of a fight and its stage

/** Remove the stage of a fight from its name.
 *  @param {string} name
 *  @returns {string} */
export const stripStage = (name) => (name.includes(STAGE_SEPARATOR) ? name.slice(0, name.lastIndexOf(STAGE_SEPARATOR)) : name);

/** Find the next name in a numbered series: "The toll 3" after "The toll" and "The toll 2".
 *  @param {string} name
 *  @param {{ name: string }[]} entries
 *  @returns {string} */
export function findNextName(name, entries) {
  const bare = name.replace(/ \d+$/, "");
  const isInSeries = isNumberedName(name, bare) && entries.some((each) => each.name === bare);
  return findFreeName(isInSeries ? bare : name, entries);
}

/** Find a name that no other entry has, by appending a number.
 *  @param {string} wantedName
 *  @param {{ name: string }[]} entries
 *  @returns {string} */
export function findFreeName(wantedName, entries) {
  const used = new Set(entries.map((entry) => entry.name));
  if (!wantedName || !used.has(wantedName)) return wantedName;
  let number = 2;
  while (used.has(`${wantedName} ${number}`)) number += 1;
  return `${wantedName} ${number}`;
}

/** Find a name that no other entry has, by inserting a number before the stage of the fight: "The toll 2 · round 1".
 *  @param {string} wantedName
 *  @param {{ name: string }[]} entries
 *  @returns {string} */
export function findFreeStagedName(wantedName, entries) {
  const bareName = stripStage(wantedName);
  const bareEntries = entries.map(({ name }) => ({ name: stripStage(name) }));
  return findFreeName(bareName, bareEntries) + wantedName.slice(bareName.length);
}
