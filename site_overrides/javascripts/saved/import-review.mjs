// The notice of an import: what the file contains, a choice for everything that clashes, then the result with its undo.
// Nothing is written before the user confirms, except for a file with a single new entry, which opens at once.
/** @import { Choice, Clash, HouseRules, ImportPlan } from "./import-plan.mjs" */
/** @import { ExportFile, KeyAndText, SavedEntry } from "./store.mjs" */
/** @import { PageFunctions } from "./file-import.mjs" */
import { createButton, describeWriteError, focusNotice, removeNotice, showNotice } from "../page/notices.mjs";
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { root } from "../shared/urls.mjs";
import { buildImportTexts, planImport } from "./import-plan.mjs";
import { calculatorNameOf, readCampaign, writeAllOrNone } from "./store.mjs";

/** @type {Record<Choice, string>} */
const CHOICE_LABELS = { both: "Keep both", mine: "Keep mine", file: "Replace mine" };

/** The nouns of what a file contains. @type {Record<string, [string, string]>} */
const NOUNS = { character: ["character", "characters"], fight: ["fight", "fights"], entry: ["entry", "entries"] };

const LISTED_CLASHES = 8; // more of them are in a fold, below one choice for all

/** Reads the file's house rules. @typedef {() => Promise<HouseRules | null>} HouseRulesReader */

/** Show what a file contains and what clashes, and import it when the user confirms.
 *  @param {HTMLElement} element the calculator, or the campaign
 *  @param {ExportFile} file
 *  @param {PageFunctions} page
 *  @param {(entries: SavedEntry[]) => void} onChange called after each import and undo, with the imported entries */
export function importOrReview(element, file, page, onChange) {
  const plan = planImport(file);
  const house = plan.clashes.find(({ kind }) => kind === "house")?.entry;
  const reading = house && page.parseHouseRulesInPython(house.query).catch(() => null);
  const readHouseRules = () => Promise.resolve(reading ?? null);
  const isOpenedAtOnce = file.entries.length === 1 && !plan.clashes.length && !isCampaignChanged(plan);
  const skipped = describeSkipped(file, plan);
  if (isOpenedAtOnce || !countPossibleChanges(plan)) return void importAndReport(element, plan, [], null, skipped, onChange);
  const rows = plan.clashes.map((clash) => createClashRow(clash, plan, readHouseRules));
  const importButton = createButton("Import", async () => {
    importButton.disabled = true;
    const choices = rows.map(({ select }) => /** @type {Choice} */ (select.value));
    const chosenHouse = choices[plan.clashes.findIndex(({ kind }) => kind === "house")] === "file";
    const houseRules = chosenHouse ? await readHouseRules() : null;
    const more = chosenHouse && !houseRules ? [...skipped, UNREADABLE_HOUSE_RULES] : skipped;
    importAndReport(element, plan, choices, houseRules, more, onChange);
  });
  importButton.classList.add("primary");
  const cancelButton = createButton("Cancel", () => removeNotice(element, "import"));
  cancelButton.classList.add("secondary");
  showNotice(element, "import", [describeFile(file), ...describePlan(plan), ...skipped].join(" "), [importButton, " ", cancelButton]);
  const actions = element.querySelector(":scope > [data-notice=import] > p:last-child");
  if (rows.length) actions.before(createClashList(rows));
  focusNotice(element, "import");
}

const UNREADABLE_HOUSE_RULES = "The file's house rules can't be read. The file was changed, or comes from another version of this site.";

/** Whether an import changes the campaign without a question.
 *  @param {ImportPlan} plan */
const isCampaignChanged = ({ campaign }) => Boolean((campaign.name && !readCampaign().name) || (campaign.notes && !readCampaign().notes));

/** Count what an import could change.
 *  @param {ImportPlan} plan
 *  @returns {number} */
const countPossibleChanges = (plan) => plan.added.length + plan.clashes.length + Number(isCampaignChanged(plan));

// ---- the file in words

/** Describe the content of a file.
 *  @param {ExportFile} file
 *  @returns {string} */
function describeFile({ campaign, entries, exported }) {
  const date =
    exported && `, exported on ${new Date(exported).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" })}`;
  const name = campaign.name ? `“${campaign.name}”` : "This file";
  const contents = Object.entries(NOUNS).map(([kind]) => {
    const count = entries.filter((entry) => calculatorNameOf(entry) === kind).length;
    return count && formatCount(count, kind);
  });
  if (entries.some((entry) => calculatorNameOf(entry) === "house")) contents.push("house rules");
  if (campaign.notes) contents.push("notes");
  const list = contents.filter(Boolean).join(", ") || "nothing that can be imported";
  return `${name}${date}: ${list}.`;
}

/** @param {number} count
 *  @param {string} kind
 *  @returns {string} */
