"""Every outcome of one action with its exact chance, by one call of the engine for each class of faces.

`check` alone judges a roll, so a face matters only by whether it fails, succeeds or is a 20. The bounds of these
classes come from the roll that `decide` returns, so no rule is implemented a second time here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from scratch_core.characters import lose_hp
from scratch_core.dice import SIDES, Distribution, FixedRoller, RecordedRoller, Roller, face_needed
from scratch_core.encounter.actions import Action, FightRoll
from scratch_core.encounter.engine import build_decider
from scratch_core.encounter.state import Damaged, EncounterState, Event
from scratch_core.turn_systems import Decision


@dataclass(frozen=True, slots=True)
class WeightedOutcome:
    """One outcome of an action."""

    weight: int
    """How many of the `20 ** throws` sequences of faces lead to it."""
    throws: int
    """The number of dice rolled."""
    decision: Decision
    """The engine's decision; its faces are one example."""

    @property
    def chance(self) -> Fraction:
        """The exact chance of the outcome."""
        return Fraction(self.weight, SIDES**self.throws)


def list_outcomes(state: EncounterState, action: Action) -> tuple[WeightedOutcome, ...]:
    """List every outcome of an action, once for each class of faces.

    The weights sum to `20 ** throws`. A roll has at most three classes, so one roll takes three decisions of the
    engine, two rolls take nine; legality is checked once. An action without dice has one outcome, and so has an illegal
    one, whose decision names the broken rules. Rules: `roll.success`, `roll.auto-success`, `roll.failure`,
    `roll.no-auto-fail`, `roll.beyond-reach`.
    """
    return tuple(_list_outcomes_after(build_decider(state, action), (), 1))


def _list_outcomes_after(
    decide: Callable[[Roller], Decision], known: tuple[int, ...], weight: int
) -> Iterator[WeightedOutcome]:
    """Yield the outcome of the known faces followed by 20s, then the others.

    The others have another class of faces for a roll that is a 20 here, because 20 is always a class of its own.
    """
    decision = decide(RecordedRoller(known, fallback=FixedRoller()))
    throws = len(decision.rolls)
    yield WeightedOutcome(weight, throws, decision)
    for place in range(len(known), throws):
        before = (*known, *(SIDES,) * (place - len(known)))
        for face, many in count_face_classes_below_20(decision.rolls[place]):
            yield from _list_outcomes_after(decide, (*before, face), weight * many)


def count_face_classes_below_20(roll: FightRoll) -> tuple[tuple[int, int], ...]:
    """Count the faces below 20 of each class.

    Returns pairs of a face of the class and their number. The classes are the faces that fail and those that succeed,
    as the engine judged the roll; empty classes are omitted. Rules: `roll.success`, `roll.failure`.
    """
    figure = roll.check.figure
    need = face_needed(figure.value - figure.parts[0].value, roll.check.difficulty)
    return tuple((face, many) for face, many in ((1, need - 1), (need, SIDES - need)) if many > 0)


def compute_event_chances(state: EncounterState, action: Action) -> dict[tuple[Event, ...], Fraction]:
    """Return the exact chance of each possible sequence of events."""
    found: dict[tuple[Event, ...], Fraction] = {}
    for way in list_outcomes(state, action):
        found[way.decision.events] = found.get(way.decision.events, Fraction(0)) + way.chance
    return found


# Damage of one action, over several rounds, until the target is incapacitated


def compute_damage_distribution(state: EncounterState, action: Action, target: str = "") -> Distribution:
    """Count the sequences of faces by the damage that an action does.

    The damage is that to `target` or, for "", to all targets together. It counts in full, whatever hit points are left.
    The total is `20 ** throws`. Rules: `hp.damage`, `hp.auto-damage`, `hp.auto-no-damage`.
    """
    found = list_outcomes(state, action)
    counts: dict[int, int] = {}
    for way in found:
        damage = sum(
            event.damage for event in way.decision.events if isinstance(event, Damaged) and target in ("", event.who)
        )
        counts[damage] = counts.get(damage, 0) + way.weight
    return Distribution(MappingProxyType(dict(sorted(counts.items()))), SIDES ** found[0].throws)


def compute_incapacitation_chances(damage_each_round: Distribution, hp: int, last_round: int) -> tuple[Fraction, ...]:
    """Return the chance that a target is incapacitated after 0, 1, … rounds.

    `damage_each_round` is that of the same action, `hp` the target's hit points, `last_round` the last round. Rules:
    `hp.damage`, `hp.incapacitated`.
    """
    assert hp >= 0
    left, total = {hp: 1}, 1
    found = [Fraction(hp == 0)]
    for _ in range(last_round):
        after: dict[int, int] = {}
        for points, count in left.items():
            for damage, many in damage_each_round.counts.items():
                rest = lose_hp(points, damage)
                after[rest] = after.get(rest, 0) + count * many
        left, total = after, total * damage_each_round.total
        found.append(Fraction(left.get(0, 0), total))
    return tuple(found)


def compute_mean_rounds_to_incapacitate(damage_each_round: Distribution, hit_points: int) -> Fraction | None:
    """Return the mean number of rounds until a target is incapacitated.

    `damage_each_round` is that of the same action, `hit_points` the target's hit points. Returns None if the action
    does no damage. Rules: `hp.damage`, `hp.incapacitated`.
    """
    none = damage_each_round.counts.get(0, 0)
    if none == damage_each_round.total and hit_points:
        return None
    mean = [Fraction(0)]
    for points in range(1, hit_points + 1):
        further = [many * mean[lose_hp(points, damage)] for damage, many in damage_each_round.counts.items() if damage]
        mean.append(sum(further, Fraction(damage_each_round.total)) / (damage_each_round.total - none))
    return mean[hit_points]
