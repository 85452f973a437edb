"""Attacks: their preconditions and their resolution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scratch_core.characters import attack_damage, lose_hp
from scratch_core.dice import SIDES
from scratch_core.encounter.actions import positions
from scratch_core.encounter.actions.ability_choice import AbilityNames, get_named_or_best_abilities
from scratch_core.encounter.actions.action import Action
from scratch_core.encounter.actions.current_figures import FightRoll
from scratch_core.encounter.actions.phrases import ACTION_TITLES, describe_failure
from scratch_core.encounter.actions.preconditions import (
    ATTACKS,
    CLOSE_ATTACKS,
    LONG_ATTACKS,
    UNREPEATABLE_ACTIONS,
    ActionPrecondition,
    TargetPrecondition,
    TurnContext,
    build_already_used_problems,
    is_spent_for_encounter,
)
from scratch_core.encounter.state import (
    Damaged,
    Delayed,
    EncounterState,
    EvadeEnded,
    Event,
    Fighter,
    Immobilized,
    OnceUsed,
    Opened,
    OutOfReach,
    Panicked,
    RegularUsed,
)
from scratch_core.errors import Problem, build_rule_problems
from scratch_core.figures import format_hit_points
from scratch_core.rulebook.action_spec import ActionSpec
from scratch_core.rulebook.actions import ACTION_SPECS, HOLD
from scratch_core.turn_systems import NameList, Narration, TargetReports, conceal, defer, narrate

RollD20 = Callable[[], int]
"""Rolls one d20 and returns its face."""


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """The result of a legal action."""

    events: tuple[Event, ...]
    """What happened, in order."""
    rolls: tuple[FightRoll, ...]
    """The rolls, in the order rolled."""
    sentences: Narration
    """What happened, for every reader."""


class AttackResult(NamedTuple):
    """What an attack did to one target."""

    target: Fighter
    """The target before the attack."""
    roll: FightRoll
    """The roll against it."""
    damage: int = 0
    """The damage of a hit."""
    hp_before: int = 0
    """The hit points before a hit."""
    hp_left: int = 0
    """The hit points after a hit."""


# Preconditions


def _build_counter_hold_condition_problems(context: TurnContext) -> list[Problem]:
    """Return why the actor can't counter a hold. Rule: `act.wrestling.counter-hold`."""
    rule, where, actor = "act.wrestling.counter-hold", ACTION_TITLES["counter-hold"], context.actor
    if not actor.is_delayed:
        expected, got = "a delayed wrestler (others hold as usual)", f"{actor.name}, not delayed"
        return build_rule_problems("counter-hold.not-delayed", rule, expected, got, where, actor=actor.name)
    got, facts = f"{actor.name}, {actor.health}", {"actor": actor.name, "health": actor.health}
    return build_rule_problems("counter-hold.not-healthy", rule, "a healthy wrestler", got, where, **facts)


_THROW_RULES = "act.throw-object.needs-object act.throw-object"
ACTION_PRECONDITIONS = {
    "throw": ActionPrecondition(
        lambda context: "throwable" not in context.actor.here,
        lambda context: build_rule_problems(
            "throw.nothing-here",
            _THROW_RULES,
            "something dangerous to throw at hand",
            "nothing",
            ACTION_TITLES["throw"],
        ),
    ),
    "double-attack": ActionPrecondition(
        lambda context: not context.actor.is_healthy,
        lambda context: build_rule_problems(
            "double-attack.not-healthy",
            "act.fighting.double",
            "a healthy fighter",
            f"{context.actor.name}, {context.actor.health}",
            ACTION_TITLES["double-attack"],
            actor=context.actor.name,
            health=context.actor.health,
        ),
    ),
    "second-blow": ActionPrecondition(
        lambda context: context.state.ledger.opened != "second-blow",
        lambda context: build_rule_problems(
            "double-attack.no-first",
            "act.fighting.double",
            "a first blow right before it",
            "none",
            ACTION_TITLES["second-blow"],
        ),
    ),
    "counter-hold": ActionPrecondition(
        lambda context: not (context.actor.delays and context.actor.is_healthy), _build_counter_hold_condition_problems
    ),
}
"""The preconditions of single attacks that don't depend on the target."""


