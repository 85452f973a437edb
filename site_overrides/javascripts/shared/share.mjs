// Downloads, the clipboard, and share links.
import { pythonClient } from "../engine/client.mjs";

/** Download a text as a file. */
export function downloadFile(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Copy a text, and confirm it on the button. If that is not allowed, show the text, selected. */
export async function copyText(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    flashLabel(button, "Copied");
  } catch {
    flashLabel(button, "Copying isn't allowed here");
    showTextToCopy(button, text);
  }
}

/** Show a text below the button, selected, so that the user can copy it. */
function showTextToCopy(button, text) {
  const next = button.nextElementSibling;
  const container = next?.matches(".copied-by-hand") ? next : document.createElement("code");
  container.className = "copied-by-hand";
  container.tabIndex = 0;
  container.textContent = text;
  button.after(container);
  getSelection().selectAllChildren(container);
}

/** Show another label on a button for two seconds. */
export function flashLabel(button, words) {
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = words;
  setTimeout(() => (button.textContent = label), 2000);
}

/** Share a URL with the Web Share API if there is one; else copy it. */
export async function shareUrl(button, url) {
  if (!navigator.share) return copyText(button, url);
  try {
    await navigator.share({ title: button.dataset.title || document.title, url });
  } catch (error) {
    if (error.name !== "AbortError") await copyText(button, url); // AbortError: the user has cancelled
  }
}

const LONG_QUERY = 500; // characters; longer queries are packed

/** Return a link whose query is packed by Python if that is shorter; `title` is the name of the link.
 *  @returns {Promise<string>} */
export async function shortenLink(url, title = "") {
  const at = url.search(/#?\?/);
  const query = url.slice(at).replace(/^#?\?/, "");
  if (at < 0 || query.length <= LONG_QUERY) return url;
  try {
    const { link } = JSON.parse(await pythonClient.ask(JSON.stringify({ link: query, title })));
    return link.length < query.length ? `${url.slice(0, at)}#?${link}` : url;
  } catch {
    return url; // without Python the long link stays
  }
}
