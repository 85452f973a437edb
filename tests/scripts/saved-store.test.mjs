import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { device } from "./storage.mjs";

const scripts = "../../site_overrides/javascripts";
const {
  SavedEntries,
  recoverFromMirror,
  parseExportFile,
  parseEntry,
  buildExportFile,
  findFreeName,
  serializeLatestEntriesForPython,
  getLastWriteDurability,
  findNextName,
  parseEntryKey,
  writeAllOrNone,
  stripStage,
} = await import(`${scripts}/saved/store.mjs`);
const { storageKeyOf, root } = await import(`${scripts}/shared/urls.mjs`);
const { insertSheetUpdateLinks } = await import(`${scripts}/page/after-fight-links.mjs`);

const savedEntries = new SavedEntries("fight/1");
const queries = () =>
  savedEntries
    .listLatestFirst()
    .map(({ query }) => query)
    .sort();
const add = (query, name = query) => savedEntries.addAndMirror({ query, name });
const keyOf = ({ id }) => storageKeyOf(`scratch-kept-fight/${id}`);

/** Kill the browser when an old text of an entry is on the disk, and its latest write is in the database only. */
async function loseLatestWrite() {
  const first = add("old");
  device.flush();
  savedEntries.saveAndMirror({ ...first, query: "new" });
  await getLastWriteDurability();
  device.kill();
  return first;
}

beforeEach(() => device.clear());

test("recoverFromMirror recovers writes to new and old entries that a killed browser has lost", async () => {
  await loseLatestWrite();
  assert.deepEqual(queries(), ["old"]);
  assert.equal((await recoverFromMirror()).length, 1);
  assert.deepEqual(queries(), ["new"]);
  add("another");
  await getLastWriteDurability();
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["another", "new"]);
});

test("getLastWriteDurability resolves when the write is in the database, and not before", async () => {
  const entry = add("a");
  assert.equal(device.records.size, 0);
  assert.equal(await getLastWriteDurability(), true);
  assert.match(device.records.get(keyOf(entry)), /"query":"a"/);
});

test("recoverFromMirror does not recover a deleted entry from the database or an old storage", async () => {
  const entry = add("a");
  await getLastWriteDurability();
  device.flush();
  savedEntries.removeAndMirror(entry.id);
  await getLastWriteDurability();
  for (const loseWrites of [() => {}, device.kill, device.kill]) {
    loseWrites();
    await recoverFromMirror();
    assert.deepEqual(queries(), []);
    assert.equal(localStorage.getItem(keyOf(entry)), null, "a tombstone in the storage");
  }
});

test("recoverFromMirror keeps an entry whose deletion was undone", async () => {
  const entry = add("a");
  const text = savedEntries.removeAndMirror(entry.id);
  savedEntries.restoreAndMirror(entry.id, text);
  await getLastWriteDurability();
  for (const loseWrites of [() => {}, device.kill]) {
    loseWrites();
    await recoverFromMirror();
    assert.deepEqual(queries(), ["a"]);
  }
});

test("SavedEntries removes tombstones after a week, and not before", async (context) => {
  const entry = add("a");
  savedEntries.removeAndMirror(entry.id);
  await getLastWriteDurability();
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() + 6 * 24 * 3600 * 1000 });
  await recoverFromMirror();
  await recoverFromMirror();
  assert.equal(device.records.size, 1);
  context.mock.timers.setTime(Date.now() + 2 * 24 * 3600 * 1000);
  await recoverFromMirror();
  assert.equal(device.records.size, 0);
});

test("recoverFromMirror saves both texts if two tabs wrote the same revision", async () => {
  const first = add("old");
  device.flush();
  savedEntries.saveAndMirror({ ...first, query: "mine" });
  device.flush();
  localStorage.setItem(keyOf(first), JSON.stringify({ ...first, query: "old" })); // the other tab has not read it
  savedEntries.saveAndMirror({ ...first, query: "theirs" });
  await getLastWriteDurability();
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["mine", "theirs"]);
  await recoverFromMirror();
  assert.deepEqual(queries(), ["mine", "theirs"]);
});

test("recoverFromMirror overwrites nothing after a new answer", async () => {
  const first = await loseLatestWrite();
  const recovery = recoverFromMirror();
  savedEntries.saveAndMirror({ ...first, query: "pressed" });
  await recovery;
  assert.equal(savedEntries.find(first.id).query, "pressed");
  assert.deepEqual(queries(), ["new", "pressed"]);
  await getLastWriteDurability();
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["new", "pressed"]);
});

