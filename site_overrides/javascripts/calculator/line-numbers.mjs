// Line numbers of a text area with data-numbered, in the [data-numbers] element before it. They scroll with the text.

/**
 * Number the lines of all such text areas in an element.
 * @param {Element} element
 */
export function renderLineNumbers(element) {
  for (const area of element.querySelectorAll("textarea[data-numbered]")) updateLineNumbersOf(area);
}

/** @param {HTMLTextAreaElement} area */
function updateLineNumbersOf(area) {
  const numbers = area.parentElement?.querySelector("[data-numbers]");
  if (!numbers) return;
  const count = area.value.split("\n").length;
  const text = Array.from({ length: count }, (_, index) => index + 1).join("\n");
  if (numbers.textContent !== text) numbers.textContent = text;
  requestAnimationFrame(() => (numbers.scrollTop = area.scrollTop)); // later, because reading it now lays out the whole page
}

/** @param {Event} event */
function handleEvent({ target }) {
  if (target?.matches?.("textarea[data-numbered]")) updateLineNumbersOf(/** @type {HTMLTextAreaElement} */ (target));
}

for (const type of ["input", "scroll"]) document.addEventListener(type, handleEvent, { capture: true, passive: true });
