"""The scenario file: read it, play it, hold its expectations, fork it.

Read in this order: `records` (what a scenario is), `text` (a file to its tree), `expecting` (what may be expected),
`reading` (a tree to a scenario, or all its problems), `playing` (a scenario to what came of it), `orders` (the same
for the other turn orders), `systems` (the entry points, whatever the system), `worked_combat`.
"""

from scratch_core.scenario.expecting import state_tree
from scratch_core.scenario.orders.records import OrderPlayed, OrderRecord, OrderScenario, OrderStep
from scratch_core.scenario.playing import Difference, Played, Record, first_difference
from scratch_core.scenario.records import FORMAT, Scenario, Step
from scratch_core.scenario.systems import fork, play, read, read_tree
from scratch_core.scenario.text import SIZE_LIMIT
from scratch_core.scenario.worked_combat import SHIPPED, WAYS, worked_combat

__all__ = [
    "FORMAT",
    "SHIPPED",
    "SIZE_LIMIT",
    "WAYS",
    "Difference",
    "OrderPlayed",
    "OrderRecord",
    "OrderScenario",
    "OrderStep",
    "Played",
    "Record",
    "Scenario",
    "Step",
    "first_difference",
    "fork",
    "play",
    "read",
    "read_tree",
    "state_tree",
    "worked_combat",
]
