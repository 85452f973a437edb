// Clicks on the links and buttons of a calculator: each kind has a selector and an action.
import { keepFoldInPlaceAtNextToggle } from "./focus-and-scroll.mjs";

/** @typedef {HTMLButtonElement & { dataset: Record<string, string> }} ActionButton */

/**
 * A selector, and the action for a click on what it matches.
 * @template {HTMLElement} T
 * @typedef {[selector: string, run: (element: T) => void]} ClickAction
 */

/**
 * Run the first action for a click. The action of a link replaces the navigation, also the theme's, which would load the page
 * again; with a modifier key the browser follows the link.
 * @param {MouseEvent} event
 * @param {ClickAction<HTMLAnchorElement>[]} linkActions
 * @param {ClickAction<ActionButton>[]} buttonActions
 */
export function runFirstClickAction(event, linkActions, buttonActions) {
  const target = /** @type {Element} */ (event.target);
  const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey;
  for (const [selector, run] of hasModifier ? [] : linkActions) {
    const link = target.closest(selector);
    if (!link) continue;
    event.preventDefault();
    event.stopPropagation();
    return run(link);
  }
  const fold = target.closest("summary");
  if (fold) keepFoldInPlaceAtNextToggle(fold);
  const button = target.closest("button");
  if (button) buttonActions.find(([selector]) => button.matches(selector))?.[1](button);
}
