"""The house rules of a table: settings that differ from the rulebook, with which the other calculators start."""

from __future__ import annotations

from scratch_core.calculators.house.commands import execute_command
from scratch_core.calculators.house.request import CONTROLS, parse_request
from scratch_core.calculators.house.view_model import View, build_view
from scratch_core.calculators.shared.query import Query
from scratch_core.dice import Roller

__all__ = ["CONTROLS", "View", "view"]


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query with house rules: `cp`, `max_level` and rulings.

    A setting counts as a house rule if it can be read and differs from the rulebook. The canonical query has these, and
    the texts that can't be read. Never raises. Rules: `create.cp`, `create.max-level`.
    """
    return build_view(execute_command(parse_request(query)))
