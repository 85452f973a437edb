// The status of a calculator below its answer: progress, failures, rejected requests, and the announcement for screen readers.
import { pythonClient } from "../engine/client.mjs";

const STOP_BUTTON_DELAY = 1_000; // ms until a request can be stopped

export class StatusLine {
  #element;
  #timer = 0;

  /** @param {HTMLElement} element the calculator's */
  constructor(element) {
    this.#element = element;
  }

  /** Insert the status into the calculator, unless it is there. */
  insertIfMissing() {
    if (this.#element.querySelector(".calculator-status")) return;
    this.#element.insertAdjacentHTML(
      "beforeend",
      '<p class="calculator-announcement" role="status"></p>' +
        '<p class="calculator-refused" aria-hidden="true"><span></span></p>' +
        '<p class="calculator-status" hidden><span></span> ' +
        '<button type="button" class="secondary" data-retry>Try again</button><button type="button" data-stop hidden>Stop</button></p>',
    );
  }

  /**
   * Show the state of the calculator.
   * @param {string} state the new `data-state`
   * @param {string} message
   * @param {boolean} isBusy whether a request is being answered
   * @param {boolean} isContinuing whether it is for more of an unfinished answer
   */
  showStateAndMessage(state, message, isBusy, isContinuing) {
    const element = this.#element;
    element.dataset.state = state;
    const isWaiting = isBusy && (state === "starting" || state === "working");
    const isStale = isBusy && !isContinuing;
    element.querySelector(".calculator-body").toggleAttribute("aria-busy", isWaiting);
    if (element.hasAttribute("stale") !== isStale) element.toggleAttribute("stale", isStale);
    const status = element.querySelector(".calculator-status");
    status.hidden = !(state === "failed" || isWaiting);
    status.querySelector("[data-retry]").hidden = state !== "failed" || pythonClient.isUnsupported;
    if (state !== "working" || isContinuing) this.#stopButton.hidden = state !== "working";
    const showsPreviousFigures = element.querySelector("[data-previous]") !== null;
    const continuingText = showsPreviousFigures
      ? "Still working. The numbers are from the last answer."
      : "Still working. The range will narrow.";
    const workingText = isContinuing ? continuingText : "Calculating …";
    const text = status.querySelector("span");
    text.textContent = message || (state === "working" ? workingText : "");
    text.setAttribute("role", state === "failed" ? "alert" : "presentation");
  }

  /**
   * Hide the stop button until the request has taken long. More of an unfinished answer can be stopped at any time.
   * @param {boolean} isContinuing
   */
  delayStopButton(isContinuing) {
    clearTimeout(this.#timer);
    if (isContinuing) return;
    this.#stopButton.hidden = true;
    this.#timer = setTimeout(() => {
      this.#stopButton.hidden = this.#element.dataset.state !== "working";
    }, STOP_BUTTON_DELAY);
  }

  get #stopButton() {
    return this.#element.querySelector(".calculator-status [data-stop]");
  }

  /**
   * Announce a text to screen readers.
   * @param {string} text
   */
  announce(text) {
    this.#announcementElement.textContent = text;
  }

  get #announcementElement() {
    return this.#element.querySelector(".calculator-announcement");
  }

  /**
   * Say that a request wasn't answered, also to screen readers.
   * @param {string | undefined} label the request's; without it nothing is said
   * @param {string} reason
   */
  announceRejection(label, reason) {
    if (!label) return;
    const text = `“${label}” wasn't done because ${reason}. `;
    this.#rejectionsElement.textContent += text;
    this.#announcementElement.textContent += ` ${text}`;
  }

  clearRejections() {
    this.#rejectionsElement.textContent = "";
  }

  get #rejectionsElement() {
    return this.#element.querySelector(".calculator-refused span");
  }
}
