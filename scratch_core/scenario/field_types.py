"""The values of a file's fields: each kind of `Field` is validated and converted for the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scratch_core.board import Space, parse_space
from scratch_core.characters import MAX_NAME_LENGTH, clean_line
from scratch_core.errors import format_input, replace_null
from scratch_core.rulebook.abilities import ABILITY_NAMES, INERT, find_ability_name
from scratch_core.turn_systems import Field

MAX_TEXT_LENGTH = 100
_SIGNS = {"¼": " 1/4", "½": " 1/2", "¾": " 3/4"}
SPACE = "a space, [column, row]"


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with a field's value."""

    expected: str
    """What the field allows."""
    got: object
    """The invalid value."""
    index: int | None = None
    """The index of the invalid item in a list, from 0, or None for the whole value."""


class InvalidFieldValue(ValueError):
    """A value that a field does not allow, with all of its errors."""

    def __init__(self, *found: FieldError) -> None:
        """Store the errors."""
        super().__init__(found[0].expected)
        self.found = found


def _build_field_error(expected: str, got: object) -> InvalidFieldValue:
    """Build the exception of one error."""
    return InvalidFieldValue(FieldError(expected, got))


def parse_field_value(field: Field, given: object, ids: Sequence[str]) -> Any:
    """Parse the value of a field. Raises `InvalidFieldValue` for an invalid one.

    `ids` are those of all characters, and an `id` must be one of them.
    """
    return _KINDS[field.kind](field, given, ids)


def format_key(key: object) -> str:
    """Format a key for a message, shortened to 60 characters."""
    text = key if isinstance(key, str) else format_input(key)
    return clean_line(text[:60])


def _parse_each(items: Sequence[Any], read: Callable[[Any], Any], *, has_indexes: bool = True) -> tuple[Any, ...]:
    """Parse every item of a list.

    Raises `InvalidFieldValue` with all errors and, with `has_indexes`, the indexes of the items.
    """
    found, wrong = [], list[FieldError]()
    for n, item in enumerate(items):
        try:
            found.append(read(item))
        except InvalidFieldValue as error:
            wrong += [FieldError(each.expected, each.got, n if has_indexes else None) for each in error.found]
    if wrong:
        raise InvalidFieldValue(*wrong)
    return tuple(found)


def _parse_number(field: Field, given: object, ids: Sequence[str]) -> int:
    """Parse a whole number within the field's bounds."""
    if type(given) is not int or not field.low <= given <= field.high:
        raise _build_field_error(f"a whole number from {field.low:,} to {field.high:,}", given)
    return given


def _parse_moment(field: Field, given: object, ids: Sequence[str]) -> int:
    """Parse a number of spaces after which something happens. Rule: `grid.interrupt.trigger.move`."""
    if type(given) is not int or not field.low <= given <= field.high:
        raise _build_field_error(f"{field.meaning}, {field.low} to {field.high}", given)
    return given


def _parse_flag(field: Field, given: object, ids: Sequence[str]) -> bool:
    """Parse a truth value."""
    if type(given) is not bool:
        raise _build_field_error("true or false", given)
    return given


def _parse_nonblank_text(field: Field, given: object, ids: Sequence[str]) -> str:
    """Parse a text that is not blank."""
    if not isinstance(given, str) or not given.strip() or len(given) > MAX_TEXT_LENGTH:
        raise _build_field_error(f"a name of {MAX_TEXT_LENGTH} characters at most", given)
    return given


def _parse_choice(field: Field, given: object, ids: Sequence[str]) -> str:
    """Parse one of the field's choices."""
    if not isinstance(given, str) or given not in field.choices:
        raise _build_field_error(f"one of {', '.join(field.choices)}", given)
    return given


def _parse_id(field: Field, given: object, ids: Sequence[str]) -> str:
    """Parse the id of a character."""
    if not isinstance(given, str) or given not in ids:
        raise _build_field_error(f"the id of a character ({', '.join(map(format_key, ids[:20]))})", given)
    return given


def _parse_distinct_ids(field: Field, given: object, ids: Sequence[str]) -> tuple[str, ...]:
    """Parse an id, or a list of different ids."""
    names = given if isinstance(given, list) else [given]
    if not names or len(names) > len(ids):
        raise _build_field_error("an id, or a list of ids, each once", given)
    found = tuple(_parse_id(field, each, ids) for each in names)
    if len(set(found)) < len(found):
        raise _build_field_error("each id once", given)
    return found


def _parse_texts(field: Field, given: object, ids: Sequence[str]) -> tuple[str, ...]:
    """Parse a list of texts."""
    if not isinstance(given, list) or not given or len(given) > field.high:
        raise _build_field_error(f"a list of ids, {field.high} at most", replace_null(given))
    return _parse_each(given, lambda each: _parse_nonblank_text(field, each, ids))


