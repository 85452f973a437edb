// The saved entry that a tab has open: when it is written, and whether another tab has changed it. It is independent of the
// page: controller.mjs shows notices and renders the list. It never overwrites a text that this tab has not read.
/** @import { Query, StorageKey } from "../shared/urls.mjs" */
/** @import { NewEntry, SavedEntries, SavedEntry, StoredText } from "./store.mjs" */
import { findFreeName, findFreeStagedName } from "./store.mjs";
import { getSessionStorage } from "../shared/web-storage.mjs";

const NO_ENTRY = "-"; // the tab has no saved entry open

/** The part of an answer that is saved. @typedef {{ query: Query, summary: string, name: string }} AnswerToSave */

/**
 * How an answer came about.
 * @typedef {object} SaveOptions
 * @property {boolean | string} [newEntry] whether to save it as a new entry; "same-campaign": in that of the open one; "unless-saved":
 *   only if no entry has the same content
 * @property {boolean} [isStaged] whether names end with a stage
 * @property {(query: Query) => string} [readContent] reads the part of a query that only one entry has
 * @property {(query: Query, other: Query) => boolean} [isSame] whether two queries are of the same entry
 * @property {boolean} [isUndo] whether it is an earlier answer
 * @property {boolean} [isOtherEntry] with isUndo: whether it belongs to another entry
 * @property {boolean} typed whether the user has caused it in the form
 * @property {boolean} [isTransient] whether it contains nothing by the user
 * @property {boolean} [needsInteraction] whether to save it only if the user has caused it
 * @property {(query: Query) => boolean} isNamed whether a query contains the name of the entry
 */

export class CurrentEntry {
  /** The open entry, as it was last read or written. @type {SavedEntry | null} */
  entry = null;
  /** The last answer, saved or not. @type {AnswerToSave | null} */
  answer = null;
  /** What another tab has done with the entry, until the user chooses. @type {"" | "changed" | "removed"} */
  conflict = "";
  isOffered = false; // whether the answer on the page is not saved, and can be
  #savedEntries;
  #storageKey;
  #storedText = ""; // the stored text of the entry, as last read or written
  /** The id of the entry that was deleted while open. @type {string | null} */
  #deletedId = null;
  #isAnswerDropped = false; // whether the pending answer belongs to the deleted entry
  #isRecovered = false; // whether the recovery of lost entries is complete
  /** Finds the initial entry again after the recovery. @type {(() => SavedEntry | null) | null} */
  #findAgain = null;
  /** The answer to save after the recovery. @type {[AnswerToSave, SaveOptions] | null} */
  #deferred = null;
  #label = ""; // the campaign of the next entry that continues the open one

  /** @param {SavedEntries} savedEntries
   *  @param {StorageKey} storageKey the sessionStorage key of the open entry's id */
  constructor(savedEntries, storageKey) {
    this.#savedEntries = savedEntries;
    this.#storageKey = storageKey;
  }

