"""The fields of a step, a character or a file, and the types of their values."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scratch_core.board import Space, format_space, parse_space_pair, parse_space_text
from scratch_core.characters import MAX_NAME_LENGTH, clean_line
from scratch_core.errors import format_input, replace_if_none_for_message
from scratch_core.normalization import normalize_input, parse_whole_number
from scratch_core.rulebook.abilities import ABILITY_NAMES, INERT, find_ability_name

COMMON_STEP_KEYS = ("faces", "note", "expect")
"""The keys that every step may have: its die rolls, a note, and what a file expects after it."""

MAX_TEXT_LENGTH = 100
_SIGNS = {"¼": " 1/4", "½": " 1/2", "¾": " 3/4"}
_TRUE, _FALSE = ("", "true", "on", "yes"), ("false", "off", "no")
_SLOW_SPEEDS = (Fraction(1, 4), Fraction(1, 2))
_PAIR_PATTERN = re.compile(r"([\w-]+)\s*[:= ]\s*(\w+)\Z")

Choices = tuple[tuple[str, str], ...]
"""The choices of a list: pairs of a value, as a player would type it, and its words."""


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a file: its kind, its bounds and its default."""

    key: str
    """The key in the file."""
    kind: str
    """The name of the type of its value, a key of `FIELD_TYPES`."""
    default: Any
    """The value if the key is missing. None means that the key is required, unless `is_optional`."""
    meaning: str
    """What the value means, in words for players."""
    low: int = 0
    """The smallest number allowed. For `targets`, how many times a list of one id repeats it; 0 for once."""
    high: int = 0
    """The largest number allowed, or the maximum length of a list."""
    choices: tuple[str, ...] = ()
    """The values of a `choice`, or the pools of a `pools` table."""
    rule: str | None = None
    """The id of the rule that defines the field, None for none."""
    attribute: str = ""
    """The name of the value in an action, "" for the same name as `key`."""
    is_optional: bool = False
    """Whether the key may be missing although it has no default."""
    label: str = ""
    """The label on a page, "" for the key itself."""

    @property
    def name_in_action(self) -> str:
        """The name of the value in an action."""
        return self.attribute or self.key

    @property
    def type(self) -> FieldType:
        """The type of its value."""
        return FIELD_TYPES[self.kind]


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


def format_key(key: object) -> str:
    """Format a key for a message, shortened to 60 characters."""
    text = key if isinstance(key, str) else format_input(key)
    return clean_line(text[:60])


def parse_number_or_text(text: str) -> int | str:
    """Parse a whole number. Returns any other text unchanged."""
    number = parse_whole_number(text)
    return text if number is None else number


def _convert_each(items: Sequence[Any], convert: Callable[[Any], Any], *, has_indexes: bool = True) -> tuple[Any, ...]:
    """Validate every item of a list.

    Raises `InvalidFieldValue` with all errors and, with `has_indexes`, the indexes of the items.
    """
    found, wrong = [], list[FieldError]()
    for n, item in enumerate(items):
        try:
            found.append(convert(item))
        except InvalidFieldValue as error:
            wrong += [FieldError(each.expected, each.got, n if has_indexes else None) for each in error.found]
    if wrong:
        raise InvalidFieldValue(*wrong)
    return tuple(found)


def _parse_pairs(text: str, parse: Callable[[str], Any], example: str) -> dict[str, Any]:
    """Parse a table of pairs separated by commas, with the parser of their second halves."""
    found = {}
    for each in filter(None, map(str.strip, text.split(","))):
        pair = _PAIR_PATTERN.match(each)
        value = parse(pair[2]) if pair else ""
        if pair is None or isinstance(value, str):
            raise _build_field_error(f"pairs separated by commas ({example})", each)
        found[pair[1]] = value
    return found


def _format_pairs(pairs: Iterable[tuple[str, object]]) -> str:
    """Format pairs as `_parse_pairs` reads them."""
    return ", ".join(f"{name} {str(each).lower()}" for name, each in pairs)


