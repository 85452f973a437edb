"""Fights of the fight calculator for tests: their beginning, presses, and the page's content."""

import re
from collections.abc import Sequence
from typing import Any

from scratch_core.calculators.fight import MAX_QUERY_LENGTH, View, view
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.dice import Roller, SystemRoller
from scratch_core.scenario import ScenarioResult, parse_scenario, play
from tests.support.known import require
from tests.support.rollers import ForbiddenRoller

HUNTERS = """side: hunters

Chokestar: comes from behind
2 wrestling
3 stealth
3 toughness

Flipfire
2 shooting
1 healing
2 fighting
1 acrobatics
4 toughness

side: pirate

Breakhelm X-19
4 shooting
4 fighting
6 toughness"""
FACES = "chokestar 13, flipfire 17, breakhelm x-19 14"


def view_fight(roller: Roller | None = None, /, **fields: str) -> View:
    """Return the view of these controls."""
    return view(parse_query(format_query(fields), MAX_QUERY_LENGTH), roller)


def view_next(seen: View, roller: Roller | None = None, /, **fields: str) -> View:
    """Return the view after a press in a fight."""
    carried = {name: seen.fields[name] for name in ("log", "redo", "aim", "same_press") if seen.fields[name]}
    return view_fight(roller, **{**carried, **fields})


def check_undo_and_redo(views: Sequence[View]) -> None:
    """Undo and redo every step and compare the fights, without rolling a die."""
    seen, texts = views[-1], list(dict.fromkeys(each.fields["log"] for each in views))
    for text in (*reversed(texts[:-1]), texts[0]):
        seen = view_next(seen, act="undo")
        assert seen.fields["log"] == text
    for text in texts[1:]:
        seen = view_next(seen, act="redo")
        assert (seen.problems, seen.fields["log"]) == ((), text)
    assert seen.undone_count == 0


def play_file_again(seen: View) -> ScenarioResult:
    """Play the fight's file, and compare the narration with the page's.

    This rolls no die.
    """
    played = play(parse_scenario(seen.fields["log"]), ForbiddenRoller())
    assert [each.narration for each in played.results] == [
        each.narration for each in require(seen.fight_view).fight.results
    ]
    assert played.problems == ()
    return played


def view_begun_fight(sheets: str = HUNTERS, initiative: str = FACES, **fields: str) -> View:
    """Begin a fight and return its view."""
    seen = view_fight(SystemRoller(), log="begin", sheets=sheets, initiative=initiative, **fields)
    assert seen.phase == "fight", seen.problems
    return seen


def list_action_choices(seen: View) -> list[Any]:
    """List every choice on the page, in its order.

    These are the choices of the turns, of the question, and of the selected space.
    """
    shown = require(seen.fight_view)
    turns = (*shown.turn_menus, *shown.crafting_menus)
    ways = [way for turn in turns for choice in turn.action_groups for way in choice.variants]
    small = [offer for turn in turns for offer in (*turn.simple_choices, turn.end_turn_choice) if offer]
    question, selected = shown.question, shown.board and shown.board.selected_space
    answers = (
        [
            *(each for who in (*question.first_interrupters, *question.later_interrupters) for each in who.choices),
            question.decline_choice,
        ]
        if question and question.decline_choice
        else []
    )
    there = [offer for _, offer in selected.choices] if selected else []
    return [*(offer for way in ways for offer in way.choices), *small, *shown.idle_turn_ends, *answers, *there]


def map_hit_points(seen: View) -> dict[str, int]:
    """Return the hit points of all fighters by id."""
    return {row.fighter.id: row.fighter.hp for row in require(seen.fight_view).rows}


def list_error_controls(seen: View) -> set[str]:
    """Return the controls that have an error."""
    return {problem.where for problem in seen.problems if problem.severity == "error"}


LINES_BY_SYSTEM = {
    "mano": "Ann: side red, reach 2\nBo: side blue",
    "mano-old": "Ann: side red, hp 5, hp/round 3\nBo: side blue, hp 5, hp/round 3",
    "seize": "Ann: side red\nBo: side blue",
}


def view_begun_variant(system: str, **fields: str) -> View:
    """Begin a fight by another turn system, with these fields of its set-up."""
    seen = view_fight(SystemRoller(), log="begin", system=system, fighters=LINES_BY_SYSTEM[system], **fields)
    assert seen.phase == "fight", seen.problems
    return seen


def view_after_press(seen: View, act: str, **fields: str) -> View:
    """Return the view after a press that may roll dice."""
    return view_next(seen, SystemRoller(), act=act, **fields)


def parse_log_rounds(story: str) -> list[int]:
    """Return the round under which each step of a copied log is listed."""
    found, number = [], 0
    for line in story.splitlines():
        if line.startswith("Round "):
            number = int(line.removeprefix("Round "))
        elif re.match(r"\d+\. ", line):
            found.append(number)
    return found
