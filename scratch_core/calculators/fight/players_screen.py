"""The players' screen: the GM's settings for it, and its content.

The GM sets which sides are the players' and which characters are hidden. The settings are controls of the fight's
query, also before the screen is opened.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from scratch_core.calculators.fight.player_view import PlayerView, build_player_view
from scratch_core.calculators.fight.roster import FighterRow, format_side_name
from scratch_core.calculators.fight.session import Fight
from scratch_core.calculators.fight.visibility import Visibility, map_visible_ids_to_known_names
from scratch_core.calculators.shared.sides import is_players_side
from scratch_core.scenario import parse_json_or_none

SCREEN_CONTROL, SIDES_CONTROL, HIDDEN_CONTROL = "screen", "screen_sides", "screen_hidden"
CONTROLS = (SCREEN_CONTROL, SIDES_CONTROL, HIDDEN_CONTROL)
"""The screen's controls: whether it is on, the players' sides, and the hidden ids (both as JSON lists)."""

HIDE_COMMAND = "hide"
"""The command that hides a character or shows it again. The character's id follows it."""

_MAX_NAMES = 100
"""The maximum number of names read from a control."""


@dataclass(frozen=True, slots=True)
class ToggleButton:
    """A button that turns a setting on or off."""

    label: str
    """The words on the button."""
    is_on: bool
    """Whether the setting is on."""
    settings_json: str
    """The controls that the button sets, as a JSON object."""


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """The GM's settings of the players' screen, whether it is open or not."""

    side_toggles: tuple[ToggleButton, ...]
    """A button for each side, on if the side is the players'."""
    hidden_toggles: Mapping[str, ToggleButton]
    """A button for each character by id, on if the character is hidden from the players."""
    start_json: str
    """The controls that open the screen, as a JSON object. If no side was chosen before, it includes the sides with a
    name such as *us*."""
    names_for_players: tuple[tuple[str, str], ...]
    """The visible characters that the players know by another name: the name, and theirs."""


def build_screen_settings(fields: Mapping[str, str], rows: Sequence[FighterRow]) -> ScreenSettings:
    """Build the settings of the players' screen.

    `rows` are all characters in the turn order.
    """
    sides, hidden = _list_players_sides(fields, rows), parse_json_names(fields[HIDDEN_CONTROL])
    ids_and_names = [(row.fighter.id, row.fighter.name) for row in rows]
    all_sides = dict.fromkeys(row.fighter.side for row in rows)
    default_sides = [each for each in all_sides if is_players_side(each)]
    default_setting = {SIDES_CONTROL: json.dumps(default_sides)} if default_sides and not fields[SIDES_CONTROL] else {}
    return ScreenSettings(
        tuple(_build_toggle(SIDES_CONTROL, format_side_name(each, ids_and_names), each, sides) for each in all_sides),
        {own: _build_toggle(HIDDEN_CONTROL, name, own, hidden) for own, name in ids_and_names},
        json.dumps({SCREEN_CONTROL: "on", **default_setting}, separators=(",", ":")),
        _list_names_for_players(ids_and_names, hidden),
    )


def _list_names_for_players(
    ids_and_names: Sequence[tuple[str, str]], hidden_ids: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """List the visible characters whose number differs for the players, with both names."""
    visible = [(own, name) for own, name in ids_and_names if own not in hidden_ids]
    known_names = map_visible_ids_to_known_names(visible)
    return tuple((name, known_names[own]) for own, name in visible if known_names[own] != name)


def build_screen_view(fight: Fight, fields: Mapping[str, str], rows: Sequence[FighterRow]) -> PlayerView | None:
    """Build what the players see. Returns None while the screen is off.

    `rows` are all characters in the turn order.
    """
    if not fields[SCREEN_CONTROL]:
        return None
    visibility = Visibility(
        frozenset(_list_players_sides(fields, rows)), frozenset(parse_json_names(fields[HIDDEN_CONTROL]))
    )
    return build_player_view(fight, visibility, rows)


def _list_players_sides(fields: Mapping[str, str], rows: Sequence[FighterRow]) -> list[str]:
    """List the players' sides.

    Until the GM chooses sides, they are those with a name such as *us*.
    """
    if fields[SIDES_CONTROL]:
        return parse_json_names(fields[SIDES_CONTROL])
    return [each for each in dict.fromkeys(row.fighter.side for row in rows) if is_players_side(each)]


def hide_character(fields: Mapping[str, str], who: str) -> dict[str, str]:
    """Return the screen's control after hiding a character from the players."""
    return {HIDDEN_CONTROL: json.dumps(list(dict.fromkeys((*parse_json_names(fields[HIDDEN_CONTROL]), who))))}


def toggle_hidden_character(fields: Mapping[str, str], character_id: str) -> dict[str, str]:
    """Return the screen's control after hiding a character from the players, or showing it again."""
    return parse_screen_settings(
        _build_toggle(HIDDEN_CONTROL, "", character_id, parse_json_names(fields[HIDDEN_CONTROL])).settings_json
    )


def parse_screen_settings(text: str) -> dict[str, str]:
    """Parse the screen's controls from the JSON of a button.

    Ignores other controls. Returns {} if the text is no JSON object.
    """
    settings = parse_json_or_none(text)
    if not isinstance(settings, dict):
        return {}
    return {name: str(value) for name, value in settings.items() if name in CONTROLS}


def convert_settings_for_setup(fields: Mapping[str, str], new_ids: Mapping[str, str]) -> dict[str, str]:
    """Return the screen's settings for a setup with new ids.

    `new_ids` are the characters' new ids by their old ones. Hidden characters without a new id are left out.
    """
    hidden = [new_ids[each] for each in parse_json_names(fields[HIDDEN_CONTROL]) if each in new_ids]
    return {SIDES_CONTROL: fields[SIDES_CONTROL], HIDDEN_CONTROL: json.dumps(hidden) if hidden else ""}


def drop_hidden_ids(fields: Mapping[str, str], known_ids: Collection[str]) -> dict[str, str]:
    """Return the screen's control without hidden characters that are no longer in a setup.

    Otherwise a new character with the same id would be hidden.
    """
    hidden = [each for each in parse_json_names(fields[HIDDEN_CONTROL]) if each in known_ids]
    return {HIDDEN_CONTROL: json.dumps(hidden) if hidden else ""}


def parse_json_names(text: str) -> list[str]:
    """Parse a JSON list of names.

    Returns [] if the text is no JSON list. Ignores items that are no strings, and names beyond `_MAX_NAMES`.
    """
    names = parse_json_or_none(text)
    return [each for each in names if isinstance(each, str)][:_MAX_NAMES] if isinstance(names, list) else []


def _build_toggle(control: str, label: str, name: str, names: Sequence[str]) -> ToggleButton:
    """Build the button that adds a name to a control's list, or removes it."""
    is_on = name in names
    names_after = [each for each in names if each != name] if is_on else [*names, name]
    return ToggleButton(label, is_on, json.dumps({control: json.dumps(names_after)}))
