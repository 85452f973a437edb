"""What MkDocs calls: `mkdocs serve` shows a whole site, and a change in the browser as soon as it is made.

What the browser gets then is plain: Pyodide as it was published, our sources as they are, and nothing kept on the
device. A stylesheet is copied, our scripts are joined; after anything else MkDocs builds its pages again, with the
engine and the build's own modules imported anew where these have changed. `build.py` finishes its site by itself, and
so it does with Zensical, which knows no hooks; MkDocs loads this module once, so it asks for all others when it needs
them.
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
WATCHED = ("docs", "mkdocs.yml", "CHANGELOG.md", "CONTRIBUTING.md", "scratch_core", "site_overrides", "build_scripts")
STYLES, SCRIPTS = (ROOT / "site_overrides" / each for each in ("stylesheets", "javascripts"))
CODE = (ROOT / "scratch_core", ROOT / "build_scripts")

log = logging.getLogger("mkdocs.scratch")
commands: list[str] = []
"""What MkDocs was started for."""
current_page: list[str] = []
"""The source of the page that MkDocs reads or builds, so that a failure can name it; empty between pages."""


def on_startup(*, command: str, dirty: bool) -> None:
    """Serve plainly; what is compiled would be watched too."""
    commands.append(command)
    if command == "serve":
        os.environ.update(PLAIN="1", SITE_OFFLINE="no")
        sys.dont_write_bytecode = True


def on_config(config: Any) -> Any:
    """Tell the theme where the site begins."""
    from build_scripts.site_url import base_of

    config.extra["scope"] = base_of(config.site_url)
    return config


def on_pre_build(config: Any) -> None:
    """Stop at a wrong name or number in the text, unless `build.py` has looked."""
    if "SITE_DIR" in os.environ:
        return
    from mkdocs.exceptions import Abort

    from build_scripts.checks.bare_numbers import bare_numbers
    from build_scripts.fences.registry import link_failures
    from build_scripts.paths import DOCS

    if failures := [*link_failures(DOCS), *bare_numbers(DOCS)]:
        raise Abort("\n".join(failures))


def on_pre_page(page: Any, *, config: Any, files: Any) -> Any:
    """Note which page MkDocs reads."""
    current_page[:] = [page.file.src_uri]
    return page


def on_page_content(html: str, *, page: Any, config: Any, files: Any) -> str:
    """Note that MkDocs has read a page."""
    current_page.clear()
    return html


def on_page_context(context: Any, *, page: Any, config: Any, nav: Any) -> Any:
    """Note which page MkDocs builds."""
    current_page[:] = [page.file.src_uri]
    return context


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Note that MkDocs has built a page."""
    current_page.clear()
    return output


def on_post_build(config: Any) -> None:
    """Finish the pages, unless `build.py` will."""
    if "SITE_DIR" in os.environ:
        return
    from build_scripts.data.worked_combat_chances import TABLE, current_table, is_current
    from build_scripts.pages.finish import finish_site
    from build_scripts.site_url import base_of
    from scratch_core.calculators.shared.resources import CHANCES

    site, is_served = Path(config.site_dir), "serve" in commands
    (site / CHANCES).parent.mkdir(exist_ok=True)
    shutil.copy(TABLE if is_served else current_table(), site / CHANCES)
    if is_served and not is_current(TABLE):
        log.info("The table of the worked combat's chances is stale: `make build` makes one of this engine")
    finish_site(site, base_of(config.site_url), is_served=is_served)


def on_serve(server: Any, config: Any, builder: Any) -> Any:
    """Do after a change what it takes, and no more."""
    from mkdocs.exceptions import Abort

    host, port = server.server_address
    with socket.socket() as asked:
        if asked.connect_ex((host, port)) == 0:
            raise Abort(
                f"Something is served at {host}:{port} already: `make serve PORT={port + 1}` takes another port"
            )
    site = Path(config.site_dir)
    before = _times()

    def rebuild() -> None:
        nonlocal before
        now = _times()
        changed = {path for path in {*before, *now} if before.get(path) != now.get(path)}
        current_page.clear()
        try:
            _show(changed, site, builder)
        except (SystemExit, Exception) as error:
            raise Abort(describe_failure(error)) from None
        before = now

    server.builder = rebuild
    for each in WATCHED:
        server.watch(str(ROOT / each))
    return server


def describe_failure(error: BaseException) -> str:
    """Return a failed build as one message: the page, what is wrong, and where the build's code says so."""
    page = f"docs/{current_page[0]}: " if current_page else ""
    if isinstance(error, SystemExit):
        return f"{page}{error}"
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    return f"{page}{type(error).__name__}: {error} ({frame.f_code.co_filename}:{line})"


def _times() -> dict[Path, float]:
    """When each file that is watched was changed."""
    files = (
        file for each in WATCHED for file in ((ROOT / each).rglob("*") if (ROOT / each).is_dir() else [ROOT / each])
    )
    return {file: file.stat().st_mtime for file in files if file.is_file() and file.suffix != ".pyc"}


def _show(changed: set[Path], site: Path, builder: Any) -> None:
    """Bring the served site to where the sources are."""
    if changed and all(path.is_relative_to(STYLES) and path.exists() for path in changed):
        for path in changed:
            shutil.copy(path, site / "stylesheets" / path.relative_to(STYLES))
    elif changed and all(path.is_relative_to(SCRIPTS) for path in changed):
        _show_scripts(site)
    elif changed:
        if any(path.is_relative_to(room) for path in changed for room in CODE):
            for name in [name for name in sys.modules if name.partition(".")[0] in ("scratch_core", "build_scripts")]:
                del sys.modules[name]
        builder()


def _show_scripts(site: Path) -> None:
    """Join our scripts, and name their new folder in every page."""
    from build_scripts.pages.finish import lay_out_bundle

    before = next(site.glob("assets/engine-*")).name
    now = lay_out_bundle(site)
    for page in site.rglob("*.html"):
        page.write_text(page.read_text(encoding="utf-8").replace(before, now), encoding="utf-8", newline="\n")
