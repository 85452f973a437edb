"""Characters: any input becomes a draft, a draft tells all its problems at once, and then becomes a character."""

from scratch_core.characters.action_modifiers import TurnAction, turn_actions
from scratch_core.characters.character import (
    ABOVE_AVERAGE,
    AVERAGE,
    DEFAULT_RULINGS,
    FIGURE_NAMES,
    Character,
    Limits,
    Line,
    TemporaryBonus,
    initiative_parts,
)
from scratch_core.characters.crafting import HURRY_DIFFICULTY, is_lost
from scratch_core.characters.draft import NAME_LIMIT, UNNAMED, Draft, from_json, read_limits, tidy
from scratch_core.characters.encumbrance import Effort, Weights, weights
from scratch_core.characters.hit_points import Condition, attack_damage, condition, lose_hp
from scratch_core.characters.minions import MOST_MINIONS, command_problems, read_minions
from scratch_core.characters.random_character import by_chance, suggested_name
from scratch_core.characters.raw_character import (
    HIGHEST_LEVEL,
    Entry,
    Printed,
    quote,
    read_level,
    read_quoted,
    without_bullet,
)
from scratch_core.characters.serialization import FORMAT, to_json
from scratch_core.characters.stat_block_parser import LINES_LIMIT, SHEET_LIMIT
from scratch_core.characters.stat_blocks import (
    Audit,
    Sheet,
    audit,
    read_sheet,
    write_name,
    write_sheet,
    write_stat_block,
)

__all__ = [
    "ABOVE_AVERAGE",
    "AVERAGE",
    "DEFAULT_RULINGS",
    "FIGURE_NAMES",
    "FORMAT",
    "HIGHEST_LEVEL",
    "HURRY_DIFFICULTY",
    "LINES_LIMIT",
    "MOST_MINIONS",
    "NAME_LIMIT",
    "SHEET_LIMIT",
    "UNNAMED",
    "Audit",
    "Character",
    "Condition",
    "Draft",
    "Effort",
    "Entry",
    "Limits",
    "Line",
    "Printed",
    "Sheet",
    "TemporaryBonus",
    "TurnAction",
    "Weights",
    "attack_damage",
    "audit",
    "by_chance",
    "command_problems",
    "condition",
    "from_json",
    "initiative_parts",
    "is_lost",
    "lose_hp",
    "quote",
    "read_level",
    "read_limits",
    "read_minions",
    "read_quoted",
    "read_sheet",
    "suggested_name",
    "tidy",
    "to_json",
    "turn_actions",
    "weights",
    "without_bullet",
    "write_name",
    "write_sheet",
    "write_stat_block",
]
