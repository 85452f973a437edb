"""Whose turn it is and was: in every turn system, at a tie, and after a change by the game master."""

import json
from typing import Any

import pytest

from build_scripts.render import render_calculator_response
from scratch_core.calculators.shared.query import format_query
from scratch_core.dice import SystemRoller
from tests.support.fights import view_begun_fight, view_fight, view_next

BANDITS = """Ash
side: heroes
2 fighting
3 toughness

Bandit 1
side: bandits
group: bandits
3 toughness

Bandit 2
side: bandits
group: bandits
3 toughness

Cal
side: heroes
1 healing
2 toughness"""
FALLEN = "ash 12, bandits 9, cal 5"
END = {"do": "end-turn"}


def view_after(*acts: dict[str, Any], initiative: str = FALLEN) -> Any:
    """Return the fight with the bandits after these actions."""
    seen = view_begun_fight(BANDITS, initiative)
    for act in acts:
        seen = view_next(seen, None, act=json.dumps(act), note=str(act.get("note", "")))
        assert not seen.problems
    return seen


def test_next_actor_has_the_turn_before_acting() -> None:
    """The next actor's turn begins without a button.

    It is the actor's turn before and after the first action.
    """
    seen = view_after({"actor": "ash", **END}, {"actor": "bandit-1", **END})
    assert seen.fight_view.active_name == "Bandit 2"
    html = render_calculator_response("fight", format_query({"log": seen.fields["log"], "screen": "on"})).html
    assert '<strong data-active="bandit-2">Bandit 2</strong>&#39;s turn' in html
    assert '<strong class="players-screen__name">Bandit 2</strong>' in html
    assert "comes next" not in html


def test_initiative_tie_is_shown_with_tie_break_rolls() -> None:
    """The log's first line and its end show initiative with tie-break rolls (`turn.tie`).

    So does the step of a character who joins at a tie.
    """
    seen = view_begun_fight(BANDITS, "ash 9 4 15, bandits 9 4 2, cal 5")
    initiative = "Ash 9 (tie-break rolls 4, 15), bandits 9 (tie-break rolls 4, 2), Cal 5"
    assert seen.fight_view.full_log.startswith(f"The encounter begins: {initiative}.")
    html = render_calculator_response("fight", format_query({"log": seen.fields["log"]})).html
    assert "Initiative: Ash 9 (tie-break rolls 4, 15), bandits 9 (tie-break rolls 4, 2) (Ba" in html
    joins = {"act": "gm-join", "gm_new": "own", "gm_sheet": "Ida\n2 toughness", "faces": "12 3 8"}
    after = view_next(view_begun_fight(BANDITS, FALLEN), None, **joins)
    assert not after.problems
    said = after.fight_view.entries[0].result.narration
    assert "initiative 12 (tie-break roll 3); Ash 12 (tie-break roll 8)." in said


@pytest.mark.parametrize(
    ("acts", "change", "said"),
    [
        ([{"actor": "ash", **END}], {"do": "set-hp", "target": "bandit-1", "hp": 0}, "Bandit 2's turn."),
        ([{"actor": "ash", "do": "evade"}], {"do": "set-hp", "target": "ash", "hp": 0}, "over. Bandit 1's turn."),
        ([{"actor": "ash", **END}], {"do": "leave", "target": "bandit-1"}, "Bandit 2's turn."),
        ([], {"do": "reorder", "order": ["cal", "bandits", "ash"]}, "is now Cal, bandits and Ash. Cal's turn."),
        ([{"actor": "ash", **END}], {"do": "set-hp", "target": "bandit-1", "hp": 1}, "Bandit 1 has 1 hit point."),
    ],
    ids=["next one down", "one on turn down", "next one gone", "another order", "nothing moves"],
)
def test_gm_change_narration_names_new_turn(acts: Any, change: Any, said: str) -> None:
    """The log names the next actor only if the change passes the turn."""
    entry = view_next(view_after(*acts), None, act=json.dumps(change)).fight_view.entries[0].result
    assert entry.is_gm_action
    assert entry.narration.endswith(said)


def test_gm_revived_character_takes_the_turn_in_the_log() -> None:
    """An earlier character with one hit point again takes the turn.

    The log says so.
    """
    down = {"do": "set-hp", "target": "bandit-1", "hp": 0}
    up = {"do": "set-hp", "target": "bandit-1", "hp": 1}
    entry = view_after({"actor": "ash", **END}, down, up).fight_view.entries[0].result
    assert entry.narration == "Game master: Bandit 1 has 1 hit point. Bandit 1's turn."


@pytest.mark.parametrize("system", ["mano", "mano-old", "seize"])
def test_side_colour_is_equal_in_every_turn_system(system: str) -> None:
    """The first side that is named has the first colour, whatever its name and initiative."""
    rows = view_begun_fight("Zoe\nside: z\n1 fighting\n\nAl\nside: a\n1 fighting", "").fight_view.rows
    basic = {row.side_label: row.side_colour for row in rows}
    extra = ", hp 5, hp/round 3" if system == "mano-old" else ""
    lines = f"Zoe: side z{extra}\nAl: side a{extra}"
    first = {"mano": {"first": "al"}, "mano-old": {"ambush": "Al"}, "seize": {"initiative": "al 9, zoe 3"}}[system]
    seen = view_fight(SystemRoller(), log="begin", system=system, fighters=lines, **first)
    assert {row.side_label: row.side_colour for row in seen.fight_view.rows} == basic == {"z": 1, "a": 2}


def test_replay_log_shows_the_note_of_each_step() -> None:
    """A note is shown at its own step, also if another step is selected."""
    seen = view_after({"actor": "ash", "note": "He waits for the moon.", **END}, {"actor": "bandit-1", **END})
    html = render_calculator_response("replay", format_query({"scenario": seen.fields["log"], "step": "2"})).html
    assert '<q class="fight-log__note">He waits for the moon.</q>' in html
    left_out = render_calculator_response(
        "replay", format_query({"scenario": seen.fields["log"], "step": "1", "fork": "1.delete"})
    ).html
    assert '<q class="fight-log__note">He waits for the moon.</q>' in left_out
