// What calculators keep on this device: entries {version, id, name, isNamed, query, summary, revision, changed}, each
// under a name of its own in the browser's storage. It knows nothing of what is kept: `version` is the calculator's name
// and the number of its queries' form ("fight/1"), and what a query means is Python's.
// The bare name, where the site kept the only entry in its first days, has a copy of the last one written, marked with
// `mirrors`. A page of those days that is still open somewhere writes there, without that mark, and never over an entry.
import { ownName } from "./place.mjs";
import { local, stored, storedNames } from "./stored.mjs";

export const FORMAT = "scratch-kept/1";
const LONGEST_NAME = 120; // characters
const ASIDE = "-aside-";
const UNREAD = "-unread"; // the end of the name of what Python could not read

/** The entry in a stored text; null where there is none. */
export function entryIn(text, id = "") {
  try {
    const { version, query, ...more } = JSON.parse(text);
    const isOurs = typeof version === "string" && /^[\w-]+\/\d+$/.test(version); // a list of one passes as its text
    if (more.mirrors || !isOurs || typeof query !== "string") return null;
    const entry = { version, id, name: shortened(more.name), isNamed: Boolean(more.isNamed), query };
    const revision = Number.isSafeInteger(more.revision) ? more.revision : 0;
    return { ...entry, summary: shortened(more.summary), revision, changed: shortened(more.changed) };
  } catch {
    return null;
  }
}

/** The one among entries that has the name and the query of a stored text. */
export function twinIn(entries, text) {
  const entry = entryIn(text);
  return entries.find(({ name, query }) => name === entry?.name && query === entry.query);
}

