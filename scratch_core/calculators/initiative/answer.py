"""The answer of the initiative calculator: the turn order with its dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scratch_core.calculators.characters_text.fighter_lines import list_head_and_ambush_fields, parse_head_and_ambush
from scratch_core.calculators.initiative.commands import InitiativeSession
from scratch_core.calculators.initiative.participants import build_group_index
from scratch_core.calculators.initiative.request import CONTROLS, InitiativeRequest
from scratch_core.calculators.initiative.turn_order import InitiativeOrder, begin_and_compute_turn_order
from scratch_core.calculators.shared.names import parse_typed_initiative_faces
from scratch_core.calculators.shared.request import FieldParser
from scratch_core.dice import Roller
from scratch_core.errors import Problem, Problems, ScratchError
from scratch_core.scenario import AnySystem, NoDice

FacesByGroup = Mapping[str, Sequence[int]]
"""Recorded faces by the id of the group that rolled."""


@dataclass(frozen=True, slots=True)
class InitiativeAnswer:
    """A turn order, or the reason why there is none."""

    problems: tuple[Problem, ...]
    """All problems of the request."""
    given_faces: FacesByGroup = field(default_factory=dict)
    """The recorded faces, without those of ties before an edit."""
    order: InitiativeOrder | None = None
    """The turn order. None if there is an error, and before the dice are rolled."""
    is_waiting_for_dice: bool = False
    """Whether there is no order only because dice are missing."""


def answer_request(request: InitiativeRequest, session: InitiativeSession, roller: Roller | None) -> InitiativeAnswer:
    """Parse the beginning of the fight and the faces, and compute the turn order."""
    problems = Problems(session.problems)
    problems.extend_moved_to("who", session.participants.problems)
    start, start_problems = _parse_scenario_head(request.system, session)
    attempts, faces_problems = _list_faces_to_try(request, session, has_roller=roller is not None)
    problems += (*start_problems, *faces_problems)
    answer = InitiativeAnswer(tuple(problems), attempts[0])
    if not session.participants.characters or problems.has_errors:
        return answer
    engine_problems: Sequence[Problem] = ()
    for faces in attempts:
        try:
            order = begin_and_compute_turn_order(session.participants, request.system, start, faces, roller or NoDice())
            return replace(answer, order=order)
        except ScratchError as error:
            engine_problems = engine_problems or error.problems
    if engine_problems[0].code == "fight.dice":
        return replace(answer, is_waiting_for_dice=True)
    moved = (each.with_location(_choose_error_control(each)) for each in engine_problems)
    return replace(answer, problems=(*answer.problems, *moved))


def list_rulings(system: AnySystem) -> tuple[str, ...]:
    """List the rulings with a control that a turn system uses."""
    return tuple(name for name in system.rule_options if name in CONTROLS)


def choose_start_control(start_key: str) -> str:
    """Choose the control for a field of the fight's beginning."""
    return "first" if start_key == "first" else "ambush"


def _parse_scenario_head(system: AnySystem, session: InitiativeSession) -> tuple[Mapping[str, Any], Problems]:
    """Parse the controls of the fight's beginning, without dice.

    Returns keys of a scenario, and the problems. Ignores controls that the turn system doesn't use.
    """
    texts = {each.key: session.fields[choose_start_control(each.key)] for each in list_head_and_ambush_fields(system)}
    head, steps, problems = parse_head_and_ambush(system, texts, session.participants.name_index)
    parser = FieldParser(session.fields)
    parser.problems += (each.with_location(choose_start_control(each.where)) for each in problems)
    return {**head, "steps": steps, "rulings": parser.parse_ruling_settings(list_rulings(system))}, parser.problems


def _list_faces_to_try(
    request: InitiativeRequest, session: InitiativeSession, *, has_roller: bool
) -> tuple[tuple[FacesByGroup, ...], Problems]:
    """Parse the recorded faces of each group, and return them with the problems of `faces`.

    If there are none and no roller, the faces are the first of each group in `thrown`, or else those of `example`.
    Further faces in `thrown` are those of ties before an edit, which may have ended a tie. They are the second set of
    faces, which counts only if the first faces still tie.
    """
    text = session.fields["faces"]
    index = build_group_index(session.participants, request.system)
    if text.strip() or has_roller:
        faces, problems = parse_typed_initiative_faces(text, index)
        reported = problems if request.system.roll_keys else [replace(each, rule=None) for each in problems]
        moved = Problems()
        moved.extend_moved_to("faces", reported)
        return (faces,), moved
    faces, _ = parse_typed_initiative_faces(request.thrown_faces or request.example_faces, index)
    if not request.thrown_faces or not faces:
        return (faces,), Problems()
    return ({group: own_faces[:1] for group, own_faces in faces.items()}, faces), Problems()


def _choose_error_control(problem: Problem) -> str:
    """Choose the control that has caused a problem of the engine."""
    if problem.code.startswith("ambush.") or problem.location.path[:1] in (("ambush",), ("steps",)):
        return "ambush"
    return "faces" if problem.code.startswith("initiative.") else "who"
