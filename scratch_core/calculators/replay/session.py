"""The session of a request: the scenario, played with its fork to the requested step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scratch_core.calculators.replay.file_problems import relocate_file_problems
from scratch_core.calculators.replay.fork_changes import format_edits
from scratch_core.calculators.replay.playthroughs import PlayedScenario, play_original
from scratch_core.calculators.replay.position import ReplayPosition, build_position
from scratch_core.calculators.replay.request import ReplayRequest, parse_requested_step, parse_rulings
from scratch_core.calculators.replay.typed_fork import play_typed_fork
from scratch_core.calculators.shared.session import PageSession
from scratch_core.scenario import TURN_SYSTEMS


@dataclass(frozen=True, slots=True)
class ReplaySession(PageSession):
    """The step shown, with the rulings of its playthrough.

    In its fields the fork has its canonical form, unless it has an error, and the step exists.
    """

    rulings: Mapping[str, str] = field(default_factory=dict)
    """The requested rulings that concern the turn system: settings by name."""
    position: ReplayPosition | None = None
    """The step shown. None if the scenario is missing or can't be played."""


def play_request(request: ReplayRequest) -> ReplaySession:
    """Play the scenario with its fork to the requested step.

    A fork that can't be played is ignored.
    """
    original = play_original(request.scenario_text, request.dice_number) if request.has_scenario else None
    system = original.result.system if isinstance(original, PlayedScenario) else TURN_SYSTEMS["scratch"]
    rulings, problems = parse_rulings(request, system)
    session = ReplaySession(request.fields, (*request.problems, *problems), rulings)
    if original is None:
        return session
    if not isinstance(original, PlayedScenario):
        return session.with_problems(relocate_file_problems(original, "scenario"))
    return _play_fork_to_requested_step(request, session, original)


def _play_fork_to_requested_step(
    request: ReplayRequest, session: ReplaySession, original: PlayedScenario
) -> ReplaySession:
    """Return the session with the requested step of the scenario or its fork."""
    minion_problems = original.result.scenario.minion_problems
    fork = play_typed_fork(request, original, session.rulings)
    step, step_problems = parse_requested_step(request, len(fork.story.result.results))
    problems = (
        *relocate_file_problems(original.result.problems, "scenario"),
        *relocate_file_problems(minion_problems, "scenario", includes_place=False),
        *fork.problems,
        *step_problems,
    )
    fork_text = session.fields["fork"] if fork.has_errors else format_edits(fork.edits)
    return replace(
        session.with_problems(problems).with_fields({"fork": fork_text, "step": str(step)}),
        position=build_position(request.scenario_text, original, fork.story, fork.edits, step),
    )
