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
    state: "ready", message: "", start() {}, restartAfterFailure() {},
    fetchAnswer: (request, signal) => new Promise((done, fail) => pythonClient.requests.push({ ...JSON.parse(request), signal, fail, done })),
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
let [element, copied] = [null, []];
const form = (inside, how = "") => `<form${how}>${inside}<button type="submit" name="act" value="roll">Roll</button></form>`;

/** Create a page whose calculator contains this HTML, and return the calculator's element. */
function begin(html, address = PAGE) {
  element?.remove();
  setAddress(address);
  pythonClient.requests = [];
  element = setPage(`<scratch-calculator name="dice" uid="c1"><div class="calculator-body calculator">${html}</div></scratch-calculator>`);
  return element;
}
const find = (selector) => element.querySelector(selector);
const press = (selector) => find(selector).click();
const sentQueries = () => pythonClient.requests.map(({ query }) => decodeURIComponent(query));
async function answer(html, query, more = {}) {
  pythonClient.requests.at(-1).done(JSON.stringify({ html, query, summary: `It is ${query}.`, ...more }));
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
const status = () => [element.dataset.state, find(".calculator-status").hidden, find(".calculator-status span").textContent];

beforeEach(() => {
  element?.remove(); // clears its timers, which the next ones would not know
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  localStorage.clear();
  sessionStorage.clear();
  copied = [];
  pythonClient.state = "ready";
});

test("a submit sends the form with the button's value, then renders the answer and puts its query into the URL", async () => {
  begin(form('<input name="roll" value="d6"><input name="act" value="old"><input type="checkbox" name="off">'));
  press("[value=roll]");
  assert.deepEqual(
    pythonClient.requests.map(({ name, query, ask, uid, root: where }) => [name, query, ask, uid, where]),
    [["dice", "roll=d6&act=roll", true, "c1", root]],
  );
  assert.deepEqual([status(), element.hasAttribute("stale")], [["working", false, "Calculating …"], true]);
  await answer(form('<input name="roll" value="d8">'), "roll=d8");
  assert.deepEqual([find("[name=roll]").value, element.dataset.query, location.href], ["d6", "roll=d8", `${PAGE}?roll=d8`]);
  assert.deepEqual(
    [status(), element.hasAttribute("stale"), find(".calculator-announcement").textContent],
    [["ready", true, ""], false, "It is roll=d8."],
  );
});

test("an answer keeps typed values, except in fresh fields and in the field of the pressed button's name", async () => {
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

test("a live form sends typed input after 150 ms; another form sends nothing", () => {
  for (const [how, found] of [
    [" data-live", ["a=9"]],
    ["", []],
  ]) {
    begin(form('<input name="a" value="1">', how));
    type("[name=a]", "9");
    mock.timers.tick(149);
    assert.deepEqual(sentQueries(), []);
    mock.timers.tick(1);
    assert.deepEqual([sentQueries(), pythonClient.requests.some(({ ask }) => ask)], [found, false]);
  }
});

test("a live form sends a choice at once, and after a pause during a request", () => {
  const select = '<select name="a"><option value="1"><option value="2"></select>';
  const inputs = ["radio", "checkbox", "range"].map((kind) => `<input type="${kind}" name="a" value="1" checked>`);
  for (const control of [select, ...inputs]) {
    begin(form(control, " data-live"));
    type("[name=a]", "2");
    mock.timers.tick(0);
    assert.deepEqual(sentQueries(), ["a=2"]);
    type("[name=a]", "1");
    mock.timers.tick(149);
    assert.equal(sentQueries().length, 1);
  }
});

test("during the pause after typing the calculator has data-unsent", () => {
  begin(form('<input name="a" value="1">', " data-live"));
  type("[name=a]", "9");
  assert.deepEqual([element.hasAttribute("data-unsent"), element.hasAttribute("stale")], [true, false]);
  mock.timers.tick(150);
  assert.deepEqual([element.hasAttribute("data-unsent"), element.hasAttribute("stale")], [false, true]);
  type("[name=a]", "8");
  press("[value=roll]");
  assert.equal(element.hasAttribute("data-unsent"), false);
});

test("input that no answer includes returns after a reload: while it waits, is sent, or is superseded", async () => {
  const fields = form('<input name="a" value="1"><input name="b" value="2">', " data-live");
  const leaveAndReopen = async (values) => {
    dispatchEvent(createEvent("pagehide"));
    begin(fields, `${PAGE}?a=1&b=2`);
    await answer(fields, "a=1&b=2");
    assert.deepEqual([find("[name=a]").value, find("[name=b]").value], values);
    if (pythonClient.requests.length > 1) await answer(fields, "a=1&b=2");
  };
  begin(fields, `${PAGE}?a=1&b=2`);
  await answer(fields, "a=1&b=2");
  type("[name=a]", "3");
  await leaveAndReopen(["3", "2"]);
  type("[name=a]", "4");
  mock.timers.tick(150);
  await leaveAndReopen(["4", "2"]);
  type("[name=a]", "5");
  mock.timers.tick(150);
  type("[name=b]", "6");
  mock.timers.tick(150);
  await leaveAndReopen(["5", "6"]);
  await leaveAndReopen(["1", "2"]);
});

test("a submit during a request is sent from the new answer, or reported if its button is no longer there", async () => {
  begin(form('<button type="submit" name="act" value="hit">Hit</button><button type="submit" name="act" value="run">Run</button>'));
  press("[value=roll]");
  press("[value=hit]");
  press("[value=run]");
  await answer(form('<button type="submit" name="act" value="run">Run</button>'), "n=1");
  assert.deepEqual(sentQueries(), ["act=roll", "act=run"]);
  assert.equal(find(".calculator-refused span").textContent, "“Hit” wasn't done because it is no longer available. ");
  assert.equal(find(".calculator-announcement").textContent, "It is n=1. “Hit” wasn't done because it is no longer available. ");
});

test("the device's Back presses the button of the Escape key, while there is one", async () => {
  const watchers = new Set();
  globalThis.CloseWatcher = class {
    constructor() {
      watchers.add(this);
    }
    destroy() {
      watchers.delete(this);
    }
  };
  const list = form('<button type="submit" name="act" value="close" data-key="Escape">Close</button>');
  begin(form(""));
  press("[value=roll]");
  assert.equal(watchers.size, 0);
  await answer(list, "list=1");
  press("[value=roll]");
  await answer(list, "list=2");
  assert.equal(watchers.size, 1, "one for all answers");
  const [watcher] = watchers;
  watcher.onclose();
  assert.equal(sentQueries().at(-1), "act=close");
  await answer(list, "list=3");
  assert.equal(watchers.size, 2, "a watcher works once");
  press("[value=close]");
  await answer(form(""), "list=0");
  assert.deepEqual([...watchers], [watcher], "no button");
  press("[value=roll]");
  await answer(list, "list=4");
  element.remove();
  assert.deepEqual([...watchers], [watcher], "no calculator");
  delete globalThis.CloseWatcher;
});

test("the initial request has the query of the fragment, or else of the URL; without known parameters none is sent", () => {
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
    assert.deepEqual([sentQueries(), pythonClient.requests.map(({ ask }) => ask)], [found, found.map(() => false)], address);
  }
});

test("share links point to the tool's page with the answer's query; share buttons copy that URL, packed if it is long", async () => {
  const long = `log=${"x".repeat(4_000)}`;
  begin(
    form('<input name="a" value="1">', ' data-saved-name="Ash"') +
      `<a data-share href="?a=1">Link</a><a data-share href="#?${long}">Long</a><button type="button" data-share="">Share</button><button type="button" id="own" data-share="#?b=2">Share</button>`,
  );
  assert.deepEqual(
    [...element.querySelectorAll("a")].map((each) => each.href),
    [`${PAGE}?a=1`, `${PAGE}#?${long}`],
  );
  press("#own");
  element.dataset.query = "a=1";
  press('button[data-share=""]');
  element.dataset.query = long;
  press('button[data-share=""]');
  await until(() => pythonClient.requests.length === 1);
  assert.deepEqual([pythonClient.requests[0].link, pythonClient.requests[0].title], [long, "Ash"]);
  pythonClient.requests[0].done(JSON.stringify({ link: "title=Ash&packed=1abc" }));
  await until(() => copied.length === 3);
  assert.deepEqual(copied, [`${PAGE}#?b=2`, `${PAGE}?a=1`, `${PAGE}#?title=Ash&packed=1abc`]);
});

test("a click on a share link copies the packed URL; with a modifier key, or on an open link, the browser follows it", async () => {
  begin(form("") + `<a data-share href="?a=${"x".repeat(600)}">Link</a> <a data-share="open" href="?a=1">Open in Dice</a>`);
  const click = (selector, more = {}) => {
    const event = createEvent("click", more);
    find(selector).dispatchEvent(event);
    return event.defaultPrevented;
  };
  assert.deepEqual([click('[data-share="open"]'), click('a[data-share=""]', { ctrlKey: true }), pythonClient.requests], [false, false, []]);
  assert.equal(click('a[data-share=""]'), true);
  await until(() => pythonClient.requests.length === 1);
  pythonClient.requests[0].done(JSON.stringify({ link: "packed=1abc" }));
  await until(() => copied.length === 1);
  assert.deepEqual([copied, find("a").textContent], [[`${PAGE}#?packed=1abc`], "Copied"]);
});

test("a copy button with a link appends the packed link to its text", async () => {
  begin(form("") + `<button type="button" data-copy="Two." data-copy-link="${PAGE}?a=${"x".repeat(600)}">Copy</button>`);
  press("[data-copy]");
  await until(() => pythonClient.requests.length === 1);
  pythonClient.requests[0].done(JSON.stringify({ link: "packed=1abc" }));
  await until(() => copied.length === 1);
  assert.deepEqual(copied, [`Two. ${PAGE}#?packed=1abc`]);
});

test("a click on a link with a query requests it; with a modifier key the browser follows the link", () => {
  begin(form("") + '<a href="?a=2">Two</a>');
  find("a").dispatchEvent(createEvent("click", { ctrlKey: true }));
  assert.deepEqual(sentQueries(), []);
  press("a");
  assert.deepEqual(sentQueries(), ["a=2"]);
});

test("a shortcut presses its button, except in text fields, with modifier keys and on key repeat", () => {
  begin(form('<input name="a"><button type="submit" name="act" value="end" data-key="e">End</button><p>words</p>'));
  assert.deepEqual([key("e", find("input")), key("e", find("p"), { altKey: true }), key("x", find("p"))], [false, false, false]);
  assert.deepEqual(sentQueries(), []);
  assert.equal(key("e", find("p")), true);
  assert.equal(key("e", document.body, { repeat: true }), true);
  assert.deepEqual(sentQueries(), ["act=end"]);
});

test("the back button requests the previous query, and is disabled at the first answer", async () => {
  const html = form('<input name="a" value="1"><button type="button" data-back disabled>Back</button>');
  begin(html, `${PAGE}?a=0`);
  await answer(html, "a=0");
  assert.equal(find("[data-back]").disabled, true);
  press("[value=roll]");
  await answer(html, "a=1");
  press("[data-back]");
  assert.equal(sentQueries().at(-1), "a=0");
  await answer(html, "a=0");
  assert.equal(find("[data-back]").disabled, true);
});

test("the back button stops at an opened entry, and goes back across entries without overwriting them", async () => {
  const html = form(
    '<input name="a"><button type="button" data-back disabled>Back</button>',
    ' data-saved-as="dice/1" data-saved-name="One" data-saved-list-above',
  );
  const withNewEntry = html.replace('value="roll"', 'value="roll" data-new-entry="separate"');
  const saved = () =>
    Object.values(localStorage)
      .map((text) => JSON.parse(text).query)
      .sort();
  begin(html);
  for (const query of ["a=1", "a=2"]) {
    press("[value=roll]");
    await answer(query === "a=2" ? withNewEntry : html, query);
  }
  press("[value=roll]");
  await answer(html, "b=1");
  press("[value=roll]");
  await answer(html, "b=2");
  assert.deepEqual(saved(), ["a=2", "b=2"]);
  const gone = Object.keys(localStorage).find((name) => JSON.parse(localStorage[name]).query === "a=2");
  delete localStorage[gone]; // as another tab deletes it, so that back can't open it
  for (const query of ["b=1", "a=2", "a=1"]) {
    press("[data-back]");
    assert.equal(sentQueries().at(-1), query);
    await answer(html, query);
  }
  assert.deepEqual(saved(), ["a=1", "b=1"]);
  press("[value=roll]");
  await answer(html, "a=3");
  find(".list-row__open").click();
  await answer(html, sentQueries().at(-1));
  assert.equal(find("[data-back]").disabled, true);
});

test("an imported file is sent with the parameters of the form only, without the values of the open entry", async () => {
  const html = form(
    '<textarea name="sheet"></textarea><input name="play" value="hp 1"><input type="file">',
    ' data-file-into="sheet" data-file-params="start=sheet&play="',
  );
  begin(html);
  setProperties(find("[type=file]"), { files: [new Blob(["Bo"])], value: "bo.txt" });
  find("[type=file]").dispatchEvent(createEvent("change"));
  await until(() => pythonClient.requests.length === 1);
  pythonClient.requests[0].done("{}");
  await until(() => pythonClient.requests.length === 2);
  assert.equal(sentQueries()[1], "sheet=Bo&play=hp 1&start=sheet&play=");
});

test("the history lists whole answers of submits if the form has one, and can be cleared", async () => {
  const html = form('<input name="a" value="1">', ' data-history="Your answers appear here."');
  begin(html);
  const listed = () =>
    [...element.querySelectorAll(".calculator-history li")].map((each) => [
      each.querySelector("a").href,
      each.querySelector("a").textContent,
    ]);
  assert.deepEqual([find(".calculator-history p").textContent, listed()], ["Your answers appear here.", []]);
  press("[value=roll]");
  await answer(html, "a=1", { unfinished: true });
  assert.deepEqual(listed(), []);
  await answer(html, "a=1");
  setAddress(PAGE);
  assert.deepEqual(listed(), [[`${PAGE}?a=1`, "It is a=1."]]);
  press("[data-forget]");
  assert.deepEqual([listed(), sessionStorage.length], [[], 0]);
});

test("a failed request shows its error and can be retried", async () => {
  begin(form('<input name="a" value="1">'));
  press("[value=roll]");
  pythonClient.requests[0].fail(new Error("No Python."));
  await settlePromises();
  assert.deepEqual(
    [status(), find("[data-retry]").hidden, find(".calculator-status span").getAttribute("role")],
    [["failed", false, "No Python."], false, "alert"],
  );
  press("[data-retry]");
  assert.deepEqual(sentQueries(), ["a=1&act=roll", "a=1&act=roll"]);
  await answer(form('<input name="a" value="1">'), "a=1");
  assert.deepEqual(status(), ["ready", true, ""]);
});

test("a failure without WebAssembly has no retry button", async () => {
  begin(form('<input name="a" value="1">'));
  pythonClient.isUnsupported = true;
  press("[value=roll]");
  pythonClient.requests[0].fail(new Error("No WebAssembly."));
  await settlePromises();
  assert.deepEqual([status(), find("[data-retry]").hidden], [["failed", false, "No WebAssembly."], true]);
  pythonClient.isUnsupported = false;
});

test("a request can be stopped after one second, and stopping changes nothing", async () => {
  begin(form('<input name="a" value="1">'));
  press("[value=roll]");
  mock.timers.tick(999);
  assert.equal(find("[data-stop]").hidden, true);
  mock.timers.tick(1);
  assert.equal(find("[data-stop]").hidden, false);
  press("[data-stop]");
  assert.deepEqual(
    [pythonClient.requests[0].signal.aborted, status()[0], find(".calculator-announcement").textContent],
    [true, "ready", "Stopped. Nothing has changed."],
  );
  await answer(form(""), "late");
  assert.notEqual(element.dataset.query, "late");
});

test("a one-time message stays until the answer is complete", async () => {
  const message = Object.assign(document.createElement("strong"), { textContent: "Bo removed." });
  message.dataset.added = "";
  begin(form('<input name="a" value="1">'));
  press("[value=roll]");
  await answer(form(""), "a=1", { unfinished: true });
  assert.equal(globalThis.morphing.beforeNodeRemoved(message), true);
  await answer(form(""), "a=1");
  assert.equal(globalThis.morphing.beforeNodeRemoved(message), false);
  assert.equal(globalThis.morphing.beforeNodeRemoved(document.createElement("p")), true);
});

test("an unfinished answer is rendered and requested again; stopping keeps the results so far", async () => {
  begin(form('<input name="a" value="1">'));
  press("[value=roll]");
  await answer(form('<input name="a" value="1">'), "a=1", { unfinished: true });
  assert.deepEqual(
    [sentQueries(), pythonClient.requests[1].ask, status()],
    [["a=1&act=roll", "a=1"], true, ["working", false, "Still working. The range will narrow."]],
  );
  press("[data-stop]");
  assert.deepEqual([status()[0], find(".calculator-announcement").textContent], ["ready", "Stopped. The results so far are shown."]);
  await answer(form(""), "late");
  assert.equal(element.dataset.query, "a=1");
});

test("an answer is announced when it is complete; after a submit its first part is announced", async () => {
  const html = form('<input name="a" value="1">');
  const announcement = () => find(".calculator-announcement").textContent;
  begin(html, `${PAGE}?a=1`);
  await answer(html, "a=1", { unfinished: true });
  assert.equal(announcement(), "");
  await answer(html, "a=1");
  assert.equal(announcement(), "It is a=1.");
  press("[value=roll]");
  await answer(html, "a=2", { unfinished: true });
  assert.equal(announcement(), "It is a=2.");
  await answer(html, "a=3", { unfinished: true });
  assert.equal(announcement(), "It is a=2.");
});

test("a morph keeps the open state of details, the pressed state of a play button and a stroke in progress", () => {
  const { beforeAttributeUpdated: isRulesChange } = globalThis.morphing;
  const [fold, button, other] = [document.createElement("details"), { hasAttribute: () => true }, { hasAttribute: () => false }];
  const taken = [
    ["open", fold],
    ["open", other],
    ["data-in-stroke", other],
    ["data-stroking", other],
    ["aria-pressed", button],
    ["aria-pressed", other],
    ["class", fold],
  ];
  assert.deepEqual(
    taken.map(([name, node]) => isRulesChange(name, node)),
    [false, true, false, false, false, true, true],
  );
});

test("a failed request is repeated before the next submit if it came from the URL or Python failed; otherwise it is dropped", async () => {
  const fields = form('<input name="a" value="1">');
  for (const [address, state, found] of [
    ["?a=2", "ready", ["a=2", "a=2", "a=1&act=roll"]],
    ["", "failed", ["a=1&act=roll", "a=1&act=roll", "a=1&act=roll"]],
    ["", "ready", ["a=1&act=roll", "a=1&act=roll"]],
  ]) {
    begin(fields, PAGE + address);
    if (!address) press("[value=roll]");
    pythonClient.requests[0].fail(new Error("No."));
    await settlePromises();
    find("[name=a]").value = "1"; // had the link's value while it was loading
    pythonClient.state = state;
    press("[value=roll]");
    pythonClient.state = "ready";
    await answer(fields, "a=1");
    assert.deepEqual(sentQueries(), found);
  }
});

test("buttons step a number, download a text or a control's value, and add to a control, which is sent", async () => {
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
      '<input name="n" value="1"><input name="keys" data-fresh><output data-mirrors="keys"></output><textarea name="log">abc</textarea><button type="button" data-step="-1" data-control="n">−</button>',
    ) +
      '<button type="button" data-add="d6" data-control="keys">d6</button>' +
      '<button type="button" id="own" data-download="a.txt" data-text="ab">Save</button><button type="button" id="of" data-download="b.txt" data-text-control="log">Save</button>',
  );
  press("[data-step]");
  assert.deepEqual([find("[name=n]").value, find("[data-step]").disabled], ["0", true]);
  press("#own");
  press("#of");
  assert.deepEqual(saved, ["a.txt", "blob:2", "b.txt", "blob:3"]);
  press("[data-add]");
  press("[data-add]");
  press("[data-add]");
  assert.deepEqual([sentQueries(), find("output").textContent], [["n=0&keys=d6&log=abc"], "d6; d6"]);
});

