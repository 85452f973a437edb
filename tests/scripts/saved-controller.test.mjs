import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { device } from "./storage.mjs";
import { createEvent, replacePythonClient, setAddress, setPage } from "./browser.mjs";

replacePythonClient();

const scripts = "../../site_overrides/javascripts";
const { root } = await import(`${scripts}/shared/urls.mjs`);
setAddress(`${root}tools/fight/`);
let persisted = 0;
Object.defineProperty(globalThis, "navigator", { value: { storage: { persist: async () => (persisted++, true) } }, configurable: true });
const { SavedController } = await import(`${scripts}/saved/controller.mjs`);
const { SavedEntries } = await import(`${scripts}/saved/store.mjs`);
const savedEntries = new SavedEntries("fight/1");

let [element, controller, opened, abortController, initialEntry] = [];
const texts = (selector) => [...element.querySelectorAll(selector)].map((each) => each.textContent);
const notice = (about) => element.querySelector(`[data-notice=${about}] p`)?.textContent;
const pressButton = (words) =>
  [...element.querySelectorAll("button")].find((each) => (each.querySelector(".list-row__name") ?? each).textContent === words).click();
const names = () =>
  savedEntries
    .listLatestFirst()
    .map(({ name }) => name)
    .sort();

/** Open a new tab with a calculator that saves its answers. */
async function openTab(how = "", fields = "") {
  device.inTab();
  await openTool("fight", how, fields);
}

/** Open a tool in the current tab. */
async function openTool(tool, how = "", fields = "") {
  abortController?.abort();
  abortController = new AbortController();
  opened = [];
  element = setPage(
    `<scratch-calculator name="${tool}"><div class="calculator-body"><form data-saved-as="${tool}/1" data-saved-nouns="${tool}, ${tool}s" data-saved-list-above ${how}>${fields}</form></div><p class="calculator-announcement"></p></scratch-calculator>`,
  );
  controller = new SavedController(
    element,
    () => element.querySelector("form"),
    (query, { isRestored }) => opened.push([query(), isRestored]),
    abortController.signal,
  );
  initialEntry = controller.openInitialEntry(null, (one, other) => one === other);
  await device.settle();
}
async function showAnswer(query, name, how) {
  element.querySelector("form").dataset.savedName = name;
  element.dataset.query = query;
  controller.saveAnswerOrQuarantineEntry(query, `${name}: round 1.`, how);
  await device.settle();
}

mock.timers.enable({ apis: ["setTimeout"] });
beforeEach(() => device.clear());

test("SavedController saves answers in one entry, marks it as durable, and requests persistent storage once", async () => {
  persisted = 0;
  await openTab();
  await showAnswer("log=1", "Harbour");
  await showAnswer("log=2", "Harbour");
  assert.deepEqual(
    [names(), texts(".list-row__name"), texts(".list-row__details"), element.hasAttribute("data-durably-saved"), persisted],
    [["Harbour"], ["Harbour"], ["open now · Harbour: round 1."], true, 1],
  );
  await showAnswer("log=3", "Bay", { newEntry: true });
  assert.deepEqual(names(), ["Bay", "Harbour"]);
  assert.match(element.querySelector(".calculator-saved__lasting").textContent, /until you clear/);
});

test("SavedController reopens the tab's entry of each tool", async () => {
  await openTab();
  await showAnswer("log=1", "Harbour");
  await showAnswer("log=2", "Bay", { newEntry: true });
  pressButton("Harbour");
  await device.settle();
  await showAnswer("log=1", "Harbour", { isRestored: true, typed: false });
  await openTool("character");
  await showAnswer("hp=1", "Ash");
  await openTool("fight");
  assert.equal(initialEntry.name, "Harbour");
  await openTool("character");
  assert.equal(initialEntry.name, "Ash");
});

