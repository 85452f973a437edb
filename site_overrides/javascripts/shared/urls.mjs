// URLs and storage keys of this site. Its root URL is derived from that of its scripts, assets/engine-…/. Other sites may share the origin and its
// storage, so the storage keys have the site's path as a prefix; a site at the root of the host has none.

import { storagePrefixOf } from "./storage-prefix.mjs";

/** @typedef {string} Query the content of a form as a query string without "?", such as "name=Ash&st=12" */
/** @typedef {string} StorageKey a key of Web Storage or IndexedDB that starts with the path of this site, see `storageKeyOf` */

/** The root URL of this site, with a slash at the end. */
export const root = new URL("../../", import.meta.url).href;

const { pathname } = new URL(root);
const storagePrefix = storagePrefixOf(pathname);

/** Return the storage key for a name.
 *  @param {string} name
 *  @returns {StorageKey} */
export const storageKeyOf = (name) => `${storagePrefix}${name}`;

/** Parse a storage key.
 *  @param {string} key
 *  @returns {string} its name, or "" for a key of another site on the host */
export function stripSitePathOfStorageKey(key) {
  if (pathname === "/") return key.startsWith("/") ? "" : key;
  return key.startsWith(pathname) ? key.slice(pathname.length) : "";
}

const MAX_SEARCH_LENGTH = 4_000; // characters that any server accepts; longer queries go into the fragment, which is not sent
const MAX_QUERY_LENGTH = 30_000; // characters; a longer state is exported as a file

/** Return the URL of the tool page of a calculator.
 *  @param {Element} calculator
 *  @returns {string} */
export const toolUrlOf = (calculator) => `${root}tools/${calculator.getAttribute("name")}/`;

/** Format a query as the end of a URL: in the fragment if it `isPrivate`, as those of saved entries are.
 *  @param {Query} query
 *  @returns {string} "?…" or "#?…", or "" if the query is too long: no query is better than an outdated one */
export function formatUrlSuffix(query, isPrivate = false) {
  if (query.length >= MAX_QUERY_LENGTH) return "";
  return isPrivate || query.length > MAX_SEARCH_LENGTH ? `#?${query}` : `?${query}`;
}
