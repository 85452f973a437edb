// The saved entry that a tab has open: when it is written, and whether another tab has changed it. It is independent of the
// page: controller.mjs shows notices and renders the list. It never overwrites a text that this tab has not read.
import { findFreeName } from "./store.mjs";
import { getSessionStorage } from "../shared/web-storage.mjs";

const NO_ENTRY = "-"; // the tab has no saved entry open

export class CurrentEntry {
  entry = null; // as it was last read or written
  answer = null; // the last answer, saved or not: {query, summary, name}
  conflict = ""; // "changed" or "removed" by another tab, until the user chooses
  isOffered = false; // whether the answer on the page is not saved, and can be
  #savedEntries;
  #storageKey; // the sessionStorage key of the open entry's id
  #storedText = ""; // the stored text of the entry, as last read or written
  #deletedId = null; // the id of the entry that was deleted while open
  #isAnswerDropped = false; // whether the pending answer belongs to the deleted entry
  #isRecovered = false; // whether the recovery of lost entries is complete
  #findAgain = null; // finds the initial entry again after the recovery
  #deferred = null; // the answer to save after the recovery
  #label = ""; // the campaign of the next entry that continues the open one

  constructor(savedEntries, storageKey) {
    this.#savedEntries = savedEntries;
    this.#storageKey = storageKey;
  }

