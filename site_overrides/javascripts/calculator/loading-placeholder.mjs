// A sentence that describes what the URL or a saved entry contains, while Python starts. The page's own example is hidden, so
// that it does not look like the user's. The controls that remain visible have the values of the URL.
const MAX_DESCRIBED = 60; // characters of a value in the sentence

/**
 * Show that an entry is loading.
 * @param {HTMLElement} element the calculator's
 * @param {{ name: string, summary: string }} entry
 * @param {string} noun the word for an entry
 */
export function showEntryPlaceholder(element, { name, summary }, noun) {
  const description = [name, summary].filter(Boolean).join(". ");
  showPlaceholder(element, "all", `Loading your ${noun}${description ? `: ${description}` : " …"}`);
}

/**
 * Show that a link is loading, and what it contains.
 * @param {HTMLElement} element the calculator's
 * @param {HTMLFormElement} form
 * @param {string} query
 * @param {boolean} hidesControls whether the controls are hidden as well
 */
export function showLinkPlaceholder(element, form, query, hidesControls) {
  const values = new URLSearchParams(query);
  const pairs = [...values].filter(([, value]) => value);
  const title = pairs.find(([name]) => name === "title")?.[1];
  const shortValues = pairs
    .filter(([, value]) => value.length <= MAX_DESCRIBED && !/[{\n]/.test(value))
    .map(([name, value], index) => (index ? `${name} ${value}` : value))
    .join(", ");
  if (!hidesControls) fillOrClearTextControls(form, values);
  const description = title?.slice(0, 2 * MAX_DESCRIBED) || (hidesControls ? "" : shortValues);
  showPlaceholder(element, hidesControls ? "all" : "answer", description ? `Loading: ${description}` : "Loading the link …");
}

/**
 * Remove the placeholder when the answer is there.
 * @param {HTMLElement} element the calculator's
 */
export function removePlaceholder(element) {
  delete element.dataset.opening;
  element.querySelector(":scope > .calculator-coming")?.remove();
}

/**
 * @param {HTMLElement} element
 * @param {"all" | "answer"} hidden what is hidden
 * @param {string} text
 */
function showPlaceholder(element, hidden, text) {
  removePlaceholder(element);
  element.dataset.opening = hidden;
  const placeholder = Object.assign(document.createElement("p"), { className: "calculator-coming", textContent: text });
  element.querySelector(".calculator-body").before(placeholder);
}

/**
 * Fill the text controls of a form with the values of a query, and clear those without a value.
 * @param {HTMLFormElement} form
 * @param {URLSearchParams} values
 */
function fillOrClearTextControls(form, values) {
  for (const control of /** @type {Iterable<any>} */ (form.elements)) {
    if (!control.name || !control.matches("input:not([type]), input[type=text], input[type=number], textarea")) continue;
    control.value = control.defaultValue = values.get(control.name) ?? "";
  }
}
