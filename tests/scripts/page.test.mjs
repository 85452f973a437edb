import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

/** As much of an element as the scripts for one thing need. */
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

/** A calculator, and what is said above its answer. */
function calculator() {
  const place = element("scratch-calculator");
  const before = (told) => (place.told = Object.assign(told, { remove: () => delete place.told }));
  place.querySelector = (selector) => (selector === ".calculator-body" ? { before } : place.told);
  return place;
}
const said = (say) => {
  const place = calculator();
  say(place);
  return [place.dataset.opening, place.told.textContent];
};

beforeEach(() => mock.timers.reset());

test("what is coming is said: an entry's name and state, a link's title, or its short values", () => {
  const form = { elements: [] };
  const link = (query, isWhole) => said((place) => showLinkPlaceholder(place, form, query, isWhole));
  assert.deepEqual(
    said((place) => showEntryPlaceholder(place, { name: "Bo", summary: "Round 2." }, "fight")),
    ["all", "Loading your fight: Bo. Round 2."],
  );
  assert.deepEqual(
    said((place) => showEntryPlaceholder(place, { name: "", summary: "" }, "fight")),
    ["all", "Loading your fight …"],
  );
  assert.deepEqual(link("dice=d6&times=3&note=", false), ["answer", "Loading: d6, times 3"]);
  assert.deepEqual(link(`a=1&b=${"x".repeat(60)}&c=${"x".repeat(61)}&d=%7B&e=%0A`, false), ["answer", `Loading: 1, b ${"x".repeat(60)}`]);
  assert.deepEqual(link("log=1&title=Harbour", true), ["all", "Loading: Harbour"]);
  assert.deepEqual(link("log=1", true), ["all", "Loading the link …"]);
  assert.equal(link(`title=${"x".repeat(200)}`, true)[1].length, "Loading: ".length + 120);
});

test("a link's values stand in the controls to write in while it is coming; not where all of the page is waiting", () => {
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

test("once the answer is there, nothing is said of it any more", () => {
  const place = calculator();
  showEntryPlaceholder(place, { name: "Bo", summary: "" }, "fight");
  removePlaceholder(place);
  assert.deepEqual([place.dataset, place.told], [{}, undefined]);
});

test("a replay plays at once and then every so often, waits for answers, and ends where nothing can be pressed, or by itself", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let presses = 0;
  const [place, play, next] = [element("div"), element("button"), { disabled: false, click: () => presses++ }];
  Object.assign(play.dataset, { every: "1500", press: "#next" });
  place.dataset.state = "ready";
  let shown = null;
  place.querySelector = (selector) => ({ "#next": next, "[data-every][aria-pressed=true]": shown })[selector] ?? null;
  const playing = new Autoplay(place);
  const look = () => [presses, play.attributes["aria-pressed"], place.attributes.playing];
  playing.press(play);
  assert.deepEqual(look(), [1, "true", true]);
  mock.timers.tick(1500);
  place.dataset.state = "working";
  mock.timers.tick(1500);
  assert.deepEqual(look(), [2, "true", true]);
  place.dataset.state = "ready";
  mock.timers.tick(249);
  assert.equal(presses, 2);
  mock.timers.tick(1);
  assert.equal(presses, 3);
  presses = 2;
  place.dataset.state = "working";
  playing.press(play);
  place.dataset.state = "ready";
  mock.timers.tick(3000);
  assert.deepEqual(look(), [2, "false", false]);
  playing.press(play);
  next.disabled = true;
  mock.timers.tick(1500);
  assert.deepEqual(look(), [3, "false", false]);
  next.disabled = false;
  mock.timers.tick(1500);
  assert.equal(presses, 3);
  playing.press(play);
  shown = Object.assign(element("button"), { dataset: { every: "100", press: "#next" } }); // an answer tells the time anew
  mock.timers.tick(1500);
  mock.timers.tick(100);
  assert.equal(presses, 6);
  playing.stop();
});

test("the lines of a text are numbered from 1, and the numbers scroll along", () => {
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
  assert.deepEqual([numbers.scrollTop, listening.how], [9, { capture: true, passive: true }]); // a scroll bubbles to nobody
  renderLineNumbers({ querySelectorAll: () => [{ value: "a", parentElement: { querySelector: () => null } }] });
});

test("a tab is of an old version when the site's pages name another folder of scripts, and not when nothing can be asked", async () => {
  const { checkForNewVersion } = await import(`${scripts}/offline/new-version.mjs`);
  const asked = [];
  const answer = (text) => (globalThis.fetch = async (path, how) => (asked.push([path, how.cache]), { text: async () => text }));
  answer('src="assets/engine-12ab/calculator.js"');
  assert.equal(await checkForNewVersion(), true);
  answer("no scripts at all");
  assert.equal(await checkForNewVersion(), false);
  globalThis.fetch = async () => {
    throw new Error("no line");
  };
  assert.equal(await checkForNewVersion(), false);
  assert.deepEqual(asked[0], ["/a/", "no-store"]);
});
