import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createEvent, replaceModule, setAddress, setPage, setVisibility } from "./browser.mjs";
import { settlePromises } from "./until.mjs";

replaceModule(
  "/engine/client.mjs",
  "export const pythonClient = Object.assign(new EventTarget(), { state: 'ready', requests: [], fetchAnswer: async (text) => (pythonClient.requests.push(JSON.parse(text)), pythonClient.answer) });",
);
const scripts = "../../site_overrides/javascripts";
setAddress("https://example.org/");
const { root } = await import(`${scripts}/shared/urls.mjs`);
setAddress(`${root}tools/dice/`);
const { applyFocusAndScroll } = await import(`${scripts}/calculator/focus-and-scroll.mjs`);
const { offerToolsUnlessOwnFile, addFileInputIfMissing, readTextFileOrShowNotice } = await import(`${scripts}/saved/file-import.mjs`);
const { detachAndPublishScreen } = await import(`${scripts}/page/players-screen.mjs`);
const { createButton, showNotice } = await import(`${scripts}/page/notices.mjs`);
const { runAfterAnswerOrIdle } = await import(`${scripts}/shared/when-idle.mjs`);
const { pythonClient } = await import(`${scripts}/engine/client.mjs`);

let element = null;
const calculator = (inside) =>
  (element = setPage(
    `<scratch-calculator name="dice"><div class="calculator calculator-body"><form>${inside}</form></div><p class="calculator-announcement"></p></scratch-calculator>`,
  ));
const find = (selector) => element.querySelector(selector);
const PRESS = { isPress: true, isFromForm: true, isContinuation: false };
const notice = () => find("[data-notice]")?.textContent;

test("applyFocusAndScroll requests one wake lock while a visible answer needs it, and requests it again after a release", async () => {
  const done = [];
  const locks = [];
  const wakeLock = {
    request: async (kind) => {
      const held = Object.assign(new EventTarget(), { release: () => done.push("off") });
      done.push(kind);
      locks.push(held);
      return held;
    },
  };
  Object.defineProperty(globalThis, "navigator", { value: { wakeLock }, configurable: true });
  const turn = async (inside) => {
    calculator(inside);
    applyFocusAndScroll(element, PRESS, []);
    await settlePromises();
    return done.splice(0);
  };
  assert.deepEqual(
    [await turn(""), await turn("<p data-keep-screen-on></p>"), await turn("<p data-keep-screen-on></p>")],
    [[], ["screen"], []],
  );
  locks[0].dispatchEvent(new Event("release"));
  setVisibility("hidden");
  document.dispatchEvent(createEvent("visibilitychange"));
  assert.deepEqual(done, []);
  setVisibility("visible");
  document.dispatchEvent(createEvent("visibilitychange"));
  await settlePromises();
  assert.deepEqual([done.splice(0), await turn("")], [["screen"], ["off"]]);
  wakeLock.request = async () => Promise.reject(new Error("no"));
  await turn("<p data-keep-screen-on></p>");
  wakeLock.request = async (kind) => (done.push(kind), Object.assign(new EventTarget(), { release() {} }));
  assert.deepEqual(await turn("<p data-keep-screen-on></p>"), ["screen"], "a refused lock is requested again");
});

test("addFileInputIfMissing adds one file input below a tool on its own page, and none to a tool on another page", () => {
  addFileInputIfMissing(calculator(""));
  assert.equal(find(".calculator-file").textContent, "Import file ");
  addFileInputIfMissing(element);
  assert.equal(element.querySelectorAll("input").length, 1);
  setAddress("https://example.org/rules/");
  addFileInputIfMissing(calculator(""));
  assert.equal(find(".calculator-file"), null);
  setAddress(`${root}tools/dice/`);
});