const isMirror = (text) => /^\{"mirrors":/.test(text);

const shortened = (value) => (typeof value === "string" ? value.slice(0, 4 * LONGEST_NAME) : "");

/** The calculator whose entry that is. */
export const kindOf = (entry) => entry.version.split("/")[0];

/** What one calculator keeps, in this version. */
export class Kept {
  #base;
  #version;

  constructor(version) {
    this.#version = version;
    this.#base = ownName(`scratch-kept-${version.split("/")[0]}`);
    this.#takeUpAsides();
    this.takeUpOlder();
  }

  /** The stored text of an entry, "" where there is none: whether it is still the one that was read. */
  text(id) {
    return stored(this.#place(id));
  }

  get(id) {
    const entry = entryIn(this.text(id), id);
    return entry?.version === this.#version ? entry : null;
  }

  /** All entries, the latest first. */
  entries() {
    const ids = storedNames().filter((name) => this.#isOurs(name)).map((name) => name.slice(this.#base.length + 1));
    const entries = ids.map((id) => this.get(id)).filter(Boolean);
    return entries.sort((one, other) => (one.changed < other.changed ? 1 : -1));
  }

  /** Write an entry over the one of its id, and give it as it is now; throws what the browser throws when it can't. */
  put(entry) {
    const id = entry.id || newId();
    const changed = new Date().toISOString();
    const now = { ...entry, version: this.#version, id, revision: entry.revision + 1, changed };
    local().setItem(this.#place(id), JSON.stringify(now));
    if (!entry.id && !isMirror(this.text(""))) local().removeItem(this.#base); // it came from there
    this.#mirror(now);
    return now;
  }

  /** Write an entry beside all others. */
  add({ name = "", isNamed = false, query, summary = "" }) {
    return this.put({ id: newId(), name, isNamed, query, summary, revision: 0 });
  }

  #mirror({ id, version, query }) {
    const text = this.text("");
    if (text && !isMirror(text)) return; // another page's, not taken up yet
    try {
      local().setItem(this.#base, JSON.stringify({ mirrors: id, version, query }));
    } catch {
      local().removeItem(this.#base); // no room for a copy: the entry itself is written
    }
  }

  /** Take an entry away, and give its text, which `restore` takes. */
  remove(id) {
    const text = this.text(id);
    local().removeItem(this.#place(id));
    if (this.text("").startsWith(`{"mirrors":${JSON.stringify(id)},`)) local().removeItem(this.#base);
    return text;
  }

  /** Put back what `remove` took, unless it is there already, and give it as it is now. */
  restore(id, text) {
    const twin = twinIn(this.entries(), text);
    if (twin) return twin;
    if (this.text(id)) return this.add(entryIn(text));
    local().setItem(this.#place(id), text);
    return this.get(id);
  }

  /** Put out of the way what can't be read, to be saved as a file. Without room it stays where it is. */
  setAside(id) {
    try {
      const text = this.text(id);
      local().setItem(`${this.#base}${ASIDE}${Date.now()}${UNREAD}`, originalOf(text) || text);
      local().removeItem(this.#place(id));
    } catch {
      // what comes next gets another name, so nothing is written over it
    }
  }

  /** What was set aside: names and texts. */
  asides() {
    const names = storedNames().filter((name) => name.startsWith(`${this.#base}${ASIDE}`));
    return names.map((name) => ({ name, text: stored(name) }));
  }

  /** Whether a name of the browser's storage is that of an entry, and of this one, if it is given. */
  isAbout(name, id) {
    return id === undefined ? name === null || this.#isOurs(name) : name === null || name === this.#place(id);
  }

  #place(id) {
    return id ? `${this.#base}/${id}` : this.#base;
  }

  #isOurs(name) {
    return name === this.#base || name.startsWith(`${this.#base}/`);
  }

  /** Make what a page of the site's first days has written under the bare name an entry beside the others; whether it did.
   *  As long as nobody goes on with that entry, the next such writing takes its place. */
  takeUpOlder() {
    const text = this.text("");
    if (!text || isMirror(text)) return false;
    const found = entryIn(text);
    if (found?.version !== this.#version) this.setAside("");
    else if (this.entries().some((entry) => entry.id && entry.query === found.query)) local().removeItem(this.#base);
    else return this.#takeUp(found);
    return false;
  }

  // The id is no matter of chance: two tabs that take the same text up at once write one entry.
  #takeUp(found) {
    const before = this.get("older");
    const isUntouched = !before || before.revision === 1;
    try {
      this.put({ ...found, original: this.text(""), id: isUntouched ? "older" : `older-${before.revision}-${found.query.length}`, revision: 0 });
      local().removeItem(this.#base);
    } catch {
      // no room: it stays where it is, and is listed from there
    }
    return true;
  }

  // In those days a link that was opened put what was kept aside: such an aside is an entry like any other.
  #takeUpAsides() {
    for (const { name, text } of this.asides()) {
      const entry = entryIn(text);
      if (name.endsWith(UNREAD) || entry?.version !== this.#version) continue;
      try {
        this.add(entry);
        local().removeItem(name);
      } catch {
        return; // no room: they stay, and can be saved as files
      }
    }
  }
}

// An entry that was taken up has its text of before in it until somebody goes on with it: a damaged one is given back whole.
function originalOf(text) {
  try {
    const { original } = JSON.parse(text);
    return typeof original === "string" ? original : "";
  } catch {
    return "";
  }
}

const newId = () => crypto.randomUUID?.() ?? `${Date.now()}-${String(Math.random()).slice(2)}`;

const MOST_HANDED = 60;
const LONGEST_HANDED = 200_000; // characters of queries

/** The latest entries of a version ("character/1") as a text for Python: their names and queries. */
export function handed(version) {
  let room = LONGEST_HANDED;
  const found = [];
  for (const { name, query } of new Kept(version).entries().slice(0, MOST_HANDED)) {
    room -= query.length;
    if (room >= 0) found.push({ name, query });
  }
  return JSON.stringify(found);
}

/** All that the site keeps on this device, or the entries given, as a file. */
export function fileOf(entries = allEntries()) {
  return `${JSON.stringify({ format: FORMAT, entries }, null, 1)}\n`;
}

function allEntries() {
  const begin = ownName("scratch-kept-");
  const names = storedNames().filter((name) => name.startsWith(begin) && !name.includes(ASIDE));
  const id = (name) => name.slice(begin.length).split("/")[1] ?? "";
  return names.map((name) => entryIn(stored(name), id(name))).filter(Boolean);
}

/** The entries in a file of ours, kept ones or one that was set aside; null where the text is no such file. */
export function entriesIn(text) {
  const one = entryIn(text);
  if (one) return { entries: [one], unread: 0 };
  try {
    const { format, entries } = JSON.parse(text);
    if (format !== FORMAT || !Array.isArray(entries)) return null;
    const read = entries.map((each) => entryIn(JSON.stringify(each), shortened(each?.id))).filter(Boolean);
    return { entries: read, unread: entries.length - read.length };
  } catch {
    return null;
  }
}

/** Keep the entries of a file beside what is kept: nothing twice, and nothing in place of one of the same name.
 *  Gives the entries that are kept now, each with its new id, and how many were here already. */
export function takeIn(entries) {
  const [added, same, known] = [[], [], new Map()];
  for (const entry of entries) {
    const { kept, here } = knownOf(entry.version, known);
    const isTwin = (each) => each.id === entry.id || unnumbered(each.name) === unnumbered(entry.name);
    const twin = here.find((each) => each.query === entry.query && isTwin(each));
    if (twin) {
      same.push(twin);
      continue;
    }
    const now = kept.add({ ...entry, name: freeName(entry.name, here) });
    added.push(now);
    here.push(now);
  }
  return { added, same };
}

/** What is kept of a version, read once for a whole file. */
function knownOf(version, known) {
  if (!known.has(version)) {
    const kept = new Kept(version);
    known.set(version, { kept, here: kept.entries() });
  }
  return known.get(version);
}

const unnumbered = (name) => name.replace(/ \(\d+\)$/, "");

/** A name that no other entry has. */
export function freeName(name, entries) {
  const taken = new Set(entries.map((entry) => entry.name));
  if (!name || !taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} (${number})`)) number += 1;
  return `${name} (${number})`;
}