const formatCount = (count, kind) => `${count} ${NOUNS[kind][count === 1 ? 0 : 1]}`;

/** Describe what an import would do.
 *  @param {ImportPlan} plan
 *  @returns {string[]} sentences */
function describePlan(plan) {
  const { clashes } = plan;
  const added = countPossibleChanges(plan) - clashes.length;
  const sentences = added ? [`${added} new.`] : [];
  if (clashes.length) sentences.push(`${clashes.length} ${clashes.length === 1 ? "differs" : "differ"} from yours. Choose below.`);
  return sentences;
}

/** Describe what an import skips.
 *  @param {ExportFile} file
 *  @param {ImportPlan} plan
 *  @returns {string[]} sentences */
function describeSkipped({ unreadable }, { duplicates, unknown }) {
  const sentences = duplicates.length ? [`Skipped ${duplicates.length} you already had.`] : [];
  if (unknown.length) sentences.push(`Skipped from another version of this site: ${formatNames(unknown)}.`);
  if (unreadable) sentences.push(`${formatCount(unreadable, "entry")} couldn't be read.`);
  return sentences;
}

const MAX_LISTED = 10;

/** Format the names of entries for a sentence.
 *  @param {SavedEntry[]} entries
 *  @returns {string} */
function formatNames(entries) {
  const names = entries
    .slice(0, MAX_LISTED)
    .map(({ name, version }) => `“${name || version}”`)
    .join(", ");
  const more = entries.length - MAX_LISTED;
  return more > 0 ? `${names} and ${more} more` : names;
}

// ---- the choices

/** A clash on the page. @typedef {{ item: HTMLLIElement, select: HTMLSelectElement }} ClashRow */

/** Create the row of a clash.
 *  @param {Clash} clash
 *  @param {ImportPlan} plan
 *  @param {HouseRulesReader} readHouseRules
 *  @returns {ClashRow} */
function createClashRow({ kind, choices, entry, existing }, { campaign }, readHouseRules) {
  const here = readCampaign();
  const name = { entry: entry?.name || "Unnamed", house: "House rules", name: "Campaign name", notes: "Campaign notes" }[kind];
  const select = createSelect(choices, choices[0], name);
  const item = document.createElement("li");
  item.className = "campaign__clash";
  const [mine, theirs] = [createLine("Mine: "), createLine("File: ")];
  if (kind === "entry" && entry && existing) {
    mine.append(describeEntry(existing));
    theirs.append(describeEntry(entry));
  } else if (kind === "house") {
    mine.append(existing ? existing.summary : "the rulebook");
    theirs.append(createHouseRulesText(readHouseRules, select));
  } else {
    const field = kind === "name" ? "name" : "notes";
    mine.append(shorten(here[field]));
    theirs.append(shorten(campaign[field]));
  }
  const words = document.createElement("div");
  words.append(Object.assign(document.createElement("strong"), { textContent: isolateRightToLeft(name) }), mine, theirs);
  item.append(words, select);
  return { item, select };
}

/** @param {string} textContent
 *  @returns {HTMLSpanElement} */
const createLine = (textContent) => Object.assign(document.createElement("span"), { className: "campaign__version", textContent });

/** @param {SavedEntry} entry
 *  @returns {string} */
function describeEntry({ changed, summary, label, note }) {
  const date = new Date(changed);
  const day = Number.isNaN(date.getTime()) ? "" : date.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  return isolateRightToLeft(shorten([day, label, note && `“${note}”`, summary].filter(Boolean).join(" · ")));
}

const MAX_DESCRIBED = 160; // characters

/** @param {string} text
 *  @returns {string} */
const shorten = (text) => (text.length > MAX_DESCRIBED ? `${text.slice(0, MAX_DESCRIBED - 1)}…` : text);

/** Create the text of the file's house rules. It changes when Python has read them; invalid ones can't be chosen.
 *  @param {HouseRulesReader} readHouseRules
 *  @param {HTMLSelectElement} select
 *  @returns {HTMLSpanElement} */
function createHouseRulesText(readHouseRules, select) {
  const text = Object.assign(document.createElement("span"), { textContent: "reading …" });
  void readHouseRules().then((rules) => {
    text.textContent = rules ? rules.summary : "can't be read";
    if (rules) return;
    select.value = "mine";
    select.disabled = true;
  });
  return text;
}

/** @param {Choice[]} choices
 *  @param {Choice} chosen
 *  @param {string} name
 *  @returns {HTMLSelectElement} */
function createSelect(choices, chosen, name) {
  const select = document.createElement("select");
  select.setAttribute("aria-label", name);
  const ordered = /** @type {Choice[]} */ (Object.keys(CHOICE_LABELS)).filter((choice) => choices.includes(choice));
  select.append(...ordered.map((value) => Object.assign(document.createElement("option"), { value, textContent: CHOICE_LABELS[value] })));
  select.value = chosen;
  return select;
}

