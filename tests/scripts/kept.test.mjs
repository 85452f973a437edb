import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
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
  serializeEntriesForPython,
  pendingWrite,
  findNextName,
  parseEntryKey,
  importEntries,
  stripStage,
} = await import(`${scripts}/saved/store.mjs`);
const { storageKeyOf, root } = await import(`${scripts}/shared/urls.mjs`);
const { insertSheetLinks } = await import(`${scripts}/page/after-fight-links.mjs`);

const savedEntries = new SavedEntries("fight/1");
const queries = () =>
  savedEntries
    .entries()
    .map(({ query }) => query)
    .sort();
const add = (query, name = query) => savedEntries.add({ query, name });
const keyOf = ({ id }) => storageKeyOf(`scratch-kept-fight/${id}`);

/** Kill the browser when an old text of an entry is on the disk, and its latest write is in the database only. */
async function loseLatestWrite() {
  const first = add("old");
  device.flush();
  savedEntries.put({ ...first, query: "new" });
  await pendingWrite();
  device.kill();
  return first;
}

beforeEach(() => device.clear());

test("writes that a killed browser has lost are recovered, of new and of old entries", async () => {
  await loseLatestWrite();
  assert.deepEqual(queries(), ["old"]);
  assert.equal((await recoverFromMirror()).length, 1);
  assert.deepEqual(queries(), ["new"]);
  add("another");
  await pendingWrite();
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["another", "new"]);
});

test("a durable write is in the database, and not before", async () => {
  const entry = add("a");
  assert.equal(device.records.size, 0);
  assert.equal(await pendingWrite(), true);
  assert.match(device.records.get(keyOf(entry)), /"query":"a"/);
});

test("a deleted entry is not recovered, neither from the database nor from an old storage", async () => {
  const entry = add("a");
  await pendingWrite();
  device.flush();
  savedEntries.remove(entry.id);
  await pendingWrite();
  for (const loseWrites of [() => {}, device.kill, device.kill]) {
    loseWrites();
    await recoverFromMirror();
    assert.deepEqual(queries(), []);
    assert.equal(localStorage.getItem(keyOf(entry)), null, "a tombstone in the storage");
  }
});

test("an undone deletion stays undone", async () => {
  const entry = add("a");
  const text = savedEntries.remove(entry.id);
  savedEntries.restore(entry.id, text);
  await pendingWrite();
  for (const loseWrites of [() => {}, device.kill]) {
    loseWrites();
    await recoverFromMirror();
    assert.deepEqual(queries(), ["a"]);
  }
});

test("tombstones are removed after a week, and not before", async (context) => {
  const entry = add("a");
  savedEntries.remove(entry.id);
  await pendingWrite();
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() + 6 * 24 * 3600 * 1000 });
  await recoverFromMirror();
  await recoverFromMirror();
  assert.equal(device.records.size, 1);
  context.mock.timers.setTime(Date.now() + 2 * 24 * 3600 * 1000);
  await recoverFromMirror();
  assert.equal(device.records.size, 0);
});

test("two tabs that wrote the same revision: both texts are saved", async () => {
  const first = add("old");
  device.flush();
  savedEntries.put({ ...first, query: "mine" });
  device.flush();
  localStorage.setItem(keyOf(first), JSON.stringify({ ...first, query: "old" })); // the other tab has not read it
  savedEntries.put({ ...first, query: "theirs" });
  await pendingWrite();
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["mine", "theirs"]);
  await recoverFromMirror();
  assert.deepEqual(queries(), ["mine", "theirs"]);
});

test("a recovery after a new answer overwrites and loses nothing", async () => {
  const first = await loseLatestWrite();
  const recovery = recoverFromMirror();
  savedEntries.put({ ...first, query: "pressed" });
  await recovery;
  assert.equal(savedEntries.get(first.id).query, "pressed");
  assert.deepEqual(queries(), ["new", "pressed"]);
  await pendingWrite();
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["new", "pressed"]);
});

test("an entry that is deleted before the recovery stays deleted", async () => {
  const first = await loseLatestWrite();
  const recovery = recoverFromMirror();
  savedEntries.remove(first.id);
  await recovery;
  assert.deepEqual(queries(), []);
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), []);
});

test("without a database entries are saved in the storage, and not shown as durable", async () => {
  device.block();
  const entry = add("a");
  assert.equal(await pendingWrite(), false);
  assert.equal(await recoverFromMirror(), null);
  savedEntries.put({ ...entry, query: "b" });
  assert.equal(await pendingWrite(), false);
  assert.deepEqual(queries(), ["b"]);
  device.block(false);
  await recoverFromMirror();
  assert.equal(await pendingWrite(), true);
  assert.equal(device.records.size, 1);
});

