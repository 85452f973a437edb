"""Encounters on a map for tests: fighters on spaces, running encounters and paths."""

from dataclasses import replace
from typing import Any

from scratch_core.board import Board, Space, board_from_dict
from scratch_core.characters import DEFAULT_RULINGS, AbilityLevel, Character
from scratch_core.dice import FixedRoller
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events, begin, check_action
from scratch_core.encounter.state import EncounterState, Fighter, TurnBegan, build_fighter, build_initial_state
from scratch_core.rulebook import RulingSettings

OPEN_BOARD = board_from_dict({"rows": ["......", "......", "......"]})


def build_placed_fighter(own_id: str, at: Space, side: str = "", **levels: Any) -> Fighter:
    """Build a fighter with these levels on a space.

    Its toughness is 4 unless the levels say otherwise.
    """
    lines = tuple(AbilityLevel(name, level) for name, level in {"toughness": 4, **levels}.items())
    return build_fighter(Character(own_id, lines), side=side, at=at)


def begin_board_encounter(
    *fighters: Fighter, board: Board = OPEN_BOARD, rulings: RulingSettings = DEFAULT_RULINGS
) -> EncounterState:
    """Begin an encounter on a map, with the turn order of the arguments."""
    state = build_initial_state(fighters, rulings, board)
    faces = {group: [20 - place] for place, group in enumerate(state.initiative_fighter_or_group_ids)}
    return apply_events(state, begin(state, FixedRoller(1), faces).events)


def build_path_right(start: int, end: int, row: int = 0) -> tuple[Space, ...]:
    """Build a path to the right."""
    return tuple((column, row) for column in range(start, end + 1))


def format_broken_rules(state: EncounterState, action: Action) -> str:
    """Format the rules that an action breaks, each once, in order."""
    return " ".join(dict.fromkeys(problem.rule or "" for problem in check_action(state, action)))


def with_changed_a(state: EncounterState, **befallen: Any) -> EncounterState:
    """Begin a's turn and change fields of a."""
    state = apply_events(state, (TurnBegan("a", 1, 0),)) if not state.active else state
    return state.with_fighter(replace(state.fighter("a"), **befallen))


def begin_board_duel(a: Space = (0, 0), b: Space = (1, 0), **levels: Any) -> EncounterState:
    """Begin an encounter of a, with these levels, and b, with toughness alone.

    The next turn is a's.
    """
    return begin_board_encounter(build_placed_fighter("a", a, **levels), build_placed_fighter("b", b))
