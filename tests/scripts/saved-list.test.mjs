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
    openNew: record("openNew"),
    copy: record("copy"),
    rename: record("rename"),
    remove: (id) => {
      calls.push(["remove", id]);
      const { query } = entries.find((entry) => entry.id === id);
      entries = entries.filter((entry) => entry.id !== id);
      return query;
    },
    restore: (deleted) => calls.push(["restore", ...deleted.flatMap(({ id, text }) => [id, text])]),
    saveCopy: async () => isSaved,
  };
  list = new SavedList(element, { listLatestFirst: () => entries, listQuarantined: () => quarantinedEntries }, getEntryNouns, actions);
});
const render = (how = { shown: "" }) => list.render(how);
const button = (id) => element.querySelector(`[data-list-button="${id}"]`);
const key = (name) => {
  const event = createEvent("keydown", { key: name });
  element.querySelector("[data-list-rename] input").dispatchEvent(event);
  return event;
};

test("SavedList is above or below the answer, open or closed, and each entry has its buttons", () => {
  render({ shown: "", openId: "a", shared: "A link holds all." });
  const [section, body] = element.children;
  assert.deepEqual([section.className, section.open, body.className], ["calculator-saved", true, "calculator-body"]);
  assert.equal(section.querySelector("summary").textContent, "Your fights on this device (2)");
  assert.deepEqual(
    [...section.querySelectorAll("li")].map((each) => each.textContent.replace(/\s+/g, " ")),
    ["Harbour open now · Round 2. ⋯ ShareDuplicateRenameDelete", "Unnamed fight 3 Feb · Over. ⋯ ShareDuplicateRenameDelete"],
  );
  assert.equal(button("open a").getAttribute("aria-current"), "true");
  assert.equal(button("open b").getAttribute("aria-current"), null);
  assert.deepEqual(
    [button("copy a").getAttribute("aria-label"), section.querySelector("[data-share]").dataset.title],
    ["Duplicate: Harbour", "Harbour"],
  );
  assert.match(section.querySelector("[data-share]").dataset.share, /tools\/fight\/#\?log=1$/);
  assert.equal(section.querySelector(".calculator-saved__shared").textContent, "A link holds all.");
  render({ openId: "a" });
  assert.deepEqual(
    [...element.children].slice(0, 2).map((each) => each.className),
    ["calculator-body", "calculator-saved"],
  );
  assert.deepEqual([element.querySelector("details").open, element.querySelector("li")], [false, null]);
  element.querySelector("summary").click();
  assert.equal(element.querySelectorAll("li").length, 2);
  render({ shown: "folded", openId: "a" });
  assert.equal(element.querySelector(".calculator-saved__now").textContent, "Harbour");
});

test("SavedList buttons open, copy or delete their entry; undo restores a deleted one, and the focus stays in the list", () => {
  render();
  button("open b").click();
  button("copy a").click();
  button("delete a").click();
  assert.equal(element.querySelector(".calculator-saved__deleted").textContent, "Deleted: Harbour. Undo");
  assertFocused(button("undo"));
  button("undo").click();
  assert.deepEqual(calls, [
    ["open", "b"],
    ["copy", "a"],
    ["remove", "a"],
    ["restore", "a", "log=1"],
  ]);
  render();
  assert.equal(element.querySelector(".calculator-saved__deleted"), null);
});

test("SavedList menu deletes all entries, and one undo restores them", () => {
  const all = [...entries];
  render();
  assert.equal(button("delete ").textContent, "Delete all (2)");
  button("delete ").click();
  assert.equal(element.querySelector(".calculator-saved__deleted").textContent, "Deleted: 2 fights. Undo");
  assertFocused(button("undo"));
  entries = [all[1]]; // one of two is no undo
  render();
  button("undo").click();
  assert.deepEqual(calls, [
    ["remove", "a"],
    ["remove", "b"],
    ["restore", "a", "log=1", "b", "log=2"],
  ]);
});

test("SavedList offers a new entry with its calculator's query if there are entries", () => {
  render({ shown: "" });
  assert.equal(button("new"), null);
  render({ shown: "", newEntry: "New fight, " });
  assert.equal(button("new").textContent, "New fight");
  button("new").click();
  assert.deepEqual(calls, [["openNew", ""]]);
  entries = [];
  render({ shown: "folded", newEntry: "New fight, " });
  assert.deepEqual([button("new"), button("more ")], [null, null]);
});

test("SavedList shows the five newest entries, and all on request", () => {
  const [entry] = entries;
  entries = Array.from({ length: 13 }, (_, at) => ({ ...entry, id: `${at}`, label: at > 3 ? "Tuesdays" : "" }));
  const listed = () => [...element.querySelectorAll("[data-saved-entry]")].map((each) => each.dataset.savedEntry);
  render();
  assert.deepEqual([listed(), button("length").textContent], [["0", "1", "2", "3", "4"], "Show all (13)"]);
  button("length").focus();
  button("length").click();
  assert.deepEqual([listed().length, button("length").textContent], [13, "Show fewer"]);
  assertFocused(button("length"));
  button("length").click();
  assert.equal(listed().length, 5);
  entries = entries.slice(0, 5);
  render();
  assert.equal(button("length"), null);
});

test("SavedList arrow keys move within the menu of an entry, and wrap around", () => {
  render();
  const [share, ...more] = element.querySelector("[data-saved-entry=a]").querySelectorAll("[role=menuitem]");
  const press = (name) => {
    const event = createEvent("keydown", { key: name });
    document.activeElement.dispatchEvent(event);
    return event.defaultPrevented;
  };
  share.focus();
  for (const [name, target] of [
    ["ArrowDown", more[0]],
    ["End", more.at(-1)],
    ["ArrowDown", share],
    ["ArrowUp", more.at(-1)],
    ["Home", share],
  ]) {
    assert.equal(press(name), true, name);
    assertFocused(target);
  }
  assert.equal(press("x"), false);
  assertFocused(share);
  assert.deepEqual(
    ["aria-haspopup", "aria-label"].map((name) => button("more a").getAttribute(name)),
    ["menu", "More: Harbour"],
  );
});

const BARE = { label: "", note: "" };

test("SavedList renames an entry on Enter and Save, and not on Escape, an empty or an unchanged name", () => {
  const rename = (typed, end) => {
    calls = [];
    render();
    button("rename a").click();
    element.querySelector("[data-list-rename] input").value = typed;
    end();
    assert.equal(element.querySelector("[data-list-rename]"), null);
    assertFocused(button("more a"));
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

test("SavedList entries have the play button of their calculator, if any", () => {
  render({ shown: "", presses: "Play, do=play" });
  assert.deepEqual([button("press b").textContent, button("press a").getAttribute("aria-label")], ["Play", "Play: Harbour"]);
  button("press b").click();
  assert.deepEqual(calls, [["open", "b", "do=play"]]);
  render({ shown: "" });
  assert.equal(button("press b"), null);
});

test("SavedList renaming leaves the stage of a fight unchanged", () => {
  entries[0].name = "Harbour · round 2";
  render({ shown: "", isStaged: true });
  button("rename a").click();
  assert.equal(element.querySelector("[data-list-rename] input").value, "Harbour");
  key("Enter");
  assert.deepEqual(calls, []);
  button("rename a").click();
  element.querySelector("[data-list-rename] input").value = "Bay";
  key("Enter");
  assert.deepEqual(calls, [["rename", "a", "Bay", BARE]]);
});

test("SavedList groups entries by label, shows note and day, and renames both", () => {
  Object.assign(entries[0], { label: "Tuesdays", note: "owes Mira a boat" });
  render({ shown: "" });
  assert.deepEqual(
    [...element.querySelectorAll("li")].map((each) => each.textContent.split(" ⋯")[0].replace(/\s+/g, " ")),
    ["Unnamed fight 3 Feb · Over.", "Tuesdays", "Harbour 3 Feb · “owes Mira a boat” · Round 2."],
  );
  button("rename b").click();
  const [, label, note] = element.querySelectorAll("[data-list-rename] input");
  assert.deepEqual(
    [...element.querySelectorAll("datalist option")].map(({ value }) => value),
    ["Tuesdays"],
  );
  Object.assign(label, { value: " Tuesdays " });
  Object.assign(note, { value: "the end" });
  key("Enter");
  assert.deepEqual(calls, [["rename", "b", "", { label: "Tuesdays", note: "the end" }]]);
});

test("SavedList saves the field of the rename form that changed", () => {
  Object.assign(entries[0], { label: "Tuesdays", note: "owes Mira a boat" });
  const before = { name: entries[0].name, label: entries[0].label, note: entries[0].note };
  for (const [at, field] of Object.keys(before).entries()) {
    calls.length = 0;
    render({ shown: "" });
    button(`rename ${entries[0].id}`).click();
    element.querySelectorAll("[data-list-rename] input")[at].value = "Changed";
    key("Enter");
    const { name, ...rest } = { ...before, [field]: "Changed" };
    assert.deepEqual(calls, [["rename", entries[0].id, name, rest]], field);
  }
});

test("SavedList keeps the typed name and the cursor during an answer", () => {
  render();
  button("rename a").click();
  const input = element.querySelector("[data-list-rename] input");
  element.querySelectorAll("[data-list-rename] input")[2].value = "no";
  Object.assign(input, { value: "Ba", selectionStart: 1, selectionEnd: 2 });
  assert.equal(key("a").defaultPrevented, false);
  entries = [...entries, { ...entries[1], id: "c", name: "New", summary: "", query: "x".repeat(40_000) }];
  render();
  const now = element.querySelector("[data-list-rename] input");
  assert.deepEqual([now.value, [now.selectionStart, now.selectionEnd], document.activeElement === now], ["Ba", [1, 2], true]);
  assert.equal(element.querySelectorAll("[data-list-rename] input")[2].value, "no");
  assert.equal([...element.querySelectorAll("li")].at(-1).querySelector("[data-share]"), null); // too long for a link
});

test("SavedList saves and announces an unsaved answer on request", async () => {
  render({ isOffered: true });
  render({ isOffered: true });
  const [offer, ...more] = element.querySelectorAll(".calculator-saved__offer");
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
  assert.equal(element.querySelector(".calculator-saved__offer"), null);
});

test("SavedList keeps the focus on its button after rendering, or moves it to the summary if that is gone or folded away", () => {
  render({ shown: "", openId: "a" });
  button("open b").focus();
  entries = [{ ...entries[0], summary: "Round 3." }, entries[1]];
  render();
  assertFocused(button("open b"));
  button("copy b").focus();
  entries = [{ ...entries[0], summary: "Round 3b." }, entries[1]];
  render();
  assertFocused(button("more b"));
  entries = entries.slice(0, 1);
  render();
  assertFocused(element.querySelector("summary"));
  document.activeElement.blur();
  entries = [{ ...entries[0], summary: "Round 4." }];
  render();
  assertFocused(document.body);
  button("open a").focus();
  render({ shown: "folded" });
  assertFocused(element.querySelector("summary"));
});

test("SavedList shows the durability, is absent if empty, and lists unreadable entries separately", () => {
  render();
  const durabilityText = () => element.querySelector(".calculator-saved__lasting").textContent;
  assert.match(durabilityText(), /may delete these if space runs low.*Export them to be safe/);
  list.updateDurabilityText({ isPersisted: true });
  assert.match(durabilityText(), /until you clear this site's data\.$/);
  list.updateDurabilityText({ isDelayed: true });
  assert.match(durabilityText(), /you may lose the last minute\.$/);
  entries = [];
  render();
  assert.equal(element.querySelector(".calculator-saved"), null);
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

test("SavedList isolates a right-to-left name from the text after it", () => {
  entries[0] = { ...entries[0], name: "שרה", summary: "שרה 3 of 4 hit points" };
  render({ shown: "" });
  assert.match(element.querySelector(".list-row__details").textContent, /· \u2068שרה\u2069 3 of 4/);
  button("delete a").click();
  assert.match(element.querySelector(".calculator-saved__deleted").textContent, /^Deleted: \u2068שרה\u2069\. /);
});
