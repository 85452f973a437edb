"""The players' screen: what the game master sets of it, and what it shows.

The game master says which sides are the players' and who is hidden; that stands in controls of the fight's query, also
before the screen is opened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scratch_core.calculators.fight.player_view import PlayerView, Visibility, build_player_view
from scratch_core.calculators.fight.roster import FighterRow, format_side_label
from scratch_core.calculators.fight.session import Fight
from scratch_core.calculators.shared.sides import is_players_side
from scratch_core.scenario import parse_json

SCREEN_CONTROL, SIDES_CONTROL, HIDDEN_CONTROL = "screen", "screen_sides", "screen_hidden"
CONTROLS = (SCREEN_CONTROL, SIDES_CONTROL, HIDDEN_CONTROL)
"""The screen's controls: whether it is on, the players' sides, and who is hidden, both as lists in JSON."""

HIDE_COMMAND = "hide"
"""The word before the id of a character that is hidden, or shown again."""

_MAX_NAMES = 100


@dataclass(frozen=True, slots=True)
class ToggleButton:
    """A button that turns something on or off: its words, whether it is on, and the settings after it, in JSON."""

    label: str
    is_on: bool
    settings_json: str


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """What the game master sets of the players' screen, whether it is open or not."""

    side_toggles: tuple[ToggleButton, ...]
    """A switch for each side: whether it is the players'."""
    hidden_toggles: Mapping[str, ToggleButton]
    """A switch for each character, by id: whether it is hidden from the players."""
    start_json: str
    """What starts the screen, in JSON; where no side was ever chosen, those called as the players' are theirs."""


def build_screen_settings(fields: Mapping[str, str], rows: Sequence[FighterRow]) -> ScreenSettings:
    """The settings of the players' screen; `rows` is everyone in the turn order."""
    sides, hidden = _list_players_sides(fields, rows), parse_names(fields[HIDDEN_CONTROL])
    people = [(row.fighter.id, row.fighter.name) for row in rows]
    all_sides = dict.fromkeys(row.fighter.side for row in rows)
    usual = [each for each in all_sides if is_players_side(each)]
    preset = {SIDES_CONTROL: json.dumps(usual)} if usual and not fields[SIDES_CONTROL] else {}
    return ScreenSettings(
        tuple(_build_toggle(SIDES_CONTROL, format_side_label(each, people), each, sides) for each in all_sides),
        {own: _build_toggle(HIDDEN_CONTROL, name, own, hidden) for own, name in people},
        json.dumps({SCREEN_CONTROL: "on", **preset}, separators=(",", ":")),
    )


def build_screen_view(fight: Fight, fields: Mapping[str, str], rows: Sequence[FighterRow]) -> PlayerView | None:
    """What the players see, None while the screen is off; `rows` is everyone in the turn order."""
    if not fields[SCREEN_CONTROL]:
        return None
    eyes = Visibility(frozenset(_list_players_sides(fields, rows)), frozenset(parse_names(fields[HIDDEN_CONTROL])))
    return build_player_view(fight, eyes, rows)


def _list_players_sides(fields: Mapping[str, str], rows: Sequence[FighterRow]) -> list[str]:
    """The players' sides; until the game master says, those with a name such as *us*."""
    if fields[SIDES_CONTROL]:
        return parse_names(fields[SIDES_CONTROL])
    return [each for each in dict.fromkeys(row.fighter.side for row in rows) if is_players_side(each)]


def hide_character(fields: dict[str, str], who: str) -> None:
    """Hide a character from the players."""
    fields[HIDDEN_CONTROL] = json.dumps(list(dict.fromkeys((*parse_names(fields[HIDDEN_CONTROL]), who))))


def toggle_hidden(fields: dict[str, str], who: str) -> None:
    """Hide a character from the players, or show it again."""
    fields |= parse_settings(_build_toggle(HIDDEN_CONTROL, "", who, parse_names(fields[HIDDEN_CONTROL])).settings_json)


def parse_settings(text: str) -> dict[str, str]:
    """The controls of the screen that a button sets, from its JSON; {} for what is none."""
    found = parse_json(text)
    if not isinstance(found, dict):
        return {}
    return {name: str(value) for name, value in found.items() if name in CONTROLS}


def carry_to_setup(fields: Mapping[str, str], new_ids: Mapping[str, str]) -> dict[str, str]:
    """Return the players' sides and who is hidden for a set-up whose characters have these ids, by their old ones."""
    hidden = [new_ids[each] for each in parse_names(fields[HIDDEN_CONTROL]) if each in new_ids]
    return {SIDES_CONTROL: fields[SIDES_CONTROL], HIDDEN_CONTROL: json.dumps(hidden) if hidden else ""}


def parse_names(text: str) -> list[str]:
    """A list of names as a control has it; [] for what is none."""
    found = parse_json(text)
    return [each for each in found if isinstance(each, str)][:_MAX_NAMES] if isinstance(found, list) else []


def _build_toggle(control: str, words: str, name: str, names: Sequence[str]) -> ToggleButton:
    is_on = name in names
    after = [each for each in names if each != name] if is_on else [*names, name]
    return ToggleButton(words, is_on, json.dumps({control: json.dumps(after)}))
