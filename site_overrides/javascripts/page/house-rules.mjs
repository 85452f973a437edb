// A table's house rules: one set, saved on this device as a query that names every rule ("strength_base=8&cp=14&…"). A new
// calculation uses the values that differ from the form. An answer with other rules shows a notice that offers the house rules.
// docs/contributing/calculator-attributes.md lists the attributes of the form.
/** @import { SavedEntry } from "../saved/store.mjs" */
/** @import { Query, StorageKey } from "../shared/urls.mjs" */
import { pythonClient } from "../engine/client.mjs";
import { findControl, withParamValue } from "../calculator/form.mjs";
import { HOUSE_RULES_VERSION, SavedEntries } from "../saved/store.mjs";
import { createButton, showNotice, removeNotice } from "./notices.mjs";
import { storageKeyOf, root, toolUrlOf } from "../shared/urls.mjs";
import { getSessionStorage } from "../shared/web-storage.mjs";

const savedEntries = new SavedEntries(HOUSE_RULES_VERSION);
const DISMISSED_KEY = storageKeyOf("scratch-left-rules"); // the sessionStorage key of the dismissed offers
let lastFollowedLink = ""; // the URL of the last followed link, on any page of the site

globalThis.addEventListener?.("click", ({ target }) => (lastFollowedLink = target?.closest?.("a[href]")?.href ?? lastFollowedLink), true);

/** The name of a rule, as the forms name it, and its value. @typedef {[string, string]} RulePair */

/** Whether a storage key belongs to house rules.
 *  @param {StorageKey | null} key */
export const isHouseRulesKey = (key) => savedEntries.isAffectedBy(key);

/** Find the saved entry of the house rules.
 *  @returns {SavedEntry | undefined} undefined if the table plays by the rulebook */
export const findHouseRules = () => savedEntries.listLatestFirst()[0];

/** Save the house rules in place of the earlier ones. Throws the browser's error if they can't be saved.
 *  @param {Query} query "" removes them
 *  @param {string} summary */
export function saveOrRemoveHouseRules(query, summary) {
  const [current, ...more] = savedEntries.listLatestFirst();
  if (query && current) savedEntries.saveAndMirror({ ...current, query, summary });
  else if (query) savedEntries.addAndMirror({ name: "House rules", query, summary });
  for (const { id } of query || !current ? more : [current, ...more]) savedEntries.removeAndMirror(id);
}

/** Find the rules of a form that differ from the house rules.
 *  @param {HTMLFormElement} form
 *  @returns {RulePair[]} with the values of the house rules */
export function findDifferingHouseRules(form) {
  const table = new URLSearchParams(findHouseRules()?.query);
  const here = new URLSearchParams(form.dataset.rules);
  return [...table].filter(([name, value]) => here.has(name) && here.get(name) !== value);
}

/** List the house rules. A calculator ignores those that it does not know.
 *  @returns {RulePair[]} */
export const listHouseRules = () => [...new URLSearchParams(findHouseRules()?.query)];

/** Return a query with these rules.
 *  @param {Query} query
 *  @param {RulePair[]} pairs
 *  @returns {Query} */
export const applyRulesToQuery = (query, pairs) => pairs.reduce((changed, [name, value]) => withParamValue(changed, name, value), query);

/** Whether the user came to this URL by a link of this site, and not by a reload. */
export function isInternalNavigation() {
  const isLoaded = performance.getEntriesByType("navigation")[0]?.type === "navigate";
  return lastFollowedLink ? lastFollowedLink === location.href : isLoaded && document.referrer.startsWith(root);
}

/** Whether a query contains none of the rules of a form.
 *  @param {Query} query
 *  @param {HTMLFormElement} form */
export function hasNoRuleParams(query, form) {
  const names = new URLSearchParams(query);
  return ![...new URLSearchParams(form.dataset.rules).keys(), "rulings"].some((name) => names.has(name));
}