def _parse_targets(field: Field, given: object, ids: Sequence[str]) -> tuple[str, ...]:
    """Parse an id, or a list of ids with possible repetitions.

    A list of one id is repeated as often as the field's `low`.
    """
    if not isinstance(given, list):
        return (_parse_id(field, given, ids),)
    found = _parse_each(given, lambda each: _parse_id(field, each, ids))
    return found * field.low if field.low and len(found) == 1 else found


def _parse_speed(field: Field, given: object, ids: Sequence[str]) -> Fraction:
    """Parse a speed: ¼, ½, or 1 and more in quarters. Rules: `mano.speed.quarter`, `mano.speed.half`."""
    expected = f"a speed of 1/4, 1/2, or 1 to {field.high} in quarters"
    try:
        if isinstance(given, str) and len(given) <= 10 and "e" not in given.lower():
            plain = "".join(_SIGNS.get(sign, sign) for sign in given)
            speed = sum((Fraction(part) for part in plain.split()), Fraction(0))
        elif type(given) in (int, float):
            assert isinstance(given, int | float)
            speed = Fraction(given)
        else:
            raise _build_field_error(expected, given)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise _build_field_error(expected, given) from None
    is_slow = speed in (Fraction(1, 4), Fraction(1, 2))
    if not is_slow and not (1 <= speed <= field.high and (speed * 4).denominator == 1):
        raise _build_field_error(expected, given)
    return speed


def _parse_points_by_pool(field: Field, given: object, ids: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Parse points by pool, in the order of the pools. Rule: `mano-old.pools`.

    Empty pools are omitted unless all are empty.
    """
    if not isinstance(given, Mapping):
        raise _build_field_error(f"a table of points by pool: {', '.join(field.choices)}", given)
    for key in given:
        if key not in field.choices:
            raise _build_field_error(f"one of {', '.join(field.choices)}", key)
    found = [(pool, _parse_number(field, given[pool], ids)) for pool in field.choices if pool in given]
    return tuple(each for each in found if each[1]) or tuple(found)


def _parse_stalker_successes(field: Field, given: object, ids: Sequence[str]) -> tuple[tuple[str, bool], ...]:
    """Parse who stalks with success or failure, in the file's order. Rule: `mano.surprise.two-rolls`."""
    if not isinstance(given, Mapping) or not given or len(given) > len(ids):
        raise _build_field_error("a table of true or false by id", given)
    for key in given:
        _parse_id(field, key, ids)
    return tuple((who, _parse_flag(field, given[who], ids)) for who in ids if who in given)


def _parse_ability(field: Field, given: object, ids: Sequence[str]) -> str:
    """Parse an ability into its canonical name."""
    found = find_ability_name(given) if isinstance(given, str) and len(given) <= MAX_NAME_LENGTH else None
    if found is None:
        raise _build_field_error(f"one of the abilities {', '.join((*ABILITY_NAMES, *INERT))}", given)
    return found


def _parse_abilities(field: Field, given: object, ids: Sequence[str]) -> tuple[str, ...]:
    """Parse one ability, several, or "none"."""
    if given == "none":
        return ()
    names = given if isinstance(given, list) else [given]
    if not names or len(names) > len(ABILITY_NAMES):
        raise _build_field_error('an ability, several, or "none"', given)
    return _parse_each(names, lambda name: _parse_ability(field, name, ids), has_indexes=False)


def _parse_space(field: Field, given: object, ids: Sequence[str]) -> Space:
    """Parse a space of the map."""
    space = parse_space(given)
    if space is None:
        raise _build_field_error(SPACE, replace_null(given))
    return space


def _parse_path(field: Field, given: object, ids: Sequence[str]) -> tuple[Space, ...]:
    """Parse the spaces that a move enters, in order. Rule: `grid.move.step`."""
    if not isinstance(given, list) or len(given) > field.high:
        raise _build_field_error(f"a list of spaces entered, {field.high} at most", replace_null(given))
    return _parse_each(given, lambda each: _parse_space(field, each, ids))


_KINDS: Mapping[str, Callable[[Field, Any, Sequence[str]], Any]] = {
    "number": _parse_number,
    "spaces": _parse_number,
    "moment": _parse_moment,
    "flag": _parse_flag,
    "text": _parse_nonblank_text,
    "choice": _parse_choice,
    "id": _parse_id,
    "ids": _parse_distinct_ids,
    "targets": _parse_targets,
    "speed": _parse_speed,
    "pools": _parse_points_by_pool,
    "successes": _parse_stalker_successes,
    "ability": _parse_ability,
    "abilities": _parse_abilities,
    "space": _parse_space,
    "path": _parse_path,
    "names": _parse_texts,
}
"""The parser of each kind of field."""
