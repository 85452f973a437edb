import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { device } from "./storage.mjs";
import { replacePythonClient, setAddress, setPage } from "./browser.mjs";
import { until } from "./until.mjs";

replacePythonClient();

const scripts = "../../site_overrides/javascripts";
const { root } = await import(`${scripts}/shared/urls.mjs`);
setAddress(`${root}tools/fight/`);
const { reviewIfExportFile } = await import(`${scripts}/saved/file-import.mjs`);
const { buildImportTexts, planImport } = await import(`${scripts}/saved/import-plan.mjs`);
const { pythonClient } = await import(`${scripts}/engine/client.mjs`);
const { SavedEntries, buildExportFile, buildExportFileName, parseExportFile, readCampaign, saveCampaign, writeAllOrNone } = await import(
  `${scripts}/saved/store.mjs`
);
const [characters, fights, house] = ["character/1", "fight/1", "house/1"].map((version) => new SavedEntries(version));

beforeEach(() => device.clear());

const NO_CAMPAIGN = { name: "", notes: "" };
const entryOf = (version, query, name, more = {}) => ({
  version,
  id: "",
  name,
  isNamed: false,
  query,
  summary: "",
  label: "",
  note: "",
  revision: 0,
  changed: "",
  ...more,
});
const plan = (entries, campaign = NO_CAMPAIGN) => planImport({ entries, campaign });

/** Import entries with these choices, by default the first of each clash. Returns the texts that undo it. */
function importEntries(entries, choices = [], { campaign = NO_CAMPAIGN, houseRules = null } = {}) {
  const planned = plan(entries, campaign);
  const all = planned.clashes.map((clash, index) => choices[index] ?? clash.choices[0]);
  return writeAllOrNone(buildImportTexts(planned, all, houseRules).texts);
}
const contents = (savedEntries) =>
  savedEntries
    .listLatestFirst()
    .map(({ name, query }) => `${name}: ${query}`)
    .sort();

// ---- the plan

test("entries are new, the same, or clash by id or by name; unknown versions are none of them", () => {
  const ria = characters.addAndMirror({ name: "Ria", query: "name=Ria&a=1", label: "Ferry", note: "tired" });
  const toll = fights.addAndMirror({ name: "The toll · round 2", query: "log=2&called=The%20toll" });
  const { added, duplicates, clashes, unknown } = plan([
    entryOf("character/1", "name=Ria&a=1", "Ria"),
    entryOf("character/1", "name=Ria&a=2", "Ria"),
    entryOf("character/1", "name=Bo", "Bo"),
    entryOf("fight/1", "log=5&called=The%20toll", "The toll · round 5"),
    entryOf("fight/1", "log=7&called=Other", "Other · round 1", { id: toll.id }),
    entryOf("fight/9", "log=1", "Later"),
  ]);
  const names = (list) => list.map(({ name }) => name);
  assert.deepEqual([names(added), names(duplicates), names(unknown)], [["Bo", "Other · round 1"], ["Ria"], ["Later"]]);
  assert.deepEqual(
    clashes.map(({ existing, choices }) => [existing.id, choices]),
    [
      [ria.id, ["both", "mine", "file"]],
      [toll.id, ["both", "mine", "file"]],
    ],
  );
});

test("another campaign or note of the same entry clashes, a missing one does not", () => {
  characters.addAndMirror({ name: "Ria", query: "name=Ria", label: "Ferry", note: "tired" });
  const cases = { "": [1, 0], tired: [1, 0], rested: [0, 1] };
  for (const [note, expected] of Object.entries(cases)) {
    const { duplicates, clashes } = plan([entryOf("character/1", "name=Ria", "Ria", { note })]);
    assert.deepEqual([duplicates.length, clashes.length], expected, note);
  }
});

