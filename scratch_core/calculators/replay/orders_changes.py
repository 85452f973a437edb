"""What a fork changes of a fight by another turn order: the keys of its own steps, as a reader types them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scratch_core.calculators.replay.changes import FALSE_WORDS, TRUE_WORDS, wrong_value
from scratch_core.errors import ScratchError, shown
from scratch_core.rounds import LEAVE, SYSTEMS, Act, Field, Rounds
from scratch_core.scenario import AnySystem
from scratch_core.turns import Hand

ORDER_KEYS: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            "actor",
            "do",
            *(field.key for system in SYSTEMS.values() for fields in system.steps.values() for field in fields),
        )
    )
)
"""What can be changed of a step, of whichever system."""

_COMMON = ("actor", "do", "faces", "note", "expect")
_PAIR = re.compile(r"([\w-]+)\s*[:= ]\s*(\w+)\Z")


def typed_fields(system: Rounds[Any], act: Act | Hand) -> dict[str, str]:
    """A step's fields as a reader would type them: `defence 1, other 2`, `true`; of the game master's its name."""
    if isinstance(act, Hand):
        return {"actor": "", "do": act.do}
    found = {field.key: _typed(getattr(act, field.name)) for field in system.steps[act.do]}
    return {"actor": act.actor, "do": act.do, **found}


def _typed(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{name} {_typed(each)}" for name, each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def change_order_step(system: AnySystem, step: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    """A step with new values; what a new act has no use for is taken away, an empty value takes its key away.

    Whether it makes sense is for the reader of scenarios to say. Raises `ScratchError` for what is no table of pairs.
    """
    do = given.get("do", step.get("do"))
    fields = {field.key: field for field in system.steps.get(str(do), ())}
    kept = dict(step)
    if "do" in given:
        kept = {key: value for key, value in step.items() if key in (*_COMMON, *fields)}
        is_without_actor = do in system.facts and do != LEAVE
        if is_without_actor and not given.get("actor"):
            kept.pop("actor", None)
    typed = {key: _value(fields.get(key), text) for key, text in given.items()}
    return _without_empty({**kept, **typed})


def _without_empty(step: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in step.items() if value != ""}


def _value(field: Field | None, text: str) -> Any:
    """A value as the file would have it; "" where it is to be left out."""
    kind = field.kind if field else "text"
    if kind == "number" and re.fullmatch(r"-?[0-9]{1,7}", text):
        return int(text)
    if kind == "flag" and text.lower() in (*TRUE_WORDS, *FALSE_WORDS):
        return text.lower() in TRUE_WORDS
    if kind in ("pools", "successes") and text:
        return dict(_pair(each.strip(), kind) for each in text.split(",") if each.strip())
    return text


def _pair(text: str, kind: str) -> tuple[str, int | bool]:
    found = _PAIR.match(text)
    if found and kind == "pools" and re.fullmatch(r"[0-9]{1,7}", found[2]):
        return found[1], int(found[2])
    if found and kind == "successes" and found[2].lower() in (*TRUE_WORDS, *FALSE_WORDS):
        return found[1], found[2].lower() in TRUE_WORDS
    example = "defence 1, other 2" if kind == "pools" else "ada true, bo false"
    raise ScratchError(wrong_value(f"pairs separated by commas ({example})", shown(text)))


def offered_step(system: Rounds[Any], state: Any) -> dict[str, str]:
    """A step for a new place in a story: the first act that is legal there, or somebody leaving where none is."""
    for actor, do in system.names(state):
        for act in system.variants(state, actor, do):
            return _written(system, act)
    return {"actor": system.fighters(state)[0].id, "do": LEAVE}


def _written(system: Rounds[Any], act: Act) -> dict[str, str]:
    needed = {field.key for field in system.steps[act.do] if field.default is None}
    fields = typed_fields(system, act)
    return {key: value for key, value in fields.items() if key in ("actor", "do") or key in needed}


def needed_values(system: Rounds[Any], state: Any, actor: str, do: str) -> dict[str, str]:
    """Values for what an act can't do without: those of a legal one of that name, else the first that can be."""
    if (actor, do) in system.names(state):
        for act in system.variants(state, actor, do):
            found = _written(system, act)
            return {key: value for key, value in found.items() if key not in ("actor", "do")}
    ids = [each.id for each in system.fighters(state)]
    return {field.key: _first(field, ids, actor) for field in system.steps[do] if field.default is None}


def _first(field: Field, ids: Sequence[str], actor: str) -> str:
    if field.kind == "number":
        return str(max(field.low, 1))
    if field.kind == "successes":
        return f"{ids[0]} true"
    return field.choices[0] if field.choices else next((each for each in ids if each != actor), ids[0])
