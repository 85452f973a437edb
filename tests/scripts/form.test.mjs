import assert from "node:assert/strict";
import { test } from "node:test";
import {
  restoreTypedValues,
  hasSameParamsInOrder,
  restoreTypedValue,
  findControl,
  queryOf,
  findEnabledButton,
  stateOf,
  statesOf,
  stepValueAndButtons,
  withParamValue,
  accessibleTextOf,
} from "../../site_overrides/javascripts/calculator/form.mjs";

/** Create a fake control with the properties that form.mjs uses. */
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
  querySelectorAll: (selector) => (selector.includes("data-mirrors") ? shows : controls),
});

test("statesOf returns a control's value, the state of its checkbox, or the value of the selected radio button", () => {
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

test("restoreTypedValues restores typed values, skips fresh fields, and prefers later edits", () => {
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

test("restoreTypedValues shows the value of a control in the element that displays it", () => {
  const place = { dataset: { mirrors: "keys" }, textContent: "" };
  restoreTypedValues(holding([control("keys")], [place]), new Map([["keys", "d6; d6"]]));
  assert.equal(place.textContent, "d6; d6");
});

test("restoreTypedValue restores each type of control", () => {
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

test("findEnabledButton finds a button by name and value, and no disabled one", () => {
  const button = (name, value, more = {}) => ({ type: "submit", name, value, disabled: false, ...more });
  const [add, off, plain] = [button("act", "add"), button("act", "odds", { disabled: true }), button("", "")];
  const form = { elements: [control("act", { value: "add" }), off, add, plain] };
  assert.equal(findEnabledButton(form, "act", "add"), add);
  assert.equal(findEnabledButton(form, "act", "odds"), undefined);
  assert.equal(findEnabledButton(form, "", ""), plain);
});

test("hasSameParamsInOrder ignores differences in encoding; withParamValue encodes the value", () => {
  assert.ok(hasSameParamsInOrder("a=1%202&b=", "a=1+2&b="));
  assert.ok(!hasSameParamsInOrder("a=1&b=2", "b=2&a=1"));
  assert.equal(withParamValue("a=1&name=x&b=2", "name", "ü&="), "a=1&name=%C3%BC%26%3D&b=2");
  assert.equal(withParamValue("a=1", "name", "cut \ud83d"), "name=cut%20%EF%BF%BD&a=1");
});

test("queryOf contains every value that is not empty, and the submitter's in place of the control's with its name", () => {
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

test("findControl finds a control by its name, and no button", () => {
  globalThis.CSS = { escape: (text) => text };
  assert.equal(findControl({ querySelector: (selector) => selector }, "act"), '[name="act"]:not(button)');
});

test("accessibleTextOf returns the label, or else the text in one line without hidden parts, or Enter without a button", () => {
  const button = (label, textContent, silent = []) => {
    const copy = { textContent, getAttribute: () => label, querySelectorAll: () => silent };
    return { cloneNode: () => copy };
  };
  let isGone = false;
  assert.equal(accessibleTextOf(button("Strike: Bo", "Strike")), "Strike: Bo");
  assert.equal(accessibleTextOf(button(null, " Strike \n Bo ", [{ remove: () => (isGone = true) }])), "Strike Bo");
  assert.deepEqual([accessibleTextOf(null), isGone], ["Enter", true]);
});

test("stepValueAndButtons adds to the number down to its minimum, disables the button at the minimum, and moves its focus", () => {
  globalThis.document = {};
  const focused = [];
  const button = (by) => ({ dataset: { step: `${by}` }, disabled: false, focus: () => focused.push(by) });
  const buttons = [button(-1), button(1)];
  const eventTypes = [];
  const level = {
    name: "x",
    value: "2",
    dataset: {},
    form: { querySelectorAll: () => buttons },
    dispatchEvent: (event) => eventTypes.push(event.type),
  };
  stepValueAndButtons(level, 3);
  assert.deepEqual([level.value, buttons.map((each) => each.disabled)], [5, [false, false]]);
  stepValueAndButtons(level, -4);
  assert.deepEqual([level.value, buttons.map((each) => each.disabled)], [1, [false, false]]);
  document.activeElement = buttons[0];
  stepValueAndButtons(level, -1);
  assert.deepEqual([level.value, buttons.map((each) => each.disabled), focused], [0, [true, false], [1]]);
  level.value = "words";
  stepValueAndButtons(level, -1);
  assert.deepEqual([level.value, eventTypes], [0, ["input", "input", "input", "input"]]);
  level.dataset.min = "-1";
  stepValueAndButtons(level, -1);
  assert.deepEqual([level.value, buttons[0].disabled], [-1, true]);
});

test("stepValueAndButtons moves the focus of a disabled button to a visible one", () => {
  const focused = [];
  const button = (by, hidden) => ({ dataset: { step: String(by) }, disabled: false, hidden, focus: () => focused.push(by) });
  const buttons = [button(9, true), button(-1, false), button(1, false)];
  document.activeElement = buttons[1];
  const control = { name: "step", value: "0", dataset: {}, form: { querySelectorAll: () => buttons }, dispatchEvent: () => {} };
  stepValueAndButtons(control, -1);
  assert.deepEqual([control.value, focused], [0, [1]]);
});
