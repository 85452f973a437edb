"""What can be done in a fight: one function for each rule, from a scene and an action to what comes of it.

Read in this order: `action` (what is declared), `bars` (conditions and the turn's ledger), `choosing` (abilities in a
roll), `figures_now` (defences and rolls), `attacks`, `turn_acts`, `support`, `legality` (all of it as yes or no).
"""

from scratch_core.actions import attacks, support, turn_acts
from scratch_core.actions.action import AT_SOMEBODY, LISTED, NAMES, REFEREE, ROLLING, WITH, Action
from scratch_core.actions.attacks import Outcome, Throw, is_barred
from scratch_core.actions.bars import Scene, absence_problems, must_evade
from scratch_core.actions.figures_now import FightRoll, agility, defence, intelligence, strength
from scratch_core.actions.legality import listed_actions, listed_names, peace_actions, problems
from scratch_core.actions.support import check_problems, craft_problems, is_locked
from scratch_core.actions.words import TITLES, broken

RESOLVE = {**attacks.RESOLVE, **turn_acts.RESOLVE, **support.RESOLVE}
"""What carries out each action, by its name."""

assert set(RESOLVE) == set(NAMES)

__all__ = [
    "AT_SOMEBODY",
    "LISTED",
    "NAMES",
    "REFEREE",
    "RESOLVE",
    "ROLLING",
    "TITLES",
    "WITH",
    "Action",
    "FightRoll",
    "Outcome",
    "Scene",
    "Throw",
    "absence_problems",
    "agility",
    "broken",
    "check_problems",
    "craft_problems",
    "defence",
    "intelligence",
    "is_barred",
    "is_locked",
    "listed_actions",
    "listed_names",
    "must_evade",
    "peace_actions",
    "problems",
    "strength",
]
