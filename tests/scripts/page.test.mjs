import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

/** Create a fake element with the properties that the tested scripts use. */
const element = (tag) => ({
  tag,
  dataset: {},
  parts: [],
  attributes: {},
  append(...more) {
    this.parts.push(...more);
  },
  prepend(...more) {
    this.parts.unshift(...more);
  },
  setAttribute(name, value) {
    this.attributes[name] = String(value);
  },
  getAttribute(name) {
    return this.attributes[name] ?? null;
  },
  toggleAttribute(name, is) {
    this.attributes[name] = is;
  },
  addEventListener(name, act) {
    (this.listening ??= {})[name] = act;
  },
});
const listening = {};
globalThis.document = { createElement: element, addEventListener: (name, act, how) => ((listening[name] = act), (listening.how = how)) };
globalThis.requestAnimationFrame = (act) => act();
globalThis.location = new URL("https://example.org/a/?x=1");
globalThis.window = { top: { location } };

const scripts = "../../site_overrides/javascripts";
const { showEntryPlaceholder, showLinkPlaceholder, removePlaceholder } = await import(`${scripts}/calculator/loading-placeholder.mjs`);
const { Autoplay } = await import(`${scripts}/calculator/autoplay.mjs`);
const { renderLineNumbers } = await import(`${scripts}/calculator/line-numbers.mjs`);

/** Create a fake calculator that records its placeholder. */
function calculator() {
  const place = element("scratch-calculator");
  const before = (placeholder) => (place.placeholder = Object.assign(placeholder, { remove: () => delete place.placeholder }));
  place.querySelector = (selector) => (selector === ".calculator-body" ? { before } : place.placeholder);
  return place;
}
const renderPlaceholder = (show) => {
  const place = calculator();
  show(place);
  return [place.dataset.opening, place.placeholder.textContent];
};

beforeEach(() => mock.timers.reset());

test("showEntryPlaceholder shows the entry's name and state; showLinkPlaceholder shows the title or short values", () => {
  const form = { elements: [] };
  const link = (query, isWhole) => renderPlaceholder((place) => showLinkPlaceholder(place, form, query, isWhole));
  assert.deepEqual(
    renderPlaceholder((place) => showEntryPlaceholder(place, { name: "Bo", summary: "Round 2." }, "fight")),
    ["all", "Loading your fight: Bo. Round 2."],
  );
  assert.deepEqual(
    renderPlaceholder((place) => showEntryPlaceholder(place, { name: "", summary: "" }, "fight")),
    ["all", "Loading your fight …"],
  );
  assert.deepEqual(link("dice=d6&times=3&note=", false), ["answer", "Loading: d6, times 3"]);
  assert.deepEqual(link(`a=1&b=${"x".repeat(60)}&c=${"x".repeat(61)}&d=%7B&e=%0A`, false), ["answer", `Loading: 1, b ${"x".repeat(60)}`]);
  assert.deepEqual(link("log=1&title=Harbour", true), ["all", "Loading: Harbour"]);
  assert.deepEqual(link("log=1", true), ["all", "Loading the link …"]);
  assert.equal(link(`title=${"x".repeat(200)}`, true)[1].length, "Loading: ".length + 120);
});

test("showLinkPlaceholder puts the link's values into text fields, unless the whole page is loading", () => {
  const control = (name, isWritten) => ({ name, value: "old", matches: () => isWritten });
  const form = { elements: [control("a", true), control("b", true), control("c", false), control("", true)] };
  showLinkPlaceholder(calculator(), form, "a=1&c=2", false);
  assert.deepEqual(
    form.elements.map((each) => each.value),
    ["1", "", "old", "old"],
  );
  showLinkPlaceholder(calculator(), form, "a=3", true);
  assert.equal(form.elements[0].value, "1");
});

test("removePlaceholder removes the placeholder and the loading state", () => {
  const place = calculator();
  showEntryPlaceholder(place, { name: "Bo", summary: "" }, "fight");
  removePlaceholder(place);
  assert.deepEqual([place.dataset, place.placeholder], [{}, undefined]);
});

test("Autoplay presses its button at an interval, waits for answers, and stops at a disabled button or on request", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let presses = 0;
  const [place, play, next] = [element("div"), element("button"), { disabled: false, click: () => presses++ }];
  Object.assign(play.dataset, { autoplayDelay: "1500", autoplayButton: "#next" });
  place.dataset.state = "ready";
  let shown = null;
  place.querySelector = (selector) => ({ "#next": next, "[data-autoplay-delay][aria-pressed=true]": shown })[selector] ?? null;
  const playing = new Autoplay(place);
  const getState = () => [presses, play.attributes["aria-pressed"], place.attributes.playing];
  playing.toggle(play);
  assert.deepEqual(getState(), [1, "true", true]);
  mock.timers.tick(1500);
  place.dataset.state = "working";
  mock.timers.tick(1500);
  assert.deepEqual(getState(), [2, "true", true]);
  place.dataset.state = "ready";
  mock.timers.tick(249);
  assert.equal(presses, 2);
  mock.timers.tick(1);
  assert.equal(presses, 3);
  presses = 2;
  place.dataset.state = "working";
  playing.toggle(play);
  place.dataset.state = "ready";
  mock.timers.tick(3000);
  assert.deepEqual(getState(), [2, "false", false]);
  playing.toggle(play);
  next.disabled = true;
  mock.timers.tick(1500);
  assert.deepEqual(getState(), [3, "false", false]);
  next.disabled = false;
  mock.timers.tick(1500);
  assert.equal(presses, 3);
  playing.toggle(play);
  shown = Object.assign(element("button"), { dataset: { autoplayDelay: "100", autoplayButton: "#next" } }); // an answer sets a new interval
  mock.timers.tick(1500);
  mock.timers.tick(100);
  assert.equal(presses, 6);
  playing.stopTimer();
});

test("renderLineNumbers numbers the lines of a text from 1, and scrolls the numbers with it", () => {
  const numbers = { textContent: "" };
  const area = {
    value: "a\nb\n",
    scrollTop: 7,
    parentElement: { querySelector: () => numbers },
    matches: (selector) => selector === "textarea[data-numbered]",
  };
  renderLineNumbers({ querySelectorAll: () => [area] });
  assert.deepEqual(numbers, { textContent: "1\n2\n3", scrollTop: 7 });
  Object.assign(area, { value: "a", scrollTop: 0 });
  listening.input({ target: area });
  assert.deepEqual(numbers, { textContent: "1", scrollTop: 0 });
  area.scrollTop = 9;
  listening.scroll({ target: area });
  assert.deepEqual([numbers.scrollTop, listening.how], [9, { capture: true, passive: true }]); // scroll events don't bubble
  renderLineNumbers({ querySelectorAll: () => [{ value: "a", parentElement: { querySelector: () => null } }] });
});

test("detectNewVersion is true if the site's page names another assets folder, and false if it can't be fetched", async () => {
  const { detectNewVersion } = await import(`${scripts}/offline/new-version.mjs`);
  const requests = [];
  const answer = (text) => (globalThis.fetch = async (path, how) => (requests.push([path, how.cache]), { text: async () => text }));
  answer('src="assets/engine-12ab/calculator.js"');
  assert.equal(await detectNewVersion(), true);
  answer("no scripts at all");
  assert.equal(await detectNewVersion(), false);
  globalThis.fetch = async () => {
    throw new Error("no connection");
  };
  assert.equal(await detectNewVersion(), false);
  assert.deepEqual(requests[0], ["/a/", "no-store"]);
});
