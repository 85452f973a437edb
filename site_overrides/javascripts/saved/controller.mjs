// Connects a calculator's page with its saved entries: opens and saves entries, and shows notices when another tab has
// written the open entry or the browser can't save. docs/contributing/saved-entries.md lists the attributes of the form.
/** @import { Query } from "../shared/urls.mjs" */
/** @import { NewEntry, SavedEntry, StoredText } from "./store.mjs" */
/** @import { AnswerToSave, SaveOptions } from "./current-entry.mjs" */
/** @import { EntryNouns } from "./list-view.mjs" */
import { showEntryPlaceholder } from "../calculator/loading-placeholder.mjs";
import { findControl, withParamValue } from "../calculator/form.mjs";
import { downloadFile } from "../shared/share.mjs";
import {
  SavedEntries,
  recoverFromMirror,
  buildExportFile,
  findFreeName,
  getLastWriteDurability,
  calculatorNameOf,
  findNextName,
  stripStage,
  toFileNameStem,
} from "./store.mjs";
import { SavedList } from "./list-view.mjs";
import { createButton, describeWriteError, showNotice, removeNotice } from "../page/notices.mjs";
import { applyRulesToQuery, listHouseRules } from "../page/house-rules.mjs";
import { CurrentEntry } from "./current-entry.mjs";
import { storageKeyOf } from "../shared/urls.mjs";

/** Requests the answer to a query, which the function returns when earlier requests are answered; null: no request.
 *  @typedef {(getQuery: () => Query | null, how: { isRestored?: boolean, newEntry?: boolean }) => void} RequestAnswer */

export class SavedController {
  #element;
  #getForm;
  #requestAnswer;
  #savedEntries;
  #list;
  #current; // the open entry
  /** Identifies the conflict in the notice. @type {string} */
  #shownConflict = "";
  #isPersistenceRequested = false;
  #hasInteracted = false; // whether the user has interacted with the calculator

