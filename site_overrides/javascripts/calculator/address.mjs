// The query of a calculator in the page's URL, in the window's title, and in its share links.
import { findControl } from "./form.mjs";
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { formatUrlSuffix, toolUrlOf } from "../shared/urls.mjs";

const PACKED_PARAM = "packed"; // in place of all others in a link; Python unpacks it

/**
 * Return the query in a URL's fragment; "" if the fragment has none.
 * @param {string} hash
 */
const parseFragmentQuery = (hash) => (hash.startsWith("#?") ? hash.slice(2) : "");

export class CalculatorAddress {
  #element;
  #pageTitle = ""; // the window's title without an answer

  /** @param {HTMLElement} element the calculator's */
  constructor(element) {
    this.#element = element;
  }

  /** @returns {HTMLFormElement} */
  get #form() {
    return this.#element.querySelector("form");
  }

  /** Whether the page's URL belongs to this calculator: the first one of the page. */
  get isOwner() {
    return document.querySelector("scratch-calculator") === this.#element;
  }

  /** Whether the page's URL belongs to this calculator, and is that of its tool page. */
  get isOnToolPage() {
    return this.isOwner && location.href.startsWith(toolUrlOf(this.#element));
  }

  /**
   * Read the query in the page's URL: that of the fragment, which may be longer, else the search part.
   * @returns {string | null} null if the URL has no query for this calculator
   */
  readQuery() {
    if (!this.isOwner) return null;
    /** @param {string} query */
    const isOwnQuery = (query) =>
      [...new URLSearchParams(query).keys()].some((name) => name === PACKED_PARAM || findControl(this.#form, name));
    return [parseFragmentQuery(location.hash), location.search.slice(1)].find(isOwnQuery) ?? null;
  }

  /**
   * Show an answer in the page's URL and in the window's title (or its `data-title`), on the calculator's tool page only.
   * @param {string} query
   * @param {string} summary
   * @param {boolean} [isInitial] whether it is the page's own example, which the URL does not contain
   */
  showInUrlAndTitle(query, summary, isInitial) {
    if (!this.isOnToolPage) return;
    const path = this.#formatUrlSuffix(query);
    const isChanged = location.search + location.hash !== path; // Safari limits the number of changes, even without effect
    if (isChanged && !isInitial) history.replaceState(history.state, "", location.pathname + path);
    this.#pageTitle ||= document.title;
    const answerTitle = path && !isInitial && summary && (this.#element.querySelector("[data-answer]")?.dataset.title || summary);
    document.title = answerTitle
      ? `${isolateRightToLeft(answerTitle.replace(/\.$/, ""))} — ${this.#pageTitle.split(" - ")[0]}`
      : this.#pageTitle;
  }

  /** Complete the share links of the answer with the URL of the tool page. */
  completeShareLinks() {
    const toolUrl = toolUrlOf(this.#element);
    for (const link of this.#element.querySelectorAll("a[data-share]")) {
      const { search, hash } = new URL(link.href, location.href);
      const query = parseFragmentQuery(hash) || search.slice(1);
      link.href = query.includes(`${PACKED_PARAM}=`) ? toolUrl + hash : this.#buildUrl(query);
    }
    for (const button of this.#element.querySelectorAll('button[data-share^="#?"]')) button.dataset.share = toolUrl + button.dataset.share;
  }

  /** The URL of the shown answer on the tool page. */
  get answerUrl() {
    return this.#buildUrl(/** @type {string} */ (this.#element.dataset.query));
  }

  /** @param {string} query */
  #buildUrl(query) {
    return toolUrlOf(this.#element) + (this.#formatUrlSuffix(query) || `#?${query}`);
  }

  /**
   * Format a query for the URL. Saved entries are private: no server gets their query.
   * @param {string} query
   */
  #formatUrlSuffix(query) {
    return formatUrlSuffix(query, Boolean(this.#form.dataset.savedAs));
  }
}
