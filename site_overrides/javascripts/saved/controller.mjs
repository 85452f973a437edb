// Connects a calculator's page with its saved entries: which entry is open, when it is written, and the notices when another
// tab has written it or the browser saves nothing. docs/contributing/saved-entries.md lists the attributes of the form.
import { showEntryPlaceholder } from "../calculator/loading-placeholder.mjs";
import { findControl, withValue } from "../calculator/form.mjs";
import { downloadFile } from "../shared/share.mjs";
import { createImportOffer } from "../page/house-rules.mjs";
import {
  SavedEntries,
  recoverFromMirror,
  parseExportFile,
  buildExportFile,
  freeName,
  pendingWrite,
  kindOf,
  nextName,
  importEntries,
  withoutStage,
} from "./store.mjs";
import { SavedList } from "./list-view.mjs";
import { createButton, showNotice, removeNotice } from "../page/notices.mjs";
import { CurrentEntry } from "./current-entry.mjs";
import { revealNotice } from "./file-import.mjs";
import { storageKeyOf, root } from "../shared/urls.mjs";

export class SavedController {
  #element;
  #form;
  #open; // shows a query
  #kept;
  #list;
  #now; // which entry is open
  #said = ""; // which conflict is told
  #isPersistAsked = false;
  #isTouched = false; // whether the reader has done something here

