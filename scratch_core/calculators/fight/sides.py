"""A set-up's people as columns, a side each; two at least, so that there is somewhere to add someone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.shared.form import assign_side_colours

US, THEM = "us", "them"
"""The sides of a set-up in which no one has written others."""


@dataclass(frozen=True, slots=True)
class Side:
    """A column: the side's name, "" for all who fight on their own; the number of its colour; its people, in order."""

    name: str
    colour: int
    fighters: tuple[Any, ...]

    @property
    def leaders(self) -> tuple[Any, ...]:
        """Its people by the basic rules, but for minions, who take their turns with their leaders."""
        return tuple(each for each in self.fighters if not each.is_minion)

    @property
    def has_separate_turns(self) -> bool:
        """Whether each takes a separate turn. Rule: `turn.group`."""
        return all(each.group == each.id for each in self.leaders)

    @property
    def label(self) -> str:
        """What stands above it."""
        return self.name[:1].upper() + self.name[1:] or "Free-for-all (no side)"


def build_sides(fighters: Sequence[Any]) -> tuple[Side, ...]:
    """Build the columns of a set-up, with an empty one for a missing side."""
    ids = {each.id for each in fighters}
    names = [side for side in dict.fromkeys(each.side for each in fighters) if side not in ids]
    names += [side for side in (US, THEM) if side not in names][: max(0, 2 - len(names))]
    colours = assign_side_colours((*(each.side for each in fighters), *names))
    found = [
        Side(side, colours[side], tuple(each for each in fighters if each.side == side))
        for side in sorted(names, key=lambda side: side not in (US, "yours"))
    ]
    alone = tuple(each for each in fighters if each.side in ids)
    return (*found, Side("", 0, alone)) if alone else tuple(found)