test("a submit that needs saved entries of another calculator sends them, and closes the details around its button", () => {
  begin(
    form(
      '<details data-close-on-press open><summary>More</summary><button type="submit" name="act" value="yours" data-include-saved="character/1">Yours</button></details>',
    ),
  );
  press("[value=yours]");
  assert.deepEqual([sentQueries(), find("details").open, isFocused(find("summary"))], [["act=yours&kept=[]"], false, true]);
});

test("a disconnected calculator removes its listeners and sends nothing; a second connect adds no listeners", () => {
  element.remove();
  const listListeners = () => [listTypes(window), listTypes(document), listTypes(pythonClient).filter((type) => type === "change").length];
  const before = listListeners();
  let watching = 0;
  globalThis.IntersectionObserver = class {
    observe() {
      watching += 1;
    }
    disconnect() {
      watching -= 1;
    }
  };
  begin(form('<input name="a" value="1"><svg data-stroke-control="a" data-parts="x"></svg>', " data-live data-saved-as='dice/1'"));
  const during = [...listListeners(), listTypes(element), watching];
  assert.equal(find(".calculator-file"), null, "the saved list has its own file input");
  assert.deepEqual([during[2], watching, during[1].includes("keydown"), during[0].includes("hashchange")], [1, 1, true, true]);
  element.connectedCallback();
  assert.deepEqual([...listListeners(), listTypes(element), watching], during);
  type("[name=a]", "9");
  element.remove();
  mock.timers.tick(10_000);
  assert.deepEqual([...listListeners(), listTypes(element), listTypes(find("svg")), watching, sentQueries()], [...before, [], [], 0, []]);
});

