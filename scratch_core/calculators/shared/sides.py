"""Which sides the game master plays, and which characters share an initiative group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_PLAYERS_SIDES = frozenset(("us", "ours", "yours"))
"""The names of a side that the players play; every other side beside one of these is the game master's."""
_GAME_MASTERS_SIDES = frozenset(("them", "theirs"))
"""The names of a side that the game master plays, whichever others there are."""


def is_players_side(side: str) -> bool:
    """Return whether the players play a side by its name, such as *us* or *Us*."""
    return side.casefold() in _PLAYERS_SIDES


def is_own_side(side: str, own: str, name: str) -> bool:
    """Return whether a side is named after a character, by its id or its name."""
    return side in (own, name)


def side_name_of(fighter: Any) -> str:
    """Return the name of a character's side.

    Returns "" if it is named after the character, and so has no name of its own.
    """
    return "" if is_own_side(fighter.side, fighter.id, fighter.name) else fighter.side


def find_game_masters_sides(sides: Iterable[str]) -> frozenset[str]:
    """Find the sides that the game master plays: all but the players', where one of them is known by its name.

    Rule: `turn.group`.
    """
    known = frozenset(sides)
    if any(is_players_side(side) for side in known):
        return frozenset(side for side in known if not is_players_side(side))
    return frozenset(side for side in known if side.casefold() in _GAME_MASTERS_SIDES)


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
