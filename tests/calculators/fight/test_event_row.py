"""The row with which the table enters what happened to one character, in the other turn systems."""

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from scratch_core.calculators.fight.event_row import EventRow
from scratch_core.dice import SystemRoller
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS
from tests.support.fights import view_fight, view_next
from tests.support.known import require

SIX = {
    "mano": "\n".join(f"{name}: side {side}" for name, side in zip("ABCDEF", ("us", "them") * 3, strict=True)),
    "mano-old": "\n".join(
        f"{name}: hp 6, hp/round 3, side {side}" for name, side in zip("ABCDEF", ("us", "them") * 3, strict=True)
    ),
    "seize": "\n".join(f"{name}: side {side}" for name, side in zip("ABCDEF", ("us", "them") * 3, strict=True)),
}
BEGIN = {
    "mano": {"first": "A"},
    "mano-old": {"ambush": "A"},
    "seize": {"initiative": "a 20, b 9, c 8, d 7, e 6, f 5"},
}
FIRST_STEP = {
    "mano": '{"actor":"a","do":"skip"}',
    "mano-old": '{"actor":"a","do":"start-turn"}',
    "seize": '{"actor":"a","do":"turn"}',
}


def begin_with(system: str) -> View:
    """Begin a fight of six."""
    return view_fight(SystemRoller(), log="begin", system=system, fighters=SIX[system], **BEGIN[system])


def begin_six(system: str) -> View:
    """Begin a fight of six, and take a step without a target."""
    seen = begin_with(system)
    return view_next(seen, act=FIRST_STEP[system])


def get_row(seen: View) -> EventRow:
    """Return the row of a fight that has one."""
    return require(require(seen.fight_view).event_row)


@pytest.mark.parametrize("system", VARIANT_TURN_SYSTEMS)
def test_events_of_six_are_one_row_of_the_selected_character(system: str) -> None:
    """At most three buttons are for events, all of the same character.

    A list has each of the six. The rings of the roster are for the targets of the turn, if it has any.
    """
    seen = view_next(begin_six(system), aimed="f")
    html = BeautifulSoup(render_calculator_response("fight", seen.query).html, "html.parser")
    buttons = html.select(".event-row [name=act][data-action]:not([data-action^=start-])")
    assert [each["data-action"] for each in buttons] == [each.choice.do for each in get_row(seen).events]
    assert 2 <= len(buttons) <= 3
    assert {str(each.get("data-target") or each["data-actor"]) for each in buttons} == {"f"}
    assert require(html.select_one(".event-row__who [selected]")).get_text() == "F"
    assert [each.get_text() for each in html.select(".event-row__who option")] == list("ABCDEF")
    turn = require(seen.fight_view).current_menu
    targets = set(turn.possible_targets) if turn else set()
    rings = {str(each["data-add"]) for each in html.select(".fight-people .fight-people__aim")}
    assert rings == (targets or set("abcdef"))
    assert [str(each["data-add"]) for each in html.select(".fight-people__aim[aria-pressed=true]")] == ["f"]
    assert len(html.select("[name=event_points]")) == 1


@pytest.mark.parametrize("system", VARIANT_TURN_SYSTEMS)
def test_selection_stays_until_the_next_step(system: str) -> None:
    """It survives other requests. After a step its target is selected."""
    seen = view_next(begin_six(system), aimed="d")
    assert get_row(view_next(seen, marked=seen.fields["marked"])).name == "D"
    assert get_row(view_fight(log=seen.fields["log"], marked=seen.fields["marked"])).name == "D"
    after = view_next(seen, act=get_row(seen).events[0].choice.step, event_points="2", marked=seen.fields["marked"])
    assert (after.problems, get_row(after).name, after.fields["marked"]) == ((), "D", "")
    other = view_next(after, aimed="e")
    assert get_row(other).name == "E"
    back = view_next(other, act="undo", marked=other.fields["marked"])
    assert back.fields["marked"] == ""
    assert back.fields["log"] == seen.fields["log"]


@pytest.mark.parametrize("system", VARIANT_TURN_SYSTEMS)
def test_pressed_ring_replaces_the_selection(system: str) -> None:
    """A press sends the earlier selection, too."""
    seen = view_next(begin_six(system), aimed="d")
    other = view_next(seen, aimed="f", marked=seen.fields["marked"])
    assert get_row(other).name == "F"
    assert get_row(view_next(other, marked=other.fields["marked"])).name == "F"


@pytest.mark.parametrize("system", VARIANT_TURN_SYSTEMS)
def test_someone_who_left_is_no_longer_selected(system: str) -> None:
    """The roster has no ring for them, and the list doesn't have them."""
    seen = view_next(begin_six(system), aimed="d")
    (leave,) = [each for each in get_row(seen).events if each.choice.do == "leave"]
    after = view_next(seen, act=leave.choice.step)
    assert get_row(after).fighter_id != "d"
    assert get_row(view_next(after, aimed="d")).fighter_id != "d"
    html = BeautifulSoup(render_calculator_response("fight", after.query).html, "html.parser")
    assert not html.select(".fight-people__aim[data-add=d]")
    assert "D" not in [each.get_text() for each in html.select(".event-row__who option")]


@pytest.mark.parametrize("marked", ["", "0", "0 nobody", "1 f 2", "x f", "99 f"])
def test_unknown_selections_are_ignored(marked: str) -> None:
    """A selection of other steps or of no one leaves the default."""
    seen = begin_six("mano")
    assert get_row(view_next(seen, marked=marked)) == get_row(seen)


def test_target_of_the_last_attack_is_selected() -> None:
    """Its result is entered next. Rule `mano.turn.options`."""
    seen = view_next(begin_six("mano"), act='{"actor":"b","do":"active","target":"e"}')
    assert get_row(seen).name == "E"
    assert get_row(view_next(seen, act='{"actor":"c","do":"active"}')).name == "E"


def test_row_says_who_else_can_choose_how_to_start() -> None:
    """Rules `mano.start.evade`, `mano.start.ready`: only those without a turn so far."""
    seen = begin_six("mano")
    assert [each.label for each in get_row(view_next(seen, aimed="f")).starts] == ["Start evading", "Start ready"]
    row = get_row(view_next(seen, aimed="a"))
    assert (row.starts, row.starters_hint) == ((), "Select C or 3 others to start evading or ready.")
    assert "Select C or 3 others" in render_calculator_response("fight", f"{seen.query}&aimed=a").html


def test_event_that_no_one_can_have_says_why() -> None:
    """Rule `seize.claim`: hit points are lost in a turn."""
    seen = begin_with("seize")
    assert [each.do for each in get_row(seen).closed_groups] == ["lose-hp"]
    assert "A character must take a turn first." in render_calculator_response("fight", seen.query).html
    assert [each.label for each in get_row(seen).events] == ["Remove"]
