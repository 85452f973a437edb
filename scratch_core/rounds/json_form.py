"""States and events of the other turn orders as JSON and back, from the fields of their records alone.

What is read is checked piece by piece; anything damaged raises one `ScratchError` (`rounds.json`) with its place.
"""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.rounds.shape import Event, Rounds, S
from scratch_core.turns.json_form import kind_of, written

ROUNDS_FORMAT = "scratch-rounds/1"
"""The tag that says which form a dictionary has."""

NUMBER_LIMIT = 10**12


def state_to_json(system: Rounds[S], state: S) -> dict[str, Any]:
    """The JSON form of a state; `state_from_json` gives an equal state back."""
    return {"format": ROUNDS_FORMAT, "system": system.name, **written(state)}


def state_from_json(system: Rounds[S], data: object) -> S:
    """The state of a JSON form. Raises `ScratchError` (`rounds.json`) for anything that `state_to_json` never wrote."""
    table = _table(data, "the state")
    for key, value in (("format", ROUNDS_FORMAT), ("system", system.name)):
        if table.get(key) != value:
            raise _refused(f'"{value}"', table.get(key), key)
    rest = {key: value for key, value in table.items() if key not in ("format", "system")}
    state: S = _read(system.state_type, rest, "the state")
    system.check(state)
    return state


def event_from_json(system: Rounds[S], data: object) -> Event:
    """The event of a JSON form. Raises `ScratchError` (`rounds.json`)."""
    table = _table(data, "the event")
    kinds = {kind_of(kind): kind for kind in system.events}
    kind = table.get("event")
    if not isinstance(kind, str) or kind not in kinds:
        raise _refused(f"one of {', '.join(kinds)}", kind, "event")
    event: Event = _read(kinds[kind], {key: value for key, value in table.items() if key != "event"}, kind)
    return event


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, data: object, where: str) -> Any:
    """A value of a kind: a record, a tuple, a literal, a number, a text, a truth value, a fraction, or None."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return None if data is None else _read(inner[0], data, where)
    if origin is Literal:
        return _plain(data in inner if isinstance(data, str) else False, f"one of {', '.join(inner)}", data, where)
    if origin is tuple:
        return _tuple(inner, data, where)
    if is_dataclass(kind):
        return _record(kind, data, where)
    if kind is Fraction:
        return _fraction(data, where)
    is_right = type(data) is kind and not (type(data) is int and abs(data) > NUMBER_LIMIT)
    return _plain(is_right, f"a value of kind {kind.__name__}", data, where)


def _plain(is_right: bool, expected: str, data: object, where: str) -> object:
    if not is_right:
        raise _refused(expected, data, where)
    return data


def _tuple(inner: tuple[Any, ...], data: object, where: str) -> tuple[Any, ...]:
    if not isinstance(data, list) or (inner[-1] is not ... and len(data) != len(inner)):
        raise _refused("a list", data, where)
    kinds = inner[:1] * len(data) if inner[-1] is ... else inner
    return tuple(_read(kind, each, f"{where}[{n}]") for n, (kind, each) in enumerate(zip(kinds, data, strict=True)))


def _record(kind: Any, data: object, where: str) -> Any:
    table = _table(data, where)
    names = [each.name for each in fields(kind)]
    if sorted(table) != sorted(names):
        raise _refused(f"the keys {', '.join(names)}", list(table), where)
    return kind(**{name: _read(_hints(kind)[name], table[name], f"{where}.{name}") for name in names})


def _fraction(data: object, where: str) -> Fraction:
    if isinstance(data, str) and re.fullmatch(r"[0-9]{1,4}(/[1-9][0-9]?)?", data):
        return Fraction(data)
    raise _refused("a fraction", data, where)


def _table(data: object, where: str) -> Mapping[str, Any]:
    if not isinstance(data, Mapping) or not all(isinstance(key, str) for key in data):
        raise _refused("a table", data, where)
    return data


def refuse_state(expected: str, got: object, where: str) -> None:
    """Raise for a state that could never be."""
    raise _refused(expected, got, where)


def _refused(expected: str, got: object, where: str) -> ScratchError:
    return ScratchError(Problem("rounds.json", expected, shown(got), where))
