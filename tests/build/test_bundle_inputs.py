"""The inputs of the bundle: an audit hook records which files a build opens."""

import subprocess
import sys
from pathlib import Path

import pytest

from build_scripts.browser_app import build
from build_scripts.paths import ROOT


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the project's files that a build of the bundle opens, in its own process."""
    folder = tmp_path_factory.mktemp("bundle")
    command = [sys.executable, "-m", "tests.build.bundle_inputs", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [ROOT / line for line in done.stdout.splitlines() if (ROOT / line).is_file()]


def test_every_file_that_the_bundle_build_opens_is_an_input(opened: list[Path]) -> None:
    """Each file is below a path whose content is hashed."""
    for some in (
        "scratch_core/encounter/engine.py",
        "scratch_core/scenario/harbour.toml",
        "site_overrides/calculators/dice.html",
        "build_scripts/render.py",
    ):
        assert ROOT / some in opened
    assert [path for path in opened if not any(path.is_relative_to(each) for each in build.INPUTS)] == []


def test_query_of_a_fence_changes_the_inputs_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled functions depend on the queries of the pages."""
    before = build.compute_inputs_hash()
    assert build.compute_inputs_hash() == before
    queries = [*build.list_example_queries(), ("dice", "roll=3d6")]
    monkeypatch.setattr(build, "list_example_queries", lambda: iter(queries))
    assert build.compute_inputs_hash() != before
