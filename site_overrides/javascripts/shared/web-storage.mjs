// What this browser stores for the site; a browser that allows no storage has nothing stored. In a page of another site
// there is nothing either, and nothing can be written or taken away: what is pressed there may be that page's doing.
import { isFramed } from "./embedding.mjs";

const NOTHING = {
  getItem: () => null,
  setItem: () => {
    throw new Error("nothing is kept in a page of another site");
  },
  removeItem: () => {},
};

/** The storage that lasts; throws where the browser allows none. */
export const local = () => (isFramed ? NOTHING : localStorage);

/** The storage of this tab; throws where the browser allows none. */
export const session = () => (isFramed ? NOTHING : sessionStorage);

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