class FieldType(ABC):
    """A type of values: how files, forms and editors validate, parse, format and choose them."""

    control: str = ""
    """How a page lets a player enter a value of an action.

    `size` (a list of the legal numbers, or any number for a table event), `number`, `tick` or `select`. "" if each
    value has a button of its own.
    """
    is_numeric: bool = False
    """Whether the value is a number."""
    is_editable: bool = True
    """Whether a step's editor can change the value."""
    list_key: str = ""
    """The key of a list of values in place of the field's own key, "" for none."""
    named_shape: str = ""
    """What a form expects that names characters in place of ids, "" if no form does."""
    is_single: bool = False
    """Whether such a form may name one character at most."""
    has_outcomes: bool = False
    """Whether such a form may say of each character whether it succeeds."""

    @abstractmethod
    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> Any:
        """Convert a value of a file to the engine's. Raises `InvalidFieldValue` for an invalid one.

        `ids` are those of all characters, and an `id` must be one of them.
        """

    def parse_or_return_text(self, field: Field, typed_text: str) -> Any:
        """Parse what a player typed into a value of a file.

        Returns unreadable text unchanged, which `convert_file_value` refuses. Raises `InvalidFieldValue` for unreadable
        spaces and pairs.
        """
        return typed_text

    def format(self, value: Any) -> str:
        """Format a value of the engine as `parse` reads it."""
        return str(value)

    def format_for_players(self, field: Field, value: Any) -> str:
        """Format a value of the engine in words for players."""
        text = self.format(value)
        return dict(self.list_choices(field, ())).get(text, text)

    def find_neighbour(self, field: Field, value: Any, step: int) -> str:
        """Find the next value, higher for a `step` of 1 and lower for -1.

        `value` is that of the engine, the result is a text that `parse` reads. Returns "" if there is none, and for a
        value without an order.
        """
        return ""

    def list_choices(self, field: Field, characters: Choices) -> Choices:
        """List the choices of a list, given the ids and names of all characters.

        Returns () for a value that is typed.
        """
        found = self.list_own_choices(field, characters)
        return (("", "none"), *found) if found and field.default == "" else found

    def list_own_choices(self, field: Field, characters: Choices) -> Choices:
        """List the choices, without a blank one for an omitted key."""
        return ()

    def suggest_typed_text(self, field: Field, ids: Sequence[str], other_id: str) -> str:
        """Suggest a text for a required key.

        `other_id` is the id of a character who is not the actor.
        """
        choices = self.list_own_choices(field, ((other_id, other_id),))
        return next((value for value, _ in choices if value), other_id)

    def list_component_fields(self, field: Field) -> tuple[Field, ...]:
        """List the fields that a typed line has in place of this one.

        Returns () if a line has this one.
        """
        return ()

    def build_file_value_from_outcomes(self, success_by_id: Mapping[str, bool]) -> Any:
        """Build a value of a file from ids of characters and whether each succeeds.

        Returns None if the key is to be left out.
        """
        ids = [own_id for own_id, is_success in success_by_id.items() if is_success]
        return ids[0] if len(ids) == 1 else ids or None


class NumberType(FieldType):
    """A whole number within the field's bounds."""

    is_numeric = True

    def __init__(self, control: str = "") -> None:
        self.control = control

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> int:
        """Check that it is a whole number within the bounds."""
        if type(value) is not int or not field.low <= value <= field.high:
            raise _build_field_error(f"a whole number from {field.low:,} to {field.high:,}", value)
        return value

    def parse_or_return_text(self, field: Field, typed_text: str) -> int | str:
        """Parse a whole number."""
        return parse_number_or_text(typed_text)

    def find_neighbour(self, field: Field, value: Any, step: int) -> str:
        """Find the next whole number within the bounds."""
        return str(value + step) if field.low <= value + step <= field.high else ""

    def suggest_typed_text(self, field: Field, ids: Sequence[str], other_id: str) -> str:
        """Suggest the smallest number from 1."""
        return str(max(field.low, 1))


class MomentType(NumberType):
    """A number of spaces after which something happens. Rule: `grid.interrupt.trigger.move`."""

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> int:
        """Check that it is a whole number within the bounds."""
        if type(value) is not int or not field.low <= value <= field.high:
            raise _build_field_error(f"{field.meaning}, {field.low} to {field.high}", value)
        return value