  /** Open the initial entry and return it: the one with the `query` of the URL; without a query, the one that was open last. */
  openInitialEntry(query, isSameQuery) {
    const find = () => this.#findInitialEntry(query, isSameQuery);
    if (!this.#isRecovered) this.#findAgain = find;
    const found = find();
    if (found) this.#setOpenEntry(found);
    else [this.entry, this.#storedText] = [null, ""];
    return found;
  }

  #findInitialEntry(query, isSameQuery) {
    const entries = this.#savedEntries.entries();
    if (query !== null) return entries.find((entry) => isSameQuery(entry.query, query)) ?? null;
    const id = this.#readLastOpenId();
    return id === NO_ENTRY ? null : (entries.find((entry) => entry.id === id) ?? entries[0] ?? null);
  }

  /** Read the id of the entry that this tab had open last. Returns null if it is unknown. */
  #readLastOpenId() {
    try {
      return getSessionStorage().getItem(this.#storageKey);
    } catch {
      return null; // no storage: the latest entry is opened, if any
    }
  }

  /** Save the deferred answer after the recovery of lost entries. Returns the recovered entry that the tab would have opened
   *  first, or null if the user has done something in it. */
  finishRecovery(hasInteracted) {
    const initial = hasInteracted ? null : this.#findAgain?.();
    const isNew = Boolean(initial) && (initial.id !== this.entry?.id || this.#savedEntries.readText(initial.id) !== this.#storedText);
    const deferred = this.#deferred;
    [this.#isRecovered, this.#findAgain] = [true, null];
    if (isNew) this.#setOpenEntry(initial);
    else if (deferred) this.saveAnswerIfWanted(...deferred);
    this.checkForConflict();
    return isNew ? initial : null;
  }

  /** Save an answer if it is to be saved. `how`:
   *    newEntry        save it as a new entry; "along": in the campaign of the open one
   *    isUndo          it is an earlier answer
   *    isOtherEntry    with isUndo: of another entry
   *    typed           the user has caused it in the form
   *    isTransient     it contains nothing by the user
   *    needsInteraction  save it only if the user has caused it
   *    isNamed(query)  whether a query contains the name of the entry */
  saveAnswerIfWanted(answer, how) {
    this.answer = answer;
    this.#deferred = null;
    if (how.newEntry) this.#label = how.newEntry === "along" ? (this.entry?.label ?? this.#label) : "";
    if (how.newEntry || how.isOtherEntry || !answer.query) this.#setOpenEntry(null);
    if (!this.entry || how.isUndo) this.#openEntryOfAnswer();
    const isUnsaved = how.isTransient || (!this.entry && (this.#isAnswerDropped || (!how.typed && how.needsInteraction)));
    this.#isAnswerDropped = false;
    this.isOffered = isUnsaved && !this.entry && Boolean(answer.query && answer.name);
    if (!answer.query || isUnsaved) return;
    if (!this.#isRecovered && !how.typed) this.#deferred = [answer, how];
    else this.#saveAnswer(how);
  }

  /** Quarantine the open entry, which Python has rejected. */
  quarantineOpenEntry() {
    if (!this.entry) return;
    this.#savedEntries.quarantine(this.entry.id);
    this.#setOpenEntry(null);
  }

  /** Open the saved entry with the query of the answer, if there is one. */
  #openEntryOfAnswer() {
    const { query } = this.answer;
    if (!query || this.entry?.query === query) return;
    const duplicate = this.#savedEntries.entries().find((entry) => entry.query === query);
    if (duplicate) this.#setOpenEntry(duplicate);
  }

  /** Save the answer in the open entry, or in a new one if there is none or it was deleted. */
  #saveAnswer({ isNamed, typed }) {
    this.#findAgain = null;
    this.checkForConflict();
    if (this.conflict === "changed" || (this.conflict && !typed)) return;
    const before = this.entry;
    const { query, summary } = this.answer;
    const hasOwnName = before?.isNamed && !isNamed(query);
    const answerName = this.answer.name || (before?.name ?? "");
    const others = this.#savedEntries.entries().filter(({ id }) => id !== before?.id);
    const name = hasOwnName ? before.name : isNamed(query) ? answerName : findFreeName(answerName, others);
    const isUnchanged = before && before.query === query && before.name === name && before.summary === summary;
    if (isUnchanged) return;
    const after = { label: this.#label, ...before, name, query, summary };
    const isGone = !before || this.conflict === "removed"; // a deleted entry never gets its id back
    this.#setOpenEntry(isGone ? this.#savedEntries.add(after) : this.#savedEntries.put(after));
  }

  /** Set the open entry, and remember it for the tab; null closes it. */
  #setOpenEntry(entry) {
    this.entry = entry;
    this.#storedText = entry ? this.#savedEntries.readText(entry.id) : "";
    this.conflict = "";
    this.#deferred = null;
    if (entry) this.#label = entry.label;
    try {
      getSessionStorage().setItem(this.#storageKey, entry ? entry.id : NO_ENTRY);
    } catch {
      // without storage the latest entry is opened next time
    }
  }

  /** Check whether another tab has written or deleted the open entry. An entry with the query that is shown here becomes the open one. */
  checkForConflict() {
    if (!this.entry) return;
    const text = this.#savedEntries.readText(this.entry.id);
    if (text === this.#storedText) return;
    const latest = this.#savedEntries.get(this.entry.id);
    if (latest && latest.query === (this.answer ?? this.entry).query) this.#setOpenEntry(latest);
    else this.conflict = text ? "changed" : "removed";
  }

  // ---- actions of the user

  /** Open an entry and return it, or null if it no longer exists. */
  open(id) {
    const entry = this.#savedEntries.get(id);
    if (!entry) return null;
    this.#setOpenEntry(entry);
    this.answer = null;
    return entry;
  }

  /** Rename an entry; `withNewName` creates it. Returns the entry if it is the open one, else null. */
  rename(entry, withNewName) {
    this.checkForConflict();
    const isOpen = this.entry?.id === entry.id && !this.conflict;
    const stored = this.#savedEntries.get(entry.id); // another tab may have changed or deleted it
    const renamed = stored && this.#savedEntries.put(withNewName(stored));
    if (!renamed || !isOpen) return null;
    this.#setOpenEntry(renamed);
    return renamed;
  }

  /** Delete an entry, and return its text; `isAnswerPending`: while a request is under way. */
  remove(id, isAnswerPending) {
    const text = this.#savedEntries.remove(id);
    if (this.entry?.id !== id) return text;
    this.#deletedId = id;
    this.#isAnswerDropped = isAnswerPending;
    this.#setOpenEntry(null);
    return text;
  }

  /** Undo a deletion. Reopens the entry if it was open and its query is still `shownQuery`. */
  undoDeletion(id, text, shownQuery) {
    const restored = this.#savedEntries.restore(id, text);
    if (this.#deletedId === id && !this.entry && shownQuery === restored.query) this.#setOpenEntry(restored);
  }

  /** Save the shown answer as a new entry. */
  saveAsNewEntry(entry) {
    this.isOffered = false;
    this.#setOpenEntry(this.#savedEntries.add({ ...entry, label: this.#label }));
  }
}
