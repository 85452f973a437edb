"""Attacks: when each is legal, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from scratch_core.actions import places
from scratch_core.actions.action import LISTED, SUMMARIES, Action
from scratch_core.actions.bars import CLOSE, LONG, ONCE, Scene, once_problems
from scratch_core.actions.choosing import Uses, uses_of
from scratch_core.actions.figures_now import FightRoll, attack_roll
from scratch_core.actions.words import TITLES, broken, points
from scratch_core.characters import attack_damage, lose_hp
from scratch_core.errors import Problem
from scratch_core.figures import Figure
from scratch_core.state import (
    Cause,
    Damaged,
    Delayed,
    EvadeEnded,
    Event,
    Fighter,
    Immobilized,
    OnceUsed,
    OutOfReach,
    Panicked,
    RegularUsed,
    State,
)

Throw = Callable[[], int]
"""Gives the face of one d20."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes of a legal action: the events, the rolls in the order thrown, and a sentence for a reader."""

    events: tuple[Event, ...]
    rolls: tuple[FightRoll, ...]
    say: str


# When attacks are legal


def own_problems(scene: Scene, do: str) -> list[Problem]:
    """What forbids an attack whoever the target is, conditions and the turn aside.

    Rules: `act.throw-object.needs-object`, `act.fighting.double`, `act.wrestling.counter-hold`.
    """
    actor = scene.actor
    if do == "throw" and "throwable" not in actor.here:
        rules = "act.throw-object.needs-object act.throw-object"
        return broken(rules, "something dangerous to throw at hand", "nothing", TITLES[do])
    if do == "double-attack" and not actor.is_healthy:
        rules = "act.fighting.double"
        return broken(rules, "a healthy fighter", f"{actor.name}, {actor.condition}", TITLES[do])
    if do == "counter-hold":
        return _counter_hold_problems(actor)
    return []


def _counter_hold_problems(actor: Fighter) -> list[Problem]:
    """Rule: `act.wrestling.counter-hold`."""
    rule, where = "act.wrestling.counter-hold", TITLES["counter-hold"]
    if not actor.is_delayed:
        return broken(rule, "a delayed wrestler (others hold as usual)", f"{actor.name}, not delayed", where)
    if not actor.is_healthy:
        return broken(rule, "a healthy wrestler", f"{actor.name}, {actor.condition}", where)
    return []


def targets_problems(scene: Scene, action: Action) -> list[Problem]:
    """Whether the number of targets is right, and each of them may be attacked.

    On a board a blast has no targets, but a space. Rules: `act.blasting`, `act.blasting.distinct`,
    `act.fighting.double`, `grid.blast.target`, and those of one target.
    """
    do, targets, rule = action.do, action.targets, SUMMARIES[action.do].rule
    if do == "blast" and (action.space is not None or scene.state.board is not None):
        return places.aim_problems(scene, action)
    least, most = (1, 3) if do == "blast" else (2, 2) if do == "double-attack" else (1, 1)
    problems = []
    if not least <= len(targets) <= most:
        expected = "one target" if most == 1 else f"{least} to {most} targets" if least < most else "two targets"
        problems += broken(rule, expected, str(len(targets)), TITLES[do])
    if do == "blast" and len(set(targets)) < len(targets):
        problems += broken("act.blasting.distinct", "each target once", "one twice", TITLES[do])
    for target in dict.fromkeys(targets):
        problems += target_problems(scene, do, scene.state.fighter(target))
    return problems