class FlagType(FieldType):
    """A truth value."""

    control = "tick"

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> bool:
        """Check that it is a truth value."""
        if type(value) is not bool:
            raise _build_field_error("true or false", value)
        return value

    def parse_or_return_text(self, field: Field, typed_text: str) -> bool | str:
        """Parse a truth value. The key alone, without a text, means true."""
        plain = typed_text.lower()
        return plain in _TRUE if plain in (*_TRUE, *_FALSE) else typed_text

    def format(self, value: Any) -> str:
        """Format a truth value as in a file."""
        return str(value).lower()

    def list_own_choices(self, field: Field, characters: Choices) -> Choices:
        """List both truth values."""
        return (("false", "no"), ("true", "yes"))


class TextType(FieldType):
    """A text that is not blank."""

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> str:
        """Check that it is a text, not blank and not too long."""
        if not isinstance(value, str) or not value.strip() or len(value) > MAX_TEXT_LENGTH:
            raise _build_field_error(f"a name of {MAX_TEXT_LENGTH} characters at most", value)
        return value


class NamesType(TextType):
    """A list of ids in order, some of which may be new."""

    is_editable = False

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> Any:
        """Check that it is a list of texts."""
        if not isinstance(value, list) or not value or len(value) > field.high:
            raise _build_field_error(f"a list of ids, {field.high} at most", replace_if_none_for_message(value))
        return _convert_each(value, lambda each: TextType.convert_file_value(self, field, each, ids))


class ChoiceType(FieldType):
    """One of the field's choices."""

    control = "select"

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> str:
        """Check that it is one of the choices."""
        if not isinstance(value, str) or value not in field.choices:
            raise _build_field_error(f"one of {', '.join(field.choices)}", value)
        return value

    def list_own_choices(self, field: Field, characters: Choices) -> Choices:
        """List the field's choices."""
        return tuple((each, each) for each in field.choices)


class IdType(FieldType):
    """The id of a character."""

    named_shape = "one character"
    is_single = True
    has_outcomes = True

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> str:
        """Check that a character has the id."""
        if not isinstance(value, str) or value not in ids:
            raise _build_field_error(f"the id of a character ({', '.join(map(format_key, ids[:20]))})", value)
        return value

    def list_own_choices(self, field: Field, characters: Choices) -> Choices:
        """List the characters."""
        return characters


class IdListType(FieldType):
    """A list of ids."""

    def parse_or_return_text(self, field: Field, typed_text: str) -> list[str] | str:
        """Parse one id, or a list of several."""
        words = re.findall(r"[^,\s]+", typed_text)
        return words if len(words) > 1 else "".join(words)

    def format(self, value: Any) -> str:
        """Format the ids as a list."""
        return ", ".join(value)


class IdsType(IdListType):
    """One id, or a list of different ids."""

    named_shape = "characters, each once"

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> tuple[str, ...]:
        """Check that all are different ids of characters."""
        names = value if isinstance(value, list) else [value]
        if not names or len(names) > len(ids):
            raise _build_field_error("an id, or a list of ids, each once", value)
        found = tuple(ID.convert_file_value(field, each, ids) for each in names)
        if len(set(found)) < len(found):
            raise _build_field_error("each id once", value)
        return found


class TargetsType(IdListType):
    """One id under the field's key, or a list under `targets`, with possible repetitions."""

    list_key = "targets"

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> tuple[str, ...]:
        """Check that characters have the ids.

        A list of one id is repeated as often as the field's `low`.
        """
        if not isinstance(value, list):
            return (ID.convert_file_value(field, value, ids),)
        found = _convert_each(value, lambda each: ID.convert_file_value(field, each, ids))
        return found * field.low if field.low and len(found) == 1 else found

    def list_choices(self, field: Field, characters: Choices) -> Choices:
        """List no target and the characters."""
        return (("", "none"), *characters)

    def list_own_choices(self, field: Field, characters: Choices) -> Choices:
        """List the characters."""
        return characters


