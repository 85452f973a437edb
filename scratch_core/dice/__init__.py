"""Dice: parse notation, roll it with every die recorded, and compute exact distributions."""

from scratch_core.dice.checks import (
    Check,
    chance_of_check,
    check,
    face_needed,
)
from scratch_core.dice.d20_substitutes import SUBSTITUTES, find_substitute_modifier
from scratch_core.dice.distribution import Distribution, chance, compute_distribution
from scratch_core.dice.inputs import parse_difficulty, parse_faces, parse_number
from scratch_core.dice.notation import Expression, add_number, parse
from scratch_core.dice.rollers import (
    SIDES,
    FixedRoller,
    RecordedRoller,
    Roller,
    SeededRoller,
    SystemRoller,
    choose,
    choose_several,
    is_face,
    roll_valid_face,
)
from scratch_core.dice.rolls import Die, Roll, roll, roll_recorded

__all__ = [
    "SIDES",
    "SUBSTITUTES",
    "Check",
    "Die",
    "Distribution",
    "Expression",
    "FixedRoller",
    "RecordedRoller",
    "Roll",
    "Roller",
    "SeededRoller",
    "SystemRoller",
    "add_number",
    "chance",
    "chance_of_check",
    "check",
    "choose",
    "choose_several",
    "compute_distribution",
    "face_needed",
    "find_substitute_modifier",
    "is_face",
    "parse",
    "parse_difficulty",
    "parse_faces",
    "parse_number",
    "roll",
    "roll_recorded",
    "roll_valid_face",
]
