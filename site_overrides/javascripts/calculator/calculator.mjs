// <scratch-calculator name="…">: sends its form's content to the engine and morphs the answer in.
// It contains no rules: Python and a template define a calculator. docs/contributing/calculator-attributes.md lists the
// attributes that a template may use, and the modules; docs/contributing/saved-entries.md lists the attributes of saved forms.
// This module only connects the others.
import "../page/cast-filter.mjs";
import "../page/material-fixes.mjs";
import "../page/popover.mjs";
import { importOrSendChosenFile } from "./opened-file.mjs";
import { offerNewVersionOnNavigation } from "../offline/new-version.mjs";
import { isHouseRulesKey } from "../page/house-rules.mjs";
import { runFirstClickAction } from "./click-actions.mjs";
import { renderLineNumbers } from "./line-numbers.mjs";
import { runAfterAnswerOrIdle } from "../shared/when-idle.mjs";
import { AnswerHistory } from "./history.mjs";
import { replaceBeginButtonByResumeLinks } from "../page/resume-links.mjs";
import { copyTextAndLinkOfButton, copyLinkUrl, downloadTextOfButtonOrControl, shareButtonUrl } from "./sharing.mjs";
import { CalculatorAddress } from "./address.mjs";
import { addFileInputIfMissing } from "../saved/file-import.mjs";
import { toolUrlOf } from "../shared/urls.mjs";
import { startPythonWhenVisibleOrUsed } from "./python-start.mjs";
import { SavedController } from "../saved/controller.mjs";
import { storeUnsentEdits } from "./draft.mjs";
import { isHouseRulesForm, requestInitialAnswer } from "./initial-state.mjs";
import { pressButtonOfKey } from "./shortcuts.mjs";
import { pythonClient } from "../engine/client.mjs";
import { FormInput } from "./form-input.mjs";
import { createLinkRequest, createOpeningRequest, createUndoRequest } from "./request.mjs";
import { Autoplay } from "./autoplay.mjs";
import { StatusLine } from "./status-line.mjs";
import { showEmbeddingNotice } from "../page/embedding-notice.mjs";
import { isFramed } from "../shared/embedding.mjs";
import { RequestSession } from "./request-session.mjs";
import { trackStrokes } from "./pointer-strokes.mjs";
import { trackPointerPress } from "./pointer-press.mjs";
import { trackSheetPulls } from "./pulls.mjs";
import { AnswerHandler } from "./answer-handler.mjs";
import { recoverFromMirror } from "../saved/store.mjs";

/** @import { ActionButton, ClickAction } from "./click-actions.mjs" */
/** @import { AnswerOptions } from "./request.mjs" */

