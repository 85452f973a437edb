// A form as text: its content as a query, and what the reader has typed kept in the form that takes its place.

/** A form's content as a query string in which a plus is a plus and a space is %20. */
export function queryOf(form, submitter) {
  const own = submitter?.name; // a button's value replaces that of the control it shares its name with
  const pairs = [...new FormData(form)].filter(([name, value]) => value !== "" && name !== own);
  if (own) pairs.push([own, submitter.value]);
  return pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
}

/** Whether the reader has changed a control since it came into the page. */
export function isChanged(control) {
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
  if (!(control instanceof HTMLSelectElement)) return control.value !== control.defaultValue;
  const options = [...control.options];
  return control.selectedOptions[0] !== (options.find((option) => option.defaultSelected) ?? options[0]);
}

/** Whether two queries say the same. */
export const isSame = (query, other) => `${new URLSearchParams(query)}` === `${new URLSearchParams(other)}`;

/** The control of a name, which is no button. */
export const named = (container, name) => container.querySelector(`[name="${CSS.escape(name)}"]:not(button)`);

/** A query with another value in one of its controls; a new one comes first. */
export function withValue(query, name, value) {
  const whole = value.replace(/\p{Surrogate}/gu, "\ufffd"); // a name that was cut may end in half a character
  const pair = [name, whole].map(encodeURIComponent).join("=");
  const pairs = query.split("&").filter(Boolean);
  const isOf = (each) => each.split("=")[0] === name;
  return pairs.some(isOf) ? pairs.map((each) => (isOf(each) ? pair : each)).join("&") : [pair, ...pairs].join("&");
}

/** The control that a new one takes the place of; of radio buttons the one with the same value. */
export function sameAs(control, form) {
  if (control.type !== "radio") return named(form, control.name);
  return [...form.querySelectorAll(`[name="${CSS.escape(control.name)}"]`)].find((old) => old.value === control.value);
}

/** Let a new control show what the reader has typed into the old one. */
export function keepTyped(control, typed) {
  if (control.type === "checkbox" || control.type === "radio") {
    control.toggleAttribute("checked", typed.checked);
  } else if (control instanceof HTMLSelectElement) {
    for (const option of control.options) option.toggleAttribute("selected", option.value === typed.value);
  } else if (control instanceof HTMLTextAreaElement) {
    control.textContent = typed.value;
  } else {
    control.setAttribute("value", typed.value);
  }
}

/** Add to the number in a control, never below 0, as if it had been typed. */
export function step(control, by) {
  const level = Math.max(0, (Number.parseInt(control.value, 10) || 0) + by);
  control.value = level;
  for (const button of control.form.querySelectorAll(`[data-control="${CSS.escape(control.name)}"]`)) {
    button.disabled = level + Number(button.dataset.step) < 0; // at once: the answer to quick taps comes later
  }
  control.dispatchEvent(new Event("input", { bubbles: true }));
}
