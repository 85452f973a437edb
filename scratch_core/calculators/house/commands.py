"""The command of the house calculator, and the session after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from scratch_core.calculators.house.request import CONTROLS, RESET_COMMAND, RULING_CONTROLS, HouseRequest
from scratch_core.calculators.shared.request import FieldParser, list_cut_query_problems
from scratch_core.calculators.shared.session import PageSession
from scratch_core.characters import parse_limits


@dataclass(frozen=True, slots=True)
class HouseSession(PageSession):
    """The house rules after the command."""

    updated_fields: frozenset[str] = frozenset()
    """The controls that the command has changed."""


HouseCommand = Callable[[HouseRequest, HouseSession], HouseSession]
"""A command of the page."""


def execute_command(request: HouseRequest) -> HouseSession:
    """Execute the command of the request, and check the house rules after it."""
    session = HouseSession({**request.fields})
    if request.command:
        session = COMMANDS[request.command](request, session)
    parser = FieldParser(session.fields)
    parser.problems += list_cut_query_problems(request.query, "cp")
    parser.problems += parse_limits(session.fields["cp"], session.fields["max_level"])[1]
    parser.parse_ruling_settings(RULING_CONTROLS)
    return session.with_problems(parser.problems)


def _reset_one_or_all_rules(request: HouseRequest, session: HouseSession) -> HouseSession:
    """Reset a house rule to the rulebook, or all."""
    names = {request.argument}.intersection(CONTROLS) or CONTROLS
    fields = {name: "" if name in names else value for name, value in request.fields.items()}
    return replace(session, fields=fields, updated_fields=frozenset(names))


COMMANDS: Mapping[str, HouseCommand] = {RESET_COMMAND: _reset_one_or_all_rules}
"""The commands by their first word."""
