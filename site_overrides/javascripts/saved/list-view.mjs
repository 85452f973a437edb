// The list of a calculator's saved entries: open, duplicate, rename, delete with undo, and export.
/** @import { Query } from "../shared/urls.mjs" */
/** @import { DeletedText, QuarantinedText, SavedEntries, SavedEntry, StoredText } from "./store.mjs" */
import { withParamValue } from "../calculator/form.mjs";
import { createMenu, createMenuButton, createMenuSeparator } from "../page/menu.mjs";
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { downloadFile, flashLabel } from "../shared/share.mjs";
import { deleteEntryAndWriteTombstone, buildExportFile, buildExportFileName, findEntryWithNameAndQuery, stripStage } from "./store.mjs";
import { formatUrlSuffix, stripSitePathOfStorageKey, root, toolUrlOf } from "../shared/urls.mjs";

/**
 * What the buttons of the list do.
 * @typedef {object} ListActions
 * @property {(id: string, pressedParam?: string) => void} open opens an entry, as if the button with this query parameter was pressed
 * @property {(query: Query) => void} openNew opens the answer to a query as a new entry
 * @property {(entry: SavedEntry) => void} copy
 * @property {(entry: SavedEntry, name: string, labelAndNote: Pick<SavedEntry, "label" | "note">) => void} rename
 * @property {(id: string) => StoredText} remove returns the text for `restore`
 * @property {(deleted: DeletedText[]) => void} restore
 * @property {() => Promise<boolean>} saveCopy saves the answer as a new entry; resolves to whether it is saved
 */

/**
 * How the list is shown.
 * @typedef {object} ListOptions
 * @property {string} [openId] the id of the open entry
 * @property {string} [shown] "" for open above the answer, "folded" for closed there; by default closed below it
 * @property {string} [shared] a hint about sharing
 * @property {boolean} isOffered whether the answer can be saved
 * @property {boolean} isStaged whether names end with a stage
 * @property {string} [presses] label and query parameter of another button of each entry: "Play, do=play"
 * @property {string} [viewParam] the query parameter that sets the view of a share link: "at=play"
 * @property {string} [newEntry] label and query of the button for a new entry: "New character, start=empty"
 */

/** The last deleted entries, for undo; `name` is that of one entry, or their number. @typedef {{ name: string, texts: DeletedText[] }} Deleted */

const LISTED_ENTRIES = 5; // the newest are listed, and all of them on request

/** The words for one entry and for many. @typedef {{ one: string, many: string }} EntryNouns */

export class SavedList {
  #element;
  #savedEntries;
  #getEntryNouns;
  #actions;
  /** The id of the entry that is being renamed. @type {string | null} */
  #renamingId = null;
  /** @type {Deleted | null} */
  #deleted = null;
  #isComplete = false; // whether all entries are listed
  /** Whether the browser persists the storage, and whether it delays writes. @type {{ isPersisted?: boolean, isDelayed?: boolean }} */
  #durability = {};
  /** The choice of the user, if any. @type {boolean | null} */
  #isOpenedByUser = null;
  #renderedState = ""; // the rendered state, as JSON

  /** @param {HTMLElement} element the calculator
   *  @param {Pick<SavedEntries, "listLatestFirst" | "listQuarantined">} savedEntries
   *  @param {() => EntryNouns} getEntryNouns
   *  @param {ListActions} actions */
  constructor(element, savedEntries, getEntryNouns, actions) {
    this.#element = element;
    this.#savedEntries = savedEntries;
    this.#getEntryNouns = getEntryNouns;
    this.#actions = actions;
  }

  /** Show whether the browser persists the storage and whether it delays writes.
   *  @param {{ isPersisted?: boolean, isDelayed?: boolean }} change */
  updateDurabilityText(change) {
    Object.assign(this.#durability, change);
    const paragraph = this.#element.querySelector(":scope > .calculator-saved .calculator-saved__lasting");
    if (paragraph) paragraph.textContent = this.#durabilityText;
  }

  get #listElement() {
    return this.#element.querySelector(":scope > .calculator-saved");
  }