// ---- an answer with other rules

/** Show in a notice that an answer of a link or a saved entry uses other rules than the table, and offer the house rules,
 *  unless the user has dismissed the same offer. Rules that the form names as its own are not compared.
 *  @param {HTMLElement} element the calculator
 *  @param {HTMLFormElement} form of the answer
 *  @param {string} id of the link or the saved entry
 *  @param {(pairs: RulePair[]) => void} apply requests the answer with the house rules */
export function offerHouseRules(element, form, id, apply) {
  removeNotice(element, "rules");
  const ownRules = form.dataset.ownRules?.split(", ") ?? [];
  const pairs = findDifferingHouseRules(form).filter(([name]) => !ownRules.includes(name));
  const key = encodeURIComponent(`${element.getAttribute("name")} ${id} ${pairs}`);
  if (!pairs.length || readDismissedOffers().includes(key)) return;
  const { whatIf } = form.dataset;
  /** @param {string} label
   *  @param {() => void} action */
  const createDismissingButton = (label, action) => createButton(label, () => (removeNotice(element, "rules"), action()));
  const acceptButton = whatIf
    ? createLink("Show what your rules would change", buildComparisonUrl(form, whatIf, pairs))
    : createDismissingButton("Use your house rules", () => apply(pairs));
  const differences = pairs.map((pair) => describeRuleDifference(form, pair)).join("; ");
  const intro = `${whatIf ? "This fight uses" : "Made with"} different rules from your table's`;
  showNotice(element, "rules", `${intro}: ${differences}.`, [
    acceptButton,
    " ",
    createDismissingButton("Keep as is", () => storeDismissedOffer(key)),
  ]);
}

/** Build the URL of the tool that compares a fight under its rules and the house rules.
 *  @param {HTMLFormElement} form
 *  @param {string} whatIf the tool, its query parameter and the control of the form with its value, see `data-what-if`
 *  @param {RulePair[]} pairs
 *  @returns {string} */
function buildComparisonUrl(form, whatIf, pairs) {
  const [tool, param, controlName] = whatIf.split(" ");
  const controls = /** @type {HTMLInputElement[]} */ ([...form.elements]);
  const value = controls.find(({ name }) => name === controlName)?.value ?? "";
  return `${root}tools/${tool}/#?${applyRulesToQuery(`${param}=${encodeURIComponent(value)}`, pairs)}`;
}

/** @param {string} textContent
 *  @param {string} href
 *  @returns {HTMLAnchorElement} */
const createLink = (textContent, href) => Object.assign(document.createElement("a"), { textContent, href });

/** Describe a rule of the form and its house rule with the texts of the control or of the form; a number with its label.
 *  @param {HTMLFormElement} form
 *  @param {RulePair} pair of the house rule
 *  @returns {string} */
function describeRuleDifference(form, [name, value]) {
  const ownValue = new URLSearchParams(form.dataset.rules).get(name);
  const words = new URLSearchParams(form.dataset.ruleWords);
  const control = findControl(form, name);
  const options = [...(control?.options ?? [])];
  /** @param {string | null} each */
  const describeValue = (each) =>
    (options.find((option) => option.value === each) ?? options[0])?.textContent ?? words.get(`${name} ${each}`) ?? each;
  const label = control?.labels?.[0] && !options.length ? `${control.labels[0].textContent} ` : "";
  return `${label}${describeValue(ownValue)}, yours: ${describeValue(value)}`;
}

/** Read the keys of the dismissed offers.
 *  @returns {string[]} */
function readDismissedOffers() {
  try {
    return (getSessionStorage().getItem(DISMISSED_KEY) ?? "").split(" ");
  } catch {
    return [];
  }
}

/** Store the key of a dismissed offer in sessionStorage.
 *  @param {string} key */
function storeDismissedOffer(key) {
  try {
    getSessionStorage().setItem(DISMISSED_KEY, [...readDismissedOffers(), key].join(" "));
  } catch {
    // no storage: the offer is shown again
  }
}

