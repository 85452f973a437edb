"""`python -m scratch_core roll`: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scratch_core.cli import main

ROOT = Path(__file__).parent.parent.parent


def test_a_roll_is_printed_with_its_sum_and_chance(capsys: pytest.CaptureFixture[str]) -> None:
    """Faces, the sum part by part, failure and the exact chance stand on lines of their own (`roll.failure`)."""
    assert main(["roll", "d20+3[shooting]", "--against", "13", "--faces", "7"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == ["faces: 7", "7 d20 + 3 shooting = 10", "failure against 13", "chance: 11/20"]
    assert err == ""


def test_json_is_one_stable_object(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints faces, dice, parts, total, difficulty, success and the chance as a fraction (`roll.success`)."""
    assert main(["roll", "2d20kh1+2 vs 13", "--faces", "11,4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "faces": [11, 4],
        "dice": [
            {"sides": 20, "face": 11, "kept": True, "why": "first"},
            {"sides": 20, "face": 4, "kept": False, "why": "first"},
        ],
        "parts": [
            {"what": "2d20kh1", "value": 11, "rule": "roll.d20"},
            {"what": "2", "value": 2, "rule": "roll.modifier"},
        ],
        "total": 13,
        "against": 13,
        "success": True,
        "automatic": False,
        "chance": "3/4",  # 1 - (10/20)^2
    }


def test_without_a_difficulty_there_is_no_chance(capsys: pytest.CaptureFixture[str]) -> None:
    """A roll against nothing has a total and nothing to succeed at."""
    assert main(["roll", "2d6", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert 2 <= record["total"] == sum(record["faces"]) <= 12
    assert [record[name] for name in ("against", "success", "automatic", "chance")] == [None] * 4


def test_face_20_is_named_as_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """A success by face 20 says so (`roll.auto-success`)."""
    assert main(["roll", "d20-2", "--against", "25", "--faces", "20"]) == 0
    assert "success against 25 (face 20)" in capsys.readouterr().out


def test_what_is_too_much_to_count_still_rolls(capsys: pytest.CaptureFixture[str]) -> None:
    """The dice fall, and standard error says why there is no chance."""
    assert main(["roll", "500d1000", "--against", "7", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["chance"] is None
    assert "20,000 different totals" in err


@pytest.mark.parametrize(
    ("arguments", "piece"),
    [
        (["hello"], "expected dice notation"),
        ([""], "got nothing"),
        (["999999999d999999999"], "up to 500"),
        (["d20", "--against", "abc"], "a difficulty, a whole number"),
        (["d20", "--against", "9" * 31], "a difficulty, a whole number"),
        (["d20", "--faces", "x"], "a whole number as face 1"),
        (["d20", "--faces", ""], "as face 1, got nothing"),
        (["d20", "--faces", "1,2"], "one face, got 2"),
        (["d20", "--faces", "21"], "from 1 to 20 as face 1"),
        (["d20", "--faces", "1," * 20_000], "at most 12,000 faces"),
    ],
)
def test_unusable_input_ends_with_2_and_a_sentence(
    arguments: list[str], piece: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be used gives exit code 2 and its sentence on standard error, nothing on standard output."""
    assert main(["roll", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert piece in err
    assert "Traceback" not in err


@pytest.mark.parametrize("arguments", [[], ["roll"], ["fly"], ["roll", "d20", "--fly"]])
def test_a_wrong_command_line_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A command line that is none says how one looks, on standard error."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.needs_process
def test_it_runs_as_a_module() -> None:
    """`python -m scratch_core roll` gives the exit code to the shell."""
    command = [sys.executable, "-m", "scratch_core", "roll", "d20+3", "--against", "13"]
    fine = subprocess.run([*command, "--faces", "10"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (fine.returncode, fine.stderr) == (0, "")
    assert "success against 13" in fine.stdout
    wrong = subprocess.run([*command, "--faces", "0"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stdout) == (2, "")
