// Input in the form of a calculator: typing, strokes and submits become requests.
import { createSubmitRequest } from "./request.mjs";
import { findControl, queryOf, stateOf, stepValueAndButtons } from "./form.mjs";

/** @import { Control } from "./form.mjs" */
/** @import { RequestSession } from "./request-session.mjs" */

const TYPING_PAUSE = 150; // ms without input until it is sent
const CHOICE_TYPES = ["checkbox", "radio", "range", "select-one"]; // of controls whose input is complete at once

/** Hide the problems of a control until the next answer, because they are those of the text before.
 *  @param {Control} control */
function hideProblemsOf(control) {
  const describingIds = (control.getAttribute("aria-describedby") ?? "").split(" ");
  for (const id of describingIds.filter((each) => each.endsWith("-problems")))
    document.getElementById(id)?.toggleAttribute("data-outdated", true);
  control.removeAttribute("aria-invalid");
}

export class FormInput {
  #element;
  #session;
  #getNextNameParam;

  /**
   * @param {HTMLElement} element the calculator's
   * @param {RequestSession} session
   * @param {() => string} getNextNameParam returns the query parameter with the name of an entry that continues the open one
   */
  constructor(element, session, getNextNameParam) {
    this.#element = element;
    this.#session = session;
    this.#getNextNameParam = getNextNameParam;
  }

  /** @returns {HTMLFormElement} */
  get #form() {
    return this.#element.querySelector("form");
  }

  /**
   * Send the form, and close the fold that its button is in.
   * @param {SubmitEvent} event
   */
  handleSubmit(event) {
    event.preventDefault();
    const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
    const fold = submitter?.closest("details[data-close-on-press]");
    if (fold) {
      fold.open = false;
      fold.querySelector("summary").focus();
    }
    this.#session.sendOrEnqueue(createSubmitRequest(submitter, this.#getNextNameParam));
  }

  /**
   * Record an edit, and send the form after a pause if it is live.
   * @param {Event} event
   */
  handleInput(event) {
    const control = /** @type {Control} */ (event.target);
    if (control.form !== this.#form || !control.name || control.type === "file") return;
    this.#session.edits.record(control.name, stateOf(control));
    if (!control.closest("[data-live]")) return hideProblemsOf(control);
    const pause = CHOICE_TYPES.includes(control.type) && !this.#session.isBusy ? 0 : TYPING_PAUSE;
    this.#session.sendAfterPause(pause);
  }

  /**
   * Add to the number in a control, as if the user had typed it.
   * @param {string} controlName
   * @param {number} step
   */
  step(controlName, step) {
    stepValueAndButtons(/** @type {Control} */ (findControl(this.#form, controlName)), step);
  }

  /**
   * Put a stroke, or the text of a button, into a control and send the form. A stroke is appended to unsent ones.
   * @param {string} controlName
   * @param {string} text
   */
  addStrokeAndSend(controlName, text) {
    const control = /** @type {Control} */ (findControl(this.#form, controlName));
    control.value = [this.#session.isNextStrokeAppended(controlName) && control.value, text].filter(Boolean).join("; ");
    for (const output of this.#element.querySelectorAll(`[data-mirrors="${controlName}"]`)) output.textContent = control.value;
    this.#session.edits.record(controlName, control.value);
    this.#session.sendOrEnqueue({
      label: text,
      includesForm: true,
      strokeControl: controlName,
      buildQuery: (form) => queryOf(form),
      isFromForm: true,
    });
  }
}
