"""The dice calculator."""

from scratch_core.calculators.dice.page import CONTROLS, View, view

__all__ = ["CONTROLS", "View", "view"]
