import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { device } from "./storage.mjs";
import { createEvent, replaceModule, setAddress, setPage } from "./browser.mjs";
import { until } from "./until.mjs";

replaceModule(
  "/engine/client.mjs",
  `export const pythonClient = Object.assign(new EventTarget(), {
    state: "ready", requests: [], ask: async (request) => (pythonClient.requests.push(JSON.parse(request)), JSON.stringify(pythonClient.answer)),
  });`,
);

const scripts = "../../site_overrides/javascripts";
const { root } = await import(`${scripts}/shared/urls.mjs`);
setAddress(`${root}tools/fight/`);
let persisted = 0;
Object.defineProperty(globalThis, "navigator", { value: { storage: { persist: async () => (persisted++, true) } }, configurable: true });
const { SavedController } = await import(`${scripts}/saved/controller.mjs`);
const { pythonClient } = await import(`${scripts}/engine/client.mjs`);
const { SavedEntries, buildExportFile } = await import(`${scripts}/saved/store.mjs`);
const savedEntries = new SavedEntries("fight/1");

let [element, controller, opened, abortController, initialEntry] = [];
const texts = (selector) => [...element.querySelectorAll(selector)].map((each) => each.textContent);
const notice = (about) => element.querySelector(`[data-notice=${about}] p`)?.textContent;
const pressButton = (words) => [...element.querySelectorAll("button")].find((each) => each.textContent === words).click();
const names = () =>
  savedEntries
    .entries()
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
    `<scratch-calculator name="${tool}"><div class="calculator-body"><form data-keep="${tool}/1" data-keep-words="${tool}, ${tool}s" data-kept-shown ${how}>${fields}</form></div><p class="calculator-announcement"></p></scratch-calculator>`,
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
  element.querySelector("form").dataset.keptName = name;
  element.dataset.query = query;
  controller.saveOrRejectAnswer(query, `${name}: round 1.`, how);
  await device.settle();
}

mock.timers.enable({ apis: ["setTimeout"] });
beforeEach(() => device.clear());

test("answers are saved in one entry, listed and marked as durable; persistence is requested once", async () => {
  persisted = 0;
  await openTab();
  await showAnswer("log=1", "Harbour");
  await showAnswer("log=2", "Harbour");
  assert.deepEqual(
    [names(), texts(".kept-open"), texts(".kept-summary"), element.hasAttribute("data-lasts"), persisted],
    [["Harbour"], ["Harbour"], ["open now · Harbour: round 1."], true, 1],
  );
  await showAnswer("log=3", "Bay", { newEntry: true });
  assert.deepEqual(names(), ["Bay", "Harbour"]);
  assert.match(element.querySelector(".kept-lasting").textContent, /until you clear/);
});

