"""Which order of turns a file is in: decided here, once, wherever files are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scratch_core.encounter.turn_system import SCRATCH, SCRATCH_ON_BOARD
from scratch_core.errors import ScratchError
from scratch_core.scenario.parser import parse_text
from scratch_core.scenario.records import FORMAT, AnySystem
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

TURN_SYSTEMS: Mapping[str, AnySystem] = {SCRATCH.name: SCRATCH, **VARIANT_TURN_SYSTEMS}
"""Every order of turns by the name that a file gives it."""


def system_of(tree: Mapping[str, Any]) -> AnySystem | None:
    """The order of turns that a tree names, Scratch's own where it names none; None for a name that is none."""
    name = tree.get("system", SCRATCH.name)
    system = TURN_SYSTEMS.get(name) if isinstance(name, str) else None
    return SCRATCH_ON_BOARD if system is SCRATCH and "board" in tree else system


def find_system_name(text: str) -> str:
    """The name of the order of turns in the text of a file; Scratch's for none, and for what is no scenario."""
    try:
        tree, _ = parse_text(text)
    except ScratchError:
        return SCRATCH.name
    if not isinstance(tree, Mapping) or tree.get("format") != FORMAT:
        return SCRATCH.name
    return (system_of(tree) or SCRATCH).name
