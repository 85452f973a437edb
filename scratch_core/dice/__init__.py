"""Dice: parse notation, roll it with every die recorded, and compute exact distributions."""

from scratch_core.dice.checks import (
    SIDES,
    Check,
    chance_of_check,
    check,
    face_needed,
)
from scratch_core.dice.d20_substitutes import SUBSTITUTES, added_to_face
from scratch_core.dice.distribution import Distribution, chance, distribution
from scratch_core.dice.inputs import read_difficulty, read_faces, read_number
from scratch_core.dice.notation import Expression, add_number, parse
from scratch_core.dice.rollers import RecordedFaces, Roller, SystemRoller, throw
from scratch_core.dice.rolling import Die, Roll, replay, roll

__all__ = [
    "SIDES",
    "SUBSTITUTES",
    "Check",
    "Die",
    "Distribution",
    "Expression",
    "RecordedFaces",
    "Roll",
    "Roller",
    "SystemRoller",
    "add_number",
    "added_to_face",
    "chance",
    "chance_of_check",
    "check",
    "distribution",
    "face_needed",
    "parse",
    "read_difficulty",
    "read_faces",
    "read_number",
    "replay",
    "roll",
    "throw",
]
