// The initial state of a calculator: the query of the URL, the entry that was open last, the tab's draft, or the page's own
// example.
import { createOpeningRequest, createTypingRequest, formatPressedParamsWithSavedEntries } from "./request.mjs";
import { findControl, hasSameParamsInOrder, queryOf } from "./form.mjs";
import { applyRulesToQuery, findHouseRules, findDifferingHouseRules, hasNoRuleParams, isInternalNavigation } from "../page/house-rules.mjs";
import { readTabDraft, readUnsentEdits } from "./draft.mjs";
import { showEntryPlaceholder, showLinkPlaceholder } from "./loading-placeholder.mjs";

/** @import { SavedController } from "../saved/controller.mjs" */
/** @import { CalculatorAddress } from "./address.mjs" */
/** @import { RequestSession } from "./request-session.mjs" */

/**
 * Whether a calculator sets the house rules.
 * @param {HTMLFormElement} form
 * @param {CalculatorAddress} address
 */
export const isHouseRulesForm = (form, address) => form.dataset.house !== undefined && address.isOwner;

/**
 * Request the query of the URL, of a saved entry or of a draft, and show a placeholder. Without any, the page's own example remains,
 * with the house rules.
 * @param {HTMLElement} element the calculator's
 * @param {CalculatorAddress} address
 * @param {RequestSession} session
 * @param {SavedController | null} saved
 * @param {boolean} isPageLoad false if only the URL's fragment has changed
 */
export function requestInitialAnswer(element, address, session, saved, isPageLoad) {
  const form = element.querySelector("form");
  const [urlQuery, pressedParams] = /** @type {[string | null, string?]} */ (address.readQuery()?.split("&then&") ?? [null]);
  const entry = saved?.openInitialEntry(urlQuery, hasSameParamsInOrder);
  const draft = isPageLoad && address.isOnToolPage ? readTabDraft(element) : null;
  const ownQuery = entry?.query ?? draft;
  if (urlQuery === null && ownQuery === null) return requestExampleUnderHouseRules(element, form, address, session);
  element.dataset.used = "";
  const isOwn = urlQuery === null || Boolean(entry);
  const isInternal = isPageLoad && !isOwn && isInternalNavigation();
  const rules = isInternal && hasNoRuleParams(/** @type {string} */ (urlQuery), form) ? findDifferingHouseRules(form) : [];
  const query = applyRulesToQuery(/** @type {string} */ (urlQuery ?? ownQuery), rules) + formatPressedParamsWithSavedEntries(pressedParams);
  if (entry) showEntryPlaceholder(element, entry, /** @type {SavedController} */ (saved).entryNouns.one);
  else showLinkPlaceholder(element, form, query, Boolean(saved));
  session.sendOrEnqueue(createOpeningRequest(() => query, { isRestored: isOwn, isExternal: !isOwn && !isInternal }));
  const unsentEdits = isPageLoad && address.isOnToolPage ? readUnsentEdits(element, query) : [];
  for (const [name, state] of unsentEdits) session.edits.record(name, state); // the answer leaves the user's input
  if (unsentEdits.some(([name]) => findControl(form, name)?.closest("[data-live]"))) session.sendOrEnqueue(createTypingRequest());
}

/**
 * Request the page's own example if the house rules change it. An example inside a page of text keeps its rules.
 * @param {HTMLElement} element
 * @param {HTMLFormElement} form
 * @param {CalculatorAddress} address
 * @param {RequestSession} session
 */
function requestExampleUnderHouseRules(element, form, address, session) {
  const rules = address.isOnToolPage ? findDifferingHouseRules(form) : [];
  if (!rules.length) return session.showEngineStateOrFailure();
  const houseRules = /** @type {{ name: string, summary: string }} */ (findHouseRules()); // no differences without house rules
  if (isHouseRulesForm(form, address)) showEntryPlaceholder(element, houseRules, "table");
  session.sendOrEnqueue({
    includesForm: true,
    buildQuery: (currentForm) => applyRulesToQuery(queryOf(currentForm), rules),
    isInitial: true,
  });
}
