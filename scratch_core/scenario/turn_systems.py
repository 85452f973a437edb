"""The turn system of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scratch_core.encounter.turn_system import SCRATCH, SCRATCH_ON_BOARD
from scratch_core.errors import ScratchError
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.scenario.parser import parse_toml_or_json
from scratch_core.scenario.records import AnySystem
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

TURN_SYSTEMS: Mapping[str, AnySystem] = {SCRATCH.name: SCRATCH, **VARIANT_TURN_SYSTEMS}
"""All turn systems by the name that a file uses."""


def find_turn_system_or_default(tree: Mapping[str, Any]) -> AnySystem | None:
    """Find the turn system that a tree names. Scratch's own is the default.

    Returns None for an unknown name.
    """
    name = tree.get("system", SCRATCH.name)
    system = TURN_SYSTEMS.get(name) if isinstance(name, str) else None
    return SCRATCH_ON_BOARD if system is SCRATCH and "board" in tree else system


def detect_turn_system_name(text: str) -> str:
    """Find the name of the turn system in a file's text.

    Returns Scratch's own if the text names none, or is no scenario.
    """
    try:
        tree, _ = parse_toml_or_json(text)
    except ScratchError:
        return SCRATCH.name
    if not isinstance(tree, Mapping) or tree.get("format") != SCENARIO_FORMAT:
        return SCRATCH.name
    return (find_turn_system_or_default(tree) or SCRATCH).name
