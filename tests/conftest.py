"""What all tests share: no clock for properties, the longest test first, and no tracing where it would tell nothing."""

from __future__ import annotations

import sys
from collections.abc import Generator

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=20)
settings.load_profile("quick" if sys.platform == "emscripten" else "untimed")

UNTRACED = ("tests/site/", "tests/oracle/", "tests/hostile/")
"""Folders whose tests are no measure of what the engine's own tests reach."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that run inside Pyodide, a process of their own, so that the others go on beside them."""
    items.sort(key=lambda item: "inside_pyodide" not in item.nodeid)
    for item in items:
        if item.nodeid.startswith(UNTRACED):
            item.add_marker(pytest.mark.no_cover)


def _untraced(item: pytest.Item) -> Generator[None, object, object]:
    """Run untraced what is marked so. (pytest-cov's own pause leaves a second tracer running in workers of xdist.)"""
    tracer = sys.gettrace()
    if tracer is None or not item.get_closest_marker("no_cover"):
        return (yield)
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Set an untraced test up untraced."""
    return (yield from _untraced(item))


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Run an untraced test untraced."""
    return (yield from _untraced(item))
