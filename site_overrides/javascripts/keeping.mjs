// What a calculator's page does about its kept entries: which of them it has open, when it is written, and what is said
// when another tab has written it, or when the browser keeps nothing. For a form with
//   data-keep="fight/1"   keep the last answer's query; the calculator's name, and the number of the kept form's version
//   data-keep-words="fight, fights"   what one and several of them are called
//   data-kept-name="…"    what this answer would be called in the list
//   data-kept-names="name, sheet"   that control holds the entry's own name, unless the other one is filled: to rename the
//                         entry is to write there. Without it a name that the reader has given is the list's alone
//   data-kept-shown       the list stands above the answer, unfolded; "folded": folded, unless something could not be read, and there also while empty
//   data-keep-touched     what a link has opened is kept only when the reader does something with it, or asks for it
//   data-unkept           this answer has nothing of the reader's own yet
// An answer with [data-refused] in it is not kept; one to a button with data-beside is kept beside what was open.
import { named, withValue } from "./form.mjs";
import { save } from "./handing.mjs";
import { Kept, entriesIn, entryIn, fileOf, freeName, kindOf, takeIn } from "./kept.mjs";
import { KeptList } from "./kept-list.mjs";
import { button, say, unsay } from "./notices.mjs";
import { showNotice } from "./opening.mjs";
import { ownName, root } from "./place.mjs";
import { session } from "./stored.mjs";

const NONE = "-"; // a tab that has nothing of what is kept open

export class Keeping {
  #element;
  #form;
  #open; // shows a query
  #kept;
  #list;
  #entry = null; // what is open here, as it was last read or written
  #text = ""; // its stored text then
  #answer = null; // the last answer, kept or not
  #isOffered = false; // what is seen is nobody's entry, and can be made one
  #isPersistAsked = false;
  #removed = null; // the id of what was open when it was deleted

