"""Dice for tests: one face, those of a seed, none, those that Hypothesis throws."""

import random

from hypothesis import strategies as st


class SeededRoller:
    """Dice that fall alike in every run."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def roll(self, sides: int) -> int:
        """Give a face."""
        return self.random.randint(1, sides)


class FixedRoller:
    """Dice that always show the same face."""

    def __init__(self, face: int) -> None:
        self.face = face

    def roll(self, sides: int) -> int:
        """The face."""
        return self.face


class ForbiddenRoller:
    """Dice that no one should need."""

    def roll(self, sides: int) -> int:
        """Refuse."""
        raise AssertionError("a die was thrown that nobody gave")


class HypothesisRoller:
    """Dice that Hypothesis throws."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data

    def roll(self, sides: int) -> int:
        """A face."""
        return self.data.draw(st.integers(1, sides))
