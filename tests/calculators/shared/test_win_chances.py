"""Each side's chances in a replay: a duel is solved, the worked combat looked up, any larger fight simulated."""

import pytest

from build_scripts.data.worked_combat_chances import TABLE_FILE
from scratch_core.calculators.replay import View, view
from scratch_core.calculators.shared import resources, win_chances
from scratch_core.calculators.shared.query import format_query, parse_query
from tests.support.duels import DUEL_FILE, allow_steps, view_replay
from tests.support.known import require


@pytest.fixture(autouse=True)
def given_texts() -> None:
    """The table of the worked combat is there."""
    resources.store_fetched_text(resources.WIN_CHANCES_PATH, TABLE_FILE.read_text(encoding="utf-8"))


def percent(found: View) -> dict[str, str]:
    """The chances in words, by side."""
    return dict(require(found.win_chances).current_chances)


def test_replayed_duel_has_win_chances_at_every_step() -> None:
    """A replayed duel has exact win chances at every step.

    Two brawlers, escape as a loss: the first wins 79.5% (`SOLVED_DUELS`: 0.7948105224), and more after a hit.
    """
    found = view_replay(DUEL_FILE, step="0")
    assert percent(found) == {"ada": "79.5%", "bo": "20.5%"}
    assert [each.step for each in require(found.win_chances).steps] == [0, 1, 2]
    later = view_replay(DUEL_FILE, step="1")
    assert float(percent(later)["ada"].split()[0].rstrip("%")) > 79.5
    assert require(later.win_chances).playout_count == 0


def test_worked_combat_and_its_forks_use_the_chance_table() -> None:
    """The worked combat and its forks have chances of the table.

    The hunters have 95.7% before the first step, and the shot of step 8 is decisive.
    """
    found = view_replay("worked-combat", step="0")
    assert percent(found)["hunters"] == "95.7%"
    assert len(require(found.win_chances).steps) == 16
    assert require(found.win_chances).decisive_step == 8
    fork = view_replay("worked-combat", step="1", fork="1.faces = 1")
    assert require(fork.win_chances).playout_count == 0
    assert percent(fork)["hunters"] != percent(view_replay("worked-combat", step="1"))["hunters"]


def test_worked_combat_requests_its_missing_table() -> None:
    """The worked combat requests its table once and is simulated without it."""
    resources.clear_texts()
    assert view_replay("worked-combat").needs == resources.WIN_CHANCES_PATH
    resources.store_fetched_text(resources.WIN_CHANCES_PATH, "")
    found = view_replay("worked-combat", allow_steps(30))
    assert found.needs == ""
    assert found.is_incomplete
    assert require(found.win_chances).playout_count == 30
    assert " to " in percent(found)["hunters"]
    assert require(found.win_chances).decisive_step == 0


def test_chances_are_computed_only_on_request() -> None:
    """Without the press there are no chances."""
    assert view(parse_query(format_query({"scenario": DUEL_FILE}))).win_chances is None


def test_missing_chances_have_a_reason() -> None:
    """On a map, or without exactly two sides, a sentence replaces the chances."""
    found = view_replay("harbour")
    assert require(found.win_chances).note.startswith("Win chances aren't available")
    alone = view_replay(DUEL_FILE.replace('id = "bo"', 'id = "bo"\nside = "ada"'))
    assert require(alone.win_chances).note.startswith("Win chances need exactly two sides")


def test_overlapping_chances_mark_no_decisive_step() -> None:
    """A decisive step is marked only if the chances before and after it are disjoint."""

    def both(low: float, high: float) -> tuple[win_chances.SideChance, ...]:
        return win_chances.SideChance(low, high, "a"), win_chances.SideChance(1 - high, 1 - low, "b")

    apart = (both(0.2, 0.3), both(0.35, 0.4), both(0.7, 0.8))
    assert win_chances._find_decisive_step(apart, [True, True], "a") == 2
    assert win_chances._find_decisive_step(apart, [True, False], "a") == 1
    assert win_chances._find_decisive_step((both(0.2, 0.5), both(0.4, 0.6)), [True], "a") == 0
    assert win_chances._find_decisive_step(apart, [True, True], "") == 0
    assert win_chances._build_fight_chances([both(0.2, 0.4)], 0).steps[0].line_y == 70


JOINED = (
    DUEL_FILE
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


def test_chances_follow_characters_who_join_or_leave() -> None:
    """A duel is exact until a character joins, and then it is simulated.

    The side that the newcomer helps has a higher chance.
    """
    before, helped, alone = (view_replay(JOINED, step=step).win_chances for step in ("2", "3", "4"))
    assert before is not None
    assert helped is not None
    assert alone is not None
    assert (before.playout_count, before.note) == (0, "")
    assert float(dict(before.current_chances)["ada"].split()[0].rstrip("%")) > 79.5
    middle = [
        sum(map(float, dict(each.current_chances)["ada"].removesuffix("%").split(" to "))) / 2
        for each in (helped, alone)
    ]
    assert helped.playout_count >= win_chances.MIN_PLAYOUTS
    assert middle[0] + 20 < middle[1]


def test_win_chances_ignore_a_third_side_that_left() -> None:
    """Three sides have a note in place of chances until the third has left."""
    third = JOINED.replace('id = "cy", side = "bo"', 'id = "cy", side = "cy"')
    here, gone = (view_replay(third, step=step).win_chances for step in ("3", "4"))
    assert here is not None
    assert here.note == "Win chances need exactly two sides."
    assert gone is not None
    assert [side for side, _ in gone.current_chances] == ["ada", "bo"]
