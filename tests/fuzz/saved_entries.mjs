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
const {
  SavedEntries,
  parseExportFile,
  parseEntry,
  buildExportFile,
  serializeLatestEntriesForPython,
  calculatorNameOf,
  writeAllOrNone,
  findEntryWithNameAndQuery,
} = await script("saved/store.mjs");
const { buildImportTexts, planImport } = await script("saved/import-plan.mjs");
const { hasSameParamsInOrder, withParamValue } = await script("calculator/form.mjs");
const { formatUrlSuffix, storageKeyOf } = await script("shared/urls.mjs");

const version = `${calculator}/1`;
const base = storageKeyOf(`scratch-kept-${calculator}`);
const GOOD = { name: "Mine", isNamed: true, query: "log=mine", summary: "Round 1" };

function assertTrue(isTrue, what) {
  if (!isTrue) throw new Error(what);
}

/** Create a storage with a valid entry, and a text under a key. */
function setUpStorage(key, text) {
  globalThis.localStorage = new Storage();
  const original = new SavedEntries(version).addAndMirror(GOOD);
  localStorage.setItem(key, text);
  return original;
}

function tryStored(key, text) {
  const original = setUpStorage(key, text);
  const savedEntries = new SavedEntries(version);
  const entries = savedEntries.listLatestFirst();
  assertTrue(savedEntries.find(original.id)?.query === GOOD.query, "a stored text has made an entry disappear");
  assertTrue(isStored(text), "a stored text is gone");
  JSON.parse(serializeLatestEntriesForPython(version));
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
  calculatorNameOf(entry);
  formatUrlSuffix(entry.query);
  hasSameParamsInOrder(entry.query, GOOD.query);
  const query = withParamValue(entry.query, "title", `Copy of ${entry.name}`);
  const renamed = savedEntries.saveAndMirror({ ...entry, query });
  assertTrue(savedEntries.find(renamed.id)?.query === query, "a renamed entry is not what was written");
  const text = savedEntries.removeAndMirror(renamed.id);
  assertTrue(!savedEntries.find(renamed.id), "a deleted entry is still there");
  savedEntries.restoreAndMirror(renamed.id, text);
  const restored = findEntryWithNameAndQuery(savedEntries.listLatestFirst(), text);
  assertTrue(restored?.query === query, "a deleted entry does not come back");
  assertTrue(savedEntries.listLatestFirst().length >= entries.length, "an entry is gone after another was used");
}

function tryFile(text) {
  const original = setUpStorage(`${base}/none`, "");
  const found = parseExportFile(text);
  if (!found) return;
  const plan = planImport(found);
  const { added, duplicates, unknown, clashes } = plan;
  const clashing = clashes.filter(({ entry }) => entry);
  assertTrue(
    added.length + duplicates.length + unknown.length + clashing.length === found.entries.length,
    "an entry of a file is neither imported, a duplicate, a question nor reported",
  );
  const { texts, saved } = buildImportTexts(plan, chooseDefaults(plan), null);
  const before = { ...localStorage };
  const undo = writeAllOrNone(texts);
  assertTrue(new SavedEntries(version).find(original.id)?.query === GOOD.query, "an entry is gone after a file");
  for (const entry of saved)
    assertTrue(new SavedEntries(entry.version).find(entry.id)?.query === entry.query, "an imported entry is not stored");
  const second = planImport(parseExportFile(buildExportFile()));
  assertTrue(!second.added.length && !second.clashes.length, "an exported entry is imported twice");
  const again = planImport(parseExportFile(text));
  assertTrue(!again.added.length && !again.clashes.some(({ kind }) => kind === "entry"), "a file is imported twice");
  writeAllOrNone(undo);
  assertTrue(Object.keys(localStorage).length === Object.keys(before).length, "an undone import leaves something");
}

/** Return the default choice for each clash. */
const chooseDefaults = ({ clashes }) => clashes.map(({ choices: [first] }) => first);

for (const text of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    for (const key of [`${base}/x`, `${base}-aside-1`]) tryStored(key, text);
    tryFile(text);
  } catch (error) {
    console.error(JSON.stringify(text), error);
    process.exit(1);
  }
}
