// At a fight's end a way to the sheet of whoever in it is kept here under that name: it offers there what is left of the hit
// points, and takes nothing over by itself.
import { isolateNames } from "../shared/bidi.mjs";
import { SavedEntries, isNumbered } from "../saved/store.mjs";
import { root } from "../shared/urls.mjs";

const OFFERED = "at=play&do=fights&hands=fight/1";

/** Put the links before what has data-sheets, which has the names of those who fought, one a line. */
export function insertSheetLinks(element) {
  const place = element.querySelector("[data-sheets]");
  const names = place?.dataset.sheets.split("\n") ?? [];
  const hasFought = ({ name }) => names.some((each) => each === name || isNumbered(each, name));
  for (const { name, query } of names.length ? new SavedEntries("character/1").entries().filter(hasFought) : []) {
    const href = `${root}tools/character/#?${query}&then&${OFFERED}`;
    const textContent = isolateNames(`Update ${name}’s sheet`);
    place.before(Object.assign(document.createElement("a"), { className: "button", href, textContent }));
  }
}
