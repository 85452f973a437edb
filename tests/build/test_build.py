"""The build: nothing is done twice, and what failed never passes for done."""

import socket
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from mkdocs.exceptions import Abort

from build_scripts import build, mkdocs_hooks
from build_scripts.mkdocs_hooks import WATCHED_PATHS, on_pre_build, on_serve
from build_scripts.pages import finish
from build_scripts.paths import DOCS, ROOT


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A builder that makes one page of the inputs `v1`; gives what was called, in order."""
    called: list[str] = []

    def run(*_: Any, env: dict[str, str], **__: Any) -> subprocess.CompletedProcess[str]:
        called.append("build")
        Path(env["SITE_DIR"]).mkdir()
        (Path(env["SITE_DIR"]) / "index.html").write_text("a page", encoding="utf-8")
        return subprocess.CompletedProcess([], 0)

    monkeypatch.setattr(build, "BUILD", tmp_path)
    monkeypatch.setattr(build, "build_bundle", lambda: None)
    table = tmp_path / "chances.json"
    table.write_text("chances", encoding="utf-8")
    monkeypatch.setattr(build, "ensure_current_table", lambda: table)
    monkeypatch.setattr(build, "check_fences", lambda docs: [])
    monkeypatch.setattr(build, "build_report", lambda site: ([], []))
    monkeypatch.setattr(build, "compute_content_hash", lambda paths: "v1")
    monkeypatch.setattr(build, "finish_site", lambda site, base: called.append("finish"))
    monkeypatch.setattr(build.subprocess, "run", run)
    return called


def test_the_site_has_the_table_of_its_engine(built: list[str], tmp_path: Path) -> None:
    """The table of chances in the site is that of the engine built into it, wherever that table lies."""
    build.build_site(site=tmp_path / "site")
    assert (tmp_path / "site" / "data" / "worked-combat-chances.json").read_text(encoding="utf-8") == "chances"


def failing(*_: Any) -> None:
    """A finish that breaks off in the middle."""
    raise ValueError("no such rule")


def test_a_site_that_is_there_is_not_built_again(
    built: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same inputs, builder, address and way of making it: once."""
    build.build_site(site=tmp_path / "site")
    build.build_site(site=tmp_path / "site")
    assert built == ["build", "finish"]
    for times, (name, value) in enumerate(
        [("PLAIN", str(int(not build.is_plain_build()))), ("SITE_OFFLINE", "no"), ("SITE_URL", "https://h.example/")], 2
    ):
        monkeypatch.setenv(name, value)
        build.build_site(site=tmp_path / "site")
        assert built == ["build", "finish"] * times
    build.build_site(site=tmp_path / "site", site_url="https://host.example/scratch/")
    assert built == ["build", "finish"] * 5


@pytest.mark.parametrize("name", ["check_links", "check_bare_numbers", "check_fences", "build_report"])
def test_a_mistake_in_the_text_stops_the_build(
    built: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A wrong name, number, fence or anchor: its sentence ends the build, and nothing passes for done."""
    found = ["docs/rules/turns.md:3: wrong"]
    monkeypatch.setattr(build, name, lambda *_: ([], found) if name == "build_report" else found)
    with pytest.raises(SystemExit, match=r"^docs/rules/turns\.md:3: wrong$"):
        build.build_site(site=tmp_path / "site")
    assert not list(tmp_path.glob("*.stamp"))


@pytest.mark.parametrize("broken", ["finish", "builder"])
def test_what_fails_leaves_no_stamp(
    built: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """After a whole build a second one fails; with the first inputs back the site is built again."""
    site = tmp_path / "site"
    build.build_site(site=site)
    with monkeypatch.context() as second:
        second.setattr(build, "compute_content_hash", lambda paths: "v2")
        if broken == "finish":
            second.setattr(build, "finish_site", failing)
        else:
            second.setattr(build.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 1))
        with pytest.raises((ValueError, SystemExit)):
            build.build_site(site=site)
    assert not list(tmp_path.glob("*.stamp"))
    built.clear()
    build.build_site(site=site)
    assert built == ["build", "finish"]


def test_a_taken_port_is_told_with_another() -> None:
    """If the port is in use, the error names a command with another one."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Abort, match=f"Port {port} of 127.0.0.1 is in use: `make serve PORT={port + 1}`"):
            on_serve(SimpleNamespace(server_address=taken.getsockname()), None, None)


def test_the_first_build_of_all_installs_what_it_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make serve` on a fresh clone: the fonts come with what making the bundle installs."""

    def installed(_: Path) -> str:
        for font in finish.FONTS:
            (tmp_path / font).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / font).touch()
        raise InterruptedError

    monkeypatch.setattr(finish, "NODE_MODULES", tmp_path)
    monkeypatch.setattr(finish, "install_bundle", installed)
    with pytest.raises(InterruptedError):
        finish.finish_site(tmp_path / "site")


def test_whatever_is_watched_is_built_anew(built: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a served site watches is what a built one is made from."""
    asked = Mock(return_value="v1")
    monkeypatch.setattr(build, "compute_content_hash", asked)
    build.build_site(site=tmp_path / "site")
    assert {ROOT / each for each in (*WATCHED_PATHS, "requirements.lock", "package-lock.json")} == {
        *asked.call_args.args[0]
    }


@pytest.mark.parametrize("name", ["fences.registry.check_links", "checks.bare_numbers.check_bare_numbers"])
def test_a_mistake_in_the_text_is_not_served(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong name or number stops `mkdocs serve` too."""
    for each in ("fences.registry.check_links", "checks.bare_numbers.check_bare_numbers"):
        monkeypatch.setattr(f"build_scripts.{each}", lambda *_, is_it=each == name: ["turns.md:3: wrong"] * is_it)
    with pytest.raises(Abort, match=r"^turns\.md:3: wrong$"):
        on_pre_build(None)


def test_failed_rebuild_names_the_page_without_a_traceback(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Abort with one message, which MkDocs prints as it is."""
    times = iter([{}, {DOCS / "rules" / "actions.md": 1.0}])
    monkeypatch.setattr(mkdocs_hooks, "_list_modification_times", lambda: next(times))
    page = SimpleNamespace(file=SimpleNamespace(src_uri="rules/actions.md"))

    def build() -> None:
        mkdocs_hooks.on_pre_page(page, config=None, files=None)
        raise ValueError("expected a line `control=value`, got 'x'")

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = free.getsockname()
    server = SimpleNamespace(server_address=address, watch=lambda path: None, builder=None)
    on_serve(server, SimpleNamespace(site_dir=tmp_path), build)
    with pytest.raises(Abort, match=r"^docs/rules/actions\.md: ValueError: expected a line .*test_build\.py:\d+\)$"):
        server.builder()


def test_failure_between_pages_names_no_page() -> None:
    """Name a page only while MkDocs reads or builds it."""
    page = SimpleNamespace(file=SimpleNamespace(src_uri="rules/actions.md"))
    mkdocs_hooks.on_page_context({}, page=page, config=None, nav=None)
    assert mkdocs_hooks.describe_failure(SystemExit("no")) == "docs/rules/actions.md: no"
    mkdocs_hooks.on_post_page("", page=page, config=None)
    assert mkdocs_hooks.describe_failure(SystemExit("no")) == "no"
