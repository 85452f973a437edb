"""An action as somebody declares it, before anybody asks whether it is legal."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.catalogue import ACTIONS, ActionSummary

SUMMARIES: dict[str, ActionSummary] = {summary.do: summary for summary in ACTIONS}
"""The actions of a turn by name, as the quick reference has them."""

REFEREE: tuple[str, ...] = ("check", "craft", "end-encounter")
"""What happens outside anybody's turn."""

NAMES: tuple[str, ...] = (*SUMMARIES, "end-turn", *REFEREE)
"""Every name that `do` can have without a board."""

LISTED: tuple[str, ...] = ("double-attack", "blast")
"""The actions that name their targets in a list."""

AT_SOMEBODY: tuple[str, ...] = (
    *(do for do, summary in SUMMARIES.items() if summary.defence),
    "craft",
)
"""The actions that need a target or several."""

ROLLING: tuple[str, ...] = tuple(do for do, summary in SUMMARIES.items() if summary.defence)
"""The actions of a turn that roll."""

WITH: tuple[str, ...] = (*ROLLING, "evade")
"""The actions that may name the ability they are made with."""


@dataclass(frozen=True, slots=True)
class Action:
    """What somebody wants to do.

    `uses` are the abilities added: None leaves it to the rules (the best allowed), () means none. `ability` is that of
    a check or of a crafted bonus; `difficulty` and `requires` belong to a check, `add` and `hurry` to `craft`.
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

    def step(self) -> dict[str, object]:
        """The action as a step of a scenario file."""
        written: dict[str, object] = {"actor": self.actor, "do": self.do}
        if self.uses is not None:
            written["with"] = self.uses[0] if len(self.uses) == 1 else list(self.uses) if self.uses else "none"
        if self.do in LISTED:
            written["targets"] = list(self.targets)
        elif self.targets:
            written["target"] = self.targets[0]
        if self.do == "check":
            written |= {"ability": self.ability, "difficulty": self.difficulty, "requires": self.requires}
        if self.do == "craft":
            written |= {"ability": self.ability, "add": self.add, "hurry": self.hurry}
        return written
