"""The session of a request: a setup, or a fight after the command. It is the same in every turn system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scratch_core.calculators.fight.commands import execute_command, parse_undone_steps, start_fight
from scratch_core.calculators.fight.display_commands import FILE_COMMANDS
from scratch_core.calculators.fight.page_session import FightSession, SetupSession, UnrolledSession
from scratch_core.calculators.fight.request import BEGIN, MAX_QUERY_LENGTH, FightRequest
from scratch_core.calculators.fight.session import Fight, Step, open_fight
from scratch_core.calculators.fight.setup import validate_start
from scratch_core.calculators.fight.setup_commands import append_stat_block_file, execute_setup_command
from scratch_core.calculators.shared.open_file import is_sheet
from scratch_core.calculators.shared.request import list_cut_query_problems
from scratch_core.errors import Problem, ScratchError

AnySession = FightSession | SetupSession | UnrolledSession
"""A session of the page."""


def execute_request(request: FightRequest) -> AnySession:
    """Execute the command of a request in its fight or setup."""
    fields = request.fields
    if request.packed_link:
        problem = Problem("query.packed", "a whole link", "one that was cut off or changed", "log")
        return execute_setup_command(request, _refuse_log({**fields, "log": request.packed_link}, request, problem))
    if request.query.is_cut:
        problems = list_cut_query_problems(request.query, "log", MAX_QUERY_LENGTH)
        return execute_setup_command(request, _refuse_log(fields, request, *problems))
    setup = SetupSession(fields, focus=_choose_default_focus(request), stroke=request.stroke)
    if not request.system.character_fields and is_sheet(fields["log"]):
        return append_stat_block_file(request, setup)
    if fields["log"].strip():
        return _continue_fight(request)
    return _begin_fight(request, setup) if request.command == BEGIN else execute_setup_command(request, setup)


def _choose_default_focus(request: FightRequest) -> str:
    """Choose the part of the page that gets the focus unless the command sets it."""
    return "log" if request.is_whole_log else ""


def _refuse_log(fields: Mapping[str, str], request: FightRequest, *problems: Problem) -> SetupSession:
    """Return the setup of a page whose `log` is no fight."""
    return SetupSession(fields, problems, _choose_default_focus(request), stroke=request.stroke, is_refused=True)


def _begin_fight(request: FightRequest, setup: SetupSession) -> FightSession | SetupSession:
    """Begin the fight of the setup.

    Returns the setup if an error keeps it from beginning.
    """
    validated = validate_start(request)
    if validated.head is None:
        session: FightSession | SetupSession = execute_setup_command(request, setup.with_problems(validated.problems))
    else:
        session = start_fight(request, setup, validated.head, validated.steps)
    return replace(session, is_start_refused=True) if isinstance(session, SetupSession) else session


def _continue_fight(request: FightRequest) -> AnySession:
    """Open the fight in `log`, and execute the command.

    Returns an `UnrolledSession` for a file without the rolls of its beginning, and a setup for a text that is no fight.
    """
    try:
        fight, unrolled_steps = open_fight(request.fields["log"], request.roller)
    except ScratchError as error:
        if error.code == "fight.dice":
            return _show_unrolled_file(request)
        problems = [
            each.with_location("log", got=f"{each.got} in {each.where}", place=each.where) for each in error.problems
        ]
        return execute_setup_command(request, _refuse_log(request.fields, request, *problems))
    return execute_command(request, _build_session_before_command(request, fight, unrolled_steps))


def _show_unrolled_file(request: FightRequest) -> UnrolledSession:
    """Return the session of a file whose beginning needs dice."""
    words = "that say who goes first" if request.system.character_fields else "of the initiative"
    problem = Problem("fight.rolls-missing", f"the faces {words}", "none", "log")
    session = UnrolledSession(request.fields, (problem,), _choose_default_focus(request))
    change = FILE_COMMANDS.get(request.command.name)
    return change(request, session) if change else session


def _build_session_before_command(
    request: FightRequest, fight: Fight, unrolled_steps: tuple[Step, ...]
) -> FightSession:
    """Build the session before the command.

    `unrolled_steps` are the steps of an opened file that need dice. They replace the undone steps.
    """
    session = FightSession(request.fields, focus=_choose_default_focus(request), fight=fight)
    if unrolled_steps:
        count = len(unrolled_steps)
        words = "1 step of the file has" if count == 1 else f"{count} steps of the file have"
        message = f"{words} no rolls yet. Redo rolls them one by one."
        return replace(session, undone_steps=unrolled_steps, message=message)
    undone_steps, problems = parse_undone_steps(request.fields["redo"], fight)
    return replace(session, undone_steps=undone_steps).with_problems(problems)
