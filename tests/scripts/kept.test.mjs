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
  freeName,
  entriesForPython,
  pendingWrite,
  nextName,
  parseEntryName,
  importEntries,
  withoutStage,
} = await import(`${scripts}/saved/store.mjs`);
const { storageKeyOf, root } = await import(`${scripts}/shared/urls.mjs`);
const { insertSheetLinks } = await import(`${scripts}/page/after-fight-links.mjs`);

const kept = new SavedEntries("fight/1");
const queries = () =>
  kept
    .entries()
    .map(({ query }) => query)
    .sort();
const add = (query, name = query) => kept.add({ query, name });
const nameOf = ({ id }) => storageKeyOf(`scratch-kept-fight/${id}`);

/** An entry that is on the disk, and whose newer writing is in the database alone, for the browser was killed. */
async function forgotten() {
  const first = add("old");
  device.flush();
  kept.put({ ...first, query: "new" });
  await pendingWrite();
  device.kill();
  return first;
}

beforeEach(() => device.clear());

test("what a killed browser's storage has lost comes back, a first writing and a later one", async () => {
  await forgotten();
  assert.deepEqual(queries(), ["old"]);
  assert.equal((await recoverFromMirror()).length, 1);
  assert.deepEqual(queries(), ["new"]);
  add("another");
  await pendingWrite();
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["another", "new"]);
});

test("what is shown as lasting is in the database, and no sooner", async () => {
  const entry = add("a");
  assert.equal(device.records.size, 0);
  assert.equal(await pendingWrite(), true);
  assert.match(device.records.get(nameOf(entry)), /"query":"a"/);
});

test("a deletion comes back neither from the database nor from a storage that has forgotten it", async () => {
  const entry = add("a");
  await pendingWrite();
  device.flush();
  kept.remove(entry.id);
  await pendingWrite();
  for (const forget of [() => {}, device.kill, device.kill]) {
    forget();
    await recoverFromMirror();
    assert.deepEqual(queries(), []);
    assert.equal(localStorage.getItem(nameOf(entry)), null, "a mark stays in the storage");
  }
});

test("a deletion that was taken back stays taken back", async () => {
  const entry = add("a");
  const text = kept.remove(entry.id);
  kept.restore(entry.id, text);
  await pendingWrite();
  for (const forget of [() => {}, device.kill]) {
    forget();
    await recoverFromMirror();
    assert.deepEqual(queries(), ["a"]);
  }
});

test("marks are dropped after a week, and not before", async (context) => {
  const entry = add("a");
  kept.remove(entry.id);
  await pendingWrite();
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() + 6 * 24 * 3600 * 1000 });
  await recoverFromMirror();
  await recoverFromMirror();
  assert.equal(device.records.size, 1);
  context.mock.timers.setTime(Date.now() + 2 * 24 * 3600 * 1000);
  await recoverFromMirror();
  assert.equal(device.records.size, 0);
});

test("two tabs that wrote one revision: both texts are there", async () => {
  const first = add("old");
  device.flush();
  kept.put({ ...first, query: "mine" });
  device.flush();
  localStorage.setItem(nameOf(first), JSON.stringify({ ...first, query: "old" })); // the other tab has not heard of it
  kept.put({ ...first, query: "theirs" });
  await pendingWrite();
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["mine", "theirs"]);
  await recoverFromMirror();
  assert.deepEqual(queries(), ["mine", "theirs"]);
});

test("an answer of the database that comes after a press overwrites nothing, and loses nothing", async () => {
  const first = await forgotten();
  const coming = recoverFromMirror();
  kept.put({ ...first, query: "pressed" });
  await coming;
  assert.equal(kept.get(first.id).query, "pressed");
  assert.deepEqual(queries(), ["new", "pressed"]);
  await pendingWrite();
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["new", "pressed"]);
});

test("what is deleted before the database answers stays deleted", async () => {
  const first = await forgotten();
  const coming = recoverFromMirror();
  kept.remove(first.id);
  await coming;
  assert.deepEqual(queries(), []);
  device.kill();
  await recoverFromMirror();
  assert.deepEqual(queries(), []);
});

test("without a database all goes on in the storage, and nobody says that it lasts", async () => {
  device.block();
  const entry = add("a");
  assert.equal(await pendingWrite(), false);
  assert.equal(await recoverFromMirror(), null);
  kept.put({ ...entry, query: "b" });
  assert.equal(await pendingWrite(), false);
  assert.deepEqual(queries(), ["b"]);
  device.block(false);
  await recoverFromMirror();
  assert.equal(await pendingWrite(), true);
  assert.equal(device.records.size, 1);
});

