// Focus and scroll position after an answer. docs/contributing/calculator-attributes.md lists the attributes. Without a
// [data-focus] the pressed control stays where it was on the screen, or else its nearest neighbour that remains.
import { findEnabledButton, FOCUSABLE, focusFirstVisibleControl } from "./form.mjs";

/** @import { AnswerOptions } from "./request.mjs" */

/**
 * A control before an answer, and where it was on the screen; null if it was out of view.
 * @typedef {[control: any, box: DOMRect | null]} ScrollAnchor
 */

/**
 * Where a press leads.
 * @typedef {object} Destination
 * @property {string} [revealSelector] the selector of what it scrolls into view; "" for none
 * @property {[name: string, value: string] | null} [opener] the button that gets the focus back
 */

/** @type {WeakMap<Element, string | undefined>} */
const lastFocusValues = new WeakMap(); // the last data-focus of each calculator
/** @type {WakeLockSentinel | Promise<WakeLockSentinel | null> | null} */
let wakeLock = null;

/**
 * Capture the visible controls of a calculator before an answer, the nearest to the pressed control first.
 * @param {Element} calculator
 * @param {Element | null} [pressedElement]
 * @returns {ScrollAnchor[]} empty if nothing in the calculator is pressed or has the focus
 */
export function captureScrollAnchors(calculator, pressedElement) {
  const controls = [...calculator.querySelectorAll(`.calculator-body ${FOCUSABLE}`)].filter((each) => each.checkVisibility());
  const origin = controls.indexOf(controls.includes(pressedElement) ? pressedElement : document.activeElement); // the press may have closed its fold
  if (origin < 0) return [];
  const top = Math.max(0, document.querySelector(".md-header")?.getBoundingClientRect().bottom ?? 0);
  /** @param {DOMRect} box */
  const isInView = (box) => box.bottom > top && box.top < innerHeight;
  /** @param {number} index */
  const distanceOf = (index) => 2 * Math.abs(index - origin) - Number(index > origin); // of two neighbours, the later one first
  return controls
    .map((control, index) => ({ control, distance: distanceOf(index) }))
    .sort((one, other) => one.distance - other.distance)
    .map(({ control }) => [control, [control.getBoundingClientRect()].find(isInView) ?? null]);
}

/**
 * Return where a press leads.
 * @param {any} [pressedElement] the pressed control, if any
 * @returns {Destination}
 */
export function focusDestinationOfPress(pressedElement) {
  const { returnFocusTo, returnFocusUnless } = pressedElement?.dataset ?? {};
  const staysAway = returnFocusUnless && pressedElement.form?.querySelector(returnFocusUnless);
  /** @type {Destination["opener"]} */
  const opener = returnFocusTo && !staysAway ? [pressedElement.name, returnFocusTo] : null;
  return { revealSelector: pressedElement?.closest?.("[data-into-view]")?.dataset.intoView ?? "", opener };
}

/**
 * Move the focus and scroll the page after an answer.
 * @param {HTMLElement} calculator
 * @param {AnswerOptions} options
 * @param {ScrollAnchor[]} anchors captured before the answer
 * @param {Destination} [destination] of the press
 */
export function applyFocusAndScroll(calculator, { isPress, isFromForm, isContinuation }, anchors, { revealSelector, opener } = {}) {
  const focusTarget = calculator.querySelector("[data-focus]");
  const isChanged = lastFocusValues.get(calculator) !== focusTarget?.dataset.focus;
  lastFocusValues.set(calculator, focusTarget?.dataset.focus);
  const isNewPress = Boolean(isPress && !isContinuation);
  const isInput = Boolean((isPress || isFromForm) && !isContinuation);
  const hasTitle = isInput && !("used" in calculator.dataset);
  if (isInput) calculator.dataset.used = ""; // the page's title goes
  const openerButton = isNewPress && opener && findEnabledButton(calculator.querySelector("form"), ...opener);
  const isReturning = openerButton && isFocusableIn(calculator, openerButton);
  if (isReturning) {
    restorePositionAndFocus(calculator, isNewPress, anchors);
    openerButton.focus({ preventScroll: true });
    openerButton.scrollIntoView({ block: "nearest", behavior: "instant" });
  } else if (focusTarget && !isContinuation && (isPress || (isFromForm && isChanged))) {
    focusTarget.focus({ preventScroll: true });
    const frame = focusTarget.closest("[data-frame], .calculator");
    frame.scrollIntoView({ block: frame.dataset.frame || "start", behavior: "instant" });
  } else if (restorePositionAndFocus(calculator, isNewPress, anchors) && hasTitle) {
    delete calculator.dataset.used; // the title stays, since without it the pressed control would move
    restorePositionAndFocus(calculator, isNewPress, anchors);
  }
  if (revealSelector && isNewPress) {
    calculator.querySelector(revealSelector)?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }
  calculator.querySelectorAll("[data-in-view]").forEach(scrollRowToCentre);
  void acquireOrReleaseWakeLock();
}