class ScratchCalculator extends HTMLElement {
  /** @type {AbortController | null} */
  #connection = null; // removes the listeners when the element leaves the page
  /** @type {AnswerHistory | null} */
  #history = null; // if the form has data-history
  /** @type {SavedController | null} */
  #saved = null; // if the form has data-saved-as, and the page's URL is this calculator's
  /** @type {() => Promise<void> | null} */
  #waitForRelease = () => null;
  #address = new CalculatorAddress(this);
  #isOnToolPage = false; // the calculator that its tool's page is for; still known when it is disconnected
  #autoplay = new Autoplay(this);
  #status = new StatusLine(this);
  #answerHandler = new AnswerHandler(this, this.#address, this.#status, {
    getHistory: () => this.#history,
    getSaved: () => this.#saved,
    addRequest: (request) => this.#session.sendOrEnqueue(request),
  });
  #session = new RequestSession(this, this.#status, this.#answerHandler, () => this.#waitForRelease());
  #input = new FormInput(this, this.#session, () => this.#saved?.nextNameQueryPart ?? "");

  /** @type {ClickAction<HTMLAnchorElement>[]} */
  #linkActions = [
    ['a[data-share=""]', (link) => copyLinkUrl(link, this.#form.dataset.savedName)],
    ['a[href^="?"]', (link) => this.#session.sendOrEnqueue(createLinkRequest(link, this.#form))],
  ];

  /** @type {ClickAction<ActionButton>[]} */
  #buttonActions = [
    ["[data-retry]", () => this.#session.retry()],
    ["[data-stop], [data-stop-inline]", () => this.#session.stopCurrentRequest()],
    ["[data-copy]", copyTextAndLinkOfButton],
    ["[data-share]", (button) => shareButtonUrl(button, this.#address, this.#form.dataset.savedName)],
    ['[data-add]:not([data-add=""])', ({ dataset }) => this.#input.addStrokeAndSend(dataset.control, dataset.add)],
    ["[data-step]", ({ dataset }) => this.#input.step(dataset.control, Number(dataset.step))],
    ["[data-download]", (button) => downloadTextOfButtonOrControl(this, button)],
    ["[data-autoplay-delay]", (button) => this.#autoplay.toggle(button)],
    ["[data-forget]", () => this.#history?.clear()],
    ["[data-back]", () => this.#session.sendOrEnqueue(createUndoRequest(this.#answerHandler.undoStack))],
    ["[data-print]", () => print()],
  ];

  /** @returns {HTMLFormElement} */
  get #form() {
    return this.querySelector("form");
  }

  connectedCallback() {
    if (!this.#form || this.#connection) return;
    this.#connection = new AbortController();
    this.#isOnToolPage = this.#address.isOnToolPage;
    const { signal } = this.#connection;
    const { history: emptyText, savedAs } = this.#form.dataset;
    const { isOwner } = this.#address;
    this.#status.insertIfMissing();
    if (emptyText !== undefined) this.#history = new AnswerHistory(this, toolUrlOf(this), emptyText);
    /** @type {(buildQuery: () => string | null, options: AnswerOptions) => void} */
    const open = (buildQuery, options) => this.#session.sendOrEnqueue(createOpeningRequest(buildQuery, options));
    if (savedAs && isOwner) this.#saved = new SavedController(this, () => this.#form, open, signal);
    this.#addEventListeners(signal);
    addEventListener("pagehide", () => this.#storeUnsentEdits(), { signal });
    if (isOwner) addEventListener("hashchange", () => location.hash.startsWith("#?") && this.#requestInitialAnswer(false), { signal });
    startPythonWhenVisibleOrUsed(this, signal);
    this.#history?.render();
    this.#address.completeShareLinks();
    renderLineNumbers(this);
    if (isFramed) showEmbeddingNotice(this);
    if (isOwner && !this.#saved) addFileInputIfMissing(this);
    this.#requestInitialAnswer();
    if (isHouseRulesForm(this.#form, this.#address)) void this.#recoverHouseRules();
    replaceBeginButtonByResumeLinks();
    this.dataset.decided = ""; // from here on, styles no longer hide the page's own example
  }

  disconnectedCallback() {
    this.#connection?.abort();
    this.#connection = null;
    this.#storeUnsentEdits();
    this.#session.edits.cancelPause();
    this.#autoplay.stopTimer();
    this.#answerHandler.stopHandlingCloseRequests();
  }

  #storeUnsentEdits() {
    if (this.#isOnToolPage) storeUnsentEdits(this, this.#session.unansweredEdits);
  }

  /** @param {AbortSignal} signal */
  #addEventListeners(signal) {
    this.addEventListener("submit", (event) => this.#input.handleSubmit(event), { signal });
    this.addEventListener("input", (event) => this.#input.handleInput(event), { signal });
    this.addEventListener("change", ({ target }) => importOrSendChosenFile(this, target, this.#session, this.#saved), { signal });
    /** @param {KeyboardEvent} event */
    const handleKey = (event) => pressButtonOfKey(event, this, this.#address.isOwner, this.#session.isBusy);
    document.addEventListener("keydown", handleKey, { signal });
    this.addEventListener("click", (event) => runFirstClickAction(event, this.#linkActions, this.#buttonActions), { signal });
    this.#waitForRelease = trackPointerPress(this, signal);
    trackSheetPulls(this, signal);
    trackStrokes(this, signal, (controlName, stroke) => this.#input.addStrokeAndSend(controlName, stroke));
    pythonClient.addEventListener("change", () => this.#session.showEngineStateOrFailure(), { signal });
  }

  #requestInitialAnswer(isPageLoad = true) {
    requestInitialAnswer(this, this.#address, this.#session, this.#saved, isPageLoad);
  }

  async #recoverHouseRules() {
    const keys = await recoverFromMirror();
    if (keys?.some((key) => isHouseRulesKey(key))) this.#requestInitialAnswer();
  }
}

customElements.define("scratch-calculator", ScratchCalculator);
offerNewVersionOnNavigation();
runAfterAnswerOrIdle(() => import("../offline/register.mjs").catch(() => {})); // without it the site is only not available offline
