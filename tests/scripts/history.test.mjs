import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** As much of a page as the list of earlier answers needs. */
const element = (tag) => ({
  tag,
  dataset: {},
  parts: [],
  append(...more) {
    this.parts.push(...more);
  },
  querySelector(tag) {
    return tag === "p" ? (this.words ??= element("p")) : (this.list ??= element("ol"));
  },
});
const store = new Map();
const storage = {
  getItem: (name) => store.get(name) ?? null,
  setItem: (name, text) => store.set(name, text),
  removeItem: (name) => store.delete(name),
};
globalThis.location = { origin: "here" };
globalThis.window = { top: globalThis };
globalThis.document = { createElement: element };
globalThis.sessionStorage = storage;
const { History } = await import("../../site_overrides/javascripts/calculator/history.mjs");

function page() {
  const place = element("scratch-calculator");
  place.getAttribute = () => "dice";
  place.querySelector = () => (place.parts.length ? { remove: () => place.parts.pop() } : null);
  return place;
}
const shown = (place) => place.parts[0]?.list.parts.map((item) => item.parts[0].textContent) ?? [];

beforeEach(() => {
  store.clear();
  globalThis.sessionStorage = storage;
});

test("answers are listed, the newest first, and twenty of them", () => {
  const place = page();
  const history = new History(place, "tools/dice/");
  for (let at = 1; at <= 25; at++) history.add(`roll=${at}`, `Roll ${at}`);
  assert.deepEqual(
    shown(place),
    Array.from({ length: 20 }, (_, at) => `Roll ${25 - at}`),
  );
  const [link, , copied] = place.parts[0].list.parts[0].parts;
  const { copy, copyLink } = copied.dataset;
  assert.deepEqual([link.href, copy, copyLink], ["tools/dice/?roll=25", "Roll 25", "tools/dice/?roll=25"]);
});

test("each calculator has its own list", () => {
  new History(page(), "tools/dice/").add("roll=1", "Roll 1");
  const [other, [name]] = [page(), store.keys()];
  other.getAttribute = () => "odds";
  new History(other, "tools/odds/").show();
  assert.deepEqual(shown(other), []);
  assert.match(name, /scratch-history-dice$/);
});

test("forgotten ones are gone, for the next page too", () => {
  const place = page();
  const history = new History(place, "tools/dice/");
  history.add("roll=1", "Roll 1");
  history.forget();
  assert.deepEqual([shown(place), store.size], [[], 0]);
});

test("where a place is kept for them, words stand in it until there are some", () => {
  const place = page();
  const history = new History(place, "tools/dice/", "They will stand here.");
  history.show();
  assert.equal(place.parts[0].words.textContent, "They will stand here.");
  history.add("roll=1", "Roll 1");
  assert.deepEqual([place.parts[0].words.textContent, shown(place)], ["", ["Roll 1"]]);
});

test("what is no list, or no entry, is passed over, and without storage the last answer is listed", () => {
  const place = page();
  new History(place, "tools/dice/").add("roll=1", "Roll 1");
  const [name] = store.keys();
  store.set(name, '[{"query": 1, "summary": "x"}, {"query": "roll=2", "summary": "Roll 2"}]');
  new History(place, "tools/dice/").show();
  assert.deepEqual(shown(place), ["Roll 2"]);
  store.set(name, "{broken");
  new History(place, "tools/dice/").show();
  assert.deepEqual(shown(place), []);
  globalThis.sessionStorage = {
    ...storage,
    setItem: () => {
      throw new Error("full");
    },
  };
  new History(place, "tools/dice/").add("roll=3", "Roll 3");
  assert.deepEqual(shown(place), ["Roll 3"]);
});
