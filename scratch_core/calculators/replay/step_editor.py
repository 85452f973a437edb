"""The fields of a step: what stands in them as a reader types it, and what a step is once they say something else.

All of it follows from the `Field`s that an order of turns gives to an act, or to a step of the game master's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from scratch_core.board import format_space
from scratch_core.calculators.replay.fork_changes import join_values, parse_edited_faces
from scratch_core.calculators.shared.form import parse_number_or_text
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.normalization import normalize_input
from scratch_core.rulebook.abilities import ABILITY_NAMES
from scratch_core.scenario import AnySystem, StepResult
from scratch_core.turn_systems import Field

_COMMON_KEYS = ("actor", "do", "faces", "note", "expect")
_TRUE, _FALSE = ("true", "on", "yes"), ("false", "off", "no")
_PAIR_PATTERN = re.compile(r"([\w-]+)\s*[:= ]\s*(\w+)\Z")
_FACES_FIELD = Field("faces", "faces", (), "the rolls")
_CHOICES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "flag": (("false", "no"), ("true", "yes")),
    "ability": tuple((each, each) for each in ABILITY_NAMES),
    "abilities": (("", "the best allowed"), ("none", "no ability"), *((each, each) for each in ABILITY_NAMES)),
}
"""The choices of some kinds of fields, for all fighters."""


@dataclass(frozen=True, slots=True)
class EditField:
    """A field of the step shown: its key, its label, what stands in it, and what can be chosen (() for a text)."""

    key: str
    label: str
    text: str
    choices: tuple[tuple[str, str], ...]


def list_editable_keys(system: AnySystem) -> tuple[str, ...]:
    """What can be changed of a step in this order of turns."""
    fields = (
        field.key for do in (*system.step_fields, *system.gm_fields) for field in list_editable_fields(system, do)
    )
    return tuple(dict.fromkeys(("actor", "do", *fields)))


def list_editable_fields(system: AnySystem, do: str) -> tuple[Field, ...]:
    """The fields of an act, or of a step of the game master's, as far as they can be typed; dice stand last."""
    own = system.step_fields[do] if do in system.step_fields else system.gm_fields.get(do, ())
    typed = tuple(field for field in own if field.kind in _FIELD_PARSERS)
    return (*typed, _FACES_FIELD) if system.roll_keys else typed


def step_to_fields(system: AnySystem, record: StepResult) -> dict[str, str]:
    """A step's fields as a reader would type them: `defence 1, other 2`, `3,4 5,4`; what the game master does stays."""
    act = record.action
    own = {} if record.is_gm_action else {"actor": act.actor, "do": act.do}
    faces = {"faces": record.faces or record.step.faces or ()}
    for field in list_editable_fields(system, act.do):
        own[field.key] = _format_value(field, faces[field.key] if field is _FACES_FIELD else getattr(act, field.name))
    return own