test("an import adds the versions of this site's calculators", () => {
  const folder = new URL("../../site_overrides/calculators/", import.meta.url);
  const templates = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html"))
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .join("");
  const kinds = new Set([...templates.matchAll(/\bdata-saved-as="([^"]+)"/g)].map(([, version]) => version));
  assert.equal(plan([...kinds].map((version) => entryOf(version, version, "each"))).added.length, kinds.size);
  assert.equal(kinds.size, 2);
});

test("house rules clash if they differ; the default keeps mine, except on a device without entries", () => {
  const file = [entryOf("house/1", "cp=9", "House rules")];
  assert.deepEqual(plan(file).clashes[0].choices, ["file", "mine"]);
  characters.addAndMirror({ name: "Ria", query: "name=Ria" });
  assert.deepEqual(plan(file).clashes[0].choices, ["mine", "file"]);
  house.addAndMirror({ query: "cp=9" });
  assert.deepEqual([plan(file).clashes.length, plan(file).duplicates.length], [0, 1]);
});

test("name and notes of the campaign clash if both sides have them", () => {
  const campaign = { name: "Ferry road", notes: "The ferryman lies." };
  const kinds = () => plan([], campaign).clashes.map(({ kind }) => kind);
  assert.deepEqual(kinds(), []);
  saveCampaign({ name: "Marsh", notes: "Buy a rope." });
  assert.deepEqual(kinds(), ["name", "notes"]);
  saveCampaign({ name: "Ferry road", notes: "Buy a rope.\n\nThe ferryman lies." });
  assert.deepEqual(kinds(), []);
});

// ---- the import

const FILE = [
  entryOf("character/1", "name=Ria&a=2", "Ria", { id: "file-ria", note: "from the file", changed: "2026-01-02T03:04:05.000Z" }),
  entryOf("fight/1", "log=5&called=The%20toll", "The toll · round 5"),
];
function saveMine() {
  characters.addAndMirror({ name: "Ria", query: "name=Ria&a=1", note: "mine" });
  fights.addAndMirror({ name: "The toll · round 2", query: "log=2&called=The%20toll" });
}

test("both are kept: the copy has a free name, also in its query, and a second import adds no copy", () => {
  saveMine();
  for (let time = 0; time < 3; time += 1) {
    importEntries(FILE, ["both", "both"]);
    assert.deepEqual(contents(characters), ["Ria 2: name=Ria%202&a=2", "Ria: name=Ria&a=1"]);
    assert.deepEqual(contents(fights), [
      "The toll 2 · round 5: log=5&called=The%20toll%202",
      "The toll · round 2: log=2&called=The%20toll",
    ]);
  }
});

test("mine is kept, or replaced under its id", () => {
  saveMine();
  const [{ id, revision }] = characters.listLatestFirst();
  importEntries(FILE, ["mine", "mine"]);
  assert.deepEqual(contents(characters), ["Ria: name=Ria&a=1"]);
  importEntries(FILE, ["file", "mine"]);
  assert.deepEqual([contents(characters), contents(fights).length], [["Ria: name=Ria&a=2"], 1]);
  const replaced = characters.find(id);
  assert.deepEqual([replaced.note, replaced.changed, replaced.revision > revision], ["from the file", "2026-01-02T03:04:05.000Z", true]);
});

test("a new entry has the id of the file if that is free and valid, and no time in the future", () => {
  importEntries([
    entryOf("fight/1", "log=1", "A", { id: "good", changed: "2999-01-01T00:00:00.000Z" }),
    entryOf("fight/1", "log=2", "B", { id: "good" }),
    entryOf("fight/1", "log=3", "C", { id: "../bad" }),
  ]);
  const entries = fights.listLatestFirst();
  assert.equal(fights.find("good").name, "A");
  assert.deepEqual([new Set(entries.map(({ id }) => id)).size, entries.some(({ id }) => id.includes("bad"))], [3, false]);
  assert.ok(entries.every(({ changed }) => Date.parse(changed) <= Date.now()));
});

test("a second import duplicates nothing, and drops no copy with another name", () => {
  const file = ["Night 1", "Night 2", "Goblin", "Goblin"].map((name, at) =>
    entryOf("fight/1", at < 3 ? "q=1" : "r=1", name, { id: `${at}` }),
  );
  fights.addAndMirror({ query: "mine=1", name: "Goblin" });
  for (let time = 0; time < 3; time += 1) importEntries(file);
  const names = contents(fights)
    .map((each) => each.split(":")[0])
    .sort();
  assert.deepEqual(names, ["Goblin", "Goblin 2", "Goblin 3", "Night 1", "Night 2"]);
  const { added, duplicates, clashes } = planImport(parseExportFile(buildExportFile()));
  assert.deepEqual([added.length, duplicates.length, clashes.length], [0, 5, 0]);
});

test("house rules are replaced by those that Python has read", () => {
  house.addAndMirror({ query: "cp=14", name: "House rules" });
  const file = [entryOf("house/1", "cp=9&zzz=1", "House rules")];
  const houseRules = { query: "cp=9", summary: "9 points." };
  importEntries(file, ["mine"], { houseRules });
  importEntries(file, ["file"]);
  assert.deepEqual(contents(house), ["House rules: cp=14"]);
  const undo = importEntries(file, ["file"], { houseRules });
  assert.deepEqual(contents(house), ["House rules: cp=9"]);
  writeAllOrNone(undo);
  assert.deepEqual(contents(house), ["House rules: cp=14"]);
  importEntries(file, ["file"], { houseRules: { query: "", summary: "The rulebook." } });
  assert.deepEqual(contents(house), []);
});

test("the campaign is set, kept, replaced, or has both notes", () => {
  const campaign = { name: "Ferry road", notes: "The ferryman lies." };
  importEntries([], [], { campaign });
  assert.deepEqual(readCampaign(), campaign);
  for (const [choices, expected] of [
    [["mine", "mine"], { name: "Marsh", notes: "Buy a rope." }],
    [["mine", "both"], { name: "Marsh", notes: "Buy a rope.\n\nThe ferryman lies." }],
    [["file", "file"], campaign],
  ]) {
    saveCampaign({ name: "Marsh", notes: "Buy a rope." });
    importEntries([], choices, { campaign });
    assert.deepEqual(readCampaign(), expected);
  }
});

test("one undo restores everything", () => {
  saveMine();
  saveCampaign({ name: "Marsh", notes: "Buy a rope." });
  const stored = () => Object.entries({ ...localStorage }).map(([key, text]) => [key, { ...JSON.parse(text), revision: 0 }]);
  const before = stored();
  const campaign = { name: "Ferry road", notes: "The ferryman lies." };
  const undo = importEntries([...FILE, entryOf("character/1", "name=Bo", "Bo")], ["file", "both", "file", "both"], { campaign });
  assert.equal(stored().length, before.length + 2);
  writeAllOrNone(undo);
  assert.deepEqual(new Map(stored()), new Map(before));
});

// ---- the export

test("an export has the campaign, its notes and the time; its name has the campaign and the date", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: new Date(2026, 10, 30, 12) });
  assert.equal(buildExportFileName(), "scratch-2026-11-30.json");
  saveCampaign({ name: "Ferry road: Łódź!", notes: "The ferryman lies." });
  characters.addAndMirror({ name: "Ria", query: "name=Ria" });
  assert.equal(buildExportFileName(), "scratch-ferry-road-łódź-2026-11-30.json");
  const file = JSON.parse(buildExportFile());
  assert.deepEqual(Object.keys(file), ["format", "campaign", "exported", "notes", "entries"]);
  assert.deepEqual([file.campaign, file.notes, file.exported], ["Ferry road: Łódź!", "The ferryman lies.", new Date().toISOString()]);
  assert.deepEqual(
    file.entries.map(({ version }) => version),
    ["character/1"],
  );
  assert.deepEqual(parseExportFile(buildExportFile()).campaign, readCampaign());
});

