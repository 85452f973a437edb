"""The command line: what its commands print, where, and with which exit code; duels have a file of their own."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from scratch_core import __version__
from scratch_core.cli import main
from scratch_core.rulebook.abilities import ABILITIES, ABILITIES_BY_NAME
from tests.support.known import require
from tests.support.printed_characters import PRINTED_BLOCKS

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "scratch_core"]
SHEETS = {
    **PRINTED_BLOCKS,
    "both": f"{PRINTED_BLOCKS['The Boss']}\n\n{PRINTED_BLOCKS['Breakhelm X-19']}",
    "unspent": "X\n4 toughness\n3 shooting\n2 stealth",
    "misread": "X\nfive shooting\n3 toughness",
}

PRINTED: dict[str, tuple[list[str], int, str, str]] = {
    "a failed roll (roll.failure)": (
        ["roll", "d20+3[shooting]", "--against", "13", "--faces", "7"],
        *(0, "faces: 7\n7 d20 + 3 shooting = 10\nfailure against 13\nchance: 11/20\n", ""),
    ),
    "face 20 (roll.auto-success)": (
        ["roll", "d20-2", "--against", "25", "--faces", "20"],
        *(0, "success against 25 (face 20)", ""),
    ),
    "too much to count": (
        ["roll", "500d1000", "--against", "7", "--json"],
        *(0, '"chance": null', "20,000 different totals"),
    ),
    "all abilities": (["abilities"], 0, "toughness      hit points, stamina, strength\n", ""),
    "one ability": (
        ["abilities", "stealth"],
        *(0, f"stealth\n{ABILITIES_BY_NAME['stealth'].meaning}\n\n", ""),
    ),
    "an unknown ability": (
        ["abilities", "shoting", "--json"],
        *(2, "", "expected an ability, such as shooting, fighting, blasting, got 'shoting' in the abilities\n"),
    ),
    "a fine character": (["check", "{Flipfire}"], 0, "agility       10 base + 1 acrobatics = 11", ""),
    "what it carries": (["check", "{Flipfire}"], 0, "carry a while 55 kg, 120 lb", ""),
    "a figure as it was printed": (
        ["check", "{Flipfire}"],
        *(0, "printed strength 12: the rules give 11, as strength_base=8 gives", ""),
    ),
    "beyond its limits (E111)": (
        ["check", "{Breakhelm X-19}"],
        *(1, "Breakhelm X-19 (10 agility, 10 intelligence, 13 strength, 3 stamina)"),
        "expected level 4 at most, got toughness 6 in line 4 (create.max-level)\n"
        "expected 10 CP at most, got 14 CP in line 1 (create.average)\n",
    ),
    "within limits of its own": (
        ["check", "{Breakhelm X-19}", "--cp", "14", "--max-level", "6", "--ruling", "strength_base=8"],
        *(0, "Breakhelm X-19", ""),
    ),
    "advice": (["check", "{unspent}"], 0, "X (", "advice: expected all 10 CP spent, got 9 CP, 1 unspent"),
    "a level that can't be read": (["check", "{misread}"], 1, "", "in line 2"),
}


def run(arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Return a command's exit code, its output and its errors.

    An argument `{name}` stands for a file with that sheet.
    """
    given = []
    for each in arguments:
        text = SHEETS.get(each.strip("{}")) if each.startswith("{") else None
        if text is not None:
            (folder / "sheet.txt").write_text(text, encoding="utf-8")
        given.append(each if text is None else str(folder / "sheet.txt"))
    try:
        code = main(given)
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    return code, *capsys.readouterr()


