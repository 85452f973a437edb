"""An action as someone declares it, before anyone asks whether it is legal."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.board import Space
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook.action_spec import ActionSpec
from scratch_core.rulebook.actions import (
    ACTION_SPECS,
    ACTIONS,
    CHECK,
    CRAFT,
    END_TURN,
    GRID_ACTIONS,
    REFEREE_ACTIONS,
    SECOND_BLOW,
    SETTLE,
)

BASIC_SPECS: dict[str, ActionSpec] = {card.do: card for card in ACTIONS}
"""The actions of a turn by name, as the quick reference has them."""

BOARD_SPECS: dict[str, ActionSpec] = {card.do: card for card in GRID_ACTIONS}
"""What there is on a board alone: moving, repositioning whom one holds, interrupting. Rule: `grid.scope`."""

ALL_SPECS: dict[str, ActionSpec] = ACTION_SPECS
"""Every card by name, those of the referee among them."""

TURN_ACTIONS: tuple[str, ...] = (*BASIC_SPECS, SECOND_BLOW.do, END_TURN.do)
"""Every name of a turn without a board."""

OUT_OF_TURN_ACTIONS: tuple[str, ...] = tuple(card.do for card in REFEREE_ACTIONS)
"""What happens outside anyone's turn."""

ACTION_NAMES: tuple[str, ...] = (*TURN_ACTIONS, *OUT_OF_TURN_ACTIONS)
"""Every name that `do` can have without a board."""

BOARD_ACTION_NAMES: tuple[str, ...] = (*BOARD_SPECS, SETTLE.do)
"""Every name that `do` can have on a board alone; `settle` says that no one interrupts (any more)."""

MULTI_TARGET_ACTIONS: tuple[str, ...] = tuple(do for do, card in ACTION_SPECS.items() if card.targets.most > 1)
"""The actions that name their targets in a list."""

TARGETED_ACTIONS: tuple[str, ...] = tuple(do for do in ACTION_NAMES if ACTION_SPECS[do].needs_target)
"""The actions that need a target or several."""

ROLL_ACTIONS: tuple[str, ...] = tuple(do for do in TURN_ACTIONS if ACTION_SPECS[do].needs_roll)
"""The actions of a turn that roll."""

ABILITY_ACTIONS: tuple[str, ...] = (
    *ROLL_ACTIONS,
    *(card.do for card in ACTIONS if card.usable_abilities and not card.needs_roll),
    *(card.do for card in GRID_ACTIONS if card.needs_roll),
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
    def participants(self) -> tuple[str, ...]:
        """Everyone who must be in the fight for it."""
        return (self.actor, *self.targets) if self.actor else self.targets

    @property
    def spec(self) -> ActionSpec:
        """Its card. Raises `ScratchError` for a name that no action has (`act.do`)."""
        if self.do not in ALL_SPECS:
            raise ScratchError(Problem("act.do", f"one of {', '.join(ALL_SPECS)}", format_input(self.do), "the action"))
        return ALL_SPECS[self.do]

    def to_step(self) -> dict[str, object]:
        """The action as a step of a scenario file. Raises `ScratchError` for a name that no action has."""
        written: dict[str, object] = {"actor": self.actor, "do": self.do}
        if self.uses is not None:
            written["with"] = list(self.uses) if len(self.uses) > 1 else "".join(self.uses) or "none"
        is_first = len(self.targets) == 1 and bool(self.spec.follow_up)
        if self.do in MULTI_TARGET_ACTIONS and self.space is None and not is_first:
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
        card = self.spec
        if card.exposes == "path":
            written["path"] = [list(space) for space in self.path]
        if self.space is not None:
            written["at" if card.targets.spaces else "to"] = list(self.space)
        if self.swap:
            written["swap"] = True
        return written if self.when is None else {**written, "when": self.when}
