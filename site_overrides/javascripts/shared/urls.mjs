// The root URL of this site, derived from the URL of its scripts, assets/engine-…/. Other sites may share the origin and its
// storage, so the storage keys have the site's path as a prefix; a site at the root of the host has none.
export const root = new URL("../../", import.meta.url).href;

const { pathname } = new URL(root);

/** Return the storage key for a name. */
export const storageKeyOf = (name) => (pathname === "/" ? name : `${pathname}${name}`);

/** Return the name of a storage key, or "" for a key of another site on the host. */
export function parseStorageKey(key) {
  if (pathname === "/") return key.startsWith("/") ? "" : key;
  return key.startsWith(pathname) ? key.slice(pathname.length) : "";
}

const MAX_SEARCH_LENGTH = 4_000; // characters that any server accepts; longer queries go into the fragment, which is not sent
const MAX_QUERY_LENGTH = 30_000; // characters; a longer state is exported as a file

/** Return the URL of the tool page of a calculator's element. */
export const toolUrlOf = (element) => `${root}tools/${element.getAttribute("name")}/`;

/** Format a query for a URL: in the fragment if it `isPrivate`, as those of saved entries are. Returns "" if it is too long:
 *  no query is better than an outdated one. */
export function formatQuery(query, isPrivate = false) {
  if (query.length >= MAX_QUERY_LENGTH) return "";
  return isPrivate || query.length > MAX_SEARCH_LENGTH ? `#?${query}` : `?${query}`;
}
