"""An act on a board that exposes its actor: declared, and waiting for those who may interrupt it."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.board import Space

AT_ONE = ("throw", "shoot", "surprise", "intimidate")
EXPOSING = ("move", "evade", "blast", *AT_ONE)
"""The acts that may expose their actor, and those of them that have one target."""


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
    def is_whole(self) -> bool:
        """Whether everything is there that the act needs: a path, a space, or a target."""
        parts = (len(self.targets), self.space is not None, bool(self.path))
        return parts == (int(self.do in AT_ONE), self.do == "blast", self.do == "move")
