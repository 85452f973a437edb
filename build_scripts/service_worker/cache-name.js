// The cache of all versions of this site. Other sites on the host have caches of their own.
import { storagePrefixOf } from "../../site_overrides/javascripts/shared/storage-prefix.mjs";

/** The URL of the site's root. */
export const root = new URL("./", self.location).href;

/** The path of the site's root. */
export const { pathname } = new URL(root);

export const cacheName = `${storagePrefixOf(pathname)}scratch-offline`;
