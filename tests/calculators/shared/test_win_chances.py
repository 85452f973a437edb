"""Each side's chances in a replay: a duel solved, the worked combat looked up, anything larger played out."""

import pytest

from build_scripts.data.worked_combat_chances import TABLE
from scratch_core.calculators.replay import View, view
from scratch_core.calculators.shared import resources, win_chances
from scratch_core.calculators.shared.query import parse_query, query_string
from tests.support.duels import DUEL, counted, seen
from tests.support.known import known


@pytest.fixture(autouse=True)
def given_texts() -> None:
    """The table of the worked combat is there."""
    resources.give(resources.CHANCES, TABLE.read_text(encoding="utf-8"))


def percent(found: View) -> dict[str, str]:
    """The chances in words, by side."""
    return dict(known(found.chances).here)


def test_a_duel_has_its_chances_at_every_step() -> None:
    """Two brawlers; escaping loses: 79.5% for the first (`SOLVED`: 0.7948105224), more after a blow."""
    found = seen(DUEL, step="0")
    assert percent(found) == {"ada": "79.5%", "bo": "20.5%"}
    assert [each.step for each in known(found.chances).steps] == [0, 1, 2]
    later = seen(DUEL, step="1")
    assert float(percent(later)["ada"].split()[0].rstrip("%")) > 79.5
    assert known(later.chances).fights == 0


def test_the_worked_combat_is_looked_up_and_so_are_its_forks() -> None:
    """The hunters' 95.7% before the first step; after step 7 the shot of step 8 matters most, told by its die."""
    found = seen("worked-combat", step="0")
    assert percent(found)["hunters"] == "95.7%"
    assert len(known(found.chances).steps) == 16
    assert known(found.chances).mattered == 8
    fork = seen("worked-combat", step="1", fork="1.faces = 1")
    assert known(fork.chances).fights == 0
    assert percent(fork)["hunters"] != percent(seen("worked-combat", step="1"))["hunters"]


def test_without_its_table_the_worked_combat_asks_for_it() -> None:
    """The table is asked for once; where it could not be had, fights are played out."""
    resources.forget()
    assert seen("worked-combat").needs == resources.CHANCES
    resources.give(resources.CHANCES, "")
    found = seen("worked-combat", counted(30))
    assert found.needs == ""
    assert found.unfinished
    assert known(found.chances).fights == 30
    assert " to " in percent(found)["hunters"]
    assert known(found.chances).mattered == 0


def test_nothing_is_worked_out_until_it_is_asked_for() -> None:
    """Without the press there are no chances."""
    assert view(parse_query(query_string({"scenario": DUEL}))).chances is None


def test_why_there_are_no_chances_is_said() -> None:
    """On a board, and with more or fewer than two sides, a sentence stands in their place."""
    found = seen("harbour")
    assert known(found.chances).note.startswith("Win chances aren’t available")
    alone = seen(DUEL.replace('id = "bo"', 'id = "bo"\nside = "ada"'))
    assert known(alone.chances).note.startswith("Win chances need exactly two sides")


def test_chances_that_touch_mark_no_roll() -> None:
    """The dice that mattered most are marked only where the chances before and after are apart for certain."""

    def both(low: float, high: float) -> tuple[win_chances.Chance, ...]:
        return win_chances.Chance(low, high, "a"), win_chances.Chance(1 - high, 1 - low, "b")

    apart = (both(0.2, 0.3), both(0.35, 0.4), both(0.7, 0.8))
    assert win_chances._mattered(apart, [True, True], "a") == 2
    assert win_chances._mattered(apart, [True, False], "a") == 1
    assert win_chances._mattered((both(0.2, 0.5), both(0.4, 0.6)), [True], "a") == 0
    assert win_chances._mattered(apart, [True, True], "") == 0
    assert win_chances._told([both(0.2, 0.4)], 0).steps[0].top == 70


JOINED = (
    DUEL
    + """
[[steps]]
do = "join"
faces = [3]
character = { id = "cy", side = "bo", abilities = { fighting = 2, toughness = 2 } }

[[steps]]
do = "leave"
target = "cy"
"""
).replace('id = "bo"', 'id = "bo"\nside = "bo"')


def test_where_people_join_or_leave_each_step_has_its_chances() -> None:
    """A duel is exact until someone joins: then fights are played out, and the one who is helped has more of them."""
    before, helped, alone = (seen(JOINED, step=step).chances for step in ("2", "3", "4"))
    assert before is not None
    assert helped is not None
    assert alone is not None
    assert (before.fights, before.note) == (0, "")
    assert float(dict(before.here)["ada"].split()[0].rstrip("%")) > 79.5
    middle = [sum(map(float, dict(each.here)["ada"].removesuffix("%").split(" to "))) / 2 for each in (helped, alone)]
    assert helped.fights >= win_chances.FIGHTS
    assert middle[0] + 20 < middle[1]


def test_somebody_of_a_third_side_who_has_left_does_not_count() -> None:
    """While three sides are there a sentence says why there are none; once the third has left there are chances."""
    third = JOINED.replace('id = "cy", side = "bo"', 'id = "cy", side = "cy"')
    here, gone = (seen(third, step=step).chances for step in ("3", "4"))
    assert here is not None
    assert here.note == "Win chances need exactly two sides."
    assert gone is not None
    assert [side for side, _ in gone.here] == ["ada", "bo"]
