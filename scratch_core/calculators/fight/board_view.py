"""The map of a fight as shown: the drawing, the selected space, and the actions that are possible there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from scratch_core.board import Space, format_space
from scratch_core.calculators.board_drawing.drawing import Drawing
from scratch_core.calculators.board_drawing.overlay import Overlay, list_placed_fighters, list_position_texts
from scratch_core.calculators.board_drawing.state_drawing import draw_board
from scratch_core.calculators.fight.action_menu import (
    BUTTON_LABELS,
    ActionChoice,
    Question,
    TurnMenu,
    build_turn_context,
)
from scratch_core.calculators.fight.board_menu import build_blast_choice
from scratch_core.encounter.actions import (
    Action,
    blast_space_problems,
    build_unreachable_space_problem,
    choose_best_abilities,
)
from scratch_core.encounter.state import EncounterState
from scratch_core.errors import Problem
from scratch_core.rulebook.actions import BLAST, MOVE, REPOSITION

_STROKE_PATTERN = re.compile(r"(?:[a-z-]+: )?(\d{1,3}),(\d{1,3})(?: (\d{1,3}),(\d{1,3}))?")

DOUBLE_TAP_ACTIONS = (MOVE.do, REPOSITION.do)
"""The actions that pressing a space twice takes, the likeliest first; none of them needs dice."""


@dataclass(frozen=True, slots=True)
class SelectedSpace:
    """The space that the player has selected."""

    space: str
    """The space, as text."""
    description: str
    """Its terrain, the names of the characters there, and what it offers."""
    choices: tuple[tuple[str, ActionChoice], ...]
    """The actions that are possible there, each with its verb."""
    move_problem: Problem | None = None
    """The reason why the actor can't move there, or None."""


@dataclass(frozen=True, slots=True)
class FightBoard:
    """The map of a fight."""

    drawing: Drawing
    """The drawing."""
    label: str
    """The accessible name of the drawing."""
    focus_space: Space
    """The space at which the keyboard starts."""
    position_texts: tuple[str, ...]
    """The name and space of every character, in words."""
    selected_space: SelectedSpace | None = None
    """The selected space, or None."""
    actor: str = ""
    """The id of the character that is marked, or ""."""
    can_move: bool = False
    """Whether that character may still move."""


def parse_stroke(text: str) -> tuple[Space | None, Space] | None:
    """Parse the last stroke on the map.

    Returns the space where it began and the space where it ended. The first is None if the stroke is a press on one
    space. Returns None for a text that is no stroke.
    """
    found = _STROKE_PATTERN.fullmatch(text.rsplit(";", 1)[-1].strip()) if text.isascii() else None
    if not found:
        return None
    first = (int(found[1]), int(found[2]))
    return (first, (int(found[3]), int(found[4]))) if found[3] else (None, first)


def parse_selected_space(text: str) -> Space | None:
    """Parse the space in the control `aim`. Returns None for an invalid one."""
    found = parse_stroke(text)
    return found[1] if found and found[0] is None else None


def list_space_choices(state: EncounterState, turn: TurnMenu, space: Space) -> tuple[tuple[str, ActionChoice], ...]:
    """List the actions at a space or against the characters there, each with its verb.

    Moves that end there come first, then the best variant of each action against a character there, then a blast if one
    can be aimed there. Returns () without a map, and for a space outside of it.
    """
    if state.board is None or not state.board.contains(space):
        return ()
    found: list[tuple[str, ActionChoice]] = []
    here, holders = format_space(space), {each.id for each in list_placed_fighters(state) if each.at == space}
    for choice in turn.action_groups:
        if choice.do in DOUBLE_TAP_ACTIONS:
            found += ((choice.title, offer) for way in choice.variants for offer in way.choices if offer.space == here)
    for choice in turn.action_groups:
        if choice.do != BLAST.do:
            first = choice.variants[0]
            verb = f"{choice.title} {first.label}".strip()
            found += ((verb, offer) for offer in first.choices if not offer.space and holders & set(offer.targets))
    if any(choice.do == BLAST.do for choice in turn.action_groups):
        scene = build_turn_context(state, turn.actor)
        if not blast_space_problems(scene, Action(turn.actor, BLAST.do, space=space)):
            found.append(
                (
                    BUTTON_LABELS[BLAST.do],
                    build_blast_choice(scene, choose_best_abilities(scene.actor, BLAST.do, state.rulings), space),
                )
            )
    return tuple(found)


def find_stroke_choice(
    state: EncounterState, turn: TurnMenu, begun: Space | None, space: Space, asked: Space | None
) -> ActionChoice | None:
    """Find the action that a stroke takes at once.

    Dragging the actor is a move, and dragging the held target repositions it. Pressing the selected space again is the
    likeliest of `DOUBLE_TAP_ACTIONS`. Returns None if the stroke only selects a space.
    """
    found = {
        offer.do: offer
        for _, offer in reversed(list_space_choices(state, turn, space))
        if offer.do in DOUBLE_TAP_ACTIONS
    }
    who = state.fighter(turn.actor)
    if begun is not None:
        held = state.fighter(state.ledger.held).at if state.ledger.held else None
        if begun == who.at:
            return found.get(MOVE.do)
        return found.get(REPOSITION.do) if begun == held else None
    if space != asked:
        return None
    return next((found[do] for do in DOUBLE_TAP_ACTIONS if do in found), None)


def build_fight_board(
    state: EncounterState, turn: TurnMenu | None, reach: Overlay | None, aim: Space | None, question: Question | None
) -> FightBoard:
    """Build the map of a fight.

    It shows the pending action with its interrupters, or the actor of the turn with the possible moves.
    Rules: `grid.scope`, `grid.move.base`, `grid.interrupt.what`.
    """
    board = state.required_board
    name = f"Map, {board.size_in_words}"
    if question is not None and state.exposure is not None:
        at = state.fighter(question.actor).at or (0, 0)
        places = (state.fighter(each.id).at for each in question.first_interrupters)
        made = draw_board(
            state, Overlay(question.actor, interrupt_lines=tuple((space, at) for space in places if space))
        )
        return FightBoard(made, f"{name}. {question.text}", at, list_position_texts(state), actor=question.actor)
    if turn is None or reach is None:
        return FightBoard(draw_board(state), name, (0, 0), list_position_texts(state))
    aim = aim if aim is not None and board.contains(aim) else None
    start = state.fighter(turn.actor).at
    asked = None if aim is None else _build_selected_space(state, turn, reach, aim)
    is_blast = asked is not None and any(offer.do == BLAST.do for _, offer in asked.choices)
    made = draw_board(state, replace(reach.with_selected_space(aim, start), is_blast=is_blast))
    home = next((space for space in (aim, start) if space and board.contains(space)), (0, 0))
    return FightBoard(made, name, home, list_position_texts(state), asked, turn.actor, bool(reach.routes))


def _build_selected_space(state: EncounterState, turn: TurnMenu, reach: Overlay, space: Space) -> SelectedSpace:
    board = state.required_board
    here = [each for each in list_placed_fighters(state) if each.at == space]
    words = [board.terrain(space).replace("-", " "), *(each.name for each in here)]
    if not board.is_solid(space):
        words += [
            word for word in sorted(board.offered_surroundings(space)) if word in ("cover", "throwable", "climbable")
        ]
    is_reached = space == state.fighter(turn.actor).at or space in reach.routes
    why = None if is_reached else build_unreachable_space_problem(build_turn_context(state, turn.actor), space)
    return SelectedSpace(format_space(space), ", ".join(words), list_space_choices(state, turn, space), why)
