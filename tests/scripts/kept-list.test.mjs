import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { assertFocused, createEvent, setAddress, setPage } from "./browser.mjs";
import { settlePromises, until } from "./until.mjs";

setAddress("https://example.org/tools/fight/");
const scripts = "../../site_overrides/javascripts";
const { storageKeyOf } = await import(`${scripts}/shared/urls.mjs`);
const { SavedList } = await import(`${scripts}/saved/list-view.mjs`);

const WORDS = () => ({ one: "fight", many: "fights" });
let [place, entries, asides, done, list, isKept] = [];

/** A list of two, and what its buttons have done. */
beforeEach(() => {
  place = setPage(
    '<scratch-calculator name="fight"><div class="calculator-body"></div><p class="calculator-announcement"></p></scratch-calculator>',
  );
  const bare = { label: "", note: "", changed: "2026-02-03T12:00:00.000Z" };
  entries = [
    { ...bare, id: "a", name: "Harbour", summary: "Round 2.", query: "log=1" },
    { ...bare, id: "b", name: "", summary: "Over.", query: "log=2" },
  ];
  [asides, done, isKept] = [[], [], true];
  const told =
    (what, result) =>
    (...more) => (done.push([what, ...more.map((each) => each.id ?? each)]), result);
  const does = {
    open: told("open"),
    copy: told("copy"),
    rename: told("rename"),
    remove: (id) => (done.push(["remove", id]), entries.shift().query),
    restore: told("restore"),
    keep: async () => isKept,
  };
  list = new SavedList(place, { entries: () => entries, listQuarantined: () => asides }, WORDS, does);
});
const draw = (how = { shown: "" }) => list.draw(how);
const button = (id) => place.querySelector(`[data-kept-button="${id}"]`);
const key = (name) => {
  const event = createEvent("keydown", { key: name });
  place.querySelector("[data-kept-rename] input").dispatchEvent(event);
  return event;
};

