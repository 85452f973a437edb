"""People as they are typed: stat blocks for the basic rules, a line each for the other orders of turns.

It stands below all pages: a fight, the odds of a duel and the initiative read the same text in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.form import numbered, slug
from scratch_core.calculators.names import NameIndex
from scratch_core.errors import Problem

PLAYERS_SIDES = frozenset(("us", "ours", "yours"))
"""The names of a side that the players play; every other side beside one of these is the game master's."""
GAME_MASTERS_SIDES = frozenset(("them", "theirs"))
"""The names of a side that the game master plays, whichever others there are."""


@dataclass(frozen=True, slots=True)
class People:
    """Those who take part as a scenario has them, what is wrong with the text, and the line that each stands on.

    `numbers` is () where somebody is more than a line.
    """

    characters: tuple[dict[str, Any], ...]
    problems: tuple[Problem, ...]
    numbers: tuple[int, ...] = ()

    @property
    def names(self) -> NameIndex:
        """The id of each character by the names that it may be called by."""
        return NameIndex.build((each["id"], each["name"], each["id"]) for each in self.characters)

    @property
    def is_ready(self) -> bool:
        """Whether a fight can begin with them."""
        return bool(self.characters) and all(problem.severity != "error" for problem in self.problems)


def find_game_masters_sides(sides: Iterable[str]) -> frozenset[str]:
    """Find the sides that the game master plays: all but the players', where one of them is known by its name.

    Rule: `turn.group`.
    """
    known = {side: side.casefold() for side in sides}
    if PLAYERS_SIDES.isdisjoint(known.values()):
        return frozenset(side for side, name in known.items() if name in GAME_MASTERS_SIDES)
    return frozenset(side for side, name in known.items() if name not in PLAYERS_SIDES)


def find_shared_groups(characters: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Find the initiative group of each of the game master's characters by their ids: one for each side (ruling A44).

    Minions are left out, for they share their leader's. Rules: `turn.group`, `command.minions`.
    """
    ids = {str(each["id"]) for each in characters}
    sides = find_game_masters_sides(str(each["side"]) for each in characters if "side" in each)
    return {
        str(each["id"]): f"the {each['side']}" if each["side"] in ids else str(each["side"])
        for each in characters
        if each.get("side") in sides and "minion_of" not in each
    }


def identified(names: Sequence[str], nameless: str) -> list[tuple[str, str]]:
    """An id and a name for each of these names, those that come again numbered; `nameless-2` where no id is left."""
    own = numbered(names, " ")
    ids = numbered([slug(name) or f"{nameless}-{place}" for place, name in enumerate(own, 1)], "-")
    return list(zip(ids, own, strict=True))
