"""Values that a test needs and a view may lack."""

from typing import TypeVar

Value = TypeVar("Value")


def require(thing: Value | None) -> Value:
    """Return a value, or fail if it is None."""
    assert thing is not None
    return thing
