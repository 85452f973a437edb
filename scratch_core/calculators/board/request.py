"""The request to the map calculator: its controls, the map that they describe, and what was drawn or pressed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from scratch_core.calculators.board.setup import FEATURES, MOVEMENT_ABILITIES, RULING_CONTROLS
from scratch_core.calculators.board.setup_parser import ParsedSetup, parse_setup
from scratch_core.calculators.characters_text.chooser import Chooser, build_chooser_if_open
from scratch_core.calculators.shared.query import Query
from scratch_core.calculators.shared.request import PageCommand, Request, list_cut_query_problems
from scratch_core.characters import MAX_SHEET_LENGTH

MAX_QUERY_LENGTH = 80_000
"""The most characters of a query: a board of 100 × 100 with every letter escaped, and its tokens."""

TOKEN_CONTROLS = (*MOVEMENT_ABILITIES, "injured")
"""The controls that hold the abilities and the injury of the selected token."""
CONTROLS = ("map", "shape", "tokens", "selected", "space", *FEATURES, *TOKEN_CONTROLS, *RULING_CONTROLS)
"""The names of all controls that are the board's state, in the order of the canonical query."""

SHEETS_CONTROL = "sheets"
"""The control with the stat blocks of a fight whose map is being edited. The export to the fight returns them."""

LEVELS_OWNER_CONTROL = "levels_of"
"""The control with the id of the token whose levels the controls hold, even if no token is selected."""

DEFAULT_BRUSH = "pick"
"""The brush that selects and drags."""


@dataclass(frozen=True, slots=True)
class BoardRequest(Request):
    """A request to the map calculator."""

    parsed: ParsedSetup
    """The map that the controls describe, and their problems."""
    sheets: str
    """The stat blocks, at most `MAX_SHEET_LENGTH` characters."""
    levels_owner: str
    """The id of the token whose levels the controls hold, or ""."""
    stroke: str
    """The strokes that were drawn on the map, or ""."""
    command: PageCommand
    """What was pressed."""
    brush: str
    """The brush chosen in the palette."""
    chooser: Chooser | None
    """The list of characters to add. None unless it is open."""


def parse_request(query: Query) -> BoardRequest:
    """Parse a query of the map calculator."""
    fields = _read_fields(query)
    return BoardRequest(
        query,
        fields,
        parsed=parse_query_setup(query),
        sheets=query.text(SHEETS_CONTROL)[:MAX_SHEET_LENGTH].strip(),
        levels_owner=query.text(LEVELS_OWNER_CONTROL).strip() or fields["selected"].strip(),
        stroke=query.text("stroke").strip(),
        command=PageCommand.parse(query.text("act")),
        brush=query.text("brush", DEFAULT_BRUSH).strip() or DEFAULT_BRUSH,
        chooser=build_chooser_if_open(query),
    )


def parse_query_setup(query: Query) -> ParsedSetup:
    """Parse the map that a query describes.

    What was drawn or pressed is ignored. The problems include that of a cut query.
    """
    parsed = parse_setup(_read_fields(query), query.text(SHEETS_CONTROL))
    return replace(parsed, problems=(*list_cut_query_problems(query, "map", MAX_QUERY_LENGTH), *parsed.problems))


def _read_fields(query: Query) -> Mapping[str, str]:
    """Return the text of each control, as typed but without line ends around it."""
    return MappingProxyType({name: query.text(name).strip("\n") for name in CONTROLS})
