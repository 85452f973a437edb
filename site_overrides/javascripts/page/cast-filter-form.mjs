// The form that filters the cards of the cast, by kind and by words. Its state is in the URL. Without it, all cards are visible.
import { SavedEntries } from "../saved/store.mjs";
import { formatUrlSuffix, root } from "../shared/urls.mjs";
import { findNearestEntries } from "./search-suggestions.mjs";

const MIN_PLURAL_LENGTH = 3; // a longer word may be a plural
const ALL = "all";
const MINE = "mine";
/** Whether a card belongs to a chip. @type {Record<string, (card: HTMLElement) => boolean>} */
const CHIPS = {
  [ALL]: () => true,
  ten: ({ dataset }) => dataset.cp === "10",
  opponents: ({ dataset }) => dataset.kind === "opponent",
  [MINE]: ({ dataset }) => dataset.kind === MINE,
};
const HINTS = ["archer", "healer", "robber", "monster"]; // searches that find someone

/** A list of cards, and the heading and texts above it. @typedef {{ cards: HTMLElement[], parts: HTMLElement[] }} Section */

/** Split a text into lower-case words.
 *  @param {string} text
 *  @returns {string[]} */
const splitIntoLowerCaseWords = (text) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);

/** Return the name of a card's character.
 *  @param {HTMLElement} card */
const lowerCaseNameOf = (card) => (card.querySelector(".person__name")?.firstChild?.textContent ?? "").toLowerCase();

/** Whether the name of a card contains, or its other words begin with, each of the words; as `has_words` in chooser.py.
 *  @param {HTMLElement} card
 *  @param {string[]} words */
function matchesWords(card, words) {
  const text = ` ${splitIntoLowerCaseWords(card.dataset.find ?? "").join(" ")}`;
  const singular = words.map((word) => (word.length > MIN_PLURAL_LENGTH ? word.replace(/s$/, "") : word));
  return singular.every((word) => lowerCaseNameOf(card).includes(word) || text.includes(` ${word}`));
}

/** Find the lists of cards on the page.
 *  @param {Element} article
 *  @returns {Section[]} */
function findCardSections(article) {
  return [...article.querySelectorAll(".cast:not(.cast-filter__mine)")].map((list) => {
    const parts = [/** @type {HTMLElement} */ (list)];
    for (
      let part = list.previousElementSibling;
      part && !part.matches(".cast, :has(scratch-cast-filter)");
      part = part.previousElementSibling
    ) {
      parts.push(/** @type {HTMLElement} */ (part));
      if (part.matches("h2")) break;
    }
    return { cards: [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll(".cast-card"))], parts };
  });
}

/** Create the cards of the saved characters, the latest first.
 *  @returns {HTMLElement[]} */
function createSavedCards() {
  return new SavedEntries("character/1").listLatestFirst().map(({ name, query, summary }) => {
    const card = document.createElement("article");
    const link = document.createElement("a");
    const hint = document.createElement("span");
    card.className = "cast-card";
    card.dataset.kind = MINE;
    card.dataset.find = summary;
    Object.assign(link, { className: "person__name", href: `${root}tools/character/${formatUrlSuffix(query, true)}&then&do=play` });
    link.textContent = name || "without a name";
    Object.assign(hint, { className: "hint", textContent: summary.replace(`${name}: `, "") });
    card.append(link, hint);
    return card;
  });
}

const createCharacterToolLink = () =>
  Object.assign(document.createElement("a"), { href: `${root}tools/character/`, textContent: "Build a character" });

/** Fill the form from the URL, and filter the cards whenever it changes.
 *  @param {HTMLElement} filter */