  /** `form` gives the calculator's form, and `open` shows a query. */
  constructor(element, form, open, signal) {
    this.#element = element;
    this.#form = form;
    this.#open = open;
    this.#kept = new Kept(form().dataset.keep);
    this.#list = new KeptList(element, this.#kept, () => this.words, {
      open: (id) => this.#show(id),
      copy: (entry) => this.#tried(() => this.#kept.add(this.#beside(entry, `Copy of ${entry.name}`))),
      rename: (entry, name) => this.#rename(entry, name),
      remove: (id) => this.#remove(id),
      restore: (id, text) => this.#restore(id, text),
      keep: () => this.#keepBeside(),
    });
    addEventListener("storage", (event) => this.#changedElsewhere(event), { signal });
  }

  get words() {
    const [one, many] = (this.#form()?.dataset.keepWords ?? "entry, entries").split(", ");
    return { one, many };
  }

  get #openName() {
    return `${ownName(`scratch-open-${this.#element.getAttribute("name")}`)}`;
  }

  /** The entry to begin with: the one that `asked`, the address, speaks of; without it the one that was open last. */
  begin(asked, isSame) {
    const entries = this.#kept.entries();
    const found = asked === null ? this.#lastOpen(entries) : entries.find((entry) => isSame(entry.query, asked));
    if (found) this.#take(found);
    else [this.#entry, this.#text] = [null, ""];
    this.#drawList();
    return found ?? null;
  }

  #lastOpen(entries) {
    let id = null;
    try {
      id = session().getItem(this.#openName);
    } catch {
      // no storage: the latest, if any
    }
    return id === NONE ? null : (entries.find((entry) => entry.id === id) ?? entries[0]);
  }

  /** An answer has come: keep it. `isRestored` when it is that of an entry, `isBeside` when it is to be a new one. */
  answered(query, summary, { isRestored = false, isBeside = false, typed = true, isBack = false } = {}) {
    if (this.#element.querySelector("[data-refused]")) {
      if (isRestored && this.#entry) this.#refuse();
      return this.#drawList();
    }
    this.#answer = { query, summary, name: this.#form().dataset.keptName ?? "" };
    if (isBeside || !query) this.#take(null);
    if (!this.#entry || isBack) this.#takeTwin();
    const isSeenOnly = this.#isSeenOnly(typed);
    this.#isOffered = isSeenOnly && !this.#entry && Boolean(query && this.#answer.name);
    if (query && !isSeenOnly) this.#keep();
    this.#drawList();
  }

  /** Whether there is nothing of the reader's own in the answer. */
  #isSeenOnly(typed) {
    const form = this.#form();
    return form.hasAttribute("data-unkept") || (!typed && !this.#entry && form.hasAttribute("data-keep-touched"));
  }

  /** Go on with the entry that is the very answer, if there is one. */
  #takeTwin() {
    const { query } = this.#answer;
    if (!query || this.#entry?.query === query) return;
    const twin = this.#kept.entries().find((entry) => entry.query === query);
    if (twin) this.#take(twin);
  }

  #refuse() {
    this.#kept.setAside(this.#entry.id);
    this.#take(null);
  }

  #keep() {
    if (this.#isWrittenElsewhere()) return this.#sayConflict();
    const { query, summary } = this.#answer;
    const isFixed = this.#entry?.isNamed && !this.#nameControl(query);
    const name = isFixed ? this.#entry.name : this.#answer.name || (this.#entry?.name ?? "");
    const before = this.#entry;
    const isSame = before && before.query === query && before.name === name && before.summary === summary;
    if (isSame && this.#text) return;
    const after = { ...before, name, query, summary };
    this.#tried(() => this.#take(before ? this.#kept.put(after) : this.#kept.add(after)));
  }

  #isWrittenElsewhere() {
    if (!this.#entry) return false;
    const text = this.#kept.text(this.#entry.id);
    return Boolean(text) && text !== this.#text;
  }

  #take(entry) {
    this.#entry = entry;
    this.#text = entry ? this.#kept.text(entry.id) : "";
    unsay(this.#element, "conflict");
    try {
      session().setItem(this.#openName, entry ? entry.id : NONE);
    } catch {
      // the latest comes back then
    }
  }

  /** Do what writes, and say so when the browser does not let it. */
  #tried(write) {
    try {
      write();
      unsay(this.#element, "unkept");
      this.#askToPersist();
    } catch (error) {
      this.#sayUnkept(error);
    }
    this.#drawList();
  }

  #askToPersist() {
    if (this.#isPersistAsked) return;
    this.#isPersistAsked = true;
    navigator.storage?.persist?.().then((isLasting) => this.#list.setLasting(isLasting), () => {});
  }

  // ---- what the list asks for

  /** Open an entry, when its turn has come: what was pressed before belongs to the one that was open then. */
  #show(id) {
    const taken = () => {
      const entry = this.#kept.get(id);
      if (entry) this.#take(entry);
      else this.#drawList();
      return entry?.query ?? null;
    };
    this.#open(taken, { isRestored: true });
  }

  #rename(entry, name) {
    const isHere = this.#entry?.id === entry.id && !this.#isWrittenElsewhere();
    const renamed = this.#called(this.#kept.get(entry.id) ?? entry, name);
    this.#tried(() => {
      const now = this.#kept.put(renamed);
      if (!isHere) return;
      this.#take(now);
      this.#showName(now);
    });
  }

  /** An entry under another name, which its query says too where the form has a control for that. */
  #called(entry, name) {
    const control = this.#nameControl(entry.query);
    if (!control) return { ...entry, name, isNamed: true };
    const isTold = entry.name && entry.summary.startsWith(entry.name);
    const summary = isTold ? name + entry.summary.slice(entry.name.length) : entry.summary;
    return { ...entry, name, isNamed: false, query: withValue(entry.query, control, name), summary };
  }

  /** The same under a name that no other entry has. */
  #beside(entry, wanted) {
    const name = freeName(wanted, this.#kept.entries());
    return name === entry.name ? entry : { ...this.#called(entry, name), isNamed: entry.isNamed };
  }

  /** The control that holds what a query's entry is called; null where that is the list's alone. */
  #nameControl(query) {
    const [control, unless] = (this.#form()?.dataset.keptNames ?? "").split(", ");
    const isElsewhere = unless && new URLSearchParams(query).get(unless)?.trim();
    return control && !isElsewhere ? control : null;
  }

  /** Show the name of what is open in the page, as if it had been typed there. */
  #showName({ query, name }) {
    const wanted = this.#nameControl(query);
    if (!wanted) return;
    const control = named(this.#form(), wanted);
    if (!control || control.type === "hidden") return this.#open(() => query, { isRestored: true });
    control.value = name;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #remove(id) {
    const text = this.#kept.remove(id);
    if (this.#entry?.id === id) {
      this.#removed = id;
      this.#take(null);
    }
    return text;
  }

  /** Take a deletion back. What was open, and is still all that is seen here, is open again. */
  #restore(id, text) {
    this.#tried(() => {
      const now = this.#kept.restore(id, text);
      const isSeen = this.#removed === id && !this.#entry && this.#element.dataset.query === now.query;
      if (isSeen) this.#take(now);
    });
  }

  // ---- a file

  /** Take in a file of kept entries, and show the only one. False: the text is no such file, or not in this version. */
  opened(text) {
    const entries = entriesIn(text)?.entries ?? [];
    const { keep } = this.#form().dataset;
    const isStrange = (each) => this.#isOwn(each) && each.version !== keep;
    if (entries.length === 1 && isStrange(entries[0])) return false;
    let kept = null;
    this.#tried(() => (kept = takeInFile(this.#element, text)));
    showNotice(this.#element, kept ? "taken" : "unkept");
    if (kept?.length === 1 && this.#isOwn(kept[0])) this.#show(kept[0].id);
    return entriesIn(text) !== null;
  }

  #isOwn(entry) {
    return kindOf(entry) === this.#element.getAttribute("name");
  }

  // ---- another tab

  #changedElsewhere({ key }) {
    if (!this.#kept.isAbout(key)) return;
    if (this.#kept.takeUpOlder()) this.#sayOlder();
    if (this.#entry && this.#kept.isAbout(key, this.#entry.id)) this.#entryChangedElsewhere();
    this.#drawList();
  }

  #entryChangedElsewhere() {
    const text = this.#kept.text(this.#entry.id);
    if (text === this.#text) return;
    if (!text) return this.#sayRemoved();
    const theirs = entryIn(text, this.#entry.id);
    if (theirs && theirs.query === this.#entry.query) this.#take(theirs); // only its name
    else this.#sayConflict();
  }

  #sayOlder() {
    const { one } = this.words;
    say(this.#element, "older", `A tab with an older version of this page went on with a ${one}. It stands in the list, beside what you have here.`);
  }

  #sayConflict() {
    const { id } = this.#entry;
    const theirs = this.#kept.get(id);
    const there = [theirs?.name, theirs?.summary].filter(Boolean).join(": ");
    const words = `This ${this.words.one} went on in another tab${there && `. There: ${there}`} What you see here is not kept any more until you choose.`.replace(/([^.!?]) What/, "$1. What");
    say(this.#element, "conflict", words, [
      button("Go on as the other tab has it", () => this.#show(id)),
      " ",
      button("Keep this one beside it", () => this.#keepBeside()),
    ]);
  }

  #sayRemoved() {
    const words = `This ${this.words.one} was deleted in another tab, or the browser's storage was cleared.`;
    say(this.#element, "conflict", words, [button("Keep it again", () => this.#keepBeside())]);
  }

  #keepBeside() {
    const { query, name, summary } = this.#answer ?? this.#entry;
    this.#isOffered = false;
    const entry = this.#beside({ query, summary, name }, name);
    this.#tried(() => {
      this.#take(this.#kept.add(entry));
      if (entry.query !== query) this.#showName(entry);
    });
  }

  // ---- what is said

  #sayUnkept(error) {
    const why = error?.name === "QuotaExceededError" ? "This browser's storage is full" : "This browser lets the site keep nothing";
    if (!this.#answer) return say(this.#element, "unkept", `${why}: no more can be kept here.`);
    const words = `${why}: what you see here is not kept, and will be gone with this tab. Save it as a file; “Open a file” reads it again.`;
    const { keep } = this.#form().dataset;
    const file = () => fileOf([{ version: keep, id: "", ...this.#answer }]);
    say(this.#element, "unkept", words, [button("Save it as a file", () => save(`${fileName(this.#answer?.name)}.json`, file()))]);
  }

  #drawList() {
    this.#list.draw({ openId: this.#entry?.id, shown: this.#form()?.dataset.keptShown, isOffered: this.#isOffered });
  }
}

const fileName = (name) => (name ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60) || "kept";

/** Keep what a file of kept entries has, and say where it went. Gives what is kept now; null: no such file. */
export function takeInFile(element, text) {
  const found = entriesIn(text);
  if (!found) return null;
  const { added, same } = takeIn(found.entries);
  const sentences = [`Taken in from the file: ${added.length}.`];
  if (same.length) sentences.push(`Here already: ${same.length}.`);
  if (found.unread) sentences.push(`Not to be read: ${found.unread}.`);
  const kept = [...added, ...same];
  const links = [...new Set(kept.map(kindOf))].map((kind) => {
    const isHere = kind === element.getAttribute("name");
    const textContent = isHere ? "They are in the list on this page" : `See them on the page “${kind}”`;
    return Object.assign(document.createElement("a"), { href: `${root}tools/${kind}/`, textContent });
  });
  say(element, "taken", sentences.join(" "), links.flatMap((link) => [link, " "]));
  return kept;
}
