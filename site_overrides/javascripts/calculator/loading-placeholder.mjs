// While Python starts: what the address or this device holds is said in words, and the page's example is not shown as if
// it were the reader's. The controls that stay in view show what the address says.
const SHORT = 60; // characters of a value that can be said

/** Say that an entry is coming back. */
export function showEntryPlaceholder(element, { name, summary }, one) {
  const what = [name, summary].filter(Boolean).join(". ");
  show(element, "all", `Loading your ${one}${what ? `: ${what}` : " …"}`);
}

/** Say what a link holds; `isWhole` when all of the page's answer stands for it, controls too. */
export function showLinkPlaceholder(element, form, query, isWhole) {
  const pairs = [...new URLSearchParams(query)].filter(([, value]) => value);
  const title = pairs.find(([name]) => name === "title")?.[1];
  const isShort = ([, value]) => value.length <= SHORT && !/[{\n]/.test(value);
  const words = pairs
    .filter(isShort)
    .map(([name, value], at) => (at ? `${name} ${value}` : value))
    .join(", ");
  if (!isWhole) fill(form, new URLSearchParams(query));
  const told = title?.slice(0, 2 * SHORT) || (isWhole ? "" : words);
  show(element, isWhole ? "all" : "answer", told ? `Loading: ${told}` : "Loading the link …");
}

/** The answer is there. */
export function removePlaceholder(element) {
  delete element.dataset.opening;
  element.querySelector(":scope > .calculator-coming")?.remove();
}

function show(element, what, words) {
  removePlaceholder(element);
  element.dataset.opening = what;
  const told = Object.assign(document.createElement("p"), { className: "calculator-coming", textContent: words });
  element.querySelector(".calculator-body").before(told);
}

function fill(form, values) {
  for (const control of form.elements) {
    if (!control.name || !control.matches("input:not([type]), input[type=text], input[type=number], textarea")) continue;
    control.value = control.defaultValue = values.get(control.name) ?? "";
  }
}
