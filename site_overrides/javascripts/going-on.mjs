// Home knows its reader: where it asks newcomers in, it leads back to the latest character and fight kept here.
import { Kept } from "./kept.mjs";
import { addressed, root } from "./place.mjs";

const wayOf = (kind) => {
  const [latest] = new Kept(`${kind}/1`).entries();
  if (!latest) return [];
  const way = document.createElement("a");
  way.href = `${root}tools/${kind}/${addressed(latest.query)}`;
  const where = latest.summary.split(/[,:;.]/)[0]; // "3 of 4 hit points", "Round 2"
  way.textContent = [latest.name || `A ${kind}`, where.replace(/^[A-Z]/, (letter) => letter.toLowerCase())].filter(Boolean).join(", ");
  return [way];
};

/** Put the ways on in place of the one for beginners; without anything kept it stays. */
export function leadOn(place = document.querySelector(".begin a:not(.button)")) {
  const ways = place ? ["character", "fight"].flatMap(wayOf) : [];
  if (ways.length) place.replaceWith("Go on: ", ...ways.flatMap((way, at) => (at ? [" · ", way] : [way])));
}