test("SavedController saves no rejected or transient answer, and a link's answer only on request", async () => {
  await openTab();
  element.querySelector("form").append(Object.assign(document.createElement("p"), { id: "no" }));
  element.querySelector("#no").dataset.refused = "";
  await showAnswer("log=1", "Harbour");
  assert.deepEqual(names(), []);
  await openTab("data-unsaved");
  await showAnswer("log=1", "Harbour");
  assert.deepEqual(names(), []);
  await openTab("data-save-after-change");
  await showAnswer("log=1", "Harbour", { typed: false });
  assert.deepEqual([names(), texts(".calculator-saved__offer")], [[], ["Save"]]);
  pressButton("Save");
  await device.settle();
  assert.deepEqual([names(), texts(".calculator-saved__offer")], [["Harbour"], []]);
});

test("SavedController reports a failed save, and offers to export the answer", async () => {
  await openTab();
  device.fill();
  await showAnswer("log=1", "At Sea, again");
  assert.match(notice("unsaved"), /^Your browser's storage is full. What you see here isn't saved/);
  const saved = [];
  URL.createObjectURL = () => "blob:1";
  const make = document.createElement.bind(document);
  document.createElement = (tag) =>
    Object.assign(
      make(tag),
      tag === "a"
        ? {
            click() {
              saved.push(this.download);
            },
          }
        : {},
    );
  pressButton("Export");
  document.createElement = make;
  assert.deepEqual(saved, ["at-sea-again.json"]);
  device.fill(false);
  await showAnswer("log=2", "At Sea, again");
  assert.deepEqual([notice("unsaved"), names()], [undefined, ["At Sea, again"]]);
});

test("SavedController opens, copies with a unique name, and renames entries", async () => {
  await openTab();
  await showAnswer("log=1", "Harbour");
  pressButton("Duplicate");
  pressButton("Duplicate");
  await device.settle();
  assert.equal(new Set(names()).size, 3);
  assert.deepEqual([names().at(-1), names()[0].startsWith("Copy of ")], ["Harbour", true]);
  pressButton("Harbour");
  assert.deepEqual(opened, [["log=1", true]]);
  await showAnswer("log=1", "Harbour", { isRestored: true, typed: false });
  const mine = element.querySelector("[aria-current]").closest("li");
  [...mine.querySelectorAll("button")].find((each) => each.textContent === "Rename").click();
  element.querySelector("[data-list-rename] input").value = "Bay";
  pressButton("Save");
  await device.settle();
  await showAnswer("log=2", "Harbour");
  assert.equal(names()[0], "Bay"); // a name by the user stays
});

test("SavedController writes a new name into the form's name control and the query", async () => {
  await openTab('data-saved-name-controls="name, sheet"', '<input name="name" value="Ash">');
  const typed = [];
  element.addEventListener("input", ({ target }) => typed.push(target.value));
  const rename = async (name) => {
    pressButton("Rename");
    element.querySelector("[data-list-rename] input").value = name;
    pressButton("Save");
    await device.settle();
    return savedEntries.listLatestFirst()[0];
  };
  await showAnswer("name=Ash&a=1", "Ash");
  const { query, name, summary } = await rename("Birch");
  assert.deepEqual([query, name, summary, typed], ["name=Birch&a=1", "Birch", "Birch: round 1.", ["Birch"]]);
  await showAnswer("sheet=Ash&a=1", "Ash");
  assert.deepEqual([(await rename("Elm")).query, typed], ["sheet=Ash&a=1", ["Birch"]]);
});

test("SavedController saves a fight as one entry: its query has the name, and its stage follows the answers", async () => {
  await openTab('data-saved-name-controls="called" data-saved-name-has-stage', '<input type="hidden" name="called" value="">');
  await showAnswer("sheets=1", "Ann against Bo · not begun");
  pressButton("Rename");
  element.querySelector("[data-list-rename] input").value = "The toll";
  pressButton("Save");
  await device.settle();
  assert.deepEqual([names(), savedEntries.listLatestFirst()[0].query], [["The toll · not begun"], "called=The%20toll&sheets=1"]);
  assert.deepEqual(opened, [["called=The%20toll&sheets=1", true]]);
  await showAnswer("log=1&called=The%20toll", "The toll · round 1");
  await showAnswer("log=2&called=The%20toll", "The toll · round 2");
  assert.deepEqual(names(), ["The toll · round 2"]);
  assert.equal(controller.nextNameQueryPart, "&called=The%20toll%202");
  pressButton("Duplicate");
  await device.settle();
  assert.deepEqual(
    savedEntries
      .listLatestFirst()
      .map(({ name, query }) => [name, query])
      .sort(),
    [
      ["Copy of The toll · round 2", "log=2&called=Copy%20of%20The%20toll"],
      ["The toll · round 2", "log=2&called=The%20toll"],
    ],
  );
});

