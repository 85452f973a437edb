import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { createEvent, isFocused, listTypes, replaceModule, setAddress, setPage, setProperties } from "./browser.mjs";
import { settlePromises, until } from "./until.mjs";

replaceModule(
  "/idiomorph.esm.js",
  "export const Idiomorph = { morph: (body, parts, { callbacks }) => (globalThis.morphing = callbacks, body.replaceChildren(...parts)) };",
);
replaceModule("/offline/register.mjs", "");
replaceModule("/page/material-fixes.mjs", "");
replaceModule(
  "/engine/client.mjs",
  `
  export const pythonClient = Object.assign(new EventTarget(), {
    state: "ready", message: "", start() {}, retry() {},
    ask: (request, signal) => new Promise((done, fail) => pythonClient.asked.push({ ...JSON.parse(request), signal, fail, done })),
  });`,
);
mock.timers.enable({ apis: ["setTimeout"] });
const scripts = "../../site_overrides/javascripts";
setAddress("https://example.org/tools/dice/");
Object.defineProperty(globalThis, "navigator", {
  value: { clipboard: { writeText: async (text) => copied.push(text) } },
  configurable: true,
});
const { root } = await import(`${scripts}/shared/urls.mjs`);
const { pythonClient } = await import(`${scripts}/engine/client.mjs`);
await import(`${scripts}/calculator/calculator.mjs`);

const PAGE = `${root}tools/dice/`;
let [place, copied] = [null, []];
const form = (inside, how = "") => `<form${how}>${inside}<button type="submit" name="act" value="roll">Roll</button></form>`;

/** The calculator's element with this in it, on a page of its own, begun. */
function begin(html, address = PAGE) {
  place?.remove();
  setAddress(address);
  pythonClient.asked = [];
  place = setPage(`<scratch-calculator name="dice" uid="c1"><div class="calculator-body calculator">${html}</div></scratch-calculator>`);
  return place;
}
const find = (selector) => place.querySelector(selector);
const press = (selector) => find(selector).click();
const asked = () => pythonClient.asked.map(({ query }) => decodeURIComponent(query));
async function answer(html, query, more = {}) {
  pythonClient.asked.at(-1).done(JSON.stringify({ html, query, summary: `It is ${query}.`, ...more }));
  await settlePromises();
}
function type(selector, value) {
  find(selector).value = value;
  find(selector).dispatchEvent(createEvent("input"));
}
function key(name, target, more = {}) {
  const event = createEvent("keydown", { key: name, ...more });
  target.dispatchEvent(event);
  return event.defaultPrevented;
}
const status = () => [place.dataset.state, find(".calculator-status").hidden, find(".calculator-status span").textContent];

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  localStorage.clear();
  sessionStorage.clear();
  copied = [];
  pythonClient.state = "ready";
});

test("a press asks for what the form says and the button; the answer stands in the page, its query in the address", async () => {
  begin(form('<input name="roll" value="d6"><input name="act" value="old"><input type="checkbox" name="off">'));
  press("[value=roll]");
  assert.deepEqual(
    pythonClient.asked.map(({ name, query, ask, uid, root: where }) => [name, query, ask, uid, where]),
    [["dice", "roll=d6&act=roll", true, "c1", root]],
  );
  assert.deepEqual([status(), place.hasAttribute("stale")], [["working", false, "Calculating …"], true]);
  await answer(form('<input name="roll" value="d8">'), "roll=d8");
  assert.deepEqual([find("[name=roll]").value, place.dataset.query, location.href], ["d6", "roll=d8", `${PAGE}?roll=d8`]);
  assert.deepEqual(
    [status(), place.hasAttribute("stale"), find(".calculator-announcement").textContent],
    [["ready", true, ""], false, "It is roll=d8."],
  );
});

test("what the reader has typed stands in the answer, but where that sets it anew or its button did", async () => {
  const fields = (value) =>
    form(`<input name="a" value="${value}"><input name="b" value="${value}" data-fresh><input name="act" value="${value}">`);
  begin(fields("old"));
  for (const name of ["a", "b", "act"]) type(`[name=${name}]:not(button)`, "typed");
  press("[value=roll]");
  await answer(fields("new"), "x=1");
  assert.deepEqual(
    ["a", "b", "act"].map((name) => find(`[name=${name}]:not(button)`).value),
    ["typed", "new", "new"],
  );
});

