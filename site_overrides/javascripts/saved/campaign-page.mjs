// The page of the campaign: its name and notes, and everything that is saved on this device. Name and notes are saved as the
// user types; the rest is changed on the pages of the tools.
/** @import { SavedEntry } from "./store.mjs" */
/** @import { PageFunctions } from "./file-import.mjs" */
import { describeWriteError } from "../page/notices.mjs";
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { root } from "../shared/urls.mjs";
import {
  buildExportFile,
  buildExportFileName,
  CAMPAIGN_VERSION,
  entryUrlOf,
  HOUSE_RULES_VERSION,
  readCampaign,
  recoverFromMirror,
  SavedEntries,
  saveCampaign,
} from "./store.mjs";

/** Show the campaign, and what other tabs change.
 *  @param {HTMLElement} element
 *  @param {PageFunctions} page
 *  @returns {() => void} shows what is saved now */
export function showCampaign(element, page) {
  const fields = createCampaignFields();
  const lists = document.createElement("div");
  const { name, notes, status, form } = fields;
  const announcement = createElement("p", { className: "calculator-announcement" });
  announcement.setAttribute("role", "status");
  const paper = Object.assign(document.createElement("div"), { className: "campaign__paper" });
  const render = () => {
    const campaign = readCampaign();
    for (const [control, value] of /** @type {const} */ ([
      [name, campaign.name],
      [notes, campaign.notes],
    ])) {
      if (control.value !== value) control.value = value;
    }
    renderForPrint(paper, campaign);
    lists.replaceChildren(...createLists());
  };
  form.addEventListener("input", ({ target }) => {
    if (target !== name && target !== notes) return;
    const problem = saveOrDescribeProblem(name.value, notes.value);
    status.textContent = problem || SAVED_TEXT;
    announcement.textContent = problem;
    renderForPrint(paper, readCampaign());
  });
  const exportButton = createButton("Export all", "primary");
  exportButton.addEventListener("click", () => page.downloadFile(buildExportFileName(), buildExportFile()));
  form.append(createExportAndImportButtons(exportButton));
  element.replaceChildren(form, paper, lists, announcement);
  element.classList.add("is-ready");
  render();
  addEventListener("storage", ({ key }) => {
    const versions = [CAMPAIGN_VERSION, HOUSE_RULES_VERSION, ...KINDS.map(({ version }) => version)];
    if (versions.some((version) => new SavedEntries(version).isAffectedBy(key))) render();
  });
  void recoverFromMirror().then((keys) => keys?.length && render());
  return render;
}

/** Save the campaign.
 *  @param {string} name
 *  @param {string} notes
 *  @returns {string} why it isn't saved, or "" */
function saveOrDescribeProblem(name, notes) {
  try {
    saveCampaign({ name: name.trim(), notes });
    return "";
  } catch (error) {
    return `${describeWriteError(error)}, so name and notes aren't saved. Delete something you don't need, then type again.`;
  }
}

const SAVED_TEXT = "Saved on this device as you type.";

// ---- the fields

function createCampaignFields() {
  const form = createElement("form", { className: "calculator campaign" });
  form.addEventListener("submit", (event) => event.preventDefault());
  const name = createElement("input", { type: "text", maxLength: 60, autocomplete: "off" });
  const notes = createElement("textarea", { rows: 6 });
  const status = createElement("p", { className: "hint campaign__status", textContent: SAVED_TEXT });
  form.append(createField("campaign-name", "Campaign name", name), createField("campaign-notes", "Notes", notes), status);
  return { form, name, notes, status };
}

/** @param {string} id
 *  @param {string} text
 *  @param {HTMLInputElement | HTMLTextAreaElement} control
 *  @returns {HTMLDivElement} */
function createField(id, text, control) {
  control.id = id;
  const field = createElement("div", { className: "field" });
  field.append(createElement("label", { htmlFor: id, textContent: text }), control);
  return field;
}

