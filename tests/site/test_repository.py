"""The repository as a newcomer finds it: packaged, clean, and with fences that run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from build_scripts.bundle import examples
from build_scripts.calculator_fence import fence_query
from build_scripts.fences import calculator_fences, check_fences
from build_scripts.folders import DOCS, ROOT


def test_every_fence_in_the_text_runs() -> None:
    """Every calculator fence of every page renders; a failing one is named by page and line."""
    assert check_fences(DOCS) == []
    assert len(list(calculator_fences(DOCS))) >= 6


def test_failing_fences_are_named(tmp_path: Path) -> None:
    """A fence that fails is told by its page and the line that opens it."""
    page = tmp_path / "rules" / "rolls.md"
    page.parent.mkdir()
    quoted = '````\n```calculator name="shown"\n```\n````\n'
    page.write_text(f'# Rolls\n\n{quoted}\n```calculator name="missing"\nroll=d20\n```\n')
    (failure,) = check_fences(tmp_path)
    assert failure.startswith("docs/rules/rolls.md:8: calculator 'missing' failed")


@pytest.mark.parametrize(
    ("body", "query"),
    [
        ("roll=d20+3\nagainst=13", "roll=d20%2B3&against=13"),
        ("sheet=Thug\n2 toughness\nshow=figures", "sheet=Thug%0A2%20toughness&show=figures"),
        ("", ""),
    ],
)
def test_fence_bodies_are_queries(body: str, query: str) -> None:
    """A fence's body is its query, a line a control, values literal, other lines continuing the value above."""
    assert fence_query(body) == query


def test_fence_bodies_start_with_a_control() -> None:
    """A body that starts with no control is refused with the line shown."""
    with pytest.raises(ValueError, match="expected a line `control=value`, got 'hello'"):
        fence_query("hello")


def test_wheel_carries_the_engine_alone(tmp_path: Path) -> None:
    """The built wheel holds scratch_core with its type marker, and its command runs from it."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "scratch_core/py.typed" in names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"scratch_core"}
    done = subprocess.run(
        [sys.executable, "-m", "scratch_core", "roll", "d20+3", "--against", "13", "--faces", "10", "--json"],
        env={**os.environ, "PYTHONPATH": str(wheel)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["total"] == 13


def test_no_machine_is_named() -> None:
    """No tracked file carries a path of the machine it was made on."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, files.split("\0")):
        path = ROOT / name
        if path.suffix not in {".lock", ".png", ".svg", ".woff2"} and name != "package-lock.json" and path.exists():
            found = re.search(r"(?<![\w.])/(?:work|root|tmp|home)/[a-z]\S*", path.read_text(encoding="utf-8"))
            assert not found or "/home/pyodide" in found[0], f"{name}: {found and found[0]}"


def test_dependencies_are_pinned_with_hashes() -> None:
    """Every Python and every npm package in the lock files has a hash."""
    requirements = (ROOT / "requirements.lock").read_text()
    packages = re.findall(r"^[a-z0-9][^\n]*==[^\n]*(?:\n    --hash=sha256:[0-9a-f]{64}[^\n]*)+", requirements, re.M)
    assert len(packages) == len(re.findall(r"^[a-z0-9][^\n]*==", requirements, re.M))
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert all("integrity" in package for name, package in locked.items() if name)


def test_examples_cover_every_calculator() -> None:
    """The bundle is trimmed after an exercise of every calculator that has a template."""
    assert {name for name, _ in examples()} >= {"dice", "character"}
