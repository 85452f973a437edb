// Access to Web Storage. A browser that blocks storage reads as empty. So does an embedded page, which can neither write nor
// delete anything, see embedding.mjs.
import { isFramed } from "./embedding.mjs";

const NO_STORAGE = {
  getItem: () => null,
  setItem: () => {
    throw new Error("nothing is kept in a page of another site");
  },
  removeItem: () => {},
};

/** Return localStorage. Throws if the browser blocks it. */
export const getLocalStorage = () => (isFramed ? NO_STORAGE : localStorage);

/** Return sessionStorage. Throws if the browser blocks it. */
export const getSessionStorage = () => (isFramed ? NO_STORAGE : sessionStorage);

/** Read a text of localStorage. Returns "" if there is none, or the browser blocks it. */
export function readStoredText(key) {
  try {
    return getLocalStorage().getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** List all keys of localStorage, also those of other sites on the host. */
export function listStoredKeys() {
  try {
    return isFramed ? [] : Object.keys(localStorage);
  } catch {
    return [];
  }
}
