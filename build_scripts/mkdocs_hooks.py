"""The hooks of MkDocs: `mkdocs serve` serves a whole site, and shows a change as soon as it is saved.

The served site is plain: an unmodified Pyodide, our sources as they are, and no service worker. A changed stylesheet is
copied, and changed scripts are joined. After any other change MkDocs builds its pages again, and the engine and the
build's own modules are imported again if they have changed. `build.py` finishes its site itself, also because Zensical
has no hooks. MkDocs loads this module once, so it imports all others inside its functions.
"""

from __future__ import annotations

import logging
import os
import shutil
import socket
import sys
import traceback
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
WATCHED_PATHS = (
    "docs",
    "mkdocs.yml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "scratch_core",
    "site_overrides",
    "build_scripts",
)
STYLES_FOLDER, SCRIPTS_FOLDER = (ROOT / "site_overrides" / each for each in ("stylesheets", "javascripts"))
INLINE_SCRIPTS_FOLDER = SCRIPTS_FOLDER / "inline"  # these are part of every page
CODE_FOLDERS = (ROOT / "scratch_core", ROOT / "build_scripts")

log = logging.getLogger("mkdocs.scratch")
commands: list[str] = []
"""The command that MkDocs was started with."""
current_page: list[str] = []
"""The source of the page that MkDocs reads or builds, so that an error can name it; empty between pages."""


def on_startup(*, command: str, dirty: bool) -> None:
    """Make `mkdocs serve` build a plain site without compiled files.

    MkDocs would watch compiled files, too.
    """
    commands.append(command)
    if command == "serve":
        os.environ.update(PLAIN="1", SITE_OFFLINE="no")
        sys.dont_write_bytecode = True


def on_config(config: Any) -> Any:
    """Pass the path of the site to the theme."""
    from build_scripts.site_url import get_base_path

    config.extra["scope"] = get_base_path(config.site_url)
    return config


def on_pre_build(config: Any) -> None:
    """Stop at an invalid name or number, unless `build.py` has checked the text."""
    if "SITE_DIR" in os.environ:
        return
    from mkdocs.exceptions import Abort

    from build_scripts.checks.bare_numbers import check_bare_numbers
    from build_scripts.fences.registry import list_unknown_name_failures
    from build_scripts.paths import DOCS

    if failures := [*list_unknown_name_failures(DOCS), *check_bare_numbers(DOCS)]:
        raise Abort("\n".join(failures))


def on_pre_page(page: Any, *, config: Any, files: Any) -> Any:
    """Record the page that MkDocs reads."""
    current_page[:] = [page.file.src_uri]
    return page


def on_page_content(html: str, *, page: Any, config: Any, files: Any) -> str:
    """Record that MkDocs has read a page."""
    current_page.clear()
    return html


def on_page_context(context: Any, *, page: Any, config: Any, nav: Any) -> Any:
    """Record the page that MkDocs builds."""
    current_page[:] = [page.file.src_uri]
    return context


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Record that MkDocs has built a page."""
    current_page.clear()
    return output


def on_post_build(config: Any) -> None:
    """Finish the pages, unless `build.py` does."""
    if "SITE_DIR" in os.environ:
        return
    from build_scripts.data.worked_combat_chances import TABLE_FILE, get_or_build_current_table, is_table_current
    from build_scripts.pages.finish import install_bundle_and_complete_pages
    from build_scripts.site_url import get_base_path
    from scratch_core.calculators.shared.resources import WIN_CHANCES_PATH

    site, is_served = Path(config.site_dir), "serve" in commands
    (site / WIN_CHANCES_PATH).parent.mkdir(exist_ok=True)
    shutil.copy(TABLE_FILE if is_served else get_or_build_current_table(), site / WIN_CHANCES_PATH)
    if is_served and not is_table_current(TABLE_FILE):
        log.info("The table of the worked combat's chances is stale: `make build` makes one for this engine")
    install_bundle_and_complete_pages(site, get_base_path(config.site_url), is_served=is_served)


def on_serve(server: Any, config: Any, builder: Any) -> Any:
    """Watch the sources, and after a change update only what depends on it.

    Aborts if the port is in use.
    """
    from mkdocs.exceptions import Abort

    host, port = server.server_address
    with socket.socket() as probe:
        if probe.connect_ex((host, port)) == 0:
            raise Abort(f"Port {port} of {host} is in use: `make serve PORT={port + 1}` uses another one")
    site = Path(config.site_dir)
    before = _map_files_to_modification_times()

    def rebuild() -> None:
        nonlocal before
        now = _map_files_to_modification_times()
        changed = {path for path in {*before, *now} if before.get(path) != now.get(path)}
        current_page.clear()
        try:
            _update_served_site(changed, site, builder)
        except (SystemExit, Exception) as error:
            raise Abort(format_build_failure(error)) from None
        before = now

    server.builder = rebuild
    for each in WATCHED_PATHS:
        server.watch(str(ROOT / each))
    return server


def format_build_failure(error: BaseException) -> str:
    """Format a failed build as one message.

    It has the page, what is wrong, and the line of code that failed.
    """
    page = f"docs/{current_page[0]}: " if current_page else ""
    if isinstance(error, SystemExit):
        return f"{page}{error}"
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    return f"{page}{type(error).__name__}: {error} ({frame.f_code.co_filename}:{line})"


def _map_files_to_modification_times() -> dict[Path, float]:
    """Return the modification time of each watched file."""
    files = (
        file
        for each in WATCHED_PATHS
        for file in ((ROOT / each).rglob("*") if (ROOT / each).is_dir() else [ROOT / each])
    )
    return {file: file.stat().st_mtime for file in files if file.is_file() and file.suffix != ".pyc"}


def _update_served_site(changed: set[Path], site: Path, builder: Any) -> None:
    """Update the served site after changes of these sources."""
    if changed and all(path.is_relative_to(STYLES_FOLDER) and path.exists() for path in changed):
        for path in changed:
            shutil.copy(path, site / "stylesheets" / path.relative_to(STYLES_FOLDER))
    elif changed and all(
        path.is_relative_to(SCRIPTS_FOLDER) and not path.is_relative_to(INLINE_SCRIPTS_FOLDER) for path in changed
    ):
        _rejoin_site_scripts(site)
    elif changed:
        if any(path.is_relative_to(folder) for path in changed for folder in CODE_FOLDERS):
            for name in [name for name in sys.modules if name.partition(".")[0] in ("scratch_core", "build_scripts")]:
                del sys.modules[name]
        builder()


def _rejoin_site_scripts(site: Path) -> None:
    """Join our scripts, and put the name of their new folder into every page."""
    from build_scripts.pages.finish import build_and_copy_bundle

    before = next(site.glob("assets/engine-*")).name
    now = build_and_copy_bundle(site)
    for page in site.rglob("*.html"):
        page.write_text(page.read_text(encoding="utf-8").replace(before, now), encoding="utf-8", newline="\n")