test("a live form asks for what is typed after a pause, another one not", () => {
  for (const [how, found] of [
    [" data-live", ["a=9"]],
    ["", []],
  ]) {
    begin(form('<input name="a" value="1">', how));
    type("[name=a]", "9");
    mock.timers.tick(149);
    assert.deepEqual(asked(), []);
    mock.timers.tick(1);
    assert.deepEqual([asked(), pythonClient.asked.some(({ ask }) => ask)], [found, false]);
  }
});

test("what is pressed while an answer is under way is asked on that answer, or said to be no more", async () => {
  begin(form('<button type="submit" name="act" value="hit">Hit</button><button type="submit" name="act" value="run">Run</button>'));
  press("[value=roll]");
  press("[value=hit]");
  press("[value=run]");
  await answer(form('<button type="submit" name="act" value="run">Run</button>'), "n=1");
  assert.deepEqual(asked(), ["act=roll", "act=run"]);
  assert.equal(find(".calculator-refused span").textContent, "“Hit” wasn't done because it is no longer available. ");
  assert.equal(find(".calculator-announcement").textContent, "It is n=1. “Hit” wasn't done because it is no longer available. ");
});

test("an address asks for its query, the one behind the # first, and for none that is another's", () => {
  const fields = form('<input name="a" value="1">');
  for (const [address, found] of [
    ["?a=2", ["a=2"]],
    ["?a=2#?a=3", ["a=3"]],
    ["#?a=3", ["a=3"]],
    ["?utm=1", []],
    ["?packed=x", ["packed=x"]],
    ["#a", []],
  ]) {
    begin(fields, PAGE + address);
    assert.deepEqual([asked(), pythonClient.asked.map(({ ask }) => ask)], [found, found.map(() => false)], address);
  }
});

test("links to an answer lead to the tool's page with its query, and a button that shares hands over that address", async () => {
  const long = `log=${"x".repeat(4_000)}`;
  begin(
    form('<input name="a" value="1">', ' data-kept-name="Ash"') +
      `<a data-share href="?a=1">Link</a><a data-share href="#?${long}">Long</a><button type="button" data-share="">Share</button><button type="button" id="own" data-share="#?b=2">Share</button>`,
  );
  assert.deepEqual(
    [...place.querySelectorAll("a")].map((each) => each.href),
    [`${PAGE}?a=1`, `${PAGE}#?${long}`],
  );
  press("#own");
  place.dataset.query = "a=1";
  press('button[data-share=""]');
  place.dataset.query = long;
  press('button[data-share=""]');
  await until(() => pythonClient.asked.length === 1);
  assert.deepEqual([pythonClient.asked[0].link, pythonClient.asked[0].title], [long, "Ash"]);
  pythonClient.asked[0].done(JSON.stringify({ link: "title=Ash&packed=1abc" }));
  await until(() => copied.length === 3);
  assert.deepEqual(copied, [`${PAGE}#?b=2`, `${PAGE}?a=1`, `${PAGE}#?title=Ash&packed=1abc`]);
});

test("a click on a link to the answer copies it packed and stays; with a key held down, or to be opened, it is followed", async () => {
  begin(form("") + `<a data-share href="?a=${"x".repeat(600)}">Link</a> <a data-share="open" href="?a=1">Open in Dice</a>`);
  const click = (selector, more = {}) => {
    const event = createEvent("click", more);
    find(selector).dispatchEvent(event);
    return event.defaultPrevented;
  };
  assert.deepEqual([click('[data-share="open"]'), click('a[data-share=""]', { ctrlKey: true }), pythonClient.asked], [false, false, []]);
  assert.equal(click('a[data-share=""]'), true);
  await until(() => pythonClient.asked.length === 1);
  pythonClient.asked[0].done(JSON.stringify({ link: "packed=1abc" }));
  await until(() => copied.length === 1);
  assert.deepEqual([copied, find("a").textContent], [[`${PAGE}#?packed=1abc`], "Copied"]);
});

test("a text that is copied with a link has the packed one behind it", async () => {
  begin(form("") + `<button type="button" data-copy="Two." data-copy-link="${PAGE}?a=${"x".repeat(600)}">Copy</button>`);
  press("[data-copy]");
  await until(() => pythonClient.asked.length === 1);
  pythonClient.asked[0].done(JSON.stringify({ link: "packed=1abc" }));
  await until(() => copied.length === 1);
  assert.deepEqual(copied, [`Two. ${PAGE}#?packed=1abc`]);
});

