"""The precache: a list of the site's files with their digests, written into the service worker."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

from build_scripts.browser_app import bundle_classic_scripts
from build_scripts.paths import ROOT

FOLDER = ROOT / "build_scripts" / "service_worker"
WORKER_FILE = "sw.js"
MANIFEST_FILE = "manifest.webmanifest"
ICON_DRAWING = "icon.svg"
ICONS = {"icon-192.png": 192, "icon-512.png": 512, "icon-full-512.png": 512}
"""The icons' names and widths in pixels. A "full" icon fills the square, for systems that mask it with a shape."""
# Excluded are files for hosts and link previews, the large icons, the worker itself, the search of other languages,
# source maps, and scripts that engine-… contains, too. A browser loads the large icons when it installs the app, and
# keeps them. The sitemap has absolute addresses, so the worker writes it for its own address.
EXCLUDED_FILES = (
    "_headers",
    "assets/preview.png",
    "assets/icon-512.png",
    "assets/icon-full-512.png",
    WORKER_FILE,
    "sitemap.xml",
    "sitemap.xml.gz",
    ".nojekyll",
)
EXCLUDED_FOLDERS = ("assets/javascripts/lunr/", "javascripts/")


def is_offline_enabled() -> bool:
    """Return whether the site works offline: always, unless the environment variable `SITE_OFFLINE` is `no`."""
    return os.environ.get("SITE_OFFLINE", "") != "no"


def compute_precache_digests(site: Path) -> dict[str, str]:
    """Return the digests of precached files: SHA-256 in hex, by path in the site."""
    files = (path for path in sorted(site.rglob("*")) if path.is_file())
    names = ((path, path.relative_to(site).as_posix()) for path in files)
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for path, name in names if _is_precached(name)}


def _is_precached(name: str) -> bool:
    return not (name in EXCLUDED_FILES or name.startswith(EXCLUDED_FOLDERS) or name.endswith(".map"))


def write_service_worker(site: Path, *, is_offline_enabled: bool) -> None:
    """Write the service worker.

    If the site must not work offline, it is one that unregisters itself. This is the last step of a build: a file that
    changes later no longer has the digest in the list, so it would never be cached.
    """
    (script,) = bundle_classic_scripts(FOLDER / ("worker.js" if is_offline_enabled else "unregister.js"))
    if is_offline_enabled:
        script = f"const PRECACHE = {json.dumps(compute_precache_digests(site), indent=0)};\n{script}"
    (site / WORKER_FILE).write_text(script, encoding="utf-8", newline="\n")


def write_web_app_manifest_and_icons(site: Path) -> None:
    """Write the web app manifest and the icons, so that the site can be installed."""
    for name in (ICON_DRAWING, *ICONS):
        shutil.copy(FOLDER / name, site / "assets" / name)
    (site / MANIFEST_FILE).write_text(
        json.dumps(build_web_app_manifest(), indent=1) + "\n", encoding="utf-8", newline="\n"
    )


def build_web_app_manifest() -> dict[str, object]:
    """Build the web app manifest, with relative addresses for any site root."""
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
