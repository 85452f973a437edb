// What calculators keep on this device: entries {version, id, name, isNamed, query, summary, label, note, revision,
// changed}, each under a name of its own in the browser's storage. It knows nothing of what is kept: `version` is the
// calculator's name and the number of its queries' form ("fight/1"), and what a query means is Python's.
import { createTombstone, reconcile, writeDurably } from "./durable-mirror.mjs";
import { parseStorageKey, storageKeyOf } from "../shared/urls.mjs";
import { local, readStored, listStoredKeys } from "../shared/web-storage.mjs";

export const FORMAT = "scratch-kept/1";
const LONGEST_NAME = 120; // characters
const ASIDE = "-aside-";
const ENTRY_NAME = new RegExp(`^scratch-kept-([\\w-]+?)(/|${ASIDE})(.*)$`, "s");
const KNOWN = ["character/1", "fight/1"]; // what this site's calculators keep
// Reserved for an entry of a campaign itself: CAMPAIGN = "campaign/1".
export const HOUSE = "house/1"; // a table's house rules, one set; see house-rules.mjs

/** Parse a name of the browser's storage: the kind of entry, its id, and whether it was set aside. Returns null for a name
 *  that is not one of this site's saved entries. */
export function parseEntryName(stored) {
  const [, kind, mark, id] = parseStorageKey(stored).match(ENTRY_NAME) ?? [];
  return kind ? { kind, id, isAside: mark === ASIDE } : null;
}

/** The entry in a stored text; null where there is none. */
export function parseEntry(text, id = "") {
  try {
    const { version, query, ...more } = JSON.parse(text);
    const isOurs = typeof version === "string" && /^[\w-]+\/\d+$/.test(version); // a list of one passes as its text
    if (!isOurs || typeof query !== "string") return null;
    const entry = { version, id, name: shortened(more.name), isNamed: Boolean(more.isNamed), query };
    const revision = Number.isSafeInteger(more.revision) ? more.revision : 0;
    const own = { label: shortened(more.label), note: shortened(more.note) };
    return { ...entry, ...own, summary: shortened(more.summary), revision, changed: shortened(more.changed) };
  } catch {
    return null;
  }
}

/** The one among entries that has the name and the query of a stored text. */
export function findDuplicate(entries, text) {
  const entry = parseEntry(text);
  return entries.find(({ name, query }) => name === entry?.name && query === entry.query);
}

const shortened = (value) => (typeof value === "string" ? value.slice(0, 4 * LONGEST_NAME) : "");

/** The calculator whose entry that is. */
export const kindOf = (entry) => entry.version.split("/")[0];

/** What one calculator keeps, in this version. */
export class SavedEntries {
  #base;
  #version;

  constructor(version) {
    this.#version = version;
    this.#base = storageKeyOf(`scratch-kept-${version.split("/")[0]}`);
  }

