"""The bundle is made anew where anything that it is made from has changed: a hook hears what its build opens."""

import subprocess
import sys
from pathlib import Path

import pytest

from build_scripts.browser_app import build
from build_scripts.paths import ROOT


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The project's files that a build of the bundle opens, in a process of its own."""
    folder = tmp_path_factory.mktemp("bundle")
    command = [sys.executable, "-m", "tests.build.bundle_inputs", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [ROOT / line for line in done.stdout.splitlines() if (ROOT / line).is_file()]


def test_whatever_the_build_opens_is_an_input(opened: list[Path]) -> None:
    """Engine, templates and scripts were heard; each file lies under something whose content is hashed."""
    for some in (
        "scratch_core/encounter/engine.py",
        "scratch_core/scenario/harbour.toml",
        "site_overrides/calculators/dice.html",
        "build_scripts/render.py",
    ):
        assert ROOT / some in opened
    assert [path for path in opened if not any(path.is_relative_to(each) for each in build.INPUTS)] == []


def test_what_the_text_asks_is_an_input_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled hangs on the queries of the fences; another one is another bundle, other words are not."""
    before = build.compute_inputs_hash()
    assert build.compute_inputs_hash() == before
    asked = [*build.list_examples(), ("dice", "roll=3d6")]
    monkeypatch.setattr(build, "list_examples", lambda: iter(asked))
    assert build.compute_inputs_hash() != before
