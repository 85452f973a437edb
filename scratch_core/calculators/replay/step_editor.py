"""The fields of a step: what stands in them as a reader types it, and what a step is once they say something else.

All of it follows from the `Field`s that an order of turns gives to an act, or to a step of the game master's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.replay.fork_changes import join_values, parse_edited_faces
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.scenario import AnySystem, StepResult
from scratch_core.turn_systems import Field, InvalidFieldValue

_COMMON_KEYS = ("actor", "do", "faces", "note", "expect")


@dataclass(frozen=True, slots=True)
class EditField:
    """A field of the step shown: its key, its label, what stands in it, and what can be chosen (() for a text)."""

    key: str
    label: str
    text: str
    choices: tuple[tuple[str, str], ...]


def list_editable_keys(system: AnySystem) -> tuple[str, ...]:
    """What can be changed of a step in this order of turns."""
    keys = (key for do in (*system.step_fields, *system.gm_fields) for key in list_step_keys(system, do))
    return tuple(dict.fromkeys(("actor", "do", *keys)))


def list_step_keys(system: AnySystem, do: str) -> tuple[str, ...]:
    """List what can be changed of an action, or of a change by the game master, with the dice last."""
    keys = tuple(field.key for field in _list_editable_fields(system, do))
    return (*keys, "faces") if system.roll_keys else keys


def _list_editable_fields(system: AnySystem, do: str) -> tuple[Field, ...]:
    own = system.step_fields[do] if do in system.step_fields else system.gm_fields.get(do, ())
    return tuple(field for field in own if field.type.is_editable)


def step_to_fields(system: AnySystem, record: StepResult) -> dict[str, str]:
    """A step's fields as a reader would type them: `defence 1, other 2`, `3,4 5,4`; what the game master does stays."""
    act = record.action
    own = {} if record.is_gm_action else {"actor": act.actor, "do": act.do}
    for field in _list_editable_fields(system, act.do):
        value = getattr(act, field.name)
        own[field.key] = "" if value is None else field.type.format(value)
    return {**own, "faces": join_values(record.faces or record.step.faces or ())} if system.roll_keys else own


# A step with other values


def edit_step(system: AnySystem, step: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    """A step with new values; what a new act has no use for is taken away, an empty value takes its key away.

    Whether it makes sense is for the reader of scenarios to say. Raises `ScratchError` for what can't be written.
    """
    do = str(given.get("do", step.get("do")))
    fields = {field.key: field for field in _list_editable_fields(system, do)}
    kept = dict(step)
    if "do" in given:
        kept = {key: value for key, value in step.items() if key in (*_COMMON_KEYS, *fields)}
        if not system.needs_actor(do) and not given.get("actor"):
            kept.pop("actor", None)
    made = {**kept, **{key: _parse_value(key, fields.get(key), text) for key, text in given.items()}}
    list_key = fields["target"].type.list_key if "target" in fields else ""
    if {"do", "target"} & given.keys() and list_key:
        names = made["target"] if "target" in given else step.get(list_key, step.get("target", ""))
        made |= {"target": "", list_key: ""}
        made |= {list_key: names} if len(names) > 1 and isinstance(names, list) else {"target": "".join(names)}
    idle = {key for key in system.shared_keys if key not in (*fields, "targets")}
    return {key: value for key, value in made.items() if value != "" and key not in idle}


def _parse_value(key: str, field: Field | None, text: str) -> Any:
    """A value as the file would have it; "" where it is to be left out."""
    if text and key == "faces":
        return parse_edited_faces(text, key)
    if field is None or not text:
        return text
    try:
        return field.type.parse(field, text)
    except InvalidFieldValue as error:
        wrong = error.found[0]
        raise ScratchError(Problem("changes.value", wrong.expected, format_input(wrong.got), "fork")) from None


# A step for a new place, and for a new act


def suggest_step(system: AnySystem, state: Any, actor: str) -> dict[str, str]:
    """A step for a new place in a story, with what it can't do without; `actor` does what is beside it."""
    act = system.choose_default_action(state, actor)
    return {"actor": act.actor, "do": act.do, **_action_to_fields(system, act)}


def _action_to_fields(system: AnySystem, act: Any) -> dict[str, str]:
    """Return the fields of a step except its actor."""
    values = ((field, getattr(act, field.name)) for field in system.step_fields[act.do])
    return {field.key: field.type.format(value) for field, value in values if value not in (None, field.default)}


def list_needed_values(system: AnySystem, state: Any, actor: str, do: str) -> dict[str, str]:
    """Values for what an act can't do without: those of a legal one of that name, else the first that can be."""
    ids = [each.id for each in state.fighters]
    act = system.find_legal_action(state, actor, do) if actor in ids else None
    if act is not None:
        return _action_to_fields(system, act)
    other = next((each for each in ids if each != actor), ids[0])
    return {
        field.key: field.type.suggest(field, ids, other)
        for field in system.step_fields[do]
        if field.default is None and not field.is_optional
    }


def build_edit_fields(system: AnySystem, record: StepResult) -> tuple[EditField, ...]:
    """The fields of a step, each with what can be chosen."""
    people = tuple((each.id, each.name) for each in record.state.fighters)
    titles = {
        do: words
        for do, words in (*system.action_titles.items(), *system.table_event_titles.items())
        if do in system.step_fields
    }
    acts = tuple((do, words[:1].upper() + words[1:]) for do, words in titles.items())
    actors = people if system.needs_actor(record.do) else (("", "the table"), *people)
    choices = {"actor": actors, "do": acts}
    labels = {"actor": "Character", "do": "Action", "faces": "Rolls"}
    for field in _list_editable_fields(system, record.do):
        choices[field.key] = field.type.list_choices(field, people)
        labels.setdefault(field.key, (field.label or field.key).capitalize())
    return tuple(
        EditField(key, labels[key], typed, choices.get(key, ()))
        for key, typed in step_to_fields(system, record).items()
    )
