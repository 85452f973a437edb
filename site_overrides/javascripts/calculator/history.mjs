// The list of a calculator's answers of this visit, below a calculator whose form has data-history. The value is the text of
// an empty list. An answer with data-history-total and data-history-text has them in place of its summary.
import { createMenu, createMenuButton } from "../page/menu.mjs";
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { storageKeyOf } from "../shared/urls.mjs";
import { getSessionStorage } from "../shared/web-storage.mjs";

const MAX_ENTRIES = 20;

/** `total` and `text` are what the list shows; without them it shows the summary.
 *  @typedef {{ query: string, summary: string, total?: string, text?: string }} HistoryEntry */

export class AnswerHistory {
  #element;
  #storageKey;
  #toolUrl;
  #emptyText;

  /**
   * @param {HTMLElement} place the calculator's element
   * @param {string} toolUrl the URL of the tool page, which opens the answers
   * @param {string} [emptyText] the text of an empty list; without it there is no empty list
   */
  constructor(place, toolUrl, emptyText = "") {
    this.#element = place;
    this.#storageKey = storageKeyOf(`scratch-history-${place.getAttribute("name")}`);
    this.#toolUrl = toolUrl;
    this.#emptyText = emptyText;
  }

  /**
   * Add an answer as the first one.
   * @param {string} query
   * @param {string} summary
   */
  add(query, summary) {
    const answer = this.#element.querySelector("[data-history-text]");
    const row = { total: answer?.dataset.historyTotal, text: answer?.dataset.historyText };
    const entries = [{ query, summary, ...row }, ...this.#readEntries()].slice(0, MAX_ENTRIES);
    try {
      getSessionStorage().setItem(this.#storageKey, JSON.stringify(entries));
    } catch {
      // no storage: the list has only this answer
    }
    this.render(entries);
  }

  /** Remove all answers. */
  clear() {
    getSessionStorage().removeItem(this.#storageKey);
    this.render([]);
  }

  /** @param {HistoryEntry[]} [entries] by default the stored ones */
  render(entries = this.#readEntries()) {
    this.#element.querySelector(".calculator-history")?.remove();
    if (!entries.length && !this.#emptyText) return;
    const section = document.createElement("details");
    section.className = "calculator-history";
    section.open = true;
    section.innerHTML = "<summary>History</summary><ol></ol><p></p>";
    if (entries.length) section.querySelector("summary").after(this.#createClearMenu());
    section.querySelector("ol").append(...entries.map((entry) => this.#createItem(entry)));
    section.querySelector("p").textContent = entries.length ? "" : this.#emptyText;
    this.#element.append(section);
  }

  /** @returns {HistoryEntry[]} */
  #readEntries() {
    try {
      /** @type {HistoryEntry[]} */
      const entries = JSON.parse(getSessionStorage().getItem(this.#storageKey) ?? "[]");
      return entries.filter(({ query, summary }) => typeof query === "string" && typeof summary === "string");
    } catch {
      return [];
    }
  }

  /** Create the menu of the list. */
  #createClearMenu() {
    const clearButton = Object.assign(document.createElement("button"), { type: "button", textContent: "Clear history" });
    clearButton.dataset.forget = "";
    clearButton.className = "list-menu__item--danger";
    const menu = createMenu([clearButton]);
    const head = Object.assign(document.createElement("div"), { className: "list-head" });
    head.append(createMenuButton("More: history", menu), menu);
    return head;
  }

  /** @param {HistoryEntry} entry */
  #createItem({ query, summary, total = "", text = "" }) {
    const item = Object.assign(document.createElement("li"), { className: "list-row" });
    const link = Object.assign(document.createElement("a"), { className: "list-row__open", href: `${this.#toolUrl}?${query}` });
    if (total) link.append(createRowPart("total", total), " ");
    link.append(createRowPart("details", isolateRightToLeft(text || summary)));
    const button = Object.assign(document.createElement("button"), { type: "button", className: "list-row__copy", textContent: "Copy" });
    button.dataset.copy = summary;
    button.dataset.copyLink = link.href;
    button.setAttribute("aria-label", `Copy: ${summary}`);
    item.append(link, " ", button);
    return item;
  }
}

/** Create a part of a row.
 *  @param {string} part
 *  @param {string} textContent
 *  @returns {HTMLSpanElement} */
const createRowPart = (part, textContent) => Object.assign(document.createElement("span"), { className: `list-row__${part}`, textContent });
