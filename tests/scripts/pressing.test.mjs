import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { RequestQueue, trackPointerPress } from "../../site_overrides/javascripts/calculator/request-queue.mjs";

const press = (words, edits = {}) => ({ words, includesForm: true, edits: new Map(Object.entries(edits)) });
const typing = (edits) => ({ words: "", includesForm: true, isTyping: true, ...(edits && { edits: new Map(Object.entries(edits)) }) });
const stroke = (value) => ({ words: value, includesForm: true, gathers: "stroke", edits: new Map([["stroke", value]]) });
const link = { words: "a link" };

/** What is asked, one after the other, of what was put into a line whose first is asked at once. */
function asked(...all) {
  const line = new RequestQueue();
  const told = [];
  for (const one of all) {
    line.add(one);
    if (!line.underWay) told.push(line.next());
  }
  while (line.isWaiting) told.push(line.next());
  return told;
}

test("each press is asked, in order", () => {
  const all = [press("one"), press("two"), link, press("three")];
  assert.deepEqual(asked(...all), all);
});

test("a press never replaces one that waits, be it of the same button, a stroke or a link", () => {
  const all = [press("one"), press("two"), press("two"), stroke("a"), press("two"), link, link];
  assert.deepEqual(asked(...all), all);
});

test("of what is typed the last alone is asked, also while the first is under way", () => {
  const last = typing();
  assert.deepEqual(asked(press("one"), typing(), typing(), last).slice(1), [last]);
  const line = new RequestQueue();
  line.add(typing());
  line.next();
  line.add(last);
  assert.equal(line.underWay, null);
  assert.equal(line.next(), last);
});

test("typing never replaces a press", () => {
  const [one, two] = [press("one"), press("two")];
  assert.deepEqual(asked(one, two, typing()).slice(0, 2), [one, two]);
});

test("a press of the form takes what waits and was typed along, with its edits", () => {
  const [first, ...rest] = asked(press("one"), typing({ name: "Ann", cp: "9" }), press("two", { cp: "10" }));
  assert.equal(first.words, "one");
  assert.deepEqual(
    rest.map((one) => [one.words, [...one.edits]]),
    [
      [
        "two",
        [
          ["name", "Ann"],
          ["cp", "10"],
        ],
      ],
    ],
  );
});

test("what is typed is asked before a link that leaves the form", () => {
  const typed = typing();
  assert.deepEqual(asked(press("one"), typed, link).slice(1), [typed, link]);
});

test("strokes that wait are asked together, but not with the one under way", () => {
  const told = asked(stroke("a"), stroke("b"), stroke("b; c"));
  assert.deepEqual(
    told.map((one) => one.words),
    ["a", "b; c"],
  );
});

test("more of an unfinished answer gives way to whatever is pressed", () => {
  const line = new RequestQueue();
  line.underWay = { isContinuation: true };
  line.add(link);
  assert.equal(line.underWay, null);
  assert.equal(line.next(), link);
});

test("what was typed for waiting presses is told, the last word of each control, and nothing is left after clearing", () => {
  const line = new RequestQueue();
  const all = [press("one"), press("two", { faces: "3" }), press("three", { faces: "4", note: "x" })];
  for (const one of all) line.add(one);
  line.next();
  assert.deepEqual(
    [...line.edits],
    [
      ["faces", "4"],
      ["note", "x"],
    ],
  );
  assert.deepEqual(line.clear(), all);
  assert.deepEqual([line.underWay, line.isWaiting, [...line.edits]], [null, false, []]);
});

test("what is typed is given up for a press of the same form alone, and only while nothing waits", () => {
  const [first, second] = [typing(), press("one")];
  const line = new RequestQueue();
  line.add(first);
  line.next();
  line.add(link);
  assert.equal(line.underWay, first);
  line.add(second);
  assert.deepEqual([line.underWay, line.next(), line.next()], [first, link, second]);
  line.clear();
  line.add(link);
  line.next();
  line.add(typing());
  assert.deepEqual([...line.edits], []);
});

test("what is given up, at a hang or by the reader, is told in order; the next press is asked at once, and nothing else", () => {
  const line = new RequestQueue();
  const [hanging, ...waiting] = [press("one"), stroke("a"), link, press("two")];
  line.add(hanging);
  line.next();
  for (const one of waiting) line.add(one);
  assert.deepEqual(line.clear(), [hanging, ...waiting]);
  const after = press("three", { note: "x" });
  line.add(after);
  assert.equal(line.next(), after);
  assert.deepEqual([...after.edits], [["note", "x"]]);
  assert.equal(line.next(), null);
});

test("an answer waits while a button is held down: until the click, or a tenth of a second after the finger is lifted", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const [element, { signal }] = [new EventTarget(), new AbortController()];
  const page = new EventTarget();
  globalThis.addEventListener = (name, act) => page.addEventListener(name, act);
  const held = trackPointerPress(element, signal);
  const tell = (name, isButton, more = {}) => {
    const event = Object.assign(new Event(name), more);
    Object.defineProperty(event, "target", { value: { closest: () => isButton } });
    element.dispatchEvent(event);
  };
  tell("pointerdown", null);
  tell("keydown", true, { key: "Enter" });
  assert.equal(held(), null, "no button, and no key that presses when it is lifted");
  for (const [end, pause] of [
    ["click", 0],
    ["pointerup", 100],
    ["keyup", 100],
    ["blur", 100],
  ]) {
    tell(...(end === "keyup" ? ["keydown", true, { key: " " }] : ["pointerdown", true]));
    const first = held();
    assert.notEqual(first, null);
    tell("pointerdown", true);
    assert.equal(held(), first, "another finger waits for the same");
    page.dispatchEvent(new Event(end));
    if (pause) mock.timers.tick(pause - 1);
    assert.equal(held(), pause ? first : held(), end);
    mock.timers.tick(1);
    await first;
    assert.equal(held(), null, end);
  }
  mock.timers.reset();
});
