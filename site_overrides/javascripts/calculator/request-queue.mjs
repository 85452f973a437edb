// The requests that wait while another one is answered. Each is built from the answer to the previous one.

/** @import { ControlState } from "./form.mjs" */
/** @import { Request, SentRequest } from "./request.mjs" */

export class RequestQueue {
  /**
   * The request that is being answered.
   * @type {Request | SentRequest | null}
   */
  current = null;
  /** @type {Request[]} */
  #waiting = [];

  /**
   * Add a request. It replaces waiting input of the same form, and waiting strokes for the same control. More of an
   * unfinished answer gives way to any request.
   * @param {Request} request
   */
  addAndReplaceIncluded(request) {
    const last = this.#waiting.at(-1);
    if (!last && this.current && isSupersededBy(this.current, request)) {
      includeEdits(this.current, request);
      this.current = null;
    }
    if (last && includesEarlier(request, last)) {
      this.#waiting.pop();
      includeEdits(last, request);
    }
    this.#waiting.push(request);
  }

  /**
   * Make the first waiting request the current one, and return it.
   * @returns {Request | null} null if none waits
   */
  makeNextCurrent() {
    const next = this.#waiting.shift() ?? null;
    this.current = next;
    return next;
  }

  /**
   * Remove all requests, and return them: the current one first.
   * @returns {(Request | SentRequest)[]}
   */
  clear() {
    const requests = [...(this.current ? [this.current] : []), ...this.#waiting];
    this.current = null;
    this.#waiting = [];
    return requests;
  }

  get isWaiting() {
    return this.#waiting.length > 0;
  }

  /**
   * The user's input that belongs to waiting requests.
   * @returns {Map<string, ControlState>}
   */
  get waitingEdits() {
    return new Map(this.#waiting.flatMap((request) => [...(request.edits ?? [])]));
  }

  /**
   * Whether the last waiting request sends strokes for a control.
   * @param {string} controlName
   */
  isLastWaitingStrokeFor(controlName) {
    return this.#waiting.at(-1)?.strokeControl === controlName;
  }
}

/**
 * Add the edits of an earlier request, which no answer includes, to the request that replaces it.
 * @param {Partial<SentRequest>} earlier
 * @param {Request} request
 */
function includeEdits(earlier, request) {
  if (earlier.edits) request.edits = new Map([...earlier.edits, ...(request.edits ?? [])]);
}

/**
 * Whether a new request makes the answer to the current one unnecessary.
 * @param {Partial<SentRequest>} current
 * @param {Request} request
 */
const isSupersededBy = (current, request) => current.isContinuation || (current.isTyping && request.includesForm);

/**
 * Whether a request contains all of an earlier one that waits.
 * @param {Request} request
 * @param {Request} earlier
 */
const includesEarlier = (request, earlier) =>
  request.includesForm && (earlier.isTyping || (request.strokeControl && request.strokeControl === earlier.strokeControl));
