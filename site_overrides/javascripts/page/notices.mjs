// Notices above the answer of a calculator, about saved entries and files. They are announced to screen readers, too.
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { focusFirst } from "../calculator/form.mjs";

/** Show a notice in place of an earlier one on the same topic; `more` are elements below the text. */
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

/** Remove a notice; the focus moves from it to the first control of the answer. */
export function removeNotice(element, topic) {
  const notice = element.querySelector(`:scope > [data-notice=${topic}]`);
  const hasFocus = notice?.contains(document.activeElement);
  notice?.remove();
  if (hasFocus) focusFirst(element);
}

export function createButton(text, onPress) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: text });
  button.addEventListener("click", onPress);
  return button;
}
