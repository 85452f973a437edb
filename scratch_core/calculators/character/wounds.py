"""The hit points that a character has left in fights of its reader, to be taken over into its sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scratch_core.calculators.handed import Handed
from scratch_core.calculators.query import parse_query
from scratch_core.errors import ScratchError

MOST_FIGHTS = 3
"""As many fights as are looked into, the latest first: each is played through."""

MOST_CHARACTERS = 200_000
"""Of one fight's query."""


@dataclass(frozen=True, slots=True)
class InFight:
    """A fight with the character in it: what it is called, and the character's hit points at its end so far."""

    name: str
    hp: int
    max_hp: int


def found_in(fights: Sequence[Handed], name: str) -> tuple[InFight, ...]:
    """The fights in which somebody of that name takes part, by the basic rules. Never raises. Rule: `hp.damage`."""
    from scratch_core.scenario import play, read  # a character's page starts without every order of turns
    from scratch_core.state import Fighter

    found = []
    for fight in fights[:MOST_FIGHTS]:
        try:
            people = play(read(parse_query(fight.query, MOST_CHARACTERS).text("log"))).final.fighters
        except ScratchError:
            continue
        fighters = [each for each in people if isinstance(each, Fighter)]
        named = [each for each in fighters if each.name.casefold() == name.casefold()]
        found += [InFight(fight.name, each.hp, each.numbers.max_hp) for each in named[:1]]
    return tuple(found)
