"""What a test needs and a view may lack."""

from typing import TypeVar

Value = TypeVar("Value")


def require(thing: Value | None) -> Value:
    """Give what is there; where nothing is, the test ends here."""
    assert thing is not None
    return thing
