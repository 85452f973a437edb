"""Changes by the game master: steps that follow no rule and exist in every turn system.

In a file such a step has no `actor`. It belongs to no turn, is never among the legal actions, and waits for no
interrupts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scratch_core.board import Space
from scratch_core.turn_systems.fields import COMMON_STEP_KEYS, Field

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
"""The name of each change in sentences for players."""

DELAYED, PANICKED, EVADING, IN_COVER, IMMOBILIZED = "delayed", "panicked", "evading", "in-cover", "immobilized"
CONDITIONS = (DELAYED, PANICKED, EVADING, IN_COVER, IMMOBILIZED)
"""The conditions that the game master may give or end."""

MAX_FIGHTERS = 100
"""The maximum number of fighters in a fight, including those who joined later."""

TARGET = Field("target", "id", None, "the character concerned")
ORDER = Field("order", "names", None, "the new order of all characters", high=MAX_FIGHTERS)
CHARACTER = Field("character", "character", None, "who comes, as in “characters”", attribute="newcomer")

COMMON_GM_FIELDS: Mapping[str, tuple[Field, ...]] = {
    JOIN: (CHARACTER,),
    LEAVE: (TARGET,),
    RETURN: (TARGET,),
}
"""The fields of the changes that every turn system has."""


@dataclass(frozen=True, slots=True)
class GmAction:
    """A change by the game master. Fields that the step does not have stay empty."""

    do: str
    """The name of the change, a key of `GM_ACTION_TITLES`."""
    target: str = ""
    """The id of the fighter that is changed."""
    hp: int = 0
    """The new hit points (`set-hp`)."""
    condition: str = ""
    """One of `CONDITIONS` (`condition`)."""
    bonus: int = 0
    """The bonus of an evade (`condition`)."""
    on: bool = True
    """Whether the condition begins, or the surrounding appears. False ends or removes it."""
    newcomer: Any = None
    """The fighter who joins, as the turn system builds it (`join`)."""
    at: Space | None = None
    """The newcomer's space on the map (`join`)."""
    after: str = ""
    """The id of the fighter whose seat is before the newcomer's, clockwise (`join`)."""
    order: tuple[str, ...] = ()
    """The ids of everyone in the new order (`reorder`)."""
    surrounding: str = ""
    """What the place offers to everyone, or no longer offers (`surroundings`)."""
    tree: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """The step as the file has it."""

    @property
    def title(self) -> str:
        """The change in words, which is the place of its problems."""
        return GM_ACTION_TITLES[self.do]

    @property
    def actor(self) -> str:
        """Always "": the game master is no fighter."""
        return ""

    @property
    def participants(self) -> tuple[str, ...]:
        """The ids of all fighters who must be in the fight."""
        return tuple(each for each in (self.target, self.after) if each)

    def to_step(self) -> dict[str, object]:
        """Return the change as a step of a file."""
        return {key: value for key, value in self.tree.items() if key not in COMMON_STEP_KEYS}
