// Which of the kept entries a tab has open, when it is written, and what became of it elsewhere. It knows no page: what is
// to be said and drawn is controller.mjs's. Nothing is written over what this tab has not read.
import { freeName } from "./store.mjs";
import { session } from "../shared/web-storage.mjs";

const NONE = "-"; // a tab that has nothing of what is kept open

export class CurrentEntry {
  entry = null; // as it was last read or written
  answer = null; // the last answer, kept or not: {query, summary, name}
  conflict = ""; // "changed" or "removed" elsewhere, until the reader chooses
  isOffered = false; // what is seen is nobody's entry, and can be made one
  #kept;
  #place; // the name under which the tab remembers which one it is
  #text = ""; // the entry's stored text, as it was last read or written
  #removed = null; // the id of what was open when it was deleted
  #isDropped = false; // the answer under way belongs to what was deleted
  #isSettled = false; // whether it is known that nothing has to be brought back any more
  #again = null; // finds what to begin with once more, until then
  #held = null; // the answer that waits until then
  #label = ""; // the campaign of the next entry that goes on along with what was open

  constructor(kept, place) {
    this.#kept = kept;
    this.#place = place;
  }

  /** The entry to begin with: the one that is what is `asked`; where nothing is, the one that was open last. */
  begin(asked, isSame) {
    const find = () => this.#findInitialEntry(asked, isSame);
    if (!this.#isSettled) this.#again = find;
    const found = find();
    if (found) this.#adopt(found);
    else [this.entry, this.#text] = [null, ""];
    return found;
  }

  #findInitialEntry(asked, isSame) {
    const entries = this.#kept.entries();
    if (asked !== null) return entries.find((entry) => isSame(entry.query, asked)) ?? null;
    const id = this.#findRememberedEntry();
    return id === NONE ? null : (entries.find((entry) => entry.id === id) ?? entries[0] ?? null);
  }

  #findRememberedEntry() {
    try {
      return session().getItem(this.#place);
    } catch {
      return null; // no storage: the latest, if any
    }
  }

  /** Something was brought back, or nothing: what waited for that is kept. Gives an entry that the tab would have begun
   *  with; none where the reader has done something in it. */
  settle(isTouched) {
    const first = isTouched ? null : this.#again?.();
    const isNew = Boolean(first) && (first.id !== this.entry?.id || this.#kept.text(first.id) !== this.#text);
    const held = this.#held;
    [this.#isSettled, this.#again] = [true, null];
    if (isNew) this.#adopt(first);
    else if (held) this.answered(...held);
    this.checkForConflict();
    return isNew ? first : null;
  }

  /** An answer has come. `how`: isBeside, it is to be a new entry, with "along" in the campaign of what was open; isBack, it
   *  was answered before, and isElsewhere, of another entry; typed, the reader has made it; isUnkept, nothing in it is the reader's own, nor is it, with isKeptTouched, in what they have not made;
   *  isNamed(query), whether the answer says what it is called. */
  answered(answer, how) {
    this.answer = answer;
    this.#held = null;
    if (how.isBeside) this.#label = how.isBeside === "along" ? (this.entry?.label ?? this.#label) : "";
    if (how.isBeside || how.isElsewhere || !answer.query) this.#adopt(null);
    if (!this.entry || how.isBack) this.#adoptDuplicate();
    const isSeenOnly = how.isUnkept || (!this.entry && (this.#isDropped || (!how.typed && how.isKeptTouched)));
    this.#isDropped = false;
    this.isOffered = isSeenOnly && !this.entry && Boolean(answer.query && answer.name);
    if (!answer.query || isSeenOnly) return;
    if (!this.#isSettled && !how.typed) this.#held = [answer, how];
    else this.#keep(how);
  }

  /** The answer to what is open was refused: it is put aside. */
  refuse() {
    if (!this.entry) return;
    this.#kept.quarantine(this.entry.id);
    this.#adopt(null);
  }

  /** Go on with the entry that is the very answer, if there is one. */
  #adoptDuplicate() {
    const { query } = this.answer;
    if (!query || this.entry?.query === query) return;
    const twin = this.#kept.entries().find((entry) => entry.query === query);
    if (twin) this.#adopt(twin);
  }

  #keep({ isNamed, typed }) {
    this.#again = null;
    this.checkForConflict();
    if (this.conflict === "changed" || (this.conflict && !typed)) return;
    const before = this.entry;
    const { query, summary } = this.answer;
    const isFixed = before?.isNamed && !isNamed(query);
    const called = this.answer.name || (before?.name ?? "");
    const others = this.#kept.entries().filter(({ id }) => id !== before?.id);
    const name = isFixed ? before.name : isNamed(query) ? called : freeName(called, others);
    const isSame = before && before.query === query && before.name === name && before.summary === summary;
    if (isSame) return;
    const after = { label: this.#label, ...before, name, query, summary };
    const isGone = !before || this.conflict === "removed"; // one that was deleted never goes on under its id
    this.#adopt(isGone ? this.#kept.add(after) : this.#kept.put(after));
  }

  #adopt(entry) {
    this.entry = entry;
    this.#text = entry ? this.#kept.text(entry.id) : "";
    this.conflict = "";
    this.#held = null;
    if (entry) this.#label = entry.label;
    try {
      session().setItem(this.#place, entry ? entry.id : NONE);
    } catch {
      // the latest comes back then
    }
  }

  /** Look whether what is open was written or deleted elsewhere; what is the very same as what is seen here is read. */
  checkForConflict() {
    if (!this.entry) return;
    const text = this.#kept.text(this.entry.id);
    if (text === this.#text) return;
    const theirs = this.#kept.get(this.entry.id);
    if (theirs && theirs.query === (this.answer ?? this.entry).query) this.#adopt(theirs);
    else this.conflict = text ? "changed" : "removed";
  }

  // ---- what the reader asks for

  /** Open an entry; null where it is gone. */
  show(id) {
    const entry = this.#kept.get(id);
    if (!entry) return null;
    this.#adopt(entry);
    this.answer = null;
    return entry;
  }

  /** Write an entry under another name; `renamed` makes it. Gives it where it is the one that is seen here. */
  rename(entry, renamed) {
    this.checkForConflict();
    const isHere = this.entry?.id === entry.id && !this.conflict;
    const there = this.#kept.get(entry.id); // another tab may have gone on with it, or deleted it
    const now = there && this.#kept.put(renamed(there));
    if (!now || !isHere) return null;
    this.#adopt(now);
    return now;
  }

  /** Delete an entry, and give its text; `isAsked` while an answer is under way. */
  remove(id, isAsked) {
    const text = this.#kept.remove(id);
    if (this.entry?.id !== id) return text;
    this.#removed = id;
    this.#isDropped = isAsked;
    this.#adopt(null);
    return text;
  }

  /** Take a deletion back. What was open, and is still all that is `seen` here, is open again. */
  restore(id, text, seen) {
    const now = this.#kept.restore(id, text);
    if (this.#removed === id && !this.entry && seen === now.query) this.#adopt(now);
  }

  /** Keep what is seen beside all else. */
  saveAsCopy(entry) {
    this.isOffered = false;
    this.#adopt(this.#kept.add({ ...entry, label: this.#label }));
  }
}