def target_problems(scene: Scene, do: str, target: Fighter) -> list[Problem]:
    """What forbids this attack on this target. The fallen may be attacked (ruling A35).

    Rules: `act.escape.effect`, `act.blasting` (enemies only), `act.wrestling.counter-hold`, `act.unrepeatable`,
    `flying.immunity`, `swimming.deep-evade`, `grid.close.reach`, `grid.long.los`.
    """
    actor, where = scene.actor, TITLES[do]
    if target.id == actor.id:
        return broken(SUMMARIES[do].rule, "somebody else as the target", actor.name, where)
    problems = immunity_problems(actor, do, target) + places.reach_problems(scene, do, target)
    if target.escaped:
        problems += broken("act.escape.effect", "a target still there", f"{target.name}, who has escaped", where)
    if do == "blast" and target.side == actor.side:
        problems += broken("act.blasting", "enemies", f"{target.name}, an ally", where)
    if do == "counter-hold" and target.id not in actor.held_by:
        expected = f"somebody whose hold on {actor.name} succeeded since its last turn"
        problems += broken("act.wrestling.counter-hold", expected, target.name, where)
    if do in ONCE:
        problems += once_problems(scene, do, target.id)
    return problems


def immunity_problems(actor: Fighter, do: str, target: Fighter) -> list[Problem]:
    """Whether the target is out of the attacker's reach, in the air or under water (rulings A12, A13).

    Rules: `flying.immunity`, `swimming.deep-evade`.
    """
    problems = []
    if target.flying_immune and do in CLOSE and not actor.level("flying"):
        expected = "an attacker who can fly, or a long-range attack"
        problems += broken("flying.immunity", expected, f"{actor.name}, who can't", TITLES[do])
    if target.is_deep_evading and do in LONG:
        expected = "a close-range attack by a swimmer"
        problems += broken("swimming.deep-evade", expected, "a long-range attack", TITLES[do])
    elif target.is_deep_evading and not actor.level("swimming"):
        expected = "an attacker who can swim"
        problems += broken("swimming.deep-evade", expected, f"{actor.name}, who can't", TITLES[do])
    return problems


def is_barred(state: State, fighter: Fighter) -> bool:
    """Whether somebody's turn may be passed over: down, gone, or delayed without anybody to hold back.

    Cover is no bar, for it may be left at any time. Rules: `hp.incapacitated`, `act.escape.effect`, `cond.delayed`,
    `act.wrestling.counter-hold`.
    """
    if fighter.is_down or fighter.escaped:
        return True
    if not fighter.delays:
        return False
    if fighter.panicked_until or not fighter.is_healthy or not fighter.level("wrestling"):
        return True
    scene = Scene(state, fighter)
    return all(target_problems(scene, "counter-hold", state.fighter(holder)) for holder in fighter.held_by)


# What comes of them


