// The buttons and links of a calculator that copy, share or save something.
import { copyTextAndConfirm, downloadFile, shareOrCopyUrl, packLongLink } from "../shared/share.mjs";

/** @import { CalculatorAddress } from "./address.mjs" */
/** @import { ActionButton } from "./click-actions.mjs" */

/**
 * Copy the text of a button, and its link.
 * @param {ActionButton} button with `data-copy`
 */
export async function copyTextAndLinkOfButton(button) {
  const { copy: text, copyLink: link } = button.dataset;
  await copyTextAndConfirm(button, link ? `${text} ${await packLongLink(link)}` : text);
}

/**
 * Copy the URL of a link, packed if it is long.
 * @param {HTMLAnchorElement} link
 * @param {string} [name] the name of the answer
 */
export async function copyLinkUrl(link, name) {
  await copyTextAndConfirm(link, await packLongLink(link.href, name));
}

/**
 * Share the URL of a button, packed if it is long; by default the URL of the shown answer.
 * @param {ActionButton} button
 * @param {CalculatorAddress} address
 * @param {string} [name] the name of the answer
 */
export async function shareButtonUrl(button, address, name) {
  await shareOrCopyUrl(button, await packLongLink(button.dataset.share || address.answerUrl, button.dataset.title || name));
}

/**
 * Save the text of a button as a file, or the text of a control.
 * @param {HTMLElement} element the calculator's
 * @param {ActionButton} button with `data-download`
 */
export function downloadTextOfButtonOrControl(element, { dataset }) {
  downloadFile(
    dataset.download,
    dataset.textControl ? element.querySelector(`[name="${CSS.escape(dataset.textControl)}"]`).value : dataset.text,
  );
}
