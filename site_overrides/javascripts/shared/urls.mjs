// Where this site lies, told by where its scripts lie: in assets/engine-…/ below its root. Other sites may share the
// host and with it everything that a browser keeps, so each keeps its own under its path; one at the host's root keeps
// under the bare names.
export const root = new URL("../../", import.meta.url).href;

const { pathname } = new URL(root);

/** The name under which this site keeps something in the browser's storage. */
export const storageKeyOf = (name) => (pathname === "/" ? name : `${pathname}${name}`);

/** A name in the browser's storage as this site calls it; "" for a name of another site on the host. */
export function parseStorageKey(stored) {
  if (pathname === "/") return stored.startsWith("/") ? "" : stored;
  return stored.startsWith(pathname) ? stored.slice(pathname.length) : "";
}

const LONGEST_SEARCH = 4_000; // characters that any server takes; more goes behind the #, which no server sees
const LONGEST_ADDRESS = 30_000; // characters; a longer state is a file's, not a link's

/** The page of the tool that a calculator's element stands for. */
export const toolUrlOf = (element) => `${root}tools/${element.getAttribute("name")}/`;

/** A query as an address has it, behind the # if it `isKept`, one's own; "" for one that is too long: none at all is better
 *  than one that tells of earlier days. */
export function formatQuery(query, isKept = false) {
  if (query.length >= LONGEST_ADDRESS) return "";
  return isKept || query.length > LONGEST_SEARCH ? `#?${query}` : `?${query}`;
}