test("a cleared database is restored from the storage, and a cleared storage from the database", async () => {
  add("a");
  await pendingWrite();
  device.evict();
  await recoverFromMirror();
  assert.equal(device.records.size, 1);
  device.evict();
  add("b");
  assert.equal(await pendingWrite(), true);
  await recoverFromMirror();
  for (const name of Object.keys(localStorage)) localStorage.removeItem(name);
  await recoverFromMirror();
  assert.deepEqual(queries(), ["a", "b"]);
});

test("a text that does not fit into the storage stays in the database", async () => {
  await loseLatestWrite();
  device.fill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["old"]);
  device.fill(false);
  await recoverFromMirror();
  assert.deepEqual(queries(), ["new"]);
});

test("all keys have the prefix of the site's path, and so has the database", async () => {
  const { pathname } = new URL(root);
  const entry = add("a");
  savedEntries.quarantine(entry.id);
  await pendingWrite();
  for (const name of [...Object.keys(localStorage), ...device.records.keys(), ...device.opened]) {
    assert.ok(name.startsWith(`${pathname}scratch-kept`), name);
  }
});

test("a storage that ignores writes is detected", () => {
  device.idle();
  assert.throws(() => add("a"), /has not kept/);
});

test("two entries quarantined at the same time have two keys", () => {
  const [one, other] = [add("a"), add("b")];
  for (const { id } of [one, other]) savedEntries.quarantine(id);
  assert.deepEqual(
    savedEntries
      .listQuarantined()
      .map(({ text }) => JSON.parse(text).query)
      .sort(),
    ["a", "b"],
  );
});

test("unreadable entries are listed with their text, and affect no other entry", () => {
  add("a");
  const texts = ["what is this?", '{"version": "fight/1", "query": 7', '{"version": "fight/2", "query": "later"}'];
  for (const [at, text] of texts.entries()) localStorage.setItem(keyOf({ id: at }), text);
  assert.deepEqual(
    savedEntries.listQuarantined().map(({ text }) => text),
    texts,
  );
  assert.deepEqual(queries(), ["a"]);
});

test("an import into a full storage returns the added and the failed entries", () => {
  const entries = ["a", "b", "c"].map((query) => ({ version: "fight/1", id: "", name: query, query }));
  device.watch(() => device.fill(Object.keys(localStorage).length > 0));
  const { added, failed, error } = importEntries(entries);
  assert.deepEqual(
    [added, failed].map((each) => each.map(({ name }) => name)),
    [["a"], ["b", "c"]],
  );
  assert.equal(error.name, "QuotaExceededError");
});