test("a file without a campaign, or with an invalid one, opens", () => {
  const read = (more) => {
    const { campaign, exported } = parseExportFile(JSON.stringify({ format: "scratch-kept/1", entries: [], ...more }));
    return [campaign, exported];
  };
  assert.deepEqual(read({}), [NO_CAMPAIGN, ""]);
  assert.deepEqual(read({ campaign: 7, notes: ["x"], exported: "soon" }), [NO_CAMPAIGN, ""]);
});

test("the campaign is saved, and deleted without name and notes", () => {
  saveCampaign({ name: "", notes: "a & b = c\n\u{1f409}" });
  assert.deepEqual(readCampaign(), { name: "", notes: "a & b = c\n\u{1f409}" });
  saveCampaign(NO_CAMPAIGN);
  assert.deepEqual([readCampaign(), { ...localStorage }], [NO_CAMPAIGN, {}]);
});

// ---- the notice

let element;
let changes;
const notice = () => element.querySelector("[data-notice=import]");
const said = () => notice()?.querySelector("p").textContent;
const button = (words) => [...notice().querySelectorAll("button")].find(({ textContent }) => textContent === words);
const choose = (name, value) => (notice().querySelector(`select[aria-label="${name}"]`).value = value);

/** Open a file on the page of the fights. */
async function openFile(entries, head = {}) {
  [element, changes] = [
    setPage(
      `<scratch-calculator name="fight"><div class="calculator-body"></div><p class="calculator-announcement"></p></scratch-calculator>`,
    ),
    [],
  ];
  const text = JSON.stringify({ format: "scratch-kept/1", ...head, entries });
  assert.equal(
    reviewIfExportFile(element, text, (imported) => changes.push(imported.map(({ name }) => name))),
    true,
  );
  await until(() => notice());
}

test("a text that is no export file is left to Python", () => {
  assert.equal(
    reviewIfExportFile(setPage("<p></p>"), "no file of ours", () => {}),
    false,
  );
});

test("the content of a file is shown before anything changes, and Cancel changes nothing", async () => {
  saveMine();
  const before = { ...localStorage };
  const head = { campaign: "Ferry road", exported: "2026-11-28T12:00:00.000Z", notes: "The ferryman lies." };
  await openFile([...FILE, entryOf("character/1", "name=Bo", "Bo"), entryOf("fight/99", "log=7", "Odd"), { name: 3 }], head);
  assert.equal(
    said(),
    "“Ferry road”, exported on 28 November 2026: 2 characters, 2 fights, notes. 2 new. 2 differ from yours. Choose below. " +
      "Skipped from another version of this site: “Odd”. 1 entry couldn't be read.",
  );
  assert.equal(element.querySelector(".calculator-announcement").textContent, said());
  button("Cancel").click();
  assert.deepEqual([notice(), changes, { ...localStorage }], [null, [], before]);
});

