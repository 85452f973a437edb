"""An act on a board that exposes its actor: declared, and waiting for those who may interrupt it."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.board import Space
from scratch_core.cards import CARDS

EXPOSING = tuple(card.do for card in CARDS.values() if card.exposes)
"""The acts that may expose their actor."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """What waits: who has declared which act, with its targets, abilities, space or path.

    `walked` counts the spaces of a move's path that have been entered: it waits at the moment after so many. `tried`
    are those whose interrupting attack at this moment has failed. Rules: `grid.interrupt.what`,
    `grid.interrupt.trigger.move`, `grid.interrupt.trigger.evade`, `grid.interrupt.trigger.far-attack`.
    """

    who: str
    do: str
    targets: tuple[str, ...] = ()
    uses: tuple[str, ...] | None = None
    space: Space | None = None
    path: tuple[Space, ...] = ()
    walked: int = 0
    tried: tuple[str, ...] = ()

    @property
    def is_move(self) -> bool:
        """Whether it is a move that waits. Rule: `grid.interrupt.trigger.move`."""
        return CARDS[self.do].exposes == "path"
