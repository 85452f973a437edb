// Connects a calculator's page with its saved entries: opens and saves entries, and shows notices when another tab has
// written the open entry or the browser can't save. docs/contributing/saved-entries.md lists the attributes of the form.
import { showEntryPlaceholder } from "../calculator/loading-placeholder.mjs";
import { findControl, withValue } from "../calculator/form.mjs";
import { downloadFile } from "../shared/share.mjs";
import { createImportOffer } from "../page/house-rules.mjs";
import {
  SavedEntries,
  recoverFromMirror,
  parseExportFile,
  buildExportFile,
  findFreeName,
  pendingWrite,
  kindOf,
  findNextName,
  importEntries,
  stripStage,
} from "./store.mjs";
import { SavedList } from "./list-view.mjs";
import { createButton, showNotice, removeNotice } from "../page/notices.mjs";
import { CurrentEntry } from "./current-entry.mjs";
import { focusNotice } from "./file-import.mjs";
import { storageKeyOf, root } from "../shared/urls.mjs";

export class SavedController {
  #element;
  #form;
  #requestAnswer; // requests the answer to a query
  #savedEntries;
  #list;
  #current; // the open entry
  #shownConflict = ""; // the conflict in the notice
  #isPersistenceRequested = false;
  #hasInteracted = false; // whether the user has interacted with the calculator

