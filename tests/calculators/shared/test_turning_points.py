"""The turning points of a fight: its largest changes of the win chance by rolls, exact or estimated in time slices."""

import json
from collections.abc import Iterator

import pytest

from build_scripts.data.worked_combat_chances import TABLE_FILE
from build_scripts.render import render_calculator_response
from scratch_core.calculators import replay
from scratch_core.calculators.replay import MAX_QUERY_LENGTH
from scratch_core.calculators.shared import resources
from scratch_core.calculators.shared.query import Query, format_query, parse_query
from scratch_core.calculators.shared.share_links import unpack_query
from scratch_core.calculators.shared.turning_points import CurvePoint, Detail, WinCurve, clear_estimates, format_percent
from scratch_core.calculators.shared.win_chances import clear_chance_jobs
from tests.support.duels import DUEL_FILE, allow_steps, view_replay
from tests.support.fights import view_fight, view_next
from tests.support.known import require
from tests.support.states import build_story


@pytest.fixture(autouse=True)
def nothing_estimated() -> Iterator[None]:
    """The table of the worked combat is there, and no estimate."""
    resources.store_fetched_text(resources.WIN_CHANCES_PATH, TABLE_FILE.read_text(encoding="utf-8"))
    clear_estimates()
    clear_chance_jobs()
    yield
    clear_estimates()


def test_worked_combat_has_exact_turning_points() -> None:
    """The largest changes of the worked combat are exact, in the order of the fight.

    The chances are those of the table: 95.7% before the first hold, over 99% after it.
    """
    curve = require(view_replay("worked-combat", step="3").win_curve)
    assert [(each.step, each.before.percent, each.after.percent) for each in curve.turning_points] == [
        (1, "96%", "over 99%"),
        (5, "98%", "95%"),
        (8, "87%", "98%"),
    ]
    assert [each.is_gain for each in curve.turning_points] == [True, False, True]
    assert (curve.playout_count, curve.band_points, curve.is_incomplete) == (0, (), False)
    assert [number for number, _ in curve.round_marks] == [2, 3, 4]


def test_duel_is_solved_for_its_curve() -> None:
    """A duel's curve has the exact chance of each step."""
    curve = require(view_replay(DUEL_FILE, step="0").win_curve)
    assert curve.points[0].texts[0] == "79.5%"
    assert curve.playout_count == 0


def test_larger_fight_is_estimated_roughly_first_then_finely() -> None:
    """Each request continues the estimates, rough ones first."""
    log = build_story("first-fight")
    seen = view_fight(log=log, turning="on")
    clear_estimates()
    first = replay.view(format_slice(), None, allow_steps(100))
    curve = require(first.win_curve)
    assert first.is_incomplete
    assert curve.turning_points == ()
    while not require(first.win_curve).turning_points:
        first = replay.view(format_slice(), None, allow_steps(100))
    rough = require(first.win_curve)
    assert rough.is_incomplete
    assert rough.playout_count >= Detail.COARSE
    assert rough.finished_count >= rough.total_count / 2
    fine = require(seen.win_curve)
    assert (fine.playout_count, fine.is_incomplete) == (Detail.FINE, False)
    assert len(fine.turning_points) == 3
    assert {each.step for each in fine.turning_points} == {1, 2, 4}
    assert fine.points[-1].percent == "100%"
    assert "".join(fine.band_points).count(",") == 2 * len(fine.points)


def format_slice() -> Query:
    """The query of the first fight's replay at its last step."""
    return parse_query(format_query({"scenario": "first-fight", "odds": "1", "step": "11"}), MAX_QUERY_LENGTH)


def test_curve_is_dashed_where_no_chance_is_calculated() -> None:
    """Steps without a chance are a gap in the line and its margin."""
    points = [CurvePoint(step, 25 * step, 50, ("50%",), 60, 40) for step in (0, 1, 3, 4)]
    curve = WinCurve(points=tuple(points), playout_count=40)
    assert curve.polyline_points == ("0,50 25,50", "75,50 100,50")
    assert curve.gap_points == ("25,50 75,50",)
    assert curve.band_points == ("0,40 25,40 25,60 0,60", "75,40 100,40 100,60 75,60")
    assert WinCurve().polyline_points == ()


def test_fight_shows_turning_points_at_its_end_on_request() -> None:
    """A won fight offers turning points with links to the replay."""
    won = view_fight(log=build_story("first-fight"))
    assert won.has_turning_points
    assert won.win_curve is None
    shown = view_next(won, None, act="turning on")
    point = require(shown.win_curve).turning_points[0]
    address, _, query = shown.format_replay_link(point.step).partition("#?")
    opened = replay.view(unpack_query(parse_query(query, MAX_QUERY_LENGTH)), None, allow_steps(1))
    assert address == "../replay/"
    assert require(opened.answer).position.step == point.step
    assert opened.fields["odds"] == "1"
    assert view_next(shown, None, act="turning", turning="on").win_curve is None
    assert not view_fight(log=build_story("first-fight", 4)).has_turning_points


def test_unfinished_fight_has_no_turning_points() -> None:
    """After undo the fight goes on, and nothing is computed."""
    seen = view_fight(log=build_story("first-fight", 4), turning="on")
    assert (seen.win_curve, seen.is_incomplete) == (None, False)
    assert "turning-points" not in render_calculator_response("fight", seen.query).html


def test_fight_on_map_says_why_it_has_no_curve() -> None:
    """The replay of a fight on a map says that there are no chances."""
    seen = view_replay("harbour", step="1")
    assert "map" in require(seen.win_curve).note
    assert "turning-points__curve" not in render_calculator_response("replay", seen.query).html


def test_curve_has_a_text_alternative_and_marks_the_step() -> None:
    """The drawing has a title and a description, and each what-if leads to its step."""
    html = render_calculator_response("replay", "scenario=worked-combat&odds=1&step=8").html
    assert "Win chance of hunters after each step" in html
    assert "Step 8: 87% to 98%." in html
    assert "turning-points__now" in html
    assert 'name="step" value="8" aria-label="What if step 8' in html


def test_percentages_near_the_ends_are_words() -> None:
    """A chance that is not certain is never written as 0% or 100%."""
    assert [format_percent(each) for each in (0.0, 0.001, 0.5, 0.999, 1.0)] == [
        "0%",
        "under 1%",
        "50%",
        "over 99%",
        "100%",
    ]


def test_curve_is_that_of_the_players_side() -> None:
    """The curve is that of the players, wherever their side is in the file."""
    tree = json.loads(build_story("first-fight"))
    for each in tree["characters"]:
        each["side"] = "us" if each["id"] == "gorm" else "them"
    curve = require(view_fight(log=json.dumps(tree), turning="on").win_curve)
    assert curve.sides == ("us", "them")
    assert curve.points[-1].percent == "0%"
