"""A character as the fields of its page: levels or a stat block, notes, minions, and the steps in play.

All pages use it: a character built on one page can be added on the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from scratch_core.calculators.characters_text.pasted_text import parse_pasted_sheet
from scratch_core.calculators.characters_text.sheet_log import apply_steps, parse_steps
from scratch_core.calculators.shared.query import parse_query
from scratch_core.calculators.shared.request import FieldParser
from scratch_core.characters import (
    UNNAMED,
    Character,
    CharacterDraft,
    Sheet,
    format_sheet,
    parse_minions,
    suggest_name,
)
from scratch_core.errors import Problem, Problems
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITY_NAMES, find_ability_name

FIGURE_RULINGS = ("strength_base", "strength_use_max", "detection_multiplier")
"""The rulings that change a figure or an initiative bonus, each with a control."""

MAX_NOTES = 30
"""The most lines of notes that may name an ability."""

_CONTROLS = ("sheet", "name", "description", *ABILITY_NAMES, "notes", "minions", *FIGURE_RULINGS, "play")


@dataclass(frozen=True, slots=True)
class BuiltCharacter:
    """A character and its minions."""

    main: CharacterDraft | None
    """The character. None if the stat block has none."""
    sheet_minions: tuple[CharacterDraft, ...] = ()
    """The minions in the stat block."""
    typed_minions: tuple[CharacterDraft, ...] = ()
    """The minions in the field for minions."""
    problems: tuple[Problem, ...] = ()
    """The problems that belong to no draft, each at its control. Without a character, those of the stat block's lines.
    """
    free_notes: tuple[str, ...] = ()
    """The lines of the notes that are on no ability of the character."""

    @property
    def minions(self) -> tuple[Character, ...]:
        """The valid minions."""
        return tuple(
            draft.build_character()
            for draft in (*self.sheet_minions, *self.typed_minions)
            if draft.can_build_character()
        )


def parse_built_character(fields: Mapping[str, str]) -> BuiltCharacter:
    """Parse the character and its minions from the fields.

    A stat block has precedence over levels. Never raises. Rules: `char.stat-line`, `char.ability-level`,
    `command.minions`.
    """
    problems = Problems()
    has_sheet = bool(fields["sheet"].strip())
    levels = CharacterDraft.from_levels(
        {name: fields[name] for name in ABILITY_NAMES}, fields["name"], fields["description"]
    )
    notes, free_notes = _split_notes(fields["notes"], () if has_sheet else [entry.ability for entry in levels.entries])
    entries = tuple(replace(entry, note=notes.get(entry.ability, "")) for entry in levels.entries)
    sheet = parse_pasted_sheet(fields["sheet"]) if has_sheet else Sheet((replace(levels, entries=entries),))
    if not sheet.drafts:
        return BuiltCharacter(None, problems=tuple(sheet.faults))
    main = sheet.drafts[0]
    followers = sheet.minions_of(main)
    others = len(sheet.drafts) - 1 - len(followers)
    if others:
        expected, got = "one character and its minions", f"{others} more, left out"
        problems.report("sheet.several", expected, got, "sheet", severity="advice", count=others)
    typed, minion_problems = parse_minions(fields["minions"], main.name.strip() or "the leader")
    return BuiltCharacter(main, tuple(followers), typed, (*problems, *minion_problems), tuple(free_notes))


def _split_notes(text: str, abilities: Collection[str]) -> tuple[dict[str, str], list[str]]:
    """Split the lines of the notes into those on an ability and free ones.

    A line on an ability is like `shooting: a long bow`. Returns the notes by ability, and the other lines.
    """
    notes: dict[str, str] = {}
    free_notes: list[str] = []
    for number, line in enumerate(each.strip() for each in text.split("\n") if each.strip()):
        name, _, note = (each.strip() for each in line.partition(":"))
        ability = find_ability_name(name) if note and number < MAX_NOTES else None
        if ability is None or ability not in abilities:
            free_notes.append(line)
        else:
            notes[ability] = f"{notes[ability]}; {note}" if ability in notes else note
    return notes, free_notes


def choose_display_name(character: Character) -> str:
    """Return the character's name, or a suggestion if it has none."""
    return character.name if character.name != UNNAMED else suggest_name(character) or character.name


def format_fight_sheet(
    characters: Sequence[Character], leader_name: str, rulings: RulingSettings, hp: int | None = None
) -> str:
    """Format a leader and its minions as stat blocks for a fight.

    `leader_name` is the leader's name, `hp` its remaining hit points (None for all). Rules: `char.stat-line`,
    `hp.start`.
    """
    leader, *minions = characters
    named = replace(leader, name=leader_name)
    sheet = format_sheet((named, *(replace(minion, minion_of=leader_name) for minion in minions)), rulings)
    if hp is None:
        return sheet
    head, _, rest = sheet.partition("\n")
    return f"{head}\nhp: {hp}\n{rest}"


def format_saved_character(saved_query: str) -> str:
    """Format a saved character and its minions as stat blocks.

    `saved_query` is the query of the saved character. Hit points are those of its sheet in play. Returns "" if the
    query is invalid, or has no abilities. Rules: `char.stat-line`, `hp.start`.
    """
    query = parse_query(saved_query)
    parser = FieldParser({name: query.text(name) for name in _CONTROLS})
    character = parse_built_character(parser.fields)
    if query.is_cut or character.main is None or not character.main.can_build_character():
        return ""
    main, rulings = (
        character.main.build_character(),
        RulingSettings.from_dict(parser.parse_ruling_settings(FIGURE_RULINGS)),
    )
    if not main.lines:
        return ""
    state = apply_steps(parse_steps(parser.fields["play"]), main.max_hp().value)
    hp = state.hp if state.hp < state.max_hp else None
    return format_fight_sheet((main, *character.minions), choose_display_name(main), rulings, hp)
