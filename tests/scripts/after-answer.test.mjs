import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import {
  assertFocused,
  createEvent,
  isFocused,
  replaceModule,
  setAddress,
  setBox,
  setPage,
  setProperties,
  setVisibility,
} from "./browser.mjs";
import { settlePromises } from "./until.mjs";

replaceModule(
  "/engine/client.mjs",
  "export const engine = Object.assign(new EventTarget(), { state: 'ready', asked: [], ask: async (text) => (engine.asked.push(JSON.parse(text)), engine.answer) });",
);
const scripts = "../../site_overrides/javascripts";
setAddress("https://example.org/");
const { root } = await import(`${scripts}/shared/urls.mjs`);
setAddress(`${root}tools/dice/`);
const { attend, destinationOf, placesAround, stayInPlace } = await import(`${scripts}/calculator/focus-and-scroll.mjs`);
const { isSentOn, offerFile, textOf } = await import(`${scripts}/saved/file-import.mjs`);
const { handOn } = await import(`${scripts}/page/players-screen.mjs`);
const { button, say } = await import(`${scripts}/page/notices.mjs`);
const { whenQuiet } = await import(`${scripts}/shared/when-idle.mjs`);
const { engine } = await import(`${scripts}/engine/client.mjs`);

let [place, scrolled] = [null, []];
const calculator = (inside) =>
  (place = setPage(
    `<scratch-calculator name="dice"><div class="calculator calculator-body"><form>${inside}</form></div><p class="calculator-announcement"></p></scratch-calculator>`,
  ));
const find = (selector) => place.querySelector(selector);
const ASKED = { ask: true, typed: true, isMore: false };
const notice = () => find("[data-notice]")?.textContent;

beforeEach(() => {
  scrolled = [];
  globalThis.scrollBy = ({ top }) => scrolled.push(top);
});

test("after a press the focus goes to what the answer says, and its frame into view; after typing when it is another", () => {
  const seen = [];
  const answer = (value) => {
    calculator(`<div data-frame><p data-focus="${value}"></p></div>`);
    find("[data-frame]").scrollIntoView = (how) => seen.push(how.block);
    return place;
  };
  const isThere = (how) => (attend(place, how, []), isFocused(find("[data-focus]")));
  answer("1");
  assert.deepEqual([isThere(ASKED), seen], [true, ["start"]]);
  document.activeElement.blur();
  assert.equal(isThere({ ...ASKED, ask: false }), false);
  find("[data-focus]").dataset.focus = "2";
  assert.equal(isThere({ ...ASKED, ask: false, isMore: true }), false);
  find("[data-focus]").dataset.focus = "3";
  assert.equal(isThere({ ...ASKED, ask: false }), true);
});

test("what was pressed stays where it was on the screen, or its nearest neighbour; the focus with it", () => {
  calculator(
    '<button type="button" id="a">A</button><button type="submit" id="b" name="act" value="x">B</button><button type="button" id="c" disabled>C</button><p hidden><a href="?d">D</a></p>',
  );
  setBox(find("#b"), { top: 40, bottom: 50 });
  const places = placesAround(place, find("#b"));
  assert.deepEqual(
    places.map(([each]) => each.id),
    ["b", "a"],
  );
  setBox(find("#b"), { top: 65, bottom: 75 });
  attend(place, ASKED, places);
  assert.deepEqual([scrolled, document.activeElement.id], [[25], "b"]);
  find("#b").disabled = true;
  attend(place, ASKED, places);
  assert.equal(document.activeElement.id, "a");
  find("form").replaceChildren();
  document.activeElement.blur();
  find("form").innerHTML = '<input id="e">';
  attend(place, ASKED, places);
  assert.equal(document.activeElement.id, "e");
  calculator("<details><summary>F</summary></details>");
  setBox(find("summary"), { top: 5 });
  scrolled = [];
  stayInPlace(find("summary"));
  setBox(find("summary"), { top: 8 });
  find("details").dispatchEvent(createEvent("toggle"));
  find("details").dispatchEvent(createEvent("toggle")); // the fold closes by itself, later
  assert.deepEqual(scrolled, [3]);
});

test("of what stands around a press the places in view are remembered; a focus that is elsewhere stays there", () => {
  const inView = () => placesAround(place, find("#b")).map(([each, at]) => (at ? each.id : `(${each.id})`));
  calculator('<button id="a">A</button><button id="b">B</button><button id="c">C</button><button id="d">D</button>');
  setBox(find("#a"), { top: -20, bottom: 0 });
  setBox(find("#d"), { top: 100, bottom: 110 });
  assert.deepEqual(inView(), ["b", "c", "(a)", "(d)"]);
  setBox(find("#a"), { top: -20, bottom: 1 });
  setBox(find("#d"), { top: 99, bottom: 110 });
  assert.deepEqual(inView(), ["b", "c", "a", "d"]);
  find("#c").focus();
  assert.equal(placesAround(place, null)[0][0].id, "c");
  attend(place, ASKED, [[find("#b"), { top: 0 }]]);
  assert.equal(document.activeElement.id, "c");
  document.activeElement.blur();
  assert.deepEqual(placesAround(place, null), []);
  attend(place, { ...ASKED, ask: false }, []);
  assertFocused(document.body);
  attend(place, ASKED, []);
  assert.equal(document.activeElement.id, "a", "a press whose place is gone begins anew");
});

