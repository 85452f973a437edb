"""An action as someone declares it, before anyone asks whether it is legal."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.board import Space
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.rulebook.action_spec import ActionCard
from scratch_core.rulebook.actions import (
    ACTIONS,
    CARDS,
    CHECK,
    CRAFT,
    END_TURN,
    GRID_ACTIONS,
    REFEREE_ACTIONS,
    SECOND_BLOW,
    SETTLE,
)

SUMMARIES: dict[str, ActionCard] = {card.do: card for card in ACTIONS}
"""The actions of a turn by name, as the quick reference has them."""

ON_BOARD: dict[str, ActionCard] = {card.do: card for card in GRID_ACTIONS}
"""What there is on a board alone: moving, repositioning whom one holds, interrupting. Rule: `grid.scope`."""

EVERY: dict[str, ActionCard] = CARDS
"""Every card by name, those of the referee among them."""

IN_TURN: tuple[str, ...] = (*SUMMARIES, SECOND_BLOW.do, END_TURN.do)
"""Every name of a turn without a board."""

REFEREE: tuple[str, ...] = tuple(card.do for card in REFEREE_ACTIONS)
"""What happens outside anyone's turn."""

NAMES: tuple[str, ...] = (*IN_TURN, *REFEREE)
"""Every name that `do` can have without a board."""

BOARD_NAMES: tuple[str, ...] = (*ON_BOARD, SETTLE.do)
"""Every name that `do` can have on a board alone; `settle` says that no one interrupts (any more)."""

LISTED: tuple[str, ...] = tuple(do for do, card in CARDS.items() if card.targets.most > 1)
"""The actions that name their targets in a list."""

AT_SOMEBODY: tuple[str, ...] = tuple(do for do in NAMES if CARDS[do].names_target)
"""The actions that need a target or several."""

ROLLING: tuple[str, ...] = tuple(do for do in IN_TURN if CARDS[do].rolls)
"""The actions of a turn that roll."""

WITH: tuple[str, ...] = (
    *ROLLING,
    *(card.do for card in ACTIONS if card.adds and not card.rolls),
    *(card.do for card in GRID_ACTIONS if card.rolls),
)
"""The actions that may name the ability they are made with."""


@dataclass(frozen=True, slots=True)
class Action:
    """What someone wants to do.

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

    @property
    def named(self) -> tuple[str, ...]:
        """Everyone who must be in the fight for it."""
        return (self.actor, *self.targets) if self.actor else self.targets

    @property
    def card(self) -> ActionCard:
        """Its card. Raises `ScratchError` for a name that no action has (`act.do`)."""
        if self.do not in EVERY:
            raise ScratchError(Problem("act.do", f"one of {', '.join(EVERY)}", shown(self.do), "the action"))
        return EVERY[self.do]

    def step(self) -> dict[str, object]:
        """The action as a step of a scenario file. Raises `ScratchError` for a name that no action has."""
        written: dict[str, object] = {"actor": self.actor, "do": self.do}
        if self.uses is not None:
            written["with"] = list(self.uses) if len(self.uses) > 1 else "".join(self.uses) or "none"
        is_first = len(self.targets) == 1 and bool(self.card.opens)
        if self.do in LISTED and self.space is None and not is_first:
            written["targets"] = list(self.targets)
        elif self.targets:
            written["target"] = self.targets[0]
        if self.do == CHECK.do:
            written |= {"ability": self.ability, "difficulty": self.difficulty, "requires": self.requires}
        if self.do == CRAFT.do:
            written |= {"ability": self.ability, "add": self.add, "hurry": self.hurry}
            written |= {"difficulty": self.difficulty} if self.hurry and self.difficulty else {}
        return written | self._board_keys()

    def _board_keys(self) -> dict[str, object]:
        written: dict[str, object] = {}
        card = self.card
        if card.exposes == "path":
            written["path"] = [list(space) for space in self.path]
        if self.space is not None:
            written["at" if card.targets.spaces else "to"] = list(self.space)
        if self.swap:
            written["swap"] = True
        return written if self.when is None else {**written, "when": self.when}
