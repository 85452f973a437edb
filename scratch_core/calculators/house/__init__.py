"""The house calculator."""

from scratch_core.calculators.house.page import CONTROLS, View, view

__all__ = ["CONTROLS", "View", "view"]
