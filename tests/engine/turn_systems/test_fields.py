"""The types of fields: a value survives from the engine to a text, to a file and back."""

from fractions import Fraction
from typing import Any

import pytest

from scratch_core.scenario import TURN_SYSTEMS
from scratch_core.turn_systems import Field, InvalidFieldValue
from scratch_core.turn_systems.fields import FIELD_TYPES

IDS = ("ada", "bo", "cy")
NAMES = tuple((own_id, own_id.title()) for own_id in IDS)


def build_field(kind: str, **more: Any) -> Field:
    """A field of a type, with wide bounds."""
    return Field("key", kind, None, "its meaning", **{"high": 20, "choices": ("defence", "other"), **more})


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("number", 7, "7"),
        ("number", 0, "0"),
        ("spaces", 3, "3"),
        ("moment", 2, "2"),
        ("flag", True, "true"),
        ("flag", False, "false"),
        ("text", "the red side", "the red side"),
        ("choice", "other", "other"),
        ("id", "bo", "bo"),
        ("ids", ("ada", "cy"), "ada, cy"),
        ("targets", ("bo",), "bo"),
        ("targets", ("bo", "ada", "bo"), "bo, ada, bo"),
        ("speed", Fraction(1, 2), "1/2"),
        ("speed", Fraction(5, 4), "5/4"),
        ("pools", (("defence", 2), ("other", 1)), "defence 2, other 1"),
        ("successes", (("ada", True), ("bo", False)), "ada true, bo false"),
        ("ability", "stealth", "stealth"),
        ("abilities", (), "none"),
        ("abilities", ("stealth",), "stealth"),
        ("abilities", ("stealth", "knockout"), "stealth, knockout"),
        ("space", (3, 4), "3,4"),
        ("space", (-1, 0), "-1,0"),
        ("path", ((3, 4), (5, 4)), "3,4 5,4"),
    ],
)
def test_value_survives_its_text_and_its_file(kind: str, value: object, text: str) -> None:
    """`parse` and `convert_file_value` undo `format`."""
    field = build_field(kind)
    assert field.type.format(value) == text
    assert field.type.convert_file_value(field, field.type.parse_or_return_text(field, text), IDS) == value


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("number", "seven", "a whole number from 0 to 20"),
        ("number", "21", "a whole number from 0 to 20"),
        ("flag", "perhaps", "true or false"),
        ("choice", "stun", "one of defence, other"),
        ("id", "dora", "the id of a character (ada, bo, cy)"),
        ("targets", "ada dora", "the id of a character (ada, bo, cy)"),
        ("space", "3", "a space such as 3,4 for key"),
        ("space", "3,4 5,4", "a space such as 3,4 for key"),
        ("path", "3,4 5", "key as spaces like 3,4 5,4"),
        ("pools", "other one", "pairs separated by commas (defence 1, other 2)"),
        ("pools", "stun 1", "one of defence, other"),
        ("successes", "ada perhaps", "pairs separated by commas (ada true, bo false)"),
    ],
)
def test_invalid_text_is_refused_by_the_parser_or_the_validator(kind: str, text: str, expected: str) -> None:
    """What a player typed is refused with what the field allows."""
    field = build_field(kind)
    with pytest.raises(InvalidFieldValue) as refused:
        field.type.convert_file_value(field, field.type.parse_or_return_text(field, text), IDS)
    assert refused.value.found[0].expected == expected


@pytest.mark.parametrize("kind", FIELD_TYPES)
def test_every_choice_is_valid(kind: str) -> None:
    """A file may have each value that a list offers or an editor suggests."""
    field = build_field(kind)
    texts = [text for text, _ in field.type.list_choices(field, NAMES) if text]
    if field.type.is_editable and kind not in ("text", "speed", "pools"):  # these are never required of a step
        texts.append(field.type.suggest_typed_text(field, IDS, "bo"))
    for text in texts:
        field.type.convert_file_value(field, field.type.parse_or_return_text(field, text), IDS)


def test_every_field_of_a_turn_system_has_a_type_and_a_valid_default() -> None:
    """A default is a value of the engine: a speed is no text."""
    for system in TURN_SYSTEMS.values():
        tables = (*system.step_fields.values(), *system.board_step_fields.values(), *system.gm_fields.values())
        for field in (*system.setup_fields, *system.character_fields, *(each for table in tables for each in table)):
            assert field.type is FIELD_TYPES[field.kind]
            if field.type.is_numeric and field.default:
                value = field.type.parse_or_return_text(field, field.type.format(field.default))
                assert field.type.convert_file_value(field, value, IDS) == field.default, field.key
