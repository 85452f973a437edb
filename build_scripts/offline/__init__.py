"""The room of the kept site: the service worker that answers without a connection, the manifest, the icons.

Read `keeping` (which files, and what is written into the site), then `worker.js` (what a browser does with them).
`removing.js` is published in the worker's place where the site is no longer to be kept: it takes itself away.
"""

from build_scripts.offline.keeping import is_kept_offline, kept_files, write_manifest, write_worker

__all__ = ["is_kept_offline", "kept_files", "write_manifest", "write_worker"]