test("a link to another query is answered here, and left to the browser with a key held down", () => {
  begin(form("") + '<a href="?a=2">Two</a>');
  find("a").dispatchEvent(createEvent("click", { ctrlKey: true }));
  assert.deepEqual(asked(), []);
  press("a");
  assert.deepEqual(asked(), ["a=2"]);
});

test("a key presses its button, but in no field to write in, with no other key, and on nothing else of the page", () => {
  begin(form('<input name="a"><button type="submit" name="act" value="end" data-key="e">End</button><p>words</p>'));
  assert.deepEqual([key("e", find("input")), key("e", find("p"), { altKey: true }), key("x", find("p"))], [false, false, false]);
  assert.deepEqual(asked(), []);
  assert.equal(key("e", find("p")), true);
  assert.equal(key("e", document.body, { repeat: true }), true);
  assert.deepEqual(asked(), ["act=end"]);
});

test("back asks for what was answered before, once for each answer that was typed or pressed", async () => {
  const html = form('<input name="a" value="1"><button type="button" data-back disabled>Back</button>');
  begin(html, `${PAGE}?a=0`);
  await answer(html, "a=0");
  assert.equal(find("[data-back]").disabled, true);
  press("[value=roll]");
  await answer(html, "a=1");
  press("[data-back]");
  assert.equal(asked().at(-1), "a=0");
  await answer(html, "a=0");
  assert.equal(find("[data-back]").disabled, true);
});

test("back ends where an entry was opened, and leads across entries without writing over one", async () => {
  const html = form(
    '<input name="a"><button type="button" data-back disabled>Back</button>',
    ' data-keep="dice/1" data-kept-name="One" data-kept-shown',
  );
  const beside = html.replace('value="roll"', 'value="roll" data-beside="beside"');
  const saved = () =>
    Object.values(localStorage)
      .map((text) => JSON.parse(text).query)
      .sort();
  begin(html);
  for (const query of ["a=1", "a=2"]) {
    press("[value=roll]");
    await answer(query === "a=2" ? beside : html, query);
  }
  press("[value=roll]");
  await answer(html, "b=1");
  press("[value=roll]");
  await answer(html, "b=2");
  assert.deepEqual(saved(), ["a=2", "b=2"]);
  const gone = Object.keys(localStorage).find((name) => JSON.parse(localStorage[name]).query === "a=2");
  delete localStorage[gone]; // in another tab: nothing is left to go back to
  for (const query of ["b=1", "a=2", "a=1"]) {
    press("[data-back]");
    assert.equal(asked().at(-1), query);
    await answer(html, query);
  }
  assert.deepEqual(saved(), ["a=1", "b=1"]);
  press("[value=roll]");
  await answer(html, "a=3");
  find(".kept-open").click();
  await answer(html, asked().at(-1));
  assert.equal(find("[data-back]").disabled, true);
});

test("a file that is opened takes nothing of what was open along, where the form says what to send with it", async () => {
  const html = form(
    '<textarea name="sheet"></textarea><input name="play" value="hp 1"><input type="file">',
    ' data-file-into="sheet" data-file-begins="start=sheet&play="',
  );
  begin(html);
  setProperties(find("[type=file]"), { files: [new Blob(["Bo"])], value: "bo.txt" });
  find("[type=file]").dispatchEvent(createEvent("change"));
  await until(() => pythonClient.asked.length === 1);
  pythonClient.asked[0].done("{}");
  await until(() => pythonClient.asked.length === 2);
  assert.equal(asked()[1], "sheet=Bo&play=hp 1&start=sheet&play=");
});

test("what was pressed for is listed where the form asks for it, whole, and can be forgotten", async () => {
  const html = form('<input name="a" value="1">', ' data-history="They will stand here."');
  begin(html);
  const listed = () => [...place.querySelectorAll(".calculator-history li")].map((each) => each.querySelector("a").outerHTML);
  assert.deepEqual([find(".calculator-history p").textContent, listed()], ["They will stand here.", []]);
  press("[value=roll]");
  await answer(html, "a=1", { unfinished: true });
  assert.deepEqual(listed(), []);
  await answer(html, "a=1");
  setAddress(PAGE);
  assert.deepEqual(listed(), [`<a href="${PAGE}?a=1">It is a=1.</a>`]);
  press("[data-forget]");
  assert.deepEqual([listed(), sessionStorage.length], [[], 0]);
});

