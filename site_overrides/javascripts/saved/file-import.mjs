// The file input of every tool's page. Python reads a file that is no export file, and names the tools that can open it.
/** @import { SavedEntry } from "./store.mjs" */
import { pythonClient } from "../engine/client.mjs";
import { isFramed } from "../shared/embedding.mjs";
import { parseHouseRulesInPython } from "../page/house-rules.mjs";
import { focusNotice, showNotice, removeNotice } from "../page/notices.mjs";
import { downloadFile } from "../shared/share.mjs";
import { root, toolUrlOf } from "../shared/urls.mjs";
import { parseExportFile } from "./store.mjs";

/** Add a file input below the calculator of a tool page, unless it has one.
 *  @param {HTMLElement} element the calculator */
export function addFileInputIfMissing(element) {
  if (isFramed || !location.href.startsWith(toolUrlOf(element)) || element.querySelector("input[type=file]")) return;
  const label = Object.assign(document.createElement("label"), { className: "button open-file", textContent: "Import file " });
  const input = Object.assign(document.createElement("input"), { type: "file" });
  input.accept = ".json,.toml,.txt,application/json,text/plain";
  label.append(input);
  const place = Object.assign(document.createElement("p"), { className: "calculator-file" });
  place.append(label);
  element.append(place);
}

/** Read a text file; show a notice if it is empty, no text, or unreadable.
 *  @param {HTMLElement} element the calculator
 *  @param {Blob} file
 *  @returns {Promise<string | null>} its text, or null after a notice */
export async function readTextFileOrShowNotice(element, file) {
  removeNotice(element, "opened");
  const bytes = await file.arrayBuffer().catch(() => null);
  const text = bytes && decodeText(bytes);
  const problem =
    text === null
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

/** Decode a file: UTF-8, UTF-16 with a byte order mark, or else Windows-1252, which older programs write.
 *  @param {ArrayBuffer} bytes
 *  @returns {string} */
function decodeText(bytes) {
  const [first, second] = new Uint8Array(bytes);
  /** By the byte order mark. @type {Record<string, string>} */
  const encodings = { "255 254": "utf-16le", "254 255": "utf-16be" };
  try {
    return new TextDecoder(encodings[`${first} ${second}`] ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** What the script of campaigns gets from the page: it is bundled with a copy of its own of everything else, and Python and
 *  downloads belong to the page. */
const PAGE = { parseHouseRulesInPython, downloadFile };
/** @typedef {typeof PAGE} PageFunctions */

/** Import an export file: show what it contains, and let the user choose.
 *  @param {HTMLElement} element the calculator
 *  @param {string} fileText
 *  @param {(entries: SavedEntry[]) => void} onChange called after each import and undo, with the imported entries
 *  @returns {boolean} false for any other text */
export function reviewIfExportFile(element, fileText, onChange) {
  const file = parseExportFile(fileText);
  if (!file) return false;
  removeNotice(element, "import");
  loadCampaignScript().then(
    ({ importOrReview }) => importOrReview(element, file, PAGE, onChange),
    () => showNotice(element, "opened", "The import couldn't load. Check your connection, reload this page and import the file again."),
  );
  return true;
}

/** Load the script of campaigns, which few pages need. */
const loadCampaignScript = () => import("./campaign.mjs");

/** <scratch-campaign name="campaign">: the page of the campaign. */
class ScratchCampaign extends HTMLElement {
  connectedCallback() {
    loadCampaignScript().then(
      ({ showCampaign }) => this.#importChosenFiles(showCampaign(this, PAGE)),
      () => {}, // without it the page says that it can't show the campaign
    );
  }

  /** Import the files that the user opens.
   *  @param {() => void} render shows what is saved now */
  #importChosenFiles(render) {
    this.addEventListener("change", async (event) => {
      const target = /** @type {HTMLInputElement} */ (event.target);
      const file = target.type === "file" && target.files?.[0];
      const text = file && (await readTextFileOrShowNotice(this, file));
      if (!file) return;
      target.value = "";
      if (text && !reviewIfExportFile(this, text, render)) await offerToolsUnlessOwnFile(this, text);
    });
  }
}

customElements.define("scratch-campaign", ScratchCampaign);

/** Request from Python which tools can open a file, and show links to them in a notice.
 *  @param {HTMLElement} element the calculator
 *  @param {string} fileText
 *  @returns {Promise<boolean>} false if this calculator opens the file */
export async function offerToolsUnlessOwnFile(element, fileText) {
  const request = { name: element.getAttribute("name"), query: element.dataset.query ?? "", file: fileText, root };
  if (pythonClient.state !== "ready") showNotice(element, "opened", "Starting Python to read the file …");
  try {
    /** @type {{ words?: string, links?: [string, string][] }} */
    const { words, links = [] } = JSON.parse(await pythonClient.fetchAnswer(JSON.stringify(request)));
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
    showNotice(element, "opened", /** @type {Error} */ (error).message);
  }
  focusNotice(element, "opened");
  return true;
}

/** @param {string} textContent
 *  @param {string} href
 *  @returns {HTMLAnchorElement} */
const createLink = (textContent, href) => Object.assign(document.createElement("a"), { textContent, href });
