"""The command line as a whole: its names, its version, and a reader who goes away."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scratch_core import __version__
from scratch_core.cli import main
from tests.known import known

COMMAND = [sys.executable, "-m", "scratch_core"]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` prints the package's version."""
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"scratch_core {__version__}\n"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("/usr/bin/scratch", "usage: scratch "),
        ("/lib/scratch_core/__main__.py", "usage: python -m scratch_core "),
        ("", "usage: python -m scratch_core "),
    ],
    ids=["installed", "module", "none"],
)
def test_usage_names_the_command_as_it_was_typed(
    typed: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The usage shows what the reader has typed."""
    monkeypatch.setattr(sys, "argv", [typed])
    with pytest.raises(SystemExit):
        main(["--help"])
    assert capsys.readouterr().out.startswith(told)


@pytest.mark.needs_process
def test_a_reader_who_goes_away_is_no_error() -> None:
    """`play worked-combat | true` ends without a traceback, whatever is left to print."""
    with subprocess.Popen(
        [*COMMAND, "play", "worked-combat", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        known(process.stdout).close()  # before anything is printed: what fits into the pipe's buffer would meet no end
        assert known(process.stderr).read() == ""
        assert process.wait(60) == 141