test("what fails is said and can be tried again; a press goes on after it", async () => {
  begin(form('<input name="a" value="1">'));
  press("[value=roll]");
  pythonClient.asked[0].fail(new Error("No Python."));
  await settlePromises();
  assert.deepEqual(
    [status(), find("[data-retry]").hidden, find(".calculator-status span").getAttribute("role")],
    [["failed", false, "No Python."], false, "alert"],
  );
  press("[data-retry]");
  assert.deepEqual(asked(), ["a=1&act=roll", "a=1&act=roll"]);
  await answer(form('<input name="a" value="1">'), "a=1");
  assert.deepEqual(status(), ["ready", true, ""]);
});

test("a browser that cannot run Python is offered no second try", async () => {
  begin(form('<input name="a" value="1">'));
  pythonClient.isUnsupported = true;
  press("[value=roll]");
  pythonClient.asked[0].fail(new Error("No WebAssembly."));
  await settlePromises();
  assert.deepEqual([status(), find("[data-retry]").hidden], [["failed", false, "No WebAssembly."], true]);
  pythonClient.isUnsupported = false;
});

test("what takes a second can be stopped, and all is as it was", async () => {
  begin(form('<input name="a" value="1">'));
  press("[value=roll]");
  mock.timers.tick(999);
  assert.equal(find("[data-stop]").hidden, true);
  mock.timers.tick(1);
  assert.equal(find("[data-stop]").hidden, false);
  press("[data-stop]");
  assert.deepEqual(
    [pythonClient.asked[0].signal.aborted, status()[0], find(".calculator-announcement").textContent],
    [true, "ready", "Stopped. Nothing has changed."],
  );
  await answer(form(""), "late");
  assert.notEqual(place.dataset.query, "late");
});

test("what is told once stays while more of an unfinished answer comes", async () => {
  const told = Object.assign(document.createElement("strong"), { textContent: "Bo removed." });
  told.dataset.added = "";
  begin(form('<input name="a" value="1">'));
  press("[value=roll]");
  await answer(form(""), "a=1", { unfinished: true });
  assert.equal(globalThis.morphing.beforeNodeRemoved(told), true);
  await answer(form(""), "a=1");
  assert.equal(globalThis.morphing.beforeNodeRemoved(told), false);
  assert.equal(globalThis.morphing.beforeNodeRemoved(document.createElement("p")), true);
});

test("an unfinished answer stands in the page and is asked for again; stopped, it stays", async () => {
  begin(form('<input name="a" value="1">'));
  press("[value=roll]");
  await answer(form('<input name="a" value="1">'), "a=1", { unfinished: true });
  assert.deepEqual(
    [asked(), pythonClient.asked[1].ask, status()],
    [["a=1&act=roll", "a=1"], true, ["working", false, "Still working. The range will narrow."]],
  );
  press("[data-stop]");
  assert.deepEqual([status()[0], find(".calculator-announcement").textContent], ["ready", "Stopped. The results so far are shown."]);
  await answer(form(""), "late");
  assert.equal(place.dataset.query, "a=1");
});

test("an answer is said once it is whole, and what there is of it by then to whoever pressed", async () => {
  const html = form('<input name="a" value="1">');
  const said = () => find(".calculator-announcement").textContent;
  begin(html, `${PAGE}?a=1`);
  await answer(html, "a=1", { unfinished: true });
  assert.equal(said(), "");
  await answer(html, "a=1");
  assert.equal(said(), "It is a=1.");
  press("[value=roll]");
  await answer(html, "a=2", { unfinished: true });
  assert.equal(said(), "It is a=2.");
  await answer(html, "a=3", { unfinished: true });
  assert.equal(said(), "It is a=2.");
});

test("a fold that the reader has opened, a button that plays and a stroke under way stay as they are in an answer", () => {
  const { beforeAttributeUpdated: isRulesChange } = globalThis.morphing;
  const [fold, button, other] = [document.createElement("details"), { hasAttribute: () => true }, { hasAttribute: () => false }];
  const taken = [
    ["open", fold],
    ["open", other],
    ["data-passed", other],
    ["data-gathering", other],
    ["aria-pressed", button],
    ["aria-pressed", other],
    ["class", fold],
  ];
  assert.deepEqual(
    taken.map(([name, node]) => isRulesChange(name, node)),
    [false, true, false, false, false, true, true],
  );
});