test("readTextFileOrShowNotice reports empty and unreadable files; offerToolsUnlessOwnFile links the tools that open a file", async () => {
  calculator("");
  const scrolls = mock.method(Element.prototype, "scrollIntoView");
  assert.equal(await readTextFileOrShowNotice(element, new Blob(["a"])), "a");
  assert.equal(await readTextFileOrShowNotice(element, new Blob([" \n\0"])), null);
  assert.equal(notice(), "This file is empty.");
  assert.equal(await readTextFileOrShowNotice(element, { arrayBuffer: async () => Promise.reject(new Error()) }), null);
  assert.match(notice(), /^Can't read this file/);
  const { this: seen, arguments: how } = scrolls.mock.calls.at(-1);
  assert.deepEqual([seen === find("[data-notice]"), how], [true, [{ block: "nearest" }]]);
  pythonClient.answer = "{}";
  assert.deepEqual([await offerToolsUnlessOwnFile(element, "a"), notice()], [false, undefined]);
  assert.deepEqual(pythonClient.requests, [{ name: "dice", query: "", file: "a", root }]);
  pythonClient.answer = JSON.stringify({
    words: "This is a fight.",
    links: [
      ["Open it", "../fight/"],
      ["Replay it", "../replay/"],
    ],
  });
  assert.deepEqual(
    [await offerToolsUnlessOwnFile(element, "b"), notice(), document.activeElement.textContent],
    [true, "This is a fight.Open it Replay it ", "Open it"],
  );
  assert.deepEqual(
    [
      [...element.querySelectorAll("[data-notice] a")].map((each) => each.getAttribute("href")),
      find(".calculator-announcement").textContent,
    ],
    [["../fight/", "../replay/"], "This is a fight."],
  );
  pythonClient.answer = "no JSON";
  assert.equal(await offerToolsUnlessOwnFile(element, "c"), true);
  assert.match(notice(), /JSON/);
  pythonClient.state = "starting";
  const offer = offerToolsUnlessOwnFile(element, "d");
  assert.equal(notice(), "Starting Python to read the file …");
  await offer;
  pythonClient.state = "ready";
});

test("showNotice inserts one notice for each topic before the calculator, with its buttons in order", () => {
  const pressed = [];
  calculator("");
  showNotice(element, "saved", "It is saved.", [createButton("One", () => pressed.push(1)), createButton("Two", () => pressed.push(2))]);
  showNotice(element, "saved", "It is saved again.", [
    createButton("One", () => pressed.push(1)),
    createButton("Two", () => pressed.push(2)),
  ]);
  assert.deepEqual(
    [element.children[0].dataset.notice, element.querySelectorAll("[data-notice]").length, notice()],
    ["saved", 1, "It is saved again.OneTwo"],
  );
  element.querySelectorAll("[data-notice] button").forEach((each) => each.click());
  assert.deepEqual(pressed, [1, 2]);
});

test("detachAndPublishScreen moves the players' screen from an answer to other windows, and publishes its end", () => {
  const [sent, store] = [[], new Map()];
  globalThis.BroadcastChannel = class {
    postMessage(html) {
      sent.push(html);
    }
    close() {}
  };
  globalThis.localStorage = {
    getItem: (name) => store.get(name) ?? null,
    setItem: (name, text) => store.set(name, text),
    removeItem: (name) => store.delete(name),
  };
  const answer = calculator("<div data-screen> <b>Round 1</b> </div><p>mine</p>");
  detachAndPublishScreen(answer);
  assert.deepEqual([find("[data-screen]"), find("form").innerHTML], [null, "<p>mine</p>"]);
  assert.deepEqual([...store.values()], [JSON.stringify(sent[0])]);
  detachAndPublishScreen(answer);
  detachAndPublishScreen(answer);
  assert.deepEqual([sent.map(({ html }) => html), store.size], [["<b>Round 1</b>", ""], 0]);
});

test("runAfterAnswerOrIdle runs a task after the first answer, or after five seconds without user input", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const started = [];
  runAfterAnswerOrIdle(() => started.push("answered"));
  pythonClient.dispatchEvent(new Event("answered"));
  runAfterAnswerOrIdle(() => started.push("quiet"));
  mock.timers.tick(4_999);
  for (const sign of ["keydown", "pointerdown", "scroll"]) {
    document.body.dispatchEvent(createEvent(sign));
    mock.timers.tick(4_999);
    assert.deepEqual(started, ["answered"], sign);
  }
  pythonClient.state = "starting";
  mock.timers.tick(1);
  pythonClient.state = "ready";
  assert.deepEqual(started, ["answered"]);
  mock.timers.tick(5_000);
  mock.timers.tick(50_000);
  assert.deepEqual(started, ["answered", "quiet"]);
});

test("readTextFileOrShowNotice decodes UTF-8, UTF-16 and Windows-1252, and rejects a binary file with a notice", async () => {
  calculator("");
  const name = "Zoë “Jäger” Ș";
  const wide = new Uint8Array(Uint16Array.from(`\ufeff${name}`, (each) => each.charCodeAt(0)).buffer);
  const cases = [
    [new TextEncoder().encode(name), name],
    [wide, name],
    [Uint8Array.from([0x5a, 0x6f, 0xeb, 0x20, 0x93, 0x4a, 0xe4, 0x94]), "Zoë “Jä”"],
  ];
  for (const [bytes, text] of cases) assert.equal(await readTextFileOrShowNotice(element, new Blob([bytes])), text);
  assert.equal(notice(), undefined);
  assert.equal(
    await readTextFileOrShowNotice(element, new Blob([Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])])),
    null,
  );
  assert.match(notice(), /^This file isn't text/);
});
