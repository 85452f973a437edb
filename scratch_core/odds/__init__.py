"""Exact win chances, computed by the engine that plays the game; no rule is implemented a second time here.

The public interface of the duel solver:

    from scratch_core.characters import CharacterDraft
    from scratch_core.encounter.state import build_fighter
    from scratch_core.odds import build_twin, duel
    from scratch_core.rulebook import RulingSettings

    rulings = RulingSettings()
    character = CharacterDraft.from_stat_block(text).build_character()
    one = build_fighter(character, here=("level", "cover"), hp=3, rulings=rulings)
    solved = duel(one, other, rulings=rulings, escape="draw")       # or escape="loss"; build_twin(one) for a mirror
    chances = solved.win_probabilities("first")     # `one` has the first turn; "second": `other`; "initiative": by dice
    chances.first_wins.low                # the chance that `one` can guarantee itself
    chances.second_wins.low               # the chance that `other` can guarantee itself, in the same order of turns
    solved.opening_states["first"]        # the state of the engine at the start of that order
    solved.compute_guaranteed_chances(state)    # the two guaranteed chances in any reachable state
    solved.rank_actions(state)            # the useful actions, the best first, each with its cost

Values are within `TOLERANCE` of the true ones. `first_wins` is the highest chance that the first fighter can guarantee
itself against any play of the second: a fight that never ends, and with `draw` one that ends by an escape, counts as
not won. `second_wins` is the same for the second fighter, against its own worst case, so the two are values of
different games and need not sum to 1. The rest is `nobody`. With `loss`, the side of a fighter that escapes has lost.

Rolls are d20s as `encounter.decide` judges them. Every action of `encounter.legal_actions` is available except those
that only use up the turn, such as `nothing`: they equal the end of a turn and could delay the end of a fight for ever
without a roll. Every turn ends. A fighter that can do nothing, incapacitated or delayed, is passed over. `low` and
`high` of a solved duel are equal.
"""

from scratch_core.odds.duel import ORDERS, Duel, Order, ProbabilityRange, WinProbabilities, build_twin, duel
from scratch_core.odds.game_graph import ESCAPES, Escape, Policy
from scratch_core.odds.initiative import compute_chance_to_begin, compute_order_chances, list_initiative_bonuses
from scratch_core.odds.outcomes import (
    WeightedOutcome,
    compute_damage_distribution,
    compute_event_chances,
    compute_incapacitation_chances,
    compute_mean_rounds_to_incapacitate,
    list_outcomes,
)
from scratch_core.odds.playouts import Tally, choose_sensible_action, play_until_won, tally_playouts
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
    "compute_chance_to_begin",
    "compute_damage_distribution",
    "compute_event_chances",
    "compute_incapacitation_chances",
    "compute_mean_rounds_to_incapacitate",
    "compute_order_chances",
    "duel",
    "list_initiative_bonuses",
    "list_outcomes",
    "play_until_won",
    "tally_playouts",
]
