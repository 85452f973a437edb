"""The game master's hand: what someone at the head of the table changes in a fight, by no rule, in any order of turns.

A step of a file without an `actor`. It is no one's turn, stands among no legal acts, and waits for no interrupts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scratch_core.board import Space
from scratch_core.errors import Problem
from scratch_core.turn_systems.records import Field

SET_HP, CONDITION, JOIN, LEAVE = "set-hp", "condition", "join", "leave"
RETURN, REORDER = "return", "reorder"
CHANGE_SURROUNDINGS = "surroundings"

GM_ACTION_TITLES: Mapping[str, str] = {
    SET_HP: "setting hit points",
    CONDITION: "a condition",
    JOIN: "joining the fight",
    LEAVE: "leaving the fight",
    RETURN: "coming back",
    REORDER: "another order",
    CHANGE_SURROUNDINGS: "other surroundings",
}
"""What readers call each step of the game master's."""

DELAYED, PANICKED, EVADING, IN_COVER, IMMOBILIZED = "delayed", "panicked", "evading", "in-cover", "immobilized"
CONDITIONS = (DELAYED, PANICKED, EVADING, IN_COVER, IMMOBILIZED)
"""What the game master may give someone, or take away."""

MAX_FIGHTERS = 100
"""How many may be in a fight, those who have joined it included."""

TARGET = Field("target", "id", None, "whom it is about")
ORDER = Field("order", "names", None, "everybody's new order", high=MAX_FIGHTERS)
CHARACTER = Field("character", "character", None, "who comes, as in “characters”", attribute="newcomer")

COMMON_GM_FIELDS: Mapping[str, tuple[Field, ...]] = {
    JOIN: (CHARACTER,),
    LEAVE: (TARGET,),
    RETURN: (TARGET,),
}
"""The steps that every order of turns has, each with its fields."""


@dataclass(frozen=True, slots=True)
class GmAction:
    """What the game master does; the fields that a step doesn't have stay empty.

    `hp` is that of `set-hp`; `condition` one of `CONDITIONS`, given (`on`) or ended, an evade with its `bonus`.
    `newcomer` is who joins, as the order of turns has its fighters, `at` a space of the board, `after` whom it sits
    down next to, clockwise; `order` the new order; `surrounding` what the place offers everyone or, not `on`, offers no
    longer. `tree` is the step as it was written.
    """

    do: str
    target: str = ""
    hp: int = 0
    condition: str = ""
    bonus: int = 0
    on: bool = True
    newcomer: Any = None
    at: Space | None = None
    after: str = ""
    order: tuple[str, ...] = ()
    surrounding: str = ""
    tree: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def actor(self) -> str:
        """No one: it is the game master's."""
        return ""

    @property
    def participants(self) -> tuple[str, ...]:
        """Everyone who must be in the fight for it."""
        return tuple(each for each in (self.target, self.after) if each)

    def to_step(self) -> dict[str, object]:
        """The step as a file has it."""
        return {key: value for key, value in self.tree.items() if key not in ("note", "expect", "faces")}


def build_gm_problem(code: str, expected: str, got: str, do: str, **facts: Any) -> Problem:
    """Build the problem of a game master's step that can't be carried out; it breaks no rule, for it follows none."""
    return Problem(code, expected, got, GM_ACTION_TITLES[do], facts=facts)