/** Create the list of the rows; above several, one choice for all.
 *  @param {ClashRow[]} rows
 *  @returns {HTMLElement} */
function createClashList(rows) {
  const list = document.createElement("ul");
  list.className = "campaign__clashes";
  list.append(...rows.map(({ item }) => item));
  if (rows.length === 1) return list;
  const all = createSelect(["both", "mine", "file"], "both", "Choose for all");
  const each = Object.assign(document.createElement("option"), { value: "", textContent: "Choose for each" });
  all.prepend(each);
  all.value = "";
  all.addEventListener("change", () => {
    for (const { select } of rows) {
      const isAvailable = [...select.options].some(({ value }) => value === all.value);
      if (all.value && isAvailable && !select.disabled) select.value = all.value;
    }
  });
  const section = document.createElement("div");
  const forAll = Object.assign(document.createElement("p"), { className: "campaign__clash campaign__clash--all" });
  forAll.append(Object.assign(document.createElement("strong"), { textContent: "For all" }), all);
  section.append(forAll, rows.length > LISTED_CLASHES ? createFold(`Choose for each (${rows.length})`, list) : list);
  return section;
}

/** @param {string} textContent
 *  @param {HTMLElement} content
 *  @returns {HTMLDetailsElement} */
function createFold(textContent, content) {
  const details = document.createElement("details");
  details.append(Object.assign(document.createElement("summary"), { textContent }), content);
  return details;
}

// ---- the result

/** Import the chosen entries, and show the result with an undo. If the storage is full, nothing is imported.
 *  @param {HTMLElement} element
 *  @param {ImportPlan} plan
 *  @param {Choice[]} choices
 *  @param {HouseRules | null} houseRules
 *  @param {string[]} skipped sentences
 *  @param {(entries: SavedEntry[]) => void} onChange */
function importAndReport(element, plan, choices, houseRules, skipped, onChange) {
  const { texts, saved } = buildImportTexts(plan, choices, houseRules);
  /** @type {KeyAndText[]} */
  let before;
  try {
    before = writeAllOrNone(texts);
  } catch (error) {
    showNotice(
      element,
      "import",
      `${describeWriteError(error)}, so nothing was imported. Delete something you don't need, then import the file again.`,
    );
    return focusNotice(element, "import");
  }
  const replaced = choices.filter((choice) => choice === "file").length;
  const kept = choices.filter((choice) => choice === "mine").length;
  const sentences = [`Imported ${texts.length - replaced}.`];
  if (replaced) sentences.push(`Replaced ${replaced}.`);
  if (kept) sentences.push(`Kept ${kept} of yours.`);
  const links = createToolLinks(element, saved.length ? saved : plan.duplicates);
  const done = { text: [...sentences, ...skipped].join(" "), label: "Undo", links };
  const undone = { text: "The import is undone.", label: "Redo", links: [] };
  showOutcomeWithUndo(element, [done, undone], before, onChange);
  onChange(saved.length ? saved : plan.duplicates.length === 1 ? plan.duplicates : []);
  focusNotice(element, "import");
}

/** Create links to the tools of the imported entries.
 *  @param {HTMLElement} element
 *  @param {SavedEntry[]} imported
 *  @returns {(Node | string)[]} */
const createToolLinks = (element, imported) =>
  [...new Set(imported.map(calculatorNameOf))]
    .filter((kind) => kind in NOUNS)
    .flatMap((kind) => {
      const isOwnKind = kind === element.getAttribute("name");
      const textContent = isOwnKind ? "Show in the list on this page" : `Show on the ${kind} page`;
      return [Object.assign(document.createElement("a"), { href: `${root}tools/${kind}/`, textContent }), " "];
    });

/** A state of the import, and the label of the button that leads to the other one.
 *  @typedef {{ text: string, label: string, links: (Node | string)[] }} Outcome */

/** Show the result of an import with its undo, or that it is undone. Each of the two writes the texts of the other one back, so
 *  no later change is lost.
 *  @param {HTMLElement} element
 *  @param {[Outcome, Outcome]} outcomes the shown one, and the other one
 *  @param {KeyAndText[]} texts of the other one; none if nothing was written
 *  @param {(entries: SavedEntry[]) => void} onChange */
function showOutcomeWithUndo(element, [shown, other], texts, onChange) {
  const button = createButton(shown.label, () => {
    try {
      showOutcomeWithUndo(element, [other, shown], writeAllOrNone(texts), onChange);
    } catch (error) {
      showNotice(element, "import", `${describeWriteError(error)}, so nothing was changed.`);
    }
    onChange([]);
    focusNotice(element, "import");
  });
  showNotice(element, "import", shown.text, texts.length ? [button, " ", ...shown.links] : shown.links);
}
