"""The request to the dice calculator: its controls, the tapped keys, and how a page sets up a roll."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from scratch_core.calculators.shared.limits import truncate_line
from scratch_core.calculators.shared.query import Query
from scratch_core.calculators.shared.request import Request

CONTROLS = ("roll", "against", "bonus", "faces")
"""The names of all controls, in the order of the canonical query.

`keys` and `done`, which hold taps, are left out. So are `preset` and `show`, with which a page sets up a roll: the link
to an answer opens the full calculator. So is `sent`, which only a share link has: a reload does not repeat it.
"""

MAX_PRESET_LENGTH = 40
"""The most characters in the label of a preset roll's button."""


@dataclass(frozen=True, slots=True)
class DiceRequest(Request):
    """A request to the dice calculator."""

    taps: str
    """The tapped keys, separated by semicolons."""
    is_done: bool
    """Whether the dice have been rolled, so that a tapped die starts a new roll."""
    spaced_roll: str | None
    """The text of `roll` with each plus sign read as a space; None if the query has no such control."""
    example_faces: str
    """The recorded faces of a worked answer, as text."""
    uses_typed_faces: bool
    """Whether the button beside the typed faces was pressed, so that no dice are rolled."""
    is_net_requested: bool
    """Whether the page shows only the net of a d20 and a difficulty."""
    preset_label: str
    """The label of the button if a page sets up the roll; "" otherwise."""
    is_sent: bool
    """Whether the query is that of a share link, so that someone else has rolled."""

    @property
    def has_taps(self) -> bool:
        """Whether a key was tapped."""
        return bool(self.taps.strip())


def parse_request(query: Query) -> DiceRequest:
    """Parse a query of the dice calculator."""
    return DiceRequest(
        query,
        MappingProxyType({name: query.notation(name).strip("\n") for name in CONTROLS}),
        taps=query.text("keys"),
        is_done=bool(query.text("done")),
        spaced_roll=query.text("roll").strip("\n") if "roll" in query else None,
        example_faces=query.text("example"),
        uses_typed_faces=bool(query.text("own")),
        is_net_requested=query.text("show") == "net",
        preset_label=truncate_line(query.text("preset").strip(), MAX_PRESET_LENGTH),
        is_sent=bool(query.text("sent")),
    )
