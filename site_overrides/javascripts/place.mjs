// Where this site lies, told by where its scripts lie: in assets/engine-…/ below its root. Other sites may share the
// host and with it everything that a browser keeps, so each keeps its own under its path; one at the host's root keeps
// under the bare names.
export const root = new URL("../../", import.meta.url).href;

const { pathname } = new URL(root);

/** The name under which this site keeps something in the browser's storage. */
export const ownName = (name) => (pathname === "/" ? name : `${pathname}${name}`);
