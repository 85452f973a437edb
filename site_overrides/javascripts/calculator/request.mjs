// The requests of a calculator and their answers: the types, and the functions that build them.
import { serializeLatestEntriesForPython } from "../saved/store.mjs";
import { findControl, findEnabledButton, accessibleTextOf, queryOf, restoreTypedValues } from "./form.mjs";
import { pythonClient } from "../engine/client.mjs";

/** @import { Control, ControlState } from "./form.mjs" */
/** @import { UndoStack } from "./undo-stack.mjs" */

/**
 * How the answer to a request is shown and saved.
 * @typedef {object} AnswerOptions
 * @property {boolean} [isPress] the user has pressed a button: the engine's `ask`
 * @property {boolean} [isFromForm] the request contains the form, and the answer keeps the user's input
 * @property {string} [buttonName] the name of the pressed button; the answer sets the control of that name
 * @property {string | boolean} [newEntry] the answer becomes a new entry: true, or the value of `data-new-entry`
 * @property {boolean} [isContinuation] it is more of an unfinished answer
 * @property {boolean} [isInitial] it is the page's own example with the house rules
 * @property {boolean} [isRestored] it is the answer of a saved entry
 * @property {boolean} [isExternal] it is the answer of a link from elsewhere, or of a file
 * @property {boolean} [isUndo] it is an earlier answer
 * @property {boolean} [isRulesChange] it is the shown answer with the house rules
 */

/**
 * How a request is built and sent. `buildQuery` returns the query when its turn has come, or null if the form no longer
 * allows the request.
 * @typedef {object} RequestDetails
 * @property {string} [label] the text of what the user pressed, for messages; without it nothing is said
 * @property {(form: HTMLFormElement) => string | null} buildQuery
 * @property {HTMLElement | null} [pressedElement] the pressed button or link
 * @property {boolean} [includesForm] the query contains the whole form
 * @property {boolean} [isTyping] the user was typing, and has pressed nothing
 * @property {boolean} [isOpening] it opens a link or an entry
 * @property {string} [strokeControl] the name of the control whose strokes it sends
 * @property {Map<string, ControlState>} [edits] the user's input since the request before it
 */

/** @typedef {RequestDetails & AnswerOptions} Request */

/**
 * A request that was sent: the query, and the `states` of the form. That for more of an unfinished answer has no `buildQuery`.
 * @typedef {Partial<Request> & { query: string, states: Map<string, ControlState> }} SentRequest
 */

/**
 * The engine's answer.
 * @typedef {object} Answer
 * @property {string} html
 * @property {string} query the query that determines this answer
 * @property {string} summary
 * @property {boolean} [unfinished] a repeated request returns more
 */

/**
 * Create the request for the answer to what the user types.
 * @returns {Request}
 */
export const createTypingRequest = () => ({
  includesForm: true,
  isTyping: true,
  buildQuery: (form) => queryOf(form),
  isFromForm: true,
});

/**
 * Create the request of a submitted form.
 * @param {(HTMLElement & { name: string, value: string }) | null} submitter the pressed button, if any
 * @param {() => string} getNextNameParam returns the query parameter with the name of an entry that continues the open one
 * @returns {Request}
 */
export function createSubmitRequest(submitter, getNextNameParam) {
  const { name = "", value = "" } = submitter ?? {};
  const newEntry = submitter?.dataset.newEntry;
  return {
    label: accessibleTextOf(submitter),
    pressedElement: submitter,
    includesForm: true,
    buildQuery: (form) => {
      const button = submitter && findEnabledButton(form, name, value);
      const nameParam = newEntry === "same-campaign" ? getNextNameParam() : "";
      return button === undefined ? null : queryOf(form, button) + formatSavedEntriesParam(button?.dataset.includeSaved) + nameParam;
    },
    isPress: true,
    isFromForm: true,
    buttonName: name,
    newEntry,
  };
}

/**
 * Create the request that opens a link or a saved entry.
 * @param {() => string | null} buildQuery
 * @param {AnswerOptions} [options]
 * @returns {Request}
 */
export const createOpeningRequest = (buildQuery, options = {}) => ({ label: "Open", isOpening: true, buildQuery, ...options });

/**
 * Create the request for the answer before the shown one.
 * @param {UndoStack} undoStack
 * @returns {Request}
 */
export const createUndoRequest = (undoStack) => ({
  label: "Undo",
  buildQuery: () => undoStack.lastQuery ?? null,
  isUndo: true,
});

/**
 * Create the request of a link to another query of this calculator. An answer without that link rejects it.
 * @param {HTMLAnchorElement} link
 * @param {HTMLFormElement} shownForm
 * @returns {Request}
 */
export function createLinkRequest(link, shownForm) {
  const href = /** @type {string} */ (link.getAttribute("href"));
  /** @param {HTMLFormElement} form */
  const hasLink = (form) => form === shownForm || form.ownerDocument.querySelector(`a[href="${CSS.escape(href)}"]`);
  return {
    label: accessibleTextOf(link),
    pressedElement: link,
    isOpening: true,
    buildQuery: (form) => (hasLink(form) ? href.slice(1) : null),
  };
}

/**
 * Return what the URL adds to the query that it opens, after `&then&`: the parameters of a pressed button. `hands=fight/1`
 * is replaced by the saved entries of that kind.
 * @param {string} [params]
 * @returns {string} "" if there are none
 */
export const formatPressedParamsWithSavedEntries = (params) =>
  params ? `&${params.replace(/\bhands=([\w/]+)/, (_, version) => formatSavedEntriesParam(version).slice(1))}` : "";

/**
 * Format the saved entries of a kind as a query parameter, for one answer only.
 * @param {string} [version] `data-include-saved` of a button; "" is returned without it
 */
const formatSavedEntriesParam = (version) => (version ? `&kept=${encodeURIComponent(serializeLatestEntriesForPython(version))}` : "");

/**
 * Find the parameter that begins a new entry by typing, such as `&start=sheet`.
 * @param {HTMLFormElement} form
 * @param {Request} request
 * @returns {string} "" unless the user has typed into a control that begins one
 */
export function findNewSavedEntryParam(form, { isTyping, edits }) {
  /** @param {string} name */
  const paramOf = (name) => findControl(form, name)?.closest("[data-new-entry-params]")?.dataset.newEntryParams;
  const param = isTyping && edits && [...edits.keys()].map(paramOf).find(Boolean);
  return param ? `&${param}` : "";
}

/**
 * Parse the form of an answer that is not shown yet, with the user's input. The next request is built from it.
 * @param {string} html
 * @param {SentRequest} request
 * @returns {HTMLFormElement}
 */
export function parseAnswerFormWithInput(html, request) {
  const page = new DOMParser().parseFromString(html, "text/html");
  restoreTypedValues(page, new Map(), request.states, (control) => keepsInput(control, request));
  return page.querySelector("form");
}

/**
 * Whether a control of the answer keeps the user's input, because the answer does not set it.
 * @param {Control} control
 * @param {AnswerOptions} options
 */
export function keepsInput(control, { isFromForm, buttonName, isContinuation }) {
  return isFromForm && (isContinuation || (control.name !== buttonName && !control.hasAttribute("data-fresh")));
}

/**
 * Whether a failed request is given up for the next one. Without an opened entry the page shows nothing, so only another
 * opening replaces it. Any other request is repeated if Python was the reason.
 * @param {SentRequest} failedRequest
 * @param {Request} next
 */
export const isGivenUpFor = (failedRequest, next) => (failedRequest.isOpening ? next.isOpening : pythonClient.state !== "failed");
