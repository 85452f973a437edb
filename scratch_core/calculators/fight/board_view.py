"""The board of a fight as it is shown: the drawing, the space asked about, and what can be done there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from scratch_core.board import Space, format_space
from scratch_core.calculators.board_drawing.drawing import Drawing
from scratch_core.calculators.board_drawing.overlay import Stage, standing, who_where
from scratch_core.calculators.board_drawing.state_drawing import draw
from scratch_core.calculators.fight.action_menu import VERBS, Offer, Question, Turn, scene_of
from scratch_core.calculators.fight.board_menu import blast_at
from scratch_core.encounter.actions import Action, aim_problems, check_destination, choose_best_abilities
from scratch_core.encounter.state import EncounterState
from scratch_core.errors import Problem
from scratch_core.rulebook.actions import BLAST, MOVE, REPOSITION

_STROKE = re.compile(r"(?:[a-z-]+: )?(\d{1,3}),(\d{1,3})(?: (\d{1,3}),(\d{1,3}))?")

TWICE = (MOVE.do, REPOSITION.do)
"""What is done with a space by pressing it twice, the likeliest first: nothing that takes dice."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The space asked about: where, what it is and who is there, why no one goes there, and what can be done.

    `why` is the reason, where the one on turn can't move there. Each offer comes with a verb.
    """

    space: str
    words: str
    offers: tuple[tuple[str, Offer], ...]
    why: Problem | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """The board: its drawing, where the keys begin, who stands where in words, and the space asked about.

    `name` is said of the drawing; `can_move` says that the one drawn may still move.
    """

    drawing: Drawing
    name: str
    home: Space
    words: tuple[str, ...]
    asked: Asked | None = None
    actor: str = ""
    can_move: bool = False


def read_stroke(text: str) -> tuple[Space | None, Space] | None:
    """What was drawn last on the board: where it began, if elsewhere than where it ended, and where it ended."""
    found = _STROKE.fullmatch(text.rsplit(";", 1)[-1].strip()) if text.isascii() else None
    if not found:
        return None
    first = (int(found[1]), int(found[2]))
    return (first, (int(found[3]), int(found[4]))) if found[3] else (None, first)


def read_space(text: str) -> Space | None:
    """A space as the control `aim` has it."""
    found = read_stroke(text)
    return found[1] if found and found[0] is None else None


def offers_at(state: EncounterState, turn: Turn, space: Space) -> tuple[tuple[str, Offer], ...]:
    """Everything that can be done in a space, or to whoever stands there, each with its verb.

    First the moves that end there, then what can be done to whoever stands there, in the best way of each, then a
    blast, where one can be aimed there.
    """
    if state.board is None or not state.board.contains(space):
        return ()
    found: list[tuple[str, Offer]] = []
    here, holders = format_space(space), {each.id for each in standing(state) if each.at == space}
    for choice in turn.choices:
        if choice.do in TWICE:
            found += ((choice.verb, offer) for way in choice.ways for offer in way.offers if offer.space == here)
    for choice in turn.choices:
        if choice.do != BLAST.do:
            first = choice.ways[0]
            verb = f"{choice.verb} {first.label}".strip()
            found += ((verb, offer) for offer in first.offers if not offer.space and holders & set(offer.targets))
    if any(choice.do == BLAST.do for choice in turn.choices):
        scene = scene_of(state, turn.actor)
        if not aim_problems(scene, Action(turn.actor, BLAST.do, space=space)):
            found.append(
                (VERBS[BLAST.do], blast_at(scene, choose_best_abilities(scene.actor, BLAST.do, state.rulings), space))
            )
    return tuple(found)


def pressed_step(
    state: EncounterState, turn: Turn, begun: Space | None, space: Space, asked: Space | None
) -> Offer | None:
    """What a stroke does at once: a fighter dragged, or a space pressed again. None where it only asks."""
    found = {offer.do: offer for _, offer in reversed(offers_at(state, turn, space)) if offer.do in TWICE}
    who = state.fighter(turn.actor)
    if begun is not None:
        held = state.fighter(state.ledger.held).at if state.ledger.held else None
        if begun == who.at:
            return found.get(MOVE.do)
        return found.get(REPOSITION.do) if begun == held else None
    if space != asked:
        return None
    return next((found[do] for do in TWICE if do in found), None)


def field_of(
    state: EncounterState, turn: Turn | None, reach: Stage | None, aim: Space | None, question: Question | None
) -> Field:
    """The board at a moment of the fight: the one on turn with its ways, or the act that waits.

    Rules: `grid.scope`, `grid.move.base`, `grid.interrupt.what`.
    """
    board = state.required_board
    name = f"Map, {board.size}"
    if question is not None and state.exposure is not None:
        at = state.fighter(question.who).at or (0, 0)
        places = (state.fighter(each.id).at for each in question.now)
        made = draw(state, Stage(question.who, strikes=tuple((space, at) for space in places if space)))
        return Field(made, f"{name}. {question.words}", at, who_where(state), actor=question.who)
    if turn is None or reach is None:
        return Field(draw(state), name, (0, 0), who_where(state))
    aim = aim if aim is not None and board.contains(aim) else None
    start = state.fighter(turn.actor).at
    asked = None if aim is None else _asked(state, turn, reach, aim)
    is_blast = asked is not None and any(offer.do == BLAST.do for _, offer in asked.offers)
    made = draw(state, replace(reach.asking(aim, start), is_blast=is_blast))
    home = next((space for space in (aim, start) if space and board.contains(space)), (0, 0))
    return Field(made, name, home, who_where(state), asked, turn.actor, bool(reach.ways))


def _asked(state: EncounterState, turn: Turn, reach: Stage, space: Space) -> Asked:
    board = state.required_board
    here = [each for each in standing(state) if each.at == space]
    words = [board.terrain(space).replace("-", " "), *(each.name for each in here)]
    if not board.is_solid(space):
        words += [word for word in sorted(board.surroundings(space)) if word in ("cover", "throwable", "climbable")]
    is_reached = space == state.fighter(turn.actor).at or space in reach.ways
    why = None if is_reached else check_destination(scene_of(state, turn.actor), space)
    return Asked(format_space(space), ", ".join(words), offers_at(state, turn, space), why)
