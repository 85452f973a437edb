// A form as text: its content as a query, and what the reader has typed kept in the form that takes its place.

/** A form's content as a query string in which a plus is a plus and a space is %20. */
export function queryOf(form, submitter) {
  const own = submitter?.name; // a button's value replaces that of the control it shares its name with
  const pairs = [...new FormData(form)].filter(([name, value]) => value !== "" && name !== own);
  if (own) pairs.push([own, submitter.value]);
  return pairs.map((pair) => pair.map((each) => encodeURIComponent(String(each))).join("=")).join("&");
}

/** Whether two queries say the same. */
export const isSameQuery = (query, other) => `${new URLSearchParams(query)}` === `${new URLSearchParams(other)}`;

/** The control of a name, which is no button. */
export const findControl = (container, name) => container.querySelector(`[name="${CSS.escape(name)}"]:not(button)`);

/** A query with another value in one of its controls; a new one comes first. */
export function withValue(query, name, value) {
  const whole = value.replace(/\p{Surrogate}/gu, "\ufffd"); // a name that was cut may end in half a character
  const pair = [name, whole].map(encodeURIComponent).join("=");
  const pairs = query.split("&").filter(Boolean);
  const isOf = (each) => each.split("=")[0] === name;
  return pairs.some(isOf) ? pairs.map((each) => (isOf(each) ? pair : each)).join("&") : [pair, ...pairs].join("&");
}

const CONTROLS = "[name]:is(input:not([type=file]), select, textarea)";

/** What a control says: its value, of a checkbox whether it is ticked; undefined for a radio button that isn't chosen. */
export function stateOf(control) {
  if (control.type === "checkbox") return control.checked;
  return control.type === "radio" && !control.checked ? undefined : control.value;
}

/** What the controls of a form say, by their names. */
export function statesOf(form) {
  const states = new Map();
  for (const control of form.querySelectorAll(CONTROLS)) {
    const state = stateOf(control);
    if (state !== undefined) states.set(control.name, state);
  }
  return states;
}

/** Let the controls of an answer show what the reader has typed: in any what was typed `later` than it was asked for, in
 *  those that are kept what the form says, its `states`. */
export function restoreTypedValues(answer, later, states = new Map(), isKept = (_control) => false) {
  for (const control of answer.querySelectorAll(CONTROLS)) {
    const { name } = control;
    if (later.has(name)) restoreTypedValue(control, later.get(name));
    else if (states.has(name) && isKept(control)) restoreTypedValue(control, states.get(name));
  }
  for (const place of answer.querySelectorAll("[data-shows]")) place.textContent = later.get(place.dataset.shows) ?? place.textContent;
}

/** The button of a form that says the same as one of another answer's did; undefined where it is not offered. */
export function findSameButton(form, name, value) {
  const isSame = (each) => each.type === "submit" && each.name === name && each.value === value && !each.disabled;
  return [...form.elements].find(isSame);
}

/** What is written on a button or a link, as it is read aloud. */
export function labelOf(element) {
  const copy = element?.cloneNode(true);
  for (const silent of copy?.querySelectorAll("[aria-hidden=true]") ?? []) silent.remove();
  return (copy?.getAttribute("aria-label") ?? copy?.textContent ?? "Enter").replace(/\s+/g, " ").trim();
}

/** Let a new control show what the reader has typed into the old one. */
export function restoreTypedValue(control, state) {
  if (control.type === "checkbox") control.toggleAttribute("checked", state);
  else if (control.type === "radio") control.toggleAttribute("checked", control.value === state);
  else if (control.type === "select-one") {
    for (const option of control.options) option.toggleAttribute("selected", option.value === state);
  } else if (control.type === "textarea") control.textContent = state;
  else control.setAttribute("value", state);
}

/** Add to the number in a control, never below its data-least, by itself 0, as if it had been typed; a button that ends
 *  there hands its focus on. */
export function stepValue(control, by) {
  const least = Number(control.dataset.least ?? 0);
  const level = Math.max(least, (Number.parseInt(control.value, 10) || 0) + by);
  control.value = level;
  const buttons = [...control.form.querySelectorAll(`[data-control="${CSS.escape(control.name)}"]`)];
  for (const button of buttons) {
    const isFocused = button === document.activeElement;
    button.disabled = level + Number(button.dataset.step) < least; // at once: the answer to quick taps comes later
    if (isFocused && button.disabled) buttons.find((each) => !each.disabled && !each.hidden)?.focus({ preventScroll: true });
  }
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

/** What the focus can be on. */
export const FOCUSABLE = ":is(input, select, textarea, button, summary, a[href], [tabindex]):not([hidden], [type=hidden], :disabled)";

/** Focus the first control of the answer. */
export function focusFirst(calculator) {
  const controls = [...calculator.querySelectorAll(`.calculator-body ${FOCUSABLE}`)];
  controls.find((each) => each.checkVisibility())?.focus();
}
