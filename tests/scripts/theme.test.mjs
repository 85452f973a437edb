import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { createEvent, setAddress, setPage, setProperties } from "./browser.mjs";

setAddress("https://example.org/rules/");
const turned = [];
const watching = new Map();
globalThis.ResizeObserver = class {
  constructor(act) {
    this.act = act;
    watching.set("size", this);
    this.watched = [];
  }
  observe(box) {
    this.watched.push(box);
  }
  disconnect() {
    this.watched = [];
  }
};
globalThis.MutationObserver = class {
  constructor(act) {
    this.act = act;
  }
  observe(where, how) {
    watching.set(how.attributeFilter?.[0] ?? "hits", { act: this.act, where, how });
  }
};
window.document$ = { subscribe: (act) => turned.push(act) };
mock.timers.enable({ apis: ["setTimeout"] });
const hits = Object.assign(document.createElement("div"), {});
hits.setAttribute("data-md-component", "search-result");
document.documentElement.append(hits);
await import("../../site_overrides/javascripts/page/material-fixes.mjs");

const make = document.createElement.bind(document);
let seen = [];
beforeEach(() => {
  mock.timers.tick(1_000);
  setPage(`<main><h2 id="a b">A</h2><a id="far" href="https://example.org/tools/#a%20b">far</a><a id="top" href="https://example.org/tools/">top</a>
    <a id="here" href="#x">here</a><p id="x">X</p></main>`);
  for (const link of document.querySelectorAll("a")) Object.defineProperty(link, "pathname", { get: () => new URL(link.href).pathname });
  seen = [];
  document.getElementById("a b").scrollIntoView = () => seen.push("a b");
  document.getElementById("x").scrollIntoView = () => seen.push("x");
  globalThis.scrollTo = (...where) => seen.push(where);
  setAddress("https://example.org/rules/");
});

/** Click a link, and render its page as the theme does. */
function follow(id, address) {
  document.getElementById(id).dispatchEvent(createEvent("click"));
  setAddress(address);
  for (const act of turned) act();
  mock.timers.tick(300);
}

test("a link to another page scrolls to its top, or to its fragment's element as the target", () => {
  follow("top", "https://example.org/tools/");
  assert.deepEqual(seen, [[0, 0]]);
  let isTarget = true;
  document.getElementById("a b").matches = (selector) => selector === ":target" && isTarget;
  follow("far", "https://example.org/tools/#a%20b");
  assert.deepEqual(seen, [[0, 0]], "the browser follows a link to the current page");
  setAddress("https://example.org/rules/");
  follow("far", "https://example.org/tools/#a%20b");
  mock.timers.tick(300);
  assert.deepEqual(seen, [[0, 0], "a b", "a b"], "scrolled again once the tables above it are wrapped");
  setAddress("https://example.org/rules/");
  isTarget = false;
  const pressed = [];
  document.createElement = (tag) => Object.assign(make(tag), { click: () => pressed.push(tag) });
  follow("far", "https://example.org/tools/#a%20b");
  document.createElement = make;
  assert.deepEqual([seen.length, pressed], [3, ["a"]]);
});

test("a page that is not the target of the clicked link, or is rendered again, is not scrolled", () => {
  follow("here", "https://example.org/rules/#x");
  for (const act of turned) act();
  follow("top", "https://example.org/other/");
  follow("top", "https://example.org/tools/%");
  mock.timers.tick(1_000);
  assert.deepEqual(seen, []);
});

test("closing the search scrolls to the fragment of the URL if it has changed", () => {
  const { act, where } = watching.get("data-md-scrolllock");
  assert.equal(where, document.body);
  document.body.setAttribute("data-md-scrolllock", "");
  act();
  setAddress("https://example.org/rules/#x");
  document.body.removeAttribute("data-md-scrolllock");
  act();
  mock.timers.tick(299);
  assert.deepEqual(seen, []);
  mock.timers.tick(1);
  assert.deepEqual(seen, ["x"]);
  act();
  setAddress("https://example.org/rules/#%");
  act();
  mock.timers.tick(300);
  assert.deepEqual(seen, ["x"]);
});

test("a search result of another page scrolls to its rule, although the theme closes the search with a click first", () => {
  document.getElementById("a b").matches = () => true;
  document.getElementById("far").dispatchEvent(createEvent("click"));
  document.getElementById("x").dispatchEvent(createEvent("click"));
  setAddress("https://example.org/tools/#a%20b");
  for (const act of turned) act();
  mock.timers.tick(1);
  assert.deepEqual(seen, ["a b"]);
});

test("a table that overflows is focusable and named; one that fits, or contains a focusable element, is not focusable", () => {
  const box = (wide, inside) => {
    const made = setPage(`<div class="engine-table" tabindex="0"><div class="md-typeset__scrollwrap">${inside}</div></div>`).children[0];
    setProperties(made, { scrollWidth: wide, clientWidth: 100 });
    const again = () => {
      for (const act of turned) act();
      mock.timers.tick(300);
      watching.get("size").act(watching.get("size").watched.map((target) => ({ target })));
    };
    again();
    again();
    return [...["tabindex", "role", "aria-label"].map((name) => made.getAttribute(name)), made.parentElement.getAttribute("tabindex")];
  };
  assert.deepEqual(box(101, "<table><caption>Costs</caption></table>"), ["0", "group", "Costs", null]);
  assert.deepEqual(box(101, "<table></table>"), ["0", "group", "Table", null]);
  assert.deepEqual(box(100, "<table></table>"), [null, null, null, "0"]);
  assert.deepEqual(box(101, '<table><a href="#">x</a></table>'), [null, null, null, "0"]);
  const [made] = watching.get("size").watched;
  assert.equal(watching.get("size").watched.length, 1);
  for (const [wide, name] of [
    [101, "Costs"],
    [100, null],
  ]) {
    made.innerHTML = "<table><caption>Costs</caption></table>";
    made.scrollWidth = wide;
    watching.get("size").act([{ target: made }]);
    assert.equal(made.getAttribute("aria-label"), name);
  }
});

test("the tags of a search result are not a navigation landmark", () => {
  hits.innerHTML = '<nav class="md-tags"></nav><nav class="md-tags" role="list"></nav>';
  const { act, where, how } = watching.get("hits");
  act();
  assert.deepEqual(
    [where === hits, how, [...hits.children].map((each) => each.role)],
    [true, { childList: true, subtree: true }, ["presentation", "list"]],
  );
});
