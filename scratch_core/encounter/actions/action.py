"""An action as it is declared, before validation."""

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

BASIC_SPECS: dict[str, ActionSpec] = {spec.do: spec for spec in ACTIONS}
"""The actions of a turn by name, in the order of the quick reference."""

BOARD_SPECS: dict[str, ActionSpec] = {spec.do: spec for spec in GRID_ACTIONS}
"""The actions that need a board: move, reposition, interrupt. Rule: `grid.scope`."""

ALL_SPECS: dict[str, ActionSpec] = ACTION_SPECS
"""The definition of every action by name, including those outside turns."""

TURN_ACTIONS: tuple[str, ...] = (*BASIC_SPECS, SECOND_BLOW.do, END_TURN.do)
"""The names of the actions of a turn without a board."""

OUT_OF_TURN_ACTIONS: tuple[str, ...] = tuple(spec.do for spec in REFEREE_ACTIONS)
"""The names of the actions outside turns."""

ACTION_NAMES: tuple[str, ...] = (*TURN_ACTIONS, *OUT_OF_TURN_ACTIONS)
"""The values of `do` without a board."""

BOARD_ACTION_NAMES: tuple[str, ...] = (*BOARD_SPECS, SETTLE.do)
"""The values of `do` that need a board. `settle` says that no more interrupts follow."""

MULTI_TARGET_ACTIONS: tuple[str, ...] = tuple(do for do, spec in ACTION_SPECS.items() if spec.targets.most > 1)
"""The names of the actions with a list of targets."""

TARGETED_ACTIONS: tuple[str, ...] = tuple(do for do in ACTION_NAMES if ACTION_SPECS[do].needs_target)
"""The names of the actions that need targets."""

ROLL_ACTIONS: tuple[str, ...] = tuple(do for do in TURN_ACTIONS if ACTION_SPECS[do].needs_roll)
"""The names of the actions of a turn that need a roll."""

ABILITY_ACTIONS: tuple[str, ...] = (
    *ROLL_ACTIONS,
    *(spec.do for spec in ACTIONS if spec.usable_abilities and not spec.needs_roll),
    *(spec.do for spec in GRID_ACTIONS if spec.needs_roll),
)
"""The names of the actions that may name the abilities that they add."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action that an actor declares."""

    actor: str
    """The id of the actor, or "" for the end of an encounter."""
    do: str
    """The name of the action."""
    targets: tuple[str, ...] = ()
    """The ids of its targets."""
    uses: tuple[str, ...] | None = None
    """The abilities added; None for the best that the rules allow, () for none."""
    ability: str = ""
    """The ability of a check or of a crafted bonus, or ""."""
    difficulty: int = 0
    """The difficulty of a check, or of crafting in a hurry; 0 for the usual one."""
    requires: bool = False
    """Whether a check requires the ability."""
    add: bool = True
    """Whether a crafted bonus is added, or removed."""
    hurry: bool = False
    """Whether a bonus is crafted in a hurry."""
    path: tuple[Space, ...] = ()
    """The spaces that a move enters, in order."""
    space: Space | None = None
    """The space that a blast is aimed at, or where a reposition puts its target."""
    swap: bool = False
    """Whether a reposition swaps the places of actor and target."""
    when: int | None = None
    """The moment of an interrupt: the number of spaces entered by the move, or None for the first possible moment."""

    @property
    def participants(self) -> tuple[str, ...]:
        """The ids of the fighters that it needs: the actor and the targets."""
        return (self.actor, *self.targets) if self.actor else self.targets

    @property
    def spec(self) -> ActionSpec:
        """The definition of the action.

        Raises `ScratchError` (`act.do`) if there is none by that name.
        """
        if self.do not in ALL_SPECS:
            raise ScratchError(Problem("act.do", f"one of {', '.join(ALL_SPECS)}", format_input(self.do), "the action"))
        return ALL_SPECS[self.do]

    def to_step(self) -> dict[str, object]:
        """Return the action as a step of a scenario file.

        Raises `ScratchError` (`act.do`) for an unknown name.
        """
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
        return written | self._build_board_step_keys()

    def _build_board_step_keys(self) -> dict[str, object]:
        written: dict[str, object] = {}
        spec = self.spec
        if spec.exposes == "path":
            written["path"] = [list(space) for space in self.path]
        if self.space is not None:
            written["at" if spec.targets.spaces else "to"] = list(self.space)
        if self.swap:
            written["swap"] = True
        return written if self.when is None else {**written, "when": self.when}
