// The HTML that scripts render, compared exactly, so that no class, role, text or order changes by mistake.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createEvent, setAddress, setPage } from "./browser.mjs";

const scripts = "../../site_overrides/javascripts";
setAddress("https://example.org/");
const { storageKeyOf, root } = await import(`${scripts}/shared/urls.mjs`);
setAddress(`${root}tools/dice/`);
let listeners = [];
window.document$ = { subscribe: (listener) => listeners.push(listener) };
globalThis.localStorage = { getItem: () => null };
globalThis.sessionStorage = { getItem: () => null };
const { showEmbeddingNotice } = await import(`${scripts}/page/embedding-notice.mjs`);
const { copyTextAndConfirm } = await import(`${scripts}/shared/share.mjs`);
const { AnswerHistory } = await import(`${scripts}/calculator/history.mjs`);
const { SavedList } = await import(`${scripts}/saved/list-view.mjs`);
const { createButton, showNotice, removeNotice } = await import(`${scripts}/page/notices.mjs`);
const { addFileInputIfMissing } = await import(`${scripts}/saved/file-import.mjs`);
const { showEntryPlaceholder } = await import(`${scripts}/calculator/loading-placeholder.mjs`);
const { offerNewVersion, offerNewVersionOnNavigation } = await import(`${scripts}/offline/new-version.mjs`);

const TOOL = `${root}tools/dice/`;

const calculator = () =>
  setPage(
    '<scratch-calculator name="fight"><div class="calculator-body"></div><p class="calculator-announcement"></p></scratch-calculator>',
  );
/** Split the HTML of an element into lines, one for each tag. */
const lines = (element) => element.outerHTML.replace(/(?<=>)(?=<)/g, "\n").split("\n");
const assertHtml = (element, ...wanted) => assert.deepEqual(lines(element), wanted);

test("showNotice renders and announces a section with its buttons; removeNotice removes it", () => {
  const element = calculator();
  showNotice(element, "saved", "It is saved.", [createButton("One", () => {})]);
  assertHtml(
    element,
    '<scratch-calculator name="fight">',
    '<section class="calculator-notice notice" data-notice="saved">',
    "<p>It is saved.</p>",
    "<p>",
    '<button type="button" class="button">One</button>',
    "</p>",
    "</section>",
    '<div class="calculator-body">',
    "</div>",
    '<p class="calculator-announcement">It is saved.</p>',
    "</scratch-calculator>",
  );
  removeNotice(element, "another");
  assert.equal(element.children.length, 3);
  removeNotice(element, "saved");
  assert.equal(element.children.length, 2);
});

test("showEntryPlaceholder renders one placeholder before the body of the calculator", () => {
  const element = calculator();
  showEntryPlaceholder(element, { name: "Bo", summary: "" }, "fight");
  showEntryPlaceholder(element, { name: "Cy", summary: "" }, "fight");
  assert.deepEqual(lines(element).slice(0, 3), [
    '<scratch-calculator name="fight" data-opening="all">',
    '<p class="calculator-coming">Loading your fight: Cy</p>',
    '<div class="calculator-body">',
  ]);
});

test("addFileInputIfMissing renders a label with an input for the supported types", () => {
  const element = setPage('<scratch-calculator name="dice"></scratch-calculator>');
  addFileInputIfMissing(element);
  assertHtml(
    element.children[0],
    '<p class="calculator-file">',
    '<label class="button open-file">Import file <input type="file" accept=".json,.toml,.txt,application/json,text/plain">',
    "</label>",
    "</p>",
  );
});

test("showEmbeddingNotice renders a link to a new tab with the current state", () => {
  const element = calculator();
  showEmbeddingNotice(element);
  const [paragraph, link] = [element.querySelector("[data-notice=framed] p"), element.querySelector("a")];
  assert.equal(
    paragraph.textContent,
    "This page is shown inside another site. Nothing is saved here, and your saved entries aren't shown.",
  );
  assertHtml(link, `<a href="${root}tools/dice/" target="_blank" rel="noopener">Open in a new tab</a>`);
  setAddress(`${root}tools/dice/?a=1`);
  link.dispatchEvent(createEvent("pointerdown"));
  assert.equal(link.href, `${root}tools/dice/?a=1`);
  setAddress(`${root}tools/dice/`);
});

