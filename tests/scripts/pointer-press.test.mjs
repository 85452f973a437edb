import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { trackPointerPress } from "../../site_overrides/javascripts/calculator/pointer-press.mjs";
import { RequestQueue } from "../../site_overrides/javascripts/calculator/request-queue.mjs";

const press = (label, edits = {}) => ({ label, includesForm: true, edits: new Map(Object.entries(edits)) });
const typing = (edits) => ({ label: "", includesForm: true, isTyping: true, ...(edits && { edits: new Map(Object.entries(edits)) }) });
const stroke = (value) => ({ label: value, includesForm: true, strokeControl: "stroke", edits: new Map([["stroke", value]]) });
const link = { label: "a link" };

/** Add requests to a queue, of which the first is sent at once; return the sent ones in order. */
function sendAll(...all) {
  const queue = new RequestQueue();
  const sent = [];
  for (const request of all) {
    queue.addAndReplaceIncluded(request);
    if (!queue.current) sent.push(queue.makeNextCurrent());
  }
  while (queue.isWaiting) sent.push(queue.makeNextCurrent());
  return sent;
}

test("RequestQueue returns submits in order", () => {
  const all = [press("one"), press("two"), link, press("three")];
  assert.deepEqual(sendAll(...all), all);
});

test("RequestQueue never replaces a waiting submit, stroke or link", () => {
  const all = [press("one"), press("two"), press("two"), stroke("a"), press("two"), link, link];
  assert.deepEqual(sendAll(...all), all);
});

test("RequestQueue replaces waiting or current typing by later typing", () => {
  const last = typing();
  assert.deepEqual(sendAll(press("one"), typing(), typing(), last).slice(1), [last]);
  const queue = new RequestQueue();
  queue.addAndReplaceIncluded(typing());
  queue.makeNextCurrent();
  queue.addAndReplaceIncluded(last);
  assert.equal(queue.current, null);
  assert.equal(queue.makeNextCurrent(), last);
});

test("RequestQueue never replaces a submit by typing", () => {
  const [first, second] = [press("one"), press("two")];
  assert.deepEqual(sendAll(first, second, typing()).slice(0, 2), [first, second]);
});

test("RequestQueue merges waiting typing and its edits into a submit of the form", () => {
  const [first, ...rest] = sendAll(press("one"), typing({ name: "Ann", cp: "9" }), press("two", { cp: "10" }));
  assert.equal(first.label, "one");
  assert.deepEqual(
    rest.map((request) => [request.label, [...request.edits]]),
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

test("RequestQueue sends typing before a link that leaves the form", () => {
  const typed = typing();
  assert.deepEqual(sendAll(press("one"), typed, link).slice(1), [typed, link]);
});

test("RequestQueue merges waiting strokes, but not into the current one", () => {
  const sent = sendAll(stroke("a"), stroke("b"), stroke("b; c"));
  assert.deepEqual(
    sent.map((request) => request.label),
    ["a", "b; c"],
  );
});

test("RequestQueue drops the continuation of an unfinished answer for any other request", () => {
  const queue = new RequestQueue();
  queue.current = { isContinuation: true };
  queue.addAndReplaceIncluded(link);
  assert.equal(queue.current, null);
  assert.equal(queue.makeNextCurrent(), link);
});

test("RequestQueue.waitingEdits has the last edit of each control, and is empty after clear", () => {
  const queue = new RequestQueue();
  const all = [press("one"), press("two", { faces: "3" }), press("three", { faces: "4", note: "x" })];
  for (const request of all) queue.addAndReplaceIncluded(request);
  queue.makeNextCurrent();
  assert.deepEqual(
    [...queue.waitingEdits],
    [
      ["faces", "4"],
      ["note", "x"],
    ],
  );
  assert.deepEqual(queue.clear(), all);
  assert.deepEqual([queue.current, queue.isWaiting, [...queue.waitingEdits]], [null, false, []]);
});

test("RequestQueue drops current typing for a submit of the same form only, and only while nothing waits", () => {
  const [first, second] = [typing(), press("one")];
  const queue = new RequestQueue();
  queue.addAndReplaceIncluded(first);
  queue.makeNextCurrent();
  queue.addAndReplaceIncluded(link);
  assert.equal(queue.current, first);
  queue.addAndReplaceIncluded(second);
  assert.deepEqual([queue.current, queue.makeNextCurrent(), queue.makeNextCurrent()], [first, link, second]);
  queue.clear();
  queue.addAndReplaceIncluded(link);
  queue.makeNextCurrent();
  queue.addAndReplaceIncluded(typing());
  assert.deepEqual([...queue.waitingEdits], []);
});

test("RequestQueue.clear returns the dropped requests in order; the next submit is sent at once, and nothing else", () => {
  const queue = new RequestQueue();
  const [hanging, ...waiting] = [press("one"), stroke("a"), link, press("two")];
  queue.addAndReplaceIncluded(hanging);
  queue.makeNextCurrent();
  for (const request of waiting) queue.addAndReplaceIncluded(request);
  assert.deepEqual(queue.clear(), [hanging, ...waiting]);
  const after = press("three", { note: "x" });
  queue.addAndReplaceIncluded(after);
  assert.equal(queue.makeNextCurrent(), after);
  assert.deepEqual([...after.edits], [["note", "x"]]);
  assert.equal(queue.makeNextCurrent(), null);
});

test("trackPointerPress delays an answer until the click, or 100 ms after a pointer or key is released", async () => {
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
  assert.equal(held(), null, "neither a button, nor a key that presses when it is released");
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
    assert.equal(held(), first, "a second pointer returns the same promise");
    page.dispatchEvent(new Event(end));
    if (pause) mock.timers.tick(pause - 1);
    assert.equal(held(), pause ? first : held(), end);
    mock.timers.tick(1);
    await first;
    assert.equal(held(), null, end);
  }
  mock.timers.reset();
});
