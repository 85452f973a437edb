"""Dice: notation to a tree, a tree to a roll with its faces recorded, or to its exact chances.

Read in this order: `notation` (text to tree), `checks` (the rulebook's d20 roll), `substitutes` (other dice that make
a face of 1 to 20), `rolling` (tree to faces and a sum), `counting` (sums of many dice as exact integer counts),
`chances` (tree to its distribution), `entries` (numbers and faces as people type them).
"""

from scratch_core.dice.chances import Distribution, chance, distribution
from scratch_core.dice.checks import (
    Check,
    chance_of_check,
    check,
    face_needed,
)
from scratch_core.dice.faces import RecordedFaces, Roller, SystemRoller, throw
from scratch_core.dice.notation import Expression, parse
from scratch_core.dice.rolling import Die, Roll, replay, roll
from scratch_core.dice.substitutes import SUBSTITUTES, added_to_face

__all__ = [
    "SUBSTITUTES",
    "Check",
    "Die",
    "Distribution",
    "Expression",
    "RecordedFaces",
    "Roll",
    "Roller",
    "SystemRoller",
    "added_to_face",
    "chance",
    "chance_of_check",
    "check",
    "distribution",
    "face_needed",
    "parse",
    "replay",
    "roll",
    "throw",
]
