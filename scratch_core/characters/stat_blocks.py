"""Sheets of stat blocks, parsed and formatted, and an audit of their printed figures.

A stat block is the format in which players already write their characters; see `stat_block_parser`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from scratch_core.characters.character import DEFAULT_RULINGS, Character
from scratch_core.characters.draft import CharacterDraft
from scratch_core.characters.minions import command_problems
from scratch_core.characters.raw_character import clean_line, parse_leading_quote, quote_name
from scratch_core.characters.stat_block_parser import parse_blocks
from scratch_core.errors import Problem, Problems, format_input
from scratch_core.figures import Figure
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.creation_limits import AVERAGE, Limits

_SETUP_WORD = re.compile(r"(?:side|group|here|hp|at)\b", re.IGNORECASE)
"""The start of a line of a fight's set-up that is no name."""
_PRINTED = ("agility", "intelligence", "strength", "stamina")


@dataclass(frozen=True, slots=True)
class Sheet:
    """All characters of one text."""

    drafts: tuple[CharacterDraft, ...]
    """The characters, in order."""
    faults: tuple[Problem, ...] = ()
    """The problems of the text as a whole."""

    def has_abilities_and_no_sheet_faults(self) -> bool:
        """Return whether the sheet has at least one ability and no faults of its own."""
        return not self.faults and any(draft.entries for draft in self.drafts)

    def problems(self, limits: Limits = AVERAGE, rulings: RulingSettings = DEFAULT_RULINGS) -> tuple[Problem, ...]:
        """Return the problems of every character, and between leaders and minions.

        Never raises.
        """
        own = [problem for draft in self.drafts for problem in draft.problems(limits, rulings)]
        return (*self.faults, *own, *self._command_problems())

    def minions_of(self, leader: CharacterDraft) -> tuple[CharacterDraft, ...]:
        """Return the drafts that name this leader."""
        return tuple(draft for draft in self.drafts if draft.minion_of and _is_same_name(draft.minion_of, leader.name))

    def _command_problems(self) -> Problems:
        problems = Problems()
        for leader in self.drafts:
            minions = [draft for draft in self.minions_of(leader) if draft.can_build_character()]
            if minions and leader.can_build_character():
                characters = [draft.build_character() for draft in minions]
                places = [draft.where for draft in minions]
                problems += command_problems(leader.build_character(), characters, leader.where, places)
        names = [draft.name for draft in self.drafts]
        for draft in self.drafts:
            if draft.minion_of and not any(_is_same_name(draft.minion_of, name) for name in names):
                expected = "the leader in the same sheet, to hold its minions against its command"
                got, rule = f"{format_input(draft.minion_of)} elsewhere", "command.cp-limit"
                problems.report(
                    "command.elsewhere", expected, got, draft.where, rule, severity="advice", leader=draft.minion_of
                )
        return problems


def parse_sheet(text: str) -> Sheet:
    """Parse every stat block of a text.

    The limits are `MAX_SHEET_LENGTH` characters and `MAX_SHEET_LINES` lines. Never raises. Rules: `char.stat-line`,
    `char.ability-level`.
    """
    blocks, faults = parse_blocks(text)
    return Sheet(tuple(map(CharacterDraft.from_raw, blocks)), faults)


@dataclass(frozen=True, slots=True)
class FigureAudit:
    """A printed figure compared with the computed one. A difference is marked and is no error."""

    name: str
    """The figure's name."""
    printed: int
    """The printed number."""
    computed: Figure
    """The figure by the rules."""
    agrees: bool
    """Whether the two are equal."""
    agrees_with_base_8: bool
    """Whether the printed number is right with a `strength_base` of 8 (ruling K01)."""


def audit_figures(
    draft: CharacterDraft, character: Character, rulings: RulingSettings = DEFAULT_RULINGS
) -> tuple[FigureAudit, ...]:
    """Compare every printed figure with the character's.

    Rules: `char.stat-line`, `def.strength.fallback`.
    """
    figures = character.figures(rulings)
    with_8 = character.figures(replace(rulings, strength_base=8))
    return tuple(
        FigureAudit(
            printed.name,
            printed.value,
            figures[printed.name],
            printed.value == figures[printed.name].value,
            printed.value == with_8[printed.name].value,
        )
        for printed in draft.printed
    )


@lru_cache(maxsize=1_000)
def quote_name_if_needed(name: str) -> str:
    """Format a name for the first line of a stat block. Rule: `char.stat-line`.

    Quotes the name if it would be parsed as something else.
    """
    is_plain = not _SETUP_WORD.match(name) and not _may_open_quotation(name)
    block, with_figures = f"{name}\n1 toughness", f"{name} (1 agility): a note\n1 toughness"
    for text in (block, f"Zed\n1 toughness\n\n{block}", f"Zed\n1 toughness\n\n{with_figures}"):
        blocks, _ = parse_blocks(text)
        last = blocks[-1] if blocks else None
        is_plain = is_plain and last is not None and last.name == name and not last.faults and len(last.entries) == 1
    return name if is_plain else quote_name(name)


def _may_open_quotation(name: str) -> bool:
    """Return whether a name opens a quotation.

    The rest of its line may close it, so that the line is parsed as another name.
    """
    return any(parse_leading_quote(f"{name}{end}") for end in ("", ' "', " ”", " “"))


def format_stat_block(character: Character, rulings: RulingSettings = DEFAULT_RULINGS) -> str:
    """Format a character as a stat block that parses to the same character.

    Temporary bonuses are omitted, because they are not the character's own. Rule: `char.stat-line`.
    """
    own = replace(character, bonuses=())
    figures = ", ".join(f"{own.figures(rulings)[name].value} {name}" for name in _PRINTED)
    lines = [f"{quote_name_if_needed(own.name)} ({figures})" + (f": {own.description}" if own.description else "")]
    if own.minion_of:
        lines.append(f"minion of {own.minion_of}")
    lines += [f"{line.level} {line.ability}" + (f": {line.note}" if line.note else "") for line in own.lines]
    return "\n".join(lines)


def format_sheet(characters: Sequence[Character], rulings: RulingSettings = DEFAULT_RULINGS) -> str:
    """Format several stat blocks, separated by empty lines."""
    return "\n\n".join(format_stat_block(character, rulings) for character in characters)


def _is_same_name(one: str, other: str) -> bool:
    return clean_line(one).casefold() == clean_line(other).casefold()
