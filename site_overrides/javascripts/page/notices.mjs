// Notices above the answer of a calculator, about saved entries and files. They are announced to screen readers, too.
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { focusFirstVisibleControl } from "../calculator/form.mjs";

/** The topic of a notice, its `data-notice`: an entry that another tab has changed, an embedded page, an opened file, other
 *  house rules than the table's, house rules of a link, imported entries, or an answer that can't be saved.
 *  @typedef {"conflict" | "framed" | "opened" | "rules" | "table" | "import" | "unsaved"} NoticeTopic */

/** Show a notice in place of an earlier one on the same topic, and announce it.
 *  @param {HTMLElement} element the calculator
 *  @param {NoticeTopic} topic
 *  @param {string} text
 *  @param {(Node | string)[]} more below the text */
export function showNotice(element, topic, text, more = []) {
  removeNotice(element, topic);
  const section = document.createElement("section");
  section.className = "calculator-notice notice";
  section.dataset.notice = topic;
  const actions = document.createElement("p");
  actions.append(...more);
  section.append(Object.assign(document.createElement("p"), { textContent: isolateRightToLeft(text) }), actions);
  element.prepend(section);
  const announcement = element.querySelector(".calculator-announcement");
  if (announcement) announcement.textContent = text;
}

/** Remove a notice; the focus moves from it to the first control of the answer.
 *  @param {HTMLElement} element the calculator
 *  @param {NoticeTopic} topic */
export function removeNotice(element, topic) {
  const notice = element.querySelector(`:scope > [data-notice=${topic}]`);
  const hasFocus = notice?.contains(document.activeElement);
  notice?.remove();
  if (hasFocus) focusFirstVisibleControl(element);
}

/** Focus the first link or control of a notice above the answer, and scroll to the notice.
 *  @param {HTMLElement} element the calculator
 *  @param {NoticeTopic} topic */
export function focusNotice(element, topic) {
  const notice = element.querySelector(`:scope > [data-notice=${topic}]`);
  notice?.querySelector("a, button, select")?.focus({ preventScroll: true });
  notice?.scrollIntoView({ block: 2 * notice.offsetHeight > innerHeight ? "start" : "nearest" });
}

/** Describe the browser's error at a write for users.
 *  @param {unknown} error
 *  @returns {string} a sentence without its full stop */
export const describeWriteError = (error) =>
  /** @type {Error | null} */ (error)?.name === "QuotaExceededError"
    ? "Your browser's storage is full"
    : "Your browser blocks saving on this site";

/** Create a button with a listener.
 *  @param {string} text
 *  @param {() => void} onPress
 *  @returns {HTMLButtonElement} */
export function createButton(text, onPress) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: text });
  button.addEventListener("click", onPress);
  return button;
}
