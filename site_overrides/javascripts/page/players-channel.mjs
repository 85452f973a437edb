// The messages between the window of a fight and the window of the players' screen.
import { storageKeyOf } from "../shared/urls.mjs";
import { readLocalStorageText } from "../shared/web-storage.mjs";

export const CHANNEL = storageKeyOf("scratch-screen");

/**
 * What the players' screen shows.
 * @typedef {object} PublishedMoment
 * @property {string} html "" ends the screen
 * @property {number} at when it was published, in ms since 1970
 * @property {string} source identifies the window that has published it
 * @property {boolean} isClosed whether that window is closed
 */

/**
 * A message between a window that shows nothing and the windows of fights: "find" asks for offers, "offer" and "withdraw" say
 * whether a fight could be shown, and "show" starts it in the window that it names.
 * @typedef {object} ScreenRequest
 * @property {"find" | "offer" | "withdraw" | "show"} request
 * @property {string} source the window that offers its fight, or should show it; "" for "find"
 */

/** @param {ScreenRequest["request"]} request
 *  @param {string} source the window that it is about
 *  @returns {ScreenRequest} */
export const createRequest = (request, source) => ({ request, source });

/** Read the moment that was last published in this browser.
 *  @returns {PublishedMoment | null} null if there is none */
export function readStoredMoment() {
  try {
    return JSON.parse(readLocalStorageText(CHANNEL) || "null");
  } catch {
    return null;
  }
}