test("entries stand above the answer or below it, unfolded or folded, each with what can be done with it", () => {
  draw({ shown: "", openId: "a", shared: "A link holds all." });
  const [kept, body] = place.children;
  assert.deepEqual([kept.className, kept.open, body.className], ["calculator-kept", true, "calculator-body"]);
  assert.equal(kept.querySelector("summary").textContent, "Your fights on this device (2)");
  assert.deepEqual(
    [...kept.querySelectorAll("li")].map((each) => each.textContent.replace(/\s+/g, " ")),
    ["Harbour open now · Round 2. Share Copy Rename Delete", "Unnamed fight Over. · 3 Feb Share Copy Rename Delete"],
  );
  assert.equal(button("open a").getAttribute("aria-current"), "true");
  assert.equal(button("open b").getAttribute("aria-current"), null);
  assert.deepEqual(
    [button("copy a").getAttribute("aria-label"), kept.querySelector("[data-share]").dataset.title],
    ["Copy: Harbour", "Harbour"],
  );
  assert.match(kept.querySelector("[data-share]").dataset.share, /tools\/fight\/#\?log=1$/);
  assert.equal(kept.querySelector(".kept-shared").textContent, "A link holds all.");
  draw({ openId: "a" });
  assert.deepEqual(
    [...place.children].slice(0, 2).map((each) => each.className),
    ["calculator-body", "calculator-kept"],
  );
  assert.deepEqual([place.querySelector("details").open, place.querySelector("li")], [false, null]);
  place.querySelector("summary").click();
  assert.equal(place.querySelectorAll("li").length, 2);
  draw({ shown: "folded", openId: "a" });
  assert.equal(place.querySelector(".kept-now").textContent, "Harbour");
});

test("a press opens, copies or deletes its own entry; what is deleted can be had back, and the focus stays at it", () => {
  draw();
  button("open b").click();
  button("copy a").click();
  button("delete a").click();
  assert.equal(place.querySelector(".kept-deleted").textContent, "Deleted: Harbour. Undo");
  assertFocused(button("undo"));
  button("undo").click();
  assert.deepEqual(done, [
    ["open", "b"],
    ["copy", "a"],
    ["remove", "a"],
    ["restore", "a", "log=1"],
  ]);
  draw();
  assert.equal(place.querySelector(".kept-deleted"), null);
});

const BARE = { label: "", note: "" };

test("a name is kept by Enter and by its button, and not by Escape, nor empty, nor as it was", () => {
  const named = (typed, end) => {
    done = [];
    draw();
    button("rename a").click();
    place.querySelector("[data-kept-rename] input").value = typed;
    end();
    assert.equal(place.querySelector("[data-kept-rename]"), null);
    assertFocused(button("rename a"));
    return done;
  };
  assert.deepEqual(
    named(" Bay ", () => key("Enter")),
    [["rename", "a", "Bay", BARE]],
  );
  assert.deepEqual(
    named("Bay", () => button("name").click()),
    [["rename", "a", "Bay", BARE]],
  );
  assert.deepEqual(
    named("Bay", () => key("Escape")),
    [],
  );
  assert.deepEqual(
    named("  ", () => key("Enter")),
    [],
  );
  assert.deepEqual(
    named("Harbour", () => key("Enter")),
    [],
  );
});

test("an entry has a button that opens it in play, where its calculator has one", () => {
  draw({ shown: "", presses: "Play, do=play" });
  assert.deepEqual([button("press b").textContent, button("press a").getAttribute("aria-label")], ["Play", "Play: Harbour"]);
  button("press b").click();
  assert.deepEqual(done, [["open", "b", "do=play"]]);
  draw({ shown: "" });
  assert.equal(button("press b"), null);
});

test("the stage of a fight is no part of the name that is renamed", () => {
  entries[0].name = "Harbour · round 2";
  draw({ shown: "", isStaged: true });
  button("rename a").click();
  assert.equal(place.querySelector("[data-kept-rename] input").value, "Harbour");
  key("Enter");
  assert.deepEqual(done, []);
  button("rename a").click();
  place.querySelector("[data-kept-rename] input").value = "Bay";
  key("Enter");
  assert.deepEqual(done, [["rename", "a", "Bay", BARE]]);
});

test("a label is a shelf of its own, with its note and day; both are written beside the name", () => {
  Object.assign(entries[0], { label: "Tuesdays", note: "owes Mira a boat" });
  draw({ shown: "" });
  assert.deepEqual(
    [...place.querySelectorAll("li")].map((each) => each.textContent.split(" Share")[0].replace(/\s+/g, " ")),
    ["Unnamed fight Over. · 3 Feb", "Tuesdays", "Harbour Round 2. · 3 Feb · “owes Mira a boat”"],
  );
  button("rename b").click();
  const [, label, note] = place.querySelectorAll("[data-kept-rename] input");
  assert.deepEqual(
    [...place.querySelectorAll("datalist option")].map(({ value }) => value),
    ["Tuesdays"],
  );
  Object.assign(label, { value: " Tuesdays " });
  Object.assign(note, { value: "the end" });
  key("Enter");
  assert.deepEqual(done, [["rename", "b", "", { label: "Tuesdays", note: "the end" }]]);
});

test("each field of an entry's form is saved when it alone is changed", () => {
  Object.assign(entries[0], { label: "Tuesdays", note: "owes Mira a boat" });
  const before = { name: entries[0].name, label: entries[0].label, note: entries[0].note };
  for (const [at, field] of Object.keys(before).entries()) {
    done.length = 0;
    draw({ shown: "" });
    button(`rename ${entries[0].id}`).click();
    place.querySelectorAll("[data-kept-rename] input")[at].value = "Changed";
    key("Enter");
    const { name, ...rest } = { ...before, [field]: "Changed" };
    assert.deepEqual(done, [["rename", entries[0].id, name, rest]], field);
  }
});

test("an answer that comes while a name is typed takes nothing of it", () => {
  draw();
  button("rename a").click();
  const input = place.querySelector("[data-kept-rename] input");
  place.querySelectorAll("[data-kept-rename] input")[2].value = "no";
  Object.assign(input, { value: "Ba", selectionStart: 1, selectionEnd: 2 });
  assert.equal(key("a").defaultPrevented, false);
  entries = [...entries, { ...entries[1], id: "c", name: "New", summary: "", query: "x".repeat(40_000) }];
  draw();
  const now = place.querySelector("[data-kept-rename] input");
  assert.deepEqual([now.value, [now.selectionStart, now.selectionEnd], document.activeElement === now], ["Ba", [1, 2], true]);
  assert.equal(place.querySelectorAll("[data-kept-rename] input")[2].value, "no");
  assert.equal([...place.querySelectorAll("li")].at(-1).querySelector("[data-share]"), null); // too long for a link
});

test("what is open and kept nowhere is offered to be kept, and it is said once it is", async () => {
  draw({ isOffered: true });
  draw({ isOffered: true });
  const [offer, ...more] = place.querySelectorAll(".kept-offer");
  assert.deepEqual([offer.textContent, more], ["Save", []]);
  isKept = false; // the browser lets the site keep nothing, and that is said elsewhere
  offer.click();
  await settlePromises();
  assert.equal(place.querySelector(".calculator-announcement").textContent, "");
  isKept = true;
  offer.click();
  await until(() => place.querySelector(".calculator-announcement").textContent);
  assert.equal(place.querySelector(".calculator-announcement").textContent, "Saved on this device.");
  draw();
  assert.equal(place.querySelector(".kept-offer"), null);
});

test("drawn anew, the list keeps the focus on the button that had it, or at its head where that is gone", () => {
  draw({ shown: "", openId: "a" });
  button("copy b").focus();
  entries = [{ ...entries[0], summary: "Round 3." }, entries[1]];
  draw();
  assertFocused(button("copy b"));
  entries = entries.slice(0, 1);
  draw();
  assertFocused(place.querySelector("summary"));
  document.activeElement.blur();
  entries = [{ ...entries[0], summary: "Round 4." }];
  draw();
  assertFocused(document.body);
});

test("how long it lasts is said as far as it is known; nothing kept is no list; what can't be read stands apart", () => {
  draw();
  const lasting = () => place.querySelector(".kept-lasting").textContent;
  assert.match(lasting(), /may delete these if space runs low.*Export them to be safe/);
  list.setDurability({ isLasting: true });
  assert.match(lasting(), /until you clear this site’s data\.$/);
  list.setDurability({ isDelayed: true });
  assert.match(lasting(), /you may lose the last minute\.$/);
  entries = [];
  draw();
  assert.equal(place.querySelector(".calculator-kept"), null);
  draw({ shown: "folded" });
  assert.equal(button("all").disabled, true);
  asides = [{ name: storageKeyOf("scratch-kept-fight"), text: "[" }];
  draw({ shown: "folded" });
  const file = place.querySelector(".calculator-aside [data-download]");
  assert.deepEqual([place.querySelector("details").open, file.dataset.download, file.dataset.text], [true, "scratch-kept-fight.txt", "["]);
});

test("a right-to-left name leaves the words after it in their order", () => {
  entries[0] = { ...entries[0], name: "שרה", summary: "שרה 3 of 4 hit points" };
  draw({ shown: "" });
  assert.match(place.querySelector(".kept-summary").textContent, /^\u2068שרה\u2069 3 of 4/);
  button("delete a").click();
  assert.match(place.querySelector(".kept-deleted").textContent, /^Deleted: \u2068שרה\u2069\. /);
});