@pytest.mark.parametrize("name", PRINTED)
def test_command_prints_output_errors_and_exit_code(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The answer is on standard output, problems on standard error, and the exit code agrees."""
    arguments, code, out, err = PRINTED[name]
    found = run(arguments, tmp_path, capsys)
    assert found[0] == code
    assert out in found[1]
    assert found[2].startswith(err) if err.startswith("expected") else err in found[2]
    assert bool(found[2]) == bool(err)
    assert bool(found[1]) == (code < 2)


UNUSABLE: dict[str, tuple[list[str], str]] = {
    **{
        f"roll {' '.join(arguments)[:40]}": (["roll", *arguments], piece)
        for arguments, piece in (
            (["hello"], "expected dice notation"),
            ([""], "got nothing"),
            (["999999999d999999999"], "up to 500"),
            (["d20", "--against", "abc"], "a difficulty, a whole number"),
            (["d20", "--against", "9" * 31], "a difficulty, a whole number"),
            (["d20", "--faces", "x"], "a whole number as face 1"),
            (["d20", "--faces", ""], "as face 1, got nothing"),
            (["d20", "--faces", "1,2"], "one face, got 2"),
            (["d20", "--faces", "21"], "from 1 to 20 as face 1"),
            (["d20", "--faces", "1," * 20_000], "at most 12,000 rolls"),
        )
    },
    **{
        f"check with {' '.join(arguments)}": (["check", "{Flipfire}", *arguments], "expected ")
        for arguments in (
            *(["--cp", "x"], ["--cp=-1"], ["--max-level", "0"], ["--ruling", "strength_base"], ["--ruling", "luck=8"]),
            ["--ruling", "strength_base=9"],
        )
    },
    **{
        f"check {name!r}": (["check", name], "expected a file that can be read, got ")
        for name in ("no such file", ".", "a\x00b")
    },
    **{
        f"no command: {' '.join(arguments)}": (arguments, "usage:")
        for arguments in ([], ["roll"], ["fly"], ["roll", "d20", "--fly"])
    },
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_unusable_arguments_exit_with_2_and_a_message(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, an empty standard output, and the expectation on standard error."""
    arguments, piece = UNUSABLE[name]
    code, out, err = run(arguments, tmp_path, capsys)
    assert (code, out) == (2, "")
    assert piece in err
    assert "Traceback" not in err


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
def test_invalid_sheet_exits_with_2_and_one_message(
    content: bytes, piece: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a file and from standard input: one line says what was expected."""
    (tmp_path / "sheet.txt").write_bytes(content)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    for source in (str(tmp_path / "sheet.txt"), "-"):
        assert main(["check", source]) == 2
        out, err = capsys.readouterr()
        assert (out, len(err.splitlines())) == ("", 1)
        assert piece in err


def test_roll_as_json_prints_one_stable_object(capsys: pytest.CaptureFixture[str]) -> None:
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
    assert main(["roll", "2d6", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert 2 <= record["total"] == sum(record["faces"]) <= 12
    assert [record[name] for name in ("against", "success", "automatic", "chance")] == [None] * 4


def test_abilities_command_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`abilities NAME --json` prints one object, and without a name a list.

    An object has the rolls that the ability is added to, its defence, its terrain and its page.
    """
    assert main(["abilities", "Flying", "--json"]) == 0
    flying = json.loads(capsys.readouterr().out)
    assert flying == {
        "name": "flying",
        "group": "movement",
        "is": ABILITIES_BY_NAME["flying"].meaning,
        "use": ABILITIES_BY_NAME["flying"].use,
        "adds_to": ["hold", "distract"],
        "required_by": [],
        "defence": "agility",
        "terrain": "open air with room to fly",
        "rule": "flying.terrain",
        "page": "rules/abilities/#flying.terrain",
    }
    assert main(["abilities", "--json"]) == 0
    abilities = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in abilities] == [each.name for each in ABILITIES]
    assert flying.items() >= next(each for each in abilities if each["name"] == "flying").items()


def test_check_command_prints_characters_and_problems_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every number with its parts and rules, every audit, every problem."""
    code, out, _ = run(["check", "{both}", "--json"], tmp_path, capsys)
    data = json.loads(out)
    figure = data["characters"][0]["figures"]["intelligence"]
    assert (code, figure["value"]) == (1, 14)
    assert figure["parts"][1] == {"what": "command", "value": 4, "rule": "def.intelligence"}
    differs = [entry["name"] for entry in data["characters"][0]["audit"] if not entry["agrees"]]
    assert differs == ["intelligence", "strength"]
    assert [problem["code"] for problem in data["problems"]] == ["create.max-level", "create.cp"]


@pytest.mark.parametrize(
    ("typed", "usage"),
    [
        ("/usr/bin/scratch", "usage: scratch "),
        ("/lib/scratch_core/__main__.py", "usage: python -m scratch_core "),
        ("", "usage: python -m scratch_core "),
    ],
    ids=["installed", "module", "none"],
)
def test_usage_names_the_command_as_it_was_typed(
    typed: str, usage: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The usage names the command as typed, and `--version` prints the package's version."""
    monkeypatch.setattr(sys, "argv", [typed])
    assert run(["--help"], tmp_path, capsys)[1].startswith(usage)
    assert run(["--version"], tmp_path, capsys) == (0, f"scratch_core {__version__}\n", "")


@pytest.mark.needs_process
def test_module_returns_exit_code_to_shell() -> None:
    """`python -m scratch_core` exits with the code of its command.

    It ends without a traceback if the reader of its output has gone, as in `play worked-combat | true`.
    """
    wrong = [*COMMAND, "roll", "d20+3", "--against", "13", "--faces", "0"]
    done = subprocess.run(wrong, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    with subprocess.Popen(
        [*COMMAND, "play", "worked-combat", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        require(
            process.stdout
        ).close()  # before anything is printed, because output that fits into the pipe's buffer causes no error
        assert require(process.stderr).read() == ""
        assert process.wait(60) == 141
