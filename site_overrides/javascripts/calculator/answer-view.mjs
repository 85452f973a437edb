// Renders answers into the body of a calculator.
import { keepsInput } from "./request.mjs";
import { removePlaceholder } from "./loading-placeholder.mjs";
import { detachAndPublishScreen } from "../page/players-screen.mjs";
import { Idiomorph } from "../idiomorph.esm.js";
import { restoreTypedValues, statesOf } from "./form.mjs";

/** @import { Figures } from "./figures.mjs" */
/** @import { ControlState } from "./form.mjs" */
/** @import { AnswerOptions } from "./request.mjs" */

/**
 * Render an answer in place of the shown one. The user's input remains.
 * @param {HTMLElement} element the calculator's
 * @param {string} html
 * @param {AnswerOptions} options
 * @param {Map<string, ControlState>} edits the input since the request
 * @param {Figures} figures those of the calculator
 */
export function renderAnswerAndPublishScreen(element, html, options, edits, figures) {
  const body = element.querySelector(".calculator-body");
  const template = document.createElement("template");
  template.innerHTML = html;
  const { content } = template;
  detachAndPublishScreen(content);
  figures.replacePendingByLastCertain(body, content);
  restoreTypedValues(content, edits, statesOf(element.querySelector("form")), (control) => keepsInput(control, options));
  removePlaceholder(element);
  Idiomorph.morph(body, [...content.childNodes], {
    morphStyle: "innerHTML",
    callbacks: {
      beforeAttributeUpdated: isAttributeReplaced,
      /** @param {Node} node */
      beforeNodeRemoved: (node) => !(options.isContinuation && node instanceof Element && node.hasAttribute("data-added")),
    },
  });
}

/**
 * Whether an answer replaces an attribute. It keeps what the user or a script has changed: an open fold, a stroke, autoplay.
 * @param {string} name
 * @param {HTMLElement} node
 * @param {"update" | "remove"} change
 */
const isAttributeReplaced = (name, node, change) =>
  !(name === "open" && node instanceof HTMLDetailsElement && !(change === "update" && "opens" in node.dataset)) &&
  !(name === "data-in-stroke" || name === "data-stroking") &&
  !(name === "aria-pressed" && node.hasAttribute("data-autoplay-delay"));
