// A tab may stay open while a new version of the site is published. Its own scripts lie in a folder whose name tells
// their content, and every page names the folder that belongs to it: where the two differ, this tab is of another version.
import { createButton } from "../page/notices.mjs";

const mine = new URL("./", import.meta.url).pathname.split("/").at(-2);
const PATIENCE = 3_000; // ms
const folderIn = (text) => /assets\/(engine-[0-9a-f]+)\//.exec(text)?.[1] ?? mine;

export const WORDS = "There is a new version of this site";

/** Whether the site's pages have other scripts by now than this tab; false where the site can't be asked. */
export async function isOutdated() {
  try {
    const response = await fetch(location.pathname, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    return folderIn(await response.text()) !== mine;
  } catch {
    return false;
  }
}

/** Offer the new version once; never forced: the reader presses, or goes on. `take` gets it, by default by loading the page. */
export function offerNewVersion(take = () => location.reload()) {
  document.querySelector(".scratch-version")?.remove();
  const notice = Object.assign(document.createElement("aside"), { className: "notice scratch-version" });
  notice.setAttribute("aria-label", "New version");
  const words = Object.assign(document.createElement("p"), { textContent: `${WORDS}. Your saved entries stay.` });
  words.setAttribute("role", "status");
  notice.append(
    words,
    createButton("Reload", take),
    " ",
    createButton("Later", () => notice.remove()),
  );
  document.body.append(notice);
}

/** The theme swaps pages without loading them anew: say so when one of a new version comes into a tab of the old. */
export function watchPages() {
  window.document$?.subscribe(() => {
    const script = document.querySelector('head script[type=module][src*="/engine-"]');
    if (script && folderIn(script.src) !== mine) offerNewVersion();
  });
}