  /** The stored text of an entry, "" where there is none: whether it is still the one that was read. */
  text(id) {
    return readStored(this.#place(id));
  }

  get(id) {
    const entry = parseEntry(this.text(id), id);
    return entry?.version === this.#version ? entry : null;
  }

  /** All entries, the latest first. */
  entries() {
    const entries = this.#ids()
      .map((id) => this.get(id))
      .filter(Boolean);
    return entries.sort((one, other) => (one.changed < other.changed ? 1 : -1));
  }

  /** Write an entry over the one of its id, and give it as it is now; throws what the browser throws when it can't. */
  put(entry) {
    const now = { ...entry, version: this.#version, revision: entry.revision + 1, changed: new Date().toISOString() };
    write(this.#place(entry.id), JSON.stringify(now));
    return now;
  }

  /** Write an entry beside all others. */
  add({ name = "", isNamed = false, query, summary = "", label = "", note = "" }) {
    return this.put({ id: newId(), name, isNamed, query, summary, label, note, revision: 0 });
  }

  /** Take an entry away, and give its text, which `restore` takes. */
  remove(id) {
    const text = this.text(id);
    deleteEntry(this.#place(id));
    return text;
  }

  /** Put back what `remove` took, unless it is there already, and give it as it is now. */
  restore(id, text) {
    const twin = findDuplicate(this.entries(), text);
    if (twin) return twin;
    return this.text(id) ? this.add(parseEntry(text)) : this.put(parseEntry(text, id));
  }

  /** Put out of the way what Python can't read, to be saved as a file. Without room it stays where it is. */
  quarantine(id) {
    try {
      write(`${this.#base}${ASIDE}${newId()}`, this.text(id));
      deleteEntry(this.#place(id));
    } catch {
      // what comes next gets another name, so nothing is written over it
    }
  }

  /** What can't be read, here or by Python: names and texts. */
  listQuarantined() {
    const unread = this.#ids()
      .filter((id) => !this.get(id))
      .map((id) => this.#place(id));
    const aside = listStoredKeys().filter((name) => name.startsWith(`${this.#base}${ASIDE}`));
    return [...aside, ...unread].map((name) => ({ name, text: readStored(name) }));
  }

  /** Whether a name of the browser's storage is that of an entry, and of this one, if it is given. */
  isAbout(name, id) {
    return name === null || (id === undefined ? this.#isOurs(name) : name === this.#place(id));
  }

  #place(id) {
    return `${this.#base}/${id}`;
  }

  #isOurs(name) {
    return name.startsWith(`${this.#base}/`);
  }

  #ids() {
    return listStoredKeys()
      .filter((name) => this.#isOurs(name))
      .map((name) => name.slice(this.#base.length + 1));
  }
}

let lasts = Promise.resolve(true);

/** Whether all that was written is where a killed browser finds it, as soon as that is known. */
export const pendingWrite = () => lasts;

/** Write a text where pages read it and where it lasts; throws what the browser throws, or that it writes nothing. */
function write(name, text) {
  local().setItem(name, text);
  if (readStored(name) !== text) throw new Error("the browser has not kept what was written");
  lasts = writeDurably(name, text);
}

/** Take away what stands under a name. */
export function deleteEntry(name) {
  const text = readStored(name);
  local().removeItem(name);
  lasts = writeDurably(name, createTombstone(text));
}

/** Bring back what the storage has lost. Gives the names under which there is another text now; null where the browser
 *  has no database for it. */
export function recoverFromMirror() {
  const changed = reconcile((text) => {
    const entry = parseEntry(text);
    if (!entry) return;
    const kept = new SavedEntries(entry.version);
    kept.add({ ...entry, name: freeName(entry.name, kept.entries()) });
  });
  lasts = changed.then((names) => names !== null);
  return changed;
}

const newId = () => crypto.randomUUID?.() ?? `${Date.now()}-${String(Math.random()).slice(2)}`;

const MOST_HANDED = 60;
const LONGEST_HANDED = 200_000; // characters of queries

/** The latest entries of a version ("character/1") as a text for Python: their names, queries and summaries. */
export function entriesForPython(version) {
  let room = LONGEST_HANDED;
  const found = [];
  for (const { name, query, summary } of new SavedEntries(version).entries().slice(0, MOST_HANDED)) {
    room -= query.length;
    if (room >= 0) found.push({ name, query, summary });
  }
  return JSON.stringify(found);
}

/** All that the site keeps on this device, or the entries given, as a file. */
export function buildExportFile(entries = allEntries()) {
  return `${JSON.stringify({ format: FORMAT, entries }, null, 1)}\n`;
}

function allEntries() {
  return listStoredKeys().flatMap((name) => {
    const parsed = parseEntryName(name);
    return (parsed && !parsed.isAside && parseEntry(readStored(name), parsed.id)) || [];
  });
}

/** The entries in a file of ours, kept ones or one that was set aside; null where the text is no such file. */
export function parseExportFile(text) {
  const one = parseEntry(text);
  if (one) return { entries: [one], unread: 0 };
  try {
    const { format, entries } = JSON.parse(text);
    if (format !== FORMAT || !Array.isArray(entries)) return null;
    const read = entries.map((each) => parseEntry(JSON.stringify(each), shortened(each?.id))).filter(Boolean);
    return { entries: read, unread: entries.length - read.length };
  } catch {
    return null;
  }
}

/** Keep the entries of a file beside what is kept: nothing twice, and nothing in place of one of the same name. Gives
 *  the entries that are kept now, each with its new id, those that were here already, those of a kind or version that
 *  this site has not, and those that found no room, with the error that said so. House rules are left to be asked for. */
export function importEntries(entries) {
  const taken = { added: [], same: [], rules: [], unknown: [], left: [], error: null };
  const known = new Map(KNOWN.map((version) => [version, new SavedEntries(version).entries()]));
  for (const entry of entries) takeOne(entry, known.get(entry.version), taken);
  return taken;
}

function takeOne(entry, here, taken) {
  if (entry.version === HOUSE) return taken.rules.push(entry);
  if (!here) return taken.unknown.push(entry);
  const twin = here.find((each) => each.query === entry.query && isOneName(each, entry));
  if (twin) return taken.same.push(twin);
  try {
    const now = new SavedEntries(entry.version).add({ ...entry, name: freeName(entry.name, here) });
    taken.added.push(now);
    here.push(now);
  } catch (error) {
    taken.error = error;
    taken.left.push(entry);
  }
}

const isOneName = (one, other) =>
  one.id === other.id || one.name === other.name || isNumbered(one.name, other.name) || isNumbered(other.name, one.name);

/** Whether a name is another with a number: one of several of that name. */
export const isNumbered = (name, bare) => name.startsWith(`${bare} `) && /^\d+$/.test(name.slice(bare.length + 1));

const STAGE = " · "; // comes before how far a fight has come, at the end of its name

/** A name without how far its fight has come. */
export const withoutStage = (name) => (name.includes(STAGE) ? name.slice(0, name.lastIndexOf(STAGE)) : name);

/** The next name after one of several: "The toll 3" where there are "The toll" and "The toll 2". */
export function nextName(name, entries) {
  const bare = name.replace(/ \d+$/, "");
  const isOneOfSeveral = isNumbered(name, bare) && entries.some((each) => each.name === bare);
  return freeName(isOneOfSeveral ? bare : name, entries);
}

/** A name that no other entry has. */
export function freeName(name, entries) {
  const taken = new Set(entries.map((entry) => entry.name));
  if (!name || !taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}