  /** Open the initial entry: the one with the query of the URL; without a query, the one that was open last.
   *  @param {Query | null} query
   *  @param {(query: Query, otherQuery: Query) => boolean} hasSameParamsInOrder
   *  @returns {SavedEntry | null} */
  openInitialEntry(query, hasSameParamsInOrder) {
    const find = () => this.#findInitialOrLatestEntry(query, hasSameParamsInOrder);
    if (!this.#isRecovered) this.#findAgain = find;
    const found = find();
    if (found) this.#setAndStoreOpenEntry(found);
    else [this.entry, this.#storedText] = [null, ""];
    return found;
  }

  /** Read the open entry again after this tab has imported a file or undone that; closes an entry that is gone.
   *  @returns {SavedEntry | null} */
  rereadOrCloseEntry() {
    if (this.entry && !this.conflict) this.#setAndStoreOpenEntry(this.#savedEntries.find(this.entry.id));
    return this.entry;
  }

  /** @param {Query | null} query
   *  @param {(query: Query, otherQuery: Query) => boolean} hasSameParamsInOrder
   *  @returns {SavedEntry | null} */
  #findInitialOrLatestEntry(query, hasSameParamsInOrder) {
    const entries = this.#savedEntries.listLatestFirst();
    if (query !== null) return entries.find((entry) => hasSameParamsInOrder(entry.query, query)) ?? null;
    const id = this.#readLastOpenId();
    return id === NO_ENTRY ? null : (entries.find((entry) => entry.id === id) ?? entries[0] ?? null);
  }

  /** Read the id of the entry that this tab had open last.
   *  @returns {string | null} null if it is unknown */
  #readLastOpenId() {
    try {
      return getSessionStorage().getItem(this.#storageKey);
    } catch {
      return null; // no storage: the latest entry is opened, if any
    }
  }

  /** Save the deferred answer after the recovery of lost entries, or open the recovered entry that the tab would have opened first.
   *  @param {boolean} hasInteracted whether the user has done something in this tab
   *  @returns {SavedEntry | null} the recovered entry, if it is open now */
  finishRecoveryAndSaveDeferred(hasInteracted) {
    const initial = hasInteracted ? null : (this.#findAgain?.() ?? null);
    const isNew = initial !== null && (initial.id !== this.entry?.id || this.#savedEntries.readStoredText(initial.id) !== this.#storedText);
    const deferred = this.#deferred;
    [this.#isRecovered, this.#findAgain] = [true, null];
    if (isNew) this.#setAndStoreOpenEntry(initial);
    else if (deferred) this.saveAnswerIfWanted(...deferred);
    this.detectConflictOrReopen();
    return isNew ? initial : null;
  }

  /** Save an answer if it is to be saved: at once, or after the recovery of lost entries.
   *  @param {AnswerToSave} answer
   *  @param {SaveOptions} how */
  saveAnswerIfWanted(answer, how) {
    this.answer = answer;
    this.#deferred = null;
    if (how.newEntry) this.#label = how.newEntry === "same-campaign" ? (this.entry?.label ?? this.#label) : "";
    if (how.newEntry || how.isOtherEntry || !answer.query) this.#setAndStoreOpenEntry(null);
    if (!this.entry || how.isUndo) this.#openEntryWithQuery(answer.query, how.isSame);
    if (!this.entry && how.newEntry === "unless-saved") this.#openEntryWithContent(answer.query, how.readContent);
    const isUnsaved = how.isTransient || (!this.entry && (this.#isAnswerDropped || (!how.typed && how.needsInteraction)));
    this.#isAnswerDropped = false;
    this.isOffered = Boolean(isUnsaved && !this.entry && answer.query && answer.name);
    if (!answer.query || isUnsaved) return;
    if (!this.#isRecovered && !how.typed) this.#deferred = [answer, how];
    else this.#saveAnswerUnlessConflict(answer, how);
  }

  /** Close the open entry, which stays saved. */
  closeEntry() {
    this.#setAndStoreOpenEntry(null);
  }

  /** Quarantine the open entry, which Python has rejected. */
  quarantineOpenEntry() {
    if (!this.entry) return;
    this.#savedEntries.moveToQuarantine(this.entry.id);
    this.#setAndStoreOpenEntry(null);
  }

  /** Open the saved entry with a query, if there is one.
   *  @param {Query} query
   *  @param {SaveOptions["isSame"]} isSame */
  #openEntryWithQuery(query, isSame = (one, other) => one === other) {
    if (!query || this.entry?.query === query) return;
    const duplicate = this.#savedEntries.listLatestFirst().find((entry) => isSame(entry.query, query));
    if (duplicate) this.#setAndStoreOpenEntry(duplicate);
  }

  /** Open the saved entry with the same content, if there is one: the query may lack steps that were undone.
   *  @param {Query} query
   *  @param {SaveOptions["readContent"]} readContent */
  #openEntryWithContent(query, readContent) {
    const content = readContent?.(query);
    const entry = content && this.#savedEntries.listLatestFirst().find((each) => readContent?.(each.query) === content);
    if (entry) this.#setAndStoreOpenEntry(entry);
  }

  /** Save the answer in the open entry, or in a new one if there is none or it was deleted.
   *  @param {AnswerToSave} answer
   *  @param {SaveOptions} how */
  #saveAnswerUnlessConflict(answer, { isNamed, isStaged, typed }) {
    this.#findAgain = null;
    this.detectConflictOrReopen();
    if (this.conflict === "changed" || (this.conflict && !typed)) return;
    const before = this.entry;
    const { query, summary } = answer;
    const hasOwnName = before?.isNamed && !isNamed(query);
    const answerName = answer.name || (before?.name ?? "");
    const others = this.#savedEntries.listLatestFirst().filter(({ id }) => id !== before?.id);
    const findName = isStaged ? findFreeStagedName : findFreeName;
    const name = hasOwnName ? before.name : isNamed(query) ? answerName : findName(answerName, others);
    const isUnchanged = before && before.query === query && before.name === name && before.summary === summary;
    if (isUnchanged) return;
    const after = { name, query, summary };
    const isGone = !before || this.conflict === "removed"; // a deleted entry never gets its id back
    if (isGone) this.#setAndStoreOpenEntry(this.#savedEntries.addAndMirror({ label: this.#label, ...before, ...after }));
    else this.#setAndStoreOpenEntry(this.#savedEntries.saveAndMirror({ ...before, ...after }));
  }

  /** Set the open entry, and store its id for the tab in sessionStorage; null closes it.
   *  @param {SavedEntry | null} entry */
  #setAndStoreOpenEntry(entry) {
    this.entry = entry;
    this.#storedText = entry ? this.#savedEntries.readStoredText(entry.id) : "";
    this.conflict = "";
    this.#deferred = null;
    if (entry) this.#label = entry.label;
    try {
      getSessionStorage().setItem(this.#storageKey, entry ? entry.id : NO_ENTRY);
    } catch {
      // without storage the latest entry is opened next time
    }
  }

  /** Set `conflict` if another tab has written or deleted the open entry. If it has the query that is shown here, reopen it instead. */
  detectConflictOrReopen() {
    if (!this.entry) return;
    const text = this.#savedEntries.readStoredText(this.entry.id);
    if (text === this.#storedText) return;
    const latest = this.#savedEntries.find(this.entry.id);
    if (latest && latest.query === (this.answer ?? this.entry).query) this.#setAndStoreOpenEntry(latest);
    else this.conflict = text ? "changed" : "removed";
  }

  // ---- actions of the user

  /** Open an entry.
   *  @param {string} id
   *  @returns {SavedEntry | null} null if it no longer exists */
  openEntry(id) {
    const entry = this.#savedEntries.find(id);
    if (!entry) return null;
    this.#setAndStoreOpenEntry(entry);
    this.answer = null;
    return entry;
  }

  /** Rename an entry.
   *  @param {SavedEntry} entry as the list shows it
   *  @param {(entry: SavedEntry) => SavedEntry} withNewName creates the renamed entry from the stored one
   *  @returns {SavedEntry | null} the entry if it is the open one, else null */
  renameAndReturnIfOpen(entry, withNewName) {
    this.detectConflictOrReopen();
    const isOpen = this.entry?.id === entry.id && !this.conflict;
    const stored = this.#savedEntries.find(entry.id); // another tab may have changed or deleted it
    const renamed = stored && this.#savedEntries.saveAndMirror(withNewName(stored));
    if (!renamed || !isOpen) return null;
    this.#setAndStoreOpenEntry(renamed);
    return renamed;
  }

  /** Delete an entry.
   *  @param {string} id
   *  @param {boolean} isAnswerPending whether a request is under way
   *  @returns {StoredText} its text, for `undoDeletion` */
  deleteEntryAndCloseIfOpen(id, isAnswerPending) {
    const text = this.#savedEntries.removeAndMirror(id);
    if (this.entry?.id !== id) return text;
    this.#deletedId = id;
    this.#isAnswerDropped = isAnswerPending;
    this.#setAndStoreOpenEntry(null);
    return text;
  }

  /** Undo a deletion. Reopens the entry if it was open and the page still shows its query.
   *  @param {string} id
   *  @param {StoredText} text
   *  @param {Query | undefined} shownQuery */
  undoDeletion(id, text, shownQuery) {
    const restored = this.#savedEntries.restoreAndMirror(id, text);
    if (this.#deletedId === id && !this.entry && shownQuery === restored.query) this.#setAndStoreOpenEntry(restored);
  }

  /** Save the shown answer as a new entry, and open it.
   *  @param {NewEntry} entry */
  saveAsNewEntryAndOpen(entry) {
    this.isOffered = false;
    this.#setAndStoreOpenEntry(this.#savedEntries.addAndMirror({ ...entry, label: this.#label }));
  }
}
