// Sheets that a finger pulls up and down by their summary: <details data-pull-sheet><summary>. A tap and the keyboard open them
// as any other fold.
const PULL_LENGTH = 24; // CSS pixels of the pointer's way up or down that open or close

/**
 * Track the pulls on all sheets in an element, also on those that an answer adds.
 * @param {HTMLElement} element
 * @param {AbortSignal} signal removes the listeners
 */
export function trackSheetPulls(element, signal) {
  /** @type {HTMLDetailsElement | null} */
  let sheet = null; // while a pointer holds its summary
  let startY = 0;
  let isPulled = false; // the click at the end of a pull toggles nothing

  /** @param {PointerEvent} event */
  const handlePointerDown = ({ target, clientY, isPrimary }) => {
    const summary = /** @type {Element} */ (target).closest("[data-pull-sheet] > summary");
    sheet = isPrimary && summary ? /** @type {HTMLDetailsElement} */ (summary.parentElement) : null;
    startY = clientY;
    isPulled = false;
  };
  /** @param {PointerEvent} event */
  const handlePointerMove = ({ clientY }) => {
    const way = clientY - startY;
    if (!sheet || Math.abs(way) < PULL_LENGTH) return;
    sheet.open = way < 0;
    isPulled = true;
    startY = clientY;
  };
  const release = () => {
    sheet = null;
  };
  /** @param {Event} event */
  const handleClick = (event) => {
    if (isPulled && /** @type {Element} */ (event.target).closest("[data-pull-sheet] > summary")) event.preventDefault();
    isPulled = false;
  };

  element.addEventListener("pointerdown", handlePointerDown, { signal });
  element.addEventListener("click", handleClick, { signal });
  addEventListener("pointermove", handlePointerMove, { signal }); // the pointer may leave the summary
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, { signal });
}
