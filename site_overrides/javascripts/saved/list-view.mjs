// The list of a calculator's saved entries: open, copy, rename, delete with undo, and export.
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { downloadFile, flashLabel } from "../shared/share.mjs";
import { deleteEntryByKey, buildExportFile, findDuplicate, stripStage } from "./store.mjs";
import { formatQuery, parseStorageKey, toolUrlOf } from "../shared/urls.mjs";

export class SavedList {
  #element;
  #savedEntries;
  #getEntryNouns;
  #actions;
  #renamingId = null; // the id of the entry that is being renamed
  #deleted = null; // {id, name, text} of the last deleted entry, for undo
  #durability = {}; // isPersisted: whether the browser persists the storage; isDelayed: it delays writes
  #isOpenedByUser = null; // the choice of the user, if any
  #renderedState = ""; // the rendered state, as JSON

  /** `actions` of the buttons: open(id, param), copy(entry), rename(entry, name, more), remove(id) → text, restore(id, text),
   *  saveCopy() → promise of whether it is saved. */
  constructor(element, savedEntries, getEntryNouns, actions) {
    this.#element = element;
    this.#savedEntries = savedEntries;
    this.#getEntryNouns = getEntryNouns;
    this.#actions = actions;
  }

  setDurability(change) {
    Object.assign(this.#durability, change);
    const paragraph = this.#element.querySelector(":scope > .calculator-kept .kept-lasting");
    if (paragraph) paragraph.textContent = this.#durabilityText;
  }

  get #listElement() {
    return this.#element.querySelector(":scope > .calculator-kept");
  }