  /** @param {HTMLElement} element the calculator
   *  @param {() => HTMLFormElement | null} getForm returns its form
   *  @param {RequestAnswer} requestAnswer
   *  @param {AbortSignal} signal removes the listeners */
  constructor(element, getForm, requestAnswer, signal) {
    this.#element = element;
    this.#getForm = getForm;
    this.#requestAnswer = requestAnswer;
    this.#savedEntries = new SavedEntries(this.#version);
    this.#current = new CurrentEntry(this.#savedEntries, storageKeyOf(`scratch-open-${element.getAttribute("name")}`));
    this.#list = new SavedList(element, this.#savedEntries, () => this.entryNouns, {
      open: (id, pressed) => this.#requestEntry(id, pressed),
      openNew: (query) => this.#requestAnswer(() => this.#withHouseRules(query), { newEntry: true }),
      copy: (entry) => this.#runWriteAndReport(() => this.#savedEntries.addAndMirror(this.#withUniqueName(entry, `Copy of ${entry.name}`))),
      rename: (entry, name, more) => this.#renameEntry(entry, name, more),
      remove: (id) => this.#deleteEntry(id),
      restore: (deleted) =>
        this.#runWriteAndReport(() => {
          for (const { id, text } of deleted) this.#current.undoDeletion(id, text, element.dataset.query);
        }),
      saveCopy: () => this.#saveShownAsCopy(),
    });
    addEventListener("storage", (event) => this.#handleStorageEvent(event), { signal });
    for (const type of ["click", "input", "submit"]) element.addEventListener(type, () => (this.#hasInteracted = true), { signal });
    void recoverFromMirror().then(() => signal.aborted || this.#finishRecoveryAndShowRecovered());
  }

  /** The attributes of the form. @returns {DOMStringMap} */
  get #formAttributes() {
    return this.#getForm()?.dataset ?? {};
  }

  /** The version of the entries that are saved here: "fight/1". */
  get #version() {
    return this.#formAttributes.savedAs ?? "";
  }

  /** The id of the open entry. @returns {string | undefined} */
  get openId() {
    return this.#current.entry?.id;
  }

  /** The query parameter with the name of an entry that continues the open one, with "&" before it; "" if that has no name of
   *  its own. */
  get nextNameQueryPart() {
    const { entry } = this.#current;
    const control = entry && this.#findParamHoldingName(entry.query);
    const name = control && (readQueryParam(entry.query, control) || (entry.isNamed && entry.name));
    return name ? `&${control}=${encodeURIComponent(findNextName(name, this.#listNamesWithoutStage()))}` : "";
  }

  /** @returns {EntryNouns} */
  get entryNouns() {
    const [one, many] = (this.#formAttributes.savedNouns ?? "entry, entries").split(", ");
    return { one, many };
  }

  /** Open the initial entry: the one with the query of the URL; without a query, the one that was open last.
   *  @param {Query | null} query
   *  @param {(query: Query, otherQuery: Query) => boolean} hasSameParamsInOrder
   *  @returns {SavedEntry | null} */
  openInitialEntry(query, hasSameParamsInOrder) {
    const entry = this.#current.openInitialEntry(query, (one, other) =>
      hasSameParamsInOrder(this.#withoutViewParams(one), this.#withoutViewParams(other)),
    );
    this.#renderList();
    return entry;
  }

  /** Finish the recovery, and show a recovered entry unless the user has interacted already. */
  #finishRecoveryAndShowRecovered() {
    /** @type {{ recovered: SavedEntry | null }} */
    const result = { recovered: null };
    void this.#runWriteAndReport(() => (result.recovered = this.#current.finishRecoveryAndSaveDeferred(this.#hasInteracted)));
    this.#element.dataset.recovered = "";
    const { recovered } = result;
    if (!recovered) return;
    if (this.#element.dataset.opening) showEntryPlaceholder(this.#element, recovered, this.entryNouns.one);
    this.#requestAnswer(() => recovered.query, { isRestored: true });
  }

  /** Save an answer, or quarantine the open entry if Python has rejected it.
   *  @param {Query} query
   *  @param {string} summary
   *  @param {{ isRestored?: boolean } & Partial<SaveOptions>} how `isRestored`: it is the answer of a saved entry */
  saveAnswerOrQuarantineEntry(
    query,
    summary,
    { isRestored = false, newEntry = false, typed = true, isUndo = false, isOtherEntry = false } = {},
  ) {
    if (this.#element.querySelector("[data-refused]")) {
      if (isRestored) this.#current.quarantineOpenEntry();
      else if (newEntry) this.#current.closeEntry(); // what follows a refused file must not replace the open entry
      return this.#renderList();
    }
    const { savedName = "", savedSummary, identityControl, savedNameHasStage, unsaved, saveAfterChange } = this.#formAttributes;
    /** @param {Query} each */
    const isNamed = (each) => this.#isNameSetByQuery(each);
    const [isTransient, needsInteraction] = [unsaved !== undefined, saveAfterChange !== undefined];
    /** @param {Query} each */
    const readContent = (each) => (identityControl ? readQueryParam(each, identityControl) : "");
    const isStaged = savedNameHasStage !== undefined;
    /** @param {Query} one
     *  @param {Query} other */
    const isSame = (one, other) => this.#withoutViewParams(one) === this.#withoutViewParams(other);
    const how = { newEntry, isUndo, isOtherEntry, typed, isNamed, isStaged, readContent, isTransient, needsInteraction, isSame };
    void this.#runWriteAndReport(() => this.#current.saveAnswerIfWanted({ query, summary: savedSummary ?? summary, name: savedName }, how));
  }

  /** Run a write, render the list, and show a notice if the write fails.
   *  @param {() => void} write
   *  @returns {Promise<boolean>} whether it succeeded; resolves when its durability is known */
  async #runWriteAndReport(write) {
    delete this.#element.dataset.durablySaved;
    const before = getLastWriteDurability();
    let isWritten = true;
    try {
      write();
      if (getLastWriteDurability() !== before) this.#removeNoticeAndRequestPersistence();
    } catch (error) {
      isWritten = false;
      this.#showWriteFailure(error);
    }
    this.#renderList();
    await this.#showWhetherAnswerIsDurable();
    return isWritten;
  }

  #removeNoticeAndRequestPersistence() {
    removeNotice(this.#element, "unsaved");
    this.#requestPersistentStorage();
  }

  /** Set `data-durably-saved` on the element if the shown answer is saved durably.
   *  @returns {Promise<void>} */
  async #showWhetherAnswerIsDurable() {
    const write = getLastWriteDurability();
    const isDurable = await write;
    if (write !== getLastWriteDurability()) return;
    const { entry, answer, conflict } = this.#current;
    const isShown = entry && !conflict && entry.query === answer?.query;
    this.#list.updateDurabilityText({ isDelayed: !isDurable });
    this.#element.toggleAttribute("data-durably-saved", Boolean(isDurable && isShown));
  }

  #requestPersistentStorage() {
    if (this.#isPersistenceRequested) return;
    this.#isPersistenceRequested = true;
    navigator.storage?.persist?.().then(
      (isPersisted) => this.#list.updateDurabilityText({ isPersisted }),
      () => {},
    );
  }

  // ---- actions of the list

  /** Open an entry when earlier requests, which belong to the entry open then, are answered.
   *  @param {string} id
   *  @param {string} pressedParam a query parameter that is appended, as if its button was pressed */
  #requestEntry(id, pressedParam = "") {
    const openEntryQuery = () => {
      const entry = this.#current.openEntry(id);
      this.#renderList();
      return entry && [entry.query, pressedParam].filter(Boolean).join("&");
    };
    this.#requestAnswer(openEntryQuery, { isRestored: true });
  }

  /** Return a query with the house rules, also those that the shown answer does not know: its turn system may have other rules.
   *  @param {Query} query */
  #withHouseRules(query) {
    return this.#formAttributes.rules === undefined ? query : applyRulesToQuery(query, listHouseRules());
  }

  /** Rename an entry, and change its label and note.
   *  @param {SavedEntry} entry
   *  @param {string} name
   *  @param {Pick<SavedEntry, "label" | "note">} labelAndNote */
  #renameEntry(entry, name, labelAndNote) {
    void this.#runWriteAndReport(() => {
      const renamed = this.#current.renameAndReturnIfOpen(entry, (each) => ({
        ...(name === this.#withoutStage(each.name) ? each : this.#withNameEverywhere(each, name)),
        ...labelAndNote,
      }));
      if (renamed) this.#typeNameOrRequestEntry(renamed);
    });
  }

  /** Return an entry with another name, also in its query if the form has a control for the name.
   *  @template {AnswerToSave} Entry
   *  @param {Entry} entry
   *  @param {string} name
   *  @returns {Entry & { isNamed: boolean }} */
  #withNameEverywhere(entry, name) {
    const control = this.#findParamHoldingName(entry.query);
    if (!control) return { ...entry, name, isNamed: true };
    const startsWithName = entry.name && entry.summary.startsWith(entry.name);
    const summary = startsWithName ? name + entry.summary.slice(entry.name.length) : entry.summary;
    const stage = entry.name.slice(this.#withoutStage(entry.name).length);
    return { ...entry, name: name + stage, isNamed: false, query: withParamValue(entry.query, control, name), summary };
  }

  /** Return a name without its stage, if the names of this calculator end with one.
   *  @param {string} name
   *  @returns {string} */
  #withoutStage(name) {
    return this.#formAttributes.savedNameHasStage === undefined ? name : stripStage(name);
  }

  /** The query parameters that change the view only, the first one with its value in a share link: "at=play", "rolled".
   *  @returns {string[]} */
  get #viewParams() {
    return this.#formAttributes.viewControls?.split(", ") ?? [];
  }

  /** Return a query without the parameters that change the view only.
   *  @param {Query} query
   *  @returns {Query} */
  #withoutViewParams(query) {
    const names = this.#viewParams.map((param) => param.split("=")[0]);
    const pairs = query.split("&");
    return pairs.filter((pair) => !names.includes(pair.split("=")[0])).join("&");
  }

  /** @returns {{ name: string }[]} */
  #listNamesWithoutStage() {
    return this.#savedEntries.listLatestFirst().map(({ name }) => ({ name: this.#withoutStage(name) }));
  }

  /** Whether the name of an entry is in its query. With stages, an empty name in the query does not count.
   *  @param {Query} query */
  #isNameSetByQuery(query) {
    const control = this.#findParamHoldingName(query);
    return control !== null && (this.#formAttributes.savedNameHasStage === undefined || readQueryParam(query, control) !== "");
  }

  /** Return an entry with a name that no other entry has.
   *  @template {AnswerToSave & NewEntry} Entry
   *  @param {Entry} entry
   *  @param {string} wantedName
   *  @returns {Entry} */
  #withUniqueName(entry, wantedName) {
    const name = findFreeName(this.#withoutStage(wantedName), this.#listNamesWithoutStage());
    return name === this.#withoutStage(entry.name) ? entry : { ...this.#withNameEverywhere(entry, name), isNamed: entry.isNamed };
  }

  /** Find the query parameter with the entry's name.
   *  @param {Query} query
   *  @returns {string | null} null if only the list has the name */
  #findParamHoldingName(query) {
    const [control, alternative] = (this.#formAttributes.savedNameControls ?? "").split(", ");
    const hasAlternative = alternative && new URLSearchParams(query).get(alternative)?.trim();
    return control && !hasAlternative ? control : null;
  }

  /** Fill in the name of the open entry, as if the user had typed it.
   *  @param {AnswerToSave} entry */
  #typeNameOrRequestEntry({ query, name }) {
    const controlName = this.#findParamHoldingName(query);
    if (!controlName) return;
    const form = this.#getForm();
    const control = form && findControl(form, controlName);
    if (!control || control.type === "hidden") return this.#requestAnswer(() => query, { isRestored: true });
    control.value = name;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Delete an entry.
   *  @param {string} id
   *  @returns {StoredText} its text, for an undo */
  #deleteEntry(id) {
    const text = this.#current.deleteEntryAndCloseIfOpen(id, this.#element.hasAttribute("stale"));
    this.#updateConflictNotice();
    return text;
  }

  // ---- import

  /** Show what an import or its undo has changed, and open its entry if it has one only.
   *  @param {SavedEntry[]} entries that were imported; none for an undo */
  handleImport(entries) {
    const shownQuery = this.#current.entry?.query;
    const entry = this.#current.rereadOrCloseEntry();
    if (entries.length) this.#requestPersistentStorage();
    this.#renderList();
    if (entries.length === 1 && this.#isEntryOfThisCalculator(entries[0])) this.#requestEntry(entries[0].id);
    else if (entry && entry.query !== shownQuery) this.#requestEntry(entry.id);
  }

  /** Whether an entry belongs to this calculator.
   *  @param {SavedEntry} entry */
  #isEntryOfThisCalculator(entry) {
    return calculatorNameOf(entry) === this.#element.getAttribute("name");
  }

  // ---- other tabs

  /** @param {StorageEvent} event */
  #handleStorageEvent({ key }) {
    if (!this.#savedEntries.isAffectedBy(key)) return;
    this.#current.detectConflictOrReopen();
    this.#renderList();
  }

  /** Show, replace or remove the notice about the conflict with another tab. */
  #updateConflictNotice() {
    const { conflict, entry } = this.#current;
    const latest = conflict === "changed" && entry ? this.#savedEntries.find(entry.id) : null;
    const conflictId = conflict && `${conflict} ${entry?.id} ${latest?.revision}`;
    if (conflictId === this.#shownConflict) return;
    this.#shownConflict = conflictId;
    if (!conflict || !entry) return removeNotice(this.#element, "conflict");
    if (conflict === "removed") return this.#showRemovedElsewhereNotice();
    const description = [latest?.name, latest?.summary].filter(Boolean).join(": ");
    const words =
      `This ${this.entryNouns.one} was changed in another tab${description && `. There: ${description}`} Nothing here is saved until you choose a version.`.replace(
        /([^.!?]) Nothing here/,
        "$1. Nothing here",
      );
    showNotice(this.#element, "conflict", words, [
      createButton("Use the other tab's version", () => this.#requestEntry(entry.id)),
      " ",
      createButton("Save this one as a copy", () => this.#saveShownAsCopy()),
    ]);
  }

  #showRemovedElsewhereNotice() {
    const words = `This ${this.entryNouns.one} was deleted in another tab, or the browser's storage was cleared.`;
    showNotice(this.#element, "conflict", words, [createButton("Save again", () => this.#saveShownAsCopy())]);
  }

  /** Save the shown answer as a new entry with a unique name.
   *  @returns {Promise<boolean>} whether it is saved */
  #saveShownAsCopy() {
    const shown = /** @type {AnswerToSave} */ (this.#current.answer ?? this.#current.entry); // the buttons are shown with one only
    const { query, name, summary } = shown;
    const entry = this.#withUniqueName({ query, summary, name }, name);
    return this.#runWriteAndReport(() => {
      this.#current.saveAsNewEntryAndOpen(entry);
      if (entry.query !== query) this.#typeNameOrRequestEntry(entry);
    });
  }

  // ---- notices

  /** @param {unknown} error the browser's error */
  #showWriteFailure(error) {
    const { answer } = this.#current;
    const reason = describeWriteError(error);
    if (!answer) return showNotice(this.#element, "unsaved", `${reason}. Nothing more can be saved here.`);
    const words = `${reason}. What you see here isn't saved and will be lost when you close this tab. Export it; “Import file” opens it again.`;
    const buildFile = () => buildExportFile([{ version: this.#version, id: "", ...answer }]);
    showNotice(this.#element, "unsaved", words, [
      createButton("Export", () => downloadFile(`${toFileNameStem(answer.name) || "saved-entry"}.json`, buildFile())),
    ]);
  }

  #renderList() {
    this.#updateConflictNotice();
    const { entry, isOffered } = this.#current;
    const {
      savedListAbove: shown,
      sharedContent: shared,
      savedActions: presses,
      newEntryButton: newEntry,
      savedNameHasStage,
    } = this.#formAttributes;
    this.#list.render({
      openId: entry?.id,
      shown,
      shared,
      isOffered,
      isStaged: savedNameHasStage !== undefined,
      presses,
      newEntry,
      viewParam: this.#viewParams[0],
    });
  }
}

/** @param {Query} query
 *  @param {string} name
 *  @returns {string} "" if there is none */
const readQueryParam = (query, name) => new URLSearchParams(query).get(name)?.trim() ?? "";