test("SavedController continues an entry that is opened in play as the same entry", async () => {
  await openTab('data-saved-actions="Play, do=play"');
  await showAnswer("name=Ash", "Ash");
  await showAnswer("name=Bo", "Bo", { newEntry: true });
  const id = savedEntries.listLatestFirst().find(({ name }) => name === "Ash").id;
  element.querySelector(`[data-list-button="press ${id}"]`).click();
  assert.deepEqual(opened, [["name=Ash&do=play", true]]);
  await showAnswer("name=Ash&at=play", "Ash", { isRestored: true, typed: false });
  assert.deepEqual([savedEntries.find(id).query, names()], ["name=Ash&at=play", ["Ash", "Bo"]]);
});

test("SavedController numbers fights without a name, and gives the next one no name", async () => {
  await openTab('data-saved-name-controls="called" data-saved-name-has-stage', '<input type="hidden" name="called" value="">');
  await showAnswer("log=1", "Ann against Bo · round 1");
  await showAnswer("log=2", "Ann against Bo · round 1", { newEntry: true });
  assert.deepEqual([names(), controller.nextNameQueryPart], [["Ann against Bo 2 · round 1", "Ann against Bo · round 1"], ""]);
  await showAnswer("log=3", "Ann against Bo · over");
  assert.deepEqual(names(), ["Ann against Bo 2 · over", "Ann against Bo · round 1"]);
});

test("SavedController continues a fight's entry after going back, without the undone steps", async () => {
  await openTab('data-identity-control="log" data-saved-name-has-stage');
  await showAnswer("log=1&redo=2", "Ann against Bo · round 1");
  await showAnswer("log=9", "Ann against Bo · over", { newEntry: true });
  await showAnswer("log=1", "Ann against Bo · round 1", { newEntry: "unless-saved" });
  const queries = () => savedEntries.listLatestFirst().map(({ query }) => query);
  assert.deepEqual(queries(), ["log=1", "log=9"]);
  await showAnswer("log=4", "Cid against Dee · round 1", { newEntry: "unless-saved" });
  assert.deepEqual(queries(), ["log=4", "log=1", "log=9"]);
});

test("SavedController deletes and restores all entries at once, and opens a new one by its query", async () => {
  await openTab('data-new-entry-button="New fight, start=empty"');
  await showAnswer("log=1", "Harbour");
  await showAnswer("log=2", "Bay", { newEntry: true });
  pressButton("Delete all (2)");
  await device.settle();
  assert.deepEqual(names(), []);
  pressButton("Undo");
  await device.settle();
  assert.deepEqual([names(), controller.openId !== undefined], [["Bay", "Harbour"], true]);
  pressButton("New fight");
  assert.deepEqual(opened, [["start=empty", undefined]]);
});

test("SavedController quarantines an opened entry that is rejected; a rejected answer of the user changes nothing", async () => {
  await openTab();
  await showAnswer("log=1", "Harbour");
  element.querySelector("form").innerHTML = "<p data-refused></p>";
  await showAnswer("log=", "Harbour", { typed: true });
  assert.deepEqual(names(), ["Harbour"]);
  await showAnswer("log=1", "Harbour", { isRestored: true, typed: false });
  assert.deepEqual([names(), texts(".calculator-aside p").length], [[], 1]);
});

