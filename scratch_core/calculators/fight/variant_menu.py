"""What may be done in an order of turns whose acts throw no dice: every legal act, with the small fields it needs.

All of it follows from the cards of the acts and their `Field`s: targets and choices become buttons, numbers and flags
become fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scratch_core.calculators.fight.action_menu import (
    ActionChoice,
    ActionControl,
    ActionGroup,
    ActionVariant,
    Question,
    TurnMenu,
    UnavailableAction,
    group_unavailable_actions,
)
from scratch_core.calculators.fight.session import Fight
from scratch_core.errors import Problem
from scratch_core.scenario import parse_json
from scratch_core.turn_systems import LEAVE, Field, FightState, Prompt, build_missing_target_problems
from scratch_core.turn_systems.generic import GenericAction, GenericActionSpec, GenericTurnSystem
from scratch_core.turn_systems.mano_old.records import USES
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

MAX_BUTTONS = 12
"""As many choices as have each a button; more of them are a list with one button."""

POOL_ORDER = ("other", "defence", "stun")
"""Where a spent point goes, the usual place first. Rule: `mano-old.action.uses`."""


def format_control_name(do: str, key: str) -> str:
    """The name of the control that a field of an act has."""
    return f"{do}_{key}".replace("-", "_")


ACTION_CONTROLS = tuple(
    dict.fromkeys(
        format_control_name(do, key)
        for system in VARIANT_TURN_SYSTEMS.values()
        for do, fields in system.step_fields.items()
        for key in (*(field.key for field in fields if field.type.control), "pick")
    )
)
"""The names of all controls of acts."""


def build_menu_data(fight: Fight, due: Prompt, active: str) -> dict[str, Any]:
    """What `Shown` has of a moment: the question that waits, the turn that is on, how others start, what is told.

    Rules: `mano.turn.options`, `mano.counter.timing`, `mano-old.phases`, `seize.choose-next`, `seize.claim`.
    """
    system, state = VARIANT_TURN_SYSTEMS[fight.system.name], fight.state
    last_use = next((str(step["use"]) for step in reversed(fight.steps) if "use" in step), "")
    choices = {each.do: each for each in _list_open_groups(system, state, last_use)}
    cards = [system.specs_by_name[do] for do in choices]
    answers = tuple(choices[card.do] for card in cards if card.is_answer)
    if (
        answers and system.specs_by_name[answers[0].do].by_name and not answers[0].controls
    ):  # a row for each who may answer
        each_own = zip(*(each.main_choices for each in answers), strict=True)
        answers = (
            replace(answers[0], variants=tuple(ActionVariant(state.name_of(own[0].actor), own) for own in each_own)),
        )
    others = tuple(choices[card.do] for card in cards if not (card.is_answer or card.is_start or card.ends_turn))
    end = next((choices[card.do].main_choices[0] for card in cards if card.ends_turn), None)
    who = due.who or active
    return {
        "question": Question(due.question, due.who, f"Round {max(1, state.round)}. {due.question}", answers)
        if due.question
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
        "start_groups": tuple(choices[card.do] for card in cards if card.is_start),
        "table_events": tuple(
            _build_table_event(system, state, card) for card in system.specs if card.is_fact and card.verb
        ),
    }


def _list_open_groups(system: GenericTurnSystem[Any], state: FightState[Any], last_use: str) -> Iterator[ActionGroup]:
    """Every act that is open, each once, the answers first; spending as it was done last, and into the usual pool.

    Rule: `mano-old.action.uses`.
    """
    acts: dict[str, list[GenericAction]] = {}
    for actor, do in system.list_actor_action_pairs(state):
        acts.setdefault(do, []).extend(system.list_legal_variants(state, actor, do))
    for card in sorted(system.specs, key=lambda each: not each.is_answer):
        found = acts.get(card.do, ())
        if any(act.use for act in found):
            found = sorted(found, key=lambda act: (act.use != last_use, (*POOL_ORDER, act.to).index(act.to)))
        if found:
            yield _build_group(system, state, card, found)


def _build_group(
    system: GenericTurnSystem[Any], state: FightState[Any], card: GenericActionSpec, acts: Sequence[GenericAction]
) -> ActionGroup:
    """One act: what varies in numbers and flags is a field, the rest a button each.

    Sorts the active fighter first, then other sides, and no target last.
    """
    numbers = [field for field in card.fields if field.type.control == "size"]
    ticks = [field for field in card.fields if field.type.control == "tick" and not field.default]
    hidden: dict[str, Any] = dict.fromkeys((each.name for each in numbers), 0)
    hidden |= dict.fromkeys((each.name for each in ticks), False)
    is_attack = any((field.key, field.default) == ("target", "") for field in card.fields)
    own = [each.id for each in state.fighters if each.side == state.fighter(acts[0].actor).side]
    bare = [*dict.fromkeys(replace(act, **hidden) for act in acts)]
    bare.sort(
        key=lambda act: (
            not act.target,
            is_attack and act.target != system.find_current_or_next_actor(state),
            is_attack and act.target in own,
        )
    )
    is_one = len({act.actor for act in bare}) == 1
    ways: dict[str, list[ActionChoice]] = {}
    for act in bare:
        ways.setdefault(USES.get(act.use, ""), []).append(_build_choice(system, state, act, is_one))
    controls = [*_list_size_controls(card.do, numbers, acts)]
    controls += [
        _build_control(card.do, field, "tick") for field in ticks if any(getattr(act, field.name) for act in acts)
    ]
    if any(act.move for act in acts):
        controls += [
            _build_control(card.do, field, "number", "") for field in card.fields if field.type.control == "number"
        ]
    is_whole = card.is_answer or not is_attack
    return replace(_assemble_group(card, controls, ways, acts[0].actor if is_one else ""), is_expanded=is_whole)


def _can_take_from_pool(
    system: GenericTurnSystem[Any], state: FightState[Any], acts: Sequence[GenericAction], pool: Mapping[str, Any]
) -> bool:
    """Whether any of these acts can take a point out of a pool, given by the name of its field."""
    return any(not system.check_action(state, replace(act, **pool)) for act in acts)


def _build_table_event(system: GenericTurnSystem[Any], state: FightState[Any], card: GenericActionSpec) -> ActionGroup:
    """Something that the table may tell: hit points lost, stun, damage, someone out; or why it can't be told.

    Rules: `seize.claim`, `mano-old.pools`.
    """
    do = card.do
    present = [each.id for each in state.fighters if not each.out]
    acts = [GenericAction(who, do) if do == LEAVE else GenericAction("", do, who, points=1) for who in present]
    open_to = [act for act in acts if not system.check_action(state, act)]
    if not open_to:
        wrong = (system.check_action(state, acts[0]) if acts else build_missing_target_problems(card.rule, "", do))[0]
        why = card.unavailable_text if wrong.got == "none" else ""
        return ActionGroup(do, card.verb, card.rule, card.effect, is_expanded=True, problem=wrong, unavailable_text=why)
    offers = [_build_choice(system, state, replace(act, points=0), is_one=True) for act in open_to]
    controls = [
        _build_control(do, field, "number", str(field.default)) for field in card.fields if field.type.control == "size"
    ]
    for field in card.fields:
        if field.type.control == "select":
            filled = [each for each in field.choices if _can_take_from_pool(system, state, open_to, {field.name: each})]
            pools = (("", "the usual pools"), *((each, each) for each in filled))
            controls.append(replace(_build_control(do, field, "select"), options=pools))
    return _assemble_group(card, controls, {"": offers}, "")


def _build_control(do: str, field: Field, kind: str, *typed: str) -> ActionControl:
    """Build a small field of an action with its initial value."""
    return ActionControl(
        format_control_name(do, field.key), kind, field.label or field.meaning, tuple((each, "") for each in typed)
    )


def _list_size_controls(do: str, numbers: Sequence[Field], acts: Sequence[GenericAction]) -> Iterator[ActionControl]:
    """A list of the legal numbers: `3 actions, 2 weapons`. Rules: `mano.combo.count`, `mano-old.phase.actions`."""
    if numbers:
        sizes = dict.fromkeys(tuple(getattr(act, field.name) for field in numbers) for act in acts)
        options = tuple((",".join(map(str, size)) if any(size) else "", _format_size(*size)) for size in sizes)
        control = _build_control(do, numbers[0], "select")
        yield replace(control, label="with" if numbers[1:] else control.label, options=options)


def _format_size(count: int, weapons: int | None = None) -> str:
    if weapons is None:
        return str(count)
    if not count:
        return "one action"
    actions = f"{count} quick action{'' if count == 1 else 's'}"
    return f"{actions}, one weapon" if weapons == 1 else f"{actions}, {weapons} weapons"


def _assemble_group(
    card: GenericActionSpec, controls: Sequence[ActionControl], ways: Mapping[str, Sequence[ActionChoice]], actor: str
) -> ActionGroup:
    """The act with its buttons, or with a list and one button where they would be too many."""
    made = tuple(ActionVariant(label, tuple(offers)) for label, offers in ways.items())
    offers = [(f"{way.label} {offer.label}".strip(), offer) for way in made for offer in way.choices]
    if len(offers) > MAX_BUTTONS:
        options = tuple((offer.step, label) for label, offer in offers)
        picked = ActionControl(format_control_name(card.do, "pick"), "select", "which" if actor else "who", options)
        one = ActionChoice(card.do, actor, (), card.verb, json.dumps({"do": card.do}))
        controls, made = (picked, *controls), (ActionVariant("", (one,)),)
    return ActionGroup(
        card.do, card.verb, card.rule, card.effect, variants=made, is_expanded=True, controls=tuple(controls)
    )


def _build_choice(
    system: GenericTurnSystem[Any], state: FightState[Any], act: GenericAction, is_one: bool
) -> ActionChoice:
    """An act as a button; `is_one`: no one else may do the same."""
    card = system.specs_by_name[act.do]
    step = {key: value for key, value in act.to_step().items() if key != "points"}
    written = json.dumps(step, ensure_ascii=False, separators=(",", ":"))
    label = _format_label(system, state, act, is_one)
    aloud = "" if label in (card.verb, card.short) else f"{card.verb}: {card.target_preposition}"
    return ActionChoice(act.do, act.actor, (act.target,) if act.target else (), label, written, spoken_label=aloud)


def _format_label(system: GenericTurnSystem[Any], state: FightState[Any], act: GenericAction, is_one: bool) -> str:
    """What a button says: what of the act is not in the row's name."""
    card = system.specs_by_name[act.do]
    if act.take:
        return ", ".join(f"{points} HP from {pool}" for pool, points in act.take)
    if act.to:
        return f"into {act.to}"
    target = state.name_of(act.target)
    if any(field.key == "after" for field in card.fields):
        return f"{'after' if act.after else 'before'} {target}"
    if any(field.key == "target" for field in card.fields):
        return target or "not an attack"
    return card.short or card.verb if card.is_answer or (is_one and not card.by_name) else state.name_of(act.actor)


