// The requests of one calculator and the engine's answers: sends them one by one, and repeats the request of an unfinished
// answer until the answer is finished or stopped.
import { findControl, restoreTypedValues, statesOf } from "./form.mjs";
import { pythonClient } from "../engine/client.mjs";
import { RequestQueue } from "./request-queue.mjs";
import { createTypingRequest, findNewSavedEntryParam, isGivenUpFor, parseAnswerFormWithInput } from "./request.mjs";
import { root } from "../shared/urls.mjs";
import { FormEdits } from "./form-edits.mjs";

/** @import { Control, ControlState } from "./form.mjs" */
/** @import { AnswerHandler } from "./answer-handler.mjs" */
/** @import { Answer, Request, SentRequest } from "./request.mjs" */
/** @import { StatusLine } from "./status-line.mjs" */

export class RequestSession {
  edits = new FormEdits(); // the input since the last request
  #queue = new RequestQueue();
  #element;
  #status;
  #answerHandler;
  #waitForRelease;
  /** @type {AbortController | null} */
  #abortController = null; // of the requests since the last answer
  #failure = ""; // the message of the failed request, until the next is sent
  #isContinuing = false; // whether the shown answer is unfinished, and more of it is requested

  /**
   * @param {HTMLElement} element the calculator's
   * @param {StatusLine} status
   * @param {AnswerHandler} answerHandler
   * @param {() => Promise<void> | null} waitForRelease resolves when no button is held down
   */
  constructor(element, status, answerHandler, waitForRelease) {
    this.#element = element;
    this.#status = status;
    this.#answerHandler = answerHandler;
    this.#waitForRelease = waitForRelease;
  }