test("SavedController saves what follows a refused file as a new entry", async () => {
  await openTab();
  await showAnswer("log=1", "Harbour");
  const form = element.querySelector("form").innerHTML;
  element.querySelector("form").innerHTML = "<p data-refused></p>";
  await showAnswer("log=no", "", { newEntry: true });
  element.querySelector("form").innerHTML = form;
  await showAnswer("log=2", "Bay", { typed: true });
  assert.deepEqual(names().sort(), ["Bay", "Harbour"]);
});

test("SavedController shows its options if another tab changes the open entry", async () => {
  await openTab();
  await showAnswer("log=1", "Harbour");
  const [{ id }] = savedEntries.listLatestFirst();
  const elsewhere = async (action) => {
    const before = { ...localStorage };
    action();
    const key = Object.keys({ ...before, ...localStorage }).find(
      (each) => before[each] !== localStorage[each] && savedEntries.isAffectedBy(each),
    );
    dispatchEvent(createEvent("storage", { key }));
    await device.settle();
  };
  await elsewhere(() => savedEntries.saveAndMirror({ ...savedEntries.find(id), query: "log=9", summary: "Round 9" }));
  assert.equal(
    notice("conflict"),
    "This fight was changed in another tab. There: Harbour: Round 9. Nothing here is saved until you choose a version.",
  );
  pressButton("Save this one as a copy");
  await device.settle();
  assert.deepEqual(
    [
      savedEntries
        .listLatestFirst()
        .map(({ query }) => query)
        .sort(),
      notice("conflict"),
    ],
    [["log=1", "log=9"], undefined],
  );
  await elsewhere(() => savedEntries.removeAndMirror(savedEntries.listLatestFirst().find(({ query }) => query === "log=1").id));
  assert.match(notice("conflict"), /^This fight was deleted in another tab/);
  pressButton("Save again");
  await device.settle();
  assert.deepEqual([savedEntries.listLatestFirst().length, notice("conflict")], [2, undefined]);
});

test("SavedController shows what an import changed: it opens a single entry, and a replaced one again", async () => {
  await openTab();
  await showAnswer("log=1", "Harbour");
  const added = savedEntries.addAndMirror({ query: "log=5", name: "Bay" });
  controller.handleImport([added]);
  assert.deepEqual([opened, texts(".list-row__name").sort()], [[["log=5", true]], ["Bay", "Harbour"]]);
  await showAnswer("log=5", "Bay", { isRestored: true, typed: false });
  savedEntries.saveAndMirror({ ...savedEntries.find(added.id), query: "log=6" });
  controller.handleImport([added, added]);
  assert.deepEqual([opened.at(-1), notice("conflict")], [["log=6", true], undefined]);
  savedEntries.removeAndMirror(added.id);
  controller.handleImport([]);
  assert.deepEqual([controller.openId, notice("conflict"), opened.length], [undefined, undefined, 2]);
});

test("SavedController keeps a conflict with another tab open during an import", async () => {
  await openTab();
  await showAnswer("log=1", "Harbour");
  const [entry] = savedEntries.listLatestFirst();
  savedEntries.saveAndMirror({ ...entry, query: "log=9" });
  dispatchEvent(createEvent("storage", { key: savedEntries.keyOf(entry.id) }));
  controller.handleImport([]);
  assert.match(notice("conflict"), /changed in another tab/);
  assert.deepEqual(opened, []);
});

test("queries that differ only by the place of the page are of the same entry, and a share link has the place", async () => {
  await openTab('data-view-controls="at=play, rolled" data-save-after-change');
  await showAnswer("name=Ash&rolled=agility", "Ash", { typed: true });
  assert.ok(element.querySelector("[data-share]").dataset.share.endsWith("#?at=play&name=Ash&rolled=agility"));
  const isSame = (one, other) => one === other;
  assert.equal(controller.openInitialEntry("name=Ash&at=play", isSame)?.name, "Ash");
  assert.equal(controller.openInitialEntry("name=Bo&at=play", isSame), null);
  await showAnswer("name=Ash&at=play", "Ash", { typed: false }); // a packed link
  assert.deepEqual([names(), texts(".calculator-saved__offer"), controller.openId !== undefined], [["Ash"], [], true]);
});