# Reading what was pressed


def parse_button_step(system: Any, step: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, Any]:
    """The step of a button with the fields that belong to its act; what can't be read stays as it was typed."""
    do = step.get("do")
    picked = typed.get(format_control_name(str(do), "pick"), "") if len(step) == 1 else ""
    whole = _parse_picked_step(do, picked) or dict(step)
    fields = system.step_fields.get(do, ()) if isinstance(do, str) else ()
    numbers = [field for field in fields if field.type.control == "size"]
    for field in fields:
        text = typed.get(format_control_name(str(do), field.key), "").strip()
        if not text or field.key in whole:
            continue
        if numbers and field is numbers[0]:
            sizes = zip(numbers, text.split(","), strict=False)
            whole |= {each.key: each.type.parse(each, part) for each, part in sizes}
        elif field.type.control:
            whole[field.key] = field.type.parse(field, text)
    return whole


def _parse_picked_step(do: object, picked: str) -> dict[str, Any]:
    """The whole step that was picked from a list, {} where it is none of the same act."""
    found = parse_json(picked) if 0 < len(picked) <= 1_000 else None
    return found if isinstance(found, dict) and found.get("do") == do else {}


# What is not open


def list_unavailable_actions(
    system: GenericTurnSystem[Any], state: FightState[Any], actor: str
) -> tuple[UnavailableAction, ...]:
    """Every act that someone can't do now, and why; the same reason once, with everything that it forbids."""
    found = group_unavailable_actions(_list_action_problems(system, state, actor)) if actor else ()
    return tuple(UnavailableAction(each.titles[:MAX_BUTTONS], each.problem) for each in found)


def _list_action_problems(
    system: GenericTurnSystem[Any], state: FightState[Any], actor: str
) -> Iterator[tuple[str, Problem]]:
    """The acts that someone can't do, each with the first reason; what is open to anyone, of each of them."""
    open_to = {do for _, do in system.list_actor_action_pairs(state)}
    others = [each.id for each in state.fighters if each.id != actor and not each.out]
    plain: Mapping[str, Mapping[str, Any]] = {
        "combo": {"count": 1, "weapons": 1},
        "spend": {"points": 1, "use": "manoeuvre", "to": "other"},
        "choose": {"target": others[0] if others else ""},
    }
    for card in sorted(system.specs, key=lambda each: not each.is_answer):
        if card.is_fact or card.is_refusal or card.do in open_to:
            continue
        for who in (actor, *others) if card.by_anybody else (actor,):
            problems = system.check_action(state, GenericAction(who, card.do, **plain.get(card.do, {})))
            if problems:
                whose = f" ({state.name_of(who)})" if card.by_anybody else ""
                yield f"{card.verb}{whose}", problems[0]
