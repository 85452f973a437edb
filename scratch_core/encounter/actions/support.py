"""Healing, crafted bonuses, and actions outside turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scratch_core.characters import HURRY_DIFFICULTY, TemporaryBonus, is_bonus_lost
from scratch_core.dice import check
from scratch_core.encounter.actions import positions
from scratch_core.encounter.actions.action import Action
from scratch_core.encounter.actions.attacks import ActionOutcome, RollD20, build_departed_target_problems
from scratch_core.encounter.actions.current_figures import FightRoll, list_roll_parts
from scratch_core.encounter.actions.escape import build_active_off_board_escape_events
from scratch_core.encounter.actions.phrases import (
    ACTION_TITLES,
    build_missing_ability_problems,
    describe_failure,
)
from scratch_core.encounter.actions.preconditions import TargetPrecondition, TurnContext, build_incapacitated_problems
from scratch_core.encounter.state import (
    BonusPlaced,
    BonusRemoved,
    CraftFailed,
    CraftUnhurried,
    EncounterEnded,
    EncounterState,
    Event,
    Fighter,
    Healed,
    RegularUsed,
)
from scratch_core.errors import Problem, build_rule_problems
from scratch_core.figures import Figure, Part, format_hit_points
from scratch_core.rulebook.actions import ACTION_SPECS, REVIVE, TAKE_COVER
from scratch_core.turn_systems import GAME_MASTER, conceal, narrate

# Healing


def can_heal_or_revive(context: TurnContext, do: str, target: Fighter) -> bool:
    """Return whether the actor may heal or revive the target.

    It gives the same answer as `healing_target_problems`, but faster.
    """
    return not any(precondition.is_unmet(context, do, target) for precondition in _PRECONDITIONS_BY_ACTION[do])


def healing_target_problems(context: TurnContext, do: str, target: Fighter) -> list[Problem]:
    """Return why the target can't be healed or revived.

    The target may be any other fighter in need, also an enemy, but not a minion in a fight (rulings A23, A24).
    Rules: `act.heal`, `act.heal.not-self`, `act.heal.injured`, `act.heal.revive`, `minion.no-heal`,
    `act.escape.effect`, `grid.heal.adjacent`.
    """
    unmet = (
        precondition for precondition in _PRECONDITIONS_BY_ACTION[do] if precondition.is_unmet(context, do, target)
    )
    return [problem for precondition in unmet for problem in precondition.list_problems(context, do, target)]


def _build_unrevivable_target_problems(context: TurnContext, do: str, target: Fighter) -> list[Problem]:
    """Build the problem of a target that can't be revived. Rules: `act.heal.revive`, `act.heal`."""
    rules, expected = "act.heal.revive act.heal", "an incapacitated character"
    if not target.numbers.max_hp:
        got = f"{target.name}, without toughness"
        return build_rule_problems("revive.no-toughness", rules, expected, got, ACTION_TITLES[do], target=target.name)
    got = f"{target.name}, {target.health}"
    return build_rule_problems("revive.not-incapacitated", rules, expected, got, ACTION_TITLES[do], target=target.name)


HEALING = ("heal", "revive")
_HEALING_NAMES = frozenset(HEALING)
_TARGET_PRECONDITIONS = (
    TargetPrecondition(
        _HEALING_NAMES,
        lambda context, do, target: target.id == context.actor.id,
        lambda context, do, target: build_rule_problems(
            "heal.self",
            "act.heal.not-self",
            "someone else",
            context.actor.name,
            ACTION_TITLES[do],
            actor=context.actor.name,
            action=ACTION_TITLES[do],
        ),
    ),
    TargetPrecondition(
        _HEALING_NAMES,
        lambda context, do, target: target.is_minion and context.is_encounter_running,
        lambda context, do, target: build_rule_problems(
            "heal.minion",
            "minion.no-heal",
            "no minion during an encounter",
            target.name,
            ACTION_TITLES[do],
            target=target.name,
        ),
    ),
    TargetPrecondition(
        _HEALING_NAMES,
        lambda context, do, target: target.is_away and context.is_encounter_running,
        lambda context, do, target: build_departed_target_problems(do, target),
    ),
    TargetPrecondition(
        frozenset(("heal",)),
        lambda context, do, target: not target.is_injured,
        lambda context, do, target: build_rule_problems(
            "heal.not-injured",
            "act.heal.injured act.heal",
            "an injured character",
            f"{target.name}, {target.health}",
            ACTION_TITLES[do],
            target=target.name,
            health=target.health,
        ),
    ),
    TargetPrecondition(
        frozenset(("revive",)),
        lambda context, do, target: not (target.is_down and target.numbers.max_hp),
        _build_unrevivable_target_problems,
    ),
    TargetPrecondition(_HEALING_NAMES, positions.is_too_far_to_help, positions.build_too_far_to_help_problems),
)
_PRECONDITIONS_BY_ACTION = {
    do: tuple(precondition for precondition in _TARGET_PRECONDITIONS if do in precondition.names) for do in HEALING
}


