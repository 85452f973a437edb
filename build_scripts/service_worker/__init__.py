"""The service worker, which precaches the site and answers requests offline, the web app manifest and the icons.

`worker.js` runs in the browser. If the site must not work offline, `unregister.js` is published in its place.
"""

from build_scripts.service_worker.precache import is_offline_enabled, list_precached_files, write_manifest, write_worker

__all__ = ["is_offline_enabled", "list_precached_files", "write_manifest", "write_worker"]
