"""Where a character begins: with nothing, as an archetype of the cast, by chance, or with the levels of a sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from scratch_core.calculators.characters_text.pasted_text import parse_pasted_sheet
from scratch_core.cast import ARCHETYPES, get_member
from scratch_core.characters import Character, Limits, generate_character_with_minion, parse_leading_quote, quote_name
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook.abilities import ABILITY_NAMES, find_ability_name

EMPTY, CHANCE, LEVELS, SHEET = "empty", "chance", "levels", "sheet"
"""What `start` may be, beside the id of someone of the cast: no one yet, someone by chance, the sheet as levels, or
no one but the sheet."""

PLAY_CONTROLS = ("at", "play")
"""Whether the sheet is in play, and what befell the character there."""

CHARACTER_CONTROLS = ("sheet", "name", "description", *ABILITY_NAMES, "notes", "minions", *PLAY_CONTROLS)
"""The controls that hold a character and its log. A start fills all of them."""


@cache
def list_archetypes() -> tuple[tuple[str, Character], ...]:
    """The archetypes of the cast by their ids, without their minions: someone to start from."""
    return tuple((member.id, member.build_character()) for member in ARCHETYPES)


def build_start_fields(
    start: str, fields: Mapping[str, str], limits: Limits, roller: Roller | None
) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """The controls that a start sets, by name, and what is wrong with it; none where nothing is started.

    A random start needs a roller: a link alone never generates a character.
    """
    wanted = start.strip()
    if not wanted or (wanted == CHANCE and roller is None):
        return {}, ()
    if wanted in (EMPTY, SHEET):
        return {**dict.fromkeys(CHARACTER_CONTROLS, ""), "sheet": fields["sheet"] if wanted == SHEET else ""}, ()
    if wanted == CHANCE and roller is not None:
        return characters_to_fields(generate_character_with_minion(roller, limits)), ()
    if wanted == LEVELS:
        return _convert_sheet_to_levels(fields["sheet"])
    try:
        member = get_member(wanted)
    except ScratchError as error:
        return {}, (Problem("start.unknown", error.problem.expected, format_input(wanted), "start"),)
    return characters_to_fields(
        (member.build_character(), *(get_member(each).build_character() for each in member.minions))
    ), ()


def _convert_sheet_to_levels(sheet: str) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """The first character of a sheet that can be read, and its minions, as controls."""
    read = parse_pasted_sheet(sheet)
    if not read.drafts or not read.drafts[0].is_readable():
        got = "the stat block can't be shown as levels yet"
        return {}, (Problem("start.levels", "Correct it first", got, "sheet", "char.stat-line"),)
    drafts = read.drafts
    minions = [draft for draft in read.minions_of(drafts[0]) if draft.is_readable()]
    found = characters_to_fields([draft.build_character() for draft in (drafts[0], *minions)])
    return {name: found[name] for name in found if name not in PLAY_CONTROLS}, ()


def _format_minion_name(name: str) -> str:
    """Write a minion's name, in quotation marks where its line would be misread bare."""
    return quote_name(name) if ":" in name or find_ability_name(name) or parse_leading_quote(name) else name


def characters_to_fields(people: Sequence[Character]) -> dict[str, str]:
    """A character and its minions as controls; only abilities without a rule stay behind (ruling K05)."""
    fields = dict.fromkeys(CHARACTER_CONTROLS, "")
    if not people:
        return fields
    main, *minions = people
    known = [line for line in main.lines if line.ability in ABILITY_NAMES]
    fields |= {line.ability: str(line.level) for line in known}
    fields |= {
        "name": main.name,
        "description": main.description,
        "notes": "\n".join(f"{line.ability}: {line.note}" for line in known if line.note),
        "minions": "\n".join(
            f"{_format_minion_name(minion.name)}: " + ", ".join(f"{line.level} {line.ability}" for line in minion.lines)
            for minion in minions
        ),
    }
    return fields