  /** Render the list, if anything has changed; typed values and the focus stay.
   *  @param {ListOptions} options */
  render(options) {
    const old = this.#listElement;
    const entries = this.#savedEntries.listLatestFirst();
    const quarantinedEntries = this.#savedEntries.listQuarantined();
    if (this.#deleted?.texts.every(({ text }) => findEntryWithNameAndQuery(entries, text))) this.#deleted = null; // restored, maybe by an import
    this.#addOrRemoveSaveButton(options);
    if (!entries.length && !quarantinedEntries.length && !this.#deleted && options.shown !== "folded") return old?.remove();
    const state = JSON.stringify([
      entries,
      quarantinedEntries,
      this.#deleted,
      this.#renamingId,
      options,
      this.#isOpenedByUser,
      this.#isComplete,
    ]);
    if (old && state === this.#renderedState) return;
    this.#renderedState = state;
    const list = this.#renderListElement(entries, options, quarantinedEntries.length > 0);
    if (quarantinedEntries.length) list.append(...quarantinedEntries.map((quarantined) => this.#renderQuarantined(quarantined, options)));
    const oldInputs = [...(old?.querySelectorAll(`[data-list-rename="${CSS.escape(this.#renamingId ?? "")}"] input`) ?? [])];
    const focusedIndex = oldInputs.indexOf(document.activeElement);
    const focused = old?.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    old?.remove();
    const body = this.#element.querySelector(".calculator-body");
    if (options.shown !== undefined) body.before(list);
    else body.after(list);
    if (this.#renamingId !== null)
      this.#restoreTypedValuesAndCursor([...list.querySelectorAll("[data-list-rename] input")], oldInputs, focusedIndex);
    else if (focused?.dataset.listButton) this.#restoreFocus(list, focused);
  }

  /** Restore the typed values and the cursor in the new inputs after the list was rendered while the user renames an entry.
   *  @param {HTMLInputElement[]} newInputs
   *  @param {HTMLInputElement[]} oldInputs
   *  @param {number} focusedIndex */
  #restoreTypedValuesAndCursor(newInputs, oldInputs, focusedIndex) {
    if (!oldInputs.length) return newInputs[0]?.select();
    for (const [index, { value }] of oldInputs.entries()) newInputs[index].value = value;
    const index = Math.max(0, focusedIndex);
    newInputs[index].focus();
    newInputs[index].setSelectionRange(oldInputs[index].selectionStart, oldInputs[index].selectionEnd);
  }

  /** Focus the button that had the focus, or the menu button of its entry, or the summary if that button is gone or folded away.
   *  @param {HTMLDetailsElement} list
   *  @param {HTMLElement} focused */
  #restoreFocus(list, focused) {
    const { listButton = "" } = focused.dataset;
    const isInMenu = focused.matches("[role=menuitem]");
    const id = isInMenu ? `more ${listButton.slice(listButton.indexOf(" ") + 1)}` : listButton;
    const button = list.querySelector(`[data-list-button="${CSS.escape(id)}"]`);
    const summary = list.querySelector("summary");
    (button && list.open ? button : summary).focus();
  }

  /** Add or remove the button that saves the answer, in the line of the list, so that nothing moves when it disappears.
   *  @param {ListOptions} options */
  #addOrRemoveSaveButton(options) {
    const old = this.#element.querySelector(":scope > .calculator-saved__offer");
    if (!options.isOffered) return old?.remove();
    if (old) return;
    const button = this.#createButton("Save", "keep", async () => {
      const saving = this.#actions.saveCopy();
      this.#listElement?.querySelector("summary").focus();
      if (await saving) this.#element.querySelector(".calculator-announcement").textContent = "Saved on this device.";
    });
    button.className = "calculator-saved__offer";
    (this.#listElement ?? this.#element.querySelector(".calculator-body")).before(button);
  }

  /** @param {SavedEntry[]} entries
   *  @param {ListOptions} options
   *  @param {boolean} hasQuarantined whether there are unreadable entries
   *  @returns {HTMLDetailsElement} */
  #renderListElement(entries, options, hasQuarantined) {
    const { many } = this.#getEntryNouns();
    const list = document.createElement("details");
    list.className = "calculator-saved";
    const mustOpen = hasQuarantined && options.shown !== undefined; // unreadable entries are shown at once
    list.open = this.#isOpenedByUser ?? (options.shown === "" || mustOpen);
    const summary = createElement("summary", { textContent: `Your ${many} on this device (${entries.length})` });
    const open = options.shown === "folded" && entries.find((entry) => entry.id === options.openId);
    if (open) summary.append(" ", createElement("span", { className: "calculator-saved__now", textContent: open.name }));
    list.append(summary);
    const items = document.createElement("ul");
    const listed = this.#isComplete ? entries : entries.slice(0, LISTED_ENTRIES);
    /** @param {string} label */
    const renderGroup = (label) => [
      ...(label ? [createElement("li", { className: "calculator-saved__label", textContent: label })] : []),
      ...listed.filter((each) => each.label === label).map((entry) => this.#renderEntryItem(entry, options)),
    ];
    const renderItems = () => items.childElementCount || items.append(...["", ...listLabels(listed)].flatMap(renderGroup));
    summary.addEventListener("click", () => {
      this.#isOpenedByUser = !list.open;
      renderItems();
    });
    if (list.open) renderItems(); // a closed list costs nothing
    list.append(this.#renderListButtons(entries, options));
    if (entries.length) list.append(items);
    if (entries.length > LISTED_ENTRIES) list.append(this.#renderShowAllToggle(entries.length, options));
    if (this.#deleted) list.append(this.#renderUndoOfDeletion(this.#deleted));
    if (entries.length && options.shared)
      list.append(createElement("p", { className: "calculator-saved__shared", textContent: options.shared }));
    list.append(createElement("p", { className: "calculator-saved__lasting", textContent: this.#durabilityText }));
    const campaign = createElement("p", { className: "calculator-saved__campaign" });
    campaign.append(createElement("a", { href: `${root}tools/campaign/`, textContent: "Your campaign: everything on this device" }));
    list.append(campaign);
    return list;
  }

  /** Render the buttons for the whole list.
   *  @param {SavedEntry[]} entries
   *  @param {ListOptions} options
   *  @returns {HTMLDivElement} */
  #renderListButtons(entries, options) {
    const { many } = this.#getEntryNouns();
    const head = createElement("div", { className: "list-head" });
    if (entries.length && options.newEntry) {
      const [words, query] = options.newEntry.split(", ");
      const newButton = this.#createButton(words, "new", () => this.#actions.openNew(query));
      newButton.className = "list-head__new secondary";
      head.append(newButton);
    }
    const exportButton = this.#createButton("Export all", "all", () => {
      downloadFile(buildExportFileName(), buildExportFile());
      flashLabel(exportButton, "Exported");
    });
    exportButton.className = "list-head__link";
    exportButton.disabled = !entries.length;
    const label = createElement("label", { className: "list-head__link button open-file", textContent: "Import file " });
    label.append(createElement("input", { type: "file", accept: ".json,.toml,.txt,application/json,text/plain" }));
    head.append(exportButton, label);
    if (!entries.length) return head;
    const deleteAll = () => this.#deleteEntries(entries, `${entries.length} ${many}`, options);
    const deleteButton = this.#createButton(`Delete all (${entries.length})`, "delete ", deleteAll);
    deleteButton.className = "list-menu__item--danger";
    const menu = createMenu([deleteButton]);
    head.append(this.#createMenuButton("", `all ${many}`, menu), menu);
    return head;
  }

  /** Create the button that opens a menu.
   *  @param {string} id of the entry, or "" for the list
   *  @param {string} subject
   *  @param {HTMLElement} menu
   *  @returns {HTMLButtonElement} */
  #createMenuButton(id, subject, menu) {
    const button = createMenuButton(`More: ${subject}`, menu);
    button.dataset.listButton = `more ${id}`;
    return button;
  }

  /** Render the button that lists all entries, or the newest again.
   *  @param {number} count
   *  @param {ListOptions} options
   *  @returns {HTMLButtonElement} */
  #renderShowAllToggle(count, options) {
    const button = this.#createButton(this.#isComplete ? "Show fewer" : `Show all (${count})`, "length", () => {
      this.#isComplete = !this.#isComplete;
      this.render(options);
    });
    button.className = "list-head__link";
    return button;
  }

  /** @returns {string} */
  get #durabilityText() {
    const { isPersisted, isDelayed } = this.#durability;
    const delay = isDelayed ? " It saves with a delay: if it is forced to quit, you may lose the last minute." : "";
    if (isPersisted) return `These stay in your browser until you clear this site's data.${delay}`;
    return `Your browser may delete these if space runs low or if you don't visit for seven days.${delay} Export them to be safe.`;
  }

  /** @param {SavedEntry} entry
   *  @param {ListOptions} options
   *  @returns {HTMLLIElement} */
  #renderEntryItem(entry, options) {
    const item = document.createElement("li");
    item.dataset.savedEntry = entry.id;
    if (this.#renamingId === entry.id) {
      item.append(this.#renderDetailsForm(entry, options));
      return item;
    }
    const { one } = this.#getEntryNouns();
    const name = entry.name || `Unnamed ${one}`;
    item.className = "list-row";
    item.append(this.#renderOpenButton(entry, name, options));
    if (options.presses) {
      const [text, param] = options.presses.split(", ");
      item.append(
        " ",
        this.#createButton(text, `press ${entry.id}`, () => this.#actions.open(entry.id, param), name),
      );
    }
    const menu = this.#renderEntryMenu(entry, name, options);
    item.append(" ", this.#createMenuButton(entry.id, name, menu), " ", menu);
    return item;
  }

  /** @param {SavedEntry} entry
   *  @param {string} name
   *  @param {ListOptions} options
   *  @returns {HTMLButtonElement} */
  #renderOpenButton(entry, name, options) {
    const isOpen = options.openId === entry.id;
    const open = this.#createButton("", `open ${entry.id}`, () => this.#actions.open(entry.id));
    open.className = "list-row__open";
    if (isOpen) open.setAttribute("aria-current", "true");
    const day = new Date(entry.changed).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
    const details = [isOpen && "open now", !isOpen && day, entry.note && `“${entry.note}”`, entry.summary];
    const textContent = isolateRightToLeft(details.filter(Boolean).join(" · "));
    open.append(
      createElement("span", { className: "list-row__name", textContent: name }),
      " ",
      createElement("span", { className: "list-row__details", textContent }),
    );
    return open;
  }

  /** Render what else the user can do with an entry.
   *  @param {SavedEntry} entry
   *  @param {string} name
   *  @param {ListOptions} options
   *  @returns {HTMLElement} */
  #renderEntryMenu(entry, name, options) {
    const address = formatUrlSuffix(withViewParam(entry.query, options.viewParam), true);
    /** @param {() => void} onPress
     *  @returns {() => void} */
    const thenRender = (onPress) => () => {
      onPress();
      this.render(options);
    };
    const duplicate = thenRender(() => this.#actions.copy(entry));
    const rename = thenRender(() => (this.#renamingId = entry.id));
    const deleteButton = this.#createButton("Delete", `delete ${entry.id}`, () => this.#deleteEntries([entry], name, options), name);
    deleteButton.className = "list-menu__item--danger";
    return createMenu([
      ...(address ? [this.#createShareButton(entry.id, toolUrlOf(this.#element) + address, name)] : []),
      this.#createButton("Duplicate", `copy ${entry.id}`, duplicate, name),
      this.#createButton("Rename", `rename ${entry.id}`, rename, name),
      createMenuSeparator(),
      deleteButton,
    ]);
  }

  /** @param {string} id
   *  @param {string} address
   *  @param {string} name
   *  @returns {HTMLButtonElement} */
  #createShareButton(id, address, name) {
    const button = createElement("button", { type: "button", textContent: "Share" });
    button.dataset.share = address;
    button.dataset.title = name;
    button.dataset.listButton = `share ${id}`;
    button.setAttribute("aria-label", `Share: ${name}`);
    return button;
  }

  /** @param {SavedEntry} entry
   *  @param {ListOptions} options
   *  @returns {HTMLSpanElement} */
  #renderDetailsForm(entry, options) {
    const form = createElement("span", { className: "calculator-saved__rename" });
    form.dataset.listRename = entry.id;
    /** @param {string} value
     *  @param {number} maxLength
     *  @param {string} text */
    const addInput = (value, maxLength, text, list = "") => {
      const id = `list-rename-${text.toLowerCase()}`;
      const label = createElement("label", { htmlFor: id, textContent: text });
      const input = createElement("input", { id, type: "text", value, maxLength });
      input.setAttribute("list", list);
      const field = createElement("span", { className: "field" });
      field.append(label, input);
      form.append(field, " ");
      return input;
    };
    const oldName = options.isStaged ? stripStage(entry.name) : entry.name;
    const input = addInput(oldName, 120, "Name");
    const label = addInput(entry.label, 60, "Campaign", "list-labels");
    const note = addInput(entry.note, 240, "Note");
    const labels = createElement("datalist", { id: "list-labels" });
    labels.append(...listLabels(this.#savedEntries.listLatestFirst()).map((value) => createElement("option", { value })));
    /** @param {boolean} isConfirmed */
    const closeForm = (isConfirmed) => {
      this.#renamingId = null;
      const name = input.value.trim() || oldName;
      const more = { label: label.value.trim(), note: note.value.trim() };
      const isUnchanged = name === oldName && more.label === entry.label && more.note === entry.note;
      if (isConfirmed && !isUnchanged) this.#actions.rename(entry, name, more);
      this.render(options);
      this.#element.querySelector(`[data-list-button="${CSS.escape(`more ${entry.id}`)}"]`)?.focus();
    };
    form.addEventListener("keydown", (event) => {
      if ((event.key !== "Enter" && event.key !== "Escape") || /** @type {HTMLInputElement} */ (event.target).type === "button") return;
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

  /** Delete entries, and offer an undo.
   *  @param {SavedEntry[]} entries
   *  @param {string} name of the entry, or the number of entries
   *  @param {ListOptions} options */
  #deleteEntries(entries, name, options) {
    this.#deleted = { name, texts: entries.map(({ id }) => ({ id, text: this.#actions.remove(id) })) };
    const isOpenDeleted = entries.some(({ id }) => id === options.openId);
    this.render({ ...options, openId: isOpenDeleted ? undefined : options.openId });
    this.#element.querySelector("[data-list-button=undo]")?.focus();
  }

  /** @param {Deleted} deleted
   *  @returns {HTMLParagraphElement} */
  #renderUndoOfDeletion({ name, texts }) {
    const paragraph = createElement("p", { className: "calculator-saved__deleted", textContent: isolateRightToLeft(`Deleted: ${name}. `) });
    paragraph.append(
      this.#createButton("Undo", "undo", () => {
        this.#deleted = null;
        this.#actions.restore(texts);
      }),
    );
    return paragraph;
  }

  /** Render the buttons of an unreadable entry.
   *  @param {QuarantinedText} quarantined
   *  @param {ListOptions} options
   *  @returns {HTMLElement} */
  #renderQuarantined({ name, text }, options) {
    const section = createElement("section", { className: "calculator-aside" });
    section.append(createElement("p", { textContent: "Some saved data couldn't be read. It is stored separately, and nothing is lost." }));
    const exportButton = createElement("button", { type: "button", textContent: "Export" });
    exportButton.dataset.download = `${stripSitePathOfStorageKey(name)}.txt`;
    exportButton.dataset.text = text;
    const deleteButton = createElement("button", { type: "button", textContent: "Delete" });
    deleteButton.addEventListener("click", () => {
      deleteEntryAndWriteTombstone(name);
      this.render(options);
    });
    section.append(exportButton, " ", deleteButton);
    return section;
  }

  /** Create a button with a listener.
   *  @param {string} text
   *  @param {string} id identifies it in the list, so that it has the focus again after a rendering
   *  @param {() => void} onPress
   *  @param {string} subject the name of its entry, for screen readers
   *  @returns {HTMLButtonElement} */
  #createButton(text, id, onPress, subject = "") {
    const button = createElement("button", { type: "button", textContent: text });
    button.dataset.listButton = id;
    if (subject) button.setAttribute("aria-label", `${text}: ${subject}`);
    button.addEventListener("click", onPress);
    return button;
  }
}

/** Return a query with the parameter that sets the view of a share link.
 *  @param {Query} query
 *  @param {string} [viewParam] "at=play"
 *  @returns {Query} */
function withViewParam(query, viewParam) {
  const [name, value] = viewParam?.split("=") ?? [];
  return name ? withParamValue(query, name, value) : query;
}

/** List the labels of entries in alphabetical order.
 *  @param {SavedEntry[]} entries
 *  @returns {string[]} */
const listLabels = (entries) =>
  [...new Set(entries.map(({ label }) => label))].filter(Boolean).sort((one, other) => one.localeCompare(other));

/** Create an element with properties.
 *  @template {keyof HTMLElementTagNameMap} Tag
 *  @param {Tag} tag
 *  @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 *  @returns {HTMLElementTagNameMap[Tag]} */
const createElement = (tag, properties) => Object.assign(document.createElement(tag), properties);