test("what failed is asked again before the next press where it was to be opened, or where Python is not there; else it is given up", async () => {
  const fields = form('<input name="a" value="1">');
  for (const [address, state, found] of [
    ["?a=2", "ready", ["a=2", "a=2", "a=1&act=roll"]],
    ["", "failed", ["a=1&act=roll", "a=1&act=roll", "a=1&act=roll"]],
    ["", "ready", ["a=1&act=roll", "a=1&act=roll"]],
  ]) {
    begin(fields, PAGE + address);
    if (!address) press("[value=roll]");
    pythonClient.asked[0].fail(new Error("No."));
    await settlePromises();
    find("[name=a]").value = "1"; // where the link's value stood while it was coming
    pythonClient.state = state;
    press("[value=roll]");
    pythonClient.state = "ready";
    await answer(fields, "a=1");
    assert.deepEqual(asked(), found);
  }
});

test("buttons step a number, add to a control, save what stands in one, and play", async () => {
  const saved = [];
  document.createElement = (
    (make) => (tag) =>
      tag === "a"
        ? Object.assign(make(tag), {
            click() {
              saved.push(this.download, this.href);
            },
          })
        : make(tag)
  )(document.createElement.bind(document));
  mock.method(URL, "createObjectURL", (blob) => `blob:${blob.size}`);
  begin(
    form(
      '<input name="n" value="1"><input name="keys" data-fresh><output data-shows="keys"></output><textarea name="log">abc</textarea><button type="button" data-step="-1" data-control="n">−</button>',
    ) +
      '<button type="button" data-add="d6" data-control="keys">d6</button>' +
      '<button type="button" id="own" data-download="a.txt" data-text="ab">Save</button><button type="button" id="of" data-download="b.txt" data-of="log">Save</button>',
  );
  press("[data-step]");
  assert.deepEqual([find("[name=n]").value, find("[data-step]").disabled], ["0", true]);
  press("#own");
  press("#of");
  assert.deepEqual(saved, ["a.txt", "blob:2", "b.txt", "blob:3"]);
  press("[data-add]");
  press("[data-add]");
  press("[data-add]");
  assert.deepEqual([asked(), find("output").textContent], [["n=0&keys=d6&log=abc"], "d6; d6"]);
});

test("a press that asks for kept entries of another calculator sends them along, and folds what it stands in", () => {
  begin(
    form(
      '<details data-folds open><summary>More</summary><button type="submit" name="act" value="yours" data-hands="character/1">Yours</button></details>',
    ),
  );
  press("[value=yours]");
  assert.deepEqual([asked(), find("details").open, isFocused(find("summary"))], [["act=yours&kept=[]"], false, true]);
});

test("what leaves the page takes its listeners along and asks for nothing more; what is put in twice listens once", () => {
  place.remove();
  const heard = () => [listTypes(window), listTypes(document), listTypes(pythonClient).filter((type) => type === "change").length];
  const before = heard();
  let watching = 0;
  globalThis.IntersectionObserver = class {
    observe() {
      watching += 1;
    }
    disconnect() {
      watching -= 1;
    }
  };
  begin(form('<input name="a" value="1"><svg data-gather="a" data-parts="x"></svg>', " data-live data-keep='dice/1'"));
  const during = [...heard(), listTypes(place), watching];
  assert.equal(find(".calculator-file"), null, "a list of kept entries opens files itself");
  assert.deepEqual([during[2], watching, during[1].includes("keydown"), during[0].includes("hashchange")], [1, 1, true, true]);
  place.connectedCallback();
  assert.deepEqual([...heard(), listTypes(place), watching], during);
  type("[name=a]", "9");
  place.remove();
  mock.timers.tick(10_000);
  assert.deepEqual([...heard(), listTypes(place), listTypes(find("svg")), watching, asked()], [...before, [], [], 0, []]);
});

test("Python starts as soon as the calculator is seen or meant, and not unasked where data is saved", () => {
  let [seen, starts] = [null, 0];
  pythonClient.start = () => starts++;
  globalThis.IntersectionObserver = class {
    constructor(told) {
      seen = (isIntersecting) => told([{ isIntersecting }]);
    }
    observe() {}
    disconnect() {
      seen = null;
    }
  };
  begin(form(""));
  seen(false);
  assert.deepEqual([starts, seen === null], [0, false]);
  seen(true);
  assert.deepEqual([starts, seen], [1, null]);
  for (const intent of ["pointerenter", "focusin", "touchstart"]) place.dispatchEvent(createEvent(intent));
  assert.equal(starts, 4);
  navigator.connection = { saveData: true };
  begin(form(""));
  assert.equal(seen, null);
  delete navigator.connection;
  pythonClient.start = () => {};
});

