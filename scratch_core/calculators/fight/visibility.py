"""What the players of a fight may see: which characters, by which names, and whose numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.shared.sides import is_own_side
from scratch_core.turn_systems import BaseFighter, FighterStatus, HiddenCharacterError

INCAPACITATED = "incapacitated"
"""The condition of a character at 0 hit points, as a turn system names it."""

_MAX_COPY_NUMBER = 40
"""The highest number that marks a copy of a stat block. A higher one is part of the name: Agent 47."""

_NUMBERED_NAME = re.compile(r"(.*\S) ([1-9][0-9]{0,3})")
"""A name that ends in a number, as copies of a stat block have it: the base name and the number."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """What the players may see."""

    players_sides: frozenset[str] = frozenset()
    """The sides whose hit points and totals the players know."""
    hidden_ids: frozenset[str] = frozenset()
    """The ids of the characters that are hidden from the players."""

    def is_hidden(self, who: str) -> bool:
        """Return whether a character is hidden from the players."""
        return who in self.hidden_ids

    def list_visible_under_known_names(self, fighters: Iterable[Any]) -> tuple[Any, ...]:
        """List the visible characters in the same order.

        They have the names that the players know, see `map_visible_ids_to_known_names`.
        """
        visible = [each for each in fighters if not self.is_hidden(each.id)]
        names = map_visible_ids_to_known_names([(each.id, str(each.name)) for each in visible])
        return tuple(_rename_fighter_and_own_side(each, names[each.id]) for each in visible)

    def build_reader(self, visible_fighters: Iterable[Any]) -> PlayerReader:
        """Build the reader for the visible characters, which have their visible names."""
        fighters = tuple(visible_fighters)
        return PlayerReader(
            {each.id: str(each.name) for each in fighters},
            frozenset(each.id for each in fighters if each.side in self.players_sides),
        )

    def redact_status(self, status: FighterStatus, side: str) -> FighterStatus:
        """Return a status without what the players may not know.

        `side` is the side of its character. The condition `incapacitated` becomes `down`. A character of another side
        has no hit points, and no effect or number whose label contains a digit.
        """
        status = replace(status, condition="down" if status.condition == INCAPACITATED else status.condition)
        if side in self.players_sides:
            return status
        effects = tuple(each for each in status.effects if not re.search(r"[0-9]", each.short_label.split(":")[0]))
        numbers = tuple(each for each in status.numbers if not re.search(r"[0-9]", f"{each.word} {each.value}"))
        return replace(status, hp=None, max_hp=None, effects=effects, numbers=numbers)


@dataclass(frozen=True, slots=True)
class PlayerReader:
    """The players as readers of narrations."""

    names: Mapping[str, str]
    """The names of the visible characters, by id."""
    own_ids: frozenset[str]
    """The ids of the visible characters whose numbers the players know."""

    def get_name(self, fighter: BaseFighter) -> str:
        """Return the name of a visible character.

        Raises `HiddenCharacterError` for a hidden one.
        """
        if fighter.id not in self.names:
            raise HiddenCharacterError
        return self.names[fighter.id]

    def may_read_numbers_of(self, owner: str) -> bool:
        """Return whether the players may read the numbers of a character, by id."""
        return owner in self.own_ids


def map_visible_ids_to_known_names(visible_ids_and_names: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the names by which the players know the visible characters, by id.

    `visible_ids_and_names` are the ids and names of the visible characters, and the result depends on nothing else.
    Copies of a stat block are numbered from 1, or from 2 if another character has the bare name. A single copy has no
    number.
    """
    names = dict(visible_ids_and_names)
    copies: dict[str, list[tuple[int, str, str]]] = {}
    for own, name in visible_ids_and_names:
        match = _NUMBERED_NAME.fullmatch(name)
        if match and int(match[2]) <= _MAX_COPY_NUMBER:
            copies.setdefault(match[1].casefold(), []).append((int(match[2]), own, match[1]))
    bare = {name.casefold() for _, name in visible_ids_and_names}
    for key, same_copies in copies.items():
        ranked = sorted(same_copies, key=lambda each: each[0])
        first = 2 if key in bare and ranked[0][0] > 1 else 1
        is_alone = len(ranked) == 1 and key not in bare
        names |= {own: base if is_alone else f"{base} {n}" for n, (_, own, base) in enumerate(ranked, first)}
    return names


def _rename_fighter_and_own_side(fighter: Any, name: str) -> Any:
    """Rename a character, together with a side of its own."""
    side = name if is_own_side(fighter.side, fighter.id, fighter.name) else fighter.side
    return replace(fighter, name=name, side=side)
