"""Win chances of duels."""

from __future__ import annotations

from collections.abc import Sequence

from scratch_core.characters import DEFAULT_RULINGS, Character
from scratch_core.encounter.state import SURROUNDINGS, build_fighter
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.odds import Escape, WinProbabilities, build_twin, duel
from scratch_core.rulebook import RulingSettings


def win_chances(
    first: Character,
    second: Character,
    *,
    escape: Escape = "draw",
    surroundings: Sequence[str] = ("level",),
    rulings: RulingSettings = DEFAULT_RULINGS,
) -> WinProbabilities:
    """Compute who wins a duel in which both characters always choose the best action.

    The chances are weighted by the initiative rolls. A character that escapes has not lost, unless
    `escape` is `loss`. Takes from a moment to about a minute. Raises `ScratchError` for unknown surroundings.
    Rules: `turn.order`, `act.escape.effect`.
    """
    if not set(surroundings) <= set(SURROUNDINGS):
        expected, facts = f"words among {', '.join(SURROUNDINGS)}", {"words": ", ".join(SURROUNDINGS)}
        raise ScratchError(
            Problem("odds.here", expected, format_input(surroundings), "surroundings", "move.terrain", facts=facts)
        )
    one, other = (build_fighter(each, here=surroundings, rulings=rulings) for each in (first, second))
    return duel(
        one, build_twin(other) if other.id == one.id else other, rulings=rulings, escape=escape
    ).win_probabilities()
