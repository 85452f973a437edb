"""The command `check`: exit codes, what goes to standard output and what to standard error."""

from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path

import pytest

from scratch_core.cli.check import HELP, check, configure, run
from tests.printed import SAMPLES


def call(*arguments: str) -> int:
    """Run the command as its parser would."""
    parser = argparse.ArgumentParser()
    configure(parser)
    return check(parser.parse_args(arguments))


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """A place for a sheet."""
    return tmp_path / "sheet.txt"


def test_the_module_keeps_the_contract_of_commands() -> None:
    """A command has a line of help and `run`."""
    assert HELP.endswith(".")
    assert run is check


def test_a_fine_character_exits_with_0(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Flipfire keeps 10 and 4; its figures come with reasons, the printed strength is pointed at, nothing is wrong."""
    sheet.write_text(SAMPLES["Flipfire"], encoding="utf-8")
    assert call(str(sheet)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "agility       10 base + 1 acrobatics = 11" in out
    assert "carry a while 55 kg, 120 lb" in out
    assert "printed strength 12: the rules give 11, as strength_base=8 gives" in out


def test_a_character_over_its_limits_exits_with_1(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """E111: Breakhelm's two problems stand on standard error, each with its line; the sheet comes all the same."""
    sheet.write_text(SAMPLES["Breakhelm X-19"], encoding="utf-8")
    assert call(str(sheet)) == 1
    out, err = capsys.readouterr()
    assert out.startswith("Breakhelm X-19 (10 agility, 10 intelligence, 13 strength, 3 stamina)")
    assert err.splitlines() == [
        "expected level 4 at most, got toughness 6 in line 4 (create.max-level)",
        "expected 10 CP at most, got 14 CP in line 1 (create.average)",
    ]


def test_limits_and_rulings_are_arguments(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With 14 and 6 Breakhelm is legal, and with base 8 every printed figure agrees."""
    sheet.write_text(SAMPLES["Breakhelm X-19"], encoding="utf-8")
    assert call(str(sheet), "--cp", "14", "--max-level", "6", "--ruling", "strength_base=8") == 0
    out, err = capsys.readouterr()
    assert (err, "printed" in out) == ("", False)


def test_advice_is_not_wrong(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Unspent points are said and exit with 0."""
    sheet.write_text("X\n4 toughness\n3 shooting\n2 stealth", encoding="utf-8")
    assert call(str(sheet)) == 0
    assert capsys.readouterr().err.startswith("advice: expected all 10 CP spent, got 9 CP, 1 unspent")


def test_json_has_characters_and_problems(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every number with its parts and rules, every audit, every problem."""
    sheet.write_text(SAMPLES["The Boss"] + "\n\n" + SAMPLES["Breakhelm X-19"], encoding="utf-8")
    assert call(str(sheet), "--json") == 1
    data = json.loads(capsys.readouterr().out)
    boss, _ = data["characters"]
    assert boss["figures"]["intelligence"]["value"] == 14
    assert boss["figures"]["intelligence"]["parts"][1] == {"what": "command", "value": 4, "rule": "def.intelligence"}
    assert [entry["name"] for entry in boss["audit"] if not entry["agrees"]] == ["intelligence", "strength"]
    assert [problem["code"] for problem in data["problems"]] == ["create.max-level", "create.cp"]


@pytest.mark.parametrize(
    ("content", "piece"),
    [
        (b"", "got nothing in the sheet"),
        (b" \n \n", "got nothing in the sheet"),
        (b"\xff\xfe\x00", "expected text in UTF-8, got byte 0xff at 0"),
        (b"just a line", "lines like “2 shooting”"),
        (b"x" * 3_000_000, "20,000 characters at most"),
        (b"x" * 30_000, "20,000 characters at most, got 30,000"),
        (b"\x00" * 100, "got nothing"),
    ],
    ids=["empty", "blank", "not UTF-8", "no ability", "megabytes", "long", "zeros"],
)
def test_unusable_input_exits_with_2(
    sheet: Path, content: bytes, piece: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence on standard error, nothing on standard output."""
    sheet.write_bytes(content)
    assert call(str(sheet)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert piece in err
    assert len(err.splitlines()) == 1


def test_a_missing_file_and_a_folder_exit_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The system's own reason is said; a name that can't be one is no traceback either."""
    for name in (str(tmp_path / "none"), str(tmp_path), "a\x00b"):
        assert call(name) == 2
        assert capsys.readouterr().err.startswith("expected a file that can be read, got ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--cp", "x"),
        ("--cp=-1",),
        ("--max-level", "0"),
        ("--ruling", "strength_base"),
        ("--ruling", "luck=8"),
        ("--ruling", "strength_base=9"),
    ],
)
def test_an_argument_that_can_not_be_used_exits_with_2(
    sheet: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Limits are whole numbers, rulings have names and values."""
    sheet.write_text(SAMPLES["Flipfire"], encoding="utf-8")
    assert call(str(sheet), *arguments) == 2
    assert capsys.readouterr().err.startswith("expected ")


def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The same checks, from a pipe."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SAMPLES["Flipfire"].encode())))
    assert call("-") == 0
    assert "Flipfire" in capsys.readouterr().out


def test_a_level_that_can_not_be_read_is_a_problem_of_the_character(
    sheet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There was a stat block, so it exits with 1."""
    sheet.write_text("X\nfive shooting\n3 toughness", encoding="utf-8")
    assert call(str(sheet)) == 1
    assert "in line 2" in capsys.readouterr().err
