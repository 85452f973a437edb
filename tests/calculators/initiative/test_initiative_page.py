"""The initiative calculator: a query in, the order and its reasons out, by each of the four turn systems."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest

from scratch_core.calculators.initiative import View, view
from scratch_core.calculators.initiative.request import SYSTEM_TITLES
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.cast import get_member
from scratch_core.dice import RecordedRoller, SystemRoller
from tests.support.known import require

FOUR = "Ash: stealth 3, reach 1, bonus 3\nBirch: reach 3\nCedar: stealth 1, reach 2, bonus 1\nDogwood: reach 1, bonus 4"
FACES = "ash 12, birch 17, cedar 9, dogwood 14"


def view_controls(roller: Any = None, **fields: str) -> View:
    """The view of controls."""
    return view(parse_query(urlencode(fields)), roller)


def names(found: View) -> list[str]:
    """Return the names in the turn order."""
    assert found.order is not None, found.problems
    return [row.name for row in found.order.rows]


def rules(found: View, place: int = 1) -> set[str]:
    """The rules that a place is explained by."""
    assert found.order is not None, found.problems
    return {reason.rule for reason in found.order.rows[place - 1].reasons}


@pytest.mark.parametrize(
    ("system", "order", "totals", "rule"),
    [
        ("scratch", "Ash Birch Dogwood Cedar", [12 + 2 * 3, 17, 14, 9 + 2 * 1], "turn.order"),
        ("mano", "Birch Cedar Dogwood Ash", [], "mano.start.reach"),
        ("mano-old", "Birch Cedar Dogwood Ash", [], "mano-old.initiative.reach"),
        ("seize", "Dogwood Birch Ash Cedar", [14 + 4, 17, 12 + 3, 9 + 1], "seize.highest-first"),
    ],
)
def test_initiative_of_same_four_in_each_turn_system(system: str, order: str, totals: list[int], rule: str) -> None:
    """Each turn system sorts the same characters and dice, and gives the reason.

    The totals are computed by hand, and the seats start clockwise from the longest reach.
    """
    found = view_controls(system=system, who=FOUR, faces=FACES)
    assert names(found) == order.split()
    assert [row.figure.value for row in require(found.order).rows if row.figure] == totals
    assert rule in rules(found)
    assert [title for title, _ in found.other_systems] == [
        title for name, title in SYSTEM_TITLES.items() if name != system
    ]


THREE = "Ash: stealth 3, reach 1\n\ngroup: dogs\nBirch: 2\nCedar"


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ({}, THREE),
        ({"stealth-1": "3", "name-2": "Birch", "detection-3": ""}, THREE),
        ({"stealth-1": "4"}, THREE.replace("stealth 3", "stealth 4")),
        ({"stealth-1": "0"}, THREE.replace("stealth 3, ", "")),
        ({"name-1": "Ash, the: tall"}, THREE.replace("Ash", '"Ash, the: tall"', 1)),
        ({"name-1": " "}, THREE),
        ({"detection-3": "1"}, THREE.replace("Cedar", "Cedar: detection 1, group dogs")),
        ({"stealth-1": "much"}, THREE.replace("stealth 3", "stealth much")),
        ({"change": "add; add"}, f"{THREE}\nFighter 4\nFighter 5"),
        ({"change": "remove ash; remove cedar; remove nobody"}, "\ngroup: dogs\nBirch: 2"),
        ({"rows": "others", "stealth-1": "9"}, THREE),
        ({"rows": "others", "change": "remove ash"}, THREE.partition("\n")[2]),
    ],
)
def test_changed_row_changes_only_its_line(typed: dict[str, str], lines: str) -> None:
    """A changed row changes its line only.

    Rows of other lines are ignored.
    """
    found = view_controls(who=THREE, **{"rows": THREE, **typed})
    assert found.fields["who"].strip() == lines.strip()
    assert ("who" in found.updated_fields) == (lines != THREE)
    assert ("rows" in found.updated_fields) == ("change" in typed or typed.get("rows") == "others")


def test_initiative_row_has_the_numbers_of_its_turn_system() -> None:
    """Each turn system has columns of its own.

    Their numbers are from the lines, or from defaults for all following lines.
    """
    who = "Ash: stealth 3, bonus -2\nBirch: reach 2"
    rows = {system: view_controls(who=who, system=system).rows for system in SYSTEM_TITLES}
    assert [each.numbers for each in rows["scratch"]] == [
        (("stealth", 3), ("detection", 0)),
        (("stealth", 0), ("detection", 0)),
    ]
    assert [each.numbers for each in rows["mano"]] == [(("reach", 0),), (("reach", 2),)]
    assert [each.numbers for each in rows["seize"]] == [(("bonus", -2),), (("bonus", 0),)]
    changed = view_controls(**{"who": who, "rows": who, "system": "seize", "bonus-1": "-3"})
    assert changed.fields["who"] == "Ash: stealth 3, bonus -3\nBirch: reach 2"


def test_rows_preserve_their_previous_faces() -> None:
    """Without a roll, rows keep their previous faces.

    Faces of removed rows are dropped, and typed faces take precedence.
    """
    thrown = view_controls(RecordedRoller([12, 17]), who="Ash\nBirch").rolled_faces
    assert thrown == "Birch 17, Ash 12"
    assert names(view_controls(who="Ash: detection 1\nBirch", thrown=thrown)) == ["Ash", "Birch"]
    assert names(view_controls(who="Birch", thrown=thrown)) == ["Birch"]
    assert view_controls(who="Ash\nBirch\nCedar", thrown=thrown).is_waiting_for_dice
    assert names(view_controls(who="Ash\nBirch", thrown=thrown, faces="ash 20, birch 3")) == ["Ash", "Birch"]
    assert names(view_controls(RecordedRoller([20, 3]), who="Ash\nBirch", thrown=thrown)) == ["Ash", "Birch"]


def test_changed_row_keeps_the_tie_break_of_the_others() -> None:
    """Cedar's new bonus doesn't change the tie-break of Ash and Birch."""
    rolled = view_controls(RecordedRoller([12, 18, 9, 4, 15]), who="Ash: stealth 3\nBirch\nCedar")
    assert names(rolled) == ["Birch", "Ash", "Cedar"]
    changed = view_controls(who="Ash: stealth 3\nBirch\nCedar: detection 3", thrown=rolled.rolled_faces)
    assert names(changed) == ["Cedar", "Birch", "Ash"]
    parted = view_controls(who="Ash: stealth 4\nBirch\nCedar", thrown=rolled.rolled_faces)
    assert names(parted) == ["Ash", "Birch", "Cedar"]


@pytest.mark.parametrize(
    ("fields", "first", "rule"),
    [
        ({"system": "mano", "ambush": "Birch succeeds"}, "Birch", "mano.surprise.one"),
        ({"system": "mano", "ambush": "Ash fails, Birch succeeds"}, "Birch", "mano.surprise.one"),
        ({"system": "mano", "ambush": "Ash, Birch", "first": "Cedar"}, "Cedar", "mano.surprise.both"),
        ({"system": "mano", "ambush": "Ash fails", "first": "Cedar"}, "Cedar", "mano.start.first"),
        ({"system": "mano", "first": "cedar"}, "Cedar", "mano.start.first"),
        ({"system": "mano", "first": "Ash, Birch", "faces": "ash 4 7, birch 4 9"}, "Birch", "mano.start.first"),
        ({"system": "mano-old", "ambush": "Cedar"}, "Cedar", "mano-old.surprise"),
        ({"system": "mano-old", "ambush": "Cedar fails"}, "Ash", "mano-old.initiative.reach"),
        ({"system": "seize", "faces": "ash 20, birch 19, cedar 1"}, "Ash", "seize.natural-20"),
        ({"system": "seize", "faces": "ash 9, birch 12, cedar 2"}, "Ash", "seize.tie"),  # 9 + 2 and 12 - 1, bonus 2
        ({"system": "seize", "faces": "ash 1, birch 2, cedar 1"}, "Birch", "seize.highest-first"),
        ({"system": "seize", "faces": "ash 1, birch 2, cedar 1", "seize_on_total": "on"}, "Ash", "seize.highest-first"),
        ({"faces": "ash 9 4, birch 9 7, cedar 3"}, "Birch", "turn.tie"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_first_place_names_the_rule_that_decided_it(fields: dict[str, str], first: str, rule: str) -> None:
    """The first character goes first by the expected rule.

    The rules are about surprise, the story, reach, dice, a 20 and a tie (K25, K29).
    """
    found = view_controls(who="Ash: reach 3, bonus 2\nBirch: bonus -1\nCedar: bonus 1", **fields)
    assert names(found)[0] == first
    assert rule in rules(found)


def test_initiative_shared_roll_is_rolled_once() -> None:
    """Three goblins who share a 20 may each open and have an extra action.

    E170, `seize.gm-roll`.
    """
    who = "\n".join(f"Goblin {n}: 2, group goblins" for n in (1, 2, 3)) + "\nHero: bonus 9"
    found = view_controls(system="seize", who=who, faces="goblins 20, hero 19")
    assert names(found)[:3] == ["Goblin 1", "Goblin 2", "Goblin 3"]
    assert {"seize.natural-20", "seize.gm-roll"} <= rules(found, 3)
    assert require(found.order).after_reason.text.startswith("Goblin 1 or Goblin 2 or Goblin 3 opens.")
    group = view_controls(who="Ash: group us\nBirch: group us\nCedar", faces="us 4, cedar 9")
    assert require(group.order).rows[1].members == ("Ash", "Birch")


def test_missing_dice_are_rolled_only_with_a_roller() -> None:
    """Without faces and a roller the page waits for dice.

    A roller rolls only the missing dice.
    """
    assert view_controls(who="Ash\nBirch").is_waiting_for_dice
    assert view_controls(who="Ash\nBirch", faces="ash 9, birch 9").is_waiting_for_dice  # a tie
    rolled = view_controls(RecordedRoller([4]), who="Ash\nBirch", faces="ash 11")
    assert names(rolled) == ["Ash", "Birch"]
    assert "faces=Ash%2011,%20Birch%204" in rolled.query
    assert rolled.fields["faces"] == "ash 11"
    assert names(view_controls(system="mano", who="Ash: 2\nBirch: 1")) == ["Ash", "Birch"]
    assert names(view_controls(who="Ash\nBirch", example="ash 3, birch 5")) == ["Birch", "Ash"]


@pytest.mark.parametrize("system", SYSTEM_TITLES)
def test_initiative_query_reopens_its_answer(system: str) -> None:
    """The query contains the rolls and gives the same turn order, with its ties."""
    who = "\n".join(f"Fighter {n}: group g{n // 2}" for n in range(12))
    for _ in range(20):
        rolled = view_controls(SystemRoller(), system=system, who=who)
        again = view(parse_query(rolled.query), None)
        assert rolled.order is not None
        assert (again.order, again.query, again.summary) == (rolled.order, rolled.query, rolled.summary)


@pytest.mark.parametrize(
    ("fields", "control", "message"),
    [
        ({"system": "chess", "who": "Ash"}, "system", "one of scratch, mano, mano-old, seize"),
        ({"who": ": stealth 3"}, "who", "a name of "),
        ({"who": "Ash: stealth many"}, "who", "a whole number from 0 to 100 as stealth"),
        ({"who": "Ash: 3"}, "who", "one of stealth, detection, group"),
        ({"system": "seize", "who": "Ash: bonus 101"}, "who", "from -100 to 100 as bonus"),
        ({"who": "\n".join(f"A{n}" for n in range(101))}, "who", "100 fighters at most"),
        ({"who": "Ash", "faces": "birch 3"}, "faces", "a name and its roll, such as “Ash 13”"),
        ({"who": "Ash", "faces": "ash 21"}, "faces", "faces from 1 to 20"),
        ({"who": "Ash", "detection_multiplier": "7"}, "detection_multiplier", "one of 10, 2"),
        ({"system": "mano", "who": "Ash", "first": "Birch"}, "first", "a name, such as “Ash”"),
        ({"system": "mano", "who": "Ash\nBo\nCy", "ambush": "Ash, Bo, Cy"}, "ambush", "one stalker, or two"),
        ({"system": "mano-old", "who": "Ash\nBo", "ambush": "Ash, Bo"}, "ambush", "one character (Ash, Bo)"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " not in value else "",
)
def test_initiative_problem_names_its_control(fields: dict[str, str], control: str, message: str) -> None:
    """Invalid input is reported at its control with what was expected, and stays."""
    found = view_controls(SystemRoller(), **fields)
    assert [message in each.expected for each in found.problems if each.where == control] == [True]
    assert found.fields[control] == fields[control]


def test_second_copy_of_a_leader_has_minions_with_names_of_their_own() -> None:
    """The sailors of two captains are numbered one after the other."""
    once = view_controls(act="add", choosing="who", **{"tick.captain": "captain"}).fields["who"]
    twice = view_controls(who=once, act="add", choosing="who", **{"tick.captain": "captain"}).fields["who"]
    names = ["Captain", "Sailor", "Sailor 2", "Captain 2", "Sailor 3", "Sailor 4"]
    assert [each.partition(":")[0] for each in twice.split("\n")] == names


def test_selected_characters_are_added_without_a_roll() -> None:
    """Selected characters are added as lines with their numbers, without a roll.

    Saved characters, their minions and the cast are numbered apart. The dice stay as they are.
    """
    ria = format_query({"name": "Ria", "toughness": "3", "stealth": "2", "command": "2", "minions": "1 detection"})
    opened = view_controls(
        RecordedRoller([]), who="Shadow", act="choose who", kept=json.dumps([{"name": "Ria", "query": ria}])
    )
    assert [each.name for each in require(opened.chooser).groups[0][1]] == ["Ria"]
    ticks = {"tick.0": ria, "tick.shadow": "shadow"}
    come = view_controls(
        RecordedRoller([]), who="Shadow", rows="Shadow", thrown="shadow 12", act="add", choosing="who", **ticks
    )
    assert come.fields["who"].split("\n") == [
        "Shadow",
        "Ria: stealth 2",
        "Minion 1: detection 1",
        f"Shadow 2: stealth {get_member('shadow').map_abilities_to_levels()['stealth']}",
    ]
    assert (come.chooser, come.order, come.is_waiting_for_dice) == (None, None, True)
    assert {"who", "rows"} <= come.updated_fields
    wrong = view_controls(who="Ash", act="add", **{"tick.0": "nobody=1"})
    assert [(each.code, each.where) for each in wrong.problems] == [("character.unknown", "who")]