test("recoverFromMirror leaves an entry deleted that was deleted before it ran", async () => {
  const first = await loseLatestWrite();
  const recovery = recoverFromMirror();
  savedEntries.removeAndMirror(first.id);
  await recovery;
  assert.deepEqual(queries(), []);
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), []);
});

test("SavedEntries saves in localStorage without a database, and does not report the entries as durable", async () => {
  device.block();
  const entry = add("a");
  assert.equal(await getLastWriteDurability(), false);
  assert.equal(await recoverFromMirror(), null);
  savedEntries.saveAndMirror({ ...entry, query: "b" });
  assert.equal(await getLastWriteDurability(), false);
  assert.deepEqual(queries(), ["b"]);
  device.block(false);
  await recoverFromMirror();
  assert.equal(await getLastWriteDurability(), true);
  assert.equal(device.records.size, 1);
});

test("recoverFromMirror restores a cleared database from localStorage, and a cleared localStorage from the database", async () => {
  add("a");
  await getLastWriteDurability();
  device.evict();
  await recoverFromMirror();
  assert.equal(device.records.size, 1);
  device.evict();
  add("b");
  assert.equal(await getLastWriteDurability(), true);
  await recoverFromMirror();
  for (const name of Object.keys(localStorage)) localStorage.removeItem(name);
  await recoverFromMirror();
  assert.deepEqual(queries(), ["a", "b"]);
});

test("SavedEntries saves a text that does not fit into localStorage in the database", async () => {
  await loseLatestWrite();
  device.fill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["old"]);
  device.fill(false);
  await recoverFromMirror();
  assert.deepEqual(queries(), ["new"]);
});

test("SavedEntries prefixes all keys and the database name with the site's path", async () => {
  const { pathname } = new URL(root);
  const entry = add("a");
  savedEntries.moveToQuarantine(entry.id);
  await getLastWriteDurability();
  for (const name of [...Object.keys(localStorage), ...device.records.keys(), ...device.opened]) {
    assert.ok(name.startsWith(`${pathname}scratch-kept`), name);
  }
});

test("SavedEntries detects a storage that ignores writes", () => {
  device.idle();
  assert.throws(() => add("a"), /has not stored/);
});

test("SavedEntries gives two entries that are quarantined at the same time different keys", () => {
  const [one, other] = [add("a"), add("b")];
  for (const { id } of [one, other]) savedEntries.moveToQuarantine(id);
  assert.deepEqual(
    savedEntries
      .listQuarantined()
      .map(({ text }) => JSON.parse(text).query)
      .sort(),
    ["a", "b"],
  );
});

test("SavedEntries lists unreadable entries with their text, separately from the others", () => {
  add("a");
  const texts = ["what is this?", '{"version": "fight/1", "query": 7', '{"version": "fight/2", "query": "later"}'];
  for (const [at, text] of texts.entries()) localStorage.setItem(keyOf({ id: at }), text);
  assert.deepEqual(
    savedEntries.listQuarantined().map(({ text }) => text),
    texts,
  );
  assert.deepEqual(queries(), ["a"]);
});

test("findFreeName numbers a name in use, as the rules do", () => {
  const entries = ["Goblin", "Goblin 3", "Guard 7"].map((name) => ({ name }));
  const cases = { Orc: "Orc", Goblin: "Goblin 2", "Goblin 3": "Goblin 3 2", "Guard 7": "Guard 7 2" };
  for (const [name, free] of Object.entries(cases)) assert.equal(findFreeName(name, entries), free);
  assert.equal(findFreeName("Goblin", [...entries, { name: "Goblin 2" }]), "Goblin 4");
  assert.equal(findFreeName("", [{ name: "" }]), "");
});

test("findNextName increments the number of a series, and keeps a number that is part of a name", () => {
  const entries = ["The toll", "The toll 2", "Room 12"].map((name) => ({ name }));
  const cases = { "The toll": "The toll 3", "The toll 2": "The toll 3", "Room 12": "Room 12 2", "The pier": "The pier" };
  for (const [name, next] of Object.entries(cases)) assert.equal(findNextName(name, entries), next);
});

