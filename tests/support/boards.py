"""Encounters on a board for tests: someone on a space, a fight begun, a path."""

from dataclasses import replace
from typing import Any

from scratch_core.board import Board, Space, read_board
from scratch_core.characters import DEFAULT_RULINGS, Character, Line
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import begin, replay, why_not
from scratch_core.encounter.state import Fighter, State, TurnBegan, fighter, gather
from scratch_core.rulebook import Rulings
from tests.support.rollers import Always

OPEN = read_board({"rows": ["......", "......", "......"]})


def somebody(own_id: str, at: Space, side: str = "", **levels: Any) -> Fighter:
    """A fighter with those levels on that space; toughness 4 unless given."""
    lines = tuple(Line(name, level) for name, level in {"toughness": 4, **levels}.items())
    return fighter(Character(own_id, lines), side=side, at=at)


def begun(*fighters: Fighter, board: Board = OPEN, rulings: Rulings = DEFAULT_RULINGS) -> State:
    """A running encounter, in the order given."""
    state = gather(fighters, rulings, board)
    faces = {group: [20 - place] for place, group in enumerate(state.groups())}
    return replay(state, begin(state, Always(1), faces).events)


def right(start: int, end: int, row: int = 0) -> tuple[Space, ...]:
    """A path to the right."""
    return tuple((column, row) for column in range(start, end + 1))


def rules(state: State, action: Action) -> str:
    """The rules that an action breaks, each once, in order."""
    return " ".join(dict.fromkeys(problem.rule or "" for problem in why_not(state, action)))


def with_a(state: State, **befallen: Any) -> State:
    """The same with a's turn begun and something that has befallen it."""
    state = replay(state, (TurnBegan("a", 1, 0),)) if not state.active else state
    return state.with_fighter(replace(state.fighter("a"), **befallen))


def two(a: Space = (0, 0), b: Space = (1, 0), **levels: Any) -> State:
    """A with those levels, and b, who has none; a's turn is next."""
    return begun(somebody("a", a, **levels), somebody("b", b))
