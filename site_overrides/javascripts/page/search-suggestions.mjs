// Suggestions where the search finds nothing: the nearest names of rules and terms, and the pages that list everything.
import { root } from "../shared/urls.mjs";

const MAX_NAMES = 3;
const MAX_EDITS = 0.34; // for each letter of the typed word
const NAMED = ["Rule", "Grid rule", "Other turn order", "Term", "Tool"]; // kinds of entries whose title is a name
/** The paths of lists by their titles. @type {Record<string, string>} */
const LISTS = { Glossary: "look-up/glossary/", "Can I …?": "look-up/quick-reference/#can-i", "Rule index": "look-up/rule-index/" };

/** An entry of the search's index. @typedef {{ title: string, location: string, tags?: string[] }} IndexEntry */
/** A name in lower case, its path, and the share of its letters that differ. @typedef {{ title: string, location: string, share: number }} NearestEntry */

/** The entries of the search's index, after the first search without a hit. @type {IndexEntry[] | undefined} */
let entries;
let shown = ""; // the search that the suggestions belong to

/** Show suggestions below an empty list of hits; remove those of an earlier query.
 *  @param {Element} resultBox
 *  @returns {Promise<void>} */
export async function showOrRemoveSuggestions(resultBox) {
  const typed = document.querySelector("[data-md-component=search-query]")?.value.trim() ?? "";
  const wanted = hasNoHits(resultBox) ? typed : "";
  if (wanted === shown) return;
  shown = wanted;
  resultBox.querySelector(".search-suggestions")?.remove();
  if (!wanted) return;
  const names = findNearestEntries(wanted, await loadIndexEntries());
  if (wanted === shown) resultBox.querySelector(".md-search-result__meta")?.after(renderSuggestions(names));
}

/** Whether the theme says that the search has no hit.
 *  @param {Element} resultBox */
function hasNoHits(resultBox) {
  const message = resultBox.querySelector(".md-search-result__meta")?.textContent.trim();
  return (
    Boolean(message) &&
    message === JSON.parse(document.getElementById("__config")?.textContent ?? "{}").translations?.["search.result.none"]
  );
}

/** Load the entries of the search's index, which the theme has fetched before.
 *  @returns {Promise<IndexEntry[]>} [] if that fails */
async function loadIndexEntries() {
  try {
    entries ??= (await (await fetch(`${root}search/search_index.json`)).json()).docs;
  } catch {
    // the lists are offered all the same
  }
  return entries ?? [];
}

/** Find the entries whose names are nearest to the typed text, each name once.
 *  @param {string} typed
 *  @param {IndexEntry[]} indexEntries
 *  @returns {NearestEntry[]} the nearest first */
export function findNearestEntries(typed, indexEntries) {
  const query = typed.toLowerCase();
  const words = [query, ...query.split(/\s+/).filter((word) => word.length > 3)];
  /** @type {Map<string, NearestEntry>} */
  const found = new Map();
  for (const { title, location, tags } of indexEntries) {
    const name = title
      .replace(/<[^>]*>/g, "")
      .trim()
      .toLowerCase();
    if (!tags?.some((tag) => NAMED.includes(tag)) || found.has(name)) continue;
    const share = Math.min(...words.map((word) => countEdits(word, name) / word.length));
    if (share <= MAX_EDITS) found.set(name, { title: name, location, share });
  }
  return [...found.values()].sort((one, other) => one.share - other.share).slice(0, MAX_NAMES);
}

/** Count the letters to add, drop or change to get from one word to another.
 *  @param {string} one
 *  @param {string} other
 *  @returns {number} */
function countEdits(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [place, wanted] of [...other].entries()) {
      next.push(Math.min(row[place] + Number(letter !== wanted), row[place + 1] + 1, next[place] + 1));
    }
    row = next;
  }
  return row[other.length];
}

/** @param {NearestEntry[]} nearestEntries
 *  @returns {HTMLParagraphElement} */
function renderSuggestions(nearestEntries) {
  const paragraph = Object.assign(document.createElement("p"), { className: "search-suggestions" });
  const near = nearestEntries.flatMap(({ title, location }, place) => [place ? ", " : "Did you mean ", createLink(title, location)]);
  const lists = Object.entries(LISTS).flatMap(([words, place], number) => [number ? ", " : "", createLink(words, place)]);
  paragraph.append(...near, ...(near.length ? ["? "] : []), "Try one word, or look here: ", ...lists, ".");
  return paragraph;
}

/** @param {string} textContent
 *  @param {string} path from the root of the site
 *  @returns {HTMLAnchorElement} */
const createLink = (textContent, path) => Object.assign(document.createElement("a"), { textContent, href: root + path });
