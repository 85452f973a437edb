// A table's house rules: one set, saved on this device as a query that names every rule ("strength_base=8&cp=14&…"). A new
// calculation uses the values that differ from the form. An answer by other rules says so, and offers the house rules.
// docs/contributing/calculator-attributes.md lists the attributes of the form.
import { pythonClient } from "../engine/client.mjs";
import { findControl, withValue } from "../calculator/form.mjs";
import { HOUSE, SavedEntries } from "../saved/store.mjs";
import { createButton, showNotice, removeNotice } from "./notices.mjs";
import { storageKeyOf, root, toolUrlOf } from "../shared/urls.mjs";
import { session } from "../shared/web-storage.mjs";

const kept = new SavedEntries(HOUSE);
const LEFT = storageKeyOf("scratch-left-rules"); // what the reader has left as it is, in this tab
let followed = ""; // the address of the link that was followed last, on whichever page of the site

globalThis.addEventListener?.("click", ({ target }) => (followed = target.closest?.("a[href]")?.href ?? followed), true);

/** Whether a name of the browser's storage is that of a set of house rules. */
export const isHouseRules = (name) => kept.isAbout(name);

/** The set that is kept, an entry; undefined while the table plays by the rulebook. */
export const getHouseRules = () => kept.entries()[0];

/** Keep a set in place of the one before; "" for the rulebook's. Throws what the browser throws when it can't. */
export function saveHouseRules(query, summary) {
  const [now, ...more] = kept.entries();
  if (query && now) kept.put({ ...now, query, summary });
  else if (query) kept.add({ name: "House rules", query, summary });
  for (const { id } of query || !now ? more : [now, ...more]) kept.remove(id);
}

/** The rules of an answer that aren't the table's: pairs of the name and the table's value. */
export function findDifferences(form) {
  const table = new URLSearchParams(getHouseRules()?.query);
  const here = new URLSearchParams(form.dataset.rules);
  return [...table].filter(([name, value]) => here.has(name) && here.get(name) !== value);
}

/** A query with those rules. */
export const applyRulesToQuery = (query, pairs) => pairs.reduce((made, [name, value]) => withValue(made, name, value), query);

/** Whether a link of this very site has led to this address, now and not when the page was loaded before. */
export function isInternalNavigation() {
  const isLoaded = performance.getEntriesByType("navigation")[0]?.type === "navigate";
  return followed ? followed === location.href : isLoaded && document.referrer.startsWith(root);
}

/** Whether a query names none of the rules that a form follows. */
export function hasNoRules(query, form) {
  const names = new URLSearchParams(query);
  return ![...new URLSearchParams(form.dataset.rules).keys(), "rulings"].some((name) => names.has(name));
}

// ---- an answer by other rules

/** Say of an answer that comes from elsewhere or from before that it goes by other rules than the table's, and ask, once
 *  for each `id`; `take` is given the pairs to ask with instead. */
export function offerHouseRules(element, form, id, take) {
  removeNotice(element, "rules");
  const pairs = findDifferences(form);
  const key = encodeURIComponent(`${element.getAttribute("name")} ${id} ${pairs}`);
  if (!pairs.length || left().includes(key)) return;
  const { whatIf } = form.dataset;
  const done = (words, then) => createButton(words, () => (removeNotice(element, "rules"), then()));
  const taking = whatIf
    ? link("Show what your rules would change", elsewhere(form, whatIf, pairs))
    : done("Use your house rules", () => take(pairs));
  const words = pairs.map((pair) => inWords(form, pair)).join("; ");
  const how = `${whatIf ? "This fight uses" : "Made with"} different rules from your table’s`;
  showNotice(element, "rules", `${how}: ${words}.`, [taking, " ", done("Keep as is", () => leave(key))]);
}

/** Where another tool shows what would come of the table's rules. */
function elsewhere(form, whatIf, pairs) {
  const [tool, into, from] = whatIf.split(" ");
  const { value } = [...form.elements].find(({ name }) => name === from);
  return `${root}tools/${tool}/#?${applyRulesToQuery(`${into}=${encodeURIComponent(value)}`, pairs)}`;
}

const link = (textContent, href) => Object.assign(document.createElement("a"), { textContent, href });

