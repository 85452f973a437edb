"""What all tests share: properties are never held against a clock, and the longest test is begun first."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=20)
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that run inside Pyodide, a process of their own, so that the others go on beside them."""
    items.sort(key=lambda item: "inside_pyodide" not in item.nodeid)
