"""The paths of the project, hashes of files, and locks between processes."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
ENGINE = ROOT / "scratch_core"
OVERRIDES = ROOT / "site_overrides"
NODE_MODULES = ROOT / "node_modules"
BUILD = ROOT / "build"
SITE = ROOT / "site"

FONTS = (
    "@fontsource-variable/vollkorn/files/vollkorn-latin-wght-normal.woff2",
    "@fontsource-variable/vollkorn/files/vollkorn-latin-wght-italic.woff2",
    "@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2",
)
"""The fonts of the pages, below `NODE_MODULES`: serif, serif italic, sans."""


def create_empty_folder(folder: Path) -> Path:
    """Create a folder, or empty it, and return it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@contextmanager
def hold_lock(name: str) -> Iterator[None]:
    """Hold a lock for which other processes wait."""
    BUILD.mkdir(exist_ok=True)
    with (BUILD / f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def compute_content_hash(paths: Iterable[Path]) -> str:
    """Return the first twelve hex digits of a SHA-256 of the files' names and contents.

    A folder counts with all files below it, except those in `__pycache__`.
    """
    digest = hashlib.sha256()
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.relative_to(path.parent).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:12]
