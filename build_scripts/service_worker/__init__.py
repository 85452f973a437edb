"""The service worker, which precaches the site and answers requests offline, the web app manifest and the icons.

`worker.js` runs in the browser. If the site must not work offline, `unregister.js` is published in its place.
"""

from build_scripts.service_worker.precache import (
    compute_precache_digests,
    is_offline_enabled,
    write_service_worker,
    write_web_app_manifest_and_icons,
)

__all__ = ["compute_precache_digests", "is_offline_enabled", "write_service_worker", "write_web_app_manifest_and_icons"]
