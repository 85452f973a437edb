// The list of a calculator's kept entries: open, copy, rename, delete with undo, and all of them as a file.
import { isolateNames } from "../shared/bidi.mjs";
import { downloadFile, flashLabel } from "../shared/share.mjs";
import { deleteEntry, buildExportFile, findDuplicate, withoutStage } from "./store.mjs";
import { formatQuery, parseStorageKey, toolUrlOf } from "../shared/urls.mjs";

export class SavedList {
  #element;
  #kept;
  #words;
  #do;
  #renaming = null; // the id of the entry whose name is being written
  #deleted = null; // {id, name, text}: the last one, for undo
  #howLasting = {}; // isLasting: what the browser said to the wish to keep the storage; isDelayed: it writes late
  #isUnfolded = null; // what the reader has chosen
  #drawn = ""; // what the list shows

  /** `does` has what the buttons do: open(id, pressed), copy(entry), rename(entry, name), remove(id) → text, restore(id, text),
   *  keep() → whether it is kept, once that is known. */
  constructor(element, kept, words, does) {
    this.#element = element;
    this.#kept = kept;
    this.#words = words;
    this.#do = does;
  }

  setDurability(how) {
    Object.assign(this.#howLasting, how);
    const words = this.#element.querySelector(":scope > .calculator-kept .kept-lasting");
    if (words) words.textContent = this.#renderDurability();
  }

  get #list() {
    return this.#element.querySelector(":scope > .calculator-kept");
  }