// ---- a set from a file

/** Let Python read the house rules of a file, so that no invalid text is shown or saved. Rejects if Python fails.
 *  @param {Query} query of the file
 *  @returns {Promise<{ query: Query, summary: string } | null>} with "" for the rulebook's rules; null for invalid ones */
export async function parseHouseRulesInPython(query) {
  const request = { name: "house", query, ask: false, uid: "offered", root };
  /** @type {{ html: string, summary: string }} */
  const { html, summary } = JSON.parse(await pythonClient.fetchAnswer(JSON.stringify(request)));
  if (!summary) return null;
  const form = new DOMParser().parseFromString(html, "text/html").querySelector("form");
  return { query: form.dataset.house === "0" ? "" : form.dataset.rules, summary };
}

// ---- the page of the house rules

/** Save the rules of the form as house rules; if they came with a link, ask the user in a notice first.
 *  @param {HTMLElement} element the calculator
 *  @param {HTMLFormElement} form of the answer
 *  @param {string} summary of the answer; "" if Python has rejected the rules
 *  @param {{ typed?: boolean, isExternal?: boolean }} how whether the user has typed them, or they came with a link */
export function saveFormRulesOrAskUser(element, form, summary, { typed, isExternal }) {
  const rules = form.dataset.house === "0" ? "" : /** @type {Query} */ (form.dataset.rules); // the template sets both
  const now = findHouseRules();
  const save = () => {
    try {
      saveOrRemoveHouseRules(rules, summary);
      removeNotice(element, "table");
      element.toggleAttribute("data-durably-saved", true);
    } catch {
      showNotice(element, "table", "Your browser blocks saving on this site. Your house rules will be lost when you close this tab.");
    }
  };
  const isAsked = element.querySelector(":scope > [data-notice=table]");
  element.toggleAttribute("data-durably-saved", rules === (now?.query ?? ""));
  if (isExternal && rules !== (now?.query ?? "")) showLinkedRulesNotice(element, now, save);
  else if (typed && isAsked) showLinkedRulesNotice(element, now, save);
  else if (typed && summary) save();
}

/** Ask the user in a notice whether to use the rules of a link.
 *  @param {HTMLElement} element the calculator
 *  @param {SavedEntry | undefined} currentEntry of the house rules
 *  @param {() => void} save */
function showLinkedRulesNotice(element, currentEntry, save) {
  const yours = currentEntry ? `Yours: ${currentEntry.summary}` : "You have none yet.";
  const acceptButton = createButton("Use these house rules", save);
  showNotice(element, "table", `These house rules came with a link. ${yours}`, [
    acceptButton,
    " ",
    createLink("View your house rules", toolUrlOf(element)),
  ]);
}

// ---- the rules' text

/** Show the house rule after the mark of a ruling, and after a number that a rule sets. */
function annotateWithHouseRules() {
  const table = new URLSearchParams(findHouseRules()?.query);
  for (const each of document.querySelectorAll(".at-your-table")) each.remove();
  for (const each of document.querySelectorAll("[data-house-rule]")) {
    /** @type {string[]} several if together they set one number */
    const names = each.dataset.houseRule.split(" ");
    const wordsByValues = new URLSearchParams(each.dataset.words);
    const values = names.map((name) => table.get(name) ?? "").join(" ");
    const words = wordsByValues.get(values) ?? (values && wordsByValues.get("any")?.replace("{}", values)); // "10=&any={} points": no annotation for 10
    const annotation = Object.assign(document.createElement("em"), {
      className: "at-your-table",
      textContent: ` At your table: ${words}.`,
    });
    const mark = each.closest(".ruling-mark");
    if (words && mark) mark.after(annotation);
    else if (words) each.append(annotation);
  }
}

globalThis.document$?.subscribe(annotateWithHouseRules);
