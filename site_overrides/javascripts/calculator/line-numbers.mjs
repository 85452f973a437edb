// The numbers beside the lines of a text area with data-numbered: they stand in the [data-numbers] before it, and scroll
// along. Without scripts there are none.

/** Number the lines of every such text area in an element. */
export function renderLineNumbers(element) {
  for (const area of element.querySelectorAll("textarea[data-numbered]")) numberOne(area);
}

function numberOne(area) {
  const numbers = area.parentElement.querySelector("[data-numbers]");
  if (!numbers) return;
  const count = area.value.split("\n").length;
  const text = Array.from({ length: count }, (_, line) => line + 1).join("\n");
  if (numbers.textContent !== text) numbers.textContent = text;
  requestAnimationFrame(() => (numbers.scrollTop = area.scrollTop)); // asked at once, the whole page would be laid out for it
}

for (const name of ["input", "scroll"]) {
  document.addEventListener(name, ({ target }) => target.matches?.("textarea[data-numbered]") && numberOne(target), {
    capture: true,
    passive: true,
  });
}
