import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { createEvent, listTypes, setAddress, setPage } from "./browser.mjs";
import { until } from "./until.mjs";

setAddress("https://example.org/tools/players-screen/");
const channels = [];
globalThis.BroadcastChannel = class extends EventTarget {
  constructor(name) {
    super();
    channels.push(Object.assign(this, { named: name, isOpen: true }));
  }
  close() {
    this.isOpen = false;
  }
  postMessage(data) {
    for (const each of channels.filter((other) => other !== this && other.isOpen))
      each.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
};
const store = new Map();
globalThis.localStorage = {
  getItem: (name) => store.get(name) ?? null,
  setItem: (name, text) => store.set(name, text),
  removeItem: (name) => store.delete(name),
};
const scripts = "../../site_overrides/javascripts";
const { storageKeyOf } = await import(`${scripts}/shared/urls.mjs`);
const { detachAndPublishScreen } = await import(`${scripts}/page/players-screen.mjs`);
const NAME = storageKeyOf("scratch-screen");
const MINUTE = 60_000;
const NOON = new Date(2026, 4, 1, 12).getTime();

beforeEach(() => {
  for (const channel of channels) channel.close();
  store.clear();
  setPage("");
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: NOON });
});

const isDrawn = (place) => until(() => place.innerHTML);
/** The address of a moment. */
const code = (moment) => `#=${deflateRawSync(JSON.stringify(moment)).toString("base64url")}`;
function begin(hash = "") {
  setAddress(`https://example.org/tools/players-screen/${hash}`);
  const place = document.createElement("scratch-screen");
  document.body.append(place); // beside those of other windows
  return place;
}
const WAITS = `<p class="screen-waiting">Nothing is shown yet. To begin, select “Start the players' screen” on the fight page.</p>`;

test("a second window shows what was shown last, and then each answer; its end too; gone, it listens to nothing", () => {
  store.set(NAME, JSON.stringify({ html: "<b>Round 1</b>", at: NOON, source: "fight" }));
  const before = listTypes(window);
  const place = begin();
  assert.equal(place.innerHTML, "<b>Round 1</b>");
  const channel = channels.at(-1);
  assert.equal(channel.named, NAME);
  for (const [html, shown] of [
    ["<b>Round 2</b>", "<b>Round 2</b>"],
    ["", WAITS],
  ]) {
    channel.dispatchEvent(Object.assign(new Event("message"), { data: { html, at: NOON, source: "fight" } }));
    assert.equal(place.innerHTML, shown);
  }
  place.remove();
  assert.deepEqual([channel.isOpen, listTypes(window)], [false, before]);
  store.clear();
  assert.equal(begin().innerHTML, WAITS);
  for (const broken of ["<b>of an older site</b>", "3", "{"]) {
    store.set(NAME, broken);
    assert.equal(begin().innerHTML, WAITS, broken);
  }
});

/** What an answer hands on: a fight's round, or nothing to show. */
function answer(inside) {
  const content = document.createElement("div");
  content.innerHTML = inside && `<div data-screen><b>${inside}</b></div>`;
  detachAndPublishScreen(content);
}
/** A screen beside the window that hands on. */
function beside(act) {
  const place = begin();
  act();
  return place;
}
const AGE = /<p class="screen-age">(.*)<\/p>/;
const age = (place) => place.innerHTML.match(AGE)?.[1];

test("screen without news for five minutes says from when it is, and no more once news comes", () => {
  const place = beside(() => answer("Round 1"));
  mock.timers.tick(5 * MINUTE - 1);
  assert.equal(place.innerHTML, "<b>Round 1</b>");
  mock.timers.tick(1);
  assert.equal(place.innerHTML, '<b>Round 1</b><p class="screen-age">As of 12:00.</p>');
  assert.equal(age(begin()), "As of 12:00.", "a reload says so at once");
  answer("Round 2");
  assert.equal(age(place), undefined);
  mock.timers.tick(24 * 60 * MINUTE);
  assert.equal(age(begin()), "As of 12:05 on 1 May.");
  place.remove();
});

test("screen of a closed fight says so at once, is not kept, and follows the same window again when it comes back", () => {
  const place = beside(() => answer("Round 1"));
  mock.timers.tick(MINUTE);
  dispatchEvent(createEvent("pagehide"));
  assert.equal(place.innerHTML, `<b>Round 1</b><p class="screen-age">The fight's window is closed. As of 12:00.</p>`);
  assert.equal(begin().innerHTML, WAITS);
  dispatchEvent(Object.assign(createEvent("pageshow"), { persisted: true }));
  assert.equal(place.innerHTML, "<b>Round 1</b>");
  answer("");
  assert.equal(place.innerHTML, WAITS);
  dispatchEvent(createEvent("pagehide"));
  assert.equal(place.innerHTML, WAITS);
});

