"""The controls of actions in the turn systems whose actions roll no dice, and the parsing of what they send.

The controls follow from the `Field`s of an action: numbers, ticks and pools.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scratch_core.calculators.fight.menu_records import ActionControl
from scratch_core.scenario import parse_json_or_none
from scratch_core.turn_systems import LEAVE, Field, FightState
from scratch_core.turn_systems.generic import GenericAction, GenericActionSpec, GenericTurnSystem
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

_TABLE_EVENT_NAMES = frozenset(
    do for system in VARIANT_TURN_SYSTEMS.values() for do in system.table_event_titles if do != LEAVE
)
"""The table events. They share their controls, because a page has one row for them."""


def format_control_name(do: str, key: str) -> str:
    """Return the name of the control for a field of an action."""
    return f"{'event' if do in _TABLE_EVENT_NAMES else do}_{key}".replace("-", "_")


ACTION_CONTROLS = tuple(
    dict.fromkeys(
        format_control_name(do, key)
        for system in VARIANT_TURN_SYSTEMS.values()
        for do, fields in system.step_fields.items()
        for key in (
            *(field.key for field in fields if field.type.control),
            *(() if do in system.table_event_titles else ("pick",)),
        )
    )
)
"""The names of all controls of actions."""


def list_action_controls(spec: GenericActionSpec, actions: Sequence[GenericAction]) -> Iterator[ActionControl]:
    """Yield the controls of an action, given its legal variants.

    Yields a list of the legal numbers, the ticks that a variant may have, and the number of spaces of a move.
    """
    numbers, flags = list_size_fields(spec), list_initially_unticked_fields(spec)
    yield from _list_size_controls(spec.do, numbers, actions)
    for field in flags:
        if any(getattr(action, field.name_in_action) for action in actions):
            yield _build_control(spec.do, field, "tick")
    if any(action.move for action in actions):
        yield from (
            _build_control(spec.do, each, "number", "") for each in spec.fields if each.type.control == "number"
        )


def list_event_controls(
    system: GenericTurnSystem[Any], state: FightState[Any], actions: Sequence[GenericAction]
) -> Iterator[ActionControl]:
    """Yield the controls of a table event.

    They are its numbers, and the pools that have a point. `actions` are its legal variants.
    """
    spec = system.specs_by_name[actions[0].do]
    for field in list_size_fields(spec):
        yield _build_control(spec.do, field, "number", str(field.default))
    for field in spec.fields:
        if field.type.control == "select":
            pools = [
                each
                for each in field.choices
                if _can_take_from_pool(system, state, actions, {field.name_in_action: each})
            ]
            options = (("", "the usual pools"), *((each, each) for each in pools))
            yield replace(_build_control(spec.do, field, "select"), options=options)


def list_size_fields(spec: GenericActionSpec) -> list[Field]:
    """List the fields of an action that are numbers of its size."""
    return [field for field in spec.fields if field.type.control == "size"]


def list_initially_unticked_fields(spec: GenericActionSpec) -> list[Field]:
    """List the fields of an action that are ticks, unticked by default."""
    return [field for field in spec.fields if field.type.control == "tick" and not field.default]


def _can_take_from_pool(
    system: GenericTurnSystem[Any], state: FightState[Any], actions: Sequence[GenericAction], pool: Mapping[str, Any]
) -> bool:
    """Return whether any of these actions can take a point out of a pool.

    `pool` is the pool by the name of its field.
    """
    return any(not system.check_action(state, replace(action, **pool)) for action in actions)


def _build_control(action_name: str, field: Field, kind: str, *values: str) -> ActionControl:
    """Build the control for a field of an action.

    `values` are its first options, or its initial value.
    """
    return ActionControl(
        format_control_name(action_name, field.key),
        kind,
        field.label or field.meaning,
        tuple((each, "") for each in values),
    )


def _list_size_controls(
    action_name: str, numbers: Sequence[Field], actions: Sequence[GenericAction]
) -> Iterator[ActionControl]:
    """Yield a list of the legal numbers: `3 actions, 2 weapons`.

    Yields nothing for an action without numbers. Rules: `mano.combo.count`, `mano-old.phase.actions`.
    """
    if numbers:
        sizes = dict.fromkeys(tuple(getattr(action, field.name_in_action) for field in numbers) for action in actions)
        options = tuple((",".join(map(str, size)) if any(size) else "", _format_size(*size)) for size in sizes)
        control = _build_control(action_name, numbers[0], "select")
        yield replace(control, label="with" if numbers[1:] else control.label, options=options)


def _format_size(count: int, weapons: int | None = None) -> str:
    """Format the size of a combo, or a single number."""
    if weapons is None:
        return str(count)
    if not count:
        return "one action"
    actions = f"{count} quick action{'' if count == 1 else 's'}"
    return f"{actions}, one weapon" if weapons == 1 else f"{actions}, {weapons} weapons"


# Parsing a button


def complete_button_step(system: Any, step: Mapping[str, Any], control_texts: Mapping[str, str]) -> dict[str, Any]:
    """Complete a button's step with the values of its action's controls.

    `control_texts` are the controls' texts. A text that can't be parsed stays as it is, for the validation of the step.
    """
    do = step.get("do")
    picked_text = control_texts.get(format_control_name(str(do), "pick"), "") if len(step) == 1 else ""
    complete_step = _parse_picked_step(do, picked_text) or dict(step)
    fields = system.step_fields.get(do, ()) if isinstance(do, str) else ()
    numbers = [field for field in fields if field.type.control == "size"]
    for field in fields:
        text = control_texts.get(format_control_name(str(do), field.key), "").strip()
        if not text or field.key in complete_step:
            continue
        if numbers and field is numbers[0]:
            sizes = zip(numbers, text.split(","), strict=False)
            complete_step |= {each.key: each.type.parse_or_return_text(each, part) for each, part in sizes}
        elif field.type.control:
            complete_step[field.key] = field.type.parse_or_return_text(field, text)
    return complete_step


def _parse_picked_step(action_name: object, text: str) -> dict[str, Any]:
    """Parse the whole step that was selected from a list.

    Returns {} if it is no step of the same action.
    """
    step = parse_json_or_none(text) if 0 < len(text) <= 1_000 else None
    return step if isinstance(step, dict) and step.get("do") == action_name else {}
