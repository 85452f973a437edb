// On the home page, links to the latest saved character and fight replace the button for beginners.
import { isolateRightToLeft } from "../shared/bidi.mjs";
import { SavedEntries } from "../saved/store.mjs";
import { formatQuery, root } from "../shared/urls.mjs";

const STAGE_SEPARATOR = " · "; // between the name of a fight and its stage

const OPEN_PARAMS = { character: "&then&do=play" }; // opens a character in play

/** List the latest saved entry of a calculator, if there is one. */
const listLatestEntry = (kind) => {
  const [latest] = new SavedEntries(`${kind}/1`).entries();
  return latest ? [{ kind, ...latest }] : [];
};

const createResumeLink = ({ kind, name, query, summary }) => {
  const progress = name.includes(STAGE_SEPARATOR) ? "" : summary.split(/[,:;.]/)[0].replace("Round", "round"); // "3 of 4 hit points", "Round 2"
  const address = formatQuery(query, true);
  const href = `${root}tools/${kind}/${address}${address && (OPEN_PARAMS[kind] ?? "")}`;
  return Object.assign(document.createElement("a"), {
    className: "button",
    href,
    textContent: isolateRightToLeft([name || `Unnamed ${kind}`, progress].filter(Boolean).join(", ")),
  });
};

/** Replace the button for beginners by the links, the latest first. */
export function replaceBeginButton(button = document.querySelector(".begin a.primary")) {
  const entries = button ? ["character", "fight"].flatMap(listLatestEntry) : [];
  if (!entries.length) return;
  const links = entries.sort((one, other) => (one.changed < other.changed ? 1 : -1)).map(createResumeLink);
  links[0].prepend("Continue: ");
  links[0].classList.add("primary");
  button.replaceWith(...links);
}