def basic_attack(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """One blow: 1 damage.

    Rules: `act.basic-attack`, `act.fighting.bonus`, `act.wrestling.bonus`, `act.knockout.basic`.
    """
    return _damaging(scene, action, throw, 1, "strikes at")


def double_attack(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """Two blows with fighting, both targets fixed before the first die: 1 damage each. Rule: `act.fighting.double`."""
    return _damaging(scene, action, throw, 1, "strikes twice, at")


def throw_object(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """A thing thrown with the bare face: 1 damage. Rules: `act.throw-object`, `flying.immunity`."""
    return _damaging(scene, action, throw, 1, "throws something at")


def shoot(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """A shot: 2 damage, 5 on face 20; an injured shooter delays itself, hit or miss.

    Rules: `act.shooting`, `act.shooting.auto`, `act.shooting.injured-delay`, `flying.immunity`.
    """
    return _damaging(
        scene, action, throw, 2, "shoots at", on_20=5, delay="shooting" if scene.actor.is_injured else None
    )


def blast(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """A blast at one to three enemies, a die and 1 damage for each; an injured blaster delays itself once.

    On a board it attacks everybody within 1 space of where it is aimed. Rules: `act.blasting`, `act.blasting.rolls`,
    `act.blasting.injured-delay`, `flying.immunity`, `grid.blast.area`.
    """
    if action.space is not None:
        action = replace(action, targets=places.caught(scene.state, action.space))
    return _damaging(scene, action, throw, 1, "blasts", delay="blasting" if scene.actor.is_injured else None)


def knockout(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """A knockout: 4 damage by a healthy attacker, 2 by an injured one, and it always delays its user.

    Rules: `act.knockout`, `act.knockout.damage`, `act.knockout.self-delay`.
    """
    return _damaging(scene, action, throw, 4 if scene.actor.is_healthy else 2, "tries to knock out", delay="knockout")


def _damaging(  # noqa: PLR0913 -- what tells the damaging attacks apart, in one line each
    scene: Scene,
    action: Action,
    throw: Throw,
    damage: int,
    verb: str,
    *,
    on_20: int | None = None,
    delay: Cause | None = None,
) -> Outcome:
    """Roll for each target and take the damage.

    Rules: `hp.damage`, `hp.auto-damage`, `hp.floor`, `attack.type-map`.
    """
    actor, do = scene.actor, action.do
    uses = uses_of(actor, action, scene.state.rulings)
    events: list[Event] = [RegularUsed(actor.id, do)]
    rolls, results = [], []
    left = {target: scene.state.fighter(target).hp for target in action.targets}
    for each in action.targets:
        target = scene.state.fighter(each)
        roll = attack_roll(actor, do, uses, target, scene.state.rulings, throw())
        rolls.append(roll)
        result = "a miss"
        if roll.check.success:
            done = attack_damage(damage, roll.check.figure.parts[0].value, on_20)
            left[each] = lose_hp(left[each], done.value)
            events.append(Damaged(each, actor.id, done.value, left[each]))
            result = _hurt(target, done, left[each])
        results.append(f"{target.name}, {odds(roll)}: {result}")
    events += _afterwards(actor, do)
    if delay:
        events.append(Delayed(actor.id, delay, actor.id, actor.next_turn()))
    tail = f" {actor.name} is delayed." if delay else ""
    results = results or ["an empty place"]
    return Outcome(tuple(events), tuple(rolls), f"{actor.name} {verb} {'; '.join(results)}.{tail}")


def _afterwards(actor: Fighter, do: str) -> list[Event]:
    """A flyer with room to fly is out of reach after a long-range attack (ruling A12). Rule: `flying.immunity`."""
    return [OutOfReach(actor.id)] if do in LONG and is_in_the_air(actor) else []


def is_in_the_air(actor: Fighter) -> bool:
    """Whether the fighter can fly where it is. Rules: `flying.requires`, `flying.terrain`."""
    return actor.level("flying") > 0 and actor.is_suited("flying")


def hold(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """A hold: the target is delayed and its evade ends; a healthy wrestler's also does damage.

    Rules: `act.hold`, `act.hold.stops-evade`, `detection.hold`, `move.use`, `cond.delayed.expiry`,
    `act.wrestling.hold-damage`.
    """
    uses = uses_of(scene.actor, action, scene.state.rulings)
    return _hold(scene, action, throw, uses=uses, damage=1 if hurts(scene, uses) else 0, verb="holds")


def hurts(scene: Scene, uses: Uses) -> bool:
    """Whether a hold does damage: with wrestling, while healthy, unless the older wrestling is played (K06).

    Rule: `act.wrestling.hold-damage`.
    """
    return "wrestling" in uses and scene.actor.is_healthy and not scene.state.rulings.wrestling_double_legacy


def counter_hold(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """A hold by a delayed wrestler on who holds it; it does no damage, also on face 20.

    Rules: `act.wrestling.counter-hold`, `act.wrestling.counter-hold.no-damage`, `hp.auto-no-damage`.
    """
    return _hold(scene, action, throw, uses=("wrestling",), damage=0, verb="holds back")


def _hold(scene: Scene, action: Action, throw: Throw, *, uses: Uses, damage: int, verb: str) -> Outcome:  # noqa: PLR0913 -- what tells the two holds apart
    """On a board the target can't move either. Rules: `act.hold`, `grid.hold.immobilize` (ruling G17)."""
    actor, target = scene.actor, scene.state.fighter(action.targets[0])
    roll = attack_roll(actor, action.do, uses, target, scene.state.rulings, throw())
    events: list[Event] = [RegularUsed(actor.id, action.do)]
    result = "in vain"
    if roll.check.success:
        done = attack_damage(damage, roll.check.figure.parts[0].value)
        left = lose_hp(target.hp, done.value)
        if done.value:
            events.append(Damaged(target.id, actor.id, done.value, left))
        if target.evading:
            events.append(EvadeEnded(target.id))
        events.append(Delayed(target.id, "hold", actor.id, target.next_turn()))
        if scene.state.board is not None:
            events.append(Immobilized(target.id, actor.id, target.next_turn()))
        result = "delayed" + (f", and {_hurt(target, done, left)}" if done.value else "")
    return Outcome(tuple(events), (roll,), f"{actor.name} {verb} {target.name}, {odds(roll)}: {result}.")


def distract(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """A distraction: the target is delayed, and its evade goes on.

    Rules: `act.distract`, `act.unrepeatable`, `cond.delayed.expiry`.
    """
    target = scene.state.fighter(action.targets[0])
    effect = Delayed(target.id, "distract", scene.actor.id, target.next_turn())
    return _psychic(scene, action, throw, effect=effect, verb="distracts", result="delayed")


def surprise(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """A surprise: the target panics. Rules: `act.surprise`, `act.unrepeatable`, `cond.panicked.expiry`."""
    target = scene.state.fighter(action.targets[0])
    effect = Panicked(target.id, scene.actor.id, target.next_turn())
    return _psychic(scene, action, throw, effect=effect, verb="surprises", result="panicked")


def intimidate(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """A threat: the target panics.

    Rules: `act.intimidate`, `act.intimidate.defence`, `act.unrepeatable`, `cond.panicked.expiry`.
    """
    target = scene.state.fighter(action.targets[0])
    effect = Panicked(target.id, scene.actor.id, target.next_turn())
    return _psychic(scene, action, throw, effect=effect, verb="threatens", result="panicked")


def _psychic(scene: Scene, action: Action, throw: Throw, *, effect: Event, verb: str, result: str) -> Outcome:  # noqa: PLR0913 -- what tells the three apart
    """A failed attempt is spent too (ruling A03)."""
    actor, target = scene.actor, scene.state.fighter(action.targets[0])
    uses = uses_of(actor, action, scene.state.rulings)
    roll = attack_roll(actor, action.do, uses, target, scene.state.rulings, throw())
    events: list[Event] = [RegularUsed(actor.id, action.do), OnceUsed(actor.id, action.do, target.id)]
    if roll.check.success:
        events.append(effect)
    events += _afterwards(actor, action.do)
    came = result if roll.check.success else "in vain"
    return Outcome(tuple(events), (roll,), f"{actor.name} {verb} {target.name}, {odds(roll)}: {came}.")


# Words


def odds(roll: FightRoll) -> str:
    """`13 against strength 14`, and whether the face alone decided."""
    automatic = "face 20, " if roll.check.automatic else ""
    return f"{automatic}{roll.check.total} against {roll.against.name} {roll.against.value}"


def _hurt(target: Fighter, damage: Figure, left: int) -> str:
    return f"{damage.value} damage, {points(left)} left" if left else f"{damage.value} damage, {target.name} is down"


RESOLVE: dict[str, Callable[[Scene, Action, Throw], Outcome]] = {
    "basic-attack": basic_attack,
    "double-attack": double_attack,
    "throw": throw_object,
    "hold": hold,
    "counter-hold": counter_hold,
    "distract": distract,
    "shoot": shoot,
    "blast": blast,
    "knockout": knockout,
    "surprise": surprise,
    "intimidate": intimidate,
}
"""What carries out each attack."""

assert set(LISTED) < set(RESOLVE)
