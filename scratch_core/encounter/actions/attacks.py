"""Attacks: when each is legal, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from scratch_core.characters import attack_damage, lose_hp
from scratch_core.dice import SIDES
from scratch_core.encounter.actions import positions
from scratch_core.encounter.actions.ability_choice import Uses, uses_of
from scratch_core.encounter.actions.action import Action
from scratch_core.encounter.actions.current_figures import FightRoll
from scratch_core.encounter.actions.phrases import TITLES, describe_failure, points
from scratch_core.encounter.actions.preconditions import (
    ATTACKS,
    CLOSE,
    LONG,
    ONCE,
    OwnBar,
    Scene,
    TargetBar,
    is_spent,
    once_problems,
)
from scratch_core.encounter.state import (
    Damaged,
    Delayed,
    EvadeEnded,
    Event,
    Fighter,
    Immobilized,
    OnceUsed,
    Opened,
    OutOfReach,
    Panicked,
    RegularUsed,
    State,
)
from scratch_core.errors import Problem, broken, listed
from scratch_core.rulebook.actions import CARDS, HOLD

Throw = Callable[[], int]
"""Gives the face of one d20."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes of a legal action: the events, the rolls in the order thrown, and a sentence for a reader."""

    events: tuple[Event, ...]
    rolls: tuple[FightRoll, ...]
    say: str


# When attacks are legal


def _counter_hold_problems(scene: Scene) -> list[Problem]:
    """Rule: `act.wrestling.counter-hold`."""
    rule, where, actor = "act.wrestling.counter-hold", TITLES["counter-hold"], scene.actor
    if not actor.is_delayed:
        expected, got = "a delayed wrestler (others hold as usual)", f"{actor.name}, not delayed"
        return broken("counter-hold.not-delayed", rule, expected, got, where, actor=actor.name)
    got, facts = f"{actor.name}, {actor.condition}", {"actor": actor.name, "health": actor.condition}
    return broken("counter-hold.not-healthy", rule, "a healthy wrestler", got, where, **facts)


_THROW_RULES = "act.throw-object.needs-object act.throw-object"
OWN_BARS = {
    "throw": OwnBar(
        lambda at: "throwable" not in at.actor.here,
        lambda at: broken(
            "throw.nothing-here", _THROW_RULES, "something dangerous to throw at hand", "nothing", TITLES["throw"]
        ),
    ),
    "double-attack": OwnBar(
        lambda at: not at.actor.is_healthy,
        lambda at: broken(
            "double-attack.not-healthy",
            "act.fighting.double",
            "a healthy fighter",
            f"{at.actor.name}, {at.actor.condition}",
            TITLES["double-attack"],
            actor=at.actor.name,
            health=at.actor.condition,
        ),
    ),
    "second-blow": OwnBar(
        lambda at: at.state.ledger.opened != "second-blow",
        lambda at: broken(
            "double-attack.no-first",
            "act.fighting.double",
            "a first blow right before it",
            "none",
            TITLES["second-blow"],
        ),
    ),
    "counter-hold": OwnBar(lambda at: not (at.actor.delays and at.actor.is_healthy), _counter_hold_problems),
}
"""What an attack asks for whoever the target is, conditions and the turn aside."""


def targets_problems(scene: Scene, action: Action) -> list[Problem]:
    """Whether the number of targets is right, and each of them may be attacked.

    On a board a blast has no targets, but a space. Rules: `act.blasting`, `act.blasting.distinct`,
    `act.fighting.double`, `grid.blast.target`, and those of one target.
    """
    do, targets, card = action.do, action.targets, CARDS[action.do]
    allowed = card.targets
    if allowed.spaces and (action.space is not None or scene.state.board is not None):
        return positions.aim_problems(scene, action)
    problems = []
    if not allowed.least <= len(targets) <= allowed.most:
        problems += count_problems(action)
    if allowed.distinct and len(set(targets)) < len(targets):
        problems += broken("target.twice", "act.blasting.distinct", "each target once", "one twice", TITLES[do])
    for target in dict.fromkeys(targets):
        problems += target_problems(scene, do, scene.state.fighter(target))
    return problems


def count_problems(action: Action) -> list[Problem]:
    """Build the problem of an action with too few or too many targets; the rule is the action's own."""
    card, count = CARDS[action.do], len(action.targets)
    allowed = card.targets.in_words
    return broken("target.count", card.rule, allowed, str(count), TITLES[action.do], allowed=allowed, count=count)


