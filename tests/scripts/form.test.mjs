import assert from "node:assert/strict";
import { test } from "node:test";
import { fill, isSame, keepTyped, sameButton, stateOf, statesOf, withValue } from "../../site_overrides/javascripts/form.mjs";

/** As much of a control as the form's functions need. */
function control(name, { type = "text", value = "", checked = false, options = [] } = {}) {
  const attributes = {};
  return {
    name, type, value, checked, options, attributes, textContent: "",
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
  assert.deepEqual([...statesOf(form)], [["name", "Ann"], ["injured", true], ["brush", "pick"]]);
  assert.equal(stateOf(form.elements[2]), undefined);
});

test("what is kept says what the form says, what the answer sets anew its own, and what was typed later wins in both", () => {
  const [name, faces, note] = ["name", "faces", "note"].map((each) => control(each));
  const states = new Map([["name", "Ann"], ["faces", "12"], ["note", "old"]]);
  fill(holding([name, faces, note]), new Map([["note", "new"]]), states, (each) => each === name);
  assert.deepEqual([name, faces, note].map((each) => each.attributes.value), ["Ann", undefined, "new"]);
});

test("what is gathered is shown where it waits", () => {
  const place = { dataset: { shows: "keys" }, textContent: "" };
  fill(holding([control("keys")], [place]), new Map([["keys", "d6; d6"]]));
  assert.equal(place.textContent, "d6; d6");
});

test("each kind of control keeps what was typed", () => {
  const [tick, radio, area] = [control("a", { type: "checkbox" }), control("b", { type: "radio", value: "x" }), control("c", { type: "textarea" })];
  const options = ["one", "two"].map((value) => control("", { value }));
  const list = control("d", { type: "select-one", options });
  keepTyped(tick, true);
  keepTyped(radio, "y");
  keepTyped(area, "words");
  keepTyped(list, "two");
  assert.deepEqual([tick.attributes.checked, radio.attributes.checked, area.textContent], [true, false, "words"]);
  assert.deepEqual(options.map((each) => each.attributes.selected), [false, true]);
});

test("a button is found again by its name and value, unless it may not be pressed there", () => {
  const button = (name, value, more = {}) => ({ type: "submit", name, value, disabled: false, ...more });
  const [add, off, plain] = [button("act", "add"), button("act", "odds", { disabled: true }), button("", "")];
  const form = { elements: [control("act", { value: "add" }), off, add, plain] };
  assert.equal(sameButton(form, "act", "add"), add);
  assert.equal(sameButton(form, "act", "odds"), undefined);
  assert.equal(sameButton(form, "", ""), plain);
});

test("queries say the same however they are written, and a value is put into one whole", () => {
  assert.ok(isSame("a=1%202&b=", "a=1+2&b="));
  assert.ok(!isSame("a=1&b=2", "b=2&a=1"));
  assert.equal(withValue("a=1&name=x&b=2", "name", "ü&="), "a=1&name=%C3%BC%26%3D&b=2");
  assert.equal(withValue("a=1", "name", "cut \ud83d"), "name=cut%20%EF%BF%BD&a=1");
});
