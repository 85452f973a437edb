"""Exact win chances, computed by the engine that plays the game; no rule is written a second time here.

The public interface of the duel solver:

    from scratch_core.rulebook import Rulings
    from scratch_core.characters import Draft
    from scratch_core.odds import duel, twin
    from scratch_core.encounter.state import fighter

    one = fighter(Draft.from_stat_block(text).character(), here=("level", "cover"), hp=3, rulings=Rulings())
    solved = duel(one, other, rulings=Rulings(), escape="draw")     # or escape="loss"; twin(one) for a mirror
    solved.chances("first").first_wins.low    # what `one` can make sure of when `one` has the first turn
    solved.chances("first").second_wins.low   # what `other` can, in the same order
    solved.chances("first").no one.low        # the rest; "second": `other` has the first turn; "initiative": by dice
    solved.begun["first"]                     # the state of the engine at which that order begins
    solved.worth(state)                       # the same two numbers in any state that can come up
    solved.choices(state)                     # the acts worth thinking of, the best first, with what each costs

Values are within `TOLERANCE` of the true ones. `first_wins` is the most that the first of two can make sure of whatever
the second does: a fight that never ends, and with `draw` one that is escaped from, counts as not won. `second_wins` is
the same for the second, against its own worst case, so the two are values of two different games and need not sum to 1.
With `loss` whoever escapes has lost. Rolls are d20s as `encounter.decide` judges them, and every action of
`encounter.legal_actions` is open but `nothing`: it is the end of a turn told twice, and may be done for ever in one
turn, so that a fight could be kept from ending without a die. Every turn ends. Whoever can do nothing at all, down or
delayed, is passed over. `low` and `high` of a solved duel are equal.
"""

from scratch_core.odds.duel import ORDERS, Duel, Order, ProbabilityRange, WinProbabilities, build_twin, duel
from scratch_core.odds.game_graph import ESCAPES, Escape, Policy
from scratch_core.odds.initiative import compute_first_chance, compute_order_chances, list_initiative_bonuses
from scratch_core.odds.outcomes import (
    WeightedOutcome,
    compute_damage_distribution,
    compute_drop_chances,
    compute_event_chances,
    compute_rounds_to_drop,
    list_outcomes,
)
from scratch_core.odds.playouts import Tally, choose_sensible_action, play_out, play_out_many
from scratch_core.odds.solver import Game, RatedAction
from scratch_core.odds.value_iteration import TOLERANCE

__all__ = [
    "ESCAPES",
    "ORDERS",
    "TOLERANCE",
    "Duel",
    "Escape",
    "Game",
    "Order",
    "Policy",
    "ProbabilityRange",
    "RatedAction",
    "Tally",
    "WeightedOutcome",
    "WinProbabilities",
    "build_twin",
    "choose_sensible_action",
    "compute_damage_distribution",
    "compute_drop_chances",
    "compute_event_chances",
    "compute_first_chance",
    "compute_order_chances",
    "compute_rounds_to_drop",
    "duel",
    "list_initiative_bonuses",
    "list_outcomes",
    "play_out",
    "play_out_many",
]
