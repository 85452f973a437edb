// What a tab stores when the user leaves a tool's page, and restores when they return. The last answer of a form with
// `data-drafts`, which saves no entry, opens again if the page comes without a query. Input without an answer returns to its
// controls if the page shows the same state: a roll that was typed before a reload.
/** @import { ControlState } from "./form.mjs" */
/** @import { Query } from "../shared/urls.mjs" */
import { storageKeyOf } from "../shared/urls.mjs";
import { getSessionStorage } from "../shared/web-storage.mjs";

/** @param {HTMLElement} element the calculator's */
const keyOf = (element) => storageKeyOf(`scratch-draft-${element.getAttribute("name")}`);

/**
 * Store the query of an answer; without `data-drafts`, or for an empty query, remove the stored one.
 * @param {HTMLElement} element the calculator's
 * @param {HTMLFormElement} form
 * @param {Query} query
 */
export function saveOrRemoveTabDraft(element, form, query) {
  try {
    if (form.dataset.drafts !== undefined && query) getSessionStorage().setItem(keyOf(element), query);
    else getSessionStorage().removeItem(keyOf(element));
  } catch {
    // without storage the page's own example opens
  }
}

/**
 * Read the stored query.
 * @param {HTMLElement} element the calculator's
 * @returns {Query | null} null if there is none
 */
export function readTabDraft(element) {
  try {
    return getSessionStorage().getItem(keyOf(element));
  } catch {
    return null;
  }
}

/** @param {HTMLElement} element the calculator's */
const editsKeyOf = (element) => storageKeyOf(`scratch-edits-${element.getAttribute("name")}`);

/**
 * Store input that no answer includes, or remove what was stored if there is none. Before the first answer it stays.
 * @param {HTMLElement} element the calculator's
 * @param {ReadonlyMap<string, ControlState>} edits by the name of the control
 */
export function storeUnsentEdits(element, edits) {
  try {
    const { query } = element.dataset;
    if (query === undefined) return;
    if (edits.size) getSessionStorage().setItem(editsKeyOf(element), JSON.stringify({ query, edits: [...edits] }));
    else getSessionStorage().removeItem(editsKeyOf(element));
  } catch {} // without storage a reload loses it
}

/**
 * Read the stored input.
 * @param {HTMLElement} element the calculator's
 * @param {Query} query of the state that the page shows
 * @returns {[string, ControlState][]} [] if there is none, or it belongs to another state
 */
export function readUnsentEdits(element, query) {
  try {
    const stored = JSON.parse(getSessionStorage().getItem(editsKeyOf(element)) ?? "null");
    return stored?.query === query ? stored.edits : [];
  } catch {
    return [];
  }
}