def target_choice_problems(context: TurnContext, action: Action) -> list[Problem]:
    """Return the problems with an attack's number of targets and with each target.

    On a board a blast has a space instead of targets.
    Rules: `act.blasting`, `act.blasting.distinct`, `act.fighting.double`, `grid.blast.target`, and those of one target.
    """
    do, targets, spec = action.do, action.targets, ACTION_SPECS[action.do]
    allowed = spec.targets
    if allowed.spaces and (action.space is not None or context.state.board is not None):
        return positions.blast_space_problems(context, action)
    problems = []
    if not allowed.least <= len(targets) <= allowed.most:
        problems += build_wrong_target_count_problems(action)
    if allowed.distinct and len(set(targets)) < len(targets):
        problems += build_rule_problems(
            "target.twice", "act.blasting.distinct", "each target once", "one twice", ACTION_TITLES[do]
        )
    for target in dict.fromkeys(targets):
        problems += attack_target_problems(context, do, context.state.fighter(target))
    return problems


def build_wrong_target_count_problems(action: Action) -> list[Problem]:
    """Build the problem of too few or too many targets.

    It cites the action's own rule.
    """
    spec, count = ACTION_SPECS[action.do], len(action.targets)
    allowed = spec.targets.count_with_noun
    return build_rule_problems(
        "target.count", spec.rule, allowed, str(count), ACTION_TITLES[action.do], allowed=allowed, count=count
    )


def can_attack(context: TurnContext, do: str, target: Fighter) -> bool:
    """Return whether the actor may attack the target with this action.

    It gives the same answer as `attack_target_problems`, but faster.
    """
    return target.id != context.actor.id and not any(
        precondition.is_unmet(context, do, target) for precondition in _PRECONDITIONS_BY_ACTION[do]
    )


def attack_target_problems(context: TurnContext, do: str, target: Fighter) -> list[Problem]:
    """Return what forbids this attack on this target.

    Incapacitated fighters may be attacked (ruling A35).
    Rules: `act.escape.effect`, `act.blasting` (enemies only), `act.wrestling.counter-hold`, `act.unrepeatable`,
    `flying.immunity`, `swimming.deep-evade`, `grid.close.reach`, `grid.long.los`.
    """
    if target.id == context.actor.id:
        expected, name = "another character as the target", context.actor.name
        return build_rule_problems("target.self", ACTION_SPECS[do].rule, expected, name, ACTION_TITLES[do], actor=name)
    unmet = (
        precondition for precondition in _PRECONDITIONS_BY_ACTION[do] if precondition.is_unmet(context, do, target)
    )
    return [problem for precondition in unmet for problem in precondition.list_problems(context, do, target)]


def flying_or_diving_target_problems(actor: Fighter, do: str, target: Fighter) -> list[Problem]:
    """Return why a target in the air or under water is out of reach.

    A flyer without room to fly can be reached, and so can a diver outside deep water (rulings A12, A13).
    Rules: `flying.immunity`, `swimming.deep-evade`.
    """
    problems = []
    if target.is_flying_out_of_reach and do in CLOSE_ATTACKS and not actor.can_fly_here:
        expected = "an attacker who can fly, with room for it, or a long-range attack"
        why = "has no room to fly" if actor.level("flying") else "can't"
        got, facts = f"{actor.name}, who {why}", {"actor": actor.name, "target": target.name}
        problems += build_rule_problems(
            "target.in-the-air", "flying.immunity", expected, got, ACTION_TITLES[do], **facts
        )
    if target.is_deep_evading and do in LONG_ATTACKS:
        expected = "a close-range attack by a swimmer"
        rule, got = "swimming.deep-evade", "a long-range attack"
        problems += build_rule_problems("target.dived", rule, expected, got, ACTION_TITLES[do], target=target.name)
    elif target.is_deep_evading and not actor.level("swimming"):
        expected = "an attacker who can swim"
        got, facts = f"{actor.name}, who can't", {"actor": actor.name, "target": target.name}
        problems += build_rule_problems(
            "target.in-deep-water", "swimming.deep-evade", expected, got, ACTION_TITLES[do], **facts
        )
    return problems


def build_departed_target_problems(do: str, target: Fighter) -> list[Problem]:
    """Build the problem of a target that has escaped or left. Rule: `act.escape.effect`."""
    got = f"{target.name}, who {target.departure_verb}"
    facts = {"target": target.name, "departure_verb": target.departure_verb}
    return build_rule_problems(
        "target.away", "act.escape.effect", "a target still there", got, ACTION_TITLES[do], **facts
    )


