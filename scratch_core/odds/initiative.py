"""Turn order: the exact chance of each order of the groups, with ties rolled off."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from math import factorial

from scratch_core.dice import SIDES, SeededRoller
from scratch_core.encounter.engine import begin
from scratch_core.encounter.state import EncounterBegan, EncounterState


def list_initiative_bonuses(state: EncounterState) -> dict[str, int]:
    """Return what each group adds to its initiative roll, as the engine computes it.

    `state` may be before or in an encounter; the groups are in the order of the file. Rules: `stealth.initiative`,
    `detection.initiative`.
    """
    decision = begin(state, SeededRoller(0))  # any dice by which ties end
    began = decision.events[0]
    assert isinstance(began, EncounterBegan)
    added = {each.group: each.figure.value - each.figure.parts[0].value for each in began.initiative}
    return {group: added[group] for group in state.initiative_fighter_or_group_ids}


def compute_order_chances(added: Mapping[str, int]) -> dict[tuple[str, ...], Fraction]:
    """Return the exact chance of each possible order of groups, first to act first.

    `added` is what each group adds to its d20. Tied groups roll bare dice until they differ, so each order among them
    is equally likely. The work grows with the factorial of the number of groups: six take a moment. Rules:
    `turn.initiative-roll`, `turn.order`, `turn.tie`, `turn.group`.
    """
    top = max(added.values()) + SIDES
    chances: dict[tuple[str, ...], Fraction] = {(): Fraction(1)}
    for total in range(top, min(added.values()), -1):
        longer: dict[tuple[str, ...], Fraction] = {}
        for order, chance in chances.items():
            for tied, share in _list_orders_of_groups_at_total(added, order, total):
                longer[order + tied] = longer.get(order + tied, Fraction(0)) + chance * share
        chances = longer
    return {order: chance for order, chance in chances.items() if len(order) == len(added)}


def _list_orders_of_groups_at_total(
    bonuses: Mapping[str, int], placed_groups: tuple[str, ...], total: int
) -> list[tuple[tuple[str, ...], Fraction]]:
    """List the groups that may have exactly this total, in each order, with its chance.

    Groups already in `placed_groups` are excluded; the chance is conditional on none of the others having a higher
    total.
    """
    left = [group for group in bonuses if group not in placed_groups]
    found: list[tuple[tuple[str, ...], Fraction]] = []
    for size in range(len(left) + 1):
        for tied in permutations(left, size):
            share = Fraction(1, factorial(size))
            for group in left:
                share *= _chance_given_at_most(total - bonuses[group], group in tied)
            if share:
                found.append((tied, share))
    return found


def _chance_given_at_most(highest_face: int, is_equal: bool) -> Fraction:
    """Return the chance that a face of at most `highest_face` equals it, or is lower."""
    if highest_face < 1:
        return Fraction(not is_equal)
    here = Fraction(int(highest_face <= SIDES), highest_face)
    return here if is_equal else 1 - here


def compute_chance_to_begin(state: EncounterState, group: str) -> Fraction:
    """Return the exact chance that a group acts before all others.

    Rules: `turn.order`, `turn.tie`.
    """
    chances = compute_order_chances(list_initiative_bonuses(state))
    return sum((chance for order, chance in chances.items() if order[0] == group), Fraction(0))