test("AnswerHistory renders an open list of links with copy buttons, and can be cleared", () => {
  const element = calculator();
  new AnswerHistory(element, TOOL).render([{ query: "a=1", summary: "One." }]);
  new AnswerHistory(element, TOOL).render([{ query: "a=2", summary: "Two." }]);
  assert.equal(element.querySelectorAll(".calculator-history").length, 1);
  assertHtml(
    element.querySelector(".calculator-history"),
    '<details class="calculator-history" open="">',
    "<summary>History</summary>",
    '<div class="list-head">',
    '<button type="button" class="list-row__more" aria-label="More: history" aria-haspopup="menu">⋯</button>',
    '<div class="list-menu" popover="auto" role="menu" aria-label="More: history">',
    '<button type="button" data-forget="" class="list-menu__item--danger list-menu__item" role="menuitem" tabindex="-1" popovertargetaction="hide">Clear history</button>',
    "</div>",
    "</div>",
    "<ol>",
    '<li class="list-row">',
    `<a class="list-row__open" href="${TOOL}?a=2">`,
    '<span class="list-row__details">Two.</span>',
    "</a> " +
      `<button type="button" class="list-row__copy" data-copy="Two." data-copy-link="${TOOL}?a=2" aria-label="Copy: Two.">Copy</button>`,
    "</li>",
    "</ol>",
    "<p>",
    "</p>",
    "</details>",
  );
  new AnswerHistory(element, TOOL).render();
  assert.equal(element.querySelector(".calculator-history"), null);
});

const ASH = { id: "a", name: "Ash", summary: "Round 2.", query: "log=1", label: "Bay", note: "", changed: "2026-02-03T12:00:00.000Z" };

test("SavedList renders entries, export and import, and unreadable data", () => {
  const element = calculator();
  const list = new SavedList(
    element,
    { listLatestFirst: () => [ASH], listQuarantined: () => [{ name: storageKeyOf("scratch-kept-fight/x"), text: "[" }] },
    () => ({ one: "fight", many: "fights" }),
    {},
  );
  const how = { shown: "", openId: "", shared: "A link holds all." };
  list.render(how);
  const link = `${root}tools/fight/#?log=1`;
  const item = (id, words, label = "", name = "list-menu__item") =>
    `<button type="button" data-list-button="${id}"${label && ` aria-label="${label}"`} class="${name}" role="menuitem" tabindex="-1" popovertargetaction="hide">${words}</button>`;
  assertHtml(
    element.children[0],
    '<details class="calculator-saved" open="">',
    "<summary>Your fights on this device (1)</summary>",
    '<div class="list-head">',
    '<button type="button" data-list-button="all" class="list-head__link">Export all</button>',
    '<label class="list-head__link button open-file">Import file ' +
      '<input type="file" accept=".json,.toml,.txt,application/json,text/plain">',
    "</label>",
    '<button type="button" class="list-row__more" aria-label="More: all fights" aria-haspopup="menu" data-list-button="more ">⋯</button>',
    '<div class="list-menu" popover="auto" role="menu" aria-label="More: all fights">',
    item("delete ", "Delete all (1)", "", "list-menu__item--danger list-menu__item"),
    "</div>",
    "</div>",
    "<ul>",
    '<li class="calculator-saved__label">Bay</li>',
    '<li data-saved-entry="a" class="list-row">',
    '<button type="button" data-list-button="open a" class="list-row__open">',
    '<span class="list-row__name">Ash</span> <span class="list-row__details">3 Feb · Round 2.</span>',
    "</button> " +
      '<button type="button" class="list-row__more" aria-label="More: Ash" aria-haspopup="menu" data-list-button="more a">⋯</button> ' +
      '<div class="list-menu" popover="auto" role="menu" aria-label="More: Ash">',
    `<button type="button" data-share="${link}" data-title="Ash" data-list-button="share a" aria-label="Share: Ash" ` +
      'class="list-menu__item" role="menuitem" tabindex="-1">Share</button>',
    item("copy a", "Duplicate", "Duplicate: Ash"),
    item("rename a", "Rename", "Rename: Ash"),
    '<hr class="list-menu__rule">',
    item("delete a", "Delete", "Delete: Ash", "list-menu__item--danger list-menu__item"),
    "</div>",
    "</li>",
    "</ul>",
    '<p class="calculator-saved__shared">A link holds all.</p>',
    `<p class="calculator-saved__lasting">Your browser may delete these if space runs low or if you don't visit for seven days. ` +
      "Export them to be safe.</p>",
    '<p class="calculator-saved__campaign">',
    `<a href="${root}tools/campaign/">Your campaign: everything on this device</a>`,
    "</p>",
    '<section class="calculator-aside">',
    "<p>Some saved data couldn't be read. It is stored separately, and nothing is lost.</p>",
    '<button type="button" data-download="scratch-kept-fight/x.txt" data-text="[">Export</button> ' +
      '<button type="button">Delete</button>',
    "</section>",
    "</details>",
  );
  element.querySelector('[data-list-button="rename a"]').click();
  const field = (words, most, list = "") => [
    `<label for="list-rename-${words.toLowerCase()}">${words}</label>`,
    `<input id="list-rename-${words.toLowerCase()}" type="text" maxlength="${most}" list="${list}">`,
  ];
  assertHtml(
    element.querySelector("[data-list-rename]"),
    `<span class="calculator-saved__rename" data-list-rename="a">`,
    '<span class="field">',
    ...field("Name", 120),
    '</span> <span class="field">',
    ...field("Campaign", 60, "list-labels"),
    '</span> <span class="field">',
    ...field("Note", 240),
    '</span> <datalist id="list-labels">',
    '<option value="Bay">',
    "</option>",
    "</datalist>",
    '<button type="button" data-list-button="name">Save</button>',
    "</span>",
  );
  assert.deepEqual(
    [...element.querySelectorAll("[data-list-rename] :is(input, option)")].map(({ value }) => value),
    ["Ash", "Bay", "", "Bay"],
  );
});

