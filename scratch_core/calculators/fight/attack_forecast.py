"""The forecast of an action in the basic rules: chances, damage, effect, and consequences to warn of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scratch_core.calculators.fight.menu_records import ActionChoice
from scratch_core.dice import face_needed
from scratch_core.encounter.actions import (
    HEALING,
    ROLL_ACTIONS,
    AbilityNames,
    TurnContext,
    attack_target_problems,
    choose_best_abilities,
    compute_usual_damage,
    list_roll_parts,
    sum_damage_and_hits_over_faces,
)
from scratch_core.encounter.state import Fighter
from scratch_core.errors import join_words
from scratch_core.rulebook.actions import ACTION_SPECS, DOUBLE_ATTACK, END_TURN, EVADE, HOLD


def add_forecast(
    context: TurnContext, choice: ActionChoice, uses: AbilityNames | None, targets: Sequence[Fighter]
) -> ActionChoice:
    """Return the button of an action with targets and the forecast of its rolls.

    `uses` are the abilities that it adds, None for the best. Returns the button unchanged if the action has no roll.
    """
    do = choice.do
    if do not in ROLL_ACTIONS:
        return choice
    if do in HEALING:
        return _add_healing_chance(context, choice, targets)
    best = choose_best_abilities(context.actor, do, context.state.rulings) if uses is None else uses
    return add_attack_chances(context, choice, best, targets)


def _add_healing_chance(context: TurnContext, choice: ActionChoice, targets: Sequence[Fighter]) -> ActionChoice:
    spec = ACTION_SPECS[choice.do]
    parts = list_roll_parts(context.actor, choice.do, spec.usable_abilities, context.state.rulings)
    chance, faces = format_chance_and_rolls(face_needed(sum(part.value for part in parts), spec.difficulty))
    warnings = _list_warnings(context, choice.do, targets)
    return replace(choice, chance_text=chance, needed_rolls=faces, warnings=warnings)


def add_attack_chances(
    context: TurnContext, choice: ActionChoice, uses: AbilityNames, targets: Sequence[Fighter]
) -> ActionChoice:
    """Return the button of an attack with the chances of its rolls and its effect.

    Its damage and hits include the follow-up of a double attack, against the same target.
    """
    rolls = [
        format_chance_and_rolls(context.get_or_build_attack(choice.do, uses, target).lowest_success_face)
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
        effect=_describe_special_attack_effect(context, choice.do, uses),
    )


def _describe_special_attack_effect(context: TurnContext, action_name: str, uses: AbilityNames) -> str:
    """Describe an attack's effect for this actor.

    Returns "" if it equals the rulebook's sentence.
    Rules: `act.wrestling.hold-damage`, `act.fighting.double`.
    """
    damage = compute_usual_damage(context, action_name, uses)
    on_20 = ACTION_SPECS[action_name].damage_on_20(damage)
    if action_name == HOLD.do:
        hurt = f"{damage} damage ({on_20} on a 20), delays" if damage else "Delays"
        return f"{hurt} the target and ends their evade."
    if action_name == DOUBLE_ATTACK.do:
        enemies = (each for each in context.state.fighters if each.side != context.actor.side and not each.is_down)
        has_choice = sum(not attack_target_problems(context, action_name, each) for each in enemies) > 1
        second = "; you choose the second target after the first roll" if has_choice else ""
        return f"Two rolls, each {damage} damage ({on_20} on a 20){second}."
    return ""


def describe_untargeted_action_effect(actor: Fighter, action_name: str, uses: AbilityNames) -> str:
    """Describe the effect of an action that has no target.

    The description of an evade states the bonus that the actor gets. Returns "" for the end of a turn.
    Rules: `act.evade`, `act.evade.no-ability`."""
    if action_name != EVADE.do:
        return ACTION_SPECS[action_name].effect if action_name != END_TURN.do else ""
    bonus = actor.level(uses[0]) if uses and actor.has_terrain_for(uses[0]) else 0
    if not bonus:
        return "No bonus, but you can escape on your next turn."
    return f"+{bonus} agility and strength until your next turn or a hold. Escaping needs it."


def _list_warnings(context: TurnContext, action_name: str, targets: Sequence[Fighter]) -> tuple[str, ...]:
    """List what a player wouldn't expect of an action.

    That is a lost turn, and targets that few players would choose.
    Rules: `cond.delayed`, `act.shooting.injured-delay`, `act.blasting.injured-delay`, `act.knockout.self-delay`.
    """
    actor, is_help = context.actor, action_name in HEALING
    lost_turn = ("costs your next turn",) if ACTION_SPECS[action_name].is_self_delaying(actor.is_injured) else ()
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
