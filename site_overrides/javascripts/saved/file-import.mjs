// The file input of every tool's page. Python reads a file that is no export file, and names the tools that can open it.
import { pythonClient } from "../engine/client.mjs";
import { isFramed } from "../shared/embedding.mjs";
import { showNotice, removeNotice } from "../page/notices.mjs";
import { root, toolUrlOf } from "../shared/urls.mjs";

/** Add a file input below the calculator of a tool page, unless it has one. */
export function addFileInput(element) {
  if (isFramed || !location.href.startsWith(toolUrlOf(element)) || element.querySelector("input[type=file]")) return;
  const label = Object.assign(document.createElement("label"), { className: "button open-file", textContent: "Import file " });
  const input = Object.assign(document.createElement("input"), { type: "file" });
  input.accept = ".json,.toml,.txt,application/json,text/plain";
  label.append(input);
  const place = Object.assign(document.createElement("p"), { className: "calculator-file" });
  place.append(label);
  element.append(place);
}

/** Return the text of a file; if it is empty, no text, or unreadable, show a notice and return null.
 *  @returns {Promise<string | null>} */
export async function readTextFile(element, file) {
  removeNotice(element, "opened");
  const bytes = await file.arrayBuffer().catch(() => null);
  const text = bytes && decodeText(bytes);
  const problem =
    bytes === null
      ? "Can't read this file. It may have moved, or the browser has no access to it."
      : !/[^\s\0]/.test(text)
        ? "This file is empty."
        : CONTROL_CHARACTER.test(text)
          ? "This file isn't text. It may be a picture or a document. Save it as plain text first."
          : "";
  if (!problem) return text;
  showNotice(element, "opened", problem);
  focusNotice(element, "opened");
  return null;
}

const CONTROL_CHARACTER = /[^\P{Cc}\s]/u; // text contains none, apart from white space

/** Decode a file: UTF-8, UTF-16 with a byte order mark, or else Windows-1252, which older programs write. */
function decodeText(bytes) {
  const [first, second] = new Uint8Array(bytes);
  const encoding = { "255 254": "utf-16le", "254 255": "utf-16be" }[`${first} ${second}`];
  try {
    return new TextDecoder(encoding ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Ask Python which tools can open a file, and show them. Returns false if this calculator opens it.
 *  @returns {Promise<boolean>} */
export async function offerToolsForFile(element, fileText) {
  const request = { name: element.getAttribute("name"), query: element.dataset.query ?? "", file: fileText, root };
  if (pythonClient.state !== "ready") showNotice(element, "opened", "Starting Python to read the file …");
  try {
    const { words, links = [] } = JSON.parse(await pythonClient.ask(JSON.stringify(request)));
    if (!words) {
      removeNotice(element, "opened");
      return false;
    }
    showNotice(
      element,
      "opened",
      words,
      links.flatMap(([textContent, href]) => [createLink(textContent, href), " "]),
    );
  } catch (error) {
    showNotice(element, "opened", error.message);
  }
  focusNotice(element, "opened");
  return true;
}

/** Focus the first link or button of a notice above the calculator, and scroll to it. */
export function focusNotice(element, topic) {
  const notice = element.querySelector(`:scope > [data-notice=${topic}]`);
  notice?.querySelector("a, button")?.focus({ preventScroll: true });
  notice?.scrollIntoView({ block: "nearest" });
}

const createLink = (textContent, href) => Object.assign(document.createElement("a"), { textContent, href });
