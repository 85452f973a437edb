// What an import does: which entries of an export file are new, which are here already, and which clash, so that the user
// chooses. Nothing is written here; the plan and the choices become the texts that store.mjs writes.
/** @import { Campaign, ExportFile, KeyAndText, SavedEntry } from "./store.mjs" */
/** @import { Query } from "../shared/urls.mjs" */
import { withParamValue } from "../calculator/form.mjs";
import {
  campaignTextOf,
  createId,
  findFreeName,
  findFreeStagedName,
  HOUSE_RULES_VERSION,
  IMPORTABLE_VERSIONS,
  isNumberedName,
  calculatorNameOf,
  readCampaign,
  SavedEntries,
  stripStage,
} from "./store.mjs";

/** What happens with a clash: both are kept, mine, or mine is replaced by that of the file.
 *  @typedef {"both" | "mine" | "file"} Choice */

/**
 * Something of the file that differs from that on this device.
 * @typedef {object} Clash
 * @property {"entry" | "house" | "name" | "notes"} kind
 * @property {Choice[]} choices the available ones, the default first
 * @property {SavedEntry} [entry] of the file
 * @property {SavedEntry} [existing] on this device
 */

/**
 * What an import would do.
 * @typedef {object} ImportPlan
 * @property {SavedEntry[]} added new entries
 * @property {SavedEntry[]} duplicates the entries on this device that entries of the file duplicate
 * @property {SavedEntry[]} unknown entries of another version of this site
 * @property {Clash[]} clashes
 * @property {Campaign} campaign the name and the notes of the file
 */

/** House rules as Python reads them; the query is "" for those of the rulebook. @typedef {{ query: Query, summary: string }} HouseRules */

/** The query parameter with the entry's own name. @type {Record<string, string>} */
const NAME_PARAMS = { character: "name", fight: "called" };

/** Compare a file with what is saved on this device.
 *  @param {Pick<ExportFile, "entries" | "campaign">} file
 *  @returns {ImportPlan} */
export function planImport({ entries, campaign }) {
  /** @type {ImportPlan} */
  const plan = { added: [], duplicates: [], unknown: [], clashes: [], campaign };
  const saved = new Map(IMPORTABLE_VERSIONS.map((version) => [version, new SavedEntries(version).listLatestFirst()]));
  const isNothingSaved = [...saved.values()].every((list) => !list.length);
  /** @type {Set<SavedEntry>} */
  const claimed = new Set();
  for (const entry of entries) {
    const list = saved.get(entry.version);
    if (entry.version === HOUSE_RULES_VERSION) addHouseRulesToPlan(entry, plan, isNothingSaved);
    else if (list) addEntryToPlan(entry, list, claimed, plan);
    else plan.unknown.push(entry);
  }
  addCampaignClashesToPlan(campaign, plan);
  return plan;
}

/** @param {SavedEntry} entry of the file
 *  @param {SavedEntry[]} saved the entries of its version on this device
 *  @param {Set<SavedEntry>} claimed the entries on this device that clash with earlier ones of the file
 *  @param {ImportPlan} plan */
function addEntryToPlan(entry, saved, claimed, plan) {
  const added = plan.added.filter(({ version }) => version === entry.version);
  const duplicate = [...saved, ...added].find((each) => hasSameIdOrBaseName(each, entry) && hasSameContent(each, entry));
  if (duplicate) return void plan.duplicates.push(duplicate);
  const free = saved.filter((each) => !claimed.has(each));
  const existing = free.find(({ id }) => id === entry.id) ?? free.find(({ name }) => stripStage(name) === stripStage(entry.name));
  if (!existing) return void plan.added.push(entry);
  claimed.add(existing);
  plan.clashes.push({ kind: "entry", choices: ["both", "mine", "file"], entry, existing });
}

/** Whether two entries have the same id, the same name, or names that differ by a number.
 *  @param {SavedEntry} entry
 *  @param {SavedEntry} other */
function hasSameIdOrBaseName(entry, other) {
  const [name, otherName] = [stripStage(entry.name), stripStage(other.name)];
  return entry.id === other.id || name === otherName || isNumberedName(name, otherName) || isNumberedName(otherName, name);
}

/** Whether two entries differ at most by their names, or by a campaign or note that the entry of the file lacks.
 *  @param {SavedEntry} saved
 *  @param {SavedEntry} entry of the file */
const hasSameContent = (saved, entry) =>
  queryWithoutName(saved) === queryWithoutName(entry) &&
  (!entry.label || entry.label === saved.label) &&
  (!entry.note || entry.note === saved.note);

/** Return the query of an entry without its name.
 *  @param {SavedEntry} entry
 *  @returns {Query} */
function queryWithoutName(entry) {
  const nameParam = NAME_PARAMS[calculatorNameOf(entry)];
  return entry.query
    .split("&")
    .filter((pair) => pair.split("=")[0] !== nameParam)
    .join("&");
}

/** @param {SavedEntry} entry of the file
 *  @param {ImportPlan} plan
 *  @param {boolean} isNothingSaved whether nothing is saved on this device */
function addHouseRulesToPlan(entry, plan, isNothingSaved) {
  const [existing] = new SavedEntries(HOUSE_RULES_VERSION).listLatestFirst();
  if (existing?.query === entry.query) return void plan.duplicates.push(existing);
  if (plan.clashes.some(({ kind }) => kind === "house")) return void plan.unknown.push(entry);
  plan.clashes.push({ kind: "house", choices: isNothingSaved && !existing ? ["file", "mine"] : ["mine", "file"], entry, existing });
}

