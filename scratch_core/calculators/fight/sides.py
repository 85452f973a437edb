"""The sides of a setup as columns, at least two, so that the player can add characters to each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.board.placement import format_side_for_token
from scratch_core.calculators.board.setup import Token
from scratch_core.calculators.shared.sides import assign_side_colours

US, THEM = "us", "them"
"""The names of the sides that a setup has while its characters name fewer than two."""


@dataclass(frozen=True, slots=True)
class Side:
    """A column of a setup."""

    name: str
    """The name of the side, or "" for the characters that fight on their own."""
    colour: int
    """The number of the side's colour, from 1; 0 for the characters that fight on their own."""
    fighters: tuple[Any, ...]
    """The characters of the side, in order."""
    waiting_names: tuple[str, ...] = ()
    """The names of its tokens on the map that have no character."""

    @property
    def non_minion_fighters(self) -> tuple[Any, ...]:
        """The characters but for minions, who act in their leaders' turns."""
        return tuple(each for each in self.fighters if not each.is_minion)

    @property
    def has_separate_turns(self) -> bool:
        """Whether each character takes a separate turn. Rule: `turn.group`."""
        return all(each.group == each.id for each in self.non_minion_fighters)

    @property
    def has_shared_turn(self) -> bool:
        """Whether all characters take one turn together. Rule: `turn.group`."""
        return len({each.group for each in self.fighters}) == 1

    @property
    def label(self) -> str:
        """The heading of the column."""
        return self.name[:1].upper() + self.name[1:] or "Free-for-all (no side)"


def build_at_least_two_sides(fighters: Sequence[Any], waiting_tokens: Sequence[Token] = ()) -> tuple[Side, ...]:
    """Build the columns of a setup, with an empty one for a missing side.

    A token of the map that waits for a character has a column for its side. The players' side (*us* or *yours*) comes
    first, the characters that fight on their own last.
    """
    ids = {each.id for each in fighters}
    names = [side for side in dict.fromkeys(each.side for each in fighters) if side not in ids]
    known_names = {*ids, *map(format_side_for_token, names)}
    names += dict.fromkeys(each.side for each in waiting_tokens if each.side not in known_names)
    names += [side for side in (US, THEM) if side not in names][: max(0, 2 - len(names))]
    colours = assign_side_colours((*(each.side for each in fighters), *names))
    columns = [
        Side(
            side,
            colours[side],
            tuple(each for each in fighters if each.side == side),
            tuple(each.name for each in waiting_tokens if each.side == format_side_for_token(side)),
        )
        for side in sorted(names, key=lambda side: side not in (US, "yours"))
    ]
    own_side_fighters = tuple(each for each in fighters if each.side in ids)
    return (*columns, Side("", 0, own_side_fighters)) if own_side_fighters else tuple(columns)
