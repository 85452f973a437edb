"""A character against each of the cast, and what its next level is worth: on request, row by row, in bounds."""

from typing import Any

import pytest

from build_scripts import render
from scratch_core.calculators import character, odds
from scratch_core.calculators.character import View, view
from scratch_core.calculators.character.odds import HOUSE_RULES_NOTE, MINIONS_NOTE, CastWinChances
from scratch_core.calculators.odds import duelists, jobs
from scratch_core.calculators.shared.jobs import ShouldContinue, can_always_continue
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.rulebook.abilities import ABILITIES
from tests.support.duels import allow_steps
from tests.support.known import require

SMALL: dict[str, Any] = {"name": "Ash", "fighting": "1", "toughness": "1"}


@pytest.fixture(autouse=True)
def two_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cast is a thief and a rat."""

    def others_first(chosen: str) -> tuple[duelists.CastOpponent, ...]:
        ids = sorted(("thief", "rat"), key=lambda each: each != chosen)
        return tuple((each, each.capitalize(), duelists.get_cast_character(each)) for each in ids)

    monkeypatch.setattr(character.odds, "list_cast_opponents", others_first)


def view_page(should_continue: ShouldContinue = can_always_continue, **fields: Any) -> View:
    """The character's page."""
    return view(parse_query(format_query(fields)), None, should_continue)


def view_win_chances(should_continue: ShouldContinue = can_always_continue, **fields: Any) -> CastWinChances:
    """Return the win chances of the view."""
    return require(view_page(should_continue, **fields).win_chances)


def won(query: str) -> str:
    """Return the odds page's chance of the first character, with rolled initiative."""
    answer = require(odds.view(parse_query(query)).answer)
    return answer.rows[2].first


def test_time_limit_starts_at_the_first_call() -> None:
    """The time limit starts at its first call, however long a page took before.

    So there is time for a first step. Then the time slice ends.
    """
    clock = [1.0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render.time, "monotonic", lambda: clock[0])
        should_continue = render.build_time_slice_check()
        for second, is_time in ((100.0, True), (100.05, True), (100.08, False)):
            clock[0] = second
            assert should_continue() is is_time


def test_each_row_has_the_chances_of_its_linked_duel() -> None:
    """The selected opponent comes first, and the page behind each name has the same figure."""
    found = view_win_chances(**SMALL, odds="rat")
    assert [each.id for each in found.rivals] == ["rat", "thief"]
    assert [each.chance_text for each in found.rivals] == [
        won(f"{found.odds_query}&second={each.id}") for each in found.rivals
    ]
    assert not found.is_incomplete


def test_level_gain_is_difference_of_two_win_chances() -> None:
    """A level's gain is the win chance with it minus the chance without it.

    No gain is shown for a level above the maximum.
    """
    found = view_win_chances(**SMALL, odds="rat", max_level="1")
    worth = {each.ability: each.gain_text for each in found.level_rows}
    assert not {"fighting", "toughness"} & set(worth)
    longer = view_win_chances(**SMALL, odds="rat")
    worth = {each.ability: each.gain_text for each in longer.level_rows}
    then = won(format_query({"first_sheet": "Ash\n1 fighting\n2 toughness", "second": "rat"}))
    assert float(worth["toughness"]) == pytest.approx(
        float(then.removesuffix("%")) - float(longer.rivals[0].chance_text.removesuffix("%")), abs=0.11
    )
    most = max(worth.values(), key=float)
    assert longer.best_abilities == tuple(ability for ability, gain in worth.items() if gain == most)
    assert view_win_chances(**SMALL, detection="1", odds="rat").best_abilities == (
        "detection",
    )  # 9.5 points of a hundred, toughness 6.5


@pytest.mark.parametrize("highest", ["1", "2", "3", ""])
def test_every_ability_below_the_maximum_level_has_a_row(highest: str) -> None:
    """Every ability below the campaign's highest level has a row.

    Rule `create.max-level`: this includes an ability whose next level is the highest.
    """
    levels = {"fighting": 1, "toughness": 1}
    limit: dict[str, Any] = {"max_level": highest} if highest else {}
    rows = {each.ability for each in view_win_chances(**SMALL, odds="rat", **limit).level_rows}
    assert rows == {each.name for each in ABILITIES if not highest or levels.get(each.name, 0) < int(highest)}


def test_rows_are_solved_one_after_the_other() -> None:
    """In time slices a row and the level rows are solved before the next row.

    The end result equals that of one full run.
    """
    at_once = view_win_chances(**SMALL, odds="rat")
    jobs.clear_duel_jobs()
    stages = []
    while not stages or stages[-1].is_incomplete:
        stages.append(view_win_chances(allow_steps(60), **SMALL, odds="rat"))
    assert stages[-1] == at_once
    assert not stages[0].rivals[1].chance_text
    assert any(each.rivals[0].chance_text and not all(row.gain_text for row in each.level_rows) for each in stages)
    assert all(not each.rivals[1].chance_text or all(row.gain_text for row in each.level_rows) for each in stages)
    assert all(each.best_abilities == () for each in stages if not all(row.gain_text for row in each.level_rows))


def test_duel_beyond_work_limit_is_shown_as_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A duel unsolved within its work limit shows bounds that contain the exact chance."""
    exact = float(
        won(format_query({"first_sheet": "Ash\n1 fighting\n1 toughness", "second": "thief"})).removesuffix("%")
    )
    jobs.clear_duel_jobs()
    monkeypatch.setattr(jobs, "MAX_PIECES_PER_DUEL", 60)
    found = view_win_chances(**SMALL, odds="thief")
    low, high = (float(each) for each in found.rivals[0].chance_text.removesuffix("%").split(" to "))
    assert low - 0.5 <= exact <= high + 0.5
    assert (found.level_rows, found.best_abilities, found.is_incomplete) == ((), (), False)
    jobs.clear_duel_jobs()
    monkeypatch.setattr(jobs, "MAX_PIECES_PER_DUEL", 1)
    assert view_win_chances(**SMALL, odds="thief").rivals[0].chance_text == jobs.TOO_BIG_TEXT
    jobs.clear_duel_jobs()


@pytest.mark.parametrize(
    ("fields", "note", "rows"),
    [
        ({"command": "2", "minions": "1 toughness"}, MINIONS_NOTE, 0),
        ({"toughness": "30"}, "Win chances are calculated for up to 24 hit points. Ash has 30.", 0),
        ({"strength_base": "8"}, HOUSE_RULES_NOTE, 2),
    ],
    ids=["minions", "hit-points", "ruling"],
)
def test_missing_figures_have_a_reason(fields: dict[str, str], note: str, rows: int) -> None:
    """A sentence says why there are no figures, or what is not in them."""
    found = view_win_chances(**{**SMALL, **fields, "odds": "rat"})
    assert (found.note, len(found.rivals)) == (note, rows)


def test_unknown_opponent_is_reported_at_its_control() -> None:
    """An unknown name, or a minion's, gives no chances."""
    for who in ("zz", "thug"):
        found = view_page(**SMALL, odds=who)
        assert found.win_chances is None
        assert [problem.where for problem in found.problems if problem.severity == "error"] == ["odds"]
