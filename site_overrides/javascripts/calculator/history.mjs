// The list of what a calculator has answered in this visit, below a calculator whose form has data-history; while there is
// nothing in it, what that attribute says stands in its place.
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { storageKeyOf } from "../shared/urls.mjs";
import { getSessionStorage } from "../shared/web-storage.mjs";

const ENTRIES = 20;

export class History {
  #place;
  #name;
  #toolPage;
  #empty;

  /** For a calculator's element; `toolPage` is where its answers are reopened, `empty` the words while there are none. */
  constructor(place, toolPage, empty = "") {
    this.#place = place;
    this.#name = storageKeyOf(`scratch-history-${place.getAttribute("name")}`);
    this.#toolPage = toolPage;
    this.#empty = empty;
  }

  /** Put an answer at the head of the list. */
  add(query, summary) {
    const entries = [{ query, summary }, ...this.#stored()].slice(0, ENTRIES);
    try {
      getSessionStorage().setItem(this.#name, JSON.stringify(entries));
    } catch {
      // no storage: the list is kept for this answer only
    }
    this.show(entries);
  }

  forget() {
    getSessionStorage().removeItem(this.#name);
    this.show([]);
  }

  show(entries = this.#stored()) {
    this.#place.querySelector(".calculator-history")?.remove();
    if (!entries.length && !this.#empty) return;
    const section = document.createElement("details");
    section.className = "calculator-history";
    section.open = true;
    section.innerHTML = "<summary>History</summary><ol></ol><p></p><button type=button data-forget>Clear history</button>";
    section.querySelector("ol").append(...entries.map((entry) => this.#item(entry)));
    section.querySelector("p").textContent = entries.length ? "" : this.#empty;
    this.#place.append(section);
  }

  #stored() {
    try {
      const entries = JSON.parse(getSessionStorage().getItem(this.#name) ?? "[]");
      return entries.filter(({ query, summary }) => typeof query === "string" && typeof summary === "string");
    } catch {
      return [];
    }
  }

  #item({ query, summary }) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `${this.#toolPage}?${query}`;
    link.textContent = isolateRightToLeft(summary);
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.copy = summary;
    button.dataset.copyLink = link.href;
    button.textContent = "Copy";
    item.append(link, " ", button);
    return item;
  }
}
