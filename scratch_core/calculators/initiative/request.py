"""The request to the initiative calculator: its controls, the edits of the rows, and what was pressed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scratch_core.calculators.shared.query import Query
from scratch_core.calculators.shared.request import Request, list_cut_query_problems
from scratch_core.errors import Problems
from scratch_core.scenario import TURN_SYSTEMS, AnySystem

SYSTEM_TITLES: Mapping[str, str] = {name: order.title for name, order in TURN_SYSTEMS.items()}
"""The titles of the turn systems, by their names in a query."""

CONTROLS = ("system", "who", "first", "ambush", "detection_multiplier", "seize_on_total", "faces")
"""The names of all controls, in the order of the canonical query.

The controls of the rows are left out, because rows are built from `who` and edit it: `name-1`, `stealth-1` and so on,
`rows` for the lines that the rows show, `change` for added and removed rows, and `thrown` for the faces of their order.
"""


@dataclass(frozen=True, slots=True)
class InitiativeRequest(Request):
    """A request to the initiative calculator."""

    system_name: str
    """The name of the turn system: `scratch` if the control is empty or its text unknown."""
    rows_text: str
    """The lines of the characters that the rows show."""
    commands: tuple[str, ...]
    """The commands of the rows' buttons, in their order."""
    thrown_faces: str
    """The faces of the order before the edit, as text."""
    example_faces: str
    """The recorded faces of a worked answer, as text."""
    may_roll: bool
    """Whether the roller may roll. Buttons of the chooser roll no dice."""

    @property
    def system(self) -> AnySystem:
        """The turn system."""
        return TURN_SYSTEMS[self.system_name]


def parse_request(query: Query) -> InitiativeRequest:
    """Parse a query of the initiative calculator."""
    typed_system, change = query.text("system").strip().lower(), query.text("change").strip()
    return InitiativeRequest(
        query,
        MappingProxyType({name: query.text(name) for name in CONTROLS}),
        system_name=typed_system if typed_system in SYSTEM_TITLES else "scratch",
        rows_text=query.text("rows"),
        commands=tuple(each.strip() for each in change.split(";")) if change else (),
        thrown_faces=query.text("thrown"),
        example_faces=query.text("example"),
        may_roll="act" not in query,
    )


def list_request_problems(request: InitiativeRequest) -> Problems:
    """List the problems of a cut query and an unknown turn system."""
    problems = Problems(list_cut_query_problems(request.query, "who"))
    typed = request.fields["system"].strip().lower()
    if typed and typed not in SYSTEM_TITLES:
        problems.report_value("initiative.system", f"one of {', '.join(SYSTEM_TITLES)}", typed, "system")
    return problems