class SpeedType(FieldType):
    """A speed: ¼, ½, or 1 and more in quarters. Rules: `mano.speed.quarter`, `mano.speed.half`."""

    is_numeric = True

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> Fraction:
        """Convert a number, or a text such as `1 1/4`, to a speed."""
        expected = f"a speed of 1/4, 1/2, or 1 to {field.high} in quarters"
        try:
            if isinstance(value, str) and len(value) <= 10 and "e" not in value.lower():
                plain = "".join(_SIGNS.get(sign, sign) for sign in value)
                speed = sum((Fraction(part) for part in plain.split()), Fraction(0))
            elif type(value) in (int, float):
                assert isinstance(value, int | float)
                speed = Fraction(value)
            else:
                raise _build_field_error(expected, value)
        except (ValueError, OverflowError, ZeroDivisionError):
            raise _build_field_error(expected, value) from None
        if speed not in _SLOW_SPEEDS and not (1 <= speed <= field.high and (speed * 4).denominator == 1):
            raise _build_field_error(expected, value)
        return speed

    def find_neighbour(self, field: Field, value: Any, step: int) -> str:
        """Find the next slow speed or whole number, because faster ones in quarters are rare."""
        speeds = (*_SLOW_SPEEDS, *map(Fraction, range(1, field.high + 1)))
        found = [each for each in speeds if (each > value if step > 0 else each < value)]
        return str(min(found) if step > 0 else max(found)) if found else ""


class PoolsType(FieldType):
    """A table of points by pool. Rule: `mano-old.pools`."""

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Convert a table to pairs in the order of the pools.

        Empty pools are omitted unless all are empty.
        """
        if not isinstance(value, Mapping):
            raise _build_field_error(f"a table of points by pool: {', '.join(field.choices)}", value)
        for key in value:
            if key not in field.choices:
                raise _build_field_error(f"one of {', '.join(field.choices)}", key)
        found = [(pool, NUMBER.convert_file_value(field, value[pool], ids)) for pool in field.choices if pool in value]
        return tuple(each for each in found if each[1]) or tuple(found)

    def parse_or_return_text(self, field: Field, typed_text: str) -> dict[str, Any]:
        """Parse pairs of a pool and a number."""
        return _parse_pairs(typed_text, parse_number_or_text, "defence 1, other 2")

    def format(self, value: Any) -> str:
        """Format the pools as pairs."""
        return _format_pairs(value)

    def list_component_fields(self, field: Field) -> tuple[Field, ...]:
        """List a number for each pool."""
        return tuple(
            Field(pool, "number", 0, "points that lie there", field.low, field.high, rule=field.rule)
            for pool in field.choices
        )


class SuccessesType(FieldType):
    """A table of truth values by id: who stalks with success. Rule: `mano.surprise.two-rolls`."""

    named_shape = "characters and how they do, such as “Ann succeeds, Bo fails”"
    has_outcomes = True

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> tuple[tuple[str, bool], ...]:
        """Convert a table to pairs in the order of the file's characters."""
        if not isinstance(value, Mapping) or not value or len(value) > len(ids):
            raise _build_field_error("a table of true or false by id", value)
        for key in value:
            ID.convert_file_value(field, key, ids)
        return tuple((who, FLAG.convert_file_value(field, value[who], ids)) for who in ids if who in value)

    def parse_or_return_text(self, field: Field, typed_text: str) -> dict[str, bool]:
        """Parse pairs of an id and a truth value."""
        return _parse_pairs(typed_text, lambda each: FLAG.parse_or_return_text(field, each), "ada true, bo false")

    def format(self, value: Any) -> str:
        """Format the successes as pairs."""
        return _format_pairs(value)

    def suggest_typed_text(self, field: Field, ids: Sequence[str], other_id: str) -> str:
        """Suggest a success of the first character."""
        return f"{ids[0]} true"

    def build_file_value_from_outcomes(self, success_by_id: Mapping[str, bool]) -> Any:
        """Build the table of all characters named."""
        return dict(success_by_id) or None


class AbilityType(FieldType):
    """An ability."""

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> str:
        """Convert an ability to its canonical name."""
        found = find_ability_name(value) if isinstance(value, str) and len(value) <= MAX_NAME_LENGTH else None
        if found is None:
            raise _build_field_error(f"one of the abilities {', '.join((*ABILITY_NAMES, *INERT))}", value)
        return found

    def list_own_choices(self, field: Field, characters: Choices) -> Choices:
        """List the abilities."""
        return tuple((each, each) for each in ABILITY_NAMES)


