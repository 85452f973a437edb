"""The log has one short line for each action, and the end of a fight has three figures."""

import json
import tomllib

from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight.fight_view import LogEntry
from scratch_core.calculators.shared.query import format_query
from tests.support.fights import view_begun_fight, view_fight, view_next
from tests.support.known import require
from tests.support.states import build_story


def list_entries(name: str, count: int) -> list[LogEntry]:
    """List the log entries of a story, the oldest first."""
    return [*reversed(require(view_fight(log=build_story(name, count)).fight_view).entries)]


def test_log_line_has_the_action_each_roll_and_the_hit_points() -> None:
    """The result is in figures."""
    entries = list_entries("first-fight", 8)
    lines = [(each.short_text, each.checks, each.hit_point_changes) for each in entries]
    assert lines[0] == ("Gorm makes two basic attacks", ((True, 17), (True, 11)), (("Tolk", "−2"),))
    assert lines[2] == ("Wren takes cover", (), ())
    assert lines[5] == ("Tolk attacks Gorm", ((False, 8),), ())
    assert lines[7] == ("Wren heals Tolk", ((True, 10),), (("Tolk", "+1"),))


def test_log_line_is_cut_after_the_action_not_within_a_name() -> None:
    """A name may have a full stop, a colon and a semicolon."""
    name = "Dr. Who: the; 2nd"
    text = '{"do":"set-hp","target":"character-1","hp":1}'
    sheets = "Ann\nside: us\n3 toughness\n\nBo\nside: them\n3 toughness"
    seen = view_begun_fight(sheets, "ann 15, bo 3")
    log = seen.fields["log"].replace('"name":"Bo"', f'"name":"{name}"')
    seen = view_next(seen, log=log, act='{"actor":"ann","do":"basic-attack","target":"bo"}', faces="15")
    entry = require(seen.fight_view).entries[0]
    assert entry.short_text == f"Ann attacks {name}"
    seen = view_next(seen, act=text.replace("character-1", "bo"))
    assert require(seen.fight_view).entries[0].short_text.startswith("Game master: ")


def test_end_has_rounds_successes_and_the_best_roll() -> None:
    """A turn system without rolls has rounds and actions."""
    figures = require(view_fight(log=build_story("first-fight", 12)).fight_view).ending_figures
    assert figures == (("rounds", "3"), ("successes", "7 of 11"), ("best roll, Wren", "23"))
    quiet = require(view_fight(log=build_story("first-fight", 0)).fight_view).ending_figures
    assert quiet == (("rounds", "1"), ("actions", "0"))


def test_regular_actions_are_apart_from_bonus_actions() -> None:
    """The keys follow the rows, the regular actions first."""
    view = require(view_fight(log=build_story("first-fight", 0)).fight_view)
    menu = require(view.current_menu)
    assert [(part.title, part.is_regular) for part in menu.parts] == [
        ("Regular action", True),
        ("Bonus action and the rest", False),
    ]
    assert all(group.kind.startswith("regular") for group, _ in menu.parts[0].rows)
    assert [choice.do for choice in menu.parts[1].simple_choices] == ["engage", "take-cover", "bonus"]
    keys = view.shortcut_keys_by_step
    assert keys[menu.parts[1].simple_choices[0].step] > keys[menu.parts[0].rows[-1][1].step]


def test_headings_of_the_log_have_each_round_once() -> None:
    """The last action of a round is under its own round."""
    steps = ", ".join(f'{{ actor = "{who}", do = "active" }}' for who in ("ann", "bo", "cy") * 3)
    story = {
        "format": "scratch-scenario/1",
        "system": "mano",
        "characters": [{"id": each, "name": each.title(), "side": each} for each in ("ann", "bo", "cy")],
        "initiative": {"ann": [9], "bo": [5], "cy": [2]},
        "steps": tomllib.loads(f"steps = [{steps}]")["steps"],
    }
    html = render_calculator_response("fight", format_query({"log": json.dumps(story)}), rolls_dice=False).html
    lines = BeautifulSoup(html, "html.parser").select("li[data-round-label]")
    assert [(line["value"], line["data-round-label"]) for line in lines] == [("9", "3"), ("6", "2"), ("3", "1")]