def resolve_heal(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Restore an injured target to the lowest healthy number of hit points.

    That is half its maximum, rounded down, plus 1. Rules: `act.heal`, `act.heal.injured`.
    """
    target = context.state.fighter(action.targets[0])
    return _resolve_healing_roll(context, action, roll_d20, target.numbers.max_hp // 2 + 1)


def resolve_revive(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Restore an incapacitated target to 1 hit point. Rules: `act.heal`, `act.heal.revive`."""
    return _resolve_healing_roll(context, action, roll_d20, REVIVE.hit_points)


def _resolve_healing_roll(
    context: TurnContext, action: Action, roll_d20: RollD20, hp_after_success: int
) -> ActionOutcome:
    """Roll to heal or revive a target.

    A natural 20 has no extra effect. Rule: `act.heal`.
    """
    actor, target, spec = context.actor, context.state.fighter(action.targets[0]), ACTION_SPECS[action.do]
    against = Figure("difficulty", (Part("difficulty", spec.difficulty, "act.heal"),))
    result = check(
        roll_d20(),
        list_roll_parts(actor, action.do, spec.usable_abilities, context.state.rulings),
        spec.difficulty,
    )
    events: list[Event] = [RegularUsed(actor.id, action.do)]
    if result.is_success:
        events.append(Healed(target.id, actor.id, hp_after_success))
    verb = spec.verb if result.is_success else describe_failure(spec.verb)
    total = conceal(actor.id, ": {} against difficulty {}", result.total, spec.difficulty)
    outcome = (
        conceal(target.id, " {} has {}.", target, format_hit_points(hp_after_success)) if result.is_success else ""
    )
    sentences = narrate("{} {} {}{}.{}", actor, verb, target, total, outcome)
    return ActionOutcome(tuple(events), (FightRoll(actor.id, target.id, result, against),), sentences)


# Checks


def ability_check_problems(actor: Fighter, action: Action) -> list[Problem]:
    """Return a problem if the actor lacks the ability that a check requires.

    The check can't be tried then, whatever the roll. Rule: `roll.ability-required`.
    """
    if not action.requires or actor.level(action.ability):
        return []
    rules = "roll.ability-required char.ability-level"
    return build_missing_ability_problems(rules, action.ability, actor.name, ACTION_TITLES["check"])


def resolve_ability_check(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Roll against a difficulty, with or without an ability.

    The penalty of cover applies. Only readers who know the actor's numbers read of it, and of the difficulty only the
    game master.
    Rules: `roll.d20`, `roll.success`, `roll.ability-optional`, `roll.ability-required`, `act.cover.effect`.
    """
    actor = context.actor
    rule = "roll.ability-required" if action.requires else "roll.ability-optional"
    parts = list(actor.character.level_parts(action.ability, rule))
    if actor.in_cover:
        parts.append(Part("cover", -TAKE_COVER.cost, "act.cover.effect"))
    against = Figure("difficulty", (Part("difficulty", action.difficulty, "roll.notation"),))
    result = check(roll_d20(), parts, action.difficulty)
    roll_name = f"a {action.ability} roll" if action.ability else "a roll"
    outcome = "Success" if result.is_success else "Failure"
    difficulty = conceal(GAME_MASTER, " against difficulty {}", action.difficulty)
    sentences = conceal(actor.id, "{} makes {}: {}{}. {}.", actor, roll_name, result.total, difficulty, outcome)
    return ActionOutcome((), (FightRoll(actor.id, "", result, against),), sentences)


# Craftsmanship


def is_crafting_locked_by_encounter(state: EncounterState) -> bool:
    """Return whether crafted bonuses can't be changed now.

    They can't from the first turn to the end of the encounter. Rule: `craft.encounter-lock`.
    """
    return state.phase == "running" and bool(state.active)


def craft_problems(state: EncounterState, action: Action) -> list[Problem]:
    """Return everything that forbids adding or removing a bonus.

    Rules: `craft.encounter-lock`, `craft.bonus`, `craft.needs-level`, `craft.one-per-ability`, `craft.duration`,
    `craft.hurry-fail`, `hp.incapacitated`.
    """
    actor, target, where = state.fighter(action.actor), state.fighter(action.targets[0]), ACTION_TITLES["craft"]
    problems = []
    if actor.is_down and actor.numbers.max_hp:
        problems += build_incapacitated_problems(actor, where)
    if is_crafting_locked_by_encounter(state):
        expected = "a time outside encounters"
        problems += build_rule_problems("craft.in-fight", "craft.encounter-lock", expected, "an encounter", where)
    if action.add:
        return problems + _bonus_placement_problems(state, actor, target, action)
    if TemporaryBonus(action.ability, actor.id) not in target.character.bonuses:
        crafter, ability, companion = actor.name, action.ability, target.name
        expected = f"a bonus by {crafter} on {ability} of {companion}"
        facts = {"actor": crafter, "target": companion, "ability": ability}
        problems += build_rule_problems("craft.no-bonus", "craft.duration", expected, "none", where, **facts)
    return problems


def _bonus_placement_problems(state: EncounterState, actor: Fighter, target: Fighter, action: Action) -> list[Problem]:
    """Return what forbids adding a bonus, in or outside an encounter.

    Rules: `craft.bonus`, `craft.hurry-fail`, and the other rules of crafting.
    """
    where, ability, level = ACTION_TITLES["craft"], action.ability, actor.level("craftsmanship")
    used = sum(bonus.crafter == actor.id for each in state.fighters for bonus in each.character.bonuses)
    problems = []
    if not level:
        rules = "craft.bonus char.ability-level roll.ability-required"
        problems += build_missing_ability_problems(rules, "craftsmanship", actor.name, where)
    elif used >= level:
        expected = f"{level} bonus{'' if level == 1 else 'es'} at most by craftsmanship {level}"
        facts = {"actor": actor.name, "level": level}
        problems += build_rule_problems("craft.bonuses-used", "craft.bonus", expected, str(used + 1), where, **facts)
    if actor.id == target.id:
        problems += build_rule_problems(
            "craft.self", "craft.bonus", "a companion", "the crafter", where, actor=actor.name
        )
    if not target.level(ability):
        problems += build_missing_ability_problems("craft.needs-level", ability, target.name, where)
    if target.character.bonus(ability):
        expected = f"{ability} without a temporary bonus"
        facts = {"target": target.name, "ability": ability}
        problems += build_rule_problems(
            "craft.has-bonus", "craft.one-per-ability", expected, "one that has it", where, **facts
        )
    lost = [each for each in state.lost_crafts if each[0] == actor.id]
    if action.hurry and is_bonus_lost(lost, (actor.id, target.id, ability), level - used, state.rulings):
        expected = "time enough, after the roll failed"
        problems += build_rule_problems(
            "craft.hurry-failed", "craft.hurry-fail", expected, "a hurry", where, actor=actor.name
        )
    return problems


def resolve_craft(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Add a bonus, with a roll if in a hurry, or remove one.

    Rules: `craft.bonus`, `craft.hurry`, `craft.hurry-fail`, `craft.duration`.
    """
    actor, target = context.actor, context.state.fighter(action.targets[0])
    events: list[Event] = []
    if not action.add:
        removed = (BonusRemoved(target.id, actor.id, action.ability),)
        which = conceal(target.id, "the {}", action.ability, otherwise="a")
        return ActionOutcome(removed, (), narrate("{} removes {} bonus from {}.", actor, which, target))
    if not action.hurry and any(lost[0] == actor.id for lost in context.state.lost_crafts):
        events.append(CraftUnhurried(actor.id))
    rolls: tuple[FightRoll, ...] = ()
    is_made, outcome = True, narrate("{}.", conceal(target.id, ": +1 {}", action.ability))
    if action.hurry:
        difficulty = action.difficulty or HURRY_DIFFICULTY
        against = Figure("difficulty", (Part("difficulty", difficulty, "craft.hurry"),))
        checked = check(roll_d20(), actor.character.level_parts("craftsmanship", "craft.hurry"), difficulty)
        rolls, is_made = (FightRoll(actor.id, target.id, checked, against),), checked.is_success
        total = conceal(actor.id, ": {} against difficulty {}", checked.total, difficulty)
        bonus = conceal(target.id, "{} has +1 {}", target, action.ability, otherwise="Success")
        outcome = narrate(" in a hurry{}. {}.", total, bonus if is_made else "Failure")
    event_type = BonusPlaced if is_made else CraftFailed
    events.append(event_type(target.id, actor.id, action.ability))
    return ActionOutcome(tuple(events), rolls, narrate("{} crafts a bonus for {}{}", actor, target, outcome))


def list_legal_craft_actions(state: EncounterState, actor: Fighter) -> Iterator[Action]:
    """Yield every legal addition and removal of a bonus by the actor.

    Additions are listed with and without hurry.
    """
    for target in state.fighters:
        for line in target.character.lines:
            for add, hurry in ((True, False), (True, True), (False, False)):
                action = Action(actor.id, "craft", (target.id,), ability=line.ability, add=add, hurry=hurry)
                if not craft_problems(state, action):
                    yield action


def resolve_encounter_end(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """End the encounter.

    An active fighter off the board escapes. Rules: `turn.encounter`, `grid.escape.exit`.
    """
    return ActionOutcome(
        (*build_active_off_board_escape_events(context.state), EncounterEnded()), (), narrate("The encounter is over.")
    )


RESOLVE: dict[str, Callable[[TurnContext, Action, RollD20], ActionOutcome]] = {
    "heal": resolve_heal,
    "revive": resolve_revive,
    "check": resolve_ability_check,
    "craft": resolve_craft,
    "end-encounter": resolve_encounter_end,
}
"""The function that resolves each action, by its name."""
