"""Sides: their names and colours, those that the game master plays, and the initiative groups of their characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any

_PLAYERS_SIDES = frozenset(("us", "ours", "yours"))
"""The names of sides that the players play. If there is such a side, all others are the game master's."""
_GAME_MASTERS_SIDES = frozenset(("them", "theirs"))
"""The names of sides that the game master always plays."""

NAMED_COLOURS = {"blue": 1, "violet": 2, "teal": 3, "red": 5}
"""The number of each colour that a side may be named after."""
_COLOURS = (1, 2, 3, 4, 5)
"""The numbers of all colours, in the order in which sides get them."""
_USUAL_COLOURS = {
    "us": 1,
    "ours": 1,
    "yours": 1,
    "heroes": 1,
    "them": 2,
    "theirs": 2,
    "rivals": 2,
    "bandits": 3,
    "strangers": 4,
}
"""The number of the colour of each name that the site proposes for a side."""


def is_players_side(side: str) -> bool:
    """Return whether the players play a side with this name, such as *Us*."""
    return side.casefold() in _PLAYERS_SIDES


def is_own_side(side: str, own: str, name: str) -> bool:
    """Return whether a side is named after a character, by the character's id or name."""
    return side in (own, name)


def side_name_of(fighter: Any) -> str:
    """Return the name of a character's side.

    Returns "" if the side is named after the character, and so has no name of its own.
    """
    return "" if is_own_side(fighter.side, fighter.id, fighter.name) else fighter.side


def find_game_masters_sides(sides: Iterable[str]) -> frozenset[str]:
    """Return the sides that the game master plays.

    These are all but the players' sides if one has a name of theirs, else the sides that are called *them* or *theirs*.
    Rule: `turn.group`.
    """
    all_sides = frozenset(sides)
    if any(is_players_side(side) for side in all_sides):
        return frozenset(side for side in all_sides if not is_players_side(side))
    return frozenset(side for side in all_sides if side.casefold() in _GAME_MASTERS_SIDES)


def map_gm_characters_to_groups(characters: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the initiative group of each character of the game master, by id.

    Each of the game master's sides is a group (ruling A44). It is called `the <side>` if a character has the side's
    name as an id. Minions are left out, because they share their leader's group. Rules: `turn.group`,
    `command.minions`.
    """
    ids = {str(each["id"]) for each in characters}
    sides = find_game_masters_sides(str(each["side"]) for each in characters if "side" in each)
    return {
        str(each["id"]): f"the {each['side']}" if each["side"] in ids else str(each["side"])
        for each in characters
        if each.get("side") in sides and "minion_of" not in each
    }


def assign_side_colours(sides: Iterable[str]) -> dict[str, int]:
    """Assign each side the number of a colour, 1 to 5.

    A side named after a colour has that colour. Each of the others, in order, has the usual colour of its name, or the
    first free colour if its name has none or an earlier side has taken it. If no colour is free, the sides take turns
    at all five. A side that is added last changes another colour only if it is named after that colour.
    """
    names = tuple(dict.fromkeys(sides))
    colours = {side: NAMED_COLOURS[side.lower()] for side in names if side.lower() in NAMED_COLOURS}
    repeated = cycle(_COLOURS)
    for side in names:
        if side in colours:
            continue
        free = [colour for colour in _COLOURS if colour not in colours.values()]
        usual_colour = _USUAL_COLOURS.get(side.lower())
        colours[side] = usual_colour if usual_colour in free else free[0] if free else next(repeated)
    return {side: colours[side] for side in names}
