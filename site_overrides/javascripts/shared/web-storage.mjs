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
export const local = () => (isFramed ? NO_STORAGE : localStorage);

/** Return sessionStorage. Throws if the browser blocks it. */
export const session = () => (isFramed ? NO_STORAGE : sessionStorage);

export function readStored(name) {
  try {
    return local().getItem(name) ?? "";
  } catch {
    return "";
  }
}

export function listStoredKeys() {
  try {
    return isFramed ? [] : Object.keys(localStorage);
  } catch {
    return [];
  }
}
