import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { setAddress, setPage } from "./browser.mjs";

setAddress("https://example.org/tools/dice/");
const store = new Map();
const storage = {
  getItem: (name) => store.get(name) ?? null,
  setItem: (name, text) => store.set(name, text),
  removeItem: (name) => store.delete(name),
};
globalThis.sessionStorage = storage;
const { AnswerHistory } = await import("../../site_overrides/javascripts/calculator/history.mjs");

const page = (name = "dice") => setPage(`<scratch-calculator name="${name}"><section></section></scratch-calculator>`);
const shown = (place) => [...place.querySelectorAll("li > a")].map((link) => link.textContent);

beforeEach(() => {
  store.clear();
  globalThis.sessionStorage = storage;
});

test("AnswerHistory lists the latest twenty answers, the newest first", () => {
  const place = page();
  const history = new AnswerHistory(place, "tools/dice/");
  for (let at = 1; at <= 25; at++) history.add(`roll=${at}`, `Roll ${at}`);
  assert.deepEqual(
    shown(place),
    Array.from({ length: 20 }, (_, at) => `Roll ${25 - at}`),
  );
  const { copy, copyLink } = place.querySelector("li > button").dataset;
  const address = "https://example.org/tools/dice/tools/dice/?roll=25";
  assert.deepEqual([place.querySelector("li > a").href, copy, copyLink], [address, "Roll 25", address]);
});

test("AnswerHistory keeps a separate list for each calculator", () => {
  new AnswerHistory(page(), "tools/dice/").add("roll=1", "Roll 1");
  const [other, [name]] = [page("odds"), store.keys()];
  new AnswerHistory(other, "tools/odds/").render();
  assert.deepEqual(shown(other), []);
  assert.match(name, /scratch-history-dice$/);
});

test("AnswerHistory.clear removes the answers from the page and from storage", () => {
  const place = page();
  const history = new AnswerHistory(place, "tools/dice/");
  history.add("roll=1", "Roll 1");
  history.clear();
  assert.deepEqual([shown(place), store.size], [[], 0]);
});

test("AnswerHistory shows its placeholder until the first answer", () => {
  const place = page();
  const history = new AnswerHistory(place, "tools/dice/", "Your answers appear here.");
  history.render();
  assert.equal(place.querySelector("p").textContent, "Your answers appear here.");
  assert.equal(place.querySelector("[data-forget]"), null);
  history.add("roll=1", "Roll 1");
  assert.deepEqual([place.querySelector("p").textContent, shown(place)], ["", ["Roll 1"]]);
});

test("AnswerHistory skips invalid lists and entries, and lists the last answer without storage", () => {
  const place = page();
  new AnswerHistory(place, "tools/dice/").add("roll=1", "Roll 1");
  const [name] = store.keys();
  store.set(name, '[{"query": 1, "summary": "x"}, {"query": "roll=2", "summary": "Roll 2"}]');
  new AnswerHistory(place, "tools/dice/").render();
  assert.deepEqual(shown(place), ["Roll 2"]);
  store.set(name, "{broken");
  new AnswerHistory(place, "tools/dice/").render();
  assert.deepEqual(shown(place), []);
  globalThis.sessionStorage = {
    ...storage,
    setItem: () => {
      throw new Error("full");
    },
  };
  new AnswerHistory(place, "tools/dice/").add("roll=3", "Roll 3");
  assert.deepEqual(shown(place), ["Roll 3"]);
});

test("AnswerHistory lists an answer with its total and short text, and copies its full summary", () => {
  const place = page();
  Object.assign(place.querySelector("section").dataset, { historyTotal: "14 ✓", historyText: "d20+5 against 13 · 65%" });
  new AnswerHistory(place, "tools/dice/").add("roll=1", "d20+5 against 13: 14, success (chance 65%).");
  const row = place.querySelector(".list-row");
  assert.deepEqual(
    [...row.querySelectorAll("a > *")].map(({ className, textContent }) => `${className}: ${textContent}`),
    ["list-row__total: 14 ✓", "list-row__details: d20+5 against 13 · 65%"],
  );
  assert.equal(row.querySelector("button").dataset.copy, "d20+5 against 13: 14, success (chance 65%).");
  const again = page();
  new AnswerHistory(again, "tools/dice/").render();
  assert.deepEqual(shown(again), ["14 ✓ d20+5 against 13 · 65%"]);
});
