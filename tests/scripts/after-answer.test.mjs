import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createEvent, replaceModule, setAddress, setPage, setVisibility } from "./browser.mjs";
import { settlePromises } from "./until.mjs";

replaceModule(
  "/engine/client.mjs",
  "export const pythonClient = Object.assign(new EventTarget(), { state: 'ready', asked: [], ask: async (text) => (pythonClient.asked.push(JSON.parse(text)), pythonClient.answer) });",
);
const scripts = "../../site_overrides/javascripts";
setAddress("https://example.org/");
const { root } = await import(`${scripts}/shared/urls.mjs`);
setAddress(`${root}tools/dice/`);
const { applyFocusAndScroll } = await import(`${scripts}/calculator/focus-and-scroll.mjs`);
const { offerToolsForFile, addFileInput, readTextFile } = await import(`${scripts}/saved/file-import.mjs`);
const { detachAndPublishScreen } = await import(`${scripts}/page/players-screen.mjs`);
const { createButton, showNotice } = await import(`${scripts}/page/notices.mjs`);
const { runAfterAnswerOrIdle } = await import(`${scripts}/shared/when-idle.mjs`);
const { pythonClient } = await import(`${scripts}/engine/client.mjs`);

let place = null;
const calculator = (inside) =>
  (place = setPage(
    `<scratch-calculator name="dice"><div class="calculator calculator-body"><form>${inside}</form></div><p class="calculator-announcement"></p></scratch-calculator>`,
  ));
const find = (selector) => place.querySelector(selector);
const ASKED = { ask: true, typed: true, isContinuation: false };
const notice = () => find("[data-notice]")?.textContent;

test("the screen is kept awake while that is wanted and seen, once, and asked for again after the browser let go", async () => {
  const done = [];
  const asked = [];
  const wakeLock = {
    request: async (kind) => {
      const held = Object.assign(new EventTarget(), { release: () => done.push("off") });
      done.push(kind);
      asked.push(held);
      return held;
    },
  };
  Object.defineProperty(globalThis, "navigator", { value: { wakeLock }, configurable: true });
  const turn = async (inside) => {
    calculator(inside);
    applyFocusAndScroll(place, ASKED, []);
    await settlePromises();
    return done.splice(0);
  };
  assert.deepEqual([await turn(""), await turn("<p data-awake></p>"), await turn("<p data-awake></p>")], [[], ["screen"], []]);
  asked[0].dispatchEvent(new Event("release"));
  setVisibility("hidden");
  document.dispatchEvent(createEvent("visibilitychange"));
  assert.deepEqual(done, []);
  setVisibility("visible");
  document.dispatchEvent(createEvent("visibilitychange"));
  await settlePromises();
  assert.deepEqual([done.splice(0), await turn("")], [["screen"], ["off"]]);
  wakeLock.request = async () => Promise.reject(new Error("no"));
  await turn("<p data-awake></p>");
  wakeLock.request = async (kind) => (done.push(kind), Object.assign(new EventTarget(), { release() {} }));
  assert.deepEqual(await turn("<p data-awake></p>"), ["screen"], "what was refused is asked for again");
});

test("a file is offered below a calculator on its own page that offers none itself", () => {
  addFileInput(calculator(""));
  assert.equal(find(".calculator-file").textContent, "Import file ");
  addFileInput(place);
  assert.equal(place.querySelectorAll("input").length, 1);
  setAddress("https://example.org/rules/");
  addFileInput(calculator(""));
  assert.equal(find(".calculator-file"), null);
  setAddress(`${root}tools/dice/`);
});

