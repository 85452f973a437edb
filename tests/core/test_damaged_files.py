"""Random and damaged scenario files: each is played, or refused with its place named; no traceback and no hang."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from scratch_core.cli import main
from scratch_core.errors import ScratchError
from scratch_core.scenario import play, read
from tests.damage import KINDS, damaged_file

pytestmark = pytest.mark.no_cover

FILES = int(os.environ.get("DAMAGED_FILES", "1500"))
COMMAND_FILES = max(1, FILES // 10)
"""How many files are played by the library, and how many of them by the command too; 10,000 is the full measure."""

HANGS = 5.0
"""Seconds of processor time after which a file counts as one that hangs; the slowest takes a small part of it."""

LONGEST_MESSAGE = 2_000
SHARDS = 10


class Ten:
    """Dice that show a 10."""

    def roll(self, sides: int) -> int:
        """Give a 10."""
        return min(10, sides)


def outcome(data: bytes) -> str:
    """What becomes of a file: "played", or "refused" with every place named."""
    try:
        played = play(read(data), Ten())
    except ScratchError as error:
        for problem in error.problems:
            assert problem.where, problem
            assert 0 < len(problem.message) <= LONGEST_MESSAGE, problem.message[:300]
        return "refused"
    played.tree()
    assert all(problem.where for problem in played.problems)
    assert len(played.records) == len(played.scenario.steps)
    return "played"


@pytest.mark.parametrize("shard", range(SHARDS))
def test_damaged_files_are_played_or_refused(shard: int) -> None:
    """Each file is played or refused with its place; nothing else is raised, and none takes long."""
    for number in range(shard, FILES, SHARDS):
        kind, data = damaged_file(number)
        begun = time.process_time()
        try:
            came = outcome(data)
        except Exception as error:
            raise AssertionError(f"file {number} ({kind}): {error!r}") from error
        seconds = time.process_time() - begun
        assert seconds < HANGS, f"file {number} ({kind}), {came}: {seconds:.1f} s"


@pytest.mark.heavy
def test_every_kind_of_harm_is_met() -> None:
    """The files know every kind of harm; whole ones are played, and of the others some are and some are not."""
    came: Counter[tuple[str, str]] = Counter()
    for number in range(20 * len(KINDS)):
        kind, data = damaged_file(number)
        came[kind, outcome(data)] += 1
    assert len({kind for kind, _ in came}) == len(KINDS)
    assert came["whole", "played"] >= 15
    assert sum(count for (_, what), count in came.items() if what == "played") > 60
    assert sum(count for (_, what), count in came.items() if what == "refused") > 150


def test_the_command_plays_or_refuses_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`play` gives 0, 1 or 2 for every file; a refusal is told on standard error, one line a problem, no traceback."""
    file = tmp_path / "scenario"
    codes: Counter[object] = Counter()
    for number in range(7, 7 + COMMAND_FILES):
        kind, data = damaged_file(number)
        file.write_bytes(data)
        options = (["--check"], ["--json"], ["--strict"], ["--until", "3"])[number % 4]
        if number % 2:
            arguments = ["play", str(file), *options]
        else:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
            arguments = ["play", "-", *options]
        out, err = io.StringIO(), io.StringIO()
        begun = time.process_time()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code: object = main(arguments)
            except SystemExit as stop:
                code = stop.code
        seconds = time.process_time() - begun
        which = f"file {number} ({kind}): {err.getvalue()[:500]}"
        codes[code] += 1
        assert code in (0, 1, 2), which
        assert "Traceback" not in err.getvalue(), which
        assert (code == 2) <= bool(err.getvalue().strip()), which
        assert seconds < HANGS, f"{which}: {seconds:.1f} s"
    assert set(codes) <= {0, 1, 2}