  /** `form` gives the calculator's form, and `open` shows a query. */
  constructor(element, form, open, signal) {
    this.#element = element;
    this.#form = form;
    this.#open = open;
    this.#kept = new SavedEntries(form().dataset.keep);
    this.#now = new CurrentEntry(this.#kept, storageKeyOf(`scratch-open-${element.getAttribute("name")}`));
    this.#list = new SavedList(element, this.#kept, () => this.words, {
      open: (id, pressed) => this.#show(id, pressed),
      copy: (entry) => this.#runWrite(() => this.#kept.add(this.#withUniqueName(entry, `Copy of ${entry.name}`))),
      rename: (entry, name, more) => this.#rename(entry, name, more),
      remove: (id) => this.#remove(id),
      restore: (id, text) => this.#runWrite(() => this.#now.restore(id, text, element.dataset.query)),
      keep: () => this.#saveAsCopy(),
    });
    addEventListener("storage", (event) => this.#handleStorageEvent(event), { signal });
    for (const sign of ["click", "input", "submit"]) element.addEventListener(sign, () => (this.#isTouched = true), { signal });
    void recoverFromMirror().then(() => signal.aborted || this.#settle());
  }

  /** The id of what is open. */
  get openId() {
    return this.#now.entry?.id;
  }

  /** The name of an entry that goes on after what is open, as a query says it; "" where that has no name of its own. */
  get nextName() {
    const { entry } = this.#now;
    const control = entry && this.#nameControl(entry.query);
    const own = control && (valueIn(entry.query, control) || (entry.isNamed && entry.name));
    return own ? `&${control}=${encodeURIComponent(nextName(own, this.#bareEntries()))}` : "";
  }

  get words() {
    const [one, many] = (this.#form()?.dataset.keepWords ?? "entry, entries").split(", ");
    return { one, many };
  }

  /** The entry to begin with: the one that `asked`, the address, speaks of; without it the one that was open last. */
  begin(asked, isSame) {
    const found = this.#now.begin(asked, isSame);
    this.#renderList();
    return found;
  }

  /** What a killed browser had not written yet is there again: go on with that, unless the reader has begun already. */
  #settle() {
    let first = null;
    void this.#runWrite(() => (first = this.#now.settle(this.#isTouched)));
    if (!first) return;
    if (this.#element.dataset.opening) showEntryPlaceholder(this.#element, first, this.words.one);
    this.#open(() => first.query, { isRestored: true });
  }

  /** An answer has come: keep it. `isRestored` when it is that of an entry, `isBeside` when it is to be a new one. */
  answered(query, summary, { isRestored = false, isBeside = false, typed = true, isBack = false, isElsewhere = false } = {}) {
    if (this.#element.querySelector("[data-refused]")) {
      if (isRestored) this.#now.refuse();
      return this.#renderList();
    }
    const { keptName = "", keptTold, unkept, keepTouched } = this.#form().dataset;
    const isNamed = (each) => this.#isNamedIn(each);
    const [isUnkept, isKeptTouched] = [unkept !== undefined, keepTouched !== undefined];
    const how = { isBeside, isBack, isElsewhere, typed, isNamed, isUnkept, isKeptTouched };
    void this.#runWrite(() => this.#now.answered({ query, summary: keptTold ?? summary, name: keptName }, how));
  }

  /** Do what writes, and say so when the browser does not let it. Gives whether it did, once it is known how long that
   *  lasts. */
  async #runWrite(write) {
    delete this.#element.dataset.lasts;
    const before = pendingWrite();
    let isDone = true;
    try {
      write();
      if (pendingWrite() !== before) this.#handleWritten();
    } catch (error) {
      isDone = false;
      this.#showWriteFailure(error);
    }
    this.#renderList();
    await this.#showDurability();
    return isDone;
  }

  #handleWritten() {
    removeNotice(this.#element, "unkept");
    this.#askToPersist();
  }

  /** Let the element say, with `data-lasts`, that what is seen is where a killed browser finds it again. */
  async #showDurability() {
    const lasting = pendingWrite();
    const isSure = await lasting;
    if (lasting !== pendingWrite()) return;
    const { entry, answer, conflict } = this.#now;
    const isSeen = entry && !conflict && entry.query === answer?.query;
    this.#list.setDurability({ isDelayed: !isSure });
    this.#element.toggleAttribute("data-lasts", Boolean(isSure && isSeen));
  }

  #askToPersist() {
    if (this.#isPersistAsked) return;
    this.#isPersistAsked = true;
    navigator.storage?.persist?.().then(
      (isLasting) => this.#list.setDurability({ isLasting }),
      () => {},
    );
  }

  // ---- what the list asks for

  /** Open an entry, when its turn has come: what was pressed before belongs to the one that was open then. `pressed` is
   *  what is pressed in it at once. */
  #show(id, pressed = "") {
    const query = () => {
      const entry = this.#now.show(id);
      this.#renderList();
      return entry && [entry.query, pressed].filter(Boolean).join("&");
    };
    this.#open(query, { isRestored: true });
  }

  /** Give an entry another name, or a label and a note (`more`). */
  #rename(entry, name, more) {
    void this.#runWrite(() => {
      const now = this.#now.rename(entry, (each) => ({ ...(name === this.#bare(each.name) ? each : this.#withName(each, name)), ...more }));
      if (now) this.#showName(now);
    });
  }

  /** An entry under another name, which its query says too where the form has a control for that. */
  #withName(entry, name) {
    const control = this.#nameControl(entry.query);
    if (!control) return { ...entry, name, isNamed: true };
    const isTold = entry.name && entry.summary.startsWith(entry.name);
    const summary = isTold ? name + entry.summary.slice(entry.name.length) : entry.summary;
    const stage = entry.name.slice(this.#bare(entry.name).length);
    return { ...entry, name: name + stage, isNamed: false, query: withValue(entry.query, control, name), summary };
  }

  /** A name without how far the entry has come, where its calculator's names end with that. */
  #bare(name) {
    return this.#form()?.dataset.keptStaged === undefined ? name : withoutStage(name);
  }

  #bareEntries() {
    return this.#kept.entries().map(({ name }) => ({ name: this.#bare(name) }));
  }

  /** Whether a query says itself what its entry is called; a name with a stage is the answer's while the query has none. */
  #isNamedIn(query) {
    const control = this.#nameControl(query);
    return control !== null && (this.#form().dataset.keptStaged === undefined || valueIn(query, control) !== "");
  }

  /** The same under a name that no other entry has. */
  #withUniqueName(entry, wanted) {
    const name = freeName(this.#bare(wanted), this.#bareEntries());
    return name === this.#bare(entry.name) ? entry : { ...this.#withName(entry, name), isNamed: entry.isNamed };
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
    const control = findControl(this.#form(), wanted);
    if (!control || control.type === "hidden") return this.#open(() => query, { isRestored: true });
    control.value = name;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #remove(id) {
    const text = this.#now.remove(id, this.#element.hasAttribute("stale"));
    this.#showConflict();
    return text;
  }

  // ---- a file

  /** Take in a file of kept entries, and show the only one. False: the text is no such file. */
  opened(text) {
    const kept = importFile(this.#element, text);
    if (!kept) return false;
    this.#askToPersist();
    this.#renderList();
    if (kept.length === 1 && this.#isOwn(kept[0])) this.#show(kept[0].id);
    return true;
  }

  #isOwn(entry) {
    return kindOf(entry) === this.#element.getAttribute("name");
  }

  // ---- another tab

  #handleStorageEvent({ key }) {
    if (!this.#kept.isAbout(key)) return;
    this.#now.checkForConflict();
    this.#renderList();
  }

  #showConflict() {
    const { conflict, entry } = this.#now;
    const theirs = conflict === "changed" ? this.#kept.get(entry.id) : null;
    const what = conflict && `${conflict} ${entry.id} ${theirs?.revision}`;
    if (what === this.#said) return;
    this.#said = what;
    if (!conflict) return removeNotice(this.#element, "conflict");
    if (conflict === "removed") return this.#showRemoved();
    const there = [theirs?.name, theirs?.summary].filter(Boolean).join(": ");
    const words =
      `This ${this.words.one} was changed in another tab${there && `. There: ${there}`} Nothing here is saved until you choose a version.`.replace(
        /([^.!?]) Nothing here/,
        "$1. Nothing here",
      );
    showNotice(this.#element, "conflict", words, [
      createButton("Use the other tab’s version", () => this.#show(entry.id)),
      " ",
      createButton("Save this one as a copy", () => this.#saveAsCopy()),
    ]);
  }

  #showRemoved() {
    const words = `This ${this.words.one} was deleted in another tab, or the browser's storage was cleared.`;
    showNotice(this.#element, "conflict", words, [createButton("Save again", () => this.#saveAsCopy())]);
  }

  #saveAsCopy() {
    const { query, name, summary } = this.#now.answer ?? this.#now.entry;
    const entry = this.#withUniqueName({ query, summary, name }, name);
    return this.#runWrite(() => {
      this.#now.saveAsCopy(entry);
      if (entry.query !== query) this.#showName(entry);
    });
  }

  // ---- what is said

  #showWriteFailure(error) {
    const { answer } = this.#now;
    const why = whyUnkept(error);
    if (!answer) return showNotice(this.#element, "unkept", `${why}. Nothing more can be saved here.`);
    const words = `${why}. What you see here isn’t saved and will be lost when you close this tab. Export it; “Import file” opens it again.`;
    const { keep } = this.#form().dataset;
    const file = () => buildExportFile([{ version: keep, id: "", ...answer }]);
    showNotice(this.#element, "unkept", words, [createButton("Export", () => downloadFile(`${fileName(answer.name)}.json`, file()))]);
  }

  #renderList() {
    this.#showConflict();
    const { entry, isOffered } = this.#now;
    const { keptShown: shown, keptShared: shared, keptPresses: presses, keptStaged } = this.#form()?.dataset ?? {};
    this.#list.draw({ openId: entry?.id, shown, shared, isOffered, isStaged: keptStaged !== undefined, presses });
  }
}

