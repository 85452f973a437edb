// A file that the user opens in a calculator.
import { reviewIfExportFile, offerToolsUnlessOwnFile, readTextFileOrShowNotice } from "../saved/file-import.mjs";
import { findControl, queryOf } from "./form.mjs";

/** @import { SavedController } from "../saved/controller.mjs" */
/** @import { RequestSession } from "./request-session.mjs" */

/**
 * Import an export file, offer the tools for a file of another tool, or send the text of a file of this calculator.
 * @param {HTMLElement} element the calculator's
 * @param {any} input any control; only a file input with a file has an effect
 * @param {RequestSession} session
 * @param {SavedController | null} saved
 */
export async function importOrSendChosenFile(element, input, session, saved) {
  const file = input.type === "file" && input.files?.[0];
  if (!file) return;
  const text = await readTextFileOrShowNotice(element, file);
  input.value = "";
  if (text === null || reviewIfExportFile(element, text, (entries) => saved?.handleImport(entries))) return;
  if (await offerToolsUnlessOwnFile(element, text)) return;
  const form = element.querySelector("form");
  session.sendOrEnqueue(createFileRequest(form, input.dataset.into ?? form.dataset.fileInto, text));
}

/**
 * Create the request with a text in a control. In an answer without that control, the query is only the text.
 * @param {HTMLFormElement} form
 * @param {string} controlName
 * @param {string} text
 * @returns {import("./request.mjs").Request}
 */
const createFileRequest = (form, controlName, text) => ({
  label: "Import file",
  includesForm: true,
  buildQuery: (currentForm) => {
    const control = findControl(currentForm, controlName);
    if (!control) return `${encodeURIComponent(controlName)}=${encodeURIComponent(text)}`;
    control.value = text;
    return [queryOf(currentForm), currentForm.dataset.fileParams].filter(Boolean).join("&");
  },
  isFromForm: findControl(form, controlName) !== null,
  newEntry: true,
  isExternal: true,
});
