"""The other turn systems by name: Mano a Mano in both revisions, and choose-next initiative with seizing."""

from collections.abc import Mapping
from typing import Any

from scratch_core.turn_systems.generic import GenericTurnSystem
from scratch_core.turn_systems.mano.turn_system import Mano
from scratch_core.turn_systems.mano_old.turn_system import ManoOld
from scratch_core.turn_systems.seize.turn_system import Seize

MANO, MANO_OLD, SEIZE = Mano(), ManoOld(), Seize()

VARIANT_TURN_SYSTEMS: Mapping[str, GenericTurnSystem[Any]] = {system.name: system for system in (MANO, MANO_OLD, SEIZE)}
"""The turn systems other than Scratch's own, by the name in a file."""
