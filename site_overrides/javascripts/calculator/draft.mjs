// The last answer of a form with `data-drafts`, which saves no entry. In the same tab, it opens again when the user comes back
// to the tool's page without a query.
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
