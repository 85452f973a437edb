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
const { root, storageKeyOf } = await import(`${scripts}/shared/urls.mjs`);
const { detachAndPublishScreen } = await import(`${scripts}/page/players-screen.mjs`);
await import(`${scripts}/page/players-window.mjs`);
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
/** Return the fragment that contains a moment. */
const code = (moment) => `#=${deflateRawSync(JSON.stringify(moment)).toString("base64url")}`;
function begin(hash = "") {
  setAddress(`https://example.org/tools/players-screen/${hash}`);
  const place = document.createElement("scratch-screen");
  document.body.append(place); // the page may have several screens
  return place;
}
const waiting = (start) =>
  '<div class="players-screen__waiting"><span class="players-screen__net" aria-hidden="true"></span>' +
  `<p class="players-screen__waiting-title">Nothing is shown yet</p><p class="actions">${start}</p></div>`;
const WAITS = waiting(`<a class="button primary" href="${root}tools/fight/" target="scratch-fight">Start a fight</a>`);
const OFFERS = waiting('<button class="button primary">Show the open fight</button>');

test("the players' screen shows the saved content, then each update and the end; a removed one has no listeners", () => {
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

/** Publish the players' screen of an answer, or its end. */
function answer(inside) {
  const content = document.createElement("div");
  content.innerHTML = inside && `<div data-screen><b>${inside}</b></div>`;
  detachAndPublishScreen(content);
}
/** Open a screen before a window publishes. */
function openScreenBefore(act) {
  const place = begin();
  act();
  return place;
}
const AGE = /<p class="players-screen__age">(.*)<\/p>/;
const age = (place) => place.innerHTML.match(AGE)?.[1];

test("the players' screen shows its time after five minutes without an update, until the next update", () => {
  const place = openScreenBefore(() => answer("Round 1"));
  mock.timers.tick(5 * MINUTE - 1);
  assert.equal(place.innerHTML, "<b>Round 1</b>");
  mock.timers.tick(1);
  assert.equal(place.innerHTML, '<b>Round 1</b><p class="players-screen__age">As of 12:00.</p>');
  assert.equal(age(begin()), "As of 12:00.", "a reload says so at once");
  answer("Round 2");
  assert.equal(age(place), undefined);
  mock.timers.tick(24 * 60 * MINUTE);
  assert.equal(age(begin()), "As of 12:05 on 1 May.");
  place.remove();
});

test("the players' screen of a closed fight says so at once, is not stored, and continues if the window is restored", () => {
  const place = openScreenBefore(() => answer("Round 1"));
  mock.timers.tick(MINUTE);
  dispatchEvent(createEvent("pagehide"));
  assert.equal(place.innerHTML, `<b>Round 1</b><p class="players-screen__age">The fight's window is closed. As of 12:00.</p>`);
  assert.equal(begin().innerHTML, WAITS);
  dispatchEvent(Object.assign(createEvent("pageshow"), { persisted: true }));
  assert.equal(place.innerHTML, "<b>Round 1</b>");
  answer("");
  assert.equal(place.innerHTML, WAITS);
  dispatchEvent(createEvent("pagehide"));
  assert.equal(place.innerHTML, WAITS);
});

test("closing a window does not change the players' screen of another fight", () => {
  const place = openScreenBefore(() => answer("fight A"));
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

test("a scanned code renders its moment as plain text, with the active and the incapacitated character marked", async () => {
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
    `<li class="person side-${tint}${marks}"><span class="side-mark side-${tint}"></span> <span class="person__name">${name}</span> ` +
    `<span class="players-screen__state">${words}</span></li>`;
  assert.equal(
    place.innerHTML,
    '<p class="players-screen__now"><strong class="players-screen__name">Ann</strong></p><p class="players-screen__last">Ann hits Bo.</p>' +
      `<ul class="players-screen__people">${who(1, " is-on", "&lt;b&gt;Ann&lt;/b&gt;", "red · at 3,4")}${who(2, " is-out", "Bo", "blue · injured")}${who(3, "", "Cy", "")}</ul>` +
      '<p class="hint players-screen__scanned">Round 2, as of 12:00. Scan again for the next.</p>',
  );
  assert.equal(place.querySelector("b"), null);
  assert.equal(channels.length, before, "no channel of its own");
});

test("a scanned code keeps the time of its scan after a reload", async () => {
  const hash = code([2, 7, "Ann", "", []]);
  const scan = async () => {
    const place = begin(hash);
    await isDrawn(place);
    return place.querySelector(".players-screen__scanned").textContent;
  };
  assert.match(await scan(), /as of 12:00/);
  mock.timers.tick(MINUTE);
  assert.match(await scan(), /as of 12:00/);
});

test("an empty players' screen offers to show an open fight until the fight is over or its window is closed", () => {
  const place = begin();
  const content = document.createElement("div");
  const end = () => detachAndPublishScreen(document.createElement("div"));
  const offer = () => {
    content.innerHTML = "<button data-screen-on>Start</button>";
    detachAndPublishScreen(content);
  };
  assert.equal(place.innerHTML, WAITS);
  offer();
  assert.equal(place.innerHTML, OFFERS);
  assert.equal(begin().innerHTML, OFFERS, "a window that is opened later finds the fight");
  end();
  assert.equal(place.innerHTML, WAITS);
  offer();
  dispatchEvent(createEvent("pagehide"));
  assert.equal(place.innerHTML, WAITS);
  document.body.append(content);
  dispatchEvent(Object.assign(createEvent("pageshow"), { persisted: true }));
  assert.equal(place.innerHTML, OFFERS, "a fight that was restored is offered again");
  let clicks = 0;
  content.querySelector("button").addEventListener("click", () => clicks++);
  place.querySelector("button").click();
  assert.equal(clicks, 1);
  channels.at(0).postMessage.call({}, { request: "show", source: "another window" });
  assert.equal(clicks, 1, "a request to another window changes nothing");
  end();
});

test("the players' screen is dark until the user selects light, which is stored for the screen only", () => {
  const place = begin();
  const button = place.nextElementSibling;
  assert.deepEqual([place.dataset.scheme, button.getAttribute("aria-pressed")], ["dark", "false"]);
  button.click();
  assert.deepEqual([place.dataset.scheme, button.getAttribute("aria-pressed")], ["light", "true"]);
  assert.deepEqual([...store], [[storageKeyOf("scratch-screen-scheme"), "light"]]);
  assert.equal(begin().dataset.scheme, "light");
  button.click();
  assert.deepEqual([place.dataset.scheme, store.size], ["dark", 0]);
});

test("the switch of the players' screen disappears after three seconds without a pointer movement", () => {
  const place = begin();
  mock.timers.tick(2_999);
  assert.equal(place.hasAttribute("data-idle"), false);
  mock.timers.tick(1);
  assert.equal(place.hasAttribute("data-idle"), true);
  dispatchEvent(createEvent("pointermove"));
  assert.equal(place.hasAttribute("data-idle"), false);
});

test("the players' screen marks an update with new content, and no other", () => {
  const content = (event, people) => `<div class="players-screen__event">${event}</div><ul>${people}</ul>`;
  const place = begin();
  const show = (html) => channels.at(0).postMessage.call({}, { html, at: NOON, source: "fight" });
  show(content("Ann hits Bo.", "<li>Bo</li>"));
  show(content("Ann hits Bo.", "<li>Bo</li>"));
  assert.equal(place.className, "");
  show(content("Ann hits Bo again.", '<li class="is-out">Bo</li>'));
  assert.equal(place.className, "is-new has-new-out");
});

test("a new scan replaces the moment and ends the updates of a window; an invalid code shows an error", async () => {
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
  assert.match(await open(code([1, 0, "", "", []])), /^…Round 1, as of/);
  assert.equal(channel.isOpen, false);
  for (const cut of ["#=", "#=%", "#=abc", code([1, 0, "", "", []]).slice(0, -9)])
    assert.equal(await open(cut), "That code isn't complete. Scan it again from the fight page.", cut);
  const drawn = [];
  place.replaceChildren = (...content) => drawn.push(content);
  follow("#here");
  follow(code([1, 0, "", "", []]));
  await until(() => drawn.length > 0);
  assert.equal(drawn.length, 1, "the page's own anchor is no code and renders nothing");
});

test("a code of a million letters, or one that unpacks to millions, is rejected at once", async () => {
  const long = [1, 0, "", "x".repeat(3_000_000), []];
  for (const hash of [`#=${"A".repeat(1_000_000)}`, code(long)]) {
    const place = begin(hash);
    await isDrawn(place);
    assert.match(place.textContent, /^That code isn't complete/);
  }
});

test("a code with invalid types shows an error without JavaScript terms", async () => {
  const person = [1, "Ann", "", "", "", ""];
  const odd = [[], [[[]]], [1, 0, "", "", [[]]], [1, 0, "", "", [[[]]]], [1, 0, "", {}, []], [1, 0, null, "", [person]], "[[[]]]", null, 7];
  for (const moment of [...odd, [1, 0, "", "", [[...person, 1]]]]) {
    const place = begin(code(moment));
    await isDrawn(place);
    assert.match(place.textContent, /^That code isn't complete/, JSON.stringify(moment));
  }
});

test("a right-to-left name in a code is isolated from the text after it", async () => {
  const place = begin(code([1, 2, "שרה", "שרה hits Bo: 1 damage.", [[0, "שרה", "צפון", "3 of 4", "", "on"]]]));
  await until(() => place.querySelector(".players-screen__last"));
  assert.equal(place.querySelector(".players-screen__last").textContent, "\u2068שרה\u2069 hits Bo: 1 damage.");
  assert.equal(place.querySelector(".players-screen__state").textContent, "\u2068צפון\u2069 · 3 of 4");
  assert.equal(place.querySelector("strong").textContent, "\u2068שרה\u2069");
});