test("stripStage removes the text from the last dot on", () => {
  const cases = { "The toll · round 1": "The toll", "Ann · Bo · over": "Ann · Bo", "The toll": "The toll" };
  for (const [name, bare] of Object.entries(cases)) assert.equal(stripStage(name), bare);
});

test("serializeLatestEntriesForPython contains the latest sixty entries; exports contain no quarantined ones", () => {
  const savedEntries = new SavedEntries("character/1");
  for (let at = 0; at < 61; at++) savedEntries.addAndMirror({ name: `${at}`, query: `name=${at}` });
  assert.equal(JSON.parse(serializeLatestEntriesForPython("character/1")).length, 60);
  savedEntries.moveToQuarantine(savedEntries.listLatestFirst()[0].id);
  assert.equal(parseExportFile(buildExportFile()).entries.length, 60);
});

test("serializeLatestEntriesForPython contains queries up to the maximum length only", () => {
  const savedEntries = new SavedEntries("character/1");
  for (const query of ["x".repeat(200_000), "x".repeat(200_001)]) {
    const { id } = savedEntries.addAndMirror({ name: "long", query });
    assert.equal(JSON.parse(serializeLatestEntriesForPython("character/1")).length, query.length <= 200_000 ? 1 : 0);
    savedEntries.removeAndMirror(id);
  }
});

test("restoreAndMirror returns the existing entry if an equal one was added after the deletion", () => {
  const savedEntries = new SavedEntries("character/1");
  const { id } = savedEntries.addAndMirror({ name: "Bo", query: "name=Bo" });
  const text = savedEntries.removeAndMirror(id);
  const back = savedEntries.addAndMirror({ name: "Bo", query: "name=Bo" });
  assert.equal(savedEntries.restoreAndMirror(id, text).id, back.id);
  assert.equal(savedEntries.listLatestFirst().length, 1);
});

test("SavedEntries saves former names that lasted, without stages, doubles and the current one", (context) => {
  let now = 1_000_000;
  context.mock.method(Date, "now", () => now);
  const savedEntries = new SavedEntries("fight/1");
  const { id } = savedEntries.addAndMirror({ name: "Bay", query: "a=1" });
  const renames = ["Bay · round 2", "Cove", "Shore", "Bay · round 3"];
  for (const name of renames) {
    now += 60_000;
    savedEntries.saveAndMirror({ ...savedEntries.find(id), name });
  }
  assert.deepEqual(savedEntries.find(id).formerNames, ["Cove", "Shore"]);
  now += 60_000;
  for (const name of ["B", "Bi", "Bim"]) {
    now += 1_000;
    savedEntries.saveAndMirror({ ...savedEntries.find(id), name });
  }
  assert.deepEqual(savedEntries.find(id).formerNames, ["Cove", "Shore", "Bay"]);
  assert.deepEqual(savedEntries.addAndMirror(savedEntries.find(id)).formerNames, ["Cove", "Shore", "Bay"]);
  const characters = new SavedEntries("character/1");
  const renamed = characters.addAndMirror({ name: "Wull", query: "name=Wull" });
  now += 60_000;
  characters.saveAndMirror({ ...renamed, name: "Wulf" });
  assert.deepEqual(JSON.parse(serializeLatestEntriesForPython("character/1"))[0].formerNames, ["Wull"]);
  assert.deepEqual(parseEntry('{"version":"fight/1","query":"","formerNames":[1,"Bay"]}').formerNames, ["Bay"]);
});

test("insertSheetUpdateLinks links a fight to the sheets of its characters, numbered and renamed ones too", (context) => {
  const savedEntries = new SavedEntries("character/1");
  for (const name of ["Rook", "Hale", "Hale 2", "Ro", "Bo"]) savedEntries.addAndMirror({ name, query: `name=${name}` });
  const minuteLater = Date.now() + 60_000;
  context.mock.method(Date, "now", () => minuteLater);
  const bo = savedEntries.listLatestFirst().find(({ name }) => name === "Bo");
  savedEntries.saveAndMirror({ ...bo, name: "Bo the Bold" });
  const links = [];
  globalThis.document = { createElement: () => ({}) };
  const place = { dataset: { sheets: "Rook 2\nHale\nBo" }, before: (link) => links.push(link.textContent) };
  insertSheetUpdateLinks({ querySelector: (asked) => (asked === "[data-sheets]" ? place : null) });
  assert.deepEqual(links.sort(), ["Update Bo the Bold's sheet …", "Update Hale's sheet …", "Update Rook's sheet …"]);
});