def can_target(scene: Scene, do: str, target: Fighter) -> bool:
    """Whether nothing forbids this attack on this target: `target_problems` without its words."""
    return target.id != scene.actor.id and not any(bar.stands(scene, do, target) for bar in _TARGET_BARS[do])


def target_problems(scene: Scene, do: str, target: Fighter) -> list[Problem]:
    """What forbids this attack on this target. The fallen may be attacked (ruling A35).

    Rules: `act.escape.effect`, `act.blasting` (enemies only), `act.wrestling.counter-hold`, `act.unrepeatable`,
    `flying.immunity`, `swimming.deep-evade`, `grid.close.reach`, `grid.long.los`.
    """
    if target.id == scene.actor.id:
        expected, name = "another character as the target", scene.actor.name
        return broken("target.self", CARDS[do].rule, expected, name, TITLES[do], actor=name)
    bars = (bar for bar in _TARGET_BARS[do] if bar.stands(scene, do, target))
    return [problem for bar in bars for problem in bar.why(scene, do, target)]


def immunity_problems(actor: Fighter, do: str, target: Fighter) -> list[Problem]:
    """How the target is out of the attacker's reach, in the air or under water (rulings A12, A13).

    A flyer is reached where there is no room to fly, as a diver is out of the deep.
    Rules: `flying.immunity`, `swimming.deep-evade`.
    """
    problems = []
    if target.is_out_of_reach and do in CLOSE and not actor.is_in_the_air:
        expected = "an attacker who can fly, with room for it, or a long-range attack"
        why = "has no room to fly" if actor.level("flying") else "can't"
        got, facts = f"{actor.name}, who {why}", {"actor": actor.name, "target": target.name}
        problems += broken("target.in-the-air", "flying.immunity", expected, got, TITLES[do], **facts)
    if target.is_deep_evading and do in LONG:
        expected = "a close-range attack by a swimmer"
        rule, got = "swimming.deep-evade", "a long-range attack"
        problems += broken("target.dived", rule, expected, got, TITLES[do], target=target.name)
    elif target.is_deep_evading and not actor.level("swimming"):
        expected = "an attacker who can swim"
        got, facts = f"{actor.name}, who can't", {"actor": actor.name, "target": target.name}
        problems += broken("target.in-deep-water", "swimming.deep-evade", expected, got, TITLES[do], **facts)
    return problems


def away_problems(do: str, target: Fighter) -> list[Problem]:
    """Build the problem of a target that has escaped or left. Rule: `act.escape.effect`."""
    got, facts = f"{target.name}, who {target.way_out}", {"target": target.name, "way_out": target.way_out}
    return broken("target.away", "act.escape.effect", "a target still there", got, TITLES[do], **facts)


_BARS = (
    TargetBar(
        ATTACKS,
        lambda at, do, target: bool(immunity_problems(at.actor, do, target)),
        lambda at, do, target: immunity_problems(at.actor, do, target),
    ),
    TargetBar(CLOSE, positions.is_beyond_reach, positions.reach_problems),
    TargetBar(LONG, positions.is_out_of_sight, positions.reach_problems),
    TargetBar(
        ATTACKS,
        lambda at, do, target: target.is_away,
        lambda at, do, target: away_problems(do, target),
    ),
    TargetBar(
        frozenset(do for do in ATTACKS if CARDS[do].targets.enemies),
        lambda at, do, target: target.side == at.actor.side,
        lambda at, do, target: broken(
            "target.ally", CARDS[do].rule, "enemies", f"{target.name}, an ally", TITLES[do], target=target.name
        ),
    ),
    TargetBar(
        frozenset(("counter-hold",)),
        lambda at, do, target: target.id not in at.actor.held_by,
        lambda at, do, target: broken(
            "counter-hold.no-hold",
            "act.wrestling.counter-hold",
            f"a character whose hold on {at.actor.name} succeeded since their last turn",
            target.name,
            TITLES[do],
            actor=at.actor.name,
            target=target.name,
        ),
    ),
    TargetBar(
        ONCE & ATTACKS,
        lambda at, do, target: is_spent(at, do, target.id),
        lambda at, do, target: once_problems(at, do, target.name),
    ),
)
_TARGET_BARS = {do: tuple(bar for bar in _BARS if do in bar.names) for do in ATTACKS}


