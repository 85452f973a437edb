// On the home page, links to the latest saved characters and the latest fight replace the button for beginners.
/** @import { SavedEntry } from "../saved/store.mjs" */
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { SavedEntries, entryUrlOf } from "../saved/store.mjs";

const STAGE_SEPARATOR = " · "; // between the name of a fight and its stage

const LINK_COUNTS = { character: 3, fight: 1 }; // at most, by the calculator's name

/** @typedef {SavedEntry & { kind: string }} LatestEntry */

/** List the latest saved entries of a calculator.
 *  @param {[kind: string, count: number]} calculator its name, and how many at most
 *  @returns {LatestEntry[]} */
const listLatestEntries = ([kind, count]) =>
  new SavedEntries(`${kind}/1`)
    .listLatestFirst()
    .slice(0, count)
    .map((entry) => ({ kind, ...entry }));

/** @param {LatestEntry} entry
 *  @returns {HTMLAnchorElement} */
const createResumeLink = ({ kind, ...entry }) => {
  const { name, summary } = entry;
  const progress = name.includes(STAGE_SEPARATOR) ? "" : summary.split(/[,:;.]/)[0].replace("Round", "round"); // "3 of 4 hit points", "Round 2"
  return Object.assign(document.createElement("a"), {
    className: "button",
    href: entryUrlOf(entry),
    textContent: isolateRightToLeft([name || `Unnamed ${kind}`, progress].filter(Boolean).join(", ")),
  });
};

/** Replace the button for beginners by the links, the latest first.
 *  @param {HTMLElement | null} button */
export function replaceBeginButtonByResumeLinks(button = document.querySelector(".home__begin a.primary")) {
  const entries = button ? Object.entries(LINK_COUNTS).flatMap(listLatestEntries) : [];
  if (!button || !entries.length) return;
  const links = entries.sort((one, other) => (one.changed < other.changed ? 1 : -1)).map(createResumeLink);
  links[0].prepend(entries[0].name.includes(`${STAGE_SEPARATOR}over`) ? "Last fight: " : "Continue: ");
  links[0].classList.add("primary");
  button.replaceWith(...links);
}