  /** `getForm` returns the calculator's form, and `requestAnswer` requests the answer to a query. */
  constructor(element, getForm, requestAnswer, signal) {
    this.#element = element;
    this.#form = getForm;
    this.#requestAnswer = requestAnswer;
    this.#savedEntries = new SavedEntries(getForm().dataset.keep);
    this.#current = new CurrentEntry(this.#savedEntries, storageKeyOf(`scratch-open-${element.getAttribute("name")}`));
    this.#list = new SavedList(element, this.#savedEntries, () => this.entryNouns, {
      open: (id, pressed) => this.#openEntry(id, pressed),
      copy: (entry) => this.#runWrite(() => this.#savedEntries.add(this.#withUniqueName(entry, `Copy of ${entry.name}`))),
      rename: (entry, name, more) => this.#renameEntry(entry, name, more),
      remove: (id) => this.#deleteEntry(id),
      restore: (id, text) => this.#runWrite(() => this.#current.undoDeletion(id, text, element.dataset.query)),
      saveCopy: () => this.#saveShownAsCopy(),
    });
    addEventListener("storage", (event) => this.#handleStorageEvent(event), { signal });
    for (const type of ["click", "input", "submit"]) element.addEventListener(type, () => (this.#hasInteracted = true), { signal });
    void recoverFromMirror().then(() => signal.aborted || this.#handleRecovery());
  }

  /** The id of the open entry. */
  get openId() {
    return this.#current.entry?.id;
  }

  /** The query parameter with the name of an entry that continues the open one; "" if that has no name of its own. */
  get nextNameParam() {
    const { entry } = this.#current;
    const control = entry && this.#findNameParam(entry.query);
    const name = control && (readQueryParam(entry.query, control) || (entry.isNamed && entry.name));
    return name ? `&${control}=${encodeURIComponent(findNextName(name, this.#listNamesWithoutStage()))}` : "";
  }

  /** The words for one entry and for many: {one, many}. */
  get entryNouns() {
    const [one, many] = (this.#form()?.dataset.keepWords ?? "entry, entries").split(", ");
    return { one, many };
  }

  /** Open the initial entry and return it: the one with the `query` of the URL; without a query, the one that was open last. */
  openInitialEntry(query, isSameQuery) {
    const entry = this.#current.openInitialEntry(query, isSameQuery);
    this.#renderList();
    return entry;
  }

  /** Finish the recovery, and show a recovered entry unless the user has interacted already. */
  #handleRecovery() {
    let recovered = null;
    void this.#runWrite(() => (recovered = this.#current.finishRecovery(this.#hasInteracted)));
    if (!recovered) return;
    if (this.#element.dataset.opening) showEntryPlaceholder(this.#element, recovered, this.entryNouns.one);
    this.#requestAnswer(() => recovered.query, { isRestored: true });
  }

  /** Save an answer, or quarantine the open entry that Python has rejected. `isRestored`: it is the answer of a
   *  saved entry; the other options are those of `CurrentEntry`. */
  saveOrRejectAnswer(query, summary, { isRestored = false, newEntry = false, typed = true, isUndo = false, isOtherEntry = false } = {}) {
    if (this.#element.querySelector("[data-refused]")) {
      if (isRestored) this.#current.quarantineOpenEntry();
      return this.#renderList();
    }
    const { keptName = "", keptTold, unkept, keepTouched } = this.#form().dataset;
    const isNamed = (each) => this.#hasNameInQuery(each);
    const [isTransient, needsInteraction] = [unkept !== undefined, keepTouched !== undefined];
    const how = { newEntry, isUndo, isOtherEntry, typed, isNamed, isTransient, needsInteraction };
    void this.#runWrite(() => this.#current.saveAnswerIfWanted({ query, summary: keptTold ?? summary, name: keptName }, how));
  }

  /** Run a write, and show a notice if it fails. Resolves to whether it succeeded, once its durability is known. */
  async #runWrite(write) {
    delete this.#element.dataset.lasts;
    const before = pendingWrite();
    let isWritten = true;
    try {
      write();
      if (pendingWrite() !== before) this.#handleSuccessfulWrite();
    } catch (error) {
      isWritten = false;
      this.#showWriteFailure(error);
    }
    this.#renderList();
    await this.#showDurability();
    return isWritten;
  }

  #handleSuccessfulWrite() {
    removeNotice(this.#element, "unkept");
    this.#requestPersistentStorage();
  }

  /** Set `data-lasts` on the element if the shown answer is saved durably. */
  async #showDurability() {
    const write = pendingWrite();
    const isDurable = await write;
    if (write !== pendingWrite()) return;
    const { entry, answer, conflict } = this.#current;
    const isShown = entry && !conflict && entry.query === answer?.query;
    this.#list.setDurability({ isDelayed: !isDurable });
    this.#element.toggleAttribute("data-lasts", Boolean(isDurable && isShown));
  }

  #requestPersistentStorage() {
    if (this.#isPersistenceRequested) return;
    this.#isPersistenceRequested = true;
    navigator.storage?.persist?.().then(
      (isPersisted) => this.#list.setDurability({ isPersisted }),
      () => {},
    );
  }

  // ---- actions of the list

  /** Open an entry when earlier requests, which belong to the entry open then, are answered. `pressedParam` is a query
   *  parameter that is appended, as if its button was pressed. */
  #openEntry(id, pressedParam = "") {
    const openEntryQuery = () => {
      const entry = this.#current.open(id);
      this.#renderList();
      return entry && [entry.query, pressedParam].filter(Boolean).join("&");
    };
    this.#requestAnswer(openEntryQuery, { isRestored: true });
  }

  /** Rename an entry, and change its label and note (`labelAndNote`). */
  #renameEntry(entry, name, labelAndNote) {
    void this.#runWrite(() => {
      const renamed = this.#current.rename(entry, (each) => ({
        ...(name === this.#withoutStage(each.name) ? each : this.#withName(each, name)),
        ...labelAndNote,
      }));
      if (renamed) this.#fillInName(renamed);
    });
  }

  /** Return an entry with another name, also in its query if the form has a control for the name. */
  #withName(entry, name) {
    const control = this.#findNameParam(entry.query);
    if (!control) return { ...entry, name, isNamed: true };
    const startsWithName = entry.name && entry.summary.startsWith(entry.name);
    const summary = startsWithName ? name + entry.summary.slice(entry.name.length) : entry.summary;
    const stage = entry.name.slice(this.#withoutStage(entry.name).length);
    return { ...entry, name: name + stage, isNamed: false, query: withValue(entry.query, control, name), summary };
  }

  /** Return a name without its stage, if the names of this calculator end with one. */
  #withoutStage(name) {
    return this.#form()?.dataset.keptStaged === undefined ? name : stripStage(name);
  }

  #listNamesWithoutStage() {
    return this.#savedEntries.entries().map(({ name }) => ({ name: this.#withoutStage(name) }));
  }

  /** Whether the name of an entry is in its query. With stages, an empty name in the query does not count. */
  #hasNameInQuery(query) {
    const control = this.#findNameParam(query);
    return control !== null && (this.#form().dataset.keptStaged === undefined || readQueryParam(query, control) !== "");
  }

  /** Return an entry with a name that no other entry has. */
  #withUniqueName(entry, wantedName) {
    const name = findFreeName(this.#withoutStage(wantedName), this.#listNamesWithoutStage());
    return name === this.#withoutStage(entry.name) ? entry : { ...this.#withName(entry, name), isNamed: entry.isNamed };
  }

  /** Find the query parameter with the entry's name. Returns null if only the list has the name. */
  #findNameParam(query) {
    const [control, alternative] = (this.#form()?.dataset.keptNames ?? "").split(", ");
    const hasAlternative = alternative && new URLSearchParams(query).get(alternative)?.trim();
    return control && !hasAlternative ? control : null;
  }

  /** Fill in the name of the open entry, as if the user had typed it. */
  #fillInName({ query, name }) {
    const controlName = this.#findNameParam(query);
    if (!controlName) return;
    const control = findControl(this.#form(), controlName);
    if (!control || control.type === "hidden") return this.#requestAnswer(() => query, { isRestored: true });
    control.value = name;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Delete an entry, and return its text for an undo. */
  #deleteEntry(id) {
    const text = this.#current.remove(id, this.#element.hasAttribute("stale"));
    this.#updateConflictNotice();
    return text;
  }

  // ---- import

  /** Import the text of an export file, and open its entry if it has one only. Returns false for any other text.
   *  @returns {boolean} */
  importFileText(text) {
    const imported = importFileAndReport(this.#element, text);
    if (!imported) return false;
    this.#requestPersistentStorage();
    this.#renderList();
    if (imported.length === 1 && this.#isOwnKind(imported[0])) this.#openEntry(imported[0].id);
    return true;
  }

  #isOwnKind(entry) {
    return kindOf(entry) === this.#element.getAttribute("name");
  }

  // ---- other tabs

  #handleStorageEvent({ key }) {
    if (!this.#savedEntries.isAffectedBy(key)) return;
    this.#current.checkForConflict();
    this.#renderList();
  }

  /** Show, replace or remove the notice about the conflict with another tab. */
  #updateConflictNotice() {
    const { conflict, entry } = this.#current;
    const latest = conflict === "changed" ? this.#savedEntries.get(entry.id) : null;
    const conflictId = conflict && `${conflict} ${entry.id} ${latest?.revision}`;
    if (conflictId === this.#shownConflict) return;
    this.#shownConflict = conflictId;
    if (!conflict) return removeNotice(this.#element, "conflict");
    if (conflict === "removed") return this.#showRemovedNotice();
    const description = [latest?.name, latest?.summary].filter(Boolean).join(": ");
    const words =
      `This ${this.entryNouns.one} was changed in another tab${description && `. There: ${description}`} Nothing here is saved until you choose a version.`.replace(
        /([^.!?]) Nothing here/,
        "$1. Nothing here",
      );
    showNotice(this.#element, "conflict", words, [
      createButton("Use the other tab's version", () => this.#openEntry(entry.id)),
      " ",
      createButton("Save this one as a copy", () => this.#saveShownAsCopy()),
    ]);
  }

  #showRemovedNotice() {
    const words = `This ${this.entryNouns.one} was deleted in another tab, or the browser's storage was cleared.`;
    showNotice(this.#element, "conflict", words, [createButton("Save again", () => this.#saveShownAsCopy())]);
  }

  /** Save the shown answer as a new entry with a unique name. Resolves to whether it is saved. */
  #saveShownAsCopy() {
    const { query, name, summary } = this.#current.answer ?? this.#current.entry;
    const entry = this.#withUniqueName({ query, summary, name }, name);
    return this.#runWrite(() => {
      this.#current.saveAsNewEntry(entry);
      if (entry.query !== query) this.#fillInName(entry);
    });
  }

  // ---- notices

  #showWriteFailure(error) {
    const { answer } = this.#current;
    const reason = describeWriteError(error);
    if (!answer) return showNotice(this.#element, "unkept", `${reason}. Nothing more can be saved here.`);
    const words = `${reason}. What you see here isn't saved and will be lost when you close this tab. Export it; “Import file” opens it again.`;
    const { keep } = this.#form().dataset;
    const buildFile = () => buildExportFile([{ version: keep, id: "", ...answer }]);
    showNotice(this.#element, "unkept", words, [
      createButton("Export", () => downloadFile(`${toFileNameStem(answer.name)}.json`, buildFile())),
    ]);
  }

  #renderList() {
    this.#updateConflictNotice();
    const { entry, isOffered } = this.#current;
    const { keptShown: shown, keptShared: shared, keptPresses: presses, keptStaged } = this.#form()?.dataset ?? {};
    this.#list.render({ openId: entry?.id, shown, shared, isOffered, isStaged: keptStaged !== undefined, presses });
  }
}

