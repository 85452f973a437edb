// A tab may stay open while a new version of the site is published. The folder of the scripts is named after their
// content, and every page links to the folder of its version: if the two names differ, this tab runs another version.
import { createButton } from "../page/notices.mjs";

const ownFolder = new URL("./", import.meta.url).pathname.split("/").at(-2);
const REQUEST_TIMEOUT = 3_000; // ms

/** Find the folder of the scripts in a page or URL. Returns the folder of this tab if there is none. */
const findEngineFolder = (text) => /assets\/(engine-[0-9a-f]+)\//.exec(text)?.[1] ?? ownFolder;

export const NEW_VERSION_TEXT = "There is a new version of this site";

/** Check whether the site's pages link to other scripts than this tab runs. Resolves to false if the site doesn't respond.
 *  @returns {Promise<boolean>} */
export async function checkForNewVersion() {
  try {
    const response = await fetch(location.pathname, { cache: "no-store", signal: AbortSignal.timeout(REQUEST_TIMEOUT) });
    return findEngineFolder(await response.text()) !== ownFolder;
  } catch {
    return false;
  }
}

/** Offer the new version in a notice that can be dismissed; `activate` switches to it, by default by reloading the page. */
export function offerNewVersion(activate = () => location.reload()) {
  document.querySelector(".scratch-version")?.remove();
  const notice = Object.assign(document.createElement("aside"), { className: "notice scratch-version" });
  notice.setAttribute("aria-label", "New version");
  const message = Object.assign(document.createElement("p"), { textContent: `${NEW_VERSION_TEXT}. Your saved entries stay.` });
  message.setAttribute("role", "status");
  notice.append(
    message,
    createButton("Reload", activate),
    " ",
    createButton("Later", () => notice.remove()),
  );
  document.body.append(notice);
}

/** Offer the new version when the theme's instant navigation has inserted a page of it into this tab. */
export function watchNavigationForNewVersion() {
  window.document$?.subscribe(() => {
    const script = document.querySelector('head script[type=module][src*="/engine-"]');
    if (script && findEngineFolder(script.src) !== ownFolder) offerNewVersion();
  });
}
