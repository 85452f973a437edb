"""The JSON form of a character, both ways: plain dictionaries, lists, texts and numbers.

    {"format": "scratch-character/1", "name": "Flipfire", "abilities": {"shooting": 2, "toughness": 4},
     "description": "…", "notes": {"shooting": "short rifle"}, "minion_of": "…", "bonuses": {"shooting": "Tinker"}}

All keys but `abilities` are optional. `printed` (figures by name) is parsed and audited, never written.
"""

from __future__ import annotations

from collections.abc import Mapping

from scratch_core.characters.character import FIGURE_NAMES, Character, TemporaryBonus
from scratch_core.characters.raw_character import PrintedFigure, RawAbility, RawCharacter, clean_line, parse_level
from scratch_core.errors import Location, Problem, Problems, format_input
from scratch_core.file_formats import CHARACTER_FORMAT
from scratch_core.rulebook.abilities import find_ability_name

_TEXTS = ("name", "description", "minion_of")
_TABLES = ("abilities", "notes", "bonuses", "printed")
_MAX_ENTRIES = 100


def character_to_dict(character: Character) -> dict[str, object]:
    """Convert a character to the JSON form, without empty values.

    `character_from_dict` is the inverse.
    """
    notes = {line.ability: line.note for line in character.lines if line.note}
    bonuses = {bonus.ability: bonus.crafter for bonus in character.bonuses}
    optional = {
        "description": character.description,
        "minion_of": character.minion_of,
        "notes": notes,
        "bonuses": bonuses,
    }
    return {
        "format": CHARACTER_FORMAT,
        "name": character.name,
        "abilities": {line.ability: line.level for line in character.lines},
        **{key: value for key, value in optional.items() if value},
    }


def parse_raw_character_with_faults(data: object) -> RawCharacter:
    """Parse data from a JSON or TOML file.

    Never raises; problems become faults.
    """
    if not isinstance(data, Mapping):
        expected, got = "a table of a character's parts", format_input(data)
        return RawCharacter(faults=(Problem("character.json", expected, got, "the file", "char.stat-line"),))
    faults = _structure_problems(data)
    texts = {key: data[key] for key in _TEXTS if isinstance(data.get(key), str)}
    tables = {key: _table_or_empty(data.get(key)) for key in _TABLES}
    entries = tuple(
        RawAbility(
            ability,
            _level_text(level),
            _text_or_empty(tables["notes"].get(ability)),
            Location("abilities", clean_line(ability)[:40]),
        )
        for ability, level in tables["abilities"].items()
    )
    bonuses = tuple(
        TemporaryBonus(find_ability_name(ability) or ability, clean_line(_text_or_empty(crafter)))
        for ability, crafter in tables["bonuses"].items()
    )
    printed: list[PrintedFigure] = []
    for name, value in tables["printed"].items():
        number = parse_level(_level_text(value), "printed")
        if name not in FIGURE_NAMES or isinstance(number, Problem):
            expected = f"figures by name ({', '.join(FIGURE_NAMES)})"
            got = f"{format_input(name)}: {format_input(value)}"
            faults.report("character.json", expected, got, "printed", "char.stat-line")
        else:
            printed.append(PrintedFigure(name, number, "printed"))
    return RawCharacter(
        entries=entries, printed=tuple(printed), bonuses=bonuses, faults=tuple(faults), where_cp="abilities", **texts
    )


def _structure_problems(data: Mapping[object, object]) -> Problems:
    faults, rule = Problems(), "char.stat-line"
    known = ("format", *_TEXTS, *_TABLES)
    for key in list(data)[:_MAX_ENTRIES]:
        if key not in known:
            faults.report_value("character.json", f"one of {', '.join(known)}", key, "the file", rule)
    if data.get("format", CHARACTER_FORMAT) != CHARACTER_FORMAT:
        faults.report_value("character.json", f'"{CHARACTER_FORMAT}"', data["format"], "format", rule)
    for key in _TEXTS:
        if not isinstance(data.get(key, ""), str):
            faults.report_value("character.json", "a text", data[key], key, rule)
    for key in _TABLES:
        value = data.get(key, {})
        if not isinstance(value, Mapping):
            faults.report_value("character.json", "a table by ability", value, key, rule)
        elif len(value) > _MAX_ENTRIES:
            faults.report("character.json", f"{_MAX_ENTRIES} entries at most", f"{len(value):,}", key, rule)
    return faults


def _table_or_empty(value: object) -> dict[str, object]:
    if not isinstance(value, Mapping) or len(value) > _MAX_ENTRIES:
        return {}
    return {str(key): item for key, item in value.items()}


def _text_or_empty(value: object) -> str:
    return value if isinstance(value, str) else ""


def _level_text(value: object) -> str:
    """Convert a level to text for `parse_level`, which rejects all but plain numbers."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**9:
        return "a number beyond all sense"
    return value if isinstance(value, str) else format_input(value)