test("a database that was cleared is filled again from the storage, and a storage from the database", async () => {
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

test("what has no room in the storage stays in the database", async () => {
  await forgotten();
  device.fill();
  await recoverFromMirror();
  assert.deepEqual(queries(), ["old"]);
  device.fill(false);
  await recoverFromMirror();
  assert.deepEqual(queries(), ["new"]);
});

test("all names bear the site's path, the database's too", async () => {
  const { pathname } = new URL(root);
  const entry = add("a");
  kept.quarantine(entry.id);
  await pendingWrite();
  for (const name of [...Object.keys(localStorage), ...device.records.keys(), ...device.opened]) {
    assert.ok(name.startsWith(`${pathname}scratch-kept`), name);
  }
});

test("a storage that takes what is written and keeps nothing is found out", () => {
  device.idle();
  assert.throws(() => add("a"), /has not kept/);
});

test("two damaged entries that are set aside in one moment have two names", () => {
  const [one, other] = [add("a"), add("b")];
  for (const { id } of [one, other]) kept.quarantine(id);
  assert.deepEqual(
    kept
      .listQuarantined()
      .map(({ text }) => JSON.parse(text).query)
      .sort(),
    ["a", "b"],
  );
});

test("what can't be read is listed with its text, and stands in nobody's way", () => {
  add("a");
  const texts = ["what is this?", '{"version": "fight/1", "query": 7', '{"version": "fight/2", "query": "later"}'];
  for (const [at, text] of texts.entries()) localStorage.setItem(nameOf({ id: at }), text);
  assert.deepEqual(
    kept.listQuarantined().map(({ text }) => text),
    texts,
  );
  assert.deepEqual(queries(), ["a"]);
});

test("a file of which not all has room: what came in is told, and what did not", () => {
  const entries = ["a", "b", "c"].map((query) => ({ version: "fight/1", id: "", name: query, query }));
  device.watch(() => device.fill(Object.keys(localStorage).length > 0));
  const { added, left, error } = importEntries(entries);
  assert.deepEqual(
    [added, left].map((each) => each.map(({ name }) => name)),
    [["a"], ["b", "c"]],
  );
  assert.equal(error.name, "QuotaExceededError");
});

test("of a file come in what this site's calculators keep, in their versions; the others are named", () => {
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
  const templates = readdirSync(folder)
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .join("");
  const kinds = new Set([...templates.matchAll(/\bdata-keep="([^"]+)"/g)].map(([, version]) => version));
  const taken = importEntries([...kinds].map((version) => ({ version, id: "", name: "each", query: version })));
  assert.equal(taken.added.length, kinds.size);
  assert.equal(kinds.size, 2);
});

test("a name that is taken is numbered as the rules' pages number it", () => {
  const entries = ["Goblin", "Goblin 3", "Guard 7"].map((name) => ({ name }));
  const cases = { Orc: "Orc", Goblin: "Goblin 2", "Goblin 3": "Goblin 3 2", "Guard 7": "Guard 7 2" };
  for (const [name, free] of Object.entries(cases)) assert.equal(freeName(name, entries), free);
  assert.equal(freeName("Goblin", [...entries, { name: "Goblin 2" }]), "Goblin 4");
  assert.equal(freeName("", [{ name: "" }]), "");
});

test("the next of several has the next number, and a number that belongs to a name stays", () => {
  const entries = ["The toll", "The toll 2", "Room 12"].map((name) => ({ name }));
  const cases = { "The toll": "The toll 3", "The toll 2": "The toll 3", "Room 12": "Room 12 2", "The pier": "The pier" };
  for (const [name, next] of Object.entries(cases)) assert.equal(nextName(name, entries), next);
});

test("a name without its stage ends before its last dot", () => {
  const cases = { "The toll · round 1": "The toll", "Ann · Bo · over": "Ann · Bo", "The toll": "The toll" };
  for (const [name, bare] of Object.entries(cases)) assert.equal(withoutStage(name), bare);
});

test("a file taken in twice doubles nothing, and drops no copy under a name of its own", () => {
  const file = ["Night 1", "Night 2", "Goblin", "Goblin"].map((name, at) => ({
    version: "fight/1",
    id: `${at}`,
    name,
    query: at < 3 ? "q" : "r",
  }));
  add("mine", "Goblin");
  for (let time = 0; time < 3; time += 1) importEntries(file);
  assert.deepEqual(
    kept
      .entries()
      .map(({ name }) => name)
      .sort(),
    ["Goblin", "Goblin 2", "Goblin 3", "Night 1", "Night 2"],
  );
  const { added, same } = importEntries(parseExportFile(buildExportFile()).entries);
  assert.deepEqual([added.length, same.length], [0, 5]);
});

test("Python is handed the latest sixty, and what was set aside is in no file", () => {
  const kept = new SavedEntries("character/1");
  for (let at = 0; at < 61; at++) kept.add({ name: `${at}`, query: `name=${at}` });
  assert.equal(JSON.parse(entriesForPython("character/1")).length, 60);
  kept.quarantine(kept.entries()[0].id);
  assert.equal(parseExportFile(buildExportFile()).entries.length, 60);
});

test("what fills the room to the last sign is handed over, and nothing longer", () => {
  const kept = new SavedEntries("character/1");
  for (const query of ["x".repeat(200_000), "x".repeat(200_001)]) {
    const { id } = kept.add({ name: "long", query });
    assert.equal(JSON.parse(entriesForPython("character/1")).length, query.length <= 200_000 ? 1 : 0);
    kept.remove(id);
  }
});

test("undoing a deletion of what has come back already gives that one", () => {
  const kept = new SavedEntries("character/1");
  const { id } = kept.add({ name: "Bo", query: "name=Bo" });
  const text = kept.remove(id);
  const back = kept.add({ name: "Bo", query: "name=Bo" });
  assert.equal(kept.restore(id, text).id, back.id);
  assert.equal(kept.entries().length, 1);
});

test("a fight leads to the sheet of whoever fought in it, one of several too, and of nobody else", () => {
  const kept = new SavedEntries("character/1");
  for (const name of ["Rook", "Hale", "Hale 2", "Ro"]) kept.add({ name, query: `name=${name}` });
  const links = [];
  globalThis.document = { createElement: () => ({}) };
  const place = { dataset: { sheets: "Rook 2\nHale" }, before: (link) => links.push(link.textContent) };
  insertSheetLinks({ querySelector: (asked) => (asked === "[data-sheets]" ? place : null) });
  assert.deepEqual(links.sort(), ["Update Hale’s sheet", "Update Rook’s sheet"]);
});

test("a text is an entry with a version of ours and a query, with all that belongs to it; anything else is none", () => {
  const whole = { version: "fight/1", id: "x", name: "Bay", isNamed: true, query: "a=1", label: "L", note: "N" };
  const more = { summary: "S", revision: 3, changed: "2026" };
  assert.deepEqual(parseEntry(JSON.stringify({ ...whole, ...more, id: "y", alien: 1 }), "x"), { ...whole, ...more });
  for (const text of ["", "[", "null", '{"version":"fight/1"}', '{"version":"fight","query":"a"}', '{"version":["fight/1"],"query":"a"}'])
    assert.equal(parseEntry(text), null, text);
  assert.equal(parseEntry(JSON.stringify({ ...whole, name: "x".repeat(1_000), revision: 1.5 })).name.length, 480);
});

test("a file is one entry that was set aside, or many, of which some can't be read; anything else is no file of ours", () => {
  const one = { version: "fight/1", query: "a=1" };
  const read = (content) => {
    const found = parseExportFile(typeof content === "string" ? content : JSON.stringify(content));
    return found && [found.entries.length, found.unread];
  };
  assert.deepEqual(read(one), [1, 0]);
  assert.deepEqual(read({ format: "scratch-kept/1", entries: [one, { version: 3 }, null] }), [1, 2]);
  assert.deepEqual(
    [read({ format: "scratch-kept/2", entries: [one] }), read({ format: "scratch-kept/1", entries: one }), read("no")],
    [null, null, null],
  );
});

test("a stored name is parsed by the site's path and not by words anywhere in it", () => {
  const name = (bare) => storageKeyOf(`scratch-kept-${bare}`);
  const cases = [
    [name("house/7-a"), { kind: "house", id: "7-a", isAside: false }],
    [name("fight/x-aside-y"), { kind: "fight", id: "x-aside-y", isAside: false }],
    [name("fight-aside-7"), { kind: "fight", id: "7", isAside: true }],
    [name("fight"), null],
    ["/lighthouse/scratch-kept-fight/7", null],
    [`${storageKeyOf("lighthouse/")}scratch-kept-fight/7`, null],
    ["scratch-kept-fight/7", null],
  ];
  for (const [stored, parsed] of cases) assert.deepEqual(parseEntryName(stored), parsed, stored);
});

test("an export holds the entries of a site whose path or ids look like those that were set aside", () => {
  const entry = kept.put({ ...add("a"), id: "b-aside-c" });
  localStorage.setItem(`/x${storageKeyOf("scratch-kept-fight/1")}`, kept.text(entry.id));
  assert.deepEqual(
    parseExportFile(buildExportFile())
      .entries.map(({ id }) => id)
      .includes("b-aside-c"),
    true,
  );
  assert.equal(parseExportFile(buildExportFile()).entries.length, 2);
});
