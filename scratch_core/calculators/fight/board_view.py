"""The map of a fight as shown: the drawing, the selected space, and the actions that are possible there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from scratch_core.board import Shape, Space, format_space
from scratch_core.calculators.board.view_model import list_labelled_brush_drawings
from scratch_core.calculators.board_drawing.drawing import Drawing
from scratch_core.calculators.board_drawing.overlay import (
    Overlay,
    list_placed_fighters,
    list_position_and_condition_texts,
)
from scratch_core.calculators.board_drawing.state_drawing import draw_board
from scratch_core.calculators.fight.basic_menu import BUTTON_LABELS, build_started_turn_context
from scratch_core.calculators.fight.board_menu import build_blast_choice
from scratch_core.calculators.fight.menu_records import ActionChoice, Question, TurnMenu
from scratch_core.calculators.fight.surroundings import SURROUNDINGS_OFFERED
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
    shape: Shape = "square"
    """The shape of its spaces."""

    @property
    def palette(self) -> tuple[tuple[str, str, Drawing], ...]:
        """The terrain and marks of the key, each with its words and a drawing."""
        return list_labelled_brush_drawings(self.shape)


def parse_last_stroke(strokes_text: str) -> tuple[Space | None, Space] | None:
    """Parse the last stroke on the map.

    Returns the space where it began and the space where it ended. The first is None if the stroke is a press on one
    space. Returns None for a text that is no stroke.
    """
    match = _STROKE_PATTERN.fullmatch(strokes_text.rsplit(";", 1)[-1].strip()) if strokes_text.isascii() else None
    if not match:
        return None
    first = (int(match[1]), int(match[2]))
    return (first, (int(match[3]), int(match[4]))) if match[3] else (None, first)


def parse_selected_space(text: str) -> Space | None:
    """Parse the space in the control `aim`. Returns None for an invalid one."""
    stroke = parse_last_stroke(text)
    return stroke[1] if stroke and stroke[0] is None else None


def list_space_choices(state: EncounterState, menu: TurnMenu, space: Space) -> tuple[tuple[str, ActionChoice], ...]:
    """List the actions at a space or against the characters there, each with its verb.

    Moves that end there come first, then the best variant of each action against a character there, then a blast if one
    can be aimed there. Returns () without a map, and for a space outside of it.
    """
    if state.board is None or space not in state.board:
        return ()
    rows: list[tuple[str, ActionChoice]] = []
    space_text, ids_here = format_space(space), {each.id for each in list_placed_fighters(state) if each.at == space}
    for group in menu.action_groups:
        if group.do in DOUBLE_TAP_ACTIONS:
            rows += (
                (group.title, choice)
                for variant in group.variants
                for choice in variant.choices
                if choice.space == space_text
            )
    for group in menu.action_groups:
        if group.do != BLAST.do:
            best_variant = group.variants[0]
            verb = f"{group.title} {best_variant.label}".strip()
            rows += (
                (verb, choice) for choice in best_variant.choices if not choice.space and ids_here & set(choice.targets)
            )
    if any(group.do == BLAST.do for group in menu.action_groups):
        context = build_started_turn_context(state, menu.actor)
        if not blast_space_problems(context, Action(menu.actor, BLAST.do, space=space)):
            rows.append(
                (
                    BUTTON_LABELS[BLAST.do],
                    build_blast_choice(context, choose_best_abilities(context.actor, BLAST.do, state.rulings), space),
                )
            )
    return tuple(rows)


def find_action_taken_by_stroke(
    state: EncounterState, menu: TurnMenu, stroke_start: Space | None, stroke_end: Space, selected_space: Space | None
) -> ActionChoice | None:
    """Find the action that a stroke takes at once.

    Dragging the actor is a move, and dragging the held target repositions it. Pressing the selected space again is the
    likeliest of `DOUBLE_TAP_ACTIONS`. Returns None if the stroke only selects a space.
    """
    choices = {
        choice.do: choice
        for _, choice in reversed(list_space_choices(state, menu, stroke_end))
        if choice.do in DOUBLE_TAP_ACTIONS
    }
    actor = state.fighter(menu.actor)
    if stroke_start is not None:
        held = state.fighter(state.ledger.held).at if state.ledger.held else None
        if stroke_start == actor.at:
            return choices.get(MOVE.do)
        return choices.get(REPOSITION.do) if stroke_start == held else None
    if stroke_end != selected_space:
        return None
    return next((choices[do] for do in DOUBLE_TAP_ACTIONS if do in choices), None)


def build_fight_board(
    state: EncounterState,
    menu: TurnMenu | None,
    overlay: Overlay | None,
    aimed_space: Space | None,
    question: Question | None,
) -> FightBoard:
    """Build the map of a fight.

    It shows the pending action with its interrupters, or the actor of the turn with the possible moves.
    Rules: `grid.scope`, `grid.move.base`, `grid.interrupt.what`.
    """
    board = state.required_board
    label = f"Map, {board.size_in_words}"
    if question is not None and state.pending_action is not None:
        position = state.fighter(question.actor).at or (0, 0)
        places = (state.fighter(each.id).at for each in question.first_interrupters)
        drawing = draw_board(
            state, Overlay(question.actor, interrupt_lines=tuple((space, position) for space in places if space))
        )
        return FightBoard(
            drawing,
            f"{label}. {question.text}",
            position,
            list_position_and_condition_texts(state),
            actor=question.actor,
            shape=board.shape,
        )
    if menu is None or overlay is None:
        return FightBoard(draw_board(state), label, (0, 0), list_position_and_condition_texts(state), shape=board.shape)
    aimed_space = aimed_space if aimed_space is not None and aimed_space in board else None
    start = state.fighter(menu.actor).at
    selected_space = None if aimed_space is None else _build_selected_space(state, menu, overlay, aimed_space)
    is_blast = selected_space is not None and any(choice.do == BLAST.do for _, choice in selected_space.choices)
    drawing = draw_board(state, replace(overlay.with_selected_space(aimed_space, start), is_blast=is_blast))
    focus_space = next((space for space in (aimed_space, start) if space and space in board), (0, 0))
    return FightBoard(
        drawing,
        label,
        focus_space,
        list_position_and_condition_texts(state),
        selected_space,
        menu.actor,
        bool(overlay.routes),
        board.shape,
    )


def _build_selected_space(state: EncounterState, menu: TurnMenu, overlay: Overlay, space: Space) -> SelectedSpace:
    board = state.required_board
    fighters_here = [each for each in list_placed_fighters(state) if each.at == space]
    words = [board.terrain(space).replace("-", " "), *(each.name for each in fighters_here)]
    if not board.has_wall_or_obstacle(space):
        offered, surroundings = board.offered_surroundings(space), dict(SURROUNDINGS_OFFERED)
        words += [surroundings[word].lower() for word in ("cover", "throwable", "climbable") if word in offered]
    is_reached = space == state.fighter(menu.actor).at or space in overlay.routes
    move_problem = (
        None if is_reached else build_unreachable_space_problem(build_started_turn_context(state, menu.actor), space)
    )
    return SelectedSpace(format_space(space), ", ".join(words), list_space_choices(state, menu, space), move_problem)