_TARGET_PRECONDITIONS = (
    TargetPrecondition(
        ATTACKS,
        lambda context, do, target: bool(flying_or_diving_target_problems(context.actor, do, target)),
        lambda context, do, target: flying_or_diving_target_problems(context.actor, do, target),
    ),
    TargetPrecondition(CLOSE_ATTACKS, positions.is_beyond_close_reach, positions.attack_reach_problems),
    TargetPrecondition(LONG_ATTACKS, positions.is_line_of_sight_blocked, positions.attack_reach_problems),
    TargetPrecondition(
        ATTACKS,
        lambda context, do, target: target.is_away,
        lambda context, do, target: build_departed_target_problems(do, target),
    ),
    TargetPrecondition(
        frozenset(do for do in ATTACKS if ACTION_SPECS[do].targets.enemies),
        lambda context, do, target: target.side == context.actor.side,
        lambda context, do, target: build_rule_problems(
            "target.ally",
            ACTION_SPECS[do].rule,
            "enemies",
            f"{target.name}, an ally",
            ACTION_TITLES[do],
            target=target.name,
        ),
    ),
    TargetPrecondition(
        frozenset(("counter-hold",)),
        lambda context, do, target: target.id not in context.actor.held_by,
        lambda context, do, target: build_rule_problems(
            "counter-hold.no-hold",
            "act.wrestling.counter-hold",
            f"a character whose hold on {context.actor.name} succeeded since their last turn",
            target.name,
            ACTION_TITLES[do],
            actor=context.actor.name,
            target=target.name,
        ),
    ),
    TargetPrecondition(
        UNREPEATABLE_ACTIONS & ATTACKS,
        lambda context, do, target: is_spent_for_encounter(context, do, target.id),
        lambda context, do, target: build_already_used_problems(context, do, target.name),
    ),
)
_PRECONDITIONS_BY_ACTION = {
    do: tuple(precondition for precondition in _TARGET_PRECONDITIONS if do in precondition.names) for do in ATTACKS
}


def can_turn_be_skipped(state: EncounterState, fighter: Fighter) -> bool:
    """Return whether a fighter's turn may be passed over.

    It may if the fighter is down, away, or delayed and unable to counter a hold. Cover doesn't matter, because it may
    be left at any time.
    Rules: `hp.incapacitated`, `act.escape.effect`, `cond.delayed`, `act.wrestling.counter-hold`.
    """
    if fighter.is_out:
        return True
    if not fighter.delays:
        return False
    if fighter.panicked_until or not fighter.is_healthy or not fighter.level("wrestling"):
        return True
    context = TurnContext(state, fighter)
    return not any(can_attack(context, "counter-hold", state.fighter(holder)) for holder in fighter.held_by)


# Resolution


