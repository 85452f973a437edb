// "Open a file" on every tool's page: a file that is none of kept entries is shown to Python, which says where it goes on.
import { pythonClient } from "../engine/client.mjs";
import { isFramed } from "../shared/embedding.mjs";
import { showNotice, removeNotice } from "../page/notices.mjs";
import { root, toolUrlOf } from "../shared/urls.mjs";

/** Offer it below a calculator that has the page to itself and nowhere offers it yet. */
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

/** Return the text of a file; null where it is empty, is no text, or can't be read, which is said. */
export async function readTextFile(element, file) {
  removeNotice(element, "opened");
  const bytes = await file.arrayBuffer().catch(() => null);
  const text = bytes && decode(bytes);
  const problem =
    bytes === null
      ? "Can’t read this file. It may have moved, or the browser has no access to it."
      : !/[^\s\0]/.test(text)
        ? "This file is empty."
        : NO_TEXT.test(text)
          ? "This file isn’t text. It may be a picture or a document. Save it as plain text first."
          : "";
  if (!problem) return text;
  showNotice(element, "opened", problem);
  revealNotice(element, "opened");
  return null;
}

const NO_TEXT = /[^\P{Cc}\s]/u; // control characters, which no text holds

/** Decode a file: UTF-8, UTF-16 with its mark, or else Windows-1252, which older programs write. */
function decode(bytes) {
  const [first, second] = new Uint8Array(bytes);
  const marked = { "255 254": "utf-16le", "254 255": "utf-16be" }[`${first} ${second}`];
  try {
    return new TextDecoder(marked ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Say where a file goes on that belongs elsewhere. False: this calculator takes it itself. */
export async function offerMatchingTool(element, text) {
  const request = { name: element.getAttribute("name"), query: element.dataset.query ?? "", file: text, root };
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
      links.flatMap(([textContent, href]) => [link(textContent, href), " "]),
    );
  } catch (error) {
    showNotice(element, "opened", error.message);
  }
  revealNotice(element, "opened");
  return true;
}

/** Bring eye and focus to what is said above the calculator: its button stands below. */
export function revealNotice(element, about) {
  const notice = element.querySelector(`:scope > [data-notice=${about}]`);
  notice?.querySelector("a, button")?.focus({ preventScroll: true });
  notice?.scrollIntoView({ block: "nearest" });
}

const link = (textContent, href) => Object.assign(document.createElement("a"), { textContent, href });
