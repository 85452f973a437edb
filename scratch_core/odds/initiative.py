"""Who begins: the exact chance of each order of the groups, ties rolled off."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from math import factorial

from scratch_core.encounter.engine import begin
from scratch_core.encounter.state import EncounterBegan, EncounterState
from scratch_core.odds.outcomes import SIDES


def list_initiative_bonuses(state: EncounterState) -> dict[str, int]:
    """What each group adds to its face, as the engine adds it up. Rules: `stealth.initiative`, `detection.initiative`.

    `state` may lie before or in an encounter; groups stand in the order of the file.
    """
    decision = begin(state, _Steps())
    began = decision.events[0]
    assert isinstance(began, EncounterBegan)
    added = {each.group: each.figure.value - each.figure.parts[0].value for each in began.initiative}
    return {group: added[group] for group in state.list_groups()}


class _Steps:
    """A roller that goes through all faces, so that no tie lasts."""

    def __init__(self) -> None:
        self.face = 0

    def roll(self, sides: int) -> int:
        """The next face."""
        self.face = self.face % sides + 1
        return self.face


def compute_order_chances(added: Mapping[str, int]) -> dict[tuple[str, ...], Fraction]:
    """The exact chance of each order of groups, the first to act first; orders that can't come up are left out.

    `added` is what each group adds to its d20. Groups that are level roll bare dice until they differ, so that each
    order among them is as likely as any other. The work grows with the factorial of the groups: six are a moment.
    Rules: `turn.initiative-roll`, `turn.order`, `turn.tie`, `turn.group`.
    """
    top = max(added.values()) + SIDES
    placed: dict[tuple[str, ...], Fraction] = {(): Fraction(1)}
    for total in range(top, min(added.values()), -1):
        reached: dict[tuple[str, ...], Fraction] = {}
        for order, chance in placed.items():
            for here, share in _level_here(added, order, total):
                reached[order + here] = reached.get(order + here, Fraction(0)) + chance * share
        placed = reached
    return {order: chance for order, chance in placed.items() if len(order) == len(added)}


def _level_here(added: Mapping[str, int], order: tuple[str, ...], total: int) -> list[tuple[tuple[str, ...], Fraction]]:
    """Who of those not placed has exactly this total, in each order, given that none of them has more."""
    left = [group for group in added if group not in order]
    found: list[tuple[tuple[str, ...], Fraction]] = []
    for size in range(len(left) + 1):
        for here in permutations(left, size):
            share = Fraction(1, factorial(size))
            for group in left:
                share *= _share(total - added[group], group in here)
            if share:
                found.append((here, share))
    return found


def _share(face: int, is_here: bool) -> Fraction:
    """The chance that a face no higher than this is this one, or is a lower one."""
    if face < 1:
        return Fraction(not is_here)
    here = Fraction(int(face <= SIDES), face)
    return here if is_here else 1 - here


def compute_first_chance(state: EncounterState, group: str) -> Fraction:
    """The exact chance that a group acts before all others. Rules: `turn.order`, `turn.tie`."""
    chances = compute_order_chances(list_initiative_bonuses(state))
    return sum((chance for order, chance in chances.items() if order[0] == group), Fraction(0))
