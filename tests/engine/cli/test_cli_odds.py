"""The command `odds`: its input, its output and its exit codes."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scratch_core.cli import main
from scratch_core.odds import Duel

BRAWLER = "Brawler\n4 fighting\n4 toughness\n"
SHOOTER = "Shooter\n3 shooting\n3 toughness\n"


@pytest.fixture
def brawler(tmp_path: Path) -> str:
    """A file with a stat block."""
    path = tmp_path / "brawler.txt"
    path.write_text(BRAWLER, encoding="utf-8")
    return str(path)


def run_odds_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON of an answer."""
    assert main(["odds", *arguments, "--json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_odds_of_identical_fighters_are_symmetric(brawler: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The two turn orders of a mirror duel have mirrored chances.

    Rolled initiative makes the chances even.
    """
    answer = run_odds_json(capsys, brawler, brawler)
    assert set(answer) == {"first", "second", "initiative", "best", "exact", "tolerance"}
    first, second = answer["first"], answer["second"]
    assert first["first_wins"] == pytest.approx(0.6359722974, abs=1e-9)
    assert first["first_wins"] == pytest.approx(second["second_wins"], abs=1e-9)
    assert answer["initiative"]["first_wins"] == pytest.approx(answer["initiative"]["second_wins"], abs=1e-9)
    for order in ("first", "second", "initiative"):
        assert sum(answer[order].values()) == pytest.approx(1, abs=1e-9)
    assert answer["exact"] is True
    assert answer["tolerance"] == 1e-9
    assert answer["best"]["first"] == {
        "do": "engage",
        "with": None,
        "target": None,
        "value": pytest.approx(first["first_wins"], abs=1e-9),
    }


def test_odds_with_escape_as_loss_never_escapes(brawler: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With `--escape loss` escaping means losing, so no one escapes."""
    answer = run_odds_json(capsys, brawler, brawler, "--escape", "loss")
    assert answer["first"]["first_wins"] == pytest.approx(0.7948105224, abs=1e-9)
    assert answer["first"]["nobody"] == pytest.approx(0, abs=1e-9)


def test_odds_prefers_file_over_cast_member(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file has precedence over a cast member of the same name."""
    monkeypatch.chdir(tmp_path)
    assert main(["odds", "rat", "rat"]) == 0
    assert "Weakling" not in capsys.readouterr().out
    Path("rat").write_text("Weakling\n1 toughness\n", encoding="utf-8")
    assert main(["odds", "rat", "rat"]) == 0
    assert capsys.readouterr().out.startswith("If Weakling has the first turn, Weakling wins 72.0 %, Weakling 2 28.0 %")


def test_odds_reads_standard_input_with_its_hit_points(
    brawler: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`-` reads a sheet from standard input, once even for both fighters.

    The sheet's `hp` changes the odds, and `--here` replaces its ground.
    """
    healthy = run_odds_json(capsys, brawler, brawler)
    found = []
    for extra in ("hp: 1\n", "hp: 1\nhere: cover\n"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BRAWLER.replace("\n", f"\n{extra}", 1).encode())))
        found.append(run_odds_json(capsys, brawler, "-", "--here", "level"))
    assert found[0] == found[1]
    assert found[0]["first"]["first_wins"] > healthy["first"]["first_wins"] + 0.1
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BRAWLER.encode())))
    assert run_odds_json(capsys, "-", "-") == healthy


