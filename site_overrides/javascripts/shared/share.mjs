// What a reader takes along: a file, a copied text, a link.
import { pythonClient } from "../engine/client.mjs";

/** Let the browser save a text as a file. */
export function downloadFile(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Copy a text, and say on the button that it is done; where that is not allowed, the text stands there, chosen. */
export async function copyText(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    flashLabel(button, "Copied");
  } catch {
    flashLabel(button, "Copying isn’t allowed here");
    showText(button, text);
  }
}

function showText(button, text) {
  const next = button.nextElementSibling;
  const place = next?.matches(".copied-by-hand") ? next : document.createElement("code");
  place.className = "copied-by-hand";
  place.tabIndex = 0;
  place.textContent = text;
  button.after(place);
  getSelection().selectAllChildren(place);
}

/** Let a button say for a moment what it has done. */
export function flashLabel(button, words) {
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = words;
  setTimeout(() => (button.textContent = label), 2000);
}

/** Hand a link to the system's sheet, where there is one; else copy it. */
export async function shareUrl(button, url) {
  if (!navigator.share) return copyText(button, url);
  try {
    await navigator.share({ title: button.dataset.title || document.title, url });
  } catch (error) {
    if (error.name !== "AbortError") await copyText(button, url); // the reader thought better of it, or it is not allowed here
  }
}

const LONG_QUERY = 500; // characters: longer ones are packed

/** Return a link with what it holds packed by Python, where that makes it shorter; `title` is what the link is called. */
export async function shortenLink(url, title = "") {
  const at = url.search(/#?\?/);
  const query = url.slice(at).replace(/^#?\?/, "");
  if (at < 0 || query.length <= LONG_QUERY) return url;
  try {
    const { link } = JSON.parse(await pythonClient.ask(JSON.stringify({ link: query, title })));
    return link.length < query.length ? `${url.slice(0, at)}#?${link}` : url;
  } catch {
    return url; // without Python the long one serves
  }
}