/** Create the buttons for the whole campaign.
 *  @param {HTMLButtonElement} exportButton
 *  @returns {HTMLParagraphElement} */
function createExportAndImportButtons(exportButton) {
  const label = createElement("label", { className: "button secondary open-file", textContent: "Import file " });
  label.append(createElement("input", { type: "file", accept: ".json,.toml,.txt,application/json,text/plain" }));
  const actions = createElement("p", { className: "actions" });
  actions.append(exportButton, label);
  return actions;
}

/** Render name and notes for paper, where controls are hidden.
 *  @param {HTMLElement} paper
 *  @param {{ name: string, notes: string }} campaign */
function renderForPrint(paper, { name, notes }) {
  paper.replaceChildren(
    createElement("p", { className: "campaign__name", textContent: isolateRightToLeft(name) }),
    createElement("p", { className: "campaign__notes", textContent: isolateRightToLeft(notes) }),
  );
}

// ---- the lists

const KINDS = [
  { version: "character/1", kind: "character", title: "Characters", none: "Build a character" },
  { version: "fight/1", kind: "fight", title: "Fights", none: "Set up a fight" },
];

/** Create the lists of everything that is saved.
 *  @returns {HTMLElement[]} */
function createLists() {
  return [...KINDS.flatMap(createEntryList), ...createHouseRulesSection()];
}

/** @param {(typeof KINDS)[number]} kind
 *  @returns {HTMLElement[]} */
function createEntryList({ version, kind, title, none }) {
  const entries = new SavedEntries(version).listLatestFirst();
  const heading = createElement("h2", { textContent: `${title} (${entries.length})` });
  if (!entries.length) return [heading, createLinkList([createLink(`${root}tools/${kind}/`, none, "None are saved on this device yet.")])];
  return [
    heading,
    createLinkList(entries.map((entry) => createLink(entryUrlOf(entry), entry.name || `Unnamed ${kind}`, describeSavedEntry(entry)))),
  ];
}

/** @returns {HTMLElement[]} */
function createHouseRulesSection() {
  const [entry] = new SavedEntries(HOUSE_RULES_VERSION).listLatestFirst();
  const words = entry ? entry.summary : "Your table plays by the rulebook.";
  return [
    createElement("h2", { textContent: "House rules" }),
    createLinkList([createLink(`${root}tools/house/`, entry ? "Your house rules" : "Choose house rules", words)]),
  ];
}

/** @param {SavedEntry} entry
 *  @returns {string} */
function describeSavedEntry({ changed, label, note, summary }) {
  const date = new Date(changed);
  const day = Number.isNaN(date.getTime()) ? "" : date.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  return [day, label, note && `“${note}”`, summary].filter(Boolean).join(" · ");
}

/** @param {HTMLElement[]} links
 *  @returns {HTMLElement} */
function createLinkList(links) {
  const rows = createElement("div", { className: "page-rows" });
  const list = document.createElement("ul");
  list.append(
    ...links.map((link) => {
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
  rows.append(list);
  return rows;
}

/** @param {string} href
 *  @param {string} name
 *  @param {string} details
 *  @returns {HTMLAnchorElement} */
function createLink(href, name, details) {
  const link = createElement("a", { href });
  link.append(
    createElement("strong", { textContent: isolateRightToLeft(name) }),
    " ",
    createElement("em", { textContent: isolateRightToLeft(details) }),
  );
  return link;
}

/** @param {string} textContent
 *  @param {string} className
 *  @returns {HTMLButtonElement} */
const createButton = (textContent, className) => createElement("button", { type: "button", className: `button ${className}`, textContent });

/** Create an element with properties.
 *  @template {keyof HTMLElementTagNameMap} Tag
 *  @param {Tag} tag
 *  @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 *  @returns {HTMLElementTagNameMap[Tag]} */
const createElement = (tag, properties) => Object.assign(document.createElement(tag), properties);
