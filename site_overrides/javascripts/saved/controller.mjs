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
import { revealNotice } from "./file-import.mjs";
import { storageKeyOf, root } from "../shared/urls.mjs";

export class SavedController {
  #element;
  #form;
  #requestAnswer; // requests the answer to a query
  #savedEntries;
  #list;
  #current; // the open entry
  #shownConflict = ""; // the conflict in the notice
  #isPersistAsked = false;
  #hasInteracted = false; // whether the user has interacted with the calculator

  /** `form` returns the calculator's form, and `open` requests the answer to a query. */
  constructor(element, form, open, signal) {
    this.#element = element;
    this.#form = form;
    this.#requestAnswer = open;
    this.#savedEntries = new SavedEntries(form().dataset.keep);
    this.#current = new CurrentEntry(this.#savedEntries, storageKeyOf(`scratch-open-${element.getAttribute("name")}`));
    this.#list = new SavedList(element, this.#savedEntries, () => this.words, {
      open: (id, pressed) => this.#openEntry(id, pressed),
      copy: (entry) => this.#runWrite(() => this.#savedEntries.add(this.#withUniqueName(entry, `Copy of ${entry.name}`))),
      rename: (entry, name, more) => this.#renameEntry(entry, name, more),
      remove: (id) => this.#deleteEntry(id),
      restore: (id, text) => this.#runWrite(() => this.#current.restore(id, text, element.dataset.query)),
      saveCopy: () => this.#saveAsCopy(),
    });
    addEventListener("storage", (event) => this.#handleStorageEvent(event), { signal });
    for (const type of ["click", "input", "submit"]) element.addEventListener(type, () => (this.#hasInteracted = true), { signal });
    void recoverFromMirror().then(() => signal.aborted || this.#showRecovered());
  }

  /** The id of the open entry. */
  get openId() {
    return this.#current.entry?.id;
  }

  /** The query parameter with the name of an entry that continues the open one; "" if that has no name of its own. */
  get nextNameParam() {
    const { entry } = this.#current;
    const control = entry && this.#findNameControl(entry.query);
    const name = control && (queryValue(entry.query, control) || (entry.isNamed && entry.name));
    return name ? `&${control}=${encodeURIComponent(findNextName(name, this.#listBareNames()))}` : "";
  }

  get words() {
    const [one, many] = (this.#form()?.dataset.keepWords ?? "entry, entries").split(", ");
    return { one, many };
  }

  /** Open the initial entry and return it: the one with the `query` of the URL; without a query, the one that was open last. */
  openInitial(query, isSame) {
    const entry = this.#current.openInitial(query, isSame);
    this.#renderList();
    return entry;
  }

  /** Show an entry that was recovered from the mirror, unless the user has interacted already. */
  #showRecovered() {
    let recovered = null;
    void this.#runWrite(() => (recovered = this.#current.finishRecovery(this.#hasInteracted)));
    if (!recovered) return;
    if (this.#element.dataset.opening) showEntryPlaceholder(this.#element, recovered, this.words.one);
    this.#requestAnswer(() => recovered.query, { isRestored: true });
  }

  /** Save an answer. `isRestored`: it is the answer of a saved entry; the other options are those of `CurrentEntry`. */
  handleAnswer(query, summary, { isRestored = false, newEntry = false, typed = true, isUndo = false, isOtherEntry = false } = {}) {
    if (this.#element.querySelector("[data-refused]")) {
      if (isRestored) this.#current.rejectEntry();
      return this.#renderList();
    }
    const { keptName = "", keptTold, unkept, keepTouched } = this.#form().dataset;
    const isNamed = (each) => this.#isNamedByQuery(each);
    const [isTransient, needsInteraction] = [unkept !== undefined, keepTouched !== undefined];
    const how = { newEntry, isUndo, isOtherEntry, typed, isNamed, isTransient, needsInteraction };
    void this.#runWrite(() => this.#current.handleAnswer({ query, summary: keptTold ?? summary, name: keptName }, how));
  }

  /** Run a write, and show a notice if it fails. Resolves to whether it succeeded, once its durability is known. */
  async #runWrite(write) {
    delete this.#element.dataset.lasts;
    const before = pendingWrite();
    let isWritten = true;
    try {
      write();
      if (pendingWrite() !== before) this.#handleWritten();
    } catch (error) {
      isWritten = false;
      this.#showWriteFailure(error);
    }
    this.#renderList();
    await this.#showDurability();
    return isWritten;
  }

  #handleWritten() {
    removeNotice(this.#element, "unkept");
    this.#askToPersist();
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

  #askToPersist() {
    if (this.#isPersistAsked) return;
    this.#isPersistAsked = true;
    navigator.storage?.persist?.().then(
      (isPersisted) => this.#list.setDurability({ isPersisted }),
      () => {},
    );
  }

  // ---- actions of the list

  /** Open an entry when earlier requests, which belong to the entry open then, are answered. `pressed` is a query parameter
   *  that is appended, as if its button was pressed. */
  #openEntry(id, pressed = "") {
    const query = () => {
      const entry = this.#current.open(id);
      this.#renderList();
      return entry && [entry.query, pressed].filter(Boolean).join("&");
    };
    this.#requestAnswer(query, { isRestored: true });
  }

  /** Rename an entry, and change its label and note (`more`). */
  #renameEntry(entry, name, more) {
    void this.#runWrite(() => {
      const renamed = this.#current.rename(entry, (each) => ({
        ...(name === this.#bareName(each.name) ? each : this.#withName(each, name)),
        ...more,
      }));
      if (renamed) this.#showName(renamed);
    });
  }

  /** Return an entry with another name, also in its query if the form has a control for the name. */
  #withName(entry, name) {
    const control = this.#findNameControl(entry.query);
    if (!control) return { ...entry, name, isNamed: true };
    const startsWithName = entry.name && entry.summary.startsWith(entry.name);
    const summary = startsWithName ? name + entry.summary.slice(entry.name.length) : entry.summary;
    const stage = entry.name.slice(this.#bareName(entry.name).length);
    return { ...entry, name: name + stage, isNamed: false, query: withValue(entry.query, control, name), summary };
  }

  /** Return a name without its stage, if the names of this calculator end with one. */
  #bareName(name) {
    return this.#form()?.dataset.keptStaged === undefined ? name : stripStage(name);
  }

  #listBareNames() {
    return this.#savedEntries.entries().map(({ name }) => ({ name: this.#bareName(name) }));
  }

  /** Whether a query contains the name of its entry. With stages, an empty name in the query does not count. */
  #isNamedByQuery(query) {
    const control = this.#findNameControl(query);
    return control !== null && (this.#form().dataset.keptStaged === undefined || queryValue(query, control) !== "");
  }

  /** Return an entry with a name that no other entry has. */
  #withUniqueName(entry, wanted) {
    const name = findFreeName(this.#bareName(wanted), this.#listBareNames());
    return name === this.#bareName(entry.name) ? entry : { ...this.#withName(entry, name), isNamed: entry.isNamed };
  }

  /** Return the name of the control with the entry's name, or null if only the list has the name. */
  #findNameControl(query) {
    const [control, alternative] = (this.#form()?.dataset.keptNames ?? "").split(", ");
    const hasAlternative = alternative && new URLSearchParams(query).get(alternative)?.trim();
    return control && !hasAlternative ? control : null;
  }

  /** Fill in the name of the open entry, as if the user had typed it. */
  #showName({ query, name }) {
    const controlName = this.#findNameControl(query);
    if (!controlName) return;
    const control = findControl(this.#form(), controlName);
    if (!control || control.type === "hidden") return this.#requestAnswer(() => query, { isRestored: true });
    control.value = name;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #deleteEntry(id) {
    const text = this.#current.remove(id, this.#element.hasAttribute("stale"));
    this.#showConflict();
    return text;
  }

  // ---- import

  /** Import an export file, and open its entry if it has one only. Returns false for any other text. */
  importText(text) {
    const imported = importFile(this.#element, text);
    if (!imported) return false;
    this.#askToPersist();
    this.#renderList();
    if (imported.length === 1 && this.#isOwnKind(imported[0])) this.#openEntry(imported[0].id);
    return true;
  }

  #isOwnKind(entry) {
    return kindOf(entry) === this.#element.getAttribute("name");
  }

  // ---- other tabs

  #handleStorageEvent({ key }) {
    if (!this.#savedEntries.hasKey(key)) return;
    this.#current.checkForConflict();
    this.#renderList();
  }

  #showConflict() {
    const { conflict, entry } = this.#current;
    const latest = conflict === "changed" ? this.#savedEntries.get(entry.id) : null;
    const conflictId = conflict && `${conflict} ${entry.id} ${latest?.revision}`;
    if (conflictId === this.#shownConflict) return;
    this.#shownConflict = conflictId;
    if (!conflict) return removeNotice(this.#element, "conflict");
    if (conflict === "removed") return this.#showRemoved();
    const description = [latest?.name, latest?.summary].filter(Boolean).join(": ");
    const words =
      `This ${this.words.one} was changed in another tab${description && `. There: ${description}`} Nothing here is saved until you choose a version.`.replace(
        /([^.!?]) Nothing here/,
        "$1. Nothing here",
      );
    showNotice(this.#element, "conflict", words, [
      createButton("Use the other tab's version", () => this.#openEntry(entry.id)),
      " ",
      createButton("Save this one as a copy", () => this.#saveAsCopy()),
    ]);
  }

  #showRemoved() {
    const words = `This ${this.words.one} was deleted in another tab, or the browser's storage was cleared.`;
    showNotice(this.#element, "conflict", words, [createButton("Save again", () => this.#saveAsCopy())]);
  }

  #saveAsCopy() {
    const { query, name, summary } = this.#current.answer ?? this.#current.entry;
    const entry = this.#withUniqueName({ query, summary, name }, name);
    return this.#runWrite(() => {
      this.#current.saveAsCopy(entry);
      if (entry.query !== query) this.#showName(entry);
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
      createButton("Export", () => downloadFile(`${fileNameFor(answer.name)}.json`, buildFile())),
    ]);
  }

  #renderList() {
    this.#showConflict();
    const { entry, isOffered } = this.#current;
    const { keptShown: shown, keptShared: shared, keptPresses: presses, keptStaged } = this.#form()?.dataset ?? {};
    this.#list.render({ openId: entry?.id, shown, shared, isOffered, isStaged: keptStaged !== undefined, presses });
  }
}

