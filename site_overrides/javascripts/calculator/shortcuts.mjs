// Keyboard shortcuts: a button with data-key="Home" is pressed by that key.

/**
 * Press the button of a key. Returns without effect if the user is typing, or if the key belongs to the focused control.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} element the calculator's
 * @param {boolean} isOwner whether keys outside of all controls are for this calculator
 * @param {boolean} isBusy whether a request is being answered; a key that is held down counts once until then
 */
export function pressButtonOfKey(event, element, isOwner, isBusy) {
  const target = /** @type {Element} */ (event.target);
  const isInside = element.contains(target) || (target === document.body && isOwner);
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  const isRepeated = event.repeat && isBusy;
  if (isRepeated && isInside && event.key === "Enter" && !target.closest("textarea")) return event.preventDefault();
  const isTyping = event.key !== "Escape" && target.closest("input:not([type=range]), textarea, select");
  if (!isInside || hasModifier || isTyping) return;
  if (event.key === " " && target.closest("button, summary, a")) return;
  const button = element.querySelector(`:is(button, input)[data-key="${CSS.escape(event.key)}"]`);
  if (!button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!button.disabled && !isRepeated) button.click();
}
