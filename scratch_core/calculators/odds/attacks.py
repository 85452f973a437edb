"""What the attacks of two characters do to each other: chances to hit, damage, and how soon the other one is down."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from scratch_core.actions import TITLES, Action
from scratch_core.calculators.odds.telling import tool
from scratch_core.cards import CARDS
from scratch_core.dice import Distribution
from scratch_core.encounter import legal_actions
from scratch_core.odds import Duel, damage, dropped_after, rounds_to_drop
from scratch_core.state import State

ROUNDS = 5
"""After as many of the same attack it is told how often the other one is down."""


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack open to somebody whose fight begins: its title, what it is done with, its rule, and what it does.

    `hits` is the chance that it does any damage, in percent; `mean` the damage on average, and `needed` how many of it
    bring the other one down on average, "" where none ever does. `down` are the chances that the other one is down
    after one of it, two, … `ROUNDS`, in percent.
    """

    who: str
    foe: str
    title: str
    tool: str
    rule: str
    hits: str
    mean: str
    needed: str
    down: tuple[str, ...]


def attacks_of(duel: Duel) -> tuple[Attack, ...]:
    """The attacks of both, each as if it began, those that do most first. Rules: `hp.damage`, `hp.incapacitated`."""
    pairs = ((duel.first, duel.second, duel.begun["first"]), (duel.second, duel.first, duel.begun["second"]))
    return tuple(
        _attack(who.name, foe.name, foe.hp, action, once)
        for who, foe, begun in pairs
        if not who.is_down and not foe.is_down
        for action, once in _best(begun, who.id, foe.id)
    )


def _best(begun: State, who: str, foe: str) -> list[tuple[Action, Distribution]]:
    """Each kind of attack that can hurt a foe once, with what is best added to it."""
    found: dict[str, tuple[Action, Distribution]] = {}
    for action in legal_actions(begun):
        if action.actor != who or set(action.targets) != {foe} or not CARDS[action.do].damage:
            continue
        once = damage(begun, action, foe)
        if action.do not in found or once.mean > found[action.do][1].mean:
            found[action.do] = action, once
    hurting = [each for each in found.values() if each[1].mean]
    return sorted(hurting, key=lambda each: -each[1].mean)


def _attack(who: str, foe: str, hp: int, action: Action, once: Distribution) -> Attack:
    needed = rounds_to_drop(once, hp)
    down = dropped_after(once, hp, ROUNDS)[1:]
    return Attack(
        who,
        foe,
        TITLES[action.do],
        tool(action),
        CARDS[action.do].rule,
        _percent(1 - Fraction(once.counts.get(0, 0), once.total)),
        f"{float(once.mean):.2f}",
        "" if needed is None else f"{float(needed):.1f}",
        tuple(_percent(each) for each in down),
    )


def _percent(chance: Fraction) -> str:
    return f"{100 * float(chance):.0f} %"