test("the chosen entries are imported, undone and redone", async () => {
  saveMine();
  await openFile([...FILE, entryOf("character/1", "name=Bo", "Bo")]);
  choose("Ria", "file");
  choose("The toll · round 5", "mine");
  button("Import").click();
  await until(() => button("Undo"));
  assert.equal(said(), "Imported 1. Replaced 1. Kept 1 of yours.");
  assert.deepEqual(contents(characters), ["Bo: name=Bo", "Ria: name=Ria&a=2"]);
  characters.saveAndMirror({ ...characters.listLatestFirst().find(({ name }) => name === "Bo"), query: "name=Bo&later=1" });
  button("Undo").click();
  assert.equal(said(), "The import is undone.");
  assert.deepEqual(contents(characters), ["Ria: name=Ria&a=1"]);
  button("Redo").click();
  assert.deepEqual(contents(characters), ["Bo: name=Bo&later=1", "Ria: name=Ria&a=2"], "a later change is gone");
  assert.ok(button("Undo"));
  assert.deepEqual(changes, [["Ria", "Bo"], [], []]);
});

test("one choice is for all that have it", async () => {
  saveMine();
  saveCampaign({ name: "Marsh", notes: "" });
  await openFile(FILE, { campaign: "Ferry road" });
  const all = notice().querySelector('select[aria-label="Choose for all"]');
  all.value = "both";
  all.dispatchEvent(new Event("change"));
  const values = [...notice().querySelectorAll(".campaign__clashes select")].map(({ value }) => value);
  assert.deepEqual(values, ["both", "both", "mine"]);
});

test("a single new entry opens at once, and a file with nothing new has no question", async () => {
  await openFile([entryOf("fight/1", "log=5", "Bay")]);
  assert.deepEqual([said(), changes, contents(fights)], ["Imported 1.", [["Bay"]], ["Bay: log=5"]]);
  assert.deepEqual(
    [...notice().querySelectorAll("a")].map(({ href, textContent }) => [href, textContent]),
    [[`${root}tools/fight/`, "Show in the list on this page"]],
  );
  await openFile([entryOf("fight/1", "log=5", "Bay"), entryOf("fight/1", "log=5", "Bay")]);
  assert.deepEqual([said(), button("Undo")], ["Imported 0. Skipped 2 you already had.", undefined]);
});

test("with a full storage nothing is imported", async () => {
  saveMine();
  const before = { ...localStorage };
  await openFile([...FILE, entryOf("character/1", "name=Bo", "Bo")]);
  choose("Ria", "file");
  device.watch((name, old, text) => device.fill(text.includes("Bo")));
  button("Import").click();
  await until(() => /full/.test(said()));
  assert.match(said(), /^Your browser's storage is full, so nothing was imported\./);
  assert.deepEqual({ ...localStorage }, before);
});

const formOf = (rules, count) => `<form data-rules="${rules}" data-house="${count}"></form>`;

test("house rules of a file are shown as Python reads them, and replace mine on request", async () => {
  characters.addAndMirror({ name: "Ria", query: "name=Ria" });
  pythonClient.answer = { html: formOf("cp=9&corners=free", 1), summary: "1 house rule: 9 character points." };
  await openFile([entryOf("house/1", "cp=9&zzz=1", "House rules", { summary: "Free beer." })]);
  await until(() => notice().textContent.includes("File: 1 house rule: 9 character points."));
  assert.deepEqual(pythonClient.requests.at(-1), { name: "house", query: "cp=9&zzz=1", ask: false, uid: "offered", root });
  assert.doesNotMatch(notice().textContent, /beer/);
  choose("House rules", "file");
  button("Import").click();
  await until(() => button("Undo"));
  assert.deepEqual([said(), contents(house)], ["Imported 0. Replaced 1.", ["House rules: cp=9&corners=free"]]);
});

test("invalid house rules are not imported, and their text is not shown", async () => {
  pythonClient.answer = { html: formOf("cp=10", 0), summary: "" };
  await openFile([entryOf("house/1", "corners=banana", "House rules", { summary: "Free beer." }), entryOf("fight/1", "log=1", "Bay")]);
  await until(() => notice().textContent.includes("can't be read"));
  assert.doesNotMatch(notice().textContent, /beer|banana/);
  const { value, disabled } = notice().querySelector("select");
  assert.deepEqual([value, disabled], ["mine", true]);
  button("Import").click();
  await until(() => button("Undo"));
  assert.deepEqual([contents(house), contents(fights)], [[], ["Bay: log=1"]]);
});