test("SavedList deletes quarantined data", () => {
  const names = new Map([[storageKeyOf("scratch-kept-fight/x"), "["]]);
  globalThis.localStorage = { getItem: (name) => names.get(name) ?? null, removeItem: (name) => names.delete(name) };
  globalThis.indexedDB = { open: () => ({}) };
  const element = calculator();
  const listQuarantined = () => [...names].map(([name, text]) => ({ name, text }));
  const list = new SavedList(element, { listLatestFirst: () => [], listQuarantined }, () => ({ one: "fight", many: "fights" }), {});
  list.render({ shown: "" });
  element.querySelectorAll(".calculator-aside button")[1].click();
  assert.deepEqual([names.size, element.querySelector(".calculator-saved")], [0, null]);
});

test("offerNewVersion renders one notice to accept or dismiss; offerNewVersionOnNavigation shows it on a newer page", () => {
  setPage("<p></p>");
  const accepted = [];
  const offered = () => document.querySelectorAll(".scratch-version");
  offerNewVersion(() => accepted.push("first"));
  offerNewVersion(() => accepted.push("second"));
  assert.equal(offered().length, 1);
  assertHtml(
    offered()[0],
    '<aside class="notice scratch-version" aria-label="New version">',
    '<p role="status">There is a new version of this site. Your saved entries stay.</p>',
    '<button type="button" class="button">Reload</button> <button type="button" class="button">Later</button>',
    "</aside>",
  );
  const [take, later] = offered()[0].querySelectorAll("button");
  take.click();
  later.click();
  assert.deepEqual([accepted, offered().length], [["second"], 0]);
  listeners = [];
  offerNewVersionOnNavigation();
  let script = null;
  const found = document.querySelector;
  document.querySelector = (selector) => (selector.startsWith("head script") ? script : found.call(document, selector));
  for (const [src, count] of [
    [null, 0],
    ["../javascripts/x.mjs", 0],
    ["assets/engine-12ab/calculator.mjs", 1],
  ]) {
    script = src && { src };
    for (const listener of listeners) listener();
    assert.equal(offered().length, count, src);
  }
  document.querySelector = found;
});

test("copyTextAndConfirm shows a text that can't be copied once, selected, after its button", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const chosen = [];
  globalThis.getSelection = () => ({ selectAllChildren: (each) => chosen.push(each.textContent) });
  Object.defineProperty(globalThis, "navigator", {
    value: { clipboard: { writeText: () => Promise.reject(new Error("no")) } },
    configurable: true,
  });
  const element = setPage('<p><button type="button">Copy</button></p>');
  await copyTextAndConfirm(element.children[0], "one");
  await copyTextAndConfirm(element.children[0], "two");
  assertHtml(
    element,
    "<p>",
    `<button type="button" data-label="Copy" data-flashes="">Copying isn't allowed here</button>`,
    '<code class="copied-by-hand" tabindex="0">two</code>',
    "</p>",
  );
  assert.deepEqual(chosen, ["one", "two"]);
  mock.timers.reset();
});
