"""Characters: any input becomes a draft; a draft reports all its problems at once and builds a character."""

from scratch_core.characters.action_modifiers import TurnAction, list_character_actions
from scratch_core.characters.character import (
    DEFAULT_RULINGS,
    FIGURE_NAMES,
    AbilityLevel,
    Character,
    TemporaryBonus,
    initiative_parts,
)
from scratch_core.characters.crafting import HURRY_DIFFICULTY, is_bonus_lost
from scratch_core.characters.draft import (
    MAX_NAME_LENGTH,
    UNNAMED,
    CharacterDraft,
    character_from_dict,
    clean_line,
    parse_limits,
)
from scratch_core.characters.encumbrance import Effort, Weights, compute_weights
from scratch_core.characters.hit_points import Health, attack_damage, find_health, lose_hp
from scratch_core.characters.minions import MAX_MINIONS, command_problems, parse_minions
from scratch_core.characters.random_character import generate_character_with_any_minion, suggest_name
from scratch_core.characters.raw_character import (
    MAX_LEVEL,
    PrintedFigure,
    RawAbility,
    parse_leading_quote,
    parse_level,
    quote_name,
    strip_bullet,
)
from scratch_core.characters.serialization import character_to_dict
from scratch_core.characters.stat_block_parser import MAX_SHEET_LENGTH, MAX_SHEET_LINES
from scratch_core.characters.stat_blocks import (
    FigureAudit,
    Sheet,
    audit_figures,
    format_sheet,
    format_stat_block,
    parse_sheet,
    quote_name_if_needed,
)
from scratch_core.rulebook.creation_limits import ABOVE_AVERAGE, AVERAGE, Limits

__all__ = [
    "ABOVE_AVERAGE",
    "AVERAGE",
    "DEFAULT_RULINGS",
    "FIGURE_NAMES",
    "HURRY_DIFFICULTY",
    "MAX_LEVEL",
    "MAX_MINIONS",
    "MAX_NAME_LENGTH",
    "MAX_SHEET_LENGTH",
    "MAX_SHEET_LINES",
    "UNNAMED",
    "AbilityLevel",
    "Character",
    "CharacterDraft",
    "Effort",
    "FigureAudit",
    "Health",
    "Limits",
    "PrintedFigure",
    "RawAbility",
    "Sheet",
    "TemporaryBonus",
    "TurnAction",
    "Weights",
    "attack_damage",
    "audit_figures",
    "character_from_dict",
    "character_to_dict",
    "clean_line",
    "command_problems",
    "compute_weights",
    "find_health",
    "format_sheet",
    "format_stat_block",
    "generate_character_with_any_minion",
    "initiative_parts",
    "is_bonus_lost",
    "list_character_actions",
    "lose_hp",
    "parse_leading_quote",
    "parse_level",
    "parse_limits",
    "parse_minions",
    "parse_sheet",
    "quote_name",
    "quote_name_if_needed",
    "strip_bullet",
    "suggest_name",
]
