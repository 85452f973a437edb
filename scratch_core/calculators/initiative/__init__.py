"""The initiative calculator."""

from scratch_core.calculators.initiative.page import CONTROLS, View, view

__all__ = ["CONTROLS", "View", "view"]
