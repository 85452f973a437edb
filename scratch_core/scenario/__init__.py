"""The scenario file, whatever its order of turns: read it, play it, hold its expectations, fork it.

Read in this order: `records` (what a scenario is, and what comes of one), `text` (a file to its tree), `systems`
(which order of turns it is in), `fields` (the values of its keys), `expecting` (what may be expected), `steps` and
`reading` (a tree to a scenario, or all its problems), `play` (one step more, one step less), `playing` (a scenario to
what came of it), `worked_combat`.
"""

from scratch_core.scenario.fields import WrongValue, value_of
from scratch_core.scenario.noting import CHARACTERS_LIMIT, STEPS_LIMIT
from scratch_core.scenario.play import NoDice, Play, unfolded
from scratch_core.scenario.playing import first_difference, fork, play
from scratch_core.scenario.reading import read, read_tree
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
from scratch_core.scenario.steps import WRITTEN, read_step
from scratch_core.scenario.systems import SYSTEMS, named_in
from scratch_core.scenario.text import SIZE_LIMIT, read_json, write_json
from scratch_core.scenario.worked_combat import SHIPPED, WAYS, worked_combat

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