def is_barred(state: State, fighter: Fighter) -> bool:
    """Whether someone's turn may be passed over: down, gone, or delayed without anyone to hold back.

    Cover is no bar, for it may be left at any time. Rules: `hp.incapacitated`, `act.escape.effect`, `cond.delayed`,
    `act.wrestling.counter-hold`.
    """
    if fighter.is_down or fighter.is_away:
        return True
    if not fighter.delays:
        return False
    if fighter.panicked_until or not fighter.is_healthy or not fighter.level("wrestling"):
        return True
    scene = Scene(state, fighter)
    return not any(can_target(scene, "counter-hold", state.fighter(holder)) for holder in fighter.held_by)


# What comes of them


def strike(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """Roll for each target and take the damage on the action's card: blows, throws, shots, blasts and knockouts.

    Two blows at one target alone are the first of them, and the second is open (ruling A16).
    An injured shooter or blaster delays itself once, hit or miss, and whoever tries a knockout always does. On a board
    a blast attacks everyone within 1 space of where it is aimed.
    Rules: `attack.type-map`, `hp.damage`, `hp.auto-damage`, `hp.floor`, `act.basic-attack`, `act.fighting.bonus`,
    `act.wrestling.bonus`, `act.knockout.basic`, `act.fighting.double`, `act.throw-object`, `act.shooting`,
    `act.shooting.auto`, `act.shooting.injured-delay`, `act.blasting`, `act.blasting.rolls`,
    `act.blasting.injured-delay`, `grid.blast.area`, `act.knockout`, `act.knockout.damage`, `act.knockout.self-delay`,
    `flying.immunity`.
    """
    actor, card = scene.actor, CARDS[action.do]
    uses = uses_of(actor, action, scene.state.rulings)
    damage = damage_of(scene, action.do, uses)
    attacked = action.targets
    if action.space is not None and card.targets.spaces:
        attacked = positions.caught(scene.state, action.space)
    targets = [scene.state.fighter(each) for each in attacked]
    events: list[Event] = [] if action.do == scene.state.ledger.opened else [RegularUsed(actor.id, action.do)]
    rolls, results = [], []
    left = {target.id: target.hp for target in targets}
    for target in targets:
        roll = scene.aimed(action.do, uses, target).roll(throw())
        rolls.append(roll)
        result = "Miss"
        if roll.check.success:
            done = attack_damage(damage, roll.check.figure.parts[0].value, card.on_20).value
            before = left[target.id]
            rest = left[target.id] = lose_hp(before, done)
            events.append(Damaged(target.id, actor.id, done, rest))
            result = f"Hit: {_hurt(target, done, before, rest)}"
        results.append(f"{target.name}: {odds(roll)}. {result}.")
    events += _afterwards(actor, action.do)
    tail, verb = "", card.verb
    if card.targets.most > 1 and len(targets) > 1:
        verb = f"{verb}." if card.opens else f"{verb} {listed([each.name for each in targets])}."
    if card.opens and len(targets) == 1:
        events.append(Opened(actor.id, card.opens))
        verb = "makes a first attack on"
    if card.delays_actor(actor.is_injured):
        events.append(Delayed(actor.id, card.cause, actor.id, actor.next_turn()))
        tail = f" {actor.name} is delayed."
    said = " ".join(results) or "an empty space."
    return Outcome(tuple(events), tuple(rolls), f"{actor.name} {verb} {said}{tail}")


def _afterwards(actor: Fighter, do: str) -> list[Event]:
    """A flyer with room to fly is out of reach after a long-range attack (ruling A12). Rule: `flying.immunity`."""
    return [OutOfReach(actor.id)] if do in LONG and actor.is_in_the_air else []


def hold(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """A hold: the target is delayed and its evade ends; a healthy wrestler's also does damage.

    A delayed wrestler's hold on who holds it does none, also on face 20. On a board the target can't move either
    (ruling G17). Rules: `act.hold`, `act.hold.stops-evade`, `detection.hold`, `move.use`, `cond.delayed.expiry`,
    `act.wrestling.hold-damage`, `act.wrestling.counter-hold`, `act.wrestling.counter-hold.no-damage`,
    `hp.auto-no-damage`, `grid.hold.immobilize`.
    """
    actor, target, card = scene.actor, scene.state.fighter(action.targets[0]), CARDS[action.do]
    uses = uses_of(actor, action, scene.state.rulings)
    roll = scene.aimed(action.do, uses, target).roll(throw())
    events: list[Event] = [RegularUsed(actor.id, action.do)]
    say = f"{actor.name} {describe_failure(card.verb)} {target.name}: {odds(roll)}."
    if roll.check.success:
        done = attack_damage(damage_of(scene, action.do, uses), roll.check.figure.parts[0].value, card.on_20).value
        left = lose_hp(target.hp, done)
        if done:
            events.append(Damaged(target.id, actor.id, done, left))
        if target.evading:
            events.append(EvadeEnded(target.id))
        events.append(Delayed(target.id, card.cause, actor.id, target.next_turn()))
        if scene.state.board is not None:
            events.append(Immobilized(target.id, actor.id, target.next_turn()))
        hurt = f" {_hurt(target, done, target.hp, left)}." if done else ""
        say = f"{actor.name} {card.verb} {target.name}: {odds(roll)}.{hurt} {target.name} is delayed."
    return Outcome(tuple(events), (roll,), say)


def damage_of(scene: Scene, do: str, uses: Uses) -> int:
    """What a success takes below a face of 20: what the card says.

    A hold takes that with wrestling, while healthy, unless the older wrestling is played (K06), and else nothing.
    Rules: `hp.damage`, `act.wrestling.hold-damage`, `act.wrestling.counter-hold.no-damage`.
    """
    is_hurtful = "wrestling" in uses and scene.actor.is_healthy and not scene.state.rulings.wrestling_double_legacy
    if do == HOLD.do and not is_hurtful:
        return 0
    return CARDS[do].damage_of(scene.actor.is_injured)


def worth(scene: Scene, do: str, uses: Uses, targets: Iterable[Fighter]) -> tuple[int, int]:
    """What twenty tries of an attack come to, one with each face: the hit points taken, and how many of them succeed.

    It is the sum over all targets, each as it stands now; no try takes more than its target has. Divided by 20 these
    are the expected damage and the chance. Rules: `hp.damage`, `hp.auto-damage`, `hp.floor`, `roll.success`.
    """
    damage = damage_of(scene, do, uses)
    usual = attack_damage(damage, 1).value
    highest = attack_damage(damage, SIDES, CARDS[do].on_20).value
    taken = hits = 0
    for target in targets:
        below = SIDES - scene.aimed(do, uses, target).least
        taken += below * min(usual, target.hp) + min(highest, target.hp)
        hits += below + 1
    return taken, hits


def unsettle(scene: Scene, action: Action, throw: Throw) -> Outcome:
    """An attack on the mind: a distraction delays the target, whose evade goes on; a surprise or a threat panics it.

    A failed attempt is spent too (ruling A03). Rules: `act.distract`, `act.surprise`, `act.intimidate`,
    `act.intimidate.defence`, `act.unrepeatable`, `cond.delayed.expiry`, `cond.panicked.expiry`.
    """
    actor, target, card = scene.actor, scene.state.fighter(action.targets[0]), CARDS[action.do]
    uses = uses_of(actor, action, scene.state.rulings)
    roll = scene.aimed(action.do, uses, target).roll(throw())
    events: list[Event] = [RegularUsed(actor.id, action.do), OnceUsed(actor.id, action.do, target.id)]
    verb, came = describe_failure(card.verb), ""
    if roll.check.success and card.inflicts == "delay":
        events.append(Delayed(target.id, card.cause, actor.id, target.next_turn()))
        verb, came = card.verb, f" {target.name} is delayed."
    elif roll.check.success:
        events.append(Panicked(target.id, actor.id, target.next_turn()))
        verb, came = card.verb, f" {target.name} is panicked."
    events += _afterwards(actor, action.do)
    return Outcome(tuple(events), (roll,), f"{actor.name} {verb} {target.name}: {odds(roll)}.{came}")


# Words


def odds(roll: FightRoll) -> str:
    """Format a roll: `13 against strength 14`, `a natural 20 (23 against agility 11)`."""
    words = f"{roll.check.total} against {roll.against.name} {roll.check.difficulty}"
    return f"a natural 20 ({words})" if roll.check.automatic else words


def _hurt(target: Fighter, damage: int, before: int, left: int) -> str:
    """What a hit did to someone with so many hit points before it, and so many left."""
    if left:
        return f"{damage} damage, {points(left)} left"
    return f"{damage} damage. {target.name} {'is' if before else 'was already'} incapacitated"


RESOLVE: dict[str, Callable[[Scene, Action, Throw], Outcome]] = {
    **dict.fromkeys(("basic-attack", "double-attack", "second-blow", "throw", "shoot", "blast", "knockout"), strike),
    **dict.fromkeys(("hold", "counter-hold"), hold),
    **dict.fromkeys(("distract", "surprise", "intimidate"), unsettle),
}
"""What carries out each attack."""
