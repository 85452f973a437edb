"""Copies of frozen records: with other values, fast, as a fight copies one for every event; and of another kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache, partial
from typing import Any, TypeVar

Record = TypeVar("Record")


def replace_fields(record: Record, **changes: object) -> Record:
    """Copy a frozen dataclass with slots, with new values for the given fields.

    The result equals that of `dataclasses.replace`, in a fifteenth of the time (a `Fighter`: 1.9 µs instead of 30; two
    busy cores, CPython 3.11). Raises `AttributeError` for an unknown field.
    """
    kind = type(record)
    create, copy = _build_writable_twin_and_copier(kind)  # type: ignore[arg-type]  # a class is hashable, whatever its records are
    duplicate = create()
    copy(duplicate, record)
    for name, value in changes.items():
        setattr(duplicate, name, value)
    duplicate.__class__ = kind
    return duplicate  # type: ignore[no-any-return]  # the copy has the class of the record


def convert_record(record: object, kind: type[Record], **changes: object) -> Record:
    """Build a record of another kind from the fields that both have.

    `changes` are values of further fields, or other values. Raises `TypeError` if a required field gets no value.
    """
    names = _list_shared_fields(type(record), kind)  # type: ignore[arg-type]  # a class is hashable
    shared = {name: getattr(record, name) for name in names}
    return kind(**{**shared, **changes})


@cache
def _list_shared_fields(source: type, target: type) -> tuple[str, ...]:
    names = {each.name for each in fields(source)}
    return tuple(each.name for each in fields(target) if each.name in names)


@cache
def _build_writable_twin_and_copier(record_type: type) -> tuple[Callable[[], Any], Callable[[Any, Any], None]]:
    """Build a function that creates a writable twin, and one that copies all slots.

    A frozen record can only be filled field by field through `object.__setattr__`, at 0.3 µs each. The object has the
    same bases, slots and memory layout, so a copy becomes a record when its `__class__` is assigned. The copy function
    is generated source, like the methods of `dataclasses`: a loop over the names takes four times as long.
    """
    default = {name: getattr(object, name) for name in ("__setattr__", "__delattr__")}  # not those of a frozen base
    twin = type(
        record_type.__name__, record_type.__bases__, {"__slots__": record_type.__dict__["__slots__"], **default}
    )
    lines = [f"    duplicate.{each.name} = record.{each.name}" for each in fields(record_type)]
    namespace: dict[str, Any] = {}
    exec("\n".join(["def copy(duplicate, record):", *lines]), namespace)
    return partial(object.__new__, twin), namespace["copy"]
