// Sites on the same host share its storage and its caches, so the names of all that a site stores begin with a prefix.

/** Return the prefix of the storage keys of a site.
 *  @param {string} sitePath of its root, with slashes at both ends
 *  @returns {string} the path, or "" at the root of the host */
export const storagePrefixOf = (sitePath) => (sitePath === "/" ? "" : sitePath);
