"""The request to the house calculator: its controls, and the command."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from scratch_core.calculators.shared.house_rules import CREATION_LIMITS
from scratch_core.calculators.shared.query import Query
from scratch_core.calculators.shared.request import Request
from scratch_core.rulebook import RULE_OPTIONS

RULING_CONTROLS = tuple(each.name for each in RULE_OPTIONS)
"""The names of the controls of rulings."""

CONTROLS = (*CREATION_LIMITS, *RULING_CONTROLS)
"""The names of all controls, in the order of the canonical query."""

RESET_COMMAND = "rulebook"
"""The command that resets house rules to the rulebook. It is a control of its own, whose value may name one rule."""


@dataclass(frozen=True, slots=True)
class HouseRequest(Request):
    """A request to the house calculator."""

    command: str
    """The command, or ""."""
    argument: str
    """The value of the command, or ""."""


def parse_request(query: Query) -> HouseRequest:
    """Parse a query of the house calculator."""
    fields = {name: query.text(name).strip() for name in CONTROLS}
    command = RESET_COMMAND if RESET_COMMAND in query else ""
    return HouseRequest(query, MappingProxyType(fields), command, query.text(RESET_COMMAND).strip())
