import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { assertFocused, createEvent, setAddress, setPage } from "./browser.mjs";
import { settlePromises, until } from "./until.mjs";

setAddress("https://example.org/tools/fight/");
const scripts = "../../site_overrides/javascripts";
const { storageKeyOf } = await import(`${scripts}/shared/urls.mjs`);
const { SavedList } = await import(`${scripts}/saved/list-view.mjs`);

const getEntryNouns = () => ({ one: "fight", many: "fights" });
let [element, entries, quarantinedEntries, calls, list, isSaved] = [];

/** Create a list of two entries that records the calls of its buttons. */
beforeEach(() => {
  element = setPage(
    '<scratch-calculator name="fight"><div class="calculator-body"></div><p class="calculator-announcement"></p></scratch-calculator>',
  );
  const bare = { label: "", note: "", changed: "2026-02-03T12:00:00.000Z" };
  entries = [
    { ...bare, id: "a", name: "Harbour", summary: "Round 2.", query: "log=1" },
    { ...bare, id: "b", name: "", summary: "Over.", query: "log=2" },
  ];
  [quarantinedEntries, calls, isSaved] = [[], [], true];
  const record =
    (action, result) =>
    (...more) => (calls.push([action, ...more.map((each) => each.id ?? each)]), result);
  const actions = {
    open: record("open"),
    copy: record("copy"),
    rename: record("rename"),
    remove: (id) => (calls.push(["remove", id]), entries.shift().query),
    restore: record("restore"),
    saveCopy: async () => isSaved,
  };
  list = new SavedList(element, { entries: () => entries, listQuarantined: () => quarantinedEntries }, getEntryNouns, actions);
});
const render = (how = { shown: "" }) => list.render(how);
const button = (id) => element.querySelector(`[data-kept-button="${id}"]`);
const key = (name) => {
  const event = createEvent("keydown", { key: name });
  element.querySelector("[data-kept-rename] input").dispatchEvent(event);
  return event;
};

