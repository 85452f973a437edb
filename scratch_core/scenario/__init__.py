"""The scenario file in every turn system: parse it, play it, check its expectations, fork it."""

from scratch_core.scenario.field_types import WrongValue, value_of
from scratch_core.scenario.parser import SIZE_LIMIT, read_json, write_json
from scratch_core.scenario.playback import first_difference, fork, play
from scratch_core.scenario.playthrough import NoDice, Play, unfolded
from scratch_core.scenario.reader import read, read_tree
from scratch_core.scenario.records import (
    FORMAT,
    AnySystem,
    Difference,
    Played,
    Record,
    Scenario,
    Step,
    step_rounds,
)
from scratch_core.scenario.sample_files import SHIPPED, WAYS, worked_combat
from scratch_core.scenario.steps import WRITTEN, read_step
from scratch_core.scenario.turn_systems import SYSTEMS, named_in
from scratch_core.scenario.validation import CHARACTERS_LIMIT, STEPS_LIMIT

__all__ = [
    "CHARACTERS_LIMIT",
    "FORMAT",
    "SHIPPED",
    "SIZE_LIMIT",
    "STEPS_LIMIT",
    "SYSTEMS",
    "WAYS",
    "WRITTEN",
    "AnySystem",
    "Difference",
    "NoDice",
    "Play",
    "Played",
    "Record",
    "Scenario",
    "Step",
    "WrongValue",
    "first_difference",
    "fork",
    "named_in",
    "play",
    "read",
    "read_json",
    "read_step",
    "read_tree",
    "step_rounds",
    "unfolded",
    "value_of",
    "worked_combat",
    "write_json",
]
