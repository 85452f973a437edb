"""The service worker: it keeps the site on the device and answers requests offline. Also the manifest and the icons.

`worker.js` runs in the browser. `unregister.js` is published in its place where the site is not kept offline.
"""

from build_scripts.service_worker.precache import is_offline_enabled, list_precached_files, write_manifest, write_worker

__all__ = ["is_offline_enabled", "list_precached_files", "write_manifest", "write_worker"]