test("parseEntry accepts a text with a known version and a query, with all its fields, and nothing else", () => {
  const whole = { version: "fight/1", id: "x", name: "Bay", isNamed: true, query: "a=1", label: "L", note: "N" };
  const more = { summary: "S", revision: 3, changed: "2026" };
  assert.deepEqual(parseEntry(JSON.stringify({ ...whole, ...more, id: "y", alien: 1 }), "x"), { ...whole, ...more });
  for (const text of ["", "[", "null", '{"version":"fight/1"}', '{"version":"fight","query":"a"}', '{"version":["fight/1"],"query":"a"}'])
    assert.equal(parseEntry(text), null, text);
  assert.equal(parseEntry(JSON.stringify({ ...whole, name: "x".repeat(1_000), revision: 1.5 })).name.length, 480);
});

test("parseExportFile accepts one or many entries, some unreadable, and returns nothing for other text", () => {
  const one = { version: "fight/1", query: "a=1" };
  const read = (content) => {
    const found = parseExportFile(typeof content === "string" ? content : JSON.stringify(content));
    return found && [found.entries.length, found.unreadable];
  };
  assert.deepEqual(read(one), [1, 0]);
  assert.deepEqual(read({ format: "scratch-kept/1", entries: [one, { version: 3 }, null] }), [1, 2]);
  assert.deepEqual(
    [read({ format: "scratch-kept/2", entries: [one] }), read({ format: "scratch-kept/1", entries: one }), read("no")],
    [null, null, null],
  );
});

test("parseEntryKey accepts only keys with the prefix of the site's path", () => {
  const name = (bare) => storageKeyOf(`scratch-kept-${bare}`);
  const cases = [
    [name("house/7-a"), { kind: "house", id: "7-a", isQuarantined: false }],
    [name("fight/x-aside-y"), { kind: "fight", id: "x-aside-y", isQuarantined: false }],
    [name("fight-aside-7"), { kind: "fight", id: "7", isQuarantined: true }],
    [name("fight"), null],
    ["/lighthouse/scratch-kept-fight/7", null],
    [`${storageKeyOf("lighthouse/")}scratch-kept-fight/7`, null],
    ["scratch-kept-fight/7", null],
  ];
  for (const [stored, parsed] of cases) assert.deepEqual(parseEntryKey(stored), parsed, stored);
});

test("buildExportFile includes entries whose path or id looks like a quarantined one", () => {
  const entry = savedEntries.saveAndMirror({ ...add("a"), id: "b-aside-c" });
  localStorage.setItem(`/x${storageKeyOf("scratch-kept-fight/1")}`, savedEntries.readStoredText(entry.id));
  assert.deepEqual(
    parseExportFile(buildExportFile())
      .entries.map(({ id }) => id)
      .includes("b-aside-c"),
    true,
  );
  assert.equal(parseExportFile(buildExportFile()).entries.length, 2);
});

test("texts are written all or none, and the texts before undo them", () => {
  const [one, other] = [add("a"), add("b")];
  const textsBefore = { ...localStorage };
  const texts = [
    [keyOf(one), JSON.stringify({ ...one, query: "c" })],
    [keyOf(other), ""],
    [keyOf({ id: "new" }), JSON.stringify({ ...one, id: "new", query: "d" })],
  ];
  const before = writeAllOrNone(texts);
  assert.deepEqual(queries(), ["c", "d"]);
  assert.ok(savedEntries.find(one.id).revision > one.revision, "the mirror prefers the later revision");
  writeAllOrNone(before);
  assert.deepEqual(queries(), ["a", "b"]);
  for (const { id } of [one, other]) savedEntries.removeAndMirror(id);
  for (const [key, text] of Object.entries(textsBefore)) localStorage.setItem(key, text);
  device.watch((name, old, text) => device.fill(text.includes('"d"')));
  assert.throws(() => writeAllOrNone(texts), { name: "QuotaExceededError" });
  assert.deepEqual({ ...localStorage }, textsBefore);
});

test("an undone write survives a killed browser", async () => {
  const entry = add("a");
  device.flush();
  const before = writeAllOrNone([[keyOf(entry), JSON.stringify({ ...entry, query: "b" })]]);
  device.flush();
  writeAllOrNone(before);
  await getLastWriteDurability();
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["a"]);
});