def test_odds_fighter_without_toughness_has_lost(
    tmp_path: Path, brawler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without toughness a fighter has lost from the start and has no best action."""
    (tmp_path / "wisp").write_text("Wisp\n3 fighting\n", encoding="utf-8")
    answer = run_odds_json(capsys, str(tmp_path / "wisp"), brawler)
    for order in ("first", "second", "initiative"):
        assert answer[order] == {"first_wins": 0, "second_wins": 1, "nobody": 0}
    assert answer["best"] == {"first": None, "second": None}


def test_odds_stopped_early_prints_bounds(brawler: str, capsys: pytest.CaptureFixture[str]) -> None:
    """After `--seconds` each number is what it lies between, and the answer calls itself unfinished."""
    answer = run_odds_json(capsys, brawler, brawler, "--seconds", "1e-6")
    assert answer["exact"] is False
    for order in ("first", "second", "initiative"):
        for low, high in answer[order].values():
            assert 0 <= low <= high <= 1
    assert run_odds_json(capsys, brawler, brawler, "--seconds", "600")["exact"] is True


def test_odds_bounds_before_the_solution_contain_the_chances(
    brawler: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stopped before the solution, the bounds contain the true chances.

    The chance that a fighter has by plain attacks is known before the duel is solved, so the bounds are not 0 and 1.
    """
    exact = run_odds_json(capsys, brawler, brawler)
    monkeypatch.setattr(Duel, "solve_in_steps", lambda _: iter([0.0]))
    answer = run_odds_json(capsys, brawler, brawler, "--seconds", "600")
    assert answer["exact"] is False
    for order in ("first", "second", "initiative"):
        for name, (low, high) in answer[order].items():
            assert low - 1e-9 <= exact[order][name] <= high + 1e-9
            assert name == "nobody" or 0 < low <= high < 1


def test_odds_apply_ruling_and_best_action_names_its_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A larger strength base makes holds harder and lowers the wrestler's chance.

    The best action names its ability and its target.
    """
    (tmp_path / "shot").write_text("Shot\n4 shooting\n1 toughness\n", encoding="utf-8")
    (tmp_path / "goon").write_text("Goon\n2 fighting\n2 toughness\n", encoding="utf-8")
    ours, other = (
        run_odds_json(capsys, "wrestler", "duellist", *more) for more in ([], ["--ruling", "strength_base=8"])
    )
    assert other["first"]["first_wins"] < ours["first"]["first_wins"] - 0.01
    ours = run_odds_json(capsys, str(tmp_path / "shot"), str(tmp_path / "goon"))
    assert ours["best"]["first"] == {
        "do": "shoot",
        "with": "shooting",
        "target": "second",
        "value": pytest.approx(ours["first"]["first_wins"], abs=1e-9),
    }


def test_odds_without_json_prints_three_sentences(brawler: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each order is a sentence, and so is what the dice make of them."""
    assert main(["odds", brawler, "sharpshooter"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert all(line.endswith(".") and line.count(". ") == 0 for line in lines)
    assert lines[0].startswith("If Brawler has the first turn, Brawler wins ")
    assert lines[2].startswith("The dice give it to Brawler in ")


UNUSABLE: dict[str, tuple[str, list[str], str]] = {
    "a minion": ("Imp\nminion of Boss\n2 toughness\n", [], "a minion of 'Boss'"),
    "two blocks": (BRAWLER + "\n" + SHOOTER, [], "one stat block, got 2"),
    "no block": ("", [], "got"),
    "more hit points than the maximum": ("Imp\nhp: 9\n2 toughness\n", [], "hit points from 0 to 2, got 9"),
    "an unknown word of the ground": (BRAWLER, ["--here", "level,lava"], "lava"),
    "no word of the ground": (BRAWLER, ["--here", ","], "words among"),
    "a ruling without a value": (BRAWLER, ["--ruling", "strength_base"], "NAME=VALUE"),
    "an unknown ruling": (BRAWLER, ["--ruling", "luck=1"], "luck"),
    "no number of seconds": (BRAWLER, ["--seconds", "nan"], "a number of seconds above 0"),
}


@pytest.mark.parametrize(("text", "arguments", "message"), UNUSABLE.values(), ids=UNUSABLE)
def test_odds_with_unusable_input_exits_with_2(
    text: str, arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, an empty standard output, and the problem on standard error."""
    (tmp_path / "sheet").write_text(text, encoding="utf-8")
    assert main(["odds", str(tmp_path / "sheet"), "chokestar", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err


def test_odds_with_an_unknown_name_or_value_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown name exits with 2 and suggests similar ones.

    A wrong value of an option exits with 2, too.
    """
    assert main(["odds", "chokstar", "flipfire"]) == 2
    assert "chokestar" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        main(["odds", "chokestar", "flipfire", "--escape", "win"])
    assert caught.value.code == 2


# Groups

GROUPS = """
format = "scratch-scenario/1"
characters = [
  { id = "ada", side = "us", abilities = { fighting = 4, toughness = 4 } },
  { id = "cy", side = "us", abilities = { healing = 4, toughness = 3 } },
  { id = "bo", side = "them", abilities = { fighting = 3, toughness = 3 } },
]
"""


def test_odds_of_groups_simulates_requested_number_of_fights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The odds of two against one come from as many fights as requested.

    Every fight has a winner, each share is within its bounds, and the text has the same numbers.
    """
    path = tmp_path / "two.toml"
    path.write_text(GROUPS, encoding="utf-8")
    answer = run_odds_json(capsys, "--groups", str(path), "--fights", "40")
    assert set(answer) == {"fights", "sides", "nobody"}
    assert answer["fights"] == 40
    assert sum(each["wins"] for each in answer["sides"].values()) + answer["nobody"] == 40
    for each in answer["sides"].values():
        low, high = each["between"]
        assert low <= each["wins"] / 40 <= high
    assert answer["sides"]["us"]["wins"] > answer["sides"]["them"]["wins"]
    assert main(["odds", "--groups", str(path), "--fights", "40"]) == 0
    assert capsys.readouterr().out.startswith("Of 40 fights played out")


def test_odds_of_invalid_groups_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    """A map, no fights, a single fighter and a missing file exit with 2.

    Each has a message of its own.
    """
    for arguments, words in (
        (["--groups", "harbour"], "without a board"),
        (["--groups", "worked-combat", "--fights", "0"], "at least 1"),
        (["--groups", "nowhere.toml"], "a file that can be read"),
        (["duellist"], "two fighters, or --groups FILE"),
    ):
        assert main(["odds", *arguments]) == 2
        assert words in capsys.readouterr().err
