"""Every way one action can come out, exactly: the engine is asked once for each class of faces.

A throw is judged by `check` alone, so a face matters only by whether it fails, succeeds or is a 20. Where the fences
between them lie is read from the roll that `decide` returns, so that no rule is told a second time here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from scratch_core.characters import lose_hp
from scratch_core.dice import Distribution, Roller, face_needed
from scratch_core.encounter.actions import Action, FightRoll
from scratch_core.encounter.engine import prepare_decision
from scratch_core.encounter.state import Damaged, EncounterState, Event
from scratch_core.turn_systems import Decision

SIDES = 20
"""The faces of the one die that actions throw. Rule: `roll.d20`."""


@dataclass(frozen=True, slots=True)
class WeightedOutcome:
    """One way in which an action comes out: the decision, and how many of the `20 ** throws` faces bring it.

    The decision's own faces are one example of them.
    """

    weight: int
    throws: int
    decision: Decision

    @property
    def chance(self) -> Fraction:
        """The chance of this way, exactly."""
        return Fraction(self.weight, SIDES**self.throws)


class _Probe:
    """A roller that gives the faces known so far, and then 20s: the face that is always a class of its own."""

    __slots__ = ("known", "thrown")

    def __init__(self, known: tuple[int, ...]) -> None:
        self.known = known
        self.thrown = 0

    def roll(self, sides: int) -> int:
        """The next face."""
        at = self.thrown
        self.thrown = at + 1
        return self.known[at] if at < len(self.known) else sides


def list_outcomes(state: EncounterState, action: Action) -> tuple[WeightedOutcome, ...]:
    """Every way in which an action comes out, each class of faces once; their weights sum to `20 ** throws`.

    A throw has three classes at most, so one throw costs three decisions of the engine, two cost nine; whether the
    action is legal is asked once. An action without dice has one way; so has an illegal one, whose decision names the
    rules broken.
    Rules: `roll.success`, `roll.auto-success`, `roll.failure`, `roll.no-auto-fail`, `roll.beyond-reach`.
    """
    return tuple(_explored(prepare_decision(state, action), (), 1))


def _explored(decided: Callable[[Roller], Decision], known: tuple[int, ...], weight: int) -> Iterator[WeightedOutcome]:
    """The way of the known faces and 20s after them, then each other class of the first throw that is a 20 here."""
    probe = _Probe(known)
    decision = decided(probe)
    yield WeightedOutcome(weight, probe.thrown, decision)
    for place in range(len(known), probe.thrown):
        before = (*known, *(SIDES,) * (place - len(known)))
        for face, many in list_faces_below_20(decision.rolls[place]):
            yield from _explored(decided, (*before, face), weight * many)


def list_faces_below_20(roll: FightRoll) -> tuple[tuple[int, int], ...]:
    """The classes of a roll below a 20, as the engine judged it: a face of each, and how many faces it has.

    Faces that fail, and faces that succeed; a class without faces is left out. Rules: `roll.success`, `roll.failure`.
    """
    figure = roll.check.figure
    need = face_needed(figure.value - figure.parts[0].value, roll.check.difficulty)
    return tuple((face, many) for face, many in ((1, need - 1), (need, SIDES - need)) if many > 0)


def compute_event_chances(state: EncounterState, action: Action) -> dict[tuple[Event, ...], Fraction]:
    """What can happen, as events, each with its exact chance; ways with the same events are one."""
    found: dict[tuple[Event, ...], Fraction] = {}
    for way in list_outcomes(state, action):
        found[way.decision.events] = found.get(way.decision.events, Fraction(0)) + way.chance
    return found


# Damage: what one act does, over several rounds, until someone drops


def compute_damage_distribution(state: EncounterState, action: Action, target: str = "") -> Distribution:
    """How many of the faces of an act do each number of points of damage, to one target or to all together.

    Damage counts in full, whatever hit points are left. The total is `20 ** throws`. Rules: `hp.damage`,
    `hp.auto-damage`, `hp.auto-no-damage`.
    """
    found = list_outcomes(state, action)
    counts: dict[int, int] = {}
    for way in found:
        done = sum(
            event.damage for event in way.decision.events if isinstance(event, Damaged) and target in ("", event.who)
        )
        counts[done] = counts.get(done, 0) + way.weight
    return Distribution(MappingProxyType(dict(sorted(counts.items()))), SIDES ** found[0].throws)


def compute_drop_chances(once: Distribution, hp: int, rounds: int) -> tuple[Fraction, ...]:
    """The chance that a target with `hp` hit points is down after 0, 1, … `rounds` rounds of the same act.

    Rules: `hp.damage`, `hp.incapacitated`.
    """
    assert hp >= 0
    left, total = {hp: 1}, 1
    found = [Fraction(hp == 0)]
    for _ in range(rounds):
        after: dict[int, int] = {}
        for points, count in left.items():
            for done, many in once.counts.items():
                rest = lose_hp(points, done)
                after[rest] = after.get(rest, 0) + count * many
        left, total = after, total * once.total
        found.append(Fraction(left.get(0, 0), total))
    return tuple(found)


def compute_rounds_to_drop(once: Distribution, hp: int) -> Fraction | None:
    """The mean number of rounds until a target with `hp` hit points is down; None where the act does no damage.

    Rules: `hp.damage`, `hp.incapacitated`.
    """
    none = once.counts.get(0, 0)
    if none == once.total and hp:
        return None
    mean = [Fraction(0)]
    for points in range(1, hp + 1):
        further = [many * mean[lose_hp(points, done)] for done, many in once.counts.items() if done]
        mean.append(sum(further, Fraction(once.total)) / (once.total - none))
    return mean[hp]
