// Downloads, the clipboard, and share links.
/** @import { Query } from "./urls.mjs" */
import { pythonClient } from "../engine/client.mjs";

/** Download a text as a file.
 *  @param {string} name of the file
 *  @param {string} text */
export function downloadFile(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Copy a text to the clipboard, and confirm it on the button. If the browser denies it, show the text, selected.
 *  @param {HTMLElement} button
 *  @param {string} text
 *  @returns {Promise<void>} */
export async function copyTextAndConfirm(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    flashLabel(button, "Copied");
  } catch {
    flashLabel(button, "Copying isn't allowed here");
    showTextToCopy(button, text);
  }
}

/** Show a text below the button, selected, so that the user can copy it.
 *  @param {HTMLElement} button
 *  @param {string} text */
function showTextToCopy(button, text) {
  const next = /** @type {HTMLElement | null} */ (button.nextElementSibling);
  const container = next?.matches(".copied-by-hand") ? next : document.createElement("code");
  container.className = "copied-by-hand";
  container.tabIndex = 0;
  container.textContent = text;
  button.after(container);
  getSelection()?.selectAllChildren(container);
}

/** Show another label on a button for two seconds. An icon gives way to it: the button has data-flashes meanwhile.
 *  @param {HTMLElement} button
 *  @param {string} temporaryLabel */
export function flashLabel(button, temporaryLabel) {
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = temporaryLabel;
  button.dataset.flashes = "";
  setTimeout(() => {
    button.textContent = label;
    delete button.dataset.flashes;
  }, 2000);
}

/** Share a URL with the Web Share API; without that API, or if it fails, copy the URL.
 *  @param {HTMLElement} button its `data-title` is the title of what is shared
 *  @param {string} url
 *  @returns {Promise<void>} */
export async function shareOrCopyUrl(button, url) {
  if (!navigator.share) return copyTextAndConfirm(button, url);
  try {
    await navigator.share({ title: button.dataset.title || document.title, url });
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "AbortError") await copyTextAndConfirm(button, url); // AbortError: the user has cancelled
  }
}

const LONG_QUERY = 500; // characters; longer queries are packed

/** Let Python pack the query of a URL.
 *  @param {string} url
 *  @param {string} title the name in the packed link
 *  @returns {Promise<string>} the URL with the packed query, or the same URL if that is no shorter or Python fails */
export async function packLongLink(url, title = "") {
  const at = url.search(/#?\?/);
  /** @type {Query} */
  const query = url.slice(at).replace(/^#?\?/, "");
  if (at < 0 || query.length <= LONG_QUERY) return url;
  try {
    const { link } = JSON.parse(await pythonClient.fetchAnswer(JSON.stringify({ link: query, title })));
    return link.length < query.length ? `${url.slice(0, at)}#?${link}` : url;
  } catch {
    return url; // without Python the long link stays
  }
}
