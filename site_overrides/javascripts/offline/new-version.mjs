// A tab may stay open while a new version of the site is published. The folder of the scripts is named after their
// content, and every page links to the folder of its version: if the two names differ, this tab runs another version.
import { createButton } from "../page/notices.mjs";

const ownFolder = /** @type {string} */ (new URL("./", import.meta.url).pathname.split("/").at(-2));
const REQUEST_TIMEOUT = 3_000; // ms

/** Find the folder of the scripts in a page or URL.
 *  @param {string} text
 *  @returns {string} the folder of this tab's scripts if there is none */
const findEngineFolderOrOwn = (text) => /assets\/(engine-[0-9a-f]+)\//.exec(text)?.[1] ?? ownFolder;

export const NEW_VERSION_TEXT = "There is a new version of this site";

/** Fetch this page, and find out whether it links to other scripts than this tab runs.
 *  @returns {Promise<boolean>} false if the site doesn't respond */
export async function detectNewVersion() {
  try {
    const response = await fetch(location.pathname, { cache: "no-store", signal: AbortSignal.timeout(REQUEST_TIMEOUT) });
    return findEngineFolderOrOwn(await response.text()) !== ownFolder;
  } catch {
    return false;
  }
}

/** Offer the new version in a notice that can be dismissed.
 *  @param {() => void} activate switches to it */
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
export function offerNewVersionOnNavigation() {
  window.document$?.subscribe(() => {
    const script = document.querySelector('head script[type=module][src*="/engine-"]');
    if (script && findEngineFolderOrOwn(script.src) !== ownFolder) offerNewVersion();
  });
}