  /** `how`: openId; `shown` "" for unfolded above the answer, "folded" for folded there; isOffered: what is open can be kept;
   *  `shared`: what to know before one is shared; isStaged: a name ends with how far the entry has come;
   *  `presses`: the words of a button at each entry, and what it presses in what it opens, "Play, do=play". */
  draw(how) {
    const old = this.#list;
    const entries = this.#kept.entries();
    const asides = this.#kept.listQuarantined();
    if (this.#deleted && findDuplicate(entries, this.#deleted.text)) this.#deleted = null; // it has come back, by a file perhaps
    this.#renderImportExport(how);
    if (!entries.length && !asides.length && !this.#deleted && how.shown !== "folded") return old?.remove();
    const shown = JSON.stringify([entries, asides, this.#deleted, this.#renaming, how, this.#isUnfolded]);
    if (old && shown === this.#drawn) return;
    this.#drawn = shown;
    const list = this.#renderSection(entries, how, asides.length > 0);
    if (asides.length) list.append(...asides.map((aside) => this.#renderQuarantined(aside, how)));
    const typed = [...(old?.querySelectorAll(`[data-kept-rename="${CSS.escape(this.#renaming ?? "")}"] input`) ?? [])];
    const typing = typed.indexOf(document.activeElement);
    const held = old?.contains(document.activeElement) ? document.activeElement.dataset.keptButton : null;
    old?.remove();
    const body = this.#element.querySelector(".calculator-body");
    if (how.shown !== undefined) body.before(list);
    else body.after(list);
    if (this.#renaming !== null) this.#restoreTyping([...list.querySelectorAll("[data-kept-rename] input")], typed, typing);
    else if (held) (list.querySelector(`[data-kept-button="${CSS.escape(held)}"]`) ?? list.querySelector("summary")).focus();
  }

  /** An answer that comes while a name is typed draws the list anew: what is typed stays, and where it goes on. */
  #restoreTyping(inputs, typed, typing) {
    if (!typed.length) return inputs[0]?.select();
    for (const [at, { value }] of typed.entries()) inputs[at].value = value;
    const at = Math.max(0, typing);
    inputs[at].focus();
    inputs[at].setSelectionRange(typed[at].selectionStart, typed[at].selectionEnd);
  }

  /** A button for what is open and nobody's entry yet, in the list's own line: nothing moves when it goes. */
  #renderImportExport(how) {
    const old = this.#element.querySelector(":scope > .kept-offer");
    if (!how.isOffered) return old?.remove();
    if (old) return;
    const button = this.#createButton("Save", "keep", async () => {
      const keeping = this.#do.keep();
      this.#list?.querySelector("summary").focus();
      if (await keeping) this.#element.querySelector(".calculator-announcement").textContent = "Saved on this device.";
    });
    button.className = "kept-offer";
    (this.#list ?? this.#element.querySelector(".calculator-body")).before(button);
  }

  #renderSection(entries, how, hasAsides) {
    const { many } = this.#words();
    const list = document.createElement("details");
    list.className = "calculator-kept";
    const isSaid = hasAsides && how.shown !== undefined; // what could not be read is said where the reader begins
    list.open = this.#isUnfolded ?? (how.shown === "" || isSaid);
    const summary = made("summary", { textContent: `Your ${many} on this device (${entries.length})` });
    const open = how.shown === "folded" && entries.find((entry) => entry.id === how.openId);
    if (open) summary.append(" ", made("span", { className: "kept-now", textContent: open.name }));
    list.append(summary);
    const items = document.createElement("ul");
    const shelf = (label) => [
      ...(label ? [made("li", { className: "kept-label", textContent: label })] : []),
      ...entries.filter((each) => each.label === label).map((entry) => this.#renderItem(entry, how)),
    ];
    const fill = () => items.childElementCount || items.append(...["", ...labelsOf(entries)].flatMap(shelf));
    summary.addEventListener("click", () => {
      this.#isUnfolded = !list.open;
      fill();
    });
    if (list.open) fill(); // a folded list of hundreds costs nothing
    if (entries.length) list.append(items);
    if (entries.length && how.shared) list.append(made("p", { className: "kept-shared", textContent: how.shared }));
    if (this.#deleted) list.append(this.#renderUndo());
    const actions = document.createElement("p");
    actions.className = "kept-actions";
    const all = this.#createButton("Export all", "all", () => {
      downloadFile("scratch-kept.json", buildExportFile());
      flashLabel(all, "Exported");
    });
    all.disabled = !entries.length;
    const label = made("label", { className: "button open-file", textContent: "Import file " });
    label.append(made("input", { type: "file", accept: ".json,.toml,.txt,application/json,text/plain" }));
    actions.append(all, " ", label);
    list.append(actions, made("p", { className: "kept-lasting", textContent: this.#renderDurability() }));
    return list;
  }

  #renderDurability() {
    const { isLasting, isDelayed } = this.#howLasting;
    const late = isDelayed ? " It saves with a delay: if it is forced to quit, you may lose the last minute." : "";
    if (isLasting) return `These stay in your browser until you clear this site’s data.${late}`;
    return `Your browser may delete these if space runs low or if you don’t visit for seven days.${late} Export them to be safe.`;
  }

  #renderItem(entry, how) {
    const item = document.createElement("li");
    item.dataset.kept = entry.id;
    if (this.#renaming === entry.id) {
      item.append(this.#renderRenameForm(entry, how));
      return item;
    }
    const { one } = this.#words();
    const name = entry.name || `Unnamed ${one}`;
    const open = this.#createButton(name, `open ${entry.id}`, () => this.#do.open(entry.id));
    open.className = "kept-open";
    if (how.openId === entry.id) open.setAttribute("aria-current", "true");
    const day = new Date(entry.changed).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
    const isOpen = how.openId === entry.id;
    const told = [isOpen && "open now", entry.summary, !isOpen && day, entry.note && `“${entry.note}”`];
    const words = made("span", { className: "kept-summary", textContent: isolateNames(told.filter(Boolean).join(" · ")) });
    const actions = made("span", { className: "kept-actions" });
    const again = (press) => () => {
      press();
      this.draw(how);
    };
    if (how.presses) {
      const [words, pressed] = how.presses.split(", ");
      actions.append(
        this.#createButton(words, `press ${entry.id}`, () => this.#do.open(entry.id, pressed), name),
        " ",
      );
    }
    const address = formatQuery(entry.query, true);
    if (address) actions.append(this.#createLink(toolUrlOf(this.#element) + address, name), " ");
    actions.append(
      this.#createButton(
        "Copy",
        `copy ${entry.id}`,
        again(() => this.#do.copy(entry)),
        name,
      ),
      " ",
      this.#createButton(
        "Rename",
        `rename ${entry.id}`,
        again(() => (this.#renaming = entry.id)),
        name,
      ),
      " ",
      this.#createButton("Delete", `delete ${entry.id}`, () => this.#delete(entry, name, how), name),
    );
    item.append(open, " ", words, " ", actions);
    return item;
  }

  #createLink(address, name) {
    const button = made("button", { type: "button", textContent: "Share" });
    button.dataset.share = address;
    button.dataset.title = name;
    button.setAttribute("aria-label", `Share: ${name}`);
    return button;
  }

  #renderRenameForm(entry, how) {
    const form = made("span", { className: "kept-rename" });
    form.dataset.keptRename = entry.id;
    const written = (value, maxLength, words, list = "") => {
      const input = made("input", { type: "text", value, maxLength, placeholder: words });
      input.setAttribute("aria-label", words);
      input.setAttribute("list", list);
      form.append(input, " ");
      return input;
    };
    const own = how.isStaged ? withoutStage(entry.name) : entry.name;
    const input = written(own, 120, "Name");
    const label = written(entry.label, 60, "Campaign", "kept-labels");
    const note = written(entry.note, 240, "Note");
    const labels = made("datalist", { id: "kept-labels" });
    labels.append(...labelsOf(this.#kept.entries()).map((value) => made("option", { value })));
    const done = (isKept) => {
      this.#renaming = null;
      const name = input.value.trim() || own;
      const more = { label: label.value.trim(), note: note.value.trim() };
      const isSame = name === own && more.label === entry.label && more.note === entry.note;
      if (isKept && !isSame) this.#do.rename(entry, name, more);
      this.draw(how);
      this.#element.querySelector(`[data-kept-button="${CSS.escape(`rename ${entry.id}`)}"]`)?.focus();
    };
    form.addEventListener("keydown", (event) => {
      if ((event.key !== "Enter" && event.key !== "Escape") || event.target.type === "button") return;
      event.preventDefault();
      event.stopPropagation();
      done(event.key === "Enter");
    });
    form.append(
      labels,
      this.#createButton("Save", "name", () => done(true)),
    );
    return form;
  }

  #delete(entry, name, how) {
    this.#deleted = { id: entry.id, name, text: this.#do.remove(entry.id) };
    this.draw({ ...how, openId: how.openId === entry.id ? undefined : how.openId });
    this.#element.querySelector("[data-kept-button=undo]")?.focus();
  }

  #renderUndo() {
    const { id, name, text } = this.#deleted;
    const words = made("p", { className: "kept-deleted", textContent: isolateNames(`Deleted: ${name}. `) });
    words.append(
      this.#createButton("Undo", "undo", () => {
        this.#deleted = null;
        this.#do.restore(id, text);
      }),
    );
    return words;
  }

  #renderQuarantined({ name, text }, how) {
    const section = made("section", { className: "calculator-aside" });
    section.append(made("p", { textContent: "Some saved data couldn’t be read. It is stored separately, and nothing is lost." }));
    const file = made("button", { type: "button", textContent: "Export" });
    file.dataset.download = `${parseStorageKey(name)}.txt`;
    file.dataset.text = text;
    const away = made("button", { type: "button", textContent: "Delete" });
    away.addEventListener("click", () => {
      deleteEntry(name);
      this.draw(how);
    });
    section.append(file, " ", away);
    return section;
  }

  #createButton(words, id, press, about = "") {
    const button = made("button", { type: "button", textContent: words });
    button.dataset.keptButton = id;
    if (about) button.setAttribute("aria-label", `${words}: ${about}`);
    button.addEventListener("click", press);
    return button;
  }
}

/** The labels that entries have, in the order of the alphabet. */
const labelsOf = (entries) =>
  [...new Set(entries.map(({ label }) => label))].filter(Boolean).sort((one, other) => one.localeCompare(other));

const made = (tag, properties) => Object.assign(document.createElement(tag), properties);