test("while what a link holds is coming it is said; the next fragment is asked for too, and its answer is in the window's title", async () => {
  document.title = "Dice - Scratch";
  const html = form('<input name="a" value="1">');
  begin(html, `${PAGE}?a=2`);
  assert.equal(find(".calculator-coming").textContent, "Loading: 2");
  await answer(html, "a=2");
  assert.deepEqual([find(".calculator-coming"), document.title], [null, "It is a=2 — Dice"]);
  setAddress(`${PAGE}#here`);
  dispatchEvent(createEvent("hashchange"));
  setAddress(`${PAGE}#?a=3`);
  dispatchEvent(createEvent("hashchange"));
  assert.deepEqual(asked(), ["a=2", "a=3"]);
  await answer(`${html}<p data-answer data-title="Three."></p>`, "a=3");
  assert.equal(document.title, "Three — Dice");
  await answer(html, "a=3", { summary: "" });
});

test("what Python is about shows while something is asked, and what failed stays said", async () => {
  begin(form('<input name="a" value="1">'));
  const change = (state, message = "") => {
    Object.assign(pythonClient, { state, message });
    pythonClient.dispatchEvent(new Event("change"));
    return status();
  };
  assert.deepEqual(change("starting", "Starting Python …"), ["starting", true, "Starting Python …"]);
  press("[value=roll]");
  assert.deepEqual(change("starting", "Starting Python: a …"), ["starting", false, "Starting Python: a …"]);
  assert.deepEqual([find(".calculator-body").hasAttribute("aria-busy"), find("[data-retry]").hidden], [true, true]);
  assert.deepEqual(change("ready"), ["working", false, "Calculating …"]);
  pythonClient.asked[0].fail(new Error("No."));
  await settlePromises();
  assert.deepEqual(change("ready"), ["failed", false, "No."]);
  assert.deepEqual([find(".calculator-body").hasAttribute("aria-busy"), find("[data-retry]").hidden], [false, false]);
  change("ready");
});

test("buttons copy their text, print, and play; Enter held down is one press until it is answered; Space on a button is the browser's", async () => {
  const printed = [];
  globalThis.print = () => printed.push(1);
  begin(
    form('<input name="a" value="1"><button type="submit" name="act" value="next" data-key=" ">Next</button>') +
      '<button type="button" data-copy="d20">Copy</button><button type="button" data-print>Print</button>' +
      '<button type="button" data-every="100" data-press="[value=next]">Play</button>',
  );
  press("[data-copy]");
  press("[data-print]");
  await settlePromises();
  assert.deepEqual([copied, printed], [["d20"], [1]]);
  place.dataset.state = "ready";
  press("[data-every]");
  assert.deepEqual(
    [asked(), find("[data-every]").getAttribute("aria-pressed"), place.hasAttribute("playing")],
    [["a=1&act=next"], "true", true],
  );
  press("[data-every]");
  assert.equal(key("Enter", find("input")), false);
  assert.equal(key("Enter", find("input"), { repeat: true }), true);
  assert.deepEqual([key(" ", find("[data-copy]")), key(" ", find("form"), { repeat: true }), asked().length], [false, true, 1]);
});

test("pending figures leave the last certain ones in place, and are no earlier answer, whether more is asked for or not", async () => {
  const figures = (state, words) =>
    form('<input name="a" value="1">', ' data-history="none"') + `<p data-figures="odds" ${state}>${words}</p>`;
  begin(figures("data-certain", "47 : 45"));
  const earlier = () => place.querySelectorAll(".calculator-history li").length;
  const shown = () => find("[data-figures]").textContent;
  press("[value=roll]"); // opens what more answers would close: nothing more is asked for
  await answer(figures("data-pending", "0 to 100"), "a=1");
  assert.deepEqual([shown(), find("[data-figures]").hasAttribute("data-held"), earlier()], ["47 : 45", true, 0]);
  press("[value=roll]");
  await answer(figures("data-pending", "30 to 60"), "a=1", { unfinished: true });
  assert.deepEqual([shown(), earlier()], ["47 : 45", 0]);
  assert.match(status()[2], /The numbers are from the last answer/);
  await answer(figures("data-certain", "51 : 40"), "a=1");
  assert.deepEqual([shown(), isHeldNow(), earlier()], ["51 : 40", false, 1]);
  press("[value=roll]");
  await answer(figures("data-pending", "9 to 80"), "a=2", { unfinished: true });
  mock.timers.tick(1_000);
  press("[data-stop]");
  assert.deepEqual([shown(), earlier()], ["9 to 80", 1]);
});
const isHeldNow = () => find("[data-held]") !== null;
