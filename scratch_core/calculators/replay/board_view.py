"""A replay's map: the position of every fighter after a step, and what the step did there, drawn and in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scratch_core.board import Sight, Space, format_space
from scratch_core.calculators.board_drawing.drawing import Drawing
from scratch_core.calculators.board_drawing.overlay import Overlay, list_position_and_condition_texts
from scratch_core.calculators.board_drawing.state_drawing import draw_board
from scratch_core.encounter.actions import ACTION_TITLES, LONG_ATTACKS
from scratch_core.encounter.state import EncounterState, InterruptTried, Placed, Prevented, Walked
from scratch_core.rulebook.actions import BLAST, INTERRUPT, SETTLE
from scratch_core.scenario import StepResult


@dataclass(frozen=True, slots=True)
class ReplayBoard:
    """The map after a step."""

    drawing: Drawing
    """The map with its tokens and what the step did."""
    alt: str
    """The text alternative: the size of the map, and the position of each fighter."""
    sentences: tuple[str, ...]
    """What the step did on the map, one sentence for each event. Empty before the first step."""


def build_replay_board(before: EncounterState, state: EncounterState, record: StepResult | None) -> ReplayBoard | None:
    """Build the map after a step.

    Returns None if the fight has no map. Rules: `grid.move.step`, `grid.interrupt.what`, `grid.hold.reposition`,
    `grid.blast.area`.
    """
    board = state.board
    if board is None:
        return None
    sentences = tuple(_list_map_event_sentences(before, state, record)) if record else ()
    alt = " ".join((f"Map, {board.size_in_words}.", *(f"{each}." for each in list_position_and_condition_texts(state))))
    return ReplayBoard(draw_board(state, _build_step_overlay(before, state, record)), alt, sentences)


def _build_step_overlay(before: EncounterState, state: EncounterState, record: StepResult | None) -> Overlay:
    if record is None or not record.is_legal:
        return Overlay()
    interrupts = ((each.who, each.target) for each in record.events if isinstance(each, InterruptTried))
    ends = [(state.fighter(interrupter_id).at, state.fighter(target_id).at) for interrupter_id, target_id in interrupts]
    blast_space = _find_blast_space(before, record)
    start, target_spaces = state.fighter(record.actor).at if record.actor else None, list[Space | None]()
    if record.do in LONG_ATTACKS and record.rolls:
        target_spaces = [record.action.space, *(state.fighter(target).at for target in record.action.targets)]
    return Overlay(
        record.actor,
        selected_space=blast_space,
        is_blast=blast_space is not None,
        path=next(iter(_map_movers_to_paths(before, record).values()), ()),
        interrupt_lines=tuple((start, end) for start, end in ends if start and end),
        sight_lines=tuple(Sight(start, end, ()) for end in target_spaces if start and end),
    )


def _find_blast_space(before: EncounterState, record: StepResult) -> Space | None:
    """Return the space that a blast of this step was aimed at, or None."""
    if record.do == SETTLE.do and before.pending_action is not None:
        return before.pending_action.space
    return record.action.space if record.do == BLAST.do else None


def _map_movers_to_paths(before: EncounterState, record: StepResult) -> dict[str, tuple[Space, ...]]:
    """Return the path of each fighter that moved in this step, by id.

    A path starts with the space that the fighter left.
    """
    paths: dict[str, tuple[Space, ...]] = {}
    for each in record.events:
        if isinstance(each, Walked):
            at = before.fighter(each.who).at
            start = paths.get(each.who) or ((at,) if at else ())
            paths[each.who] = (*start, *each.path)
    return paths


def _list_map_event_sentences(before: EncounterState, state: EncounterState, record: StepResult) -> Iterator[str]:
    """List what the step did on the map, one sentence for each event."""
    names = {each.id: each.name for each in state.fighters}
    for fighter_id, path in _map_movers_to_paths(before, record).items():
        over = f" over {', '.join(map(format_space, path[1:-1]))}" if len(path) > 2 else ""
        yield f"{names[fighter_id]} moves from {format_space(path[0])}{over} to {format_space(path[-1])}."
    for each in record.events:
        if isinstance(each, InterruptTried):
            at = state.fighter(each.target).at
            yield f"{names[each.who]} interrupts {names[each.target]}{f' at {format_space(at)}' if at else ''}."
        elif isinstance(each, Prevented):
            yield f"{names[each.who]} is stopped and can't escape on their next turn."
        elif isinstance(each, Placed):
            yield f"{names[each.who]} is moved to {format_space(each.space)}."
    blast_space = _find_blast_space(before, record) if record.is_legal else None
    if blast_space is not None and record.rolls:
        yield f"The blast is aimed at {format_space(blast_space)}."
    if state.pending_action is not None and record.do not in (INTERRUPT.do, SETTLE.do):
        exposure = state.pending_action
        action_text = (
            f"starts moving to {format_space(exposure.path[-1])}"
            if exposure.path
            else f"is about to act: {ACTION_TITLES[exposure.do]}"
        )
        yield f"{names[exposure.who]} {action_text}. This can be interrupted."
