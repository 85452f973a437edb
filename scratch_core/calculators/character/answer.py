"""The answer about a valid character: its figures, actions, stat block and sheets to print."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from scratch_core.calculators.character.print_sheet import (
    CharacterSummary,
    PrintSheet,
    build_character_summary,
    build_print_sheet,
)
from scratch_core.calculators.character.validated_character import ValidatedCharacter
from scratch_core.calculators.characters_text.built_character import choose_display_name
from scratch_core.characters import (
    FigureAudit,
    TurnAction,
    audit_figures,
    character_to_dict,
    format_sheet,
    list_character_actions,
)
from scratch_core.rulebook import RulingSettings


@dataclass(frozen=True, slots=True)
class CharacterAnswer:
    """The answer for a valid character."""

    name: str
    """The character's name, or a suggestion if it has none."""
    main: CharacterSummary
    """The character with its figures."""
    highest_level: int
    """The highest level of its abilities."""
    minions: tuple[CharacterSummary, ...]
    """The valid minions with their figures."""
    minions_cp: int
    """The sum of the minions' character points."""
    actions: tuple[TurnAction, ...]
    """The actions that the character has in a turn."""
    audits: tuple[FigureAudit, ...]
    """The figures written in a stat block, compared with the rules."""
    sheet_text: str
    """The stat blocks of the character and its minions. Free notes are part of the description."""
    free_notes: tuple[str, ...]
    """The lines of the notes that are on no ability of the character."""
    json: str
    """The character and its minions as JSON. Free notes are part of the description."""
    print_sheets: tuple[PrintSheet, ...]
    """The sheets to print, of the character and of each minion."""


def build_answer(character: ValidatedCharacter, rulings: RulingSettings) -> CharacterAnswer | None:
    """Build the answer.

    Returns None if the character is invalid or has no abilities.
    """
    main, draft, minions = character.main, character.draft, character.minions
    if draft is None or main is None or not main.lines:
        return None
    description = "; ".join(filter(None, (main.description, *character.free_notes)))
    exported = (replace(main, description=description), *minions)  # a stat block has no place for free notes
    documents = [character_to_dict(each) for each in exported]
    document = documents[0] if not minions else {**documents[0], "minions": documents[1:]}
    name = choose_display_name(main)
    main_summary, *minion_summaries = [build_character_summary(each, rulings) for each in (main, *minions)]
    return CharacterAnswer(
        name=name,
        main=main_summary,
        highest_level=max(line.level for line in main.lines),
        minions=tuple(minion_summaries),
        minions_cp=sum(minion.cp().value for minion in minions),
        actions=list_character_actions(main),
        audits=audit_figures(draft, main, rulings),
        sheet_text=format_sheet(exported, rulings),
        free_notes=character.free_notes,
        json=json.dumps(document, ensure_ascii=False, indent=2),
        print_sheets=(
            build_print_sheet(main_summary, name),
            *(build_print_sheet(each, each.character.name) for each in minion_summaries),
        ),
    )