/** @param {Campaign} campaign of the file
 *  @param {ImportPlan} plan */
function addCampaignClashesToPlan({ name, notes }, plan) {
  const here = readCampaign();
  if (name && here.name && name !== here.name) plan.clashes.push({ kind: "name", choices: ["mine", "file"] });
  if (notes && here.notes && !here.notes.includes(notes)) plan.clashes.push({ kind: "notes", choices: ["both", "mine", "file"] });
}

/** Return the texts that carry out a plan.
 *  @param {ImportPlan} plan
 *  @param {Choice[]} choices one for each clash
 *  @param {HouseRules | null} houseRules those of the file, if they are chosen and readable
 *  @returns {{ texts: KeyAndText[], saved: SavedEntry[] }} and the entries of characters and fights in them */
export function buildImportTexts(plan, choices, houseRules) {
  const lists = new Map(IMPORTABLE_VERSIONS.map((version) => [version, new SavedEntries(version).listLatestFirst()]));
  /** @type {SavedEntry[]} */
  const saved = [];
  /** @param {SavedEntry} entry
   *  @param {SavedEntry} [existing] that it replaces */
  const save = (entry, existing) => {
    const others = /** @type {SavedEntry[]} */ (lists.get(entry.version)).filter(({ id }) => id !== existing?.id);
    const id = existing?.id ?? (isUsable(entry.id) && !others.some((each) => each.id === entry.id) ? entry.id : createId());
    const written = { ...withFreeName(entry, others), id, changed: pastOrNow(entry.changed) };
    lists.set(entry.version, [...others, written]);
    saved.push(written);
  };
  for (const [index, { entry, existing, kind }] of plan.clashes.entries()) {
    if (kind === "entry" && entry && choices[index] === "file") save(entry, existing);
  }
  for (const entry of plan.added) save(entry);
  for (const [index, { entry, kind }] of plan.clashes.entries()) if (kind === "entry" && entry && choices[index] === "both") save(entry);
  const texts = saved.map((entry) => textOf(entry));
  const houseIndex = plan.clashes.findIndex(({ kind }) => kind === "house");
  if (houseRules && choices[houseIndex] === "file") texts.push(...buildHouseRulesTexts(houseRules));
  const campaign = mergeCampaigns(plan, choices);
  const here = readCampaign();
  if (campaign.name !== here.name || campaign.notes !== here.notes) texts.push(campaignTextOf(campaign));
  return { texts, saved };
}

/** Whether an id of a file can be used on this device.
 *  @param {string} id */
const isUsable = (id) => /^[\w-]{1,64}$/.test(id);

/** Return a time of a file if it is in the past, else the present.
 *  @param {string} time in ISO format, or ""
 *  @returns {string} */
const pastOrNow = (time) => (Date.parse(time) <= Date.now() ? new Date(time).toISOString() : new Date().toISOString());

/** Return an entry with a name that no other entry has, also in its query if that names it.
 *  @param {SavedEntry} entry
 *  @param {SavedEntry[]} others
 *  @returns {SavedEntry} */
function withFreeName(entry, others) {
  const kind = calculatorNameOf(entry);
  const name = (kind === "fight" ? findFreeStagedName : findFreeName)(entry.name, others);
  const params = new URLSearchParams(entry.query);
  const isNamedByQuery = params.get(NAME_PARAMS[kind])?.trim() && !params.get("sheet")?.trim();
  if (name === entry.name || !isNamedByQuery) return { ...entry, name };
  return { ...entry, name, query: withParamValue(entry.query, NAME_PARAMS[kind], kind === "fight" ? stripStage(name) : name) };
}

/** @param {SavedEntry} entry
 *  @returns {KeyAndText} */
const textOf = (entry) => [new SavedEntries(entry.version).keyOf(entry.id), JSON.stringify(entry)];

/** Return the texts that replace the house rules on this device.
 *  @param {HouseRules} houseRules
 *  @returns {KeyAndText[]} */
function buildHouseRulesTexts({ query, summary }) {
  const savedEntries = new SavedEntries(HOUSE_RULES_VERSION);
  const existing = savedEntries.listLatestFirst();
  const id = existing[0]?.id ?? createId();
  const entry = { version: HOUSE_RULES_VERSION, id, name: "House rules", query, summary, revision: 0, changed: new Date().toISOString() };
  const removed = existing.filter((each) => each.id !== id || !query);
  return [
    ...(query ? [/** @type {KeyAndText} */ ([savedEntries.keyOf(id), JSON.stringify(entry)])] : []),
    ...removed.map((each) => /** @type {KeyAndText} */ ([savedEntries.keyOf(each.id), ""])),
  ];
}

/** Merge the campaign of a file into that of this device.
 *  @param {ImportPlan} plan
 *  @param {Choice[]} choices
 *  @returns {Campaign} */
function mergeCampaigns({ campaign, clashes }, choices) {
  const here = readCampaign();
  /** @param {Clash["kind"]} kind */
  const choiceOf = (kind) => choices[clashes.findIndex((clash) => clash.kind === kind)];
  const notesChoice = choiceOf("notes");
  const notes = notesChoice === "both" ? `${here.notes.trimEnd()}\n\n${campaign.notes}` : notesChoice === "file" && campaign.notes;
  return {
    name: choiceOf("name") === "file" ? campaign.name : here.name || campaign.name,
    notes: notes || here.notes || campaign.notes,
  };
}