class AbilitiesType(FieldType):
    """One ability, several, or "none"."""

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> tuple[str, ...]:
        """Convert the abilities to their canonical names."""
        if value == "none":
            return ()
        names = value if isinstance(value, list) else [value]
        if not names or len(names) > len(ABILITY_NAMES):
            raise _build_field_error('an ability, several, or "none"', value)
        return _convert_each(names, lambda name: ABILITY.convert_file_value(field, name, ids), has_indexes=False)

    def parse_or_return_text(self, field: Field, typed_text: str) -> list[str] | str:
        """Parse one ability, or a list of several joined by commas or plus signs."""
        return (
            [word for word in re.split(r"[,+\s]+", typed_text) if word] if re.search("[,+]", typed_text) else typed_text
        )

    def format(self, value: Any) -> str:
        """Format the abilities as a list."""
        return ", ".join(value) or "none"

    def list_own_choices(self, field: Field, characters: Choices) -> Choices:
        """List the default, no ability, and each alone."""
        return (("", "the best allowed"), ("none", "no ability"), *((each, each) for each in ABILITY_NAMES))


class SpaceType(FieldType):
    """A space of the map. Rule: `grid.space`."""

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> Space:
        """Convert a list to a space."""
        space = parse_space_pair(value)
        if space is None:
            raise _build_field_error("a space, [column, row]", replace_if_none_for_message(value))
        return space

    def parse_or_return_text(self, field: Field, typed_text: str) -> list[int]:
        """Parse a space such as `3,4`."""
        space = parse_space_text(typed_text)
        if space is None:
            raise _build_field_error(f"a space such as 3,4 for {field.label or field.key}", typed_text)
        return list(space)

    def format(self, value: Any) -> str:
        """Format the space as column and row."""
        return format_space(value)

    def suggest_typed_text(self, field: Field, ids: Sequence[str], other_id: str) -> str:
        """Suggest the corner of the map."""
        return "0,0"


class PathType(SpaceType):
    """The spaces that a move enters, in order. Rule: `grid.move.step`."""

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> Any:
        """Convert a list of lists to spaces."""
        if not isinstance(value, list) or len(value) > field.high:
            raise _build_field_error(
                f"a list of spaces entered, {field.high} at most", replace_if_none_for_message(value)
            )
        return _convert_each(value, lambda each: SpaceType.convert_file_value(self, field, each, ids))

    def parse_or_return_text(self, field: Field, typed_text: str) -> Any:
        """Parse spaces such as `3,4 5,4`."""
        spaces = list(map(parse_space_text, normalize_input(typed_text).split()))
        if None in spaces:
            raise _build_field_error(f"{field.key} as spaces like 3,4 5,4", typed_text)
        return [list(each) for each in spaces if each]

    def format(self, value: Any) -> str:
        """Format the spaces in order."""
        return " ".join(map(format_space, value))


class CharacterType(FieldType):
    """A table of a character, as in `characters`."""

    is_editable = False

    def convert_file_value(self, field: Field, value: object, ids: Sequence[str]) -> Mapping[str, Any]:
        """Check that it is a table."""
        if not isinstance(value, Mapping):
            raise _build_field_error("a table of a character", value)
        return value


NUMBER, FLAG, ID, ABILITY = NumberType("size"), FlagType(), IdType(), AbilityType()
FIELD_TYPES: Mapping[str, FieldType] = {
    "number": NUMBER,
    "spaces": NumberType("number"),
    "moment": MomentType(),
    "flag": FLAG,
    "text": TextType(),
    "names": NamesType(),
    "choice": ChoiceType(),
    "id": ID,
    "ids": IdsType(),
    "targets": TargetsType(),
    "speed": SpeedType(),
    "pools": PoolsType(),
    "successes": SuccessesType(),
    "ability": ABILITY,
    "abilities": AbilitiesType(),
    "space": SpaceType(),
    "path": PathType(),
    "character": CharacterType(),
}
"""The types of fields by the names that `Field.kind` has."""
