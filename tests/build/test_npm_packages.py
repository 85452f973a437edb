"""Which npm packages the build considers installed."""

import json
from pathlib import Path

import pytest

from build_scripts.browser_app import is_installed
from build_scripts.paths import NODE_MODULES, ROOT

LOCKED = {
    "": {"name": "site"},
    "node_modules/a": {"integrity": "sha512-a"},
    "node_modules/b": {"integrity": "sha512-b", "dev": True},
    "node_modules/c-win32": {"integrity": "sha512-c", "optional": True},
}
INSTALLED = {name: LOCKED[name] for name in ("node_modules/a", "node_modules/b")}


@pytest.mark.parametrize(
    ("installed", "expected"),
    [
        (INSTALLED, True),
        (INSTALLED | {"node_modules/d": {"integrity": "sha512-d"}}, True),
        ({"node_modules/a": {"integrity": "sha512-a"}}, False),
        (INSTALLED | {"node_modules/b": {"integrity": "sha512-older"}}, False),
        (INSTALLED | {"node_modules/c-win32": {"integrity": "sha512-older"}}, False),
        (None, False),
    ],
    ids=["all", "more", "one missing", "another version", "another optional version", "no record"],
)
def test_installed_packages_are_compared_with_the_lock(
    tmp_path: Path, installed: dict[str, object] | None, expected: bool
) -> None:
    """Each locked package is in npm's record with its hash; another platform's may be missing."""
    lock, record = tmp_path / "package-lock.json", tmp_path / ".package-lock.json"
    lock.write_text(json.dumps({"packages": LOCKED}))
    if installed is not None:
        record.write_text(json.dumps({"packages": installed}))
    assert is_installed(lock, record) is expected


def test_record_of_this_installation_has_each_locked_package() -> None:
    """npm writes the record that the build reads."""
    assert is_installed(ROOT / "package-lock.json", NODE_MODULES / ".package-lock.json")
