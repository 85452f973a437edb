"""What a browser keeps of the site: a list of files with their digests, written into the service worker."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

from build_scripts.paths import ROOT

FOLDER = ROOT / "build_scripts" / "service_worker"
WORKER_FILE = "sw.js"
MANIFEST_FILE = "manifest.webmanifest"
# The line of worker.js that the build replaces.
PRECACHE_LINE = "const PRECACHE = {};"
ICON_DRAWING = "icon.svg"
ICONS = {"icon-192.png": 192, "icon-512.png": 512, "icon-full-512.png": 512}
"""The icons' names and widths in pixels; `full` fills the square, for systems that cut it to a shape of their own."""
# For hosts, and whoever shows a link; for languages the site has not; for someone who debugs the theme; a copy of what
# stands in engine-….
# The sitemap tells full addresses, so the worker writes it where the site is. Pyodide's own files are the way out where
# ours do not start: keeping them as well would take more than twice the room.
EXCLUDED_FILES = ("_headers", "assets/preview.png", WORKER_FILE, "sitemap.xml", "sitemap.xml.gz", ".nojekyll")
EXCLUDED_FOLDERS = ("assets/javascripts/lunr/", "javascripts/")


def is_offline_enabled() -> bool:
    """Whether readers' devices may keep the site: always, unless the environment variable `SITE_OFFLINE` says no."""
    return os.environ.get("SITE_OFFLINE", "") != "no"


def list_precached_files(site: Path) -> dict[str, str]:
    """Every file that a browser keeps, by its path in the site, with the SHA-256 digest of its bytes in hex."""
    files = (path for path in sorted(site.rglob("*")) if path.is_file())
    named = ((path, path.relative_to(site).as_posix()) for path in files)
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for path, name in named if _is_precached(name)}


def _is_precached(name: str) -> bool:
    is_left_out = name in EXCLUDED_FILES or name.startswith(EXCLUDED_FOLDERS) or name.endswith(".map")
    is_untouched_pyodide = name.startswith("assets/pyodide-") and not name.startswith("assets/pyodide-lean-")
    return not (is_left_out or is_untouched_pyodide)


def write_worker(site: Path, *, is_offline: bool) -> None:
    """Write the service worker; the last step of a build, for any file changed after it would never be kept.

    Where the site is not to be kept, the worker that takes itself away is written instead.
    """
    if not is_offline:
        shutil.copy(FOLDER / "unregister.js", site / WORKER_FILE)
        return
    text = (FOLDER / "worker.js").read_text(encoding="utf-8")
    listed = f"const PRECACHE = {json.dumps(list_precached_files(site), indent=0)};"
    (site / WORKER_FILE).write_text(text.replace(PRECACHE_LINE, listed), encoding="utf-8", newline="\n")


def write_manifest(site: Path) -> None:
    """Write the manifest and lay the icons beside it, so that the site can be installed."""
    for name in (ICON_DRAWING, *ICONS):
        shutil.copy(FOLDER / name, site / "assets" / name)
    (site / MANIFEST_FILE).write_text(json.dumps(build_manifest(), indent=1) + "\n", encoding="utf-8", newline="\n")


def build_manifest() -> dict[str, object]:
    """The manifest: its addresses are relative, so it is right wherever the site lies."""
    icons = [
        {"src": f"assets/{ICON_DRAWING}", "sizes": "any", "type": "image/svg+xml"},
        *(
            {
                "src": f"assets/{name}",
                "sizes": f"{width}x{width}",
                "type": "image/png",
                "purpose": "maskable" if "full" in name else "any",
            }
            for name, width in ICONS.items()
        ),
    ]
    return {
        "id": "./",
        "name": "Scratch",
        "short_name": "Scratch",
        "description": "A small d20 role-playing game: its rules, with dice, characters and fights in the page.",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#fcfbf7",
        "theme_color": "#fcfbf7",
        "icons": icons,
    }
