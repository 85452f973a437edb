"""Ways to start a character: empty, an archetype of the cast, at random, or with the levels of a stat block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from scratch_core.calculators.characters_text.pasted_text import parse_pasted_sheet
from scratch_core.cast import ARCHETYPES, get_member
from scratch_core.characters import (
    Character,
    Limits,
    generate_character_with_any_minion,
    parse_leading_quote,
    quote_name,
)
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook.abilities import ABILITY_NAMES, find_ability_name

EMPTY, CHANCE, LEVELS, SHEET = "empty", "chance", "levels", "sheet"
"""The other values of `start`, which are no ids of the cast: no character, a random one, the stat block converted to
levels, or only the stat block."""

PLAY_CONTROLS = ("at", "play")
"""The controls for the mode of the sheet and its steps in play."""

CHARACTER_CONTROLS = ("sheet", "name", "description", *ABILITY_NAMES, "notes", "minions", *PLAY_CONTROLS)
"""The controls that hold a character and its steps. A start fills all of them."""


@cache
def list_archetypes() -> tuple[tuple[str, Character], ...]:
    """List the archetypes of the cast with their ids, without minions."""
    return tuple((member.id, member.build_character()) for member in ARCHETYPES)


def build_start_fields(start: str, fields: Mapping[str, str], limits: Limits, roller: Roller | None) -> dict[str, str]:
    """Build the fields that a start sets, by control.

    Returns {} if nothing starts. Raises `ScratchError` for an unknown start (`start.unknown`) or an invalid stat block
    (`start.levels`).
    """
    start_name = start.strip()
    build_fields = STARTS.get(start_name)
    return build_fields(fields, limits, roller) if build_fields else _build_member_fields(start_name)


def _build_no_fields(fields: Mapping[str, str], limits: Limits, roller: Roller | None) -> dict[str, str]:
    return {}


def _clear_character(fields: Mapping[str, str], limits: Limits, roller: Roller | None) -> dict[str, str]:
    return dict.fromkeys(CHARACTER_CONTROLS, "")


def _clear_all_but_sheet(fields: Mapping[str, str], limits: Limits, roller: Roller | None) -> dict[str, str]:
    return {**dict.fromkeys(CHARACTER_CONTROLS, ""), "sheet": fields["sheet"]}


def _generate_character(fields: Mapping[str, str], limits: Limits, roller: Roller | None) -> dict[str, str]:
    """Generate a random character within the limits.

    Returns {} without a roller: a link alone never generates a character.
    """
    return {} if roller is None else characters_to_fields(generate_character_with_any_minion(roller, limits))


def _convert_sheet_to_level_fields(fields: Mapping[str, str], limits: Limits, roller: Roller | None) -> dict[str, str]:
    """Convert the first character of a stat block and its minions to fields.

    Raises `ScratchError` (`start.levels`) if the character is invalid.
    """
    parsed_sheet = parse_pasted_sheet(fields["sheet"])
    if not parsed_sheet.drafts or not parsed_sheet.drafts[0].can_build_character():
        got = "the stat block can't be shown as levels yet"
        raise ScratchError(Problem("start.levels", "Correct it first", got, "sheet", "char.stat-line"))
    drafts = parsed_sheet.drafts
    minions = [draft for draft in parsed_sheet.minions_of(drafts[0]) if draft.can_build_character()]
    texts = characters_to_fields([draft.build_character() for draft in (drafts[0], *minions)])
    texts["notes"] = "\n".join(filter(None, (texts["notes"], fields["notes"])))
    return {name: texts[name] for name in texts if name not in PLAY_CONTROLS}


def _build_member_fields(start_name: str) -> dict[str, str]:
    """Build the fields of a member of the cast and its minions.

    Raises `ScratchError` (`start.unknown`) if there is no such member.
    """
    try:
        member = get_member(start_name)
    except ScratchError as error:
        problem = Problem("start.unknown", error.problem.expected, format_input(start_name), "start")
        raise ScratchError(problem) from None
    return characters_to_fields(
        (member.build_character(), *(get_member(each).build_character() for each in member.minions))
    )


Start = Callable[[Mapping[str, str], Limits, Roller | None], dict[str, str]]
"""A start that is no member of the cast: builds fields from the present ones, the limits and the roller."""

STARTS: Mapping[str, Start] = {
    "": _build_no_fields,
    EMPTY: _clear_character,
    SHEET: _clear_all_but_sheet,
    CHANCE: _generate_character,
    LEVELS: _convert_sheet_to_level_fields,
}
"""The starts by the text in the control. Any other text is a member of the cast."""


def _quote_minion_name_if_needed(name: str) -> str:
    """Format a minion's name, in quotation marks if its line would be misread."""
    return quote_name(name) if ":" in name or find_ability_name(name) or parse_leading_quote(name) else name


def characters_to_fields(characters: Sequence[Character]) -> dict[str, str]:
    """Convert a character and its minions to fields.

    Abilities without a rule are omitted (ruling K05).
    """
    fields = dict.fromkeys(CHARACTER_CONTROLS, "")
    if not characters:
        return fields
    main, *minions = characters
    known_levels = [line for line in main.lines if line.ability in ABILITY_NAMES]
    fields |= {line.ability: str(line.level) for line in known_levels}
    fields |= {
        "name": main.name,
        "description": main.description,
        "notes": "\n".join(f"{line.ability}: {line.note}" for line in known_levels if line.note),
        "minions": "\n".join(
            f"{_quote_minion_name_if_needed(minion.name)}: "
            + ", ".join(f"{line.level} {line.ability}" for line in minion.lines)
            for minion in minions
        ),
    }
    return fields
