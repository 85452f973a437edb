"""The editor of a step: its fields as texts, and the step that results from edited texts.

Both follow from the `Field`s that a turn system defines for an action or for a change by the game master.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.replay.fork_changes import join_values, parse_edited_faces
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.scenario import AnySystem, StepResult
from scratch_core.turn_systems import Field, InvalidFieldValue
from scratch_core.turn_systems.fields import COMMON_STEP_KEYS


@dataclass(frozen=True, slots=True)
class EditField:
    """A field of the step shown."""

    key: str
    """The key in the file."""
    label: str
    """The label for players."""
    text: str
    """The value as text."""
    choices: tuple[tuple[str, str], ...]
    """The possible values with their labels. Empty for a text field."""


def list_editable_keys(system: AnySystem) -> tuple[str, ...]:
    """List the keys of a step that can be edited in this turn system."""
    keys = (key for do in (*system.step_fields, *system.gm_fields) for key in list_editable_step_keys(system, do))
    return tuple(dict.fromkeys(("actor", "do", *keys)))


def list_editable_step_keys(system: AnySystem, action_name: str) -> tuple[str, ...]:
    """List the editable keys of an action or a change by the game master.

    The dice (`faces`) come last.
    """
    keys = tuple(field.key for field in _list_editable_fields(system, action_name))
    return (*keys, "faces") if system.roll_keys else keys


def _list_editable_fields(system: AnySystem, do: str) -> tuple[Field, ...]:
    fields = system.step_fields[do] if do in system.step_fields else system.gm_fields.get(do, ())
    return tuple(field for field in fields if field.type.is_editable)


def step_to_fields(system: AnySystem, record: StepResult) -> dict[str, str]:
    """Return the editable fields of a step as texts: `defence 1, other 2`, `3,4 5,4`.

    The actor and the name of a change by the game master are not among them.
    """
    action = record.action
    fields = {} if record.is_gm_action else {"actor": action.actor, "do": action.do}
    for field in _list_editable_fields(system, action.do):
        value = getattr(action, field.name_in_action)
        fields[field.key] = "" if value is None else field.type.format(value)
    return {**fields, "faces": join_values(record.faces or record.step.faces or ())} if system.roll_keys else fields


# Edited steps


def edit_step(system: AnySystem, step: Mapping[str, Any], new_texts: Mapping[str, str]) -> dict[str, Any]:
    """Return a step with new values.

    With a new action, the keys that it does not use are removed. An empty value removes its key. The result is not
    validated: the parser of scenarios does that. Raises `ScratchError` for a value that can't be parsed.
    """
    do = str(new_texts.get("do", step.get("do")))
    fields = {field.key: field for field in _list_editable_fields(system, do)}
    step_data = dict(step)
    if "do" in new_texts:
        step_data = {key: value for key, value in step.items() if key in ("actor", "do", *COMMON_STEP_KEYS, *fields)}
        if not system.needs_actor(do) and not new_texts.get("actor"):
            step_data.pop("actor", None)
    edited = {**step_data, **{key: _parse_value(key, fields.get(key), text) for key, text in new_texts.items()}}
    list_key = fields["target"].type.list_key if "target" in fields else ""
    if {"do", "target"} & new_texts.keys() and list_key:
        names = edited["target"] if "target" in new_texts else step.get(list_key, step.get("target", ""))
        edited |= {"target": "", list_key: ""}
        edited |= {list_key: names} if len(names) > 1 and isinstance(names, list) else {"target": "".join(names)}
    unused_keys = {key for key in system.shared_keys if key not in (*fields, "targets")}
    return {key: value for key, value in edited.items() if value != "" and key not in unused_keys}


def _parse_value(key: str, field: Field | None, text: str) -> Any:
    """Parse a value as the file has it.

    Returns "" to remove the key. Raises `ScratchError` if the value is invalid.
    """
    if text and key == "faces":
        return parse_edited_faces(text, key)
    if field is None or not text:
        return text
    try:
        return field.type.parse_or_return_text(field, text)
    except InvalidFieldValue as error:
        problem = error.found[0]
        raise ScratchError(Problem("changes.value", problem.expected, format_input(problem.got), "fork")) from None


# New steps and new actions


def suggest_step(system: AnySystem, state: Any, neighbour_actor_id: str) -> dict[str, str]:
    """Suggest a step for a new place: the turn system's default action and its fields.

    `neighbour_actor_id` is the actor of the neighbouring step.
    """
    action = system.build_action_for_new_step(state, neighbour_actor_id)
    return {"actor": action.actor, "do": action.do, **_action_to_fields(system, action)}


def _action_to_fields(system: AnySystem, action: Any) -> dict[str, str]:
    """Return the fields of a step except its actor."""
    values = ((field, getattr(action, field.name_in_action)) for field in system.step_fields[action.do])
    return {field.key: field.type.format(value) for field, value in values if value not in (None, field.default)}


def suggest_required_values(system: AnySystem, state: Any, actor_id: str, action_name: str) -> dict[str, str]:
    """List values for the fields that an action requires, by key.

    They are those of a legal action of that name, otherwise the first possible values.
    """
    ids = [each.id for each in state.fighters]
    action = system.find_legal_action(state, actor_id, action_name) if actor_id in ids else None
    if action is not None:
        return _action_to_fields(system, action)
    other = next((each for each in ids if each != actor_id), ids[0])
    return {
        field.key: field.type.suggest_typed_text(field, ids, other)
        for field in system.step_fields[action_name]
        if field.default is None and not field.is_optional
    }


def build_edit_fields(system: AnySystem, record: StepResult) -> tuple[EditField, ...]:
    """Build the fields of a step, each with its choices."""
    fighters = tuple((each.id, each.name) for each in record.state.fighters)
    titles = {
        do: words
        for do, words in (*system.action_titles.items(), *system.table_event_titles.items())
        if do in system.step_fields
    }
    actions = tuple((do, words[:1].upper() + words[1:]) for do, words in titles.items())
    actors = fighters if system.needs_actor(record.do) else (("", "the table"), *fighters)
    choices = {"actor": actors, "do": actions}
    labels = {"actor": "Character", "do": "Action", "faces": "Rolls"}
    for field in _list_editable_fields(system, record.do):
        choices[field.key] = field.type.list_choices(field, fighters)
        labels.setdefault(field.key, (field.label or field.key).capitalize())
    return tuple(
        EditField(key, labels[key], text, choices.get(key, ())) for key, text in step_to_fields(system, record).items()
    )
