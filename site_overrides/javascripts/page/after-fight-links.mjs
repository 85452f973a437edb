// At the end of a fight, links to the saved sheets of its characters. The sheet then offers the remaining hit points, and
// changes nothing by itself.
/** @import { SavedEntry } from "../saved/store.mjs" */
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { SavedEntries, isNumberedName } from "../saved/store.mjs";
import { root } from "../shared/urls.mjs";

const PLAY_PARAMS = "at=play&do=fights&hands=fight/1";

/** Insert the links before the element with data-sheets, which lists the names of the characters, one per line.
 *  @param {HTMLElement} element the calculator */
export function insertSheetUpdateLinks(element) {
  const anchor = element.querySelector("[data-sheets]");
  /** @type {string[]} */
  const names = anchor?.dataset.sheets.split("\n") ?? [];
  /** @param {SavedEntry} entry */
  const isParticipant = ({ name, formerNames = [] }) =>
    names.some((fighter) => fighter === name || isNumberedName(fighter, name) || formerNames.includes(fighter));
  for (const { name, query } of names.length ? new SavedEntries("character/1").listLatestFirst().filter(isParticipant) : []) {
    const href = `${root}tools/character/#?${query}&then&${PLAY_PARAMS}`;
    const textContent = isolateRightToLeft(`Update ${name}'s sheet …`);
    anchor.before(Object.assign(document.createElement("a"), { className: "button", href, textContent }));
  }
}