  /** @returns {HTMLFormElement} */
  get #form() {
    return this.#element.querySelector("form");
  }

  /** Whether a request is being answered, or has failed and may be repeated. */
  get isBusy() {
    return this.#queue.current !== null;
  }

  /**
   * Whether strokes for a control are not sent yet, so that the next ones are appended to them.
   * @param {string} controlName
   */
  isNextStrokeAppended(controlName) {
    return this.#queue.isLastWaitingStrokeFor(controlName) || this.#failure !== "";
  }

  /**
   * The user's input that no shown answer includes: unsent, waiting, or being answered.
   * @returns {ReadonlyMap<string, ControlState>} by the name of the control
   */
  get unansweredEdits() {
    return new Map([...(this.#queue.current?.edits ?? []), ...this.#queue.waitingEdits, ...this.edits.pending]);
  }

  /**
   * Send the form after a pause without input. Until then the calculator has the attribute data-unsent.
   * @param {number} milliseconds
   */
  sendAfterPause(milliseconds) {
    this.#element.toggleAttribute("data-unsent", true);
    this.edits.startPause(milliseconds, () => this.sendOrEnqueue(createTypingRequest()));
  }

  /**
   * Send a request now, or after those that wait. Unsent input is included, or sent before a request without the form.
   * @param {Request} request
   */
  sendOrEnqueue(request) {
    this.#element.removeAttribute("data-unsent");
    if (this.edits.cancelPause() && !request.includesForm) this.sendOrEnqueue(createTypingRequest());
    if (!request.isTyping) request.edits = this.edits.take();
    if (!this.isBusy) this.#status.clearRejections();
    const failedRequest = this.#failure ? /** @type {SentRequest | null} */ (this.#queue.current) : null;
    if (failedRequest && isGivenUpFor(failedRequest, request)) this.#clearQueueAndRejectWaiting("an earlier request failed");
    this.#queue.addAndReplaceIncluded(request);
    if (!this.isBusy) this.#sendNextAllowedRequest(this.#form);
    else if (failedRequest) void this.#sendAndHandleAnswer(failedRequest);
  }

  /**
   * Send the next request that the form of the last answer allows, and reject those before it.
   * @param {HTMLFormElement} form
   */
  #sendNextAllowedRequest(form) {
    for (let next = this.#queue.makeNextCurrent(); next; next = this.#queue.makeNextCurrent()) {
      const latestEdits = next.isTyping ? this.edits.take() : [];
      next.edits = new Map([...(next.edits ?? []), ...latestEdits]);
      if (form !== this.#form) restoreTypedValues(form.ownerDocument, next.edits);
      const newEntryParam = findNewSavedEntryParam(form, next);
      if (newEntryParam) next.newEntry = true;
      const query = next.buildQuery(form);
      if (query !== null) return void this.#sendAndHandleAnswer({ ...next, query: query + newEntryParam, states: statesOf(form) });
      this.#status.announceRejection(next.label, "it is no longer available");
    }
  }

  /**
   * Empty the queue, and say that its waiting requests are not answered. The current one has its own message.
   * @param {string} reason
   */
  #clearQueueAndRejectWaiting(reason) {
    const { current } = this.#queue;
    for (const request of this.#queue.clear()) {
      if (request !== current) this.#status.announceRejection(request.label, reason);
    }
  }

  /** @param {SentRequest} request */
  async #sendAndHandleAnswer(request) {
    this.#queue.current = request;
    const { query, isPress, isContinuation } = request;
    this.#failure = "";
    this.#isContinuing = Boolean(isContinuation);
    this.#abortController ??= new AbortController();
    this.#status.delayStopButton(this.#isContinuing);
    this.#showProgress();
    const element = this.#element;
    const message = { name: element.getAttribute("name"), query, ask: Boolean(isPress), uid: element.getAttribute("uid"), root };
    try {
      const answer = JSON.parse(await pythonClient.fetchAnswer(JSON.stringify(message), this.#abortController.signal));
      await this.#waitForRelease();
      if (request !== this.#queue.current || !element.isConnected) return;
      this.#abortController = null;
      this.#handleAnswerAndSendNext(answer, request);
    } catch (error) {
      await this.#waitForRelease();
      if (request === this.#queue.current) this.#setAndShowFailure(/** @type {Error} */ (error).message);
    }
  }

  /**
   * Handle an answer and send the next request; if none waits, request more of an unfinished answer.
   * @param {Answer} answer
   * @param {SentRequest} request
   */
  #handleAnswerAndSendNext(answer, request) {
    const form = this.#queue.isWaiting ? parseAnswerFormWithInput(answer.html, request) : null;
    const edits = new Map([...this.#queue.waitingEdits, ...this.edits.pending]);
    const restoreFocusAndScroll = this.#answerHandler.renderSaveAndAnnounce(answer, request, edits);
    this.#queue.current = null;
    if (form) this.#sendNextAllowedRequest(form);
    if (!this.isBusy && answer.unfinished) {
      const { isPress, pressedElement } = request;
      const { query } = answer;
      void this.#sendAndHandleAnswer({
        query,
        states: statesOf(this.#form),
        isPress,
        isFromForm: true,
        isContinuation: true,
        pressedElement,
      });
    } else if (!this.isBusy) {
      this.#isContinuing = false;
      this.#showState("ready");
    }
    restoreFocusAndScroll(); // last, because it may lay the page out
  }

  /** Stop the current request and undo its effects, or stop more of an unfinished answer. */
  stopCurrentRequest() {
    if (this.#isContinuing) return this.#stopContinuing();
    const { current } = this.#queue;
    this.#abortController?.abort();
    this.#abortController = null;
    this.#clearQueueAndRejectWaiting("an earlier request was stopped");
    if (current?.strokeControl) /** @type {Control} */ (findControl(this.#form, current.strokeControl)).value = "";
    if (current?.isOpening) {
      this.#queue.current = current; // a retry opens it
      return this.#setAndShowFailure("Stopped before opening.");
    }
    this.#showState(pythonClient.state);
    this.#status.announce("Stopped. Nothing has changed.");
  }

  /** Request no more of an unfinished answer, and show its figures so far. */
  #stopContinuing() {
    this.#queue.clear();
    this.#abortController = null;
    this.#isContinuing = false;
    this.#answerHandler.replacePreviousByPendingFigures();
    this.#showState(pythonClient.state);
    this.#status.announce("Stopped. The results so far are shown.");
  }

  /** Restart Python if it has failed, and send the failed request again. */
  retry() {
    pythonClient.restartAfterFailure();
    const { current } = this.#queue;
    if (current) void this.#sendAndHandleAnswer(/** @type {SentRequest} */ (current));
  }

  /** Show the state of the engine, or the failure of the last request. */
  showEngineStateOrFailure() {
    const { state, message } = pythonClient;
    if (this.#failure) this.#showState("failed", this.#failure);
    else if (this.isBusy && state !== "failed") this.#showProgress();
    else if (!this.isBusy && state !== "idle") this.#showState(state, message);
  }

  #showProgress() {
    this.#showState(pythonClient.state === "ready" ? "working" : "starting", pythonClient.message);
  }

  /** @param {string} message */
  #setAndShowFailure(message) {
    this.#failure = message;
    this.#showState("failed", message);
  }

  /**
   * @param {string} state
   * @param {string} [message]
   */
  #showState(state, message = "") {
    this.#status.showStateAndMessage(state, message, this.isBusy, this.#isContinuing);
  }
}
