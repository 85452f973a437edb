// Access to Web Storage. A browser that blocks storage reads as empty. So does an embedded page, which can neither write nor
// delete anything, see embedding.mjs.
import { isFramed } from "./embedding.mjs";

/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} TextStorage */

/** The storage of an embedded page. @type {TextStorage} */
const NO_STORAGE = {
  getItem: () => null,
  setItem: () => {
    throw new Error("an embedded page can't save anything");
  },
  removeItem: () => {},
};

/** Return localStorage. Throws if the browser blocks it.
 *  @returns {TextStorage} */
export const getLocalStorage = () => (isFramed ? NO_STORAGE : localStorage);

/** Return sessionStorage. Throws if the browser blocks it.
 *  @returns {TextStorage} */
export const getSessionStorage = () => (isFramed ? NO_STORAGE : sessionStorage);

/** Read a text of localStorage.
 *  @param {string} key
 *  @returns {string} "" if there is none, or the browser blocks it */
export function readLocalStorageText(key) {
  try {
    return getLocalStorage().getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** List all keys of localStorage, also those of other sites on the host.
 *  @returns {string[]} */
export function listLocalStorageKeys() {
  try {
    return isFramed ? [] : Object.keys(localStorage);
  } catch {
    return [];
  }
}
