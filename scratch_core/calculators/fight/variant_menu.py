"""The menu of a turn system whose actions roll no dice: the legal actions with their controls.

All of it follows from the specs of the actions and their `Field`s: targets and choices become buttons, numbers and
flags become controls.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scratch_core.calculators.fight.action_menu import group_unavailable_actions
from scratch_core.calculators.fight.menu_records import (
    ActionChoice,
    ActionControl,
    ActionGroup,
    ActionVariant,
    Question,
    TurnMenu,
    UnavailableAction,
    format_compact_json,
)
from scratch_core.calculators.fight.session import Fight
from scratch_core.errors import Problem
from scratch_core.scenario import parse_json
from scratch_core.turn_systems import LEAVE, Field, FightState, Prompt, build_missing_target_problems
from scratch_core.turn_systems.generic import GenericAction, GenericActionSpec, GenericTurnSystem
from scratch_core.turn_systems.mano_old.records import USES
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

MAX_BUTTONS = 12
"""The maximum number of choices with a button each. More of them become a list with one button."""

POOL_ORDER = ("other", "defence", "stun")
"""The pools that a spent point can go to, the usual one first. Rule: `mano-old.action.uses`."""


def format_control_name(do: str, key: str) -> str:
    """Return the name of the control for a field of an action."""
    return f"{do}_{key}".replace("-", "_")


ACTION_CONTROLS = tuple(
    dict.fromkeys(
        format_control_name(do, key)
        for system in VARIANT_TURN_SYSTEMS.values()
        for do, fields in system.step_fields.items()
        for key in (*(field.key for field in fields if field.type.control), "pick")
    )
)
"""The names of all controls of actions."""


def build_menu_data(fight: Fight, prompt: Prompt, active: str) -> dict[str, Any]:
    """Build the arguments of `FightView` that offer actions.

    They are the question that waits for an answer, the menu of the turn, the groups that begin a turn, and the table
    events. `prompt` is what the page asks for now, `active` the current or next actor. Rules: `mano.turn.options`,
    `mano.counter.timing`, `mano-old.phases`, `seize.choose-next`, `seize.claim`.
    """
    system, state = VARIANT_TURN_SYSTEMS[fight.system.name], fight.state
    last_use = next((str(step["use"]) for step in reversed(fight.steps) if "use" in step), "")
    groups = {each.do: each for each in _list_open_groups(system, state, last_use)}
    specs = [system.specs_by_name[do] for do in groups]
    answers = tuple(groups[spec.do] for spec in specs if spec.is_answer)
    # a row for each character that can answer
    if answers and system.specs_by_name[answers[0].do].by_name and not answers[0].controls:
        choices_by_actor = zip(*(each.main_choices for each in answers), strict=True)
        answers = (
            replace(
                answers[0],
                variants=tuple(
                    ActionVariant(state.name_of(actor_choices[0].actor), actor_choices)
                    for actor_choices in choices_by_actor
                ),
            ),
        )
    others = tuple(groups[spec.do] for spec in specs if not (spec.is_answer or spec.is_start or spec.ends_turn))
    end = next((groups[spec.do].main_choices[0] for spec in specs if spec.ends_turn), None)
    who = prompt.who or active
    return {
        "question": Question(prompt.question, prompt.who, f"Round {max(1, state.round)}. {prompt.question}", answers)
        if prompt.question
        else None,
        "turn_menus": (
            TurnMenu(
                who,
                state.name_of(who),
                others,
                (),
                list_unavailable_actions(system, state, who),
                end_turn_choice=end,
            ),
        ),
        "start_groups": tuple(groups[spec.do] for spec in specs if spec.is_start),
        "table_events": tuple(
            _build_table_event(system, state, spec) for spec in system.specs if spec.is_fact and spec.verb
        ),
    }


def _list_open_groups(system: GenericTurnSystem[Any], state: FightState[Any], last_use: str) -> Iterator[ActionGroup]:
    """Yield a group for each action that is open now, the answers first.

    Actions that spend points come in the order of the last use, then of the usual pool. Rule: `mano-old.action.uses`.
    """
    variants_by_do: dict[str, list[GenericAction]] = {}
    for actor, do in system.list_actor_action_pairs(state):
        variants_by_do.setdefault(do, []).extend(system.list_legal_variants(state, actor, do))
    for spec in sorted(system.specs, key=lambda each: not each.is_answer):
        variants = variants_by_do.get(spec.do, ())
        if any(action.use for action in variants):
            variants = sorted(
                variants, key=lambda action: (action.use != last_use, (*POOL_ORDER, action.to).index(action.to))
            )
        if variants:
            yield _build_group(system, state, spec, variants)


def _build_group(
    system: GenericTurnSystem[Any], state: FightState[Any], spec: GenericActionSpec, actions: Sequence[GenericAction]
) -> ActionGroup:
    """Build the group of an action from its legal variants.

    Numbers and flags become controls, and all other differences become buttons. An attack lists the current actor
    first, then characters of other sides. The variant without a target comes last.
    """
    numbers = [field for field in spec.fields if field.type.control == "size"]
    flags = [field for field in spec.fields if field.type.control == "tick" and not field.default]
    blank_values: dict[str, Any] = dict.fromkeys((each.name for each in numbers), 0)
    blank_values |= dict.fromkeys((each.name for each in flags), False)
    is_attack = any((field.key, field.default) == ("target", "") for field in spec.fields)
    allies = [each.id for each in state.fighters if each.side == state.fighter(actions[0].actor).side]
    bare = [*dict.fromkeys(replace(action, **blank_values) for action in actions)]
    bare.sort(
        key=lambda action: (
            not action.target,
            is_attack and action.target != system.find_current_or_next_actor(state),
            is_attack and action.target in allies,
        )
    )
    is_only_actor = len({action.actor for action in bare}) == 1
    choices_by_use: dict[str, list[ActionChoice]] = {}
    for action in bare:
        choices_by_use.setdefault(USES.get(action.use, ""), []).append(
            _build_choice(system, state, action, is_only_actor)
        )
    controls = [*_list_size_controls(spec.do, numbers, actions)]
    controls += [
        _build_control(spec.do, field, "tick")
        for field in flags
        if any(getattr(action, field.name) for action in actions)
    ]
    if any(action.move for action in actions):
        controls += [
            _build_control(spec.do, field, "number", "") for field in spec.fields if field.type.control == "number"
        ]
    is_expanded = spec.is_answer or not is_attack
    return replace(
        _assemble_group(spec, controls, choices_by_use, actions[0].actor if is_only_actor else ""),
        is_expanded=is_expanded,
    )


def _can_take_from_pool(
    system: GenericTurnSystem[Any], state: FightState[Any], actions: Sequence[GenericAction], pool: Mapping[str, Any]
) -> bool:
    """Return whether any of these actions can take a point out of a pool.

    `pool` is the pool by the name of its field.
    """
    return any(not system.check_action(state, replace(action, **pool)) for action in actions)


def _build_table_event(system: GenericTurnSystem[Any], state: FightState[Any], spec: GenericActionSpec) -> ActionGroup:
    """Build the group of a table event.

    It is a loss of hit points, stun, damage, or a character that leaves. If no character can have it now, the group has
    the problem instead of choices. Rules: `seize.claim`, `mano-old.pools`.
    """
    do = spec.do
    present = [each.id for each in state.fighters if not each.out]
    actions = [GenericAction(who, do) if do == LEAVE else GenericAction("", do, who, points=1) for who in present]
    legal_actions = [action for action in actions if not system.check_action(state, action)]
    if not legal_actions:
        problem = (
            system.check_action(state, actions[0]) if actions else build_missing_target_problems(spec.rule, "", do)
        )[0]
        unavailable_text = spec.unavailable_text if problem.got == "none" else ""
        return ActionGroup(
            do, spec.verb, spec.rule, spec.effect, is_expanded=True, problem=problem, unavailable_text=unavailable_text
        )
    choices = [_build_choice(system, state, replace(action, points=0), is_only_actor=True) for action in legal_actions]
    controls = [
        _build_control(do, field, "number", str(field.default)) for field in spec.fields if field.type.control == "size"
    ]
    for field in spec.fields:
        if field.type.control == "select":
            filled_pools = [
                each for each in field.choices if _can_take_from_pool(system, state, legal_actions, {field.name: each})
            ]
            options = (("", "the usual pools"), *((each, each) for each in filled_pools))
            controls.append(replace(_build_control(do, field, "select"), options=options))
    return _assemble_group(spec, controls, {"": choices}, "")


def _build_control(do: str, field: Field, kind: str, *values: str) -> ActionControl:
    """Build the control for a field of an action.

    `values` are its first options, or its initial value.
    """
    return ActionControl(
        format_control_name(do, field.key), kind, field.label or field.meaning, tuple((each, "") for each in values)
    )


def _list_size_controls(do: str, numbers: Sequence[Field], actions: Sequence[GenericAction]) -> Iterator[ActionControl]:
    """Yield a list of the legal numbers: `3 actions, 2 weapons`.

    Yields nothing for an action without numbers. Rules: `mano.combo.count`, `mano-old.phase.actions`.
    """
    if numbers:
        sizes = dict.fromkeys(tuple(getattr(action, field.name) for field in numbers) for action in actions)
        options = tuple((",".join(map(str, size)) if any(size) else "", _format_size(*size)) for size in sizes)
        control = _build_control(do, numbers[0], "select")
        yield replace(control, label="with" if numbers[1:] else control.label, options=options)


def _format_size(count: int, weapons: int | None = None) -> str:
    """Format the size of a combo, or a single number."""
    if weapons is None:
        return str(count)
    if not count:
        return "one action"
    actions = f"{count} quick action{'' if count == 1 else 's'}"
    return f"{actions}, one weapon" if weapons == 1 else f"{actions}, {weapons} weapons"


def _assemble_group(
    spec: GenericActionSpec,
    controls: Sequence[ActionControl],
    choices_by_use: Mapping[str, Sequence[ActionChoice]],
    actor: str,
) -> ActionGroup:
    """Assemble the group of an action from its controls and choices.

    `choices_by_use` are the choices by the label of their use. More than `MAX_BUTTONS` become a list with one button.
    """
    variants = tuple(ActionVariant(label, tuple(choices)) for label, choices in choices_by_use.items())
    choices = [
        (f"{variant.label} {choice.label}".strip(), choice) for variant in variants for choice in variant.choices
    ]
    if len(choices) > MAX_BUTTONS:
        options = tuple((choice.step, label) for label, choice in choices)
        list_control = ActionControl(
            format_control_name(spec.do, "pick"), "select", "which" if actor else "who", options
        )
        button = ActionChoice(spec.do, actor, (), spec.verb, json.dumps({"do": spec.do}))
        controls, variants = (list_control, *controls), (ActionVariant("", (button,)),)
    return ActionGroup(
        spec.do, spec.verb, spec.rule, spec.effect, variants=variants, is_expanded=True, controls=tuple(controls)
    )


def _build_choice(
    system: GenericTurnSystem[Any], state: FightState[Any], action: GenericAction, is_only_actor: bool
) -> ActionChoice:
    """Build the button of an action.

    `is_only_actor`: no other character can take the action now.
    """
    spec = system.specs_by_name[action.do]
    step = {key: value for key, value in action.to_step().items() if key != "points"}
    label = _format_label(system, state, action, is_only_actor)
    spoken_label = "" if label in (spec.verb, spec.short) else f"{spec.verb}: {spec.target_preposition}"
    return ActionChoice(
        action.do,
        action.actor,
        (action.target,) if action.target else (),
        label,
        format_compact_json(step),
        spoken_label=spoken_label,
    )


def _format_label(
    system: GenericTurnSystem[Any], state: FightState[Any], action: GenericAction, is_only_actor: bool
) -> str:
    """Format the label of an action's button: what the row's name does not say."""
    spec = system.specs_by_name[action.do]
    if action.take:
        return ", ".join(f"{points} HP from {pool}" for pool, points in action.take)
    if action.to:
        return f"into {action.to}"
    target = state.name_of(action.target)
    if any(field.key == "after" for field in spec.fields):
        return f"{'after' if action.after else 'before'} {target}"
    if any(field.key == "target" for field in spec.fields):
        return target or "not an attack"
    return (
        spec.short or spec.verb
        if spec.is_answer or (is_only_actor and not spec.by_name)
        else state.name_of(action.actor)
    )


# Parsing a button


def parse_button_step(system: Any, step: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, Any]:
    """Complete a button's step with the values of its action's controls.

    `typed` are the controls' texts. A text that can't be parsed is kept as it is, for the validation of the step.
    """
    do = step.get("do")
    picked_text = typed.get(format_control_name(str(do), "pick"), "") if len(step) == 1 else ""
    complete_step = _parse_picked_step(do, picked_text) or dict(step)
    fields = system.step_fields.get(do, ()) if isinstance(do, str) else ()
    numbers = [field for field in fields if field.type.control == "size"]
    for field in fields:
        text = typed.get(format_control_name(str(do), field.key), "").strip()
        if not text or field.key in complete_step:
            continue
        if numbers and field is numbers[0]:
            sizes = zip(numbers, text.split(","), strict=False)
            complete_step |= {each.key: each.type.parse(each, part) for each, part in sizes}
        elif field.type.control:
            complete_step[field.key] = field.type.parse(field, text)
    return complete_step


def _parse_picked_step(do: object, text: str) -> dict[str, Any]:
    """Parse the whole step that was selected from a list.

    Returns {} if it is no step of the same action.
    """
    step = parse_json(text) if 0 < len(text) <= 1_000 else None
    return step if isinstance(step, dict) and step.get("do") == do else {}


# Unavailable actions


def list_unavailable_actions(
    system: GenericTurnSystem[Any], state: FightState[Any], actor: str
) -> tuple[UnavailableAction, ...]:
    """List the actions that a character can't take now, by reason.

    Each reason has at most `MAX_BUTTONS` actions. Returns () without an actor.
    """
    unavailable = group_unavailable_actions(_list_action_problems(system, state, actor)) if actor else ()
    return tuple(UnavailableAction(each.titles[:MAX_BUTTONS], each.problem) for each in unavailable)


def _list_action_problems(
    system: GenericTurnSystem[Any], state: FightState[Any], actor: str
) -> Iterator[tuple[str, Problem]]:
    """Yield each action that is not open, with its first problem.

    An action that any character may take is checked for each of them.
    """
    open_actions = {do for _, do in system.list_actor_action_pairs(state)}
    others = [each.id for each in state.fighters if each.id != actor and not each.out]
    sample_values: Mapping[str, Mapping[str, Any]] = {
        "combo": {"count": 1, "weapons": 1},
        "spend": {"points": 1, "use": "manoeuvre", "to": "other"},
        "choose": {"target": others[0] if others else ""},
    }
    for spec in sorted(system.specs, key=lambda each: not each.is_answer):
        if spec.is_fact or spec.is_refusal or spec.do in open_actions:
            continue
        for who in (actor, *others) if spec.by_anybody else (actor,):
            problems = system.check_action(state, GenericAction(who, spec.do, **sample_values.get(spec.do, {})))
            if problems:
                owner_text = f" ({state.name_of(who)})" if spec.by_anybody else ""
                yield f"{spec.verb}{owner_text}", problems[0]
