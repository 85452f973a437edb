"""Dice: notation to a tree, a tree to a roll with its faces recorded, or to its exact chances.

Read in this order: `notation` (text to tree), `checks` (the rulebook's d20 roll), `substitutes` (other dice that make
a face of 1 to 20), `rolling` (tree to faces and a sum), `counting` (sums of many dice as exact integer counts),
`chances` (tree to its distribution), `entries` (numbers and faces as people type them).
"""

from scratch_core.dice.chances import Distribution, chance, distribution
from scratch_core.dice.checks import (
    SIDES,
    Check,
    chance_of_check,
    check,
    face_needed,
)
from scratch_core.dice.entries import read_difficulty, read_faces, read_number
from scratch_core.dice.faces import RecordedFaces, Roller, SystemRoller, throw
from scratch_core.dice.notation import Expression, add_number, parse
from scratch_core.dice.rolling import Die, Roll, replay, roll
from scratch_core.dice.substitutes import SUBSTITUTES, added_to_face

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