test("each tool remembers the open entry of the tab", async () => {
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

test("rejected and transient answers are not saved, and that of a link on request only", async () => {
  await openTab();
  element.querySelector("form").append(Object.assign(document.createElement("p"), { id: "no" }));
  element.querySelector("#no").dataset.refused = "";
  await showAnswer("log=1", "Harbour");
  assert.deepEqual(names(), []);
  await openTab("data-unkept");
  await showAnswer("log=1", "Harbour");
  assert.deepEqual(names(), []);
  await openTab("data-keep-touched");
  await showAnswer("log=1", "Harbour", { typed: false });
  assert.deepEqual([names(), texts(".kept-offer")], [[], ["Save"]]);
  pressButton("Save");
  await device.settle();
  assert.deepEqual([names(), texts(".kept-offer")], [["Harbour"], []]);
});

test("a failed save is shown, with an export of the answer", async () => {
  await openTab();
  device.fill();
  await showAnswer("log=1", "At Sea, again");
  assert.match(notice("unkept"), /^Your browser's storage is full. What you see here isn't saved/);
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
  assert.deepEqual([notice("unkept"), names()], [undefined, ["At Sea, again"]]);
});

test("entries are opened, copied with a unique name, and renamed", async () => {
  await openTab();
  await showAnswer("log=1", "Harbour");
  pressButton("Copy");
  pressButton("Copy");
  await device.settle();
  assert.equal(new Set(names()).size, 3);
  assert.deepEqual([names().at(-1), names()[0].startsWith("Copy of ")], ["Harbour", true]);
  pressButton("Harbour");
  assert.deepEqual(opened, [["log=1", true]]);
  await showAnswer("log=1", "Harbour", { isRestored: true, typed: false });
  const mine = element.querySelector("[aria-current]").closest("li");
  [...mine.querySelectorAll("button")].find((each) => each.textContent === "Rename").click();
  element.querySelector("[data-kept-rename] input").value = "Bay";
  pressButton("Save");
  await device.settle();
  await showAnswer("log=2", "Harbour");
  assert.equal(names()[0], "Bay"); // a name by the user stays
});

test("a control for the name gets the new name, and the query contains it", async () => {
  await openTab('data-kept-names="name, sheet"', '<input name="name" value="Ash">');
  const typed = [];
  element.addEventListener("input", ({ target }) => typed.push(target.value));
  const rename = async (name) => {
    pressButton("Rename");
    element.querySelector("[data-kept-rename] input").value = name;
    pressButton("Save");
    await device.settle();
    return savedEntries.entries()[0];
  };
  await showAnswer("name=Ash&a=1", "Ash");
  const { query, name, summary } = await rename("Birch");
  assert.deepEqual([query, name, summary, typed], ["name=Birch&a=1", "Birch", "Birch: round 1.", ["Birch"]]);
  await showAnswer("sheet=Ash&a=1", "Ash");
  assert.deepEqual([(await rename("Elm")).query, typed], ["sheet=Ash&a=1", ["Birch"]]);
});

test("a fight stays one entry: its query has the name, and its stage follows the answers", async () => {
  await openTab('data-kept-names="called" data-kept-staged', '<input type="hidden" name="called" value="">');
  await showAnswer("sheets=1", "Ann against Bo · not begun");
  pressButton("Rename");
  element.querySelector("[data-kept-rename] input").value = "The toll";
  pressButton("Save");
  await device.settle();
  assert.deepEqual([names(), savedEntries.entries()[0].query], [["The toll · not begun"], "called=The%20toll&sheets=1"]);
  assert.deepEqual(opened, [["called=The%20toll&sheets=1", true]]);
  await showAnswer("log=1&called=The%20toll", "The toll · round 1");
  await showAnswer("log=2&called=The%20toll", "The toll · round 2");
  assert.deepEqual(names(), ["The toll · round 2"]);
  assert.equal(controller.nextNameParam, "&called=The%20toll%202");
  pressButton("Copy");
  await device.settle();
  assert.deepEqual(
    savedEntries
      .entries()
      .map(({ name, query }) => [name, query])
      .sort(),
    [
      ["Copy of The toll · round 2", "log=2&called=Copy%20of%20The%20toll"],
      ["The toll · round 2", "log=2&called=The%20toll"],
    ],
  );
});

test("the list opens an entry in play as the same entry", async () => {
  await openTab('data-kept-presses="Play, do=play"');
  await showAnswer("name=Ash", "Ash");
  await showAnswer("name=Bo", "Bo", { newEntry: true });
  const id = savedEntries.entries().find(({ name }) => name === "Ash").id;
  element.querySelector(`[data-kept-button="press ${id}"]`).click();
  assert.deepEqual(opened, [["name=Ash&do=play", true]]);
  await showAnswer("name=Ash&at=play", "Ash", { isRestored: true, typed: false });
  assert.deepEqual([savedEntries.get(id).query, names()], ["name=Ash&at=play", ["Ash", "Bo"]]);
});

test("fights without a name are numbered, and the next one gets no name", async () => {
  await openTab('data-kept-names="called" data-kept-staged', '<input type="hidden" name="called" value="">');
  await showAnswer("log=1", "Ann against Bo · round 1");
  await showAnswer("log=2", "Ann against Bo · round 1", { newEntry: true });
  assert.deepEqual([names().length, new Set(names()).size, controller.nextNameParam], [2, 2, ""]);
});

test("an opened entry that is rejected is quarantined; a rejected answer of the user changes nothing", async () => {
  await openTab();
  await showAnswer("log=1", "Harbour");
  element.querySelector("form").innerHTML = "<p data-refused></p>";
  await showAnswer("log=", "Harbour", { typed: true });
  assert.deepEqual(names(), ["Harbour"]);
  await showAnswer("log=1", "Harbour", { isRestored: true, typed: false });
  assert.deepEqual([names(), texts(".calculator-aside p").length], [[], 1]);
});

const offerText = () => element.querySelector("[data-notice=taken] span")?.textContent;
const rulesFile = (query, summary = "Free beer.") => buildExportFile([{ version: "house/1", id: "h", query, name: "", summary }]);
const formOf = (rules, count) => `<form data-rules="${rules}" data-house="${count}"></form>`;

test("house rules in a file are shown as Python reads them, and imported on request", async () => {
  await openTab();
  const rules = new SavedEntries("house/1");
  pythonClient.answer = { html: formOf("cp=9&corners=free", 1), summary: "1 house rule: 9 character points." };
  controller.importFileText(rulesFile("cp=9&zzz=1"));
  assert.equal(notice("taken"), "House rules in the file: 1.");
  await until(() => offerText().includes("1 house rule"));
  assert.deepEqual(pythonClient.requests.at(-1), { name: "house", query: "cp=9&zzz=1", ask: false, uid: "offered", root });
  assert.equal(offerText(), "The file has house rules that you don't use yet. 1 house rule: 9 character points. Use these house rules");
  assert.deepEqual(rules.entries(), []);
  pressButton("Use these house rules");
  assert.equal(offerText(), "These are your house rules now.");
  assert.deepEqual(
    rules.entries().map(({ query, summary }) => [query, summary]),
    [["cp=9&corners=free", "1 house rule: 9 character points."]],
  );
  controller.importFileText(rulesFile("cp=9"));
  await until(() => offerText().includes("has the same house rules"));
});

test("invalid house rules in a file are rejected without their text", async () => {
  await openTab();
  pythonClient.answer = { html: formOf("cp=10", 0), summary: "" };
  controller.importFileText(rulesFile("corners=banana"));
  await until(() => offerText().includes("can't be read"));
  const said = element.querySelector("[data-notice=taken]");
  assert.deepEqual([said.querySelectorAll("button").length, /beer|banana/.test(said.textContent)], [0, false]);
  assert.deepEqual(new SavedEntries("house/1").entries(), []);
});

test("a change of the open entry by another tab is shown with its options", async () => {
  await openTab();
  await showAnswer("log=1", "Harbour");
  const [{ id }] = savedEntries.entries();
  const elsewhere = async (action) => {
    const before = { ...localStorage };
    action();
    const key = Object.keys({ ...before, ...localStorage }).find(
      (each) => before[each] !== localStorage[each] && savedEntries.isAffectedBy(each),
    );
    dispatchEvent(createEvent("storage", { key }));
    await device.settle();
  };
  await elsewhere(() => savedEntries.put({ ...savedEntries.get(id), query: "log=9", summary: "Round 9" }));
  assert.equal(
    notice("conflict"),
    "This fight was changed in another tab. There: Harbour: Round 9. Nothing here is saved until you choose a version.",
  );
  pressButton("Save this one as a copy");
  await device.settle();
  assert.deepEqual(
    [
      savedEntries
        .entries()
        .map(({ query }) => query)
        .sort(),
      notice("conflict"),
    ],
    [["log=1", "log=9"], undefined],
  );
  await elsewhere(() => savedEntries.remove(savedEntries.entries().find(({ query }) => query === "log=1").id));
  assert.match(notice("conflict"), /^This fight was deleted in another tab/);
  pressButton("Save again");
  await device.settle();
  assert.deepEqual([savedEntries.entries().length, notice("conflict")], [2, undefined]);
});

test("a file is imported: a single entry opens, other tools are linked, skipped entries are named", async () => {
  await openTab();
  await showAnswer("log=1", "Harbour");
  const one = (version, query, name) => ({ version, id: `${name}`, query, name, summary: "" });
  assert.equal(controller.importFileText("no file of ours"), false);
  assert.equal(controller.importFileText(buildExportFile([one("fight/1", "log=5", "Bay")])), true);
  assert.deepEqual([opened, notice("taken")], [[["log=5", true]], "Imported 1."]);
  assert.deepEqual(texts("[data-notice=taken] a"), ["Show in the list on this page"]);
  controller.importFileText(
    buildExportFile([one("fight/1", "log=5", "Bay"), one("character/1", "name=Ash", "Ash"), one("fight/99", "log=7", "Odd")]),
  );
  assert.equal(opened.length, 1);
  assert.equal(notice("taken"), "Imported 1. Skipped 1 you already had. Skipped from another version of this site: “Odd”.");
  assert.deepEqual([...element.querySelectorAll("[data-notice=taken] a")].map((each) => each.href).sort(), [
    `${root}tools/character/`,
    `${root}tools/fight/`,
  ]);
  device.fill();
  controller.importFileText(buildExportFile(Array.from({ length: 12 }, (_, number) => one("fight/1", `log=1${number}`, `No ${number}`))));
  assert.match(notice("taken"), /^Imported 0 of 12\. Your browser's storage is full. Not imported: “No 0”.* and 2 more\./);
});
