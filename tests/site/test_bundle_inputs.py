"""The bundle is made anew where anything that it is made from has changed: a hook hears what its build opens."""

import subprocess
import sys
from pathlib import Path

import pytest

from build_scripts.app import building
from build_scripts.folders import ROOT


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The project's files that a build of the bundle opens, in a process of its own."""
    folder = tmp_path_factory.mktemp("bundle")
    command = [sys.executable, "-m", "tests.site.bundle_inputs", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [ROOT / line for line in done.stdout.splitlines() if (ROOT / line).is_file()]


def test_whatever_the_build_opens_is_an_input(opened: list[Path]) -> None:
    """Engine, templates and scripts were heard; each file lies under something whose content is hashed."""
    for some in (
        "scratch_core/encounter.py",
        "scratch_core/scenario/harbour.toml",
        "site_overrides/calculators/dice.html",
        "build_scripts/calculator_html.py",
    ):
        assert ROOT / some in opened
    assert [path for path in opened if not any(path.is_relative_to(each) for each in building.INPUTS)] == []


def test_what_the_text_asks_is_an_input_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled hangs on the queries of the fences; another one is another bundle, other words are not."""
    before = building.inputs_hash()
    assert building.inputs_hash() == before
    asked = [*building.examples(), ("dice", "roll=3d6")]
    monkeypatch.setattr(building, "examples", lambda: iter(asked))
    assert building.inputs_hash() != before
