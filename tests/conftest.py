"""Shared by all tests: no deadline for properties, the longest test first, and no tracing where it measures nothing."""

import os
import sys
from collections import Counter
from collections.abc import Generator

import pytest
from hypothesis import settings

from tests.support.failure_report import shorten_report
from tests.support.sample_counts import IS_IN_BROWSER

IS_SAMPLE_FIXED = not os.environ.get("FULL")
"""Whether properties try the same examples in every run. `FULL=1` draws new ones."""
settings.register_profile("untimed", deadline=None, derandomize=IS_SAMPLE_FIXED)
settings.register_profile("quick", deadline=None, derandomize=IS_SAMPLE_FIXED, max_examples=20)
settings.register_profile("fuzz", deadline=None, max_examples=int(os.environ.get("INPUTS", "10000")))
settings.load_profile("quick" if IS_IN_BROWSER else "untimed")

UNTRACED = ("tests/build/", "tests/oracle/", "tests/fuzz/")
"""Folders whose tests do not measure what the engine's own tests cover."""
TASTED = "tests/rules/"
"""Folder of the cited cases, which all run inside Pyodide too."""
TASTED_CASES = 1
"""How many cases of each other table run inside Pyodide."""
IS_UNTRACED = pytest.StashKey[bool]()
TRACED_CASES = 2
"""How many cases of a table are traced. Tracing makes the engine four times as slow."""

SEEDED = ("batch", "seed")
"""The parameters of a test with many random situations."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of `make quick`."""
    parser.addoption("--quick", action="store_true", help="run one seed of each oracle, and no other long test")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Move the tests inside Pyodide to the start.

    They run in a process of their own, so the others run in parallel.
    """
    if IS_IN_BROWSER:
        _take_a_taste(config, items)
    if config.getoption("--quick"):
        _leave_out_long_tests(config, items)
    items.sort(key=lambda item: "inside_pyodide" not in item.nodeid)
    cases: Counter[str] = Counter()
    for item in items:
        function = item.nodeid.partition("[")[0]
        cases[function] += 1
        if item.nodeid.startswith(UNTRACED) or (
            function.startswith(("tests/engine/", "tests/calculators/")) and cases[function] > TRACED_CASES
        ):
            item.stash[IS_UNTRACED] = True


def _leave_out_long_tests(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests marked `no_cover`, but keep one seed of each oracle situation."""
    seen = set()
    left_out = []
    for item in [*items]:
        if not item.get_closest_marker("no_cover"):
            continue
        params: dict[str, object] = (
            item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        )
        kind = (item.nodeid.partition("[")[0], *(str(each) for name, each in params.items() if name not in SEEDED))
        is_seeded = item.nodeid.startswith("tests/oracle/") and any(name in params for name in SEEDED)
        if is_seeded and kind not in seen:
            seen.add(kind)
        else:
            left_out.append(item)
            items.remove(item)
    config.hook.pytest_deselected(items=left_out)


def _take_a_taste(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect all but the first case of each table, outside the cited cases.

    The others run under CPython.
    """
    cases: Counter[str] = Counter()
    left_out = []
    for item in [*items]:
        function = item.nodeid.partition("[")[0]
        cases[function] += 1
        if cases[function] > TASTED_CASES and not function.startswith(TASTED):
            left_out.append(item)
            items.remove(item)
    config.hook.pytest_deselected(items=left_out)


def _untraced(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test without tracing if it is marked so or needs none.

    The pause of pytest-cov itself leaves a tracer running in workers.
    """
    tracer = sys.gettrace()
    if tracer is None or not (item.stash.get(IS_UNTRACED, False) or item.get_closest_marker("no_cover")):
        return (yield)
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Set up an untraced test without tracing."""
    return (yield from _untraced(item))


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Run an untraced test without tracing."""
    return (yield from _untraced(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Shorten the report of a failed test, unless pytest runs with `-vv`."""
    report = yield
    if report.failed and item.config.get_verbosity() < 2:
        report.longrepr = shorten_report(report.longrepr)
    return report