def _format_value(field: Field, value: Any) -> str:
    if value is None:
        return ""
    if field.kind == "abilities":
        return join_values(value) or "none"
    if field.kind in ("space", "path"):
        return " ".join(map(format_space, value if field.kind == "path" else (value,)))
    if field.kind == "targets":
        return join_values(value)
    if field.kind in ("pools", "successes"):
        return join_values(f"{name} {str(each).lower()}" for name, each in value)
    if isinstance(value, tuple):
        return join_values(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


# A step with other values


def edit_step(system: AnySystem, step: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    """A step with new values; what a new act has no use for is taken away, an empty value takes its key away.

    Whether it makes sense is for the reader of scenarios to say. Raises `ScratchError` for what can't be written.
    """
    do = str(given.get("do", step.get("do")))
    fields = {field.key: field for field in list_editable_fields(system, do)}
    kept = dict(step)
    if "do" in given:
        kept = {key: value for key, value in step.items() if key in (*_COMMON_KEYS, *fields)}
        if not system.needs_actor(do) and not given.get("actor"):
            kept.pop("actor", None)
    made = {**kept, **{key: _parse_value(fields.get(key), text) for key, text in given.items()}}
    if {"do", "target"} & given.keys() and fields.get("target", _FACES_FIELD).kind == "targets":
        names = made["target"] if "target" in given else step.get("targets", step.get("target", ""))
        made |= {"target": "", "targets": ""}
        made |= {"targets": names} if len(names) > 1 and isinstance(names, list) else {"target": "".join(names)}
    idle = {key for key in system.shared_keys if key not in (*fields, "targets")}
    return {key: value for key, value in made.items() if value != "" and key not in idle}


def _parse_value(field: Field | None, text: str) -> Any:
    """A value as the file would have it; "" where it is to be left out."""
    return _FIELD_PARSERS[field.kind](field, text) if field and text else text


def _parse_flag(field: Field, text: str) -> bool | str:
    return text.lower() in _TRUE if text.lower() in (*_TRUE, *_FALSE) else text


def _parse_names(field: Field, text: str) -> list[str] | str:
    """Those aimed at: one, or a list of several."""
    words = re.findall(r"[^,\s]+", text)
    return words if len(words) > 1 else "".join(words)


def _parse_abilities(field: Field, text: str) -> list[str] | str:
    """One ability, or a list of several joined by commas or plus signs."""
    return [word for word in re.split(r"[,+\s]+", text) if word] if re.search("[,+]", text) else text


def _parse_path(field: Field, text: str) -> list[list[int]]:
    """Spaces like `3,4 5,4`. Rule: `grid.space`."""
    return _parse_spaces(text, f"{field.key} as spaces like 3,4 5,4")


def _parse_space(field: Field, text: str) -> list[int]:
    expected = f"a space such as 3,4 for {field.label or field.key}"
    spaces = _parse_spaces(text, expected)
    if len(spaces) > 1:
        raise ScratchError(Problem("changes.value", expected, format_input(text), "fork"))
    return spaces[0]


def _parse_spaces(text: str, expected: str) -> list[list[int]]:
    words = normalize_input(text).split()
    if not all(re.fullmatch(r"-?[0-9]{1,3},-?[0-9]{1,3}", word) for word in words):
        raise ScratchError(Problem("changes.value", expected, format_input(text), "fork"))
    return [[int(number) for number in word.split(",")] for word in words]


def _parse_pairs(field: Field, text: str, read: Callable[[Field, str], Any], example: str) -> dict[str, Any]:
    """A table of pairs separated by commas."""
    found = {}
    for each in filter(None, map(str.strip, text.split(","))):
        pair = _PAIR_PATTERN.match(each)
        value = read(field, pair[2]) if pair else ""
        if pair is None or isinstance(value, str):
            expected = f"pairs separated by commas ({example})"
            raise ScratchError(Problem("changes.value", expected, format_input(each), "fork"))
        found[pair[1]] = value
    return found


_FIELD_PARSERS: Mapping[str, Callable[[Field, str], Any]] = {
    **dict.fromkeys(("id", "choice", "ability", "text"), lambda field, text: text),
    **dict.fromkeys(("number", "spaces", "moment"), lambda field, text: parse_number_or_text(text)),
    "flag": _parse_flag,
    "faces": lambda field, text: parse_edited_faces(text, field.key),
    "targets": _parse_names,
    "abilities": _parse_abilities,
    "space": _parse_space,
    "path": _parse_path,
    "pools": partial(_parse_pairs, read=lambda field, text: parse_number_or_text(text), example="defence 1, other 2"),
    "successes": partial(_parse_pairs, read=_parse_flag, example="ada true, bo false"),
}
"""How each kind of field stands in a file; what can't be written so stays a text, for the reader to refuse."""


# A step for a new place, and for a new act


def suggest_step(system: AnySystem, state: Any, actor: str) -> dict[str, str]:
    """A step for a new place in a story, with what it can't do without; `actor` does what is beside it."""
    act = system.choose_default_action(state, actor)
    return {"actor": act.actor, "do": act.do, **_action_to_fields(system, act)}


def _action_to_fields(system: AnySystem, act: Any) -> dict[str, str]:
    """Return the fields of a step except its actor."""
    values = ((field, getattr(act, field.name)) for field in system.step_fields[act.do])
    return {field.key: _format_value(field, value) for field, value in values if value not in (None, field.default)}


def list_needed_values(system: AnySystem, state: Any, actor: str, do: str) -> dict[str, str]:
    """Values for what an act can't do without: those of a legal one of that name, else the first that can be."""
    ids = [each.id for each in state.fighters]
    act = system.find_legal_action(state, actor, do) if actor in ids else None
    if act is not None:
        return _action_to_fields(system, act)
    other = next((each for each in ids if each != actor), ids[0])
    first = {"successes": f"{ids[0]} true", "ability": ABILITY_NAMES[0], "space": "0,0", "path": "0,0"}
    return {
        field.key: str(max(field.low, 1))
        if field.kind == "number"
        else first.get(field.kind, (*field.choices, other)[0])
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
    for field in list_editable_fields(system, record.do):
        choices[field.key] = _list_choices(field, people)
        labels.setdefault(field.key, (field.label or field.key).capitalize())
    return tuple(
        EditField(key, labels[key], typed, choices[key]) for key, typed in step_to_fields(system, record).items()
    )


def _list_choices(field: Field, people: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    found = _CHOICES.get(field.kind) or tuple((each, each) for each in field.choices if field.kind == "choice")
    if field.kind in ("id", "targets"):
        found = people
    can_be_none = field.default == "" or field.kind == "targets"
    return (("", "none"), *found) if found and can_be_none else found
