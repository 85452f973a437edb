// Feeds texts to the store of saved entries, under Node: node saved_entries.mjs SCRIPTS CALCULATOR < texts (a JSON list)
// Each text is tried as a stored text under each kind of key, next to a valid entry, and as an imported file. A lost entry is
// a failure, and so is an export file that does not contain every entry. The first failure ends the run with its text.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , scripts, calculator] = process.argv;

/** A fake Storage: the keys are its own properties. */
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
const { SavedEntries, parseExportFile, parseEntry, buildExportFile, serializeEntriesForPython, kindOf, importEntries, findDuplicate } =
  await script("saved/store.mjs");
const { isSameQuery, withValue } = await script("calculator/form.mjs");
const { formatQuery, storageKeyOf } = await script("shared/urls.mjs");

const version = `${calculator}/1`;
const base = storageKeyOf(`scratch-kept-${calculator}`);
const GOOD = { name: "Mine", isNamed: true, query: "log=mine", summary: "Round 1" };

function assertTrue(isTrue, what) {
  if (!isTrue) throw new Error(what);
}

/** Create a storage with a valid entry, and a text under a key. */
function setUpStorage(key, text) {
  globalThis.localStorage = new Storage();
  const original = new SavedEntries(version).add(GOOD);
  localStorage.setItem(key, text);
  return original;
}

function tryStored(key, text) {
  const original = setUpStorage(key, text);
  const savedEntries = new SavedEntries(version);
  const entries = savedEntries.entries();
  assertTrue(savedEntries.get(original.id)?.query === GOOD.query, "a stored text has made an entry disappear");
  assertTrue(isStored(text), "a stored text is gone");
  JSON.parse(serializeEntriesForPython(version));
  for (const entry of entries) tryActions(savedEntries, entry, entries);
  for (const quarantined of savedEntries.listQuarantined())
    assertTrue(typeof quarantined.text === "string", "a quarantined entry without a text");
  const saved = parseExportFile(buildExportFile());
  assertTrue(saved && !saved.unreadable, "the export file is not readable");
}

/** Whether a text, or the entry in it, is still stored. */
function isStored(text) {
  const texts = Object.values(localStorage);
  if (!text || texts.includes(text)) return true;
  const query = parseEntry(text)?.query;
  return query !== undefined && texts.some((each) => parseEntry(each)?.query === query);
}

/** Run the actions of a user on an entry: open, rename, copy, share, delete and undo. */
function tryActions(savedEntries, entry, entries) {
  kindOf(entry);
  formatQuery(entry.query);
  isSameQuery(entry.query, GOOD.query);
  const query = withValue(entry.query, "title", `Copy of ${entry.name}`);
  const renamed = savedEntries.put({ ...entry, query });
  assertTrue(savedEntries.get(renamed.id)?.query === query, "a renamed entry is not what was written");
  const text = savedEntries.remove(renamed.id);
  assertTrue(!savedEntries.get(renamed.id), "a deleted entry is still there");
  savedEntries.restore(renamed.id, text);
  const restored = findDuplicate(savedEntries.entries(), text);
  assertTrue(restored?.query === query, "a deleted entry does not come back");
  assertTrue(savedEntries.entries().length >= entries.length, "an entry is gone after another was used");
}

function tryFile(text) {
  const original = setUpStorage(`${base}/none`, "");
  const found = parseExportFile(text);
  if (!found) return;
  const { added, duplicates, unknown } = importEntries(found.entries);
  assertTrue(
    added.length + duplicates.length + unknown.length === found.entries.length,
    "an entry of a file is neither imported, a duplicate nor reported",
  );
  assertTrue(new SavedEntries(version).get(original.id)?.query === GOOD.query, "an entry is gone after a file");
  for (const entry of added)
    assertTrue(new SavedEntries(entry.version).get(entry.id)?.query === entry.query, "an imported entry is not stored");
  const secondImport = importEntries(parseExportFile(buildExportFile()).entries);
  assertTrue(!secondImport.added.length, "an exported entry is imported twice");
}

for (const text of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    for (const key of [`${base}/x`, `${base}-aside-1`]) tryStored(key, text);
    tryFile(text);
  } catch (error) {
    console.error(JSON.stringify(text), error);
    process.exit(1);
  }
}