test("a press whose place is gone leaves the focus at the nearest that is left, where none is in view", () => {
  calculator(["a", "b", "c", "d"].map((id) => `<button id="${id}" value="${id}">${id}</button>`).join(""));
  setBox(find("#a"), { top: -80, bottom: -60 });
  setBox(find("#b"), { top: -40, bottom: -20 });
  const places = placesAround(place, find("#d"));
  find("#c").remove();
  find("#d").remove();
  document.activeElement.blur();
  attend(place, ASKED, places);
  assert.equal(document.activeElement.id, "b");
});

test("a press whose place is gone gives the focus to the nearest that is left in view, below the head of the page", () => {
  calculator(["a", "b", "c", "d"].map((id) => `<button id="${id}" value="${id}">${id}</button>`).join(""));
  const head = document.body.appendChild(document.createElement("header"));
  head.className = "md-header";
  setBox(head, { top: 0, bottom: 48 });
  setBox(find("#a"), { top: 60, bottom: 80 });
  setBox(find("#b"), { top: 20, bottom: 40 });
  setBox(find("#c"), { top: -40, bottom: -20 });
  const places = placesAround(place, find("#d"));
  head.remove();
  find("#d").remove();
  attend(place, ASKED, places);
  assert.equal(document.activeElement.id, "a");
});

test("a press in a frame of its own moves that frame first, and the page by what is left", () => {
  calculator('<div data-pans><button id="a">A</button></div>');
  setBox(find("#a"), { top: 40, bottom: 50 });
  const places = placesAround(place, find("#a"));
  setBox(find("#a"), { top: 65, bottom: 75 });
  const frame = find("[data-pans]");
  setProperties(frame, { scrollTop: 5 });
  attend(place, ASKED, places);
  assert.equal(frame.scrollTop, 30);
});

test("a press that closes what another opened gives the focus back to that one, in view, if it can be reached", () => {
  const sheet = (opener) =>
    calculator(
      `${opener}<p tabindex="-1" data-focus="closed"></p><button id="other" name="act" value="open b">Other</button><button id="close" name="act" value="" data-returns="open a">Close</button>`,
    );
  const seen = [];
  sheet('<button id="opener" name="act" value="open a">Open</button>');
  find("#opener").scrollIntoView = (how) => seen.push(how.block);
  find("p").scrollIntoView = () => {};
  place.querySelector(".calculator").scrollIntoView = () => {};
  const close = find("#close");
  const [places, destination] = [placesAround(place, close), destinationOf(close)];
  close.remove();
  attend(place, { ...ASKED, isMore: true }, places, destination);
  assert.deepEqual(seen, []);
  attend(place, ASKED, places, destination);
  assert.deepEqual([document.activeElement.id, seen], ["opener", ["nearest"]]);
  sheet("<p hidden><button name='act' value='open a'>Open</button></p>");
  place.querySelector(".calculator").scrollIntoView = () => {};
  attend(place, ASKED, [], destinationOf(find("#close")));
  assert.ok(isFocused(find("[data-focus]")));
});