test("an import adds the versions of this site's calculators, and returns the others", () => {
  const versions = ["fight/1", "fight/2", "cards/1", "character/1"];
  const { added, unknown } = importEntries(versions.map((version) => ({ version, id: "", name: version, query: "q" })));
  assert.deepEqual(
    added.map(({ name }) => name),
    ["fight/1", "character/1"],
  );
  assert.deepEqual(
    unknown.map(({ name }) => name),
    ["fight/2", "cards/1"],
  );
  const folder = new URL("../../site_overrides/calculators/", import.meta.url);
  const templates = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html"))
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .join("");
  const kinds = new Set([...templates.matchAll(/\bdata-keep="([^"]+)"/g)].map(([, version]) => version));
  const taken = importEntries([...kinds].map((version) => ({ version, id: "", name: "each", query: version })));
  assert.equal(taken.added.length, kinds.size);
  assert.equal(kinds.size, 2);
});

test("a name in use gets a number, as in the rules", () => {
  const entries = ["Goblin", "Goblin 3", "Guard 7"].map((name) => ({ name }));
  const cases = { Orc: "Orc", Goblin: "Goblin 2", "Goblin 3": "Goblin 3 2", "Guard 7": "Guard 7 2" };
  for (const [name, free] of Object.entries(cases)) assert.equal(findFreeName(name, entries), free);
  assert.equal(findFreeName("Goblin", [...entries, { name: "Goblin 2" }]), "Goblin 4");
  assert.equal(findFreeName("", [{ name: "" }]), "");
});

test("the next name of a series has the next number, and a number in a name stays", () => {
  const entries = ["The toll", "The toll 2", "Room 12"].map((name) => ({ name }));
  const cases = { "The toll": "The toll 3", "The toll 2": "The toll 3", "Room 12": "Room 12 2", "The pier": "The pier" };
  for (const [name, next] of Object.entries(cases)) assert.equal(findNextName(name, entries), next);
});

test("a stripped name ends before its last dot", () => {
  const cases = { "The toll · round 1": "The toll", "Ann · Bo · over": "Ann · Bo", "The toll": "The toll" };
  for (const [name, bare] of Object.entries(cases)) assert.equal(stripStage(name), bare);
});

test("a second import duplicates nothing, and drops no copy with another name", () => {
  const file = ["Night 1", "Night 2", "Goblin", "Goblin"].map((name, at) => ({
    version: "fight/1",
    id: `${at}`,
    name,
    query: at < 3 ? "q" : "r",
  }));
  add("mine", "Goblin");
  for (let time = 0; time < 3; time += 1) importEntries(file);
  assert.deepEqual(
    savedEntries
      .entries()
      .map(({ name }) => name)
      .sort(),
    ["Goblin", "Goblin 2", "Goblin 3", "Night 1", "Night 2"],
  );
  const { added, duplicates } = importEntries(parseExportFile(buildExportFile()).entries);
  assert.deepEqual([added.length, duplicates.length], [0, 5]);
});

test("Python gets the latest sixty entries, and no file has the quarantined ones", () => {
  const savedEntries = new SavedEntries("character/1");
  for (let at = 0; at < 61; at++) savedEntries.add({ name: `${at}`, query: `name=${at}` });
  assert.equal(JSON.parse(serializeEntriesForPython("character/1")).length, 60);
  savedEntries.quarantine(savedEntries.entries()[0].id);
  assert.equal(parseExportFile(buildExportFile()).entries.length, 60);
});

test("Python gets queries up to the maximum length, and no longer ones", () => {
  const savedEntries = new SavedEntries("character/1");
  for (const query of ["x".repeat(200_000), "x".repeat(200_001)]) {
    const { id } = savedEntries.add({ name: "long", query });
    assert.equal(JSON.parse(serializeEntriesForPython("character/1")).length, query.length <= 200_000 ? 1 : 0);
    savedEntries.remove(id);
  }
});

test("undoing the deletion of an entry that exists again returns that one", () => {
  const savedEntries = new SavedEntries("character/1");
  const { id } = savedEntries.add({ name: "Bo", query: "name=Bo" });
  const text = savedEntries.remove(id);
  const back = savedEntries.add({ name: "Bo", query: "name=Bo" });
  assert.equal(savedEntries.restore(id, text).id, back.id);
  assert.equal(savedEntries.entries().length, 1);
});

test("a fight links to the sheets of its characters, numbered ones too, and no others", () => {
  const savedEntries = new SavedEntries("character/1");
  for (const name of ["Rook", "Hale", "Hale 2", "Ro"]) savedEntries.add({ name, query: `name=${name}` });
  const links = [];
  globalThis.document = { createElement: () => ({}) };
  const place = { dataset: { sheets: "Rook 2\nHale" }, before: (link) => links.push(link.textContent) };
  insertSheetLinks({ querySelector: (asked) => (asked === "[data-sheets]" ? place : null) });
  assert.deepEqual(links.sort(), ["Update Hale's sheet", "Update Rook's sheet"]);
});

test("a text with a known version and a query is an entry with all its fields; any other is not", () => {
  const whole = { version: "fight/1", id: "x", name: "Bay", isNamed: true, query: "a=1", label: "L", note: "N" };
  const more = { summary: "S", revision: 3, changed: "2026" };
  assert.deepEqual(parseEntry(JSON.stringify({ ...whole, ...more, id: "y", alien: 1 }), "x"), { ...whole, ...more });
  for (const text of ["", "[", "null", '{"version":"fight/1"}', '{"version":"fight","query":"a"}', '{"version":["fight/1"],"query":"a"}'])
    assert.equal(parseEntry(text), null, text);
  assert.equal(parseEntry(JSON.stringify({ ...whole, name: "x".repeat(1_000), revision: 1.5 })).name.length, 480);
});

test("an export file has one quarantined entry or many, some unreadable; any other text is none", () => {
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

test("a storage key is parsed by the prefix of the site's path only", () => {
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

test("an export contains entries whose path or id looks like a quarantined one", () => {
  const entry = savedEntries.put({ ...add("a"), id: "b-aside-c" });
  localStorage.setItem(`/x${storageKeyOf("scratch-kept-fight/1")}`, savedEntries.readText(entry.id));
  assert.deepEqual(
    parseExportFile(buildExportFile())
      .entries.map(({ id }) => id)
      .includes("b-aside-c"),
    true,
  );
  assert.equal(parseExportFile(buildExportFile()).entries.length, 2);
});
