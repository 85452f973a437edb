"""The values of a file's fields: each kind of `Field` checked and turned into what the engine works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from scratch_core.rounds import Field

TEXT_LIMIT = 100
_SIGNS = {"¼": " 1/4", "½": " 1/2", "¾": " 3/4"}


class WrongValue(ValueError):
    """A value that a field does not allow: what was expected, which value it is, and where below the field."""

    def __init__(self, expected: str, got: object, below: str = "") -> None:
        """Tell what was expected, what came, and which part of the field it is."""
        super().__init__(expected)
        self.expected, self.got, self.below = expected, got, below


def value_of(field: Field, given: object, ids: Sequence[str]) -> Any:
    """The value of a field as the engine takes it. Raises `WrongValue`."""
    return _KINDS[field.kind](field, given, ids)


def _number(field: Field, given: object, ids: Sequence[str]) -> int:
    if type(given) is not int or not field.low <= given <= field.high:
        raise WrongValue(f"a whole number from {field.low:,} to {field.high:,}", given)
    return given


def _flag(field: Field, given: object, ids: Sequence[str]) -> bool:
    if type(given) is not bool:
        raise WrongValue("true or false", given)
    return given


def _text(field: Field, given: object, ids: Sequence[str]) -> str:
    if not isinstance(given, str) or not given.strip() or len(given) > TEXT_LIMIT:
        raise WrongValue(f"a name of {TEXT_LIMIT} characters at most", given)
    return given


def _choice(field: Field, given: object, ids: Sequence[str]) -> str:
    if not isinstance(given, str) or given not in field.choices:
        raise WrongValue(f"one of {', '.join(field.choices)}", given)
    return given


def _id(field: Field, given: object, ids: Sequence[str]) -> str:
    if not isinstance(given, str) or given not in ids:
        raise WrongValue(f"the id of a character ({', '.join(ids[:20])})", given)
    return given


def _ids(field: Field, given: object, ids: Sequence[str]) -> tuple[str, ...]:
    names = given if isinstance(given, list) else [given]
    if not names or len(names) > len(ids):
        raise WrongValue("an id, or a list of ids, each once", given)
    found = tuple(_id(field, each, ids) for each in names)
    if len(set(found)) < len(found):
        raise WrongValue("each id once", given)
    return found


def _speed(field: Field, given: object, ids: Sequence[str]) -> Fraction:
    """A speed: ¼, ½, or 1 and more in quarters. Rules: `mano.speed.quarter`, `mano.speed.half`."""
    expected = f"a speed of 1/4, 1/2, or 1 to {field.high} in quarters"
    try:
        if isinstance(given, str) and len(given) <= 10 and "e" not in given.lower():
            plain = "".join(_SIGNS.get(sign, sign) for sign in given)
            speed = sum((Fraction(part) for part in plain.split()), Fraction(0))
        elif type(given) in (int, float):
            assert isinstance(given, int | float)
            speed = Fraction(given)
        else:
            raise WrongValue(expected, given)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise WrongValue(expected, given) from None
    is_slow = speed in (Fraction(1, 4), Fraction(1, 2))
    if not is_slow and not (1 <= speed <= field.high and (speed * 4).denominator == 1):
        raise WrongValue(expected, given)
    return speed


def _pools(field: Field, given: object, ids: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Points by pool, in the order of the pools; empty ones are left out unless all are. Rule: `mano-old.pools`."""
    if not isinstance(given, Mapping):
        raise WrongValue(f"a table of points by pool: {', '.join(field.choices)}", given)
    for key in given:
        if key not in field.choices:
            raise WrongValue(f"one of {', '.join(field.choices)}", key)
    found = [(pool, _number(field, given[pool], ids)) for pool in field.choices if pool in given]
    return tuple(each for each in found if each[1]) or tuple(found)


def _successes(field: Field, given: object, ids: Sequence[str]) -> tuple[tuple[str, bool], ...]:
    """Who stalks, in the order of the file, and whether it succeeds. Rule: `mano.surprise.two-rolls`."""
    if not isinstance(given, Mapping) or not given or len(given) > len(ids):
        raise WrongValue("a table of true or false by id", given)
    for key in given:
        _id(field, key, ids)
    return tuple((who, _flag(field, given[who], ids)) for who in ids if who in given)


_KINDS: Mapping[str, Callable[[Field, object, Sequence[str]], Any]] = {
    "number": _number,
    "spaces": _number,
    "flag": _flag,
    "text": _text,
    "choice": _choice,
    "id": _id,
    "ids": _ids,
    "speed": _speed,
    "pools": _pools,
    "successes": _successes,
}
