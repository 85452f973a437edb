"""One session of tests for many mutants: what is imported and collected once is forked for each of them."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from hypothesis import Phase, settings

from build_scripts.folders import ROOT
from build_scripts.judges.mutants.mutate import Mutant, compile_tree, replace_function

MEMORY = 2 * 1024**3
"""What a mutant may use, in bytes: more than that is an endless list."""

EXAMPLES = 25
"""How many random inputs a property gets that doesn't ask for a number of its own."""


@dataclass
class Baseline:
    """What the tests do without a mutant: the seconds each takes, and which of them run a line of the engine."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def tests(self, mutant: Mutant) -> list[str]:
        """The tests that run the statement of a mutant, the fastest first."""
        by_line = self.lines.get(mutant.path, {})
        found = {test for line in mutant.lines for test in by_line.get(line, ())}
        return sorted(found - set(self.failed), key=lambda test: self.seconds[test])


class Quiet:
    """Properties get the same few inputs every time, and are not shrunk: one failure is enough."""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """Load the profile, after the tests' own."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile(
            "mutants", deadline=None, derandomize=True, database=None, phases=phases, max_examples=EXAMPLES
        )
        settings.load_profile("mutants")


class Functions(Quiet):
    """Runs the mutants of functions: all tests are collected once, and each mutant gets a fork of that."""

    def __init__(self, mutants: Sequence[Mutant], done: Callable[[Mutant, str], None]) -> None:
        self.mutants, self.done = mutants, done
        self.baseline = Baseline()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure the tests, then try every mutant on those that reach it."""
        items = {item.nodeid: item for item in session.items}
        paths = {mutant.path for mutant in self.mutants}
        told = in_child(lambda: json.dumps(vars(_measured(list(items.values()), paths))), loud=True)
        kept = json.loads(told or "{}")
        lines = {
            path: {int(line): tests for line, tests in each.items()} for path, each in kept.pop("lines", {}).items()
        }
        self.baseline = Baseline(lines=lines, **kept)
        killers: dict[str, set[str]] = {}
        for mutant in self.mutants:
            tests = self.baseline.tests(mutant)
            known = [test for test in tests if test in killers.get(mutant.at, ())]
            ordered = [items[test] for test in dict.fromkeys((*known, *tests))]
            how = in_child(partial(_tried, mutant, ordered, self.baseline))
            if how in items:
                killers.setdefault(mutant.at, set()).add(how)
            self.done(mutant, how if tests else "")
        return True


class Once(Quiet):
    """Runs all tests, the fastest first, until one fails; for a mutant of what happens at import."""

    def __init__(self, baseline: Baseline) -> None:
        self.baseline = baseline
        self.killer = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests in order of their time."""
        if session.testsfailed:
            self.killer = "the collection of the tests"
            return True
        failed = set(self.baseline.failed)
        known = [item for item in session.items if item.nodeid not in failed]
        known.sort(key=lambda item: self.baseline.seconds.get(item.nodeid, 0))
        self.killer = _first_failure(known, self.baseline)
        return True


def run_functions(
    files: Iterable[str], mutants: Sequence[Mutant], done: Callable[[Mutant, str], None]
) -> tuple[Baseline, int]:
    """Try mutants of functions; `done` hears of each and of the test that killed it, "" for a survivor."""
    plugin = Functions(mutants, done)
    code = pytest.main([*_options(), *files], plugins=[plugin])
    return plugin.baseline, int(code)


def run_module(files: Iterable[str], mutant: Mutant, baseline: Baseline) -> str:
    """Try a mutant of a module's own statements in a fork that has imported nothing of the engine yet."""
    assert not any(name.startswith("scratch_core") for name in sys.modules)

    def try_it() -> str:
        mutant.make()
        sys.meta_path.insert(0, _Finder(mutant))
        plugin = Once(baseline)
        code = pytest.main([*_options(), *files], plugins=[plugin])
        return plugin.killer or ("" if code in (0, 5) else "the collection of the tests")

    return in_child(try_it, 60)


def in_child(work: Callable[[], str], seconds: float | None = None, loud: bool = False) -> str:
    """What `work` gives in a fork of this process; "the time limit" when it must be stopped, and so on."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.close(reading)
        _work_and_leave(work, writing, seconds, loud)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        slow = os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGXCPU, signal.SIGKILL)
        return "the time limit" if slow else f"signal {os.WTERMSIG(status)}"
    return told if os.WEXITSTATUS(status) == 0 else "an error outside the tests"


def _work_and_leave(work: Callable[[], str], writing: int, seconds: float | None, loud: bool) -> None:
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    if not loud:
        os.dup2(quiet, 2)
    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
        told = work().encode()
        while told:
            told = told[os.write(writing, told) :]
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _options() -> list[str]:
    off = ("cacheprovider", "xdist", "pytest_cov", "faulthandler")
    return ["--rootdir", str(ROOT), "-W", "ignore::pytest.PytestWarning", *(f"-pno:{name}" for name in off)]


def _tried(mutant: Mutant, items: list[pytest.Item], baseline: Baseline) -> str:
    name = mutant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    replace_function(import_module(name), mutant)
    return _first_failure(items, baseline)


def _first_failure(items: list[pytest.Item], baseline: Baseline) -> str:
    for place, item in enumerate(items):
        seconds = 2 + 5 * baseline.seconds.get(item.nodeid, 1)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        following = items[place + 1] if place + 1 < len(items) else None
        if _fails(item, following):
            return item.nodeid
    signal.setitimer(signal.ITIMER_PROF, 0)
    return ""


def _fails(item: pytest.Item, following: pytest.Item | None) -> bool:
    from _pytest.runner import runtestprotocol

    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def _measured(items: list[pytest.Item], paths: set[str]) -> Baseline:
    """Run every test once under a trace of the engine's lines."""
    baseline = Baseline()
    files = {str(ROOT / path): baseline.lines.setdefault(path, {}) for path in paths}
    met: set[tuple[str, int]] = set()

    def on_line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            met.add((frame.f_code.co_filename, frame.f_lineno))
        return on_line

    def on_call(frame: FrameType, event: str, _: Any) -> Any:
        return on_line if frame.f_code.co_filename in files else None

    for place, item in enumerate(items):
        met.clear()
        begun = time.process_time()
        sys.settrace(on_call)
        failed = _fails(item, items[place + 1] if place + 1 < len(items) else None)
        sys.settrace(None)
        baseline.seconds[item.nodeid] = time.process_time() - begun
        if failed:
            baseline.failed.append(item.nodeid)
        for file, line in met:
            files[file].setdefault(line, []).append(item.nodeid)
    return baseline


class _Finder(MetaPathFinder):
    """Gives a module of the engine with its mistake in it."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = mutant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The module of the mutant, and no other."""
        if fullname != self.name:
            return None
        file = str(ROOT / self.mutant.path)
        return spec_from_file_location(fullname, file, loader=_Loader(fullname, file, self.mutant))


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, mutant: Mutant) -> None:
        super().__init__(fullname, path)
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        import ast

        assert isinstance(self.mutant.tree, ast.Module)
        return compile_tree(self.mutant.tree, str(Path(self.path)))