test("the list is above or below the answer, open or closed, each entry with its buttons", () => {
  render({ shown: "", openId: "a", shared: "A link holds all." });
  const [section, body] = element.children;
  assert.deepEqual([section.className, section.open, body.className], ["calculator-kept", true, "calculator-body"]);
  assert.equal(section.querySelector("summary").textContent, "Your fights on this device (2)");
  assert.deepEqual(
    [...section.querySelectorAll("li")].map((each) => each.textContent.replace(/\s+/g, " ")),
    ["Harbour open now · Round 2. Share Copy Rename Delete", "Unnamed fight Over. · 3 Feb Share Copy Rename Delete"],
  );
  assert.equal(button("open a").getAttribute("aria-current"), "true");
  assert.equal(button("open b").getAttribute("aria-current"), null);
  assert.deepEqual(
    [button("copy a").getAttribute("aria-label"), section.querySelector("[data-share]").dataset.title],
    ["Copy: Harbour", "Harbour"],
  );
  assert.match(section.querySelector("[data-share]").dataset.share, /tools\/fight\/#\?log=1$/);
  assert.equal(section.querySelector(".kept-shared").textContent, "A link holds all.");
  render({ openId: "a" });
  assert.deepEqual(
    [...element.children].slice(0, 2).map((each) => each.className),
    ["calculator-body", "calculator-kept"],
  );
  assert.deepEqual([element.querySelector("details").open, element.querySelector("li")], [false, null]);
  element.querySelector("summary").click();
  assert.equal(element.querySelectorAll("li").length, 2);
  render({ shown: "folded", openId: "a" });
  assert.equal(element.querySelector(".kept-now").textContent, "Harbour");
});

test("buttons open, copy or delete their entry; a deletion can be undone, and keeps the focus", () => {
  render();
  button("open b").click();
  button("copy a").click();
  button("delete a").click();
  assert.equal(element.querySelector(".kept-deleted").textContent, "Deleted: Harbour. Undo");
  assertFocused(button("undo"));
  button("undo").click();
  assert.deepEqual(calls, [
    ["open", "b"],
    ["copy", "a"],
    ["remove", "a"],
    ["restore", "a", "log=1"],
  ]);
  render();
  assert.equal(element.querySelector(".kept-deleted"), null);
});

const BARE = { label: "", note: "" };

test("Enter and Save rename an entry; Escape, an empty or an unchanged name don't", () => {
  const rename = (typed, end) => {
    calls = [];
    render();
    button("rename a").click();
    element.querySelector("[data-kept-rename] input").value = typed;
    end();
    assert.equal(element.querySelector("[data-kept-rename]"), null);
    assertFocused(button("rename a"));
    return calls;
  };
  assert.deepEqual(
    rename(" Bay ", () => key("Enter")),
    [["rename", "a", "Bay", BARE]],
  );
  assert.deepEqual(
    rename("Bay", () => button("name").click()),
    [["rename", "a", "Bay", BARE]],
  );
  assert.deepEqual(
    rename("Bay", () => key("Escape")),
    [],
  );
  assert.deepEqual(
    rename("  ", () => key("Enter")),
    [],
  );
  assert.deepEqual(
    rename("Harbour", () => key("Enter")),
    [],
  );
});

test("an entry has the play button of its calculator, if any", () => {
  render({ shown: "", presses: "Play, do=play" });
  assert.deepEqual([button("press b").textContent, button("press a").getAttribute("aria-label")], ["Play", "Play: Harbour"]);
  button("press b").click();
  assert.deepEqual(calls, [["open", "b", "do=play"]]);
  render({ shown: "" });
  assert.equal(button("press b"), null);
});

test("renaming leaves the stage of a fight unchanged", () => {
  entries[0].name = "Harbour · round 2";
  render({ shown: "", isStaged: true });
  button("rename a").click();
  assert.equal(element.querySelector("[data-kept-rename] input").value, "Harbour");
  key("Enter");
  assert.deepEqual(calls, []);
  button("rename a").click();
  element.querySelector("[data-kept-rename] input").value = "Bay";
  key("Enter");
  assert.deepEqual(calls, [["rename", "a", "Bay", BARE]]);
});

test("entries are grouped by label, and show note and day; renaming edits both", () => {
  Object.assign(entries[0], { label: "Tuesdays", note: "owes Mira a boat" });
  render({ shown: "" });
  assert.deepEqual(
    [...element.querySelectorAll("li")].map((each) => each.textContent.split(" Share")[0].replace(/\s+/g, " ")),
    ["Unnamed fight Over. · 3 Feb", "Tuesdays", "Harbour Round 2. · 3 Feb · “owes Mira a boat”"],
  );
  button("rename b").click();
  const [, label, note] = element.querySelectorAll("[data-kept-rename] input");
  assert.deepEqual(
    [...element.querySelectorAll("datalist option")].map(({ value }) => value),
    ["Tuesdays"],
  );
  Object.assign(label, { value: " Tuesdays " });
  Object.assign(note, { value: "the end" });
  key("Enter");
  assert.deepEqual(calls, [["rename", "b", "", { label: "Tuesdays", note: "the end" }]]);
});

test("each field of the rename form is saved when only it has changed", () => {
  Object.assign(entries[0], { label: "Tuesdays", note: "owes Mira a boat" });
  const before = { name: entries[0].name, label: entries[0].label, note: entries[0].note };
  for (const [at, field] of Object.keys(before).entries()) {
    calls.length = 0;
    render({ shown: "" });
    button(`rename ${entries[0].id}`).click();
    element.querySelectorAll("[data-kept-rename] input")[at].value = "Changed";
    key("Enter");
    const { name, ...rest } = { ...before, [field]: "Changed" };
    assert.deepEqual(calls, [["rename", entries[0].id, name, rest]], field);
  }
});

test("an answer while a name is typed keeps the text and the cursor", () => {
  render();
  button("rename a").click();
  const input = element.querySelector("[data-kept-rename] input");
  element.querySelectorAll("[data-kept-rename] input")[2].value = "no";
  Object.assign(input, { value: "Ba", selectionStart: 1, selectionEnd: 2 });
  assert.equal(key("a").defaultPrevented, false);
  entries = [...entries, { ...entries[1], id: "c", name: "New", summary: "", query: "x".repeat(40_000) }];
  render();
  const now = element.querySelector("[data-kept-rename] input");
  assert.deepEqual([now.value, [now.selectionStart, now.selectionEnd], document.activeElement === now], ["Ba", [1, 2], true]);
  assert.equal(element.querySelectorAll("[data-kept-rename] input")[2].value, "no");
  assert.equal([...element.querySelectorAll("li")].at(-1).querySelector("[data-share]"), null); // too long for a link
});

test("an unsaved answer can be saved, which is announced", async () => {
  render({ isOffered: true });
  render({ isOffered: true });
  const [offer, ...more] = element.querySelectorAll(".kept-offer");
  assert.deepEqual([offer.textContent, more], ["Save", []]);
  isSaved = false; // a failed save is shown elsewhere
  offer.click();
  await settlePromises();
  assert.equal(element.querySelector(".calculator-announcement").textContent, "");
  isSaved = true;
  offer.click();
  await until(() => element.querySelector(".calculator-announcement").textContent);
  assert.equal(element.querySelector(".calculator-announcement").textContent, "Saved on this device.");
  render();
  assert.equal(element.querySelector(".kept-offer"), null);
});

test("rendering keeps the focus on its button, or moves it to the summary if that is gone", () => {
  render({ shown: "", openId: "a" });
  button("copy b").focus();
  entries = [{ ...entries[0], summary: "Round 3." }, entries[1]];
  render();
  assertFocused(button("copy b"));
  entries = entries.slice(0, 1);
  render();
  assertFocused(element.querySelector("summary"));
  document.activeElement.blur();
  entries = [{ ...entries[0], summary: "Round 4." }];
  render();
  assertFocused(document.body);
});

test("the list shows the durability, is absent when empty, and shows unreadable entries separately", () => {
  render();
  const durabilityText = () => element.querySelector(".kept-lasting").textContent;
  assert.match(durabilityText(), /may delete these if space runs low.*Export them to be safe/);
  list.setDurability({ isPersisted: true });
  assert.match(durabilityText(), /until you clear this site's data\.$/);
  list.setDurability({ isDelayed: true });
  assert.match(durabilityText(), /you may lose the last minute\.$/);
  entries = [];
  render();
  assert.equal(element.querySelector(".calculator-kept"), null);
  render({ shown: "folded" });
  assert.equal(button("all").disabled, true);
  quarantinedEntries = [{ name: storageKeyOf("scratch-kept-fight"), text: "[" }];
  render({ shown: "folded" });
  const file = element.querySelector(".calculator-aside [data-download]");
  assert.deepEqual(
    [element.querySelector("details").open, file.dataset.download, file.dataset.text],
    [true, "scratch-kept-fight.txt", "["],
  );
});

test("a right-to-left name does not reorder the text after it", () => {
  entries[0] = { ...entries[0], name: "שרה", summary: "שרה 3 of 4 hit points" };
  render({ shown: "" });
  assert.match(element.querySelector(".kept-summary").textContent, /^\u2068שרה\u2069 3 of 4/);
  button("delete a").click();
  assert.match(element.querySelector(".kept-deleted").textContent, /^Deleted: \u2068שרה\u2069\. /);
});
