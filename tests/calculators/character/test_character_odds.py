"""A character against each of the cast, and what its next level is worth: asked for, row by row, in bounds."""

from typing import Any

import pytest

from build_scripts import render
from scratch_core.calculators import odds as odds_calculator
from scratch_core.calculators.character import View, view
from scratch_core.calculators.character import odds as character_odds
from scratch_core.calculators.character.odds import ALONE, OTHER_RULING, CastOdds
from scratch_core.calculators.odds import duelists, jobs
from scratch_core.calculators.shared.jobs import GoOn, to_the_end
from scratch_core.calculators.shared.query import parse_query, query_string
from scratch_core.rulebook.abilities import ABILITIES
from tests.support.duels import counted
from tests.support.known import known

SMALL: dict[str, Any] = {"name": "Ash", "fighting": "1", "toughness": "1"}


@pytest.fixture(autouse=True)
def two_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cast is a thief and a rat."""

    def others_first(chosen: str) -> tuple[duelists.Other, ...]:
        ids = sorted(("thief", "rat"), key=lambda each: each != chosen)
        return tuple((each, each.capitalize(), duelists.table_of(each)) for each in ids)

    monkeypatch.setattr(character_odds, "others_first", others_first)


def seen(go_on: GoOn = to_the_end, **fields: Any) -> View:
    """The character's page."""
    return view(parse_query(query_string(fields)), None, go_on)


def asked(go_on: GoOn = to_the_end, **fields: Any) -> CastOdds:
    """The chances, which were asked for."""
    return known(seen(go_on, **fields).odds)


def won(query: str) -> str:
    """What the odds page says in its figures, the initiative rolled, of the first one."""
    answer = known(odds_calculator.view(parse_query(query)).answer)
    return answer.rows[2].first


def test_a_slice_is_counted_from_the_first_question() -> None:
    """However long a page took before, there is time for a first piece; then the slice ends."""
    clock = [1.0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render.time, "monotonic", lambda: clock[0])
        go_on = render.for_a_slice()
        for second, is_time in ((100.0, True), (100.05, True), (100.08, False)):
            clock[0] = second
            assert go_on() is is_time


def test_each_row_is_the_duel_that_it_leads_to() -> None:
    """The chosen one stands first, and the page behind each name has the same figure."""
    found = asked(**SMALL, odds="rat")
    assert [each.id for each in found.rivals] == ["rat", "thief"]
    assert [each.chance for each in found.rivals] == [won(f"{found.query}&second={each.id}") for each in found.rivals]
    assert not found.unfinished


def test_the_next_level_is_worth_the_difference_of_two_duels() -> None:
    """What one more level adds is the chance with it less the chance without; none above the highest is weighed."""
    found = asked(**SMALL, odds="rat", max_level="1")
    worth = {each.ability: each.worth for each in found.levels}
    assert not {"fighting", "toughness"} & set(worth)
    longer = asked(**SMALL, odds="rat")
    worth = {each.ability: each.worth for each in longer.levels}
    then = won(query_string({"first_sheet": "Ash\n1 fighting\n2 toughness", "second": "rat"}))
    assert float(worth["toughness"]) == pytest.approx(
        float(then.removesuffix("%")) - float(longer.rivals[0].chance.removesuffix("%")), abs=0.11
    )
    most = max(worth.values(), key=float)
    assert longer.best == tuple(ability for ability, told in worth.items() if told == most)
    assert asked(**SMALL, detection="1", odds="rat").best == ("detection",)  # 9.5 points of a hundred, toughness 6.5


@pytest.mark.parametrize("highest", ["1", "2", "3", ""])
def test_each_level_that_may_still_be_had_is_weighed(highest: str) -> None:
    """A row for every ability below the campaign's highest level, one that just reaches it too. `create.max-level`."""
    levels = {"fighting": 1, "toughness": 1}
    rows = {each.ability for each in asked(**SMALL, odds="rat", **{"max_level": highest} if highest else {}).levels}  # type: ignore[arg-type]  # its names are no others
    assert rows == {each.name for each in ABILITIES if not highest or levels.get(each.name, 0) < int(highest)}


def test_rows_come_one_after_the_other() -> None:
    """In slices the first row is known before the levels, these before the second row; the end is that of one go."""
    at_once = asked(**SMALL, odds="rat")
    jobs.forget()
    stages = []
    while not stages or stages[-1].unfinished:
        stages.append(asked(counted(60), **SMALL, odds="rat"))
    assert stages[-1] == at_once
    assert not stages[0].rivals[1].chance
    assert any(each.rivals[0].chance and not all(row.worth for row in each.levels) for each in stages)
    assert all(not each.rivals[1].chance or all(row.worth for row in each.levels) for each in stages)
    assert all(each.best == () for each in stages if not all(row.worth for row in each.levels))


def test_a_duel_beyond_its_share_is_told_in_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What isn't solved after its share of the work stands as what the chance lies between, which it does."""
    exact = float(
        won(query_string({"first_sheet": "Ash\n1 fighting\n1 toughness", "second": "thief"})).removesuffix("%")
    )
    jobs.forget()
    monkeypatch.setattr(jobs, "SHARE", 60)
    found = asked(**SMALL, odds="thief")
    low, high = (float(each) for each in found.rivals[0].chance.removesuffix("%").split(" to "))
    assert low - 0.5 <= exact <= high + 0.5
    assert (found.levels, found.best, found.unfinished) == ((), (), False)
    jobs.forget()
    monkeypatch.setattr(jobs, "SHARE", 1)
    assert asked(**SMALL, odds="thief").rivals[0].chance == jobs.NOT_FOUND
    jobs.forget()


@pytest.mark.parametrize(
    ("fields", "note", "rows"),
    [
        ({"command": "2", "minions": "1 toughness"}, ALONE, 0),
        ({"toughness": "30"}, "Win chances are calculated for up to 24 hit points. Ash has 30.", 0),
        ({"strength_base": "8"}, OTHER_RULING, 2),
    ],
    ids=["minions", "hit-points", "ruling"],
)
def test_why_there_is_less_is_said(fields: dict[str, str], note: str, rows: int) -> None:
    """A sentence says why there are no figures, or what is not in them."""
    found = asked(**{**SMALL, **fields, "odds": "rat"})
    assert (found.note, len(found.rivals)) == (note, rows)


def test_somebody_unknown_is_a_problem_at_the_control() -> None:
    """A name that no one of the cast has, or a minion's, gives no chances."""
    for who in ("zz", "thug"):
        found = seen(**SMALL, odds=who)
        assert found.odds is None
        assert [problem.where for problem in found.problems if problem.severity == "error"] == ["odds"]
