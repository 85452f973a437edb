import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { device } from "./storage.mjs";
import { createEvent, replaceModule, setAddress, setPage } from "./browser.mjs";
import { until } from "./until.mjs";

replaceModule(
  "/engine/client.mjs",
  `export const pythonClient = Object.assign(new EventTarget(), {
    state: "ready", asked: [], ask: async (request) => (pythonClient.asked.push(JSON.parse(request)), JSON.stringify(pythonClient.answer)),
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
const kept = new SavedEntries("fight/1");

let [place, keeping, shown, leaving, begun] = [];
const texts = (selector) => [...place.querySelectorAll(selector)].map((each) => each.textContent);
const notice = (about) => place.querySelector(`[data-notice=${about}] p`)?.textContent;
const press = (words) => [...place.querySelectorAll("button")].find((each) => each.textContent === words).click();
const names = () =>
  kept
    .entries()
    .map(({ name }) => name)
    .sort();

/** A tab with a calculator that keeps; `query` are pairs of what it answers and its name. */
async function tab(how = "", fields = "") {
  device.inTab();
  await visit("fight", how, fields);
}

/** A tool in the tab that is there. */
async function visit(tool, how = "", fields = "") {
  leaving?.abort();
  leaving = new AbortController();
  shown = [];
  place = setPage(
    `<scratch-calculator name="${tool}"><div class="calculator-body"><form data-keep="${tool}/1" data-keep-words="${tool}, ${tool}s" data-kept-shown ${how}>${fields}</form></div><p class="calculator-announcement"></p></scratch-calculator>`,
  );
  keeping = new SavedController(
    place,
    () => place.querySelector("form"),
    (query, opened) => shown.push([query(), opened.isRestored]),
    leaving.signal,
  );
  begun = keeping.begin(null, (one, other) => one === other);
  await device.settle();
}
async function answer(query, name, how) {
  place.querySelector("form").dataset.keptName = name;
  place.dataset.query = query;
  keeping.answered(query, `${name}: round 1.`, how);
  await device.settle();
}

mock.timers.enable({ apis: ["setTimeout"] });
beforeEach(() => device.clear());

test("an answer is kept once for all that follow, is in the list, and is said to last; the browser is asked for that once", async () => {
  persisted = 0;
  await tab();
  await answer("log=1", "Harbour");
  await answer("log=2", "Harbour");
  assert.deepEqual(
    [names(), texts(".kept-open"), texts(".kept-summary"), place.hasAttribute("data-lasts"), persisted],
    [["Harbour"], ["Harbour"], ["open now · Harbour: round 1."], true, 1],
  );
  await answer("log=3", "Bay", { isBeside: true });
  assert.deepEqual(names(), ["Bay", "Harbour"]);
  assert.match(place.querySelector(".kept-lasting").textContent, /until you clear/);
});

test("each tool remembers for itself what is open in the tab", async () => {
  await tab();
  await answer("log=1", "Harbour");
  await answer("log=2", "Bay", { isBeside: true });
  press("Harbour");
  await device.settle();
  await answer("log=1", "Harbour", { isRestored: true, typed: false });
  await visit("character");
  await answer("hp=1", "Ash");
  await visit("fight");
  assert.equal(begun.name, "Harbour");
  await visit("character");
  assert.equal(begun.name, "Ash");
});

test("an answer that is refused, and one with nothing of the reader's own, is not kept; what a link opened only when wanted", async () => {
  await tab();
  place.querySelector("form").append(Object.assign(document.createElement("p"), { id: "no" }));
  place.querySelector("#no").dataset.refused = "";
  await answer("log=1", "Harbour");
  assert.deepEqual(names(), []);
  await tab("data-unkept");
  await answer("log=1", "Harbour");
  assert.deepEqual(names(), []);
  await tab("data-keep-touched");
  await answer("log=1", "Harbour", { typed: false });
  assert.deepEqual([names(), texts(".kept-offer")], [[], ["Save"]]);
  press("Save");
  await device.settle();
  assert.deepEqual([names(), texts(".kept-offer")], [["Harbour"], []]);
});

test("where nothing can be kept it is said, with the answer as a file under its name", async () => {
  await tab();
  device.fill();
  await answer("log=1", "At Sea, again");
  assert.match(notice("unkept"), /^Your browser’s storage is full. What you see here isn’t saved/);
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
  press("Export");
  document.createElement = make;
  assert.deepEqual(saved, ["at-sea-again.json"]);
  device.fill(false);
  await answer("log=2", "At Sea, again");
  assert.deepEqual([notice("unkept"), names()], [undefined, ["At Sea, again"]]);
});

test("entries are opened, copied under a name of their own, renamed and deleted", async () => {
  await tab();
  await answer("log=1", "Harbour");
  press("Copy");
  press("Copy");
  await device.settle();
  assert.equal(new Set(names()).size, 3);
  assert.deepEqual([names().at(-1), names()[0].startsWith("Copy of ")], ["Harbour", true]);
  press("Harbour");
  assert.deepEqual(shown, [["log=1", true]]);
  await answer("log=1", "Harbour", { isRestored: true, typed: false });
  const mine = place.querySelector("[aria-current]").closest("li");
  [...mine.querySelectorAll("button")].find((each) => each.textContent === "Rename").click();
  place.querySelector("[data-kept-rename] input").value = "Bay";
  press("Save");
  await device.settle();
  await answer("log=2", "Harbour");
  assert.equal(names()[0], "Bay"); // a name that was given stays
});

test("where a control holds the name, a new name is typed there, and stands in the entry's query", async () => {
  await tab('data-kept-names="name, sheet"', '<input name="name" value="Ash">');
  const typed = [];
  place.addEventListener("input", ({ target }) => typed.push(target.value));
  const rename = async (name) => {
    press("Rename");
    place.querySelector("[data-kept-rename] input").value = name;
    press("Save");
    await device.settle();
    return kept.entries()[0];
  };
  await answer("name=Ash&a=1", "Ash");
  const { query, name, summary } = await rename("Birch");
  assert.deepEqual([query, name, summary, typed], ["name=Birch&a=1", "Birch", "Birch: round 1.", ["Birch"]]);
  await answer("sheet=Ash&a=1", "Ash");
  assert.deepEqual([(await rename("Elm")).query, typed], ["sheet=Ash&a=1", ["Birch"]]);
});

test("a fight is one entry from its set-up on: its name is in its query, and its stage follows the answers", async () => {
  await tab('data-kept-names="called" data-kept-staged', '<input type="hidden" name="called" value="">');
  await answer("sheets=1", "Ann against Bo · not begun");
  press("Rename");
  place.querySelector("[data-kept-rename] input").value = "The toll";
  press("Save");
  await device.settle();
  assert.deepEqual([names(), kept.entries()[0].query], [["The toll · not begun"], "called=The%20toll&sheets=1"]);
  assert.deepEqual(shown, [["called=The%20toll&sheets=1", true]]);
  await answer("log=1&called=The%20toll", "The toll · round 1");
  await answer("log=2&called=The%20toll", "The toll · round 2");
  assert.deepEqual(names(), ["The toll · round 2"]);
  assert.equal(keeping.nextName, "&called=The%20toll%202");
  press("Copy");
  await device.settle();
  assert.deepEqual(
    kept
      .entries()
      .map(({ name, query }) => [name, query])
      .sort(),
    [
      ["Copy of The toll · round 2", "log=2&called=Copy%20of%20The%20toll"],
      ["The toll · round 2", "log=2&called=The%20toll"],
    ],
  );
});

test("the list opens an entry in play, and it stays the same entry", async () => {
  await tab('data-kept-presses="Play, do=play"');
  await answer("name=Ash", "Ash");
  await answer("name=Bo", "Bo", { isBeside: true });
  const id = kept.entries().find(({ name }) => name === "Ash").id;
  place.querySelector(`[data-kept-button="press ${id}"]`).click();
  assert.deepEqual(shown, [["name=Ash&do=play", true]]);
  await answer("name=Ash&at=play", "Ash", { isRestored: true, typed: false });
  assert.deepEqual([kept.get(id).query, names()], ["name=Ash&at=play", ["Ash", "Bo"]]);
});

test("fights without a name of their own are numbered, and nothing is named after them", async () => {
  await tab('data-kept-names="called" data-kept-staged', '<input type="hidden" name="called" value="">');
  await answer("log=1", "Ann against Bo · round 1");
  await answer("log=2", "Ann against Bo · round 1", { isBeside: true });
  assert.deepEqual([names().length, new Set(names()).size, keeping.nextName], [2, 2, ""]);
});

test("what is kept and refused is put aside when it was opened, and stays where an answer of the reader's is refused", async () => {
  await tab();
  await answer("log=1", "Harbour");
  place.querySelector("form").innerHTML = "<p data-refused></p>";
  await answer("log=", "Harbour", { typed: true });
  assert.deepEqual(names(), ["Harbour"]);
  await answer("log=1", "Harbour", { isRestored: true, typed: false });
  assert.deepEqual([names(), texts(".calculator-aside p").length], [[], 1]);
});

const offer = () => place.querySelector("[data-notice=taken] span")?.textContent;
const rulesFile = (query, summary = "Free beer.") => buildExportFile([{ version: "house/1", id: "h", query, name: "", summary }]);
const formOf = (rules, count) => `<form data-rules="${rules}" data-house="${count}"></form>`;

test("house rules in a file are said as Python reads them, and taken when that is pressed and not before", async () => {
  await tab();
  const rules = new SavedEntries("house/1");
  pythonClient.answer = { html: formOf("cp=9&corners=free", 1), summary: "1 house rule: 9 character points." };
  keeping.opened(rulesFile("cp=9&zzz=1"));
  assert.equal(notice("taken"), "House rules in the file: 1.");
  await until(() => offer().includes("1 house rule"));
  assert.deepEqual(pythonClient.asked.at(-1), { name: "house", query: "cp=9&zzz=1", ask: false, uid: "offered", root });
  assert.equal(offer(), "The file has house rules that you don’t use yet. 1 house rule: 9 character points. Use these house rules");
  assert.deepEqual(rules.entries(), []);
  press("Use these house rules");
  assert.equal(offer(), "These are your house rules now.");
  assert.deepEqual(
    rules.entries().map(({ query, summary }) => [query, summary]),
    [["cp=9&corners=free", "1 house rule: 9 character points."]],
  );
  keeping.opened(rulesFile("cp=9"));
  await until(() => offer().includes("has the same house rules"));
});

test("house rules in a file that Python can't read are refused, and nothing of the file's own words is said", async () => {
  await tab();
  pythonClient.answer = { html: formOf("cp=10", 0), summary: "" };
  keeping.opened(rulesFile("corners=banana"));
  await until(() => offer().includes("can’t be read"));
  const said = place.querySelector("[data-notice=taken]");
  assert.deepEqual([said.querySelectorAll("button").length, /beer|banana/.test(said.textContent)], [0, false]);
  assert.deepEqual(new SavedEntries("house/1").entries(), []);
});

test("what another tab does to the open entry is said, with the ways to go on", async () => {
  await tab();
  await answer("log=1", "Harbour");
  const [{ id }] = kept.entries();
  const elsewhere = async (act) => {
    const before = { ...localStorage };
    act();
    const key = Object.keys({ ...before, ...localStorage }).find((each) => before[each] !== localStorage[each] && kept.isAbout(each));
    dispatchEvent(createEvent("storage", { key }));
    await device.settle();
  };
  await elsewhere(() => kept.put({ ...kept.get(id), query: "log=9", summary: "Round 9" }));
  assert.equal(
    notice("conflict"),
    "This fight was changed in another tab. There: Harbour: Round 9. Nothing here is saved until you choose a version.",
  );
  press("Save this one as a copy");
  await device.settle();
  assert.deepEqual(
    [
      kept
        .entries()
        .map(({ query }) => query)
        .sort(),
      notice("conflict"),
    ],
    [["log=1", "log=9"], undefined],
  );
  await elsewhere(() => kept.remove(kept.entries().find(({ query }) => query === "log=1").id));
  assert.match(notice("conflict"), /^This fight was deleted in another tab/);
  press("Save again");
  await device.settle();
  assert.deepEqual([kept.entries().length, notice("conflict")], [2, undefined]);
});

test("a file's entries are taken in; the only one is shown; others' pages are linked to; what is left out is named", async () => {
  await tab();
  await answer("log=1", "Harbour");
  const one = (version, query, name) => ({ version, id: `${name}`, query, name, summary: "" });
  assert.equal(keeping.opened("no file of ours"), false);
  assert.equal(keeping.opened(buildExportFile([one("fight/1", "log=5", "Bay")])), true);
  assert.deepEqual([shown, notice("taken")], [[["log=5", true]], "Imported 1."]);
  assert.deepEqual(texts("[data-notice=taken] a"), ["Show in the list on this page"]);
  keeping.opened(buildExportFile([one("fight/1", "log=5", "Bay"), one("character/1", "name=Ash", "Ash"), one("fight/99", "log=7", "Odd")]));
  assert.equal(shown.length, 1);
  assert.equal(notice("taken"), "Imported 1. Skipped 1 you already had. Skipped from another version of this site: “Odd”.");
  assert.deepEqual([...place.querySelectorAll("[data-notice=taken] a")].map((each) => each.href).sort(), [
    `${root}tools/character/`,
    `${root}tools/fight/`,
  ]);
  device.fill();
  keeping.opened(buildExportFile(Array.from({ length: 12 }, (_, number) => one("fight/1", `log=1${number}`, `No ${number}`))));
  assert.match(notice("taken"), /^Imported 0 of 12\. Your browser’s storage is full. Not imported: “No 0”.* and 2 more\./);
});