const valueIn = (query, control) => new URLSearchParams(query).get(control)?.trim() ?? "";

const fileName = (name) =>
  (name ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "kept";

const whyUnkept = (error) =>
  error?.name === "QuotaExceededError" ? "Your browser’s storage is full" : "Your browser blocks saving on this site";

/** Keep what a file of kept entries has, and say where it went. Gives what is kept now; null: no such file. */
export function importFile(element, text) {
  const found = parseExportFile(text);
  if (!found) return null;
  const { added, same, rules, unknown, left, error } = importEntries(found.entries);
  const all = added.length + left.length;
  const sentences = all || !rules.length ? [`Imported ${left.length ? `${added.length} of ${all}` : all}.`] : [];
  if (left.length) sentences.push(`${whyUnkept(error)}. Not imported: ${inWords(left)}.`);
  if (same.length) sentences.push(`Skipped ${same.length} you already had.`);
  if (unknown.length) sentences.push(`Skipped from another version of this site: ${inWords(unknown)}.`);
  if (found.unread) sentences.push(`${found.unread} ${found.unread === 1 ? "entry" : "entries"} couldn’t be read.`);
  const kept = [...added, ...same];
  /** @type {HTMLElement[]} */
  const links = [...new Set(kept.map(kindOf))].map((kind) => {
    const isHere = kind === element.getAttribute("name");
    const textContent = isHere ? "Show in the list on this page" : `Show on the ${kind} page`;
    return Object.assign(document.createElement("a"), { href: `${root}tools/${kind}/`, textContent });
  });
  if (rules.length) sentences.push(`House rules in the file: ${rules.length}.`);
  links.push(...rules.map(createImportOffer));
  showNotice(
    element,
    "taken",
    sentences.join(" "),
    links.flatMap((link) => [link, " "]),
  );
  revealNotice(element, "taken");
  return kept;
}

const MOST_NAMED = 10;

/** Entries by their names, as a sentence has them. */
function inWords(entries) {
  const names = entries
    .slice(0, MOST_NAMED)
    .map(({ name, version }) => `“${name || version}”`)
    .join(", ");
  const more = entries.length - MOST_NAMED;
  return more > 0 ? `${names} and ${more} more` : names;
}
