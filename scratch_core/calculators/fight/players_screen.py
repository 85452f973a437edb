"""The players' screen: what the game master sets of it, and what it shows.

The game master says which sides are the players' and who is hidden; that stands in controls of the fight's query, also
before the screen is opened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scratch_core.calculators.fight.player_view import Eyes, PlayerView, player_view
from scratch_core.calculators.fight.roster import Row, side_words
from scratch_core.calculators.fight.session import Fight
from scratch_core.calculators.shared.sides import PLAYERS_SIDES
from scratch_core.scenario import parse_json

ON, SIDES, HIDDEN = "screen", "screen_sides", "screen_hidden"
CONTROLS = (ON, SIDES, HIDDEN)
"""The screen's controls: whether it is on, the players' sides, and who is hidden, both as lists in JSON."""

HIDE = "hide"
"""The word before the id of a character that is hidden, or shown again."""

_MOST_NAMED = 100


@dataclass(frozen=True, slots=True)
class Switch:
    """A button that turns something on or off: its words, whether it is on, and the settings after it, in JSON."""

    words: str
    is_on: bool
    value: str


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """What the game master sets of the players' screen, whether it is open or not."""

    sides: tuple[Switch, ...]
    """A switch for each side: whether it is the players'."""
    hiding: Mapping[str, Switch]
    """A switch for each character, by id: whether it is hidden from the players."""
    start: str
    """What starts the screen, in JSON; where no side was ever chosen, those called as the players' are theirs."""


def settings_of(fields: Mapping[str, str], rows: Sequence[Row]) -> ScreenSettings:
    """The settings of the players' screen; `rows` is everyone in the turn order."""
    sides, hidden = _players_sides(fields, rows), names_in(fields[HIDDEN])
    people = [(row.fighter.id, row.fighter.name) for row in rows]
    all_sides = dict.fromkeys(row.fighter.side for row in rows)
    usual = [each for each in all_sides if each.casefold() in PLAYERS_SIDES]
    preset = {SIDES: json.dumps(usual)} if usual and not fields[SIDES] else {}
    return ScreenSettings(
        tuple(_switch(SIDES, side_words(each, people), each, sides) for each in all_sides),
        {own: _switch(HIDDEN, name, own, hidden) for own, name in people},
        json.dumps({ON: "on", **preset}, separators=(",", ":")),
    )


def view_of(fight: Fight, fields: Mapping[str, str], rows: Sequence[Row]) -> PlayerView | None:
    """What the players see, None while the screen is off; `rows` is everyone in the turn order."""
    if not fields[ON]:
        return None
    eyes = Eyes(frozenset(_players_sides(fields, rows)), frozenset(names_in(fields[HIDDEN])))
    return player_view(fight, eyes, rows)


def _players_sides(fields: Mapping[str, str], rows: Sequence[Row]) -> list[str]:
    """The players' sides; until the game master says, those with a name such as *us*."""
    if fields[SIDES]:
        return names_in(fields[SIDES])
    return [each for each in dict.fromkeys(row.fighter.side for row in rows) if each in PLAYERS_SIDES]


def hide(fields: dict[str, str], who: str) -> None:
    """Hide a character from the players."""
    fields[HIDDEN] = json.dumps(list(dict.fromkeys((*names_in(fields[HIDDEN]), who))))


def toggle_hidden(fields: dict[str, str], who: str) -> None:
    """Hide a character from the players, or show it again."""
    fields |= settings(_switch(HIDDEN, "", who, names_in(fields[HIDDEN])).value)


def settings(text: str) -> dict[str, str]:
    """The controls of the screen that a button sets, from its JSON; {} for what is none."""
    found = parse_json(text)
    if not isinstance(found, dict):
        return {}
    return {name: str(value) for name, value in found.items() if name in CONTROLS}


def carry_to_setup(fields: Mapping[str, str], new_ids: Mapping[str, str]) -> dict[str, str]:
    """Return the players' sides and who is hidden for a set-up whose characters have these ids, by their old ones."""
    hidden = [new_ids[each] for each in names_in(fields[HIDDEN]) if each in new_ids]
    return {SIDES: fields[SIDES], HIDDEN: json.dumps(hidden) if hidden else ""}


def names_in(text: str) -> list[str]:
    """A list of names as a control has it; [] for what is none."""
    found = parse_json(text)
    return [each for each in found if isinstance(each, str)][:_MOST_NAMED] if isinstance(found, list) else []


def _switch(control: str, words: str, name: str, names: Sequence[str]) -> Switch:
    is_on = name in names
    after = [each for each in names if each != name] if is_on else [*names, name]
    return Switch(words, is_on, json.dumps({control: json.dumps(after)}))
