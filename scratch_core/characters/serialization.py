"""The JSON form of a character, both ways: plain dictionaries, lists, texts and numbers.

    {"format": "scratch-character/1", "name": "Flipfire", "abilities": {"shooting": 2, "toughness": 4},
     "description": "…", "notes": {"shooting": "short rifle"}, "minion_of": "…", "bonuses": {"shooting": "Tinker"}}

All but `abilities` may be missing. `printed` (figures by name) is read and audited, never written.
"""

from __future__ import annotations

from collections.abc import Mapping

from scratch_core.characters.character import FIGURE_NAMES, Character, TemporaryBonus
from scratch_core.characters.raw_character import Entry, Printed, Written, read_level, tidy
from scratch_core.errors import Problem, shown
from scratch_core.rulebook.abilities import canonical

FORMAT = "scratch-character/1"
"""The tag that says which form a dictionary has."""

_TEXTS = ("name", "description", "minion_of")
_TABLES = ("abilities", "notes", "bonuses", "printed")
_ENTRIES_LIMIT = 100


def to_json(character: Character) -> dict[str, object]:
    """The JSON form; what is empty is left out. `from_json` gives the same character back."""
    notes = {line.ability: line.note for line in character.lines if line.note}
    bonuses = {bonus.ability: bonus.crafter for bonus in character.bonuses}
    optional = {
        "description": character.description,
        "minion_of": character.minion_of,
        "notes": notes,
        "bonuses": bonuses,
    }
    return {
        "format": FORMAT,
        "name": character.name,
        "abilities": {line.ability: line.level for line in character.lines},
        **{key: value for key, value in optional.items() if value},
    }


def read_dict(data: object) -> Written:
    """What stands in whatever came out of a JSON or TOML file. Never raises."""
    if not isinstance(data, Mapping):
        return Written(faults=(_fault("a table of a character's parts", shown(data), "the file"),))
    faults = [*_key_faults(data)]
    texts = {key: data[key] for key in _TEXTS if isinstance(data.get(key), str)}
    tables = {key: _table(data.get(key)) for key in _TABLES}
    entries = tuple(
        Entry(ability, _level_text(level), _text(tables["notes"].get(ability)), f"abilities.{tidy(ability)[:40]}")
        for ability, level in tables["abilities"].items()
    )
    bonuses = tuple(
        TemporaryBonus(canonical(ability) or ability, tidy(_text(crafter)))
        for ability, crafter in tables["bonuses"].items()
    )
    printed: list[Printed] = []
    for name, value in tables["printed"].items():
        number = read_level(_level_text(value), "printed")
        if name not in FIGURE_NAMES or isinstance(number, Problem):
            expected = f"figures by name ({', '.join(FIGURE_NAMES)})"
            faults.append(_fault(expected, f"{shown(name)}: {shown(value)}", "printed"))
        else:
            printed.append(Printed(name, number, "printed"))
    return Written(
        entries=entries, printed=tuple(printed), bonuses=bonuses, faults=tuple(faults), where_cp="abilities", **texts
    )


def _key_faults(data: Mapping[object, object]) -> list[Problem]:
    faults: list[Problem] = []
    known = ("format", *_TEXTS, *_TABLES)
    for key in list(data)[:_ENTRIES_LIMIT]:
        if key not in known:
            faults.append(_fault(f"one of {', '.join(known)}", shown(key), "the file"))
    if data.get("format", FORMAT) != FORMAT:
        faults.append(_fault(f'"{FORMAT}"', shown(data["format"]), "format"))
    for key in _TEXTS:
        if not isinstance(data.get(key, ""), str):
            faults.append(_fault("a text", shown(data[key]), key))
    for key in _TABLES:
        value = data.get(key, {})
        if not isinstance(value, Mapping):
            faults.append(_fault("a table by ability", shown(value), key))
        elif len(value) > _ENTRIES_LIMIT:
            faults.append(_fault(f"{_ENTRIES_LIMIT} entries at most", f"{len(value):,}", key))
    return faults


def _table(value: object) -> dict[str, object]:
    if not isinstance(value, Mapping) or len(value) > _ENTRIES_LIMIT:
        return {}
    return {str(key): item for key, item in value.items()}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _level_text(value: object) -> str:
    """A level as text for `read_level`, which refuses everything that is no plain number."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**9:
        return "a number beyond all sense"
    return value if isinstance(value, str) else shown(value)


def _fault(expected: str, got: str, where: str) -> Problem:
    return Problem("character.json", expected, got, where, "char.stat-line")
