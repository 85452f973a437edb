"""The actions of a turn for the template: every legal action once, and why others are unavailable.

All turn systems have the same menus; this module builds those of the basic rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from scratch_core.calculators.fight.menu_records import (
    ActionChoice,
    ActionGroup,
    ActionVariant,
    TurnMenu,
    UnavailableAction,
    format_compact_json,
)
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.characters import HURRY_DIFFICULTY
from scratch_core.dice import face_needed
from scratch_core.encounter.actions import (
    HEALING,
    ROLL_ACTIONS,
    TURN_ACTIONS,
    AbilityNames,
    Action,
    TurnContext,
    attack_target_problems,
    choose_best_abilities,
    compute_usual_damage,
    get_named_or_best_abilities,
    healing_target_problems,
    is_crafting_locked,
    list_ability_options,
    list_legal_craft_actions,
    list_roll_parts,
    required_ability_problems,
    sum_damage_and_hits_over_faces,
    target_independent_problems,
)
from scratch_core.encounter.engine import apply_events, plan_turn_start
from scratch_core.encounter.narration import describe_delay_cause, list_turn_candidates
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.errors import Problem, join_words, rule_problems
from scratch_core.rulebook.action_spec import ONE
from scratch_core.rulebook.actions import (
    ACTION_SPECS,
    COUNTER_HOLD,
    CRAFT,
    DOUBLE_ATTACK,
    END_TURN,
    EVADE,
    HOLD,
    SECOND_BLOW,
)

MAX_TARGET_SETS = 20
"""The most sets of targets that are evaluated. Beyond it, only single targets and the chosen ones are."""

MAX_ACTION_CHOICES = 300
"""The most choices of all turn menus together that are shown at once; further menus open with a button."""

MAX_FIGHTERS_FOR_CRAFTING = 30
"""The largest number of fighters for which crafted bonuses are listed."""

BUTTON_LABELS = {do: spec.button or spec.title for do, spec in ACTION_SPECS.items()}
"""The label of each action's button, from the rulebook, by the action's name."""

SIMPLE_ACTIONS = tuple(
    do for do in TURN_ACTIONS if not ACTION_SPECS[do].needs_target and not ACTION_SPECS[do].usable_abilities
)
"""The actions without a target and without a choice of abilities."""


def group_unavailable_actions(unavailable: Iterable[tuple[str, Problem]]) -> tuple[UnavailableAction, ...]:
    """Group the titles of unavailable actions by the sentence of their problem."""
    groups: dict[str, tuple[list[str], Problem]] = {}
    for title, problem in unavailable:
        groups.setdefault(format_problem_sentence(problem), ([], problem))[0].append(title)
    return tuple(UnavailableAction(tuple(titles), problem) for titles, problem in groups.values())


# Actors


def list_possible_actors(state: EncounterState) -> tuple[str, ...]:
    """List the ids of the characters who may act now.

    In an encounter it is their turn, or it may begin. Outside of one, they have healing or craftsmanship.
    """
    if state.phase == "running":
        return list_turn_candidates(state)
    present = (each for each in state.fighters if not each.is_out)
    return tuple(each.id for each in present if each.level("healing") or each.level("craftsmanship"))


def list_idle_turn_ends(state: EncounterState) -> tuple[ActionChoice, ...]:
    """List the turn ends of characters who are down or away.

    The player may end their turns between other turns, but need not. Rule: `hp.incapacitated`.
    """
    if state.phase != "running" or not state.turn_over:
        return ()
    inactive = [each for each in state.fighters if each.is_out and not plan_turn_start(state, each.id).problems]
    return tuple(build_action_choice(Action(each.id, END_TURN.do), each.name) for each in inactive)


def build_turn_context(state: EncounterState, actor: str) -> TurnContext:
    """Return the actor with the state in which the actor acts.

    In an encounter the actor's turn has begun in it.
    """
    if state.phase == "running":
        state = apply_events(state, plan_turn_start(state, actor).events)
    return TurnContext(state, state.fighter(actor))


def build_crafting_menus(state: EncounterState) -> tuple[TurnMenu, ...]:
    """Build the menus of crafters before the first turn. Rule: `craft.encounter-lock`."""
    if state.phase != "running" or is_crafting_locked(state):
        return ()
    groups_by_fighter = ((fighter, tuple(_list_craft_groups(state, fighter))) for fighter in state.fighters)
    return tuple(TurnMenu(fighter.id, fighter.name, groups) for fighter, groups in groups_by_fighter if groups)


# The actions of a turn


def list_actions_without_spaces(
    context: TurnContext, target_ids: Sequence[str] = ()
) -> tuple[list[ActionGroup], list[ActionChoice], list[tuple[str, Problem]]]:
    """List the actions of an actor that don't need a space.

    Returns groups, choices of simple actions, and the titles and problems of unavailable actions. Outside an encounter
    there are only groups, of healing and crafting.
    Rules: `act.basic.available`, `act.heal`, `craft.encounter-lock`.
    """
    groups, simple, unavailable = list[ActionGroup](), list[ActionChoice](), list[tuple[str, Problem]]()
    for do in TURN_ACTIONS if context.is_encounter_running else HEALING:
        if context.state.board is not None and ACTION_SPECS[do].targets.spaces:
            continue
        problems = target_independent_problems(context, do)
        if problems and do == SECOND_BLOW.do:  # players don't look for it
            continue
        variants = () if problems else tuple(_list_variants(context, do, target_ids))
        if not any(variant.choices for variant in variants):
            unavailable.append((BUTTON_LABELS[do], (problems or _untargetable_problems(context, do))[0]))
        elif do in SIMPLE_ACTIONS:
            simple += variants[0].choices
        else:
            groups.append(build_action_group(context, do, variants))
    if context.is_encounter_running:
        return groups, simple, unavailable
    return [*groups, *_list_craft_groups(context.state, context.actor)], simple, []


def build_action_group(context: TurnContext, do: str, variants: tuple[ActionVariant, ...]) -> ActionGroup:
    """Build the group of an available action in the words of its `ActionSpec`."""
    spec = ACTION_SPECS[do]
    effect = spec.effect if context.state.board is None else spec.effect_on_map
    return ActionGroup(do, BUTTON_LABELS[do], spec.rule, effect, spec.kind, variants)


def explain_delay(context: TurnContext, groups: Iterable[ActionGroup]) -> str:
    """Explain why a delayed actor has no actions.

    Returns "" for an actor who isn't delayed, and outside an encounter.
    Rules: `cond.delayed`, `act.wrestling.counter-hold`.
    """
    if not (context.is_encounter_running and context.actor.delays):
        return ""
    reasons = join_words(
        list(dict.fromkeys(describe_delay_cause(context.state, each) for each in context.actor.delays))
    )
    can_counter = any(each.do == COUNTER_HOLD.do for each in groups)
    left = "a counter-hold is the only action" if can_counter else "no regular or bonus action"
    return f"{context.actor.name} is delayed ({reasons}): {left} this turn."


def sort_by_attack_value(groups: Sequence[ActionGroup]) -> tuple[ActionGroup, ...]:
    """Sort attacks by expected damage on the likeliest target, then by hits.

    Other actions follow in their order, then attacks without a likely target.
    """
    attacks = [group for group in groups if ACTION_SPECS[group.do].is_attack]
    likely = sorted((each for each in attacks if each.is_likely), key=lambda group: group.attack_value, reverse=True)
    rest = [group for group in groups if group not in attacks]
    return (*likely, *rest, *(each for each in attacks if not each.is_likely))


def _list_craft_groups(state: EncounterState, actor: Fighter) -> list[ActionGroup]:
    """List the bonuses that an actor can craft, with a variant for each companion.

    Returns [] without craftsmanship, and if there are more than `MAX_FIGHTERS_FOR_CRAFTING` fighters. Otherwise there
    is at most one group.
    Rules: `craft.bonus`, `craft.hurry`, `craft.duration`.
    """
    if not actor.level("craftsmanship") or len(state.fighters) > MAX_FIGHTERS_FOR_CRAFTING:
        return []
    choices_by_target: dict[str, list[ActionChoice]] = {}
    for action in list_legal_craft_actions(state, actor):
        if state.fighter(action.targets[0]).side != actor.side:
            continue
        chance, suffix = ("", ""), "" if action.add else ", take away"
        if action.hurry:
            chance, suffix = (
                format_chance_and_rolls(face_needed(actor.level("craftsmanship"), HURRY_DIFFICULTY)),
                ", in a hurry",
            )
        choices_by_target.setdefault(action.targets[0], []).append(
            build_action_choice(action, f"{action.ability}{suffix}", *chance)
        )
    if not choices_by_target:
        return []
    variants = tuple(
        ActionVariant(f"for {state.fighter(target).name}", tuple(choices))
        for target, choices in choices_by_target.items()
    )
    effect = "Crafted before a fight: +1 on an ability that a companion already has, until you remove it."
    return [ActionGroup(CRAFT.do, "Craft a bonus", CRAFT.rule, effect, "outside turns", variants)]


def build_action_choice(
    action: Action, label: str, chance: str = "", faces: str = "", *, is_likely: bool = True
) -> ActionChoice:
    """Build the button of an action."""
    return ActionChoice(
        action.do, action.actor, action.targets, label, format_compact_json(action.to_step()), chance, faces, is_likely
    )


def rank_ability_options(context: TurnContext, do: str) -> list[AbilityNames]:
    """List the choices of abilities for an action, the best first."""
    first = choose_best_abilities(context.actor, do, context.state.rulings)
    return sorted(list_ability_options(context.actor, do, context.state.rulings), key=lambda uses: uses != first)


def _list_variants(context: TurnContext, do: str, target_ids: Sequence[str]) -> Iterator[ActionVariant]:
    """Yield the choices of abilities, the best first, each with its targets."""
    actor, spec = context.actor, ACTION_SPECS[do]
    options = rank_ability_options(context, do) if spec.usable_abilities else [None]
    if not spec.needs_target:
        choices = [
            replace(
                build_action_choice(Action(actor.id, do, (), uses), format_abilities(actor, uses) or BUTTON_LABELS[do]),
                effect=_describe_untargeted(actor, do, uses or ()),
            )
            for uses in options
        ]
        yield ActionVariant("", tuple(choices))
        return
    target_problems = healing_target_problems if do in HEALING else attack_target_problems
    possible_targets = [target for target in context.state.fighters if not target_problems(context, do, target)]
    for uses in options:
        choices = sorted(
            _list_targeted_choices(context, do, uses, possible_targets, target_ids),
            key=lambda choice: choice.attack_value,
            reverse=True,
        )
        yield ActionVariant(format_abilities(actor, uses), tuple(choices))


def _list_targeted_choices(
    context: TurnContext,
    do: str,
    uses: AbilityNames | None,
    possible_targets: Sequence[Fighter],
    target_ids: Sequence[str],
) -> Iterator[ActionChoice]:
    """Return a choice for each legal set of targets.

    With more than `MAX_TARGET_SETS` sets there is one for each target alone, and one for `target_ids` together. An
    action with a follow-up has one target now.
    """
    allowed = ONE if ACTION_SPECS[do].follow_up else ACTION_SPECS[do].targets
    count = len(possible_targets) if allowed.most == 1 else min(len(possible_targets), MAX_TARGET_SETS + 1)
    sets = [tuple(possible_targets[index] for index in chosen) for chosen in allowed.list_target_sets(count)]
    if len(sets) > MAX_TARGET_SETS and allowed.most > 1:
        chosen = tuple(target for target in possible_targets if target.id in target_ids)
        sets = [(target,) * allowed.least for target in possible_targets]
        sets += [chosen] if 1 < len(chosen) <= allowed.most else []
    return (_build_targeted_choice(context, do, uses, each) for each in sets)


def _build_targeted_choice(
    context: TurnContext, do: str, uses: AbilityNames | None, targets: Sequence[Fighter]
) -> ActionChoice:
    """Build the button of an action with targets.

    A roll has its chance, an attack also its expected damage.
    """
    action = Action(context.actor.id, do, tuple(target.id for target in targets), uses)
    friends = [target.side == context.actor.side for target in targets]
    likely = all(friends) if do in HEALING else not any(friends) and not any(target.is_down for target in targets)
    choice = build_action_choice(action, join_words([target.name for target in targets]), is_likely=likely)
    if do not in ROLL_ACTIONS:
        return choice
    if do in HEALING:
        spec = ACTION_SPECS[do]
        modifier = sum(
            part.value for part in list_roll_parts(context.actor, do, spec.usable_abilities, context.state.rulings)
        )
        chance, faces = format_chance_and_rolls(face_needed(modifier, spec.difficulty))
        return replace(choice, chance_text=chance, needed_rolls=faces, warnings=_list_warnings(context, do, targets))
    return add_attack_chances(
        context, choice, get_named_or_best_abilities(context.actor, action, context.state.rulings), targets
    )


def add_attack_chances(
    context: TurnContext, choice: ActionChoice, uses: AbilityNames, targets: Sequence[Fighter]
) -> ActionChoice:
    """Return the button of an attack with the chances of its rolls and its effect.

    Its damage and hits include the follow-up of a double attack, against the same target.
    """
    rolls = [
        format_chance_and_rolls(context.get_prepared_attack(choice.do, uses, target).lowest_success_face)
        for target in targets
    ]
    chances, faces = ", ".join(chance for chance, _ in rolls), "; ".join(words for _, words in rolls)
    spec = ACTION_SPECS[choice.do]
    damage, hits = sum_damage_and_hits_over_faces(
        context, choice.do, uses, [*targets] * (spec.targets.most if spec.follow_up else 1)
    )
    return replace(
        choice,
        chance_text=chances,
        needed_rolls=faces,
        total_damage=damage,
        total_hits=hits,
        warnings=_list_warnings(context, choice.do, targets),
        effect=_describe_attack(context, choice.do, uses),
    )


def _describe_attack(context: TurnContext, do: str, uses: AbilityNames) -> str:
    """Describe an attack's effect for this actor.

    Returns "" if it equals the rulebook's sentence.
    Rules: `act.wrestling.hold-damage`, `act.fighting.double`.
    """
    damage = compute_usual_damage(context, do, uses)
    on_20 = ACTION_SPECS[do].damage_on_20(damage)
    if do == HOLD.do:
        hurt = f"{damage} damage ({on_20} on a 20), delays" if damage else "Delays"
        return f"{hurt} the target and ends their evade."
    if do == DOUBLE_ATTACK.do:
        enemies = (each for each in context.state.fighters if each.side != context.actor.side and not each.is_down)
        has_choice = sum(not attack_target_problems(context, do, each) for each in enemies) > 1
        second = "; you choose the second target after the first roll" if has_choice else ""
        return f"Two rolls, each {damage} damage ({on_20} on a 20){second}."
    return ""


def _describe_untargeted(actor: Fighter, do: str, uses: AbilityNames) -> str:
    """Describe an action without a target, an evade with its bonus.

    Returns "" for the end of a turn.
    Rules: `act.evade`, `act.evade.no-ability`.
    """
    if do != EVADE.do:
        return ACTION_SPECS[do].effect if do != END_TURN.do else ""
    bonus = actor.level(uses[0]) if uses and actor.has_terrain_for(uses[0]) else 0
    if not bonus:
        return "No bonus, but you can escape on your next turn."
    return f"+{bonus} agility and strength until your next turn or a hold. Escaping needs it."


def _list_warnings(context: TurnContext, do: str, targets: Sequence[Fighter]) -> tuple[str, ...]:
    """List what a player wouldn't expect of an action.

    That is a lost turn, and targets that few players would choose.
    Rules: `cond.delayed`, `act.shooting.injured-delay`, `act.blasting.injured-delay`, `act.knockout.self-delay`.
    """
    actor, is_help = context.actor, do in HEALING
    lost_turn = ("costs your next turn",) if ACTION_SPECS[do].has_self_delay(actor.is_injured) else ()
    unusual = dict.fromkeys(
        each.name for each in targets if (each.side == actor.side) != is_help and (each.id != actor.id or not is_help)
    )
    side = ("helps the other side: " if is_help else "hits your own side: ") + join_words([*unusual])
    return (*lost_turn, *((side,) if unusual else ()))


def format_chance_and_rolls(face: int) -> tuple[str, str]:
    """Format the chance of a roll and the rolls that succeed. Rule: `roll.success`.

    `face` is the lowest face that succeeds, 1 to 20.
    """
    faces = {1: "any roll", 20: "20"}.get(face, f"{face} or more")
    return f"{5 * (21 - face)}%", faces


def format_abilities(actor: Fighter, uses: AbilityNames | None) -> str:
    """Format the abilities that are added, with their levels.

    Returns "" for None, an action that has no abilities to choose.
    """
    if uses is None:
        return ""
    return f"with {' and '.join(f'{name} {actor.level(name)}' for name in uses)}" if uses else "with no ability"


def _untargetable_problems(context: TurnContext, do: str) -> list[Problem]:
    """Return why an available action has no possible target."""
    target_problems = healing_target_problems if do in HEALING else attack_target_problems
    others = (target for target in context.state.fighters if target.id != context.actor.id)
    rule = ACTION_SPECS[do].rule
    no_target = rule_problems("target.none", rule, "a target", "none", "act")
    reasons = (target_problems(context, do, target) for target in others)
    return required_ability_problems(context.actor, do) or next(filter(None, reasons), no_target)
