// What a calculator's page says above its answer, about what is kept and about files; said aloud too.
import { isolateNames } from "../shared/bidi.mjs";
import { focusFirst } from "../calculator/form.mjs";

/** Say something in place of what was said about the same before; `more` are the elements that stand below it. */
export function showNotice(element, about, words, more = []) {
  removeNotice(element, about);
  const section = document.createElement("section");
  section.className = "calculator-notice notice";
  section.dataset.notice = about;
  const actions = document.createElement("p");
  actions.append(...more);
  section.append(Object.assign(document.createElement("p"), { textContent: isolateNames(words) }), actions);
  element.prepend(section);
  const announcement = element.querySelector(".calculator-announcement");
  if (announcement) announcement.textContent = words;
}

/** Remove a notice; the focus moves from it to the first control of the answer. */
export function removeNotice(element, about) {
  const notice = element.querySelector(`:scope > [data-notice=${about}]`);
  const hasFocus = notice?.contains(document.activeElement);
  notice?.remove();
  if (hasFocus) focusFirst(element);
}

export function createButton(words, press) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: words });
  made.addEventListener("click", press);
  return made;
}
