"""Long computations in time slices: results are cached, and an empty cache gives the same answer."""

from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from build_scripts.render import render_calculator_response
from scratch_core.calculators import character, fight, odds, replay
from scratch_core.calculators.odds import jobs, view
from scratch_core.calculators.shared.jobs import JobCache, can_always_continue
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.calculators.shared.win_chances import clear_chance_jobs
from scratch_core.dice import FixedRoller
from tests.support.duels import allow_steps
from tests.support.known import require

BRAWLER = "Brawler\n4 fighting\n4 toughness"
DUEL = "Kim\nside: us\n4 fighting\n4 toughness\n\nBo\nside: them\n3 fighting\n4 toughness"
DUEL_QUERY = format_query({"first_sheet": BRAWLER, "second_sheet": BRAWLER, "here": "level,cover,throwable,climbable"})


def test_job_resumes_where_it_stopped() -> None:
    """Each time slice returns the latest result of a job.

    Every step runs once, for any number of callers.
    """
    begun = []

    def pieces() -> Iterator[int | None]:
        begun.append(1)
        yield from (None, 1, None, 2)

    works: JobCache[int] = JobCache(2)
    assert works.advance("a", pieces, allow_steps(1)) == (None, False)
    assert works.advance("a", pieces, allow_steps(2)) == (1, False)
    assert works.advance("a", pieces, can_always_continue) == (2, True)
    assert works.advance("a", pieces, allow_steps(0)) == (2, True)
    assert len(begun) == 1


def test_job_cache_evicts_the_least_recently_used_job() -> None:
    """The job cache evicts the least recently used job.

    A job that raises is not cached.
    """
    begun: list[str] = []

    def pieces(name: str) -> Callable[[], Iterator[str]]:
        def begin() -> Iterator[str]:
            begun.append(name)
            yield name

        return begin

    works: JobCache[str] = JobCache(2)
    for name in "abcab":
        works.advance(name, pieces(name), can_always_continue)
    assert begun == list("abcab")

    def broken() -> Iterator[str]:
        raise ValueError(name)
        yield ""

    for _ in range(2):
        with pytest.raises(ValueError, match="b"):
            works.advance("broken", broken, can_always_continue)


def percents(text: str) -> tuple[float, float]:
    """Return the bounds of a chance: `63.6%`, `20 to 80%`."""
    numbers = [float(each) for each in text.removesuffix("%").split(" to ")]
    return numbers[0], numbers[-1]


@pytest.mark.no_cover
def test_duel_in_slices_has_valid_bounds_and_the_exact_end() -> None:
    """While a duel is solved in time slices, its bounds contain the chances.

    The end result equals that of one full run.
    """
    query = parse_query(DUEL_QUERY)
    jobs.clear_duel_jobs()
    at_once = view(query)
    jobs.clear_duel_jobs()
    seen = []
    while not seen or seen[-1].is_incomplete:
        seen.append(view(query, None, allow_steps(60)))
    assert seen[-1] == at_once
    shown = [each.answer for each in seen if each.answer and each.answer.percent_done < 100]
    assert len(shown) > 2
    for answer in shown:
        for row, exact in zip(answer.rows, require(at_once.answer).rows, strict=True):
            for which in ("first", "second", "nobody"):
                low, high = percents(getattr(row, which))
                assert low - 0.51 <= percents(getattr(exact, which))[0] <= high + 0.51
    said = [each.sentences["first"] for each in shown]
    begun = [each for each in said if each != "Calculating win chances …"]  # nothing is certain at first
    assert begun[0].startswith("So far: If Brawler goes first, Brawler wins at least ")
    assert said == said[: len(said) - len(begun)] + begun


def test_interrupted_duel_does_not_block_another() -> None:
    """A stopped duel does not delay another, and resumes on the next request."""
    jobs.clear_duel_jobs()
    assert view(parse_query(DUEL_QUERY), None, allow_steps(5)).is_incomplete
    other = view(parse_query("first=rat&second=rat"))
    assert other.answer is not None
    assert not other.is_incomplete
    assert not view(parse_query(DUEL_QUERY)).is_incomplete


@pytest.mark.parametrize(("act", "is_more"), [("", True), ("choose first", False)], ids=["plain", "chooser open"])
def test_odds_html_of_unsolved_duel_marks_figures_pending(act: str, is_more: bool) -> None:
    """The page keeps the last certain figures while new ones are pending.

    This holds even if it may not request more.
    """
    jobs.clear_duel_jobs()
    query = f"{DUEL_QUERY}&{format_query({'act': act})}"
    rendered = render_calculator_response("odds", query, should_continue=allow_steps(60))
    assert rendered.is_incomplete is is_more
    assert 'data-figures="odds" data-pending' in rendered.html
    assert "data-certain" not in rendered.html
    solved = render_calculator_response("odds", query).html
    assert 'data-figures="odds" data-certain' in solved
    assert "data-pending" not in solved


@pytest.mark.parametrize("press", ["", '{"actor":"kim","do":"blast"}'], ids=["plain", "refused"])
def test_fight_html_of_unknown_chances_marks_them_pending(press: str) -> None:
    """A fight's chances are marked pending, whether the page requests more or not."""
    clear_chance_jobs()
    log = fight.view(
        parse_query(format_query({"sheets": DUEL, "log": "begin", "initiative": "kim 12, bo 9"})), FixedRoller(10)
    ).fields["log"]
    query = format_query({"log": log, "odds": "on", "act": press})
    assert (
        'data-figures="chances" data-pending'
        in render_calculator_response("fight", query, should_continue=allow_steps(1)).html
    )
    assert 'data-figures="chances" data-certain' in render_calculator_response("fight", query).html


@pytest.mark.parametrize("calculator", [character, fight, odds, replay])
def test_sliced_calculators_declare_in_slices(calculator: ModuleType) -> None:
    """The page gives these calculators the time it has."""
    assert getattr(calculator, "IN_SLICES", False)