test("what is to be seen comes into view after a press, by as little as it takes, and in its own row or frame", () => {
  calculator(
    '<p id="told">x</p><div data-into-view="#told"><button>B</button></div><div data-pans><p><b data-in-view>in</b></p></div><p id="row"><i data-in-view>row</i></p>',
  );
  const seen = [];
  find("#told").scrollIntoView = (how) => seen.push(how);
  const destination = destinationOf(find("button"));
  const [pans, row] = [find("[data-pans]"), find("#row")];
  const frame = (where) =>
    setProperties(setBox(where, { left: 0, right: 100, top: 0, bottom: 100 }), {
      scrollLeft: 0,
      scrollTop: 0,
      clientWidth: 100,
      clientHeight: 100,
    });
  [pans, row].forEach(frame);
  setBox(find("b"), { left: 10, right: 20, top: 90, bottom: 101 });
  setBox(find("i"), { left: 200, right: 210 });
  attend(place, { ...ASKED, isMore: true }, [], destination);
  attend(place, { ...ASKED, ask: false }, [], destination);
  assert.deepEqual([seen, pans.scrollLeft, pans.scrollTop, row.scrollLeft, row.scrollTop], [[], -70, 90, 310, 0]);
  attend(place, ASKED, [], destinationOf(find("#row")));
  assert.deepEqual(seen, []);
  attend(place, ASKED, [], destination);
  assert.deepEqual(seen, [{ block: "nearest", behavior: "instant" }]);
  frame(pans);
  setBox(find("b"), { left: 0, right: 100, top: 0, bottom: 100 });
  attend(place, ASKED, []);
  assert.deepEqual([pans.scrollLeft, pans.scrollTop], [0, 0]);
  for (const side of [{ left: -1 }, { right: 101 }, { top: -1 }, { bottom: 101 }]) {
    frame(pans);
    setBox(find("b"), { left: 0, right: 100, top: 0, bottom: 100, ...side });
    attend(place, ASKED, []);
    assert.notDeepEqual([pans.scrollLeft, pans.scrollTop], [0, 0], JSON.stringify(side));
  }
});

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
    attend(place, ASKED, []);
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
  offerFile(calculator(""));
  assert.equal(find(".calculator-file").textContent, "Import file ");
  offerFile(place);
  assert.equal(place.querySelectorAll("input").length, 1);
  setAddress("https://example.org/rules/");
  offerFile(calculator(""));
  assert.equal(find(".calculator-file"), null);
  setAddress(`${root}tools/dice/`);
});

test("a file that is empty or can't be read is said; one that belongs elsewhere is said with the ways there", async () => {
  calculator("");
  const scrolls = mock.method(Element.prototype, "scrollIntoView");
  assert.equal(await textOf(place, new Blob(["a"])), "a");
  assert.equal(await textOf(place, new Blob([" \n\0"])), null);
  assert.equal(notice(), "This file is empty.");
  assert.equal(await textOf(place, { arrayBuffer: async () => Promise.reject(new Error()) }), null);
  assert.match(notice(), /^Can’t read this file/);
  const { this: seen, arguments: how } = scrolls.mock.calls.at(-1);
  assert.deepEqual([seen === find("[data-notice]"), how], [true, [{ block: "nearest" }]]);
  engine.answer = "{}";
  assert.deepEqual([await isSentOn(place, "a"), notice()], [false, undefined]);
  assert.deepEqual(engine.asked, [{ name: "dice", query: "", file: "a", root }]);
  engine.answer = JSON.stringify({
    words: "This is a fight.",
    links: [
      ["Open it", "../fight/"],
      ["Replay it", "../replay/"],
    ],
  });
  assert.deepEqual(
    [await isSentOn(place, "b"), notice(), document.activeElement.textContent],
    [true, "This is a fight.Open it Replay it ", "Open it"],
  );
  assert.deepEqual(
    [[...place.querySelectorAll("[data-notice] a")].map((each) => each.getAttribute("href")), find(".calculator-announcement").textContent],
    [["../fight/", "../replay/"], "This is a fight."],
  );
  engine.answer = "no JSON";
  assert.equal(await isSentOn(place, "c"), true);
  assert.match(notice(), /JSON/);
  engine.state = "starting";
  const looked = isSentOn(place, "d");
  assert.equal(notice(), "Starting Python to read the file …");
  await looked;
  engine.state = "ready";
});

test("what is said stands first, once about each thing, and its buttons in their order", () => {
  const pressed = [];
  calculator("");
  say(place, "kept", "It is kept.", [button("One", () => pressed.push(1)), button("Two", () => pressed.push(2))]);
  say(place, "kept", "It is kept again.", [button("One", () => pressed.push(1)), button("Two", () => pressed.push(2))]);
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
  handOn(answer);
  assert.deepEqual([find("[data-screen]"), find("form").innerHTML], [null, "<p>mine</p>"]);
  assert.deepEqual([...store.values()], [JSON.stringify(sent[0])]);
  handOn(answer);
  handOn(answer);
  assert.deepEqual([sent.map(({ html }) => html), store.size], [["<b>Round 1</b>", ""], 0]);
});

test("what can wait begins at the first answer, or five seconds after anybody has done anything", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const begun = [];
  whenQuiet(() => begun.push("answered"));
  engine.dispatchEvent(new Event("answered"));
  whenQuiet(() => begun.push("quiet"));
  mock.timers.tick(4_999);
  for (const sign of ["keydown", "pointerdown", "scroll"]) {
    document.body.dispatchEvent(createEvent(sign));
    mock.timers.tick(4_999);
    assert.deepEqual(begun, ["answered"], sign);
  }
  engine.state = "starting";
  mock.timers.tick(1);
  engine.state = "ready";
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
  for (const [bytes, text] of cases) assert.equal(await textOf(place, new Blob([bytes])), text);
  assert.equal(notice(), undefined);
  assert.equal(await textOf(place, new Blob([Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])])), null);
  assert.match(notice(), /^This file isn’t text/);
});
