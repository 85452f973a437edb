// Home knows its reader: where it asks newcomers in, it leads back to the latest character and fight kept here.
import { isolateNames } from "../shared/bidi.mjs";
import { SavedEntries } from "../saved/store.mjs";
import { formatQuery, root } from "../shared/urls.mjs";

const STAGE = " · "; // what stands before how far a fight has come, where its name tells that

const PRESSES = { character: "&then&do=play" }; // what the way presses in what it opens: a character's sheet

const latestOf = (kind) => {
  const [latest] = new SavedEntries(`${kind}/1`).entries();
  return latest ? [{ kind, ...latest }] : [];
};

const wayOf = ({ kind, name, query, summary }) => {
  const where = name.includes(STAGE) ? "" : summary.split(/[,:;.]/)[0].replace("Round", "round"); // "3 of 4 hit points", "Round 2"
  const address = formatQuery(query, true);
  const href = `${root}tools/${kind}/${address}${address && (PRESSES[kind] ?? "")}`;
  return Object.assign(document.createElement("a"), {
    className: "button",
    href,
    textContent: isolateNames([name || `Unnamed ${kind}`, where].filter(Boolean).join(", ")),
  });
};

/** Put the ways on, the latest first, in place of the button for beginners. */
export function insertResumeLinks(place = document.querySelector(".begin a.primary")) {
  const kept = place ? ["character", "fight"].flatMap(latestOf) : [];
  if (!kept.length) return;
  const ways = kept.sort((one, other) => (one.changed < other.changed ? 1 : -1)).map(wayOf);
  ways[0].prepend("Continue: ");
  ways[0].classList.add("primary");
  place.replaceWith(...ways);
}
