// What an answer changes: the page, the undo, the saved entry or house rules, the URL, the list of answers, the announcement.
import { applyFocusAndScroll, captureScrollAnchors, focusDestinationOfPress } from "./focus-and-scroll.mjs";
import { isHouseRulesForm } from "./initial-state.mjs";
import { insertSheetUpdateLinks } from "../page/after-fight-links.mjs";
import { renderLineNumbers } from "./line-numbers.mjs";
import { UndoStack } from "./undo-stack.mjs";
import { renderAnswerAndPublishScreen } from "./answer-view.mjs";
import { applyRulesToQuery, findDifferingHouseRules, offerHouseRules, saveFormRulesOrAskUser } from "../page/house-rules.mjs";
import { removeNotice } from "../page/notices.mjs";
import { saveOrRemoveTabDraft } from "./draft.mjs";
import { CloseRequests } from "./close-requests.mjs";
import { Figures, hasUncertainFigures } from "./figures.mjs";
import { createOpeningRequest } from "./request.mjs";

/** @import { SavedController } from "../saved/controller.mjs" */
/** @import { CalculatorAddress } from "./address.mjs" */
/** @import { ControlState } from "./form.mjs" */
/** @import { AnswerHistory } from "./history.mjs" */
/** @import { Answer, AnswerOptions, Request, SentRequest } from "./request.mjs" */
/** @import { StatusLine } from "./status-line.mjs" */

/**
 * What an answer handler needs from its calculator.
 * @typedef {object} AnswerHost
 * @property {() => AnswerHistory | null} getHistory
 * @property {() => SavedController | null} getSaved
 * @property {(request: Request) => void} addRequest
 */

export class AnswerHandler {
  undoStack = new UndoStack();
  #element;
  #address;
  #status;
  #host;
  #figures = new Figures();
  #closeRequests;
  /** The names of the rules that an answer has had since the user opened a link or an entry. @type {Set<string>} */
  #knownRules = new Set();

  /**
   * @param {HTMLElement} element the calculator's
   * @param {CalculatorAddress} address
   * @param {StatusLine} status
   * @param {AnswerHost} host
   */
  constructor(element, address, status, host) {
    this.#element = element;
    this.#address = address;
    this.#status = status;
    this.#host = host;
    this.#closeRequests = new CloseRequests(element);
  }

  /** @returns {HTMLFormElement} */
  get #form() {
    return this.#element.querySelector("form");
  }

  /** @returns {HTMLElement} */
  get #body() {
    return this.#element.querySelector(".calculator-body");
  }

  /** Show the figures of an unfinished answer that no later answer replaces. */
  replacePreviousByPendingFigures() {
    this.#figures.replacePreviousByPending(this.#body);
  }

  /** Let the browser handle requests to close, as when the calculator leaves the page. */
  stopHandlingCloseRequests() {
    this.#closeRequests.stop();
  }

  /**
   * Render an answer, and update what depends on it.
   * @param {Answer} answer
   * @param {SentRequest} request
   * @param {Map<string, ControlState>} edits the input since the request
   * @returns {() => void} restores the focus and the scroll position
   */
  renderSaveAndAnnounce({ html, query, summary, unfinished }, request, edits) {
    const element = this.#element;
    const { isPress, isFromForm, isContinuation, isInitial, pressedElement } = request;
    const anchors = captureScrollAnchors(element, pressedElement);
    const destination = focusDestinationOfPress(pressedElement); // the answer may remove the pressed control
    const hadOwnRules = "whatIf" in this.#form.dataset;
    if (request.isRestored || request.isExternal) this.#knownRules.clear();
    else for (const name of new URLSearchParams(this.#form.dataset.rules).keys()) this.#knownRules.add(name);
    renderAnswerAndPublishScreen(element, html, request, edits, this.#figures);
    const isOtherEntry = this.undoStack.recordAndDetectOtherEntry(element.dataset.query, query, request);
    element.dataset.query = query;
    for (const button of element.querySelectorAll("[data-back]")) button.disabled = this.undoStack.lastQuery === undefined;
    this.#address.completeShareLinks();
    insertSheetUpdateLinks(element);
    const saveOptions = { ...request, typed: Boolean(isFromForm), isOtherEntry };
    if (!isContinuation && !isInitial) this.#host.getSaved()?.saveAnswerOrQuarantineEntry(query, summary, saveOptions);
    if (isFromForm && this.#address.isOnToolPage) saveOrRemoveTabDraft(element, this.#form, query);
    const isNewSetUp = hadOwnRules && !("whatIf" in this.#form.dataset);
    if (!isContinuation) this.#saveOrOfferHouseRules(summary, request, isNewSetUp);
    this.#address.showInUrlAndTitle(query, summary, isInitial);
    const isCertain = !unfinished && !hasUncertainFigures(this.#body);
    const isRefused = this.#body.querySelector(".problem-error") && !this.#body.querySelector("[data-history-total]");
    if (isPress && summary && isCertain && !isRefused) this.#host.getHistory()?.add(query, summary);
    if (isCertain || (isPress && !isContinuation)) this.#status.announce(summary);
    renderLineNumbers(element);
    this.#closeRequests.watchIfClosable();
    return () => applyFocusAndScroll(element, request, anchors, destination);
  }

  /**
   * Save the rules of an answer as house rules on their page. On other pages, offer the house rules if the answer has others:
   * for a link, for a saved entry, and when a new set-up begins after an answer whose rules the user kept. House rules that no
   * earlier answer of the entry knew, because its turn system has other rules, are used at once.
   * @param {string} summary
   * @param {AnswerOptions} options
   * @param {boolean} isNewSetUp
   */
  #saveOrOfferHouseRules(summary, options, isNewSetUp) {
    const [element, form] = [this.#element, this.#form];
    const { isFromForm: typed, isExternal, isRestored } = options;
    if (isHouseRulesForm(form, this.#address)) return saveFormRulesOrAskUser(element, form, summary, { typed, isExternal });
    const differences = findDifferingHouseRules(form);
    if (!differences.length) removeNotice(element, "rules"); // such as of another turn system
    /** @param {import("../page/house-rules.mjs").RulePair[]} pairs */
    const apply = (pairs) =>
      this.#host.addRequest(createOpeningRequest(() => applyRulesToQuery(element.dataset.query ?? "", pairs), { isRulesChange: true }));
    const newRules = typed && !isRestored && !isExternal ? differences.filter(([name]) => !this.#knownRules.has(name)) : [];
    if (newRules.length) return apply(newRules);
    if (!isRestored && !isExternal && !isNewSetUp) return;
    const entryId = this.#host.getSaved()?.openId ?? element.dataset.query;
    const offerId = entryId + (isNewSetUp ? " new set-up" : ""); // a new set-up gets the offer again, even if the user has dismissed it
    offerHouseRules(element, form, offerId, apply);
  }
}
