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

from scratch_core.odds.duel import ORDERS, Bounds, Chances, Duel, Order, duel, twin
from scratch_core.odds.game_graph import ESCAPES, Escape, Policy
from scratch_core.odds.initiative import bonuses, first_chance, order_chances
from scratch_core.odds.outcomes import Way, damage, distribution, dropped_after, rounds_to_drop, ways
from scratch_core.odds.playouts import Tally, play_out, play_outs, sensible
from scratch_core.odds.solver import Choice, Game
from scratch_core.odds.value_iteration import TOLERANCE

__all__ = [
    "ESCAPES",
    "ORDERS",
    "TOLERANCE",
    "Bounds",
    "Chances",
    "Choice",
    "Duel",
    "Escape",
    "Game",
    "Order",
    "Policy",
    "Tally",
    "Way",
    "bonuses",
    "damage",
    "distribution",
    "dropped_after",
    "duel",
    "first_chance",
    "order_chances",
    "play_out",
    "play_outs",
    "rounds_to_drop",
    "sensible",
    "twin",
    "ways",
]
