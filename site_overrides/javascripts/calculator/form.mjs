// The content of a form: as a query, and as the states of its controls, which remain when an answer replaces the form.

/**
 * A control that the user fills in.
 * @typedef {HTMLElement & { name: string, type: string, value: string, defaultValue: string, checked: boolean,
 *   disabled: boolean, form: HTMLFormElement | null, options: HTMLOptionsCollection, labels: NodeListOf<HTMLLabelElement> | null }} Control
 */

/** @typedef {string | boolean | undefined} ControlState */

const CONTROLS = "[name]:is(input:not([type=file]), select, textarea)";

/** The selector of elements that can receive the focus. */
export const FOCUSABLE = ":is(input, select, textarea, button, summary, a[href], [tabindex]):not([hidden], [type=hidden], :disabled)";

// ---- queries

/**
 * Return a form's content as a query string in which a plus is a plus and a space is %20.
 * @param {HTMLFormElement} form
 * @param {{ name: string, value: string } | null} [submitter] the pressed button; its value replaces that of a control with its name
 */
export function queryOf(form, submitter) {
  const buttonName = submitter?.name;
  const pairs = [...new FormData(form)].filter(([name, value]) => value !== "" && name !== buttonName);
  if (submitter && buttonName) pairs.push([buttonName, submitter.value]);
  return pairs.map((pair) => pair.map((each) => encodeURIComponent(String(each))).join("=")).join("&");
}

/**
 * Whether two queries have the same parameters.
 * @param {string} query
 * @param {string} other
 */
export const hasSameParamsInOrder = (query, other) => `${new URLSearchParams(query)}` === `${new URLSearchParams(other)}`;

/**
 * Return a query with another value of a parameter; a new parameter comes first.
 * @param {string} query
 * @param {string} name
 * @param {string} value
 */
export function withParamValue(query, name, value) {
  const validValue = value.replace(/\p{Surrogate}/gu, "\ufffd"); // a truncated name may end in half a character
  const pair = [name, validValue].map(encodeURIComponent).join("=");
  const pairs = query.split("&").filter(Boolean);
  /** @param {string} each */
  const hasName = (each) => each.split("=")[0] === name;
  return pairs.some(hasName) ? pairs.map((each) => (hasName(each) ? pair : each)).join("&") : [pair, ...pairs].join("&");
}

// ---- controls

/**
 * Find the control with a name, not a button.
 * @param {ParentNode} container
 * @param {string} name
 * @returns {Control | null}
 */
export const findControl = (container, name) => container.querySelector(`[name="${CSS.escape(name)}"]:not(button)`);

/**
 * Find the button of a form with a name and value.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string} value
 * @returns {HTMLButtonElement | undefined} undefined if it is missing or disabled
 */
export function findEnabledButton(form, name, value) {
  const controls = /** @type {HTMLButtonElement[]} */ ([...form.elements]);
  return controls.find((each) => each.type === "submit" && each.name === name && each.value === value && !each.disabled);
}

/**
 * Return the text of a button or a link as screen readers read it.
 * @param {Element | null} element null for the Enter key
 * @returns {string}
 */
export function accessibleTextOf(element) {
  const copy = /** @type {Element | undefined} */ (element?.cloneNode(true));
  for (const hidden of copy?.querySelectorAll("[aria-hidden=true]") ?? []) hidden.remove();
  return (copy?.getAttribute("aria-label") ?? copy?.textContent ?? "Enter").replace(/\s+/g, " ").trim();
}

/**
 * Add to the number in a control, down to its data-min or 0, as if the user had typed it. A button that can't go further is
 * disabled, and the focus moves to another one.
 * @param {Control} control
 * @param {number} step
 */
export function stepValueAndButtons(control, step) {
  const least = Number(control.dataset.min ?? 0);
  const level = Math.max(least, (Number.parseInt(control.value, 10) || 0) + step);
  /** @type {{ value: unknown }} */ (control).value = level;
  const buttons = [.../** @type {HTMLFormElement} */ (control.form).querySelectorAll(`[data-control="${CSS.escape(control.name)}"]`)];
  for (const button of buttons) {
    const isFocused = button === document.activeElement;
    button.disabled = level + Number(button.dataset.step) < least; // at once, because quick presses come before the answer
    if (isFocused && button.disabled) buttons.find((each) => !each.disabled && !each.hidden)?.focus({ preventScroll: true });
  }
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Focus the first control of the answer.
 * @param {Element} calculator
 */
export function focusFirstVisibleControl(calculator) {
  const controls = [...calculator.querySelectorAll(`.calculator-body ${FOCUSABLE}`)];
  controls.find((each) => each.checkVisibility())?.focus();
}

// ---- the states of controls

/**
 * Return the state of a control: its value, or whether a checkbox is checked.
 * @param {Control} control
 * @returns {ControlState} undefined for an unchecked radio button
 */
export function stateOf(control) {
  if (control.type === "checkbox") return control.checked;
  return control.type === "radio" && !control.checked ? undefined : control.value;
}

/**
 * Return the states of a form's controls by their names.
 * @param {ParentNode} form
 * @returns {Map<string, ControlState>}
 */
export function statesOf(form) {
  const states = new Map();
  for (const control of form.querySelectorAll(CONTROLS)) {
    const state = stateOf(control);
    if (state !== undefined) states.set(control.name, state);
  }
  return states;
}

/**
 * Restore the user's input in the controls of an answer.
 * @param {ParentNode} answer
 * @param {Map<string, ControlState>} edits the input since the request; it replaces what the answer sets
 * @param {Map<string, ControlState>} [states] the states of the form at the request
 * @param {(control: Control) => boolean | undefined} [isKept] whether a control keeps its state
 */
export function restoreTypedValues(answer, edits, states = new Map(), isKept = () => false) {
  for (const control of answer.querySelectorAll(CONTROLS)) {
    const { name } = control;
    if (edits.has(name)) restoreTypedValue(control, edits.get(name));
    else if (states.has(name) && isKept(control)) restoreTypedValue(control, states.get(name));
  }
  for (const output of answer.querySelectorAll("[data-mirrors]"))
    output.textContent = edits.get(output.dataset.mirrors) ?? output.textContent;
}

/**
 * Restore the state of a control with attributes, so that it also remains when the answer is morphed in.
 * @param {Control} control
 * @param {ControlState} state
 */
export function restoreTypedValue(control, state) {
  if (control.type === "checkbox") control.toggleAttribute("checked", /** @type {boolean} */ (state));
  else if (control.type === "radio") control.toggleAttribute("checked", control.value === state);
  else if (control.type === "select-one") {
    for (const option of control.options) option.toggleAttribute("selected", option.value === state);
  } else if (control.type === "textarea") control.textContent = /** @type {string} */ (state);
  else control.setAttribute("value", /** @type {string} */ (state));
}