  /** Render the list. `options`: openId; `shown`: "" for open above the answer, "folded" for closed there; isOffered: whether
   *  the answer can be saved; `shared`: a hint about sharing; isStaged: whether names end with a stage; `presses`: label
   *  and query parameter of another button of each entry, "Play, do=play". */
  render(options) {
    const old = this.#listElement;
    const entries = this.#savedEntries.entries();
    const quarantinedEntries = this.#savedEntries.listQuarantined();
    if (this.#deleted && findDuplicate(entries, this.#deleted.text)) this.#deleted = null; // it was restored, maybe by an import
    this.#updateSaveButton(options);
    if (!entries.length && !quarantinedEntries.length && !this.#deleted && options.shown !== "folded") return old?.remove();
    const state = JSON.stringify([entries, quarantinedEntries, this.#deleted, this.#renamingId, options, this.#isOpenedByUser]);
    if (old && state === this.#renderedState) return;
    this.#renderedState = state;
    const list = this.#renderListElement(entries, options, quarantinedEntries.length > 0);
    if (quarantinedEntries.length) list.append(...quarantinedEntries.map((quarantined) => this.#renderQuarantined(quarantined, options)));
    const oldInputs = [...(old?.querySelectorAll(`[data-kept-rename="${CSS.escape(this.#renamingId ?? "")}"] input`) ?? [])];
    const focusedIndex = oldInputs.indexOf(document.activeElement);
    const focusedId = old?.contains(document.activeElement) ? document.activeElement.dataset.keptButton : null;
    old?.remove();
    const body = this.#element.querySelector(".calculator-body");
    if (options.shown !== undefined) body.before(list);
    else body.after(list);
    if (this.#renamingId !== null)
      this.#restoreTypedValues([...list.querySelectorAll("[data-kept-rename] input")], oldInputs, focusedIndex);
    else if (focusedId) (list.querySelector(`[data-kept-button="${CSS.escape(focusedId)}"]`) ?? list.querySelector("summary")).focus();
  }

  /** Restore the typed values and the cursor in the new inputs after the list was rendered while the user renames an entry. */
  #restoreTypedValues(newInputs, oldInputs, focusedIndex) {
    if (!oldInputs.length) return newInputs[0]?.select();
    for (const [index, { value }] of oldInputs.entries()) newInputs[index].value = value;
    const index = Math.max(0, focusedIndex);
    newInputs[index].focus();
    newInputs[index].setSelectionRange(oldInputs[index].selectionStart, oldInputs[index].selectionEnd);
  }

  /** Add or remove the button that saves the answer, in the line of the list, so that nothing moves when it disappears. */
  #updateSaveButton(options) {
    const old = this.#element.querySelector(":scope > .kept-offer");
    if (!options.isOffered) return old?.remove();
    if (old) return;
    const button = this.#createButton("Save", "keep", async () => {
      const saving = this.#actions.saveCopy();
      this.#listElement?.querySelector("summary").focus();
      if (await saving) this.#element.querySelector(".calculator-announcement").textContent = "Saved on this device.";
    });
    button.className = "kept-offer";
    (this.#listElement ?? this.#element.querySelector(".calculator-body")).before(button);
  }

  #renderListElement(entries, options, hasQuarantined) {
    const { many } = this.#getEntryNouns();
    const list = document.createElement("details");
    list.className = "calculator-kept";
    const mustOpen = hasQuarantined && options.shown !== undefined; // unreadable entries are shown at once
    list.open = this.#isOpenedByUser ?? (options.shown === "" || mustOpen);
    const summary = createElement("summary", { textContent: `Your ${many} on this device (${entries.length})` });
    const open = options.shown === "folded" && entries.find((entry) => entry.id === options.openId);
    if (open) summary.append(" ", createElement("span", { className: "kept-now", textContent: open.name }));
    list.append(summary);
    const items = document.createElement("ul");
    const renderGroup = (label) => [
      ...(label ? [createElement("li", { className: "kept-label", textContent: label })] : []),
      ...entries.filter((each) => each.label === label).map((entry) => this.#renderItem(entry, options)),
    ];
    const renderItems = () => items.childElementCount || items.append(...["", ...listLabels(entries)].flatMap(renderGroup));
    summary.addEventListener("click", () => {
      this.#isOpenedByUser = !list.open;
      renderItems();
    });
    if (list.open) renderItems(); // a closed list of hundreds costs nothing
    if (entries.length) list.append(items);
    if (entries.length && options.shared) list.append(createElement("p", { className: "kept-shared", textContent: options.shared }));
    if (this.#deleted) list.append(this.#renderUndo());
    const actions = document.createElement("p");
    actions.className = "kept-actions";
    const exportButton = this.#createButton("Export all", "all", () => {
      downloadFile("scratch-kept.json", buildExportFile());
      flashLabel(exportButton, "Exported");
    });
    exportButton.disabled = !entries.length;
    const label = createElement("label", { className: "button open-file", textContent: "Import file " });
    label.append(createElement("input", { type: "file", accept: ".json,.toml,.txt,application/json,text/plain" }));
    actions.append(exportButton, " ", label);
    list.append(actions, createElement("p", { className: "kept-lasting", textContent: this.#durabilityText }));
    return list;
  }

  get #durabilityText() {
    const { isPersisted, isDelayed } = this.#durability;
    const delay = isDelayed ? " It saves with a delay: if it is forced to quit, you may lose the last minute." : "";
    if (isPersisted) return `These stay in your browser until you clear this site's data.${delay}`;
    return `Your browser may delete these if space runs low or if you don't visit for seven days.${delay} Export them to be safe.`;
  }

  #renderItem(entry, options) {
    const item = document.createElement("li");
    item.dataset.kept = entry.id;
    if (this.#renamingId === entry.id) {
      item.append(this.#renderRenameForm(entry, options));
      return item;
    }
    const { one } = this.#getEntryNouns();
    const name = entry.name || `Unnamed ${one}`;
    const open = this.#createButton(name, `open ${entry.id}`, () => this.#actions.open(entry.id));
    open.className = "kept-open";
    if (options.openId === entry.id) open.setAttribute("aria-current", "true");
    const day = new Date(entry.changed).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
    const isOpen = options.openId === entry.id;
    const details = [isOpen && "open now", entry.summary, !isOpen && day, entry.note && `“${entry.note}”`];
    const text = createElement("span", { className: "kept-summary", textContent: isolateRightToLeft(details.filter(Boolean).join(" · ")) });
    const actions = createElement("span", { className: "kept-actions" });
    const thenRender = (onPress) => () => {
      onPress();
      this.render(options);
    };
    if (options.presses) {
      const [text, param] = options.presses.split(", ");
      actions.append(
        this.#createButton(text, `press ${entry.id}`, () => this.#actions.open(entry.id, param), name),
        " ",
      );
    }
    const address = formatQuery(entry.query, true);
    if (address) actions.append(this.#createShareButton(toolUrlOf(this.#element) + address, name), " ");
    actions.append(
      this.#createButton(
        "Copy",
        `copy ${entry.id}`,
        thenRender(() => this.#actions.copy(entry)),
        name,
      ),
      " ",
      this.#createButton(
        "Rename",
        `rename ${entry.id}`,
        thenRender(() => (this.#renamingId = entry.id)),
        name,
      ),
      " ",
      this.#createButton("Delete", `delete ${entry.id}`, () => this.#deleteEntry(entry, name, options), name),
    );
    item.append(open, " ", text, " ", actions);
    return item;
  }

  #createShareButton(address, name) {
    const button = createElement("button", { type: "button", textContent: "Share" });
    button.dataset.share = address;
    button.dataset.title = name;
    button.setAttribute("aria-label", `Share: ${name}`);
    return button;
  }

  #renderRenameForm(entry, options) {
    const form = createElement("span", { className: "kept-rename" });
    form.dataset.keptRename = entry.id;
    const addInput = (value, maxLength, text, list = "") => {
      const input = createElement("input", { type: "text", value, maxLength, placeholder: text });
      input.setAttribute("aria-label", text);
      input.setAttribute("list", list);
      form.append(input, " ");
      return input;
    };
    const oldName = options.isStaged ? stripStage(entry.name) : entry.name;
    const input = addInput(oldName, 120, "Name");
    const label = addInput(entry.label, 60, "Campaign", "kept-labels");
    const note = addInput(entry.note, 240, "Note");
    const labels = createElement("datalist", { id: "kept-labels" });
    labels.append(...listLabels(this.#savedEntries.entries()).map((value) => createElement("option", { value })));
    const closeForm = (isConfirmed) => {
      this.#renamingId = null;
      const name = input.value.trim() || oldName;
      const more = { label: label.value.trim(), note: note.value.trim() };
      const isUnchanged = name === oldName && more.label === entry.label && more.note === entry.note;
      if (isConfirmed && !isUnchanged) this.#actions.rename(entry, name, more);
      this.render(options);
      this.#element.querySelector(`[data-kept-button="${CSS.escape(`rename ${entry.id}`)}"]`)?.focus();
    };
    form.addEventListener("keydown", (event) => {
      if ((event.key !== "Enter" && event.key !== "Escape") || event.target.type === "button") return;
      event.preventDefault();
      event.stopPropagation();
      closeForm(event.key === "Enter");
    });
    form.append(
      labels,
      this.#createButton("Save", "name", () => closeForm(true)),
    );
    return form;
  }

  #deleteEntry(entry, name, options) {
    this.#deleted = { id: entry.id, name, text: this.#actions.remove(entry.id) };
    this.render({ ...options, openId: options.openId === entry.id ? undefined : options.openId });
    this.#element.querySelector("[data-kept-button=undo]")?.focus();
  }

  #renderUndo() {
    const { id, name, text } = this.#deleted;
    const paragraph = createElement("p", { className: "kept-deleted", textContent: isolateRightToLeft(`Deleted: ${name}. `) });
    paragraph.append(
      this.#createButton("Undo", "undo", () => {
        this.#deleted = null;
        this.#actions.restore(id, text);
      }),
    );
    return paragraph;
  }

  #renderQuarantined({ name, text }, options) {
    const section = createElement("section", { className: "calculator-aside" });
    section.append(createElement("p", { textContent: "Some saved data couldn't be read. It is stored separately, and nothing is lost." }));
    const exportButton = createElement("button", { type: "button", textContent: "Export" });
    exportButton.dataset.download = `${parseStorageKey(name)}.txt`;
    exportButton.dataset.text = text;
    const deleteButton = createElement("button", { type: "button", textContent: "Delete" });
    deleteButton.addEventListener("click", () => {
      deleteEntryByKey(name);
      this.render(options);
    });
    section.append(exportButton, " ", deleteButton);
    return section;
  }

  #createButton(text, id, onPress, subject = "") {
    const button = createElement("button", { type: "button", textContent: text });
    button.dataset.keptButton = id;
    if (subject) button.setAttribute("aria-label", `${text}: ${subject}`);
    button.addEventListener("click", onPress);
    return button;
  }
}

/** List the labels of entries in alphabetical order. */
const listLabels = (entries) =>
  [...new Set(entries.map(({ label }) => label))].filter(Boolean).sort((one, other) => one.localeCompare(other));

const createElement = (tag, properties) => Object.assign(document.createElement(tag), properties);
