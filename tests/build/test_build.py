"""The build: unchanged inputs are not built again, and a failed build is never taken for a finished one."""

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
def build_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace the builder by one that makes one page, and return the calls in order."""
    called: list[str] = []

    def run(*_: Any, env: dict[str, str], **__: Any) -> subprocess.CompletedProcess[str]:
        called.append("build")
        Path(env["SITE_DIR"]).mkdir()
        (Path(env["SITE_DIR"]) / "index.html").write_text("a page", encoding="utf-8")
        return subprocess.CompletedProcess([], 0)

    monkeypatch.setattr(build, "BUILD", tmp_path)
    monkeypatch.setattr(build, "ensure_current_bundle", lambda: None)
    table = tmp_path / "chances.json"
    table.write_text("chances", encoding="utf-8")
    monkeypatch.setattr(build, "get_or_build_current_table", lambda: table)
    monkeypatch.setattr(build, "check_fences", lambda docs: [])
    monkeypatch.setattr(build, "list_traceability_lines_and_faults", lambda site: ([], []))
    monkeypatch.setattr(build, "compute_content_hash", lambda paths: "v1")
    monkeypatch.setattr(build, "install_bundle_and_complete_pages", lambda site, base: called.append("finish"))
    monkeypatch.setattr(build.subprocess, "run", run)
    return called


def test_build_copies_the_chances_of_its_engine_into_the_site(build_calls: list[str], tmp_path: Path) -> None:
    """The site contains the table of chances computed with the same engine."""
    build.build_site_if_changed(site_folder=tmp_path / "site")
    assert (tmp_path / "site" / "data" / "worked-combat-chances.json").read_text(encoding="utf-8") == "chances"


def raise_error(*_: Any) -> None:
    """Fail in the middle of finishing the site."""
    raise ValueError("no such rule")


def test_build_with_unchanged_inputs_does_nothing(
    build_calls: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed setting or address builds the site again."""
    build.build_site_if_changed(site_folder=tmp_path / "site")
    build.build_site_if_changed(site_folder=tmp_path / "site")
    assert build_calls == ["build", "finish"]
    for times, (name, value) in enumerate(
        [("PLAIN", str(int(not build.is_plain_build()))), ("SITE_OFFLINE", "no"), ("SITE_URL", "https://h.example/")], 2
    ):
        monkeypatch.setenv(name, value)
        build.build_site_if_changed(site_folder=tmp_path / "site")
        assert build_calls == ["build", "finish"] * times
    build.build_site_if_changed(site_folder=tmp_path / "site", site_url="https://host.example/scratch/")
    assert build_calls == ["build", "finish"] * 5


@pytest.mark.parametrize(
    "name", ["list_unknown_name_failures", "check_bare_numbers", "check_fences", "list_traceability_lines_and_faults"]
)
def test_build_with_a_wrong_page_prints_its_problem_and_stops(
    build_calls: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A wrong link, number, fence or anchor leaves no stamp of a finished build."""
    found = ["docs/rules/turns.md:3: wrong"]
    monkeypatch.setattr(build, name, lambda *_: ([], found) if name == "list_traceability_lines_and_faults" else found)
    with pytest.raises(SystemExit, match=r"^docs/rules/turns\.md:3: wrong$"):
        build.build_site_if_changed(site_folder=tmp_path / "site")
    assert not list(tmp_path.glob("*.stamp"))


@pytest.mark.parametrize("broken", ["finish", "builder"])
def test_failed_build_leaves_no_stamp(
    build_calls: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """After a failure the first inputs are built again, too."""
    site = tmp_path / "site"
    build.build_site_if_changed(site_folder=site)
    with monkeypatch.context() as second:
        second.setattr(build, "compute_content_hash", lambda paths: "v2")
        if broken == "finish":
            second.setattr(build, "install_bundle_and_complete_pages", raise_error)
        else:
            second.setattr(build.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 1))
        with pytest.raises((ValueError, SystemExit)):
            build.build_site_if_changed(site_folder=site)
    assert not list(tmp_path.glob("*.stamp"))
    build_calls.clear()
    build.build_site_if_changed(site_folder=site)
    assert build_calls == ["build", "finish"]


def test_serve_on_a_used_port_suggests_another() -> None:
    """The message contains the command to type."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Abort, match=f"Port {port} of 127.0.0.1 is in use: `make serve PORT={port + 1}`"):
            on_serve(SimpleNamespace(server_address=taken.getsockname()), None, None)


def test_first_build_installs_packages_before_copying_fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a fresh clone the fonts come with the packages of the bundle."""

    def install_fonts(_: Path) -> str:
        for font in finish.FONTS:
            (tmp_path / font).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / font).touch()
        raise InterruptedError

    monkeypatch.setattr(finish, "NODE_MODULES", tmp_path)
    monkeypatch.setattr(finish, "build_and_copy_bundle", install_fonts)
    with pytest.raises(InterruptedError):
        finish.install_bundle_and_complete_pages(tmp_path / "site")


def test_build_inputs_equal_the_paths_that_serve_watches(
    build_calls: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the lock files are inputs in addition."""
    compute_hash = Mock(return_value="v1")
    monkeypatch.setattr(build, "compute_content_hash", compute_hash)
    build.build_site_if_changed(site_folder=tmp_path / "site")
    assert {ROOT / each for each in (*WATCHED_PATHS, "requirements.lock", "package-lock.json")} == {
        *compute_hash.call_args.args[0]
    }


@pytest.mark.parametrize(
    "name", ["fences.registry.list_unknown_name_failures", "checks.bare_numbers.check_bare_numbers"]
)
def test_serve_with_a_wrong_page_stops(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong link or number stops `mkdocs serve`, too."""
    for each in ("fences.registry.list_unknown_name_failures", "checks.bare_numbers.check_bare_numbers"):
        monkeypatch.setattr(f"build_scripts.{each}", lambda *_, is_it=each == name: ["turns.md:3: wrong"] * is_it)
    with pytest.raises(Abort, match=r"^turns\.md:3: wrong$"):
        on_pre_build(None)


def test_failed_rebuild_names_the_page_without_a_traceback(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Abort with one message, which MkDocs prints as it is."""
    times = iter([{}, {DOCS / "rules" / "actions.md": 1.0}])
    monkeypatch.setattr(mkdocs_hooks, "_map_files_to_modification_times", lambda: next(times))
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
    assert mkdocs_hooks.format_build_failure(SystemExit("no")) == "docs/rules/actions.md: no"
    mkdocs_hooks.on_post_page("", page=page, config=None)
    assert mkdocs_hooks.format_build_failure(SystemExit("no")) == "no"
