import assert from "node:assert/strict";
import { test } from "node:test";
import {
  restoreTypedValues,
  isSameQuery,
  restoreTypedValue,
  findControl,
  queryOf,
  findSameButton,
  stateOf,
  statesOf,
  stepValue,
  withValue,
  labelOf,
} from "../../site_overrides/javascripts/calculator/form.mjs";

/** As much of a control as the form's functions need. */
function control(name, { type = "text", value = "", checked = false, options = [] } = {}) {
  const attributes = {};
  return {
    name,
    type,
    value,
    checked,
    options,
    attributes,
    textContent: "",
    setAttribute: (key, text) => (attributes[key] = text),
    toggleAttribute: (key, isOn) => (attributes[key] = isOn),
  };
}

const holding = (controls, shows = []) => ({
  elements: controls,
  querySelectorAll: (selector) => (selector.includes("data-shows") ? shows : controls),
});

test("a control's state is its value, a tick, or the chosen radio button's value", () => {
  const form = holding([
    control("name", { value: "Ann" }),
    control("injured", { type: "checkbox", value: "true", checked: true }),
    control("brush", { type: "radio", value: "wall" }),
    control("brush", { type: "radio", value: "pick", checked: true }),
  ]);
  assert.deepEqual(
    [...statesOf(form)],
    [
      ["name", "Ann"],
      ["injured", true],
      ["brush", "pick"],
    ],
  );
  assert.equal(stateOf(form.elements[2]), undefined);
});

test("what is kept says what the form says, what the answer sets anew its own, and what was typed later wins in both", () => {
  const [name, faces, note] = ["name", "faces", "note"].map((each) => control(each));
  const states = new Map([
    ["name", "Ann"],
    ["faces", "12"],
    ["note", "old"],
  ]);
  restoreTypedValues(holding([name, faces, note]), new Map([["note", "new"]]), states, (each) => each === name);
  assert.deepEqual(
    [name, faces, note].map((each) => each.attributes.value),
    ["Ann", undefined, "new"],
  );
});

test("what is gathered is shown where it waits", () => {
  const place = { dataset: { shows: "keys" }, textContent: "" };
  restoreTypedValues(holding([control("keys")], [place]), new Map([["keys", "d6; d6"]]));
  assert.equal(place.textContent, "d6; d6");
});

test("each kind of control keeps what was typed", () => {
  const [tick, radio, area] = [
    control("a", { type: "checkbox" }),
    control("b", { type: "radio", value: "x" }),
    control("c", { type: "textarea" }),
  ];
  const options = ["one", "two"].map((value) => control("", { value }));
  const list = control("d", { type: "select-one", options });
  restoreTypedValue(tick, true);
  restoreTypedValue(radio, "y");
  restoreTypedValue(area, "words");
  restoreTypedValue(list, "two");
  assert.deepEqual([tick.attributes.checked, radio.attributes.checked, area.textContent], [true, false, "words"]);
  assert.deepEqual(
    options.map((each) => each.attributes.selected),
    [false, true],
  );
});

test("a button is found again by its name and value, unless it may not be pressed there", () => {
  const button = (name, value, more = {}) => ({ type: "submit", name, value, disabled: false, ...more });
  const [add, off, plain] = [button("act", "add"), button("act", "odds", { disabled: true }), button("", "")];
  const form = { elements: [control("act", { value: "add" }), off, add, plain] };
  assert.equal(findSameButton(form, "act", "add"), add);
  assert.equal(findSameButton(form, "act", "odds"), undefined);
  assert.equal(findSameButton(form, "", ""), plain);
});

test("queries say the same however they are written, and a value is put into one whole", () => {
  assert.ok(isSameQuery("a=1%202&b=", "a=1+2&b="));
  assert.ok(!isSameQuery("a=1&b=2", "b=2&a=1"));
  assert.equal(withValue("a=1&name=x&b=2", "name", "ü&="), "a=1&name=%C3%BC%26%3D&b=2");
  assert.equal(withValue("a=1", "name", "cut \ud83d"), "name=cut%20%EF%BF%BD&a=1");
});

test("a form's query has every value that is there, and the pressed button's in place of its namesake's", () => {
  const form = [
    ["act", "roll"],
    ["faces", "1 2"],
    ["note", ""],
    ["x", "a+b"],
  ];
  globalThis.FormData = class {
    *[Symbol.iterator]() {
      yield* form;
    }
  };
  assert.equal(queryOf(form), "act=roll&faces=1%202&x=a%2Bb");
  assert.equal(queryOf(form, { name: "act", value: "odds" }), "faces=1%202&x=a%2Bb&act=odds");
  assert.equal(queryOf(form, { name: "", value: "" }), "act=roll&faces=1%202&x=a%2Bb");
});

test("a control is found by its name, and never a button", () => {
  globalThis.CSS = { escape: (text) => text };
  assert.equal(findControl({ querySelector: (selector) => selector }, "act"), '[name="act"]:not(button)');
});

test("what is written on a button is its label, else its text in one line, without what is silent", () => {
  const button = (label, textContent, silent = []) => {
    const copy = { textContent, getAttribute: () => label, querySelectorAll: () => silent };
    return { cloneNode: () => copy };
  };
  let isGone = false;
  assert.equal(labelOf(button("Strike: Bo", "Strike")), "Strike: Bo");
  assert.equal(labelOf(button(null, " Strike \n Bo ", [{ remove: () => (isGone = true) }])), "Strike Bo");
  assert.deepEqual([labelOf(null), isGone], ["Enter", true]);
});

test("a step adds to the number, never below 0, and a button that would is off and hands its focus on", () => {
  globalThis.document = {};
  const focused = [];
  const button = (by) => ({ dataset: { step: `${by}` }, disabled: false, focus: () => focused.push(by) });
  const buttons = [button(-1), button(1)];
  const told = [];
  const level = {
    name: "x",
    value: "2",
    dataset: {},
    form: { querySelectorAll: () => buttons },
    dispatchEvent: (event) => told.push(event.type),
  };
  stepValue(level, 3);
  assert.deepEqual([level.value, buttons.map((each) => each.disabled)], [5, [false, false]]);
  stepValue(level, -4);
  assert.deepEqual([level.value, buttons.map((each) => each.disabled)], [1, [false, false]]);
  document.activeElement = buttons[0];
  stepValue(level, -1);
  assert.deepEqual([level.value, buttons.map((each) => each.disabled), focused], [0, [true, false], [1]]);
  level.value = "words";
  stepValue(level, -1);
  assert.deepEqual([level.value, told], [0, ["input", "input", "input", "input"]]);
  level.dataset.least = "-1";
  stepValue(level, -1);
  assert.deepEqual([level.value, buttons[0].disabled], [-1, true]);
});

test("step of a button that ends there moves the focus to a button that is shown", () => {
  const focused = [];
  const button = (by, hidden) => ({ dataset: { step: String(by) }, disabled: false, hidden, focus: () => focused.push(by) });
  const buttons = [button(9, true), button(-1, false), button(1, false)];
  document.activeElement = buttons[1];
  const control = { name: "step", value: "0", dataset: {}, form: { querySelectorAll: () => buttons }, dispatchEvent: () => {} };
  stepValue(control, -1);
  assert.deepEqual([control.value, focused], [0, [1]]);
});
