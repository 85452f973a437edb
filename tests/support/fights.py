"""Fights of the fight calculator for tests: begun, pressed, and what the page shows."""

import re
from collections.abc import Sequence
from typing import Any

from scratch_core.calculators.fight import QUERY_LIMIT, View, view
from scratch_core.calculators.shared.query import parse_query, query_string
from scratch_core.dice import Roller, SystemRoller
from scratch_core.scenario import ScenarioResult, parse_scenario, play
from tests.support.known import known
from tests.support.rollers import Nobody

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


def answered(roller: Roller | None = None, /, **fields: str) -> View:
    """The view of these controls."""
    return view(parse_query(query_string(fields), QUERY_LIMIT), roller)


def fighting(seen: View, roller: Roller | None = None, /, **fields: str) -> View:
    """The next view of a fight after something was pressed."""
    carried = {name: seen.fields[name] for name in ("log", "redo", "aim", "same_press") if seen.fields[name]}
    return answered(roller, **{**carried, **fields})


def back_and_forth(views: Sequence[View]) -> None:
    """Each step back gives the fight as it was, to its start, and each step forward gives it again, without a die."""
    seen, texts = views[-1], list(dict.fromkeys(each.fields["log"] for each in views))
    for text in (*reversed(texts[:-1]), texts[0]):
        seen = fighting(seen, act="undo")
        assert seen.fields["log"] == text
    for text in texts[1:]:
        seen = fighting(seen, act="redo")
        assert (seen.problems, seen.fields["log"]) == ((), text)
    assert seen.undone == 0


def played_again(seen: View) -> ScenarioResult:
    """The fight as the scenario player plays its file: with the sentences on the page, and without a die."""
    played = play(parse_scenario(seen.fields["log"]), Nobody())
    assert [each.narration for each in played.results] == [each.narration for each in known(seen.shown).fight.records]
    assert played.problems == ()
    return played


def begun(sheets: str = HUNTERS, initiative: str = FACES, **fields: str) -> View:
    """A fight that has just begun."""
    seen = answered(SystemRoller(), log="begin", sheets=sheets, initiative=initiative, **fields)
    assert seen.phase == "fight", seen.problems
    return seen


def offers(seen: View) -> list[Any]:
    """Every offer on the page, in its order: of the turns, of the question, and of the space asked about."""
    shown = known(seen.shown)
    turns = (*shown.turns, *shown.crafters)
    ways = [way for turn in turns for choice in turn.choices for way in choice.ways]
    small = [offer for turn in turns for offer in (*turn.small, turn.end) if offer]
    question, asked = shown.question, shown.field and shown.field.asked
    answers = (
        [*(each for who in (*question.now, *question.later) for each in who.offers), question.nobody]
        if question and question.nobody
        else []
    )
    there = [offer for _, offer in asked.offers] if asked else []
    return [*(offer for way in ways for offer in way.offers), *small, *shown.idle, *answers, *there]


def hp(seen: View) -> dict[str, int]:
    """Everyone's hit points."""
    return {row.fighter.id: row.fighter.hp for row in known(seen.shown).rows}


def errors(seen: View) -> set[str]:
    """The controls that have an error."""
    return {problem.where for problem in seen.problems if problem.severity == "error"}


LINES = {
    "mano": "Ann: side red, reach 2\nBo: side blue",
    "mano-old": "Ann: side red, hp 5, hp/round 3\nBo: side blue, hp 5, hp/round 3",
    "seize": "Ann: side red\nBo: side blue",
}


def by_lines(system: str, **fields: str) -> View:
    """A fight by another order of turns that has just begun, with these fields of its setup."""
    seen = answered(SystemRoller(), log="begin", system=system, fighters=LINES[system], **fields)
    assert seen.phase == "fight", seen.problems
    return seen


def pressed(seen: View, act: str, **fields: str) -> View:
    """The fight after a press in the block."""
    return fighting(seen, SystemRoller(), act=act, **fields)


def rounds_in_story(story: str) -> list[int]:
    """The round under which each step of a copied log is listed."""
    found, number = [], 0
    for line in story.splitlines():
        if line.startswith("Round "):
            number = int(line.removeprefix("Round "))
        elif re.match(r"\d+\. ", line):
            found.append(number)
    return found
