"""Records as JSON, derived from their fields. A record with a shorter form has a method `to_json`."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from scratch_core.turn_systems.fight_records import Event


def to_json_value(value: Any) -> Any:
    """Convert a record, tuple, number or text to its JSON form."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if is_dataclass(value):
        return {each.name: to_json_value(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        return [to_json_value(each) for each in value]
    return str(value) if isinstance(value, Fraction) else value


def event_kind_of(event: type[Event]) -> str:
    """Return the name of an event class in JSON: `TurnBegan` is `turn-began`."""
    return event.json_name or "".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in event.__name__)[1:]


def event_to_json(event: Event) -> dict[str, Any]:
    """Convert an event to JSON: its kind as `event`, then its fields."""
    return {"event": event_kind_of(type(event)), **to_json_value(event)}
