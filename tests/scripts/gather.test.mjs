import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { assertFocused, createEvent, isFocused, setAddress, setBox, setPage } from "./browser.mjs";

setAddress("https://example.org/");
const { gather } = await import("../../site_overrides/javascripts/calculator/pointer-strokes.mjs");
let [drawing, done, parts] = [];

/** Three columns and two rows of parts, 10 wide and high, with "kim" on the first; two tools, of which one carries. */
beforeEach(() => {
  const spaces = [0, 1].flatMap((row) => [0, 1, 2].map((column) => `<polygon data-space="${column},${row}" tabindex="-1"></polygon>`));
  const form =
    setPage(`<form><input type="radio" name="brush" value="pick" data-carries checked><input type="radio" name="brush" value="wall">
    <svg data-gather="stroke" data-parts="space" data-tool="brush">${spaces.join("")}<g data-rides="0,0"></g></svg><p></p></form>`);
  drawing = form.querySelector("svg");
  drawing.getScreenCTM = () => ({ a: 2, d: 2 });
  parts = [...drawing.querySelectorAll("polygon")];
  parts.forEach((part, number) => setBox(part, { x: 10 * (number % 3), y: 10 * Math.floor(number / 3) }));
  document.elementFromPoint = (x, y) => parts.find((part) => isIn(part.getBoundingClientRect(), x, y)) ?? null;
  done = [];
  gather(form, new AbortController().signal, (control, text) => done.push([control, text]));
});
const isIn = (box, x, y) => box.x <= x && x < box.x + 10 && box.y <= y && y < box.y + 10;
const choose = (tool) =>
  drawing
    .closest("form")
    .querySelectorAll("input")
    .forEach((each) => (each.checked = each.value === tool));
const passed = () => parts.filter((part) => part.hasAttribute("data-passed")).map((part) => part.dataset.space);
function pointer(type, x, y, more = {}) {
  const event = createEvent(`pointer${type}`, { clientX: x, clientY: y, pointerId: 1, button: 0, isPrimary: true, ...more });
  (document.elementFromPoint(x, y) ?? drawing).dispatchEvent(event);
  return event;
}
function key(name, part = document.activeElement, more = {}) {
  const event = createEvent("keydown", { key: name, ...more });
  part.dispatchEvent(event);
  return event.defaultPrevented;
}

test("a press gathers its part behind the tool, a stroke all that it passes, each once", () => {
  choose("wall");
  pointer("down", 5, 5);
  pointer("up", 5, 5);
  pointer("down", 5, 5);
  pointer("move", 25, 5);
  pointer("move", 25, 15);
  assert.deepEqual([passed(), drawing.hasAttribute("data-gathering")], [["0,0", "1,0", "2,0", "2,1"], true]);
  pointer("up", 25, 15);
  assert.deepEqual(done, [
    ["stroke", "wall: 0,0"],
    ["stroke", "wall: 0,0 1,0 2,0 2,1"],
  ]);
  assert.deepEqual([passed(), drawing.hasAttribute("data-gathering"), isFocused(parts[0])], [[], false, true]);
});

test("a tool that carries has the first part and the last; what stands there rides along", () => {
  pointer("down", 5, 5);
  pointer("move", 15, 5);
  pointer("move", 25, 9);
  assert.deepEqual(passed(), ["0,0", "2,0"]);
  const rider = drawing.querySelector("g");
  assert.equal(rider.getAttribute("transform"), "translate(5 2)");
  pointer("up", 25, 5);
  assert.deepEqual([done, rider.hasAttribute("transform")], [[["stroke", "pick: 0,0 2,0"]], false]);
  pointer("down", 5, 5);
  pointer("move", 15, 5);
  pointer("move", 5, 5);
  pointer("up", 5, 5);
  assert.deepEqual(done[1], ["stroke", "pick: 0,0"]);
});

test("another button, another finger and what is no part begin nothing; a stroke given up gathers nothing", () => {
  pointer("down", 5, 5, { button: 2 });
  pointer("down", 5, 5, { isPrimary: false });
  assert.deepEqual(passed(), []);
  pointer("down", 500, 5);
  pointer("up", 5, 5);
  pointer("down", 5, 5);
  pointer("up", 5, 5, { pointerId: 2 });
  assert.deepEqual(done, []);
  pointer("cancel", 5, 5);
  pointer("up", 5, 5);
  assert.deepEqual([done, passed()], [[], []]);
});

test("a finger scrolls the page where the tool carries and finds nothing to carry", () => {
  const isHeld = (x) => {
    pointer("down", x, 5);
    const event = createEvent("touchmove", { cancelable: true });
    drawing.dispatchEvent(event);
    pointer("up", x, 5);
    return event.defaultPrevented;
  };
  assert.deepEqual([isHeld(5), isHeld(15)], [true, false]);
  choose("wall");
  assert.equal(isHeld(15), true);
});

test("a drawing that came with an answer holds a finger's stroke too", () => {
  const form = drawing.parentElement;
  const next = drawing.cloneNode(true);
  drawing.remove();
  form.append(next);
  drawing = next;
  parts = [...drawing.querySelectorAll("polygon")];
  parts.forEach((part, number) => setBox(part, { x: 10 * (number % 3), y: 10 * Math.floor(number / 3) }));
  choose("wall");
  pointer("down", 15, 5);
  const event = createEvent("touchmove", { cancelable: true });
  drawing.dispatchEvent(event);
  assert.equal(event.defaultPrevented, true);
  pointer("up", 15, 5);
});

test("arrows go to the next part that way, Enter presses, Space begins and ends a stroke, Escape drops it", () => {
  choose("wall");
  parts[0].focus();
  for (const [name, place] of [
    ["ArrowRight", 1],
    ["ArrowDown", 4],
    ["ArrowLeft", 3],
    ["ArrowLeft", 3],
    ["ArrowUp", 0],
  ]) {
    assert.equal(key(name), true);
    assertFocused(parts[place], name);
  }
  assert.deepEqual(
    [...drawing.querySelectorAll('[tabindex="0"]')].map((part) => part.dataset.space),
    ["0,0"],
  );
  key("Enter");
  key(" ");
  key("ArrowRight");
  key(" ");
  key(" ");
  key("ArrowRight");
  key("Escape");
  assert.deepEqual(done, [
    ["stroke", "wall: 0,0"],
    ["stroke", "wall: 0,0 1,0"],
  ]);
  assert.deepEqual([key("Escape"), key("x"), key("Enter", parts[0], { ctrlKey: true }), passed()], [false, false, false, []]);
});
