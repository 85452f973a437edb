"""The built site as one archive for any static server: `python -m build_scripts.service_worker.archive`."""

from __future__ import annotations

import argparse
import zipfile
from pathlib import Path

from build_scripts.paths import BUILD, SITE

ARCHIVE = BUILD / "scratch-rps-reference.zip"


def write_site_archive(site: Path = SITE, archive: Path = ARCHIVE) -> Path:
    """Write every file of the site into one archive, and return the archive's path.

    The same site always makes the same bytes.
    """
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w") as packed:
        for file in sorted(path for path in site.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(file.relative_to(site).as_posix(), (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return archive


def main() -> None:
    """Run `python -m build_scripts.service_worker.archive [SITE] [--to FILE]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("site", nargs="?", type=Path, default=SITE)
    parser.add_argument("--to", type=Path, default=ARCHIVE)
    arguments = parser.parse_args()
    archive = write_site_archive(arguments.site, arguments.to)
    print(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
