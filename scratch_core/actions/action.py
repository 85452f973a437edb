"""An action as somebody declares it, before anybody asks whether it is legal."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.board import Space
from scratch_core.catalogue import ACTIONS, GRID_ACTIONS, ActionSummary

SUMMARIES: dict[str, ActionSummary] = {summary.do: summary for summary in ACTIONS}
"""The actions of a turn by name, as the quick reference has them."""

ON_BOARD: dict[str, ActionSummary] = {summary.do: summary for summary in GRID_ACTIONS}
"""What there is on a board alone: moving, repositioning whom one holds, interrupting. Rule: `grid.scope`."""

EVERY: dict[str, ActionSummary] = {**SUMMARIES, **ON_BOARD}
"""The actions of a turn and those of a board."""

REFEREE: tuple[str, ...] = ("check", "craft", "end-encounter")
"""What happens outside anybody's turn."""

NAMES: tuple[str, ...] = (*SUMMARIES, "end-turn", *REFEREE)
"""Every name that `do` can have without a board."""

BOARD_NAMES: tuple[str, ...] = (*ON_BOARD, "settle")
"""Every name that `do` can have on a board alone; `settle` says that nobody interrupts (any more)."""

LISTED: tuple[str, ...] = ("double-attack", "blast")
"""The actions that name their targets in a list."""

AT_SOMEBODY: tuple[str, ...] = (
    *(do for do, summary in SUMMARIES.items() if summary.defence),
    "craft",
)
"""The actions that need a target or several."""

ROLLING: tuple[str, ...] = tuple(do for do, summary in SUMMARIES.items() if summary.defence)
"""The actions of a turn that roll."""

WITH: tuple[str, ...] = (*ROLLING, "evade", "interrupt")
"""The actions that may name the ability they are made with."""


@dataclass(frozen=True, slots=True)
class Action:
    """What somebody wants to do.

    `uses` are the abilities added: None leaves it to the rules (the best allowed), () means none. `ability` is that of
    a check or of a crafted bonus; `difficulty` and `requires` belong to a check, `add` and `hurry` to `craft`, whose
    `difficulty` in a hurry is the usual one while it is 0.

    On a board, `path` lists the spaces a move enters, `space` is what a blast is aimed at or where a reposition puts
    its target, unless it is a `swap`; `when` names the moment of an interrupt: after so many spaces of the move.
    """

    actor: str
    do: str
    targets: tuple[str, ...] = ()
    uses: tuple[str, ...] | None = None
    ability: str = ""
    difficulty: int = 0
    requires: bool = False
    add: bool = True
    hurry: bool = False
    path: tuple[Space, ...] = ()
    space: Space | None = None
    swap: bool = False
    when: int | None = None

    def step(self) -> dict[str, object]:
        """The action as a step of a scenario file."""
        written: dict[str, object] = {"actor": self.actor, "do": self.do}
        if self.uses is not None:
            written["with"] = self.uses[0] if len(self.uses) == 1 else list(self.uses) if self.uses else "none"
        if self.do in LISTED and self.space is None:
            written["targets"] = list(self.targets)
        elif self.targets:
            written["target"] = self.targets[0]
        if self.do == "check":
            written |= {"ability": self.ability, "difficulty": self.difficulty, "requires": self.requires}
        if self.do == "craft":
            written |= {"ability": self.ability, "add": self.add, "hurry": self.hurry}
            written |= {"difficulty": self.difficulty} if self.hurry and self.difficulty else {}
        return written | self._board_keys()

    def _board_keys(self) -> dict[str, object]:
        written: dict[str, object] = {}
        if self.do == "move":
            written["path"] = [list(space) for space in self.path]
        if self.space is not None:
            written["at" if self.do == "blast" else "to"] = list(self.space)
        if self.swap:
            written["swap"] = True
        return written if self.when is None else {**written, "when": self.when}