const queryValue = (query, control) => new URLSearchParams(query).get(control)?.trim() ?? "";

const fileNameFor = (name) =>
  (name ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "kept";

const describeWriteError = (error) =>
  error?.name === "QuotaExceededError" ? "Your browser's storage is full" : "Your browser blocks saving on this site";

/** Import an export file, and show the result in a notice. Returns the entries that are saved now, or null for any other text. */
export function importFile(element, text) {
  const parsed = parseExportFile(text);
  if (!parsed) return null;
  const { added, duplicates, houseRules, unknown, failed, error } = importEntries(parsed.entries);
  const total = added.length + failed.length;
  const sentences = total || !houseRules.length ? [`Imported ${failed.length ? `${added.length} of ${total}` : total}.`] : [];
  if (failed.length) sentences.push(`${describeWriteError(error)}. Not imported: ${listNames(failed)}.`);
  if (duplicates.length) sentences.push(`Skipped ${duplicates.length} you already had.`);
  if (unknown.length) sentences.push(`Skipped from another version of this site: ${listNames(unknown)}.`);
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
  revealNotice(element, "taken");
  return imported;
}

const MAX_LISTED = 10;

/** List the names of entries for a sentence. */
function listNames(entries) {
  const names = entries
    .slice(0, MAX_LISTED)
    .map(({ name, version }) => `“${name || version}”`)
    .join(", ");
  const more = entries.length - MAX_LISTED;
  return more > 0 ? `${names} and ${more} more` : names;
}
