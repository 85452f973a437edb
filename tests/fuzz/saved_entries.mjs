// Gives texts to what reads a browser's kept entries, under Node: node kept.mjs SCRIPTS CALCULATOR < texts (a JSON list)
// Each text is tried as what may lie in the storage under each kind of name, beside an entry that makes sense, and as a
// file that is opened. It is a fault too where something that was kept is gone, and where a file that was saved doesn't
// give back what was saved. The first fault ends it, with the text that it is about.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , scripts, calculator] = process.argv;

/** What a browser's storage does: names are its own properties. */
class Storage {
  getItem(name) {
    return Object.hasOwn(this, name) ? this[name] : null;
  }

  setItem(name, text) {
    this[name] = String(text);
  }

  removeItem(name) {
    delete this[name];
  }
}

globalThis.location = new URL("https://example.org/");
globalThis.window = { top: { location } };
const script = (name) => import(pathToFileURL(join(scripts, name)).href);
const { SavedEntries, parseExportFile, parseEntry, buildExportFile, entriesForPython, kindOf, importEntries, findDuplicate } =
  await script("saved/store.mjs");
const { isSameQuery, withValue } = await script("calculator/form.mjs");
const { formatQuery, storageKeyOf } = await script("shared/urls.mjs");

const version = `${calculator}/1`;
const base = storageKeyOf(`scratch-kept-${calculator}`);
const GOOD = { name: "Mine", isNamed: true, query: "log=mine", summary: "Round 1" };

function hold(isTrue, what) {
  if (!isTrue) throw new Error(what);
}

/** A storage with an entry that makes sense, and a text under a name. */
function begin(place, text) {
  globalThis.localStorage = new Storage();
  const good = new SavedEntries(version).add(GOOD);
  localStorage.setItem(place, text);
  return good;
}

function tryStored(place, text) {
  const good = begin(place, text);
  const kept = new SavedEntries(version);
  const entries = kept.entries();
  hold(kept.get(good.id)?.query === GOOD.query, "an entry is gone beside what was stored");
  hold(isHeld(text), "what was stored is gone");
  JSON.parse(entriesForPython(version));
  for (const entry of entries) use(kept, entry, entries);
  for (const aside of kept.listQuarantined()) hold(typeof aside.text === "string", "an aside without a text");
  const saved = parseExportFile(buildExportFile());
  hold(saved && !saved.unread, "what was saved as a file is not read back");
}

/** Whether a text, or the entry in it, is still somewhere. */
function isHeld(text) {
  const texts = Object.values(localStorage);
  if (!text || texts.includes(text)) return true;
  const query = parseEntry(text)?.query;
  return query !== undefined && texts.some((each) => parseEntry(each)?.query === query);
}

/** What a reader does with an entry: open, rename, copy, share, delete and take that back. */
function use(kept, entry, entries) {
  kindOf(entry);
  formatQuery(entry.query);
  isSameQuery(entry.query, GOOD.query);
  const query = withValue(entry.query, "title", `Copy of ${entry.name}`);
  const renamed = kept.put({ ...entry, query });
  hold(kept.get(renamed.id)?.query === query, "a renamed entry is not what was written");
  const text = kept.remove(renamed.id);
  hold(!kept.get(renamed.id), "a deleted entry is still there");
  kept.restore(renamed.id, text);
  const back = findDuplicate(kept.entries(), text);
  hold(back?.query === query, "a deleted entry does not come back");
  hold(kept.entries().length >= entries.length, "an entry is gone after another was used");
}

function tryFile(text) {
  const good = begin(`${base}/none`, "");
  const found = parseExportFile(text);
  if (!found) return;
  const { added, same, unknown } = importEntries(found.entries);
  hold(
    added.length + same.length + unknown.length === found.entries.length,
    "an entry of a file is neither taken in, here already nor told",
  );
  hold(new SavedEntries(version).get(good.id)?.query === GOOD.query, "an entry is gone after a file");
  for (const entry of added) hold(new SavedEntries(entry.version).get(entry.id)?.query === entry.query, "taken in, and not there");
  const again = importEntries(parseExportFile(buildExportFile()).entries);
  hold(!again.added.length, "what was saved is taken in twice");
}

for (const text of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    for (const place of [`${base}/x`, `${base}-aside-1`]) tryStored(place, text);
    tryFile(text);
  } catch (error) {
    console.error(JSON.stringify(text), error);
    process.exit(1);
  }
}