test("Python starts when the calculator is visible or used, and with Data Saver only when it is used", () => {
  let [seen, starts] = [null, 0];
  pythonClient.start = () => starts++;
  globalThis.IntersectionObserver = class {
    constructor(callback) {
      seen = (isIntersecting) => callback([{ isIntersecting }]);
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
  for (const intent of ["pointerenter", "focusin", "touchstart"]) element.dispatchEvent(createEvent(intent));
  assert.equal(starts, 4);
  navigator.connection = { saveData: true };
  begin(form(""));
  assert.equal(seen, null);
  delete navigator.connection;
  pythonClient.start = () => {};
});

test("a loading link shows a placeholder; a new fragment is requested, and the document title has the answer's summary", async () => {
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
  assert.deepEqual(sentQueries(), ["a=2", "a=3"]);
  await answer(`${html}<p data-answer data-title="Three."></p>`, "a=3");
  assert.equal(document.title, "Three — Dice");
  await answer(html, "a=3", { summary: "" });
});

test("the status line shows the state of Python during a request, and keeps the error of a failed one", async () => {
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
  pythonClient.requests[0].fail(new Error("No."));
  await settlePromises();
  assert.deepEqual(change("ready"), ["failed", false, "No."]);
  assert.deepEqual([find(".calculator-body").hasAttribute("aria-busy"), find("[data-retry]").hidden], [false, false]);
  change("ready");
});

test("buttons copy, print and play; key repeat of Enter and Space submits nothing twice", async () => {
  const printed = [];
  globalThis.print = () => printed.push(1);
  begin(
    form('<input name="a" value="1"><button type="submit" name="act" value="next" data-key=" ">Next</button>') +
      '<button type="button" data-copy="d20">Copy</button><button type="button" data-print>Print</button>' +
      '<button type="button" data-autoplay-delay="100" data-autoplay-button="[value=next]">Play</button>',
  );
  press("[data-copy]");
  press("[data-print]");
  await settlePromises();
  assert.deepEqual([copied, printed], [["d20"], [1]]);
  element.dataset.state = "ready";
  press("[data-autoplay-delay]");
  assert.deepEqual(
    [sentQueries(), find("[data-autoplay-delay]").getAttribute("aria-pressed"), element.hasAttribute("playing")],
    [["a=1&act=next"], "true", true],
  );
  press("[data-autoplay-delay]");
  assert.equal(key("Enter", find("input")), false);
  assert.equal(key("Enter", find("input"), { repeat: true }), true);
  assert.deepEqual([key(" ", find("[data-copy]")), key(" ", find("form"), { repeat: true }), sentQueries().length], [false, true, 1]);
});

test("pending figures leave the last certain figures on the page, and are not in the history", async () => {
  const figures = (state, words) =>
    form('<input name="a" value="1">', ' data-history="none"') + `<p data-figures="odds" ${state}>${words}</p>`;
  begin(figures("data-certain", "47 : 45"));
  const earlier = () => element.querySelectorAll(".calculator-history li").length;
  const shown = () => find("[data-figures]").textContent;
  press("[value=roll]"); // shows a transient result, so no continuation is requested
  await answer(figures("data-pending", "0 to 100"), "a=1");
  assert.deepEqual([shown(), find("[data-figures]").hasAttribute("data-previous"), earlier()], ["47 : 45", true, 0]);
  press("[value=roll]");
  await answer(figures("data-pending", "30 to 60"), "a=1", { unfinished: true });
  assert.deepEqual([shown(), earlier()], ["47 : 45", 0]);
  assert.match(status()[2], /The numbers are from the last answer/);
  await answer(figures("data-certain", "51 : 40"), "a=1");
  assert.deepEqual([shown(), showsPreviousFigures(), earlier()], ["51 : 40", false, 1]);
  press("[value=roll]");
  await answer(figures("data-pending", "9 to 80"), "a=2", { unfinished: true });
  mock.timers.tick(1_000);
  press("[data-stop]");
  assert.deepEqual([shown(), earlier()], ["9 to 80", 1]);
});
const showsPreviousFigures = () => find("[data-previous]") !== null;