const readQueryParam = (query, name) => new URLSearchParams(query).get(name)?.trim() ?? "";

const toFileNameStem = (name) =>
  (name ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "saved-entry";

const describeWriteError = (error) =>
  error?.name === "QuotaExceededError" ? "Your browser's storage is full" : "Your browser blocks saving on this site";

/** Import an export file, and show the result in a notice. Returns the entries that are saved now, or null for any other text. */
export function importFileAndReport(element, text) {
  const parsed = parseExportFile(text);
  if (!parsed) return null;
  const { added, duplicates, houseRules, unknown, failed, error } = importEntries(parsed.entries);
  const total = added.length + failed.length;
  const sentences = total || !houseRules.length ? [`Imported ${failed.length ? `${added.length} of ${total}` : total}.`] : [];
  if (failed.length) sentences.push(`${describeWriteError(error)}. Not imported: ${formatNames(failed)}.`);
  if (duplicates.length) sentences.push(`Skipped ${duplicates.length} you already had.`);
  if (unknown.length) sentences.push(`Skipped from another version of this site: ${formatNames(unknown)}.`);
  if (parsed.unreadable) sentences.push(`${parsed.unreadable} ${parsed.unreadable === 1 ? "entry" : "entries"} couldn't be read.`);
  const imported = [...added, ...duplicates];
  /** @type {HTMLElement[]} */
  const links = [...new Set(imported.map(kindOf))].map((kind) => {
    const isOwnKind = kind === element.getAttribute("name");
    const textContent = isOwnKind ? "Show in the list on this page" : `Show on the ${kind} page`;
    return Object.assign(document.createElement("a"), { href: `${root}tools/${kind}/`, textContent });
  });
  if (houseRules.length) sentences.push(`House rules in the file: ${houseRules.length}.`);
  links.push(...houseRules.map(createImportOffer));
  showNotice(
    element,
    "taken",
    sentences.join(" "),
    links.flatMap((link) => [link, " "]),
  );
  focusNotice(element, "taken");
  return imported;
}

const MAX_LISTED = 10;

/** Format the names of entries for a sentence. */
function formatNames(entries) {
  const names = entries
    .slice(0, MAX_LISTED)
    .map(({ name, version }) => `“${name || version}”`)
    .join(", ");
  const more = entries.length - MAX_LISTED;
  return more > 0 ? `${names} and ${more} more` : names;
}
