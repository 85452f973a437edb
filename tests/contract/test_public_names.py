"""The public names: those of the contract are all there, and no other changes unnoticed."""

import os
from pathlib import Path

import pytest

from scratch_core.scenario import parse_scenario, play
from tests.contract.public_names import answers, list_attributes, list_public_names

ROOM = Path(__file__).parent
CONTRACT = [
    line for line in (ROOM / "contract.txt").read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#")
]
PUBLIC_NAMES = ROOM / "public_names.txt"
ADVICE = "Public names have changed. If this is on purpose, run `make write-names` and commit the list on its own:"

# After the sample of the contract.
SAMPLE = """
format = "scratch-scenario/1"
title  = "Two hunters, one pirate"
system = "scratch"
[rulings]
strength_base = 8
[[characters]]
id = "chokestar"
name = "Chokestar"
side = "hunters"
group = "chokestar"
abilities = { wrestling = 2, stealth = 3, toughness = 3 }
hp = 3
printed = { strength = 12 }
at = [3, 0]
[[characters]]
id = "flipfire"
side = "hunters"
abilities = { shooting = 2, toughness = 4 }
at = [0, 0]
[[characters]]
id = "breakhelm"
side = "pirates"
abilities = { fighting = 2, toughness = 5 }
at = [2, 0]
[initiative]
chokestar = [20]
flipfire = [2]
breakhelm = [3]
[board]
shape = "square"
rows = ["....#", "..^.~", "..wE."]
cover = [[1, 1]]
throwable = [[2, 0]]
cramped = [[3, 1]]
[[steps]]
actor = "chokestar"
do = "hold"
with = "wrestling"
target = "breakhelm"
faces = [1]
note = "The stun gun."
expect = { success = [false], legal = true, "hp.breakhelm" = 5, "condition.chokestar" = "healthy", round = 1 }
[expect]
winner = ""
active = "chokestar"
"""


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return every public name of the project."""
    return list_public_names(tmp_path_factory.mktemp("files"))


@pytest.mark.needs_process
def test_public_names_equal_the_recorded_list(names: list[str]) -> None:
    """Fail with each name that was added or removed."""
    if os.environ.get("NAMES") == "write":
        PUBLIC_NAMES.write_text("\n".join(names) + "\n", encoding="utf-8")
    recorded = PUBLIC_NAMES.read_text(encoding="utf-8").splitlines()
    report = describe_changes(recorded, names)
    if report:
        pytest.fail(report, pytrace=False)


@pytest.mark.needs_process
def test_contract_names_all_exist(names: list[str]) -> None:
    """No name of the contract may go, whatever the recorded list says."""
    lost = [name for name in CONTRACT if name not in {*names, *list_attributes()}]
    assert not lost, f"names of contract.txt never change; these are gone: {', '.join(lost)}"


def test_contract_sample_plays_as_it_says() -> None:
    """Read the contract's sample scenario, and play it without a difference."""
    played = play(parse_scenario(SAMPLE))
    assert not played.problems
    assert [each.message for each in played.differences] == []
    assert [record.rule for record in played.results if not record.is_legal] == []


def test_character_figures_have_the_names_of_the_contract() -> None:
    """Find a `data-figure` for each figure."""
    html = "".join(answer.html for answer in answers()["character"][0])
    figures = ("agility", "intelligence", "strength", "stamina", "hit-points", "cp")
    assert [name for name in figures if f'data-figure="{name}"' not in html] == []


def test_report_says_what_to_do_and_names_each_change() -> None:
    """Say what to do, which name was removed, and which was added."""
    report = describe_changes(["control of dice: faces", "page: a/"], ["control of dice: throws", "page: a/"])
    assert report.splitlines() == [
        ADVICE,
        "- control of dice: faces",
        "+ control of dice: throws",
    ]
    assert describe_changes(["a"], ["a"]) == ""


def describe_changes(recorded: list[str], found: list[str]) -> str:
    """Return the names that were removed and added, "" for none."""
    removed = [f"- {name}" for name in recorded if name not in set(found)]
    added = [f"+ {name}" for name in found if name not in set(recorded)]
    return "\n".join([ADVICE, *removed, *added]) if removed or added else ""