test("closing a window leaves the screen of another fight alone", () => {
  const place = beside(() => answer("fight A"));
  const other = JSON.stringify({ html: "<b>fight B</b>", at: NOON, source: "B" });
  store.set(NAME, other);
  channels.at(0).postMessage.call({}, JSON.parse(other));
  assert.equal(place.innerHTML, "<b>fight B</b>");
  dispatchEvent(createEvent("pagehide"));
  assert.equal(place.innerHTML, "<b>fight B</b>");
  assert.equal(store.get(NAME), other);
  answer("");
  assert.equal(place.innerHTML, "<b>fight B</b>");
});

test("a moment is drawn from its address, all of it as text, with what marks who is on turn and who is out", async () => {
  const people = [
    [1, "<b>Ann</b>", "red", "", "3,4", "on"],
    [2, "Bo", "blue", "injured", "", "out"],
    [3, "Cy", "", "", "", ""],
  ];
  const before = channels.length;
  const place = begin(code([2, 7, "Ann", "Ann hits Bo.", people]));
  assert.equal(place.innerHTML, "");
  await isDrawn(place);
  const who = (tint, marks, name, words) =>
    `<li class="person side-${tint}${marks}"><span class="person-name"><span class="side-mark side-${tint}"></span> ${name}</span> ` +
    `<span class="screen-state">${words}</span></li>`;
  assert.equal(
    place.innerHTML,
    '<p class="screen-now"><span class="screen-round">Round 2, step 7</span> <strong class="">Ann</strong></p>' +
      `<ul class="screen-people">${who(1, " is-on", "&lt;b&gt;Ann&lt;/b&gt;", "red · at 3,4")}${who(2, " is-out", "Bo", "blue · injured")}${who(3, "", "Cy", "")}</ul>` +
      '<p class="screen-last">Ann hits Bo.</p>' +
      `<p class="hint">This is one moment of the fight and doesn't update. Scan the code again for the latest.</p>`,
  );
  assert.equal(place.querySelector("b"), null);
  assert.equal(channels.length, before, "no channel of its own");
});

test("scanned again the new moment is shown, and nothing that was handed on any more; what is no code says so", async () => {
  const place = begin();
  const channel = channels.at(-1);
  const follow = (hash) => {
    setAddress(`https://example.org/tools/players-screen/${hash}`);
    dispatchEvent(createEvent("hashchange"));
  };
  const open = async (hash) => {
    place.replaceChildren();
    follow(hash);
    await isDrawn(place);
    return place.textContent;
  };
  assert.match(await open(code([1, 0, "", "", []])), /^Round 1, step 0 …/);
  assert.equal(channel.isOpen, false);
  for (const cut of ["#=", "#=%", "#=abc", code([1, 0, "", "", []]).slice(0, -9)])
    assert.equal(await open(cut), "That code isn't complete. Scan it again from the fight page.", cut);
  const drawn = [];
  place.replaceChildren = (...content) => drawn.push(content);
  follow("#here");
  follow(code([1, 0, "", "", []]));
  await until(() => drawn.length > 0);
  assert.equal(drawn.length, 1, "an anchor of the page is no code: it draws nothing");
});

test("a code of a million letters, or one that unpacks to millions, is refused at once", async () => {
  const long = [1, 0, "", "x".repeat(3_000_000), []];
  for (const hash of [`#=${"A".repeat(1_000_000)}`, code(long)]) {
    const place = begin(hash);
    await isDrawn(place);
    assert.match(place.textContent, /^That code isn't complete/);
  }
});

test("a code whose parts have other shapes than a moment's shows no word of JavaScript", async () => {
  const person = [1, "Ann", "", "", "", ""];
  const odd = [[], [[[]]], [1, 0, "", "", [[]]], [1, 0, "", "", [[[]]]], [1, 0, "", {}, []], [1, 0, null, "", [person]], "[[[]]]", null, 7];
  for (const moment of [...odd, [1, 0, "", "", [[...person, 1]]]]) {
    const place = begin(code(moment));
    await isDrawn(place);
    assert.match(place.textContent, /^That code isn't complete/, JSON.stringify(moment));
  }
});

test("a right-to-left name in a code leaves the words after it in their order", async () => {
  const place = begin(code([1, 2, "שרה", "שרה hits Bo: 1 damage.", [[0, "שרה", "צפון", "3 of 4", "", "on"]]]));
  await until(() => place.querySelector(".screen-last"));
  assert.equal(place.querySelector(".screen-last").textContent, "\u2068שרה\u2069 hits Bo: 1 damage.");
  assert.equal(place.querySelector(".screen-state").textContent, "\u2068צפון\u2069 · 3 of 4");
  assert.equal(place.querySelector("strong").textContent, "\u2068שרה\u2069");
});