/**
 * @param {Element} calculator
 * @param {Element} element
 */
const isFocusableIn = (calculator, element) => calculator.contains(element) && element.matches(FOCUSABLE) && element.checkVisibility();

/**
 * Scroll so that the nearest anchor that remains is where it was, and focus it if the focus is lost.
 * @param {Element} calculator
 * @param {boolean | undefined} mayFocusFirst whether the first control gets the focus if there are no anchors
 * @param {ScrollAnchor[]} anchors
 * @returns {boolean} whether that anchor is elsewhere, because the page can't scroll so far
 */
function restorePositionAndFocus(calculator, mayFocusFirst, anchors) {
  /** @param {any} control */
  const findAgain = (control) =>
    isFocusableIn(calculator, control)
      ? control
      : control.type === "submit" && findEnabledButton(calculator.querySelector("form"), control.name, control.value);
  const remainingAnchors = anchors
    .map(([control, box]) => /** @type {ScrollAnchor} */ ([findAgain(control), box]))
    .filter(([control]) => control && isFocusableIn(calculator, control));
  const [anchor, box] = remainingAnchors.find((each) => each[1]) ?? [];
  const getShift = () => (anchor && box ? anchor.getBoundingClientRect().top - box.top : 0);
  if (anchor && box) {
    const frame = anchor.closest("[data-pans]");
    if (frame) frame.scrollTop += getShift(); // the page scrolls by the rest
    scrollBy({ top: getShift(), behavior: "instant" });
  }
  const isMoved = Math.abs(getShift()) >= 1;
  if (document.activeElement !== document.body && !document.activeElement?.disabled) return isMoved; // a disabled control can't keep the focus
  if (remainingAnchors.length) (anchor ?? remainingAnchors[0][0]).focus({ preventScroll: Boolean(anchor) });
  else if (mayFocusFirst || anchors.length) focusFirstVisibleControl(calculator);
  return isMoved;
}

/**
 * Hold a pressed fold at its position when it toggles, because that may wrap its line.
 * @param {Element} fold the `summary` element
 */
export function keepFoldInPlaceAtNextToggle(fold) {
  const { top } = fold.getBoundingClientRect();
  const restoreTop = () => scrollBy({ top: fold.getBoundingClientRect().top - top, behavior: "instant" });
  fold.parentElement?.addEventListener("toggle", restoreTop, { once: true });
}

/**
 * Scroll the row of an element, or its frame with data-pans, so that the element is in the middle.
 * @param {Element} element with data-in-view
 */
function scrollRowToCentre(element) {
  const frame = element.closest("[data-pans]");
  const row = frame ?? element.parentElement;
  const [box, rowBox] = [element, row].map((each) => each.getBoundingClientRect());
  const isVisible = box.left >= rowBox.left && box.right <= rowBox.right && box.top >= rowBox.top && box.bottom <= rowBox.bottom;
  if (frame && isVisible) return;
  row.scrollLeft += box.left - rowBox.left - (row.clientWidth - box.width) / 2;
  if (frame) row.scrollTop += box.top - rowBox.top - (row.clientHeight - box.height) / 2;
}

/** Request the screen's wake lock while an element with data-keep-screen-on is visible, and release it afterwards. */
async function acquireOrReleaseWakeLock() {
  const isWanted = document.visibilityState === "visible" && document.querySelector("[data-keep-screen-on]") !== null;
  if (!navigator.wakeLock || isWanted === (wakeLock !== null)) return;
  const previous = wakeLock;
  wakeLock = isWanted ? navigator.wakeLock.request("screen").catch(() => null) : null;
  const sentinel = await (wakeLock ?? previous);
  if (!isWanted) void sentinel?.release();
  else if (!sentinel) wakeLock = null;
  else sentinel.addEventListener("release", () => (wakeLock = null));
}

document.addEventListener("visibilitychange", acquireOrReleaseWakeLock);