/** A rule as it is here and at the table, in the words of its control or of the form; a number has its label. */
function inWords(form, [name, value]) {
  const here = new URLSearchParams(form.dataset.rules).get(name);
  const words = new URLSearchParams(form.dataset.ruleWords);
  const control = findControl(form, name);
  const options = [...(control?.options ?? [])];
  const said = (each) => (options.find((one) => one.value === each) ?? options[0])?.textContent ?? words.get(`${name} ${each}`) ?? each;
  const label = control?.labels?.[0] && !options.length ? `${control.labels[0].textContent} ` : "";
  return `${label}${said(here)}, yours: ${said(value)}`;
}

function left() {
  try {
    return (session().getItem(LEFT) ?? "").split(" ");
  } catch {
    return [];
  }
}

function leave(key) {
  try {
    session().setItem(LEFT, [...left(), key].join(" "));
  } catch {
    // no storage: it is asked again
  }
}

// ---- a set from a file

/** Return what offers a set of house rules that a file has: Python reads it first, and nothing of the file's own is said. */
export function createImportOffer({ query }) {
  const offer = Object.assign(document.createElement("span"), {
    className: "house-offer",
    textContent: "Reading the file’s house rules …",
  });
  const request = { name: "house", query, ask: false, uid: "offered", root };
  const show = (...parts) => {
    offer.replaceChildren(...parts);
    const announcement = offer.closest("scratch-calculator")?.querySelector(".calculator-announcement");
    if (announcement) announcement.textContent = offer.textContent;
  };
  pythonClient.ask(JSON.stringify(request)).then(
    (answer) => show(...offered(JSON.parse(answer), offer)),
    (error) => show(`The file’s house rules couldn’t be read: ${error.message}`),
  );
  return offer;
}

function offered({ html, summary }, offer) {
  const form = new DOMParser().parseFromString(html, "text/html").querySelector("form");
  if (!summary) return ["The file’s house rules can’t be read. The file was changed, or comes from another version of this site."];
  if (form.dataset.house === "0" || form.dataset.rules === getHouseRules()?.query)
    return [`The file has the same house rules as your table: ${summary}`];
  const take = createButton("Use these house rules", () => {
    try {
      saveHouseRules(form.dataset.rules, summary);
      offer.textContent = "These are your house rules now.";
    } catch {
      offer.textContent = "Your browser blocks saving on this site, so the house rules weren’t saved.";
    }
  });
  return [`The file has house rules that you don’t use yet. ${summary} `, take];
}

// ---- the page where they are set

/** Keep what is set there; where it came with a link, ask first. */
export function updateHouseRulesPage(element, form, summary, { typed, isFromElsewhere }) {
  const rules = form.dataset.house === "0" ? "" : form.dataset.rules;
  const now = getHouseRules();
  const keep = () => {
    try {
      saveHouseRules(rules, summary);
      removeNotice(element, "table");
      element.toggleAttribute("data-lasts", true);
    } catch {
      showNotice(element, "table", "Your browser blocks saving on this site. Your house rules will be lost when you close this tab.");
    }
  };
  const isAsked = element.querySelector(":scope > [data-notice=table]");
  element.toggleAttribute("data-lasts", rules === (now?.query ?? ""));
  if (isFromElsewhere && rules !== (now?.query ?? "")) sayTable(element, now, keep);
  else if (typed && isAsked) sayTable(element, now, keep);
  else if (typed && summary) keep();
}

function sayTable(element, now, keep) {
  const yours = now ? `Yours: ${now.summary}` : "You have none yet.";
  const taking = createButton("Use these house rules", keep);
  showNotice(element, "table", `These house rules came with a link. ${yours}`, [
    taking,
    " ",
    link("View your house rules", toolUrlOf(element)),
  ]);
}

// ---- the rules' text

/** Beside the mark of a ruling, and where points and levels are told, stands what the table has instead. */
function annotateRulings() {
  const table = new URLSearchParams(getHouseRules()?.query);
  for (const each of document.querySelectorAll(".at-your-table")) each.remove();
  for (const each of document.querySelectorAll("[data-switch]")) {
    const [told, value] = [new URLSearchParams(each.dataset.told), table.get(each.dataset.switch)];
    const words = told.get(value) ?? (value && told.get("any")?.replace("{}", value)); // "10=&any={} points": not told of 10
    const said = Object.assign(document.createElement("em"), { className: "at-your-table", textContent: ` At your table: ${words}.` });
    const mark = each.closest(".ruling-mark");
    if (words && mark) mark.after(said);
    else if (words) each.append(said);
  }
}

globalThis.document$?.subscribe(annotateRulings);
