"""The name of a fight in the saved list."""

import json

import pytest

from scratch_core.calculators.fight import view
from scratch_core.calculators.fight.roster import MAX_FIGHT_NAME_LENGTH, format_fight_name
from scratch_core.calculators.shared.query import format_query, parse_query

SIDES = "Ann\nside: x\n2 fighting\n\nBo\nside: y\n2 fighting"
GUARDS = [("Ria", "red"), *((f"Guard {number}", "guards") for number in (1, 2, 3))]


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        pytest.param([], "", id="no one"),
        pytest.param([("Ria", "red")], "Ria · round 2", id="one"),
        pytest.param([("Ria", "red"), ("Bo", "red"), ("Cy", "x")], "Ria and Bo against Cy · round 2", id="by-name"),
        pytest.param(GUARDS, "Ria against 3 guards · round 2", id="counted"),
        pytest.param([(name, "theirs") for name in "ABCD"], "A and 3 others · round 2", id="no-name"),
    ],
)
def test_fight_name_lists_characters_or_sides(people: list[tuple[str, str]], expected: str) -> None:
    """A fight's name lists the characters of small sides, followed by the stage.

    Larger sides have their number and name.
    """
    assert format_fight_name(people, "round 2") == expected


def test_long_fight_name_is_truncated_before_its_stage() -> None:
    """With any number of characters the name fits a line and ends with the stage."""
    name = format_fight_name([("x" * 60, f"side {number}") for number in range(9)], "round 12")
    assert len(name) <= MAX_FIGHT_NAME_LENGTH
    assert name.endswith("… · round 12")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param({}, "", id="empty"),
        pytest.param({"sheets": SIDES}, "Ann against Bo · not begun", id="sheets"),
        pytest.param(
            {"system": "seize", "fighters": "Ann: side x\nBo: side y"},
            "Ann against Bo · not begun, Choose-next and seize",
            id="lines",
        ),
        pytest.param(
            {
                "sheets": SIDES,
                "log": "begin",
                "initiative": "ann 9, bo 3",
            },
            "Ann against Bo · round 1",
            id="begun",
        ),
        pytest.param(
            {"system": "seize", "fighters": "Ann: side x\nBo: side y", "log": "begin", "initiative": "ann 9, bo 3"},
            "Ann against Bo · round 1, Choose-next and seize",
            id="begun-lines",
        ),
    ],
)
def test_answer_has_a_name_for_the_saved_list(query: dict[str, str], expected: str) -> None:
    """A setup and a fight have a name for the list, in every turn system."""
    assert view(parse_query(format_query(query)), None).saved_name == expected


def test_fight_begun_from_named_encounter_has_its_name() -> None:
    """A fight begun from a named encounter has its name in list, file and answers.

    A new set-up has the name until its characters are removed.
    """
    begin = {"sheets": SIDES, "log": "begin", "initiative": "ann 9, bo 3", "called": " The toll "}
    fight = view(parse_query(format_query(begin)), None)
    assert fight.saved_name == "The toll · round 1"
    assert json.loads(fight.fields["log"])["title"] == "The toll"
    again = view(parse_query(fight.query), None)
    assert (again.saved_name, again.query) == (fight.saved_name, fight.query)
    setup = view(parse_query(f"{fight.query}&act=setup"), None)
    assert setup.saved_name == "The toll · not begun"
    emptied = view(parse_query(f"{setup.query}&act=remove-all"), None)
    assert (emptied.saved_name, emptied.fields["called"]) == ("", "")