test("a file that is empty or can't be read is said; one that belongs elsewhere is said with the ways there", async () => {
  calculator("");
  const scrolls = mock.method(Element.prototype, "scrollIntoView");
  assert.equal(await readTextFile(place, new Blob(["a"])), "a");
  assert.equal(await readTextFile(place, new Blob([" \n\0"])), null);
  assert.equal(notice(), "This file is empty.");
  assert.equal(await readTextFile(place, { arrayBuffer: async () => Promise.reject(new Error()) }), null);
  assert.match(notice(), /^Can't read this file/);
  const { this: seen, arguments: how } = scrolls.mock.calls.at(-1);
  assert.deepEqual([seen === find("[data-notice]"), how], [true, [{ block: "nearest" }]]);
  pythonClient.answer = "{}";
  assert.deepEqual([await offerToolsForFile(place, "a"), notice()], [false, undefined]);
  assert.deepEqual(pythonClient.asked, [{ name: "dice", query: "", file: "a", root }]);
  pythonClient.answer = JSON.stringify({
    words: "This is a fight.",
    links: [
      ["Open it", "../fight/"],
      ["Replay it", "../replay/"],
    ],
  });
  assert.deepEqual(
    [await offerToolsForFile(place, "b"), notice(), document.activeElement.textContent],
    [true, "This is a fight.Open it Replay it ", "Open it"],
  );
  assert.deepEqual(
    [[...place.querySelectorAll("[data-notice] a")].map((each) => each.getAttribute("href")), find(".calculator-announcement").textContent],
    [["../fight/", "../replay/"], "This is a fight."],
  );
  pythonClient.answer = "no JSON";
  assert.equal(await offerToolsForFile(place, "c"), true);
  assert.match(notice(), /JSON/);
  pythonClient.state = "starting";
  const looked = offerToolsForFile(place, "d");
  assert.equal(notice(), "Starting Python to read the file …");
  await looked;
  pythonClient.state = "ready";
});

test("what is said stands first, once about each thing, and its buttons in their order", () => {
  const pressed = [];
  calculator("");
  showNotice(place, "kept", "It is kept.", [createButton("One", () => pressed.push(1)), createButton("Two", () => pressed.push(2))]);
  showNotice(place, "kept", "It is kept again.", [createButton("One", () => pressed.push(1)), createButton("Two", () => pressed.push(2))]);
  assert.deepEqual(
    [place.children[0].dataset.notice, place.querySelectorAll("[data-notice]").length, notice()],
    ["kept", 1, "It is kept again.OneTwo"],
  );
  place.querySelectorAll("[data-notice] button").forEach((each) => each.click());
  assert.deepEqual(pressed, [1, 2]);
});

test("what another window shows is taken out of an answer and handed on, and its end too", () => {
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

test("what can wait begins at the first answer, or five seconds after anybody has done anything", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const begun = [];
  runAfterAnswerOrIdle(() => begun.push("answered"));
  pythonClient.dispatchEvent(new Event("answered"));
  runAfterAnswerOrIdle(() => begun.push("quiet"));
  mock.timers.tick(4_999);
  for (const sign of ["keydown", "pointerdown", "scroll"]) {
    document.body.dispatchEvent(createEvent(sign));
    mock.timers.tick(4_999);
    assert.deepEqual(begun, ["answered"], sign);
  }
  pythonClient.state = "starting";
  mock.timers.tick(1);
  pythonClient.state = "ready";
  assert.deepEqual(begun, ["answered"]);
  mock.timers.tick(5_000);
  mock.timers.tick(50_000);
  assert.deepEqual(begun, ["answered", "quiet"]);
});

test("a file in Windows-1252 or UTF-16 is decoded, and one that is no text is refused in words", async () => {
  calculator("");
  const name = "Zoë “Jäger” Ș";
  const wide = new Uint8Array(Uint16Array.from(`\ufeff${name}`, (each) => each.charCodeAt(0)).buffer);
  const cases = [
    [new TextEncoder().encode(name), name],
    [wide, name],
    [Uint8Array.from([0x5a, 0x6f, 0xeb, 0x20, 0x93, 0x4a, 0xe4, 0x94]), "Zoë “Jä”"],
  ];
  for (const [bytes, text] of cases) assert.equal(await readTextFile(place, new Blob([bytes])), text);
  assert.equal(notice(), undefined);
  assert.equal(await readTextFile(place, new Blob([Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])])), null);
  assert.match(notice(), /^This file isn't text/);
});
