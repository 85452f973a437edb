"""Rollers that only tests need; the others are in `scratch_core.dice`."""

from hypothesis import strategies as st


class ForbiddenRoller:
    """A roller that must not be used.

    An `AssertionError` ends the test. The problem of a `RecordedRoller` without faces would only reject a step.
    """

    def roll(self, sides: int) -> int:
        """Raise AssertionError."""
        raise AssertionError("a die was rolled that was not recorded")


class HypothesisRoller:
    """A roller whose faces Hypothesis chooses, so that it finds the smallest failing example."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data

    def roll(self, sides: int) -> int:
        """Return a face."""
        return self.data.draw(st.integers(1, sides))