export function setUpCastFilter(filter) {
  const form = /** @type {HTMLFormElement} */ (filter.querySelector("form"));
  const { find, show } = /** @type {Record<string, any>} */ (form.elements);
  const article = /** @type {Element} */ (filter.closest("article"));
  const savedCards = createSavedCards();
  const mine = /** @type {HTMLElement} */ (filter.querySelector(".cast-filter__mine"));
  mine.append(...savedCards);
  const sections = [{ cards: savedCards, parts: [mine] }, ...findCardSections(article)];
  const cards = sections.flatMap((section) => section.cards);
  const castCards = cards.filter((card) => !savedCards.includes(card));
  const names = castCards.flatMap((card) =>
    [lowerCaseNameOf(card), ...splitIntoLowerCaseWords(card.dataset.find ?? "")].map((title) => ({ title, location: "", tags: ["Term"] })),
  );

  /** Show the cards that match, and their number.
   *  @param {boolean} [isFromUrl] */
  const update = (isFromUrl = false) => {
    const words = splitIntoLowerCaseWords(find.value);
    const isChosen = CHIPS[show.value];
    const isFiltered = words.length > 0 || show.value !== ALL;
    /** @param {HTMLElement} card */
    const isShown = (card) => isChosen(card) && matchesWords(card, words) && (isFiltered || card.dataset.kind !== MINE);
    for (const section of sections) {
      for (const card of section.cards) card.hidden = !isShown(card);
      const isEmpty = section.cards.every((card) => card.hidden);
      for (const part of section.parts) part.hidden = isEmpty;
    }
    const count = cards.filter((card) => !card.hidden).length;
    renderFound(count, isFiltered ? `${count} found` : `${count} characters`);
    if (!isFromUrl) history.replaceState(history.state, "", formatState());
  };

  /** Format the URL of the page with the state of the form. */
  const formatState = () => {
    const params = new URLSearchParams();
    if (show.value !== ALL) params.set("show", show.value);
    if (find.value.trim()) params.set("find", find.value.trim());
    const query = params.toString();
    return `${location.pathname}${query && `?${query}`}${location.hash}`;
  };

  const found = /** @type {HTMLElement} */ (form.querySelector(".cast-filter__found"));
  const ways = /** @type {HTMLElement} */ (form.querySelector(".cast-filter__ways"));
  /** Count the cards of all kinds with the words in the field; 0 if it is empty or all kinds are shown. */
  const countMatchesOfAllKinds = () => {
    const words = splitIntoLowerCaseWords(find.value);
    return words.length && show.value !== ALL ? cards.filter((card) => matchesWords(card, words)).length : 0;
  };

  /** Say how many were found, or how to go on.
   *  @param {number} count
   *  @param {string} text */
  const renderFound = (count, text) => {
    const lacksSaved = show.value === MINE && !savedCards.length;
    ways.hidden = count > 0;
    found.textContent = count ? text : lacksSaved ? "You haven't saved any characters yet." : "No one found.";
    if (count) return;
    const elsewhere = lacksSaved ? 0 : countMatchesOfAllKinds();
    if (elsewhere) {
      found.textContent = `No one found here, but ${elsewhere} in the whole list.`;
      return ways.replaceChildren(createButton(`Show ${elsewhere}`, find.value));
    }
    const near = lacksSaved ? [] : findNearestEntries(find.value.trim(), names).map(({ title }) => title);
    if (near.length) found.append(" Did you mean one of these?");
    ways.replaceChildren(
      ...(lacksSaved ? [createCharacterToolLink()] : (near.length ? near : HINTS).map((word) => createButton(word, word))),
      createButton("Show everyone", ""),
    );
  };

  /** Create a button that shows all kinds.
   *  @param {string} label
   *  @param {string} text for the field */
  const createButton = (label, text) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
    button.addEventListener("click", () => {
      find.value = text;
      show.value = ALL;
      update();
      find.focus({ preventScroll: true });
    });
    return button;
  };

  const params = new URLSearchParams(location.search);
  find.value = params.get("find") ?? "";
  show.value = Object.hasOwn(CHIPS, params.get("show") ?? "") ? params.get("show") : ALL;
  form.addEventListener("input", () => update());
  form.addEventListener("submit", (event) => event.preventDefault());
  const controller = new AbortController();
  /** Show everyone if a link leads to a hidden part of the page. */
  const showTarget = () => {
    if (!filter.isConnected) return controller.abort();
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || target.checkVisibility()) return;
    form.reset();
    update();
    target.scrollIntoView();
  };
  addEventListener("hashchange", showTarget, { signal: controller.signal });
  update(true);
  showTarget();
  filter.dataset.filtered = "";
}