def resolve_damage_attack(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Roll for each target and apply the damage of the action's definition.

    A double attack on a single target is its first attack, and opens the second one (ruling A16). An injured shooter or
    blaster delays itself once, hit or miss; a knockout always delays its actor. On a board a blast attacks every
    fighter within 1 space of its space.
    Rules: `attack.type-map`, `hp.damage`, `hp.auto-damage`, `hp.floor`, `act.basic-attack`, `act.fighting.bonus`,
    `act.wrestling.bonus`, `act.knockout.basic`, `act.fighting.double`, `act.throw-object`, `act.shooting`,
    `act.shooting.auto`, `act.shooting.injured-delay`, `act.blasting`, `act.blasting.rolls`,
    `act.blasting.injured-delay`, `grid.blast.area`, `act.knockout`, `act.knockout.damage`, `act.knockout.self-delay`,
    `flying.immunity`.
    """
    actor, spec = context.actor, ACTION_SPECS[action.do]
    uses = get_named_or_best_abilities(actor, action, context.state.rulings)
    damage = compute_usual_damage(context, action.do, uses)
    target_ids = action.targets
    if action.space is not None and spec.targets.spaces:
        target_ids = positions.list_blast_target_ids(context.state, action.space)
    targets = [context.state.fighter(each) for each in target_ids]
    events: list[Event] = [] if action.do == context.state.ledger.opened else [RegularUsed(actor.id, action.do)]
    rolls, results = [], list[AttackResult]()
    hp_left = {target.id: target.hp for target in targets}
    for target in targets:
        roll = context.get_or_build_attack(action.do, uses, target).build_roll_with_face(roll_d20())
        rolls.append(roll)
        result = AttackResult(target, roll)
        if roll.check.is_success:
            dealt = attack_damage(damage, roll.check.figure.parts[0].value, spec.on_20).value
            before = hp_left[target.id]
            left = hp_left[target.id] = lose_hp(before, dealt)
            events.append(Damaged(target.id, actor.id, dealt, left))
            result = AttackResult(target, roll, dealt, before, left)
        results.append(result)
    events += _build_flyer_out_of_reach_events(actor, action.do)
    sentences = defer(_narrate_attack, actor, spec, tuple(results))
    if spec.follow_up and len(targets) == 1:
        events.append(Opened(actor.id, spec.follow_up))
    if spec.is_self_delaying(actor.is_injured):
        events.append(Delayed(actor.id, spec.cause, actor.id, actor.get_next_turn_number()))
        sentences = sentences.with_part(_narrate_condition(actor, "delayed"))
    return ActionOutcome(tuple(events), tuple(rolls), sentences)


def _build_flyer_out_of_reach_events(actor: Fighter, do: str) -> list[Event]:
    """Return the event that a long-range attack in the air causes (ruling A12).

    A flyer with room to fly is out of reach after it. Rule: `flying.immunity`.
    """
    return [OutOfReach(actor.id)] if do in LONG_ATTACKS and actor.can_fly_here else []


def resolve_hold(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Resolve a hold, which delays the target and ends its evade.

    A healthy wrestler's hold also does damage. A counter-hold does none, even on a natural 20. On a board the target is
    immobilized, too (ruling G17).
    Rules: `act.hold`, `act.hold.stops-evade`, `detection.hold`, `move.use`, `cond.delayed.expiry`,
    `act.wrestling.hold-damage`, `act.wrestling.counter-hold`, `act.wrestling.counter-hold.no-damage`,
    `hp.auto-no-damage`, `grid.hold.immobilize`.
    """
    actor, target, spec = context.actor, context.state.fighter(action.targets[0]), ACTION_SPECS[action.do]
    uses = get_named_or_best_abilities(actor, action, context.state.rulings)
    roll = context.get_or_build_attack(action.do, uses, target).build_roll_with_face(roll_d20())
    events: list[Event] = [RegularUsed(actor.id, action.do)]
    outcome: list[Narration] = []
    if roll.check.is_success:
        dealt = attack_damage(
            compute_usual_damage(context, action.do, uses), roll.check.figure.parts[0].value, spec.on_20
        ).value
        left = lose_hp(target.hp, dealt)
        if dealt:
            events.append(Damaged(target.id, actor.id, dealt, left))
        if target.evading:
            events.append(EvadeEnded(target.id))
        events.append(Delayed(target.id, spec.cause, actor.id, target.get_next_turn_number()))
        if context.state.board is not None:
            events.append(Immobilized(target.id, actor.id, target.get_next_turn_number()))
        if dealt:
            outcome.append(narrate(" {}.", _narrate_damage(AttackResult(target, roll, dealt, target.hp, left))))
        outcome.append(_narrate_condition(target, "delayed"))
    return ActionOutcome(tuple(events), (roll,), narrate_attempt(actor, spec.verb, target, roll, *outcome))


def compute_usual_damage(context: TurnContext, do: str, uses: AbilityNames) -> int:
    """Compute the damage of a success that is not a natural 20.

    A hold does damage only if its actor is healthy and adds wrestling, and never with the older wrestling rules (ruling
    K06).
    Rules: `hp.damage`, `act.wrestling.hold-damage`, `act.wrestling.counter-hold.no-damage`.
    """
    is_hurtful = "wrestling" in uses and context.actor.is_healthy and not context.state.rulings.wrestling_double_legacy
    if do == HOLD.do and not is_hurtful:
        return 0
    return ACTION_SPECS[do].damage_by_health(context.actor.is_injured)


def sum_damage_and_hits_over_faces(
    context: TurnContext, do: str, abilities: AbilityNames, targets: Iterable[Fighter]
) -> tuple[int, int]:
    """Sum the damage and the hits of an attack over all faces.

    They are summed over the targets, too, each in its current state; no damage exceeds a target's hit points. Divided
    by 20 they are the expected damage and the expected number of hits.
    Rules: `hp.damage`, `hp.auto-damage`, `hp.floor`, `roll.success`.
    """
    damage = compute_usual_damage(context, do, abilities)
    usual_damage = attack_damage(damage, 1).value
    highest_damage = attack_damage(damage, SIDES, ACTION_SPECS[do].on_20).value
    total_damage = hits = 0
    for target in targets:
        faces_below_20 = SIDES - context.get_or_build_attack(do, abilities, target).lowest_success_face
        total_damage += faces_below_20 * min(usual_damage, target.hp) + min(highest_damage, target.hp)
        hits += faces_below_20 + 1
    return total_damage, hits


def resolve_mental_attack(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Resolve an attack on the mind, which delays or panics the target.

    A distraction delays the target, whose evade goes on; a surprise or an intimidation panics it. A failed attempt is
    spent, too (ruling A03).
    Rules: `act.distract`, `act.surprise`, `act.intimidate`, `act.intimidate.defence`, `act.unrepeatable`,
    `cond.delayed.expiry`, `cond.panicked.expiry`.
    """
    actor, target, spec = context.actor, context.state.fighter(action.targets[0]), ACTION_SPECS[action.do]
    uses = get_named_or_best_abilities(actor, action, context.state.rulings)
    roll = context.get_or_build_attack(action.do, uses, target).build_roll_with_face(roll_d20())
    events: list[Event] = [RegularUsed(actor.id, action.do), OnceUsed(actor.id, action.do, target.id)]
    outcome: list[Narration] = []
    if roll.check.is_success and spec.inflicts == "delay":
        events.append(Delayed(target.id, spec.cause, actor.id, target.get_next_turn_number()))
        outcome.append(_narrate_condition(target, "delayed"))
    elif roll.check.is_success:
        events.append(Panicked(target.id, actor.id, target.get_next_turn_number()))
        outcome.append(_narrate_condition(target, "panicked"))
    events += _build_flyer_out_of_reach_events(actor, action.do)
    return ActionOutcome(tuple(events), (roll,), narrate_attempt(actor, spec.verb, target, roll, *outcome))


# Wording


def _narrate_attack(actor: Fighter, spec: ActionSpec, results: Sequence[AttackResult]) -> Narration:
    """Build the sentences about an attack, one that does damage."""
    verb = "makes a first attack on" if spec.follow_up else spec.verb
    lone_reports = tuple(
        narrate("{} {} {}{}", actor, verb, each.target, _narrate_result(each, ". Miss", ". Hit")) for each in results
    )
    if spec.targets.most == 1 or (spec.follow_up and len(results) == 1):
        return lone_reports[0]
    reports = tuple(narrate("{}{}", each.target, _narrate_result(each, " is missed", " is hit")) for each in results)
    if spec.follow_up:
        return narrate("{}", TargetReports(narrate("{} {}.", actor, spec.verb), reports, lone_reports))
    lead = narrate("{} {} {}.", actor, spec.verb, NameList(tuple(each.target for each in results)))
    empty = narrate("{} {} an empty space.", actor, spec.verb)
    return narrate("{}", TargetReports(lead, reports, lone_reports, empty))


def _narrate_result(result: AttackResult, miss: str, hit: str) -> Narration:
    """Build the words for a roll and its result, after the target's name.

    `miss` and `hit` are the words for readers who don't know the roll.
    """
    who, total = result.roll.who, narrate_roll(result.roll)
    if not result.roll.check.is_success:
        return narrate("{}.", conceal(who, ": {}. Miss", total, otherwise=miss))
    return narrate("{}: {}.", conceal(who, ": {}. Hit", total, otherwise=hit), _narrate_damage(result))


def narrate_attempt(actor: Fighter, verb: str, target: Fighter, roll: FightRoll, *outcome: Narration) -> Narration:
    """Build the sentences about an attempt to act on a target.

    `outcome` has the sentences after the first.
    """
    verb = verb if roll.check.is_success else describe_failure(verb)
    total = conceal(actor.id, ": {}", narrate_roll(roll))
    return Narration(f"{{}} {{}} {{}}{{}}.{'{}' * len(outcome)}", (actor, verb, target, total, *outcome))


def narrate_roll(roll: FightRoll) -> Narration:
    """Build the words for a roll.

    They are `13 against strength 14` or `a natural 20 (23 against agility 11)`. The total belongs to the actor, and the
    defence to the target.
    """
    against = conceal(roll.target, " against {} {}", roll.against.name, roll.check.difficulty)
    return conceal(roll.who, "a natural 20 ({}{})" if roll.check.automatic else "{}{}", roll.check.total, against)


def _narrate_damage(result: AttackResult) -> Narration:
    """Build the words for the damage of a hit and its effect."""
    target, damage, before, left = result.target, result.damage, result.hp_before, result.hp_left
    if left:
        return narrate("{} damage{}", damage, conceal(target.id, ", {} left", format_hit_points(left)))
    return narrate("{} damage. {} {} incapacitated", damage, target, "is" if before else "was already")


def _narrate_condition(who: Fighter, condition: str) -> Narration:
    """Build the sentence about a new condition, after another sentence."""
    return narrate(" {} is {}.", who, condition)


RESOLVE: dict[str, Callable[[TurnContext, Action, RollD20], ActionOutcome]] = {
    **dict.fromkeys(
        ("basic-attack", "double-attack", "second-blow", "throw", "shoot", "blast", "knockout"), resolve_damage_attack
    ),
    **dict.fromkeys(("hold", "counter-hold"), resolve_hold),
    **dict.fromkeys(("distract", "surprise", "intimidate"), resolve_mental_attack),
}
"""The function that resolves each attack, by its name."""
