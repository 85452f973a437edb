"""Run what the change since a commit can affect: `make quick`.

Each module of the engine imports only from those above it on the ladder (tests/engine/test_import_order.py). A change
affects the tests that import its rung or one below it, themselves or through modules of ours. A change of the engine
affects the tests of rules, the site and the public names, too, and one seed of each oracle. A change of pages, scripts,
styles or the build affects the tests of the scripts and of the site, and those of the engine that read such files. A
browser test is affected where a changed file has words that the test reads more often or less often than before.

What starts Pyodide, hostile inputs, and what goes over thousands of situations (`no_cover`) is left to `make test`.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from build_scripts.paths import ROOT
from tests.engine.test_import_order import LADDER

TESTS = ROOT / "tests"
OPTIONS = ("-q", "-n", "2", "--no-cov", "--hypothesis-profile", "quick", "--quick")

ENGINE = ("scratch_core/", "site_overrides/calculators/", "build_scripts/render.py")
PAGES = (
    *("docs/", "site_overrides/", "build_scripts/", "mkdocs.yml"),
    *(".github/", "Makefile", "README.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "package"),
    *("biome.json", "tsconfig.json", "LICENSE", "SECURITY.md"),
)
SNAPSHOTS = TESTS / "browser" / "test_snapshots.py"
"""The test of what readers see, which needs a browser but no built site."""
SNAPSHOT_SOURCES = (
    *ENGINE,
    "build_scripts/",
    *(f"tests/{name}" for name in ("support/", "snapshots/", "browser/test_snapshots.py")),
)
"""Where a change may be seen in a snapshot."""
GLOBAL_FILES = ("pyproject.toml", "requirements", "tests/conftest.py", "tests/support/sample_counts.py")
"""What every test depends on."""
PAGE_REFERENCE = re.compile(
    r"\bDOCS\b|\bOVERRIDES\b|[\"'/](?:docs|site_overrides|CONTRIBUTING|README|CHANGELOG|Makefile)\b"
)
"""How a test of the engine names what belongs to the pages."""
PYODIDE_TESTS = ("test_bench.py", "test_bundle.py", "test_inside_pyodide.py")
READER_WORDS = re.compile(r"[A-Z][\w’']*[a-z](?: [\w’':,.-]+)*|[a-z]+(?: [\w’':,.-]+)+")
"""Words for readers in a string of a browser test: a capitalized word, or several."""


@dataclass(frozen=True)
class Change:
    """A file that differs from the base."""

    name: str
    """The path from the project's root."""
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Plan:
    """What a change can affect."""

    tests: tuple[Path, ...]
    """Files of tests that need no built site, in order."""
    browser_tests: Mapping[str, tuple[str, ...]]
    """Browser tests by pytest's id, with the changed words that each reads."""


def list_changes(base: str) -> list[Change]:
    """Return the files that differ from a commit, new ones included."""
    names = {
        *_run_git("diff", "--name-only", "--no-renames", base).splitlines(),
        *_run_git("ls-files", "--others", "--exclude-standard").splitlines(),
    }
    return [Change(name, _run_git("show", f"{base}:{name}"), _text_of(ROOT / name)) for name in sorted(names)]


def _run_git(*arguments: str) -> str:
    """Return what git prints; "" where it fails, as for a file that the commit lacks."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=False, capture_output=True)
    return "" if done.returncode else done.stdout.decode("utf-8", "replace")


def _text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""


# Choosing


def build_plan(changes: Iterable[Change]) -> Plan:
    """Return what these changes can affect."""
    changes = list(changes)
    names = [change.name for change in changes]
    found = {*_list_changed_tests(names), *_list_engine_tests(names), *_list_page_tests(names)}
    tests = {path for path in found if path.name not in PYODIDE_TESTS and "browser" not in path.parts}
    if any(name.startswith(SNAPSHOT_SOURCES) for name in names):
        tests.add(SNAPSHOTS)
    in_browser = {_id_of(path): ("the test itself",) for path in found - tests if path.parent == TESTS / "browser"}
    return Plan(tuple(sorted(tests)), {**find_browser_tests(changes), **in_browser} if changes else {})


def _list_test_files(*rooms: str) -> list[Path]:
    return [path for room in rooms for path in sorted((TESTS / room).rglob("test_*.py"))]


def _list_changed_tests(names: list[str]) -> Iterator[Path]:
    """Yield the test files that were changed, and those that import a changed module or name a changed file."""
    inside = [name for name in names if name.startswith("tests/")]
    files = _list_test_files(".") if inside else []
    for name in inside:
        module, stem = _module_of(name), Path(name)
        for path in files:
            is_own = path == ROOT / name
            is_named = any(
                word in path.read_text(encoding="utf-8") for word in (f'"{stem.name}"', f'"{stem.parent.name}"')
            )
            if is_own or (module in _list_modules_used(path) if name.endswith(".py") else is_named):
                yield path
        if name.endswith((".mjs", ".ts")) and name.startswith("tests/scripts/"):
            yield TESTS / "scripts" / "test_scripts.py"


def _list_engine_tests(names: list[str]) -> list[Path]:
    if any(name.startswith(GLOBAL_FILES) for name in names):
        return _list_test_files("engine", "calculators", "rules", "build", "contract", "oracle", "scripts")
    changed = [name for name in names if name.startswith(ENGINE)]
    if not changed:
        return []
    rungs = [rung for rung in map(find_rung, changed) if rung is not None]
    highest = min(rungs) if len(rungs) == len(changed) else 0
    affected = [
        path for path in _list_test_files("engine", "calculators", "oracle") if find_lowest_rung(path) >= highest
    ]
    return [*affected, *_list_test_files("rules", "build", "contract")]


def _list_page_tests(names: list[str]) -> list[Path]:
    if not any(name.startswith(PAGES) for name in names):
        return []
    modules = {_module_of(name) for name in names if name.startswith("build_scripts/")}
    readers = [
        path
        for path in _list_test_files("engine", "calculators", "rules", "oracle")
        if _has_page_reference(path) or modules & _list_modules_used(path)
    ]
    return [*readers, *_list_test_files("build", "scripts", "contract")]


@cache
def _has_page_reference(path: Path) -> bool:
    return bool(PAGE_REFERENCE.search(path.read_text(encoding="utf-8")))


def _module_of(name: str) -> str:
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


# The ladder


def find_rung(name: str) -> int | None:
    """Return the place on the ladder of a file or a module of ours; None for what is not on it."""
    parts = name.removesuffix(".py").replace("/", ".").split(".")
    if parts[:2] == ["site_overrides", "calculators"] or parts[:2] == ["build_scripts", "render"]:
        return LADDER.index("calculators")
    is_ours = parts[0] == "scratch_core" and len(parts) > 1
    return LADDER.index(parts[1]) if is_ours and parts[1] in LADDER else None


@cache
def find_lowest_rung(path: Path) -> int:
    """Return the lowest rung that a test's file imports from; below them all where it imports none."""
    rungs = [rung for rung in map(find_rung, _list_modules_used(path)) if rung is not None]
    return max(rungs, default=len(LADDER))


@cache
def _list_modules_used(path: Path) -> frozenset[str]:
    """Return the modules that a file imports, also through modules of the tests, the build and `dev`."""
    found: set[str] = set()
    waiting, seen = [path], {path}
    while waiting:
        own = _list_imports(waiting.pop())
        found |= own
        files = {ROOT / f"{name.replace('.', '/')}{end}" for name in own for end in (".py", "/__init__.py")}
        ours = (TESTS, ROOT / "build_scripts")
        new = {file for file in files if any(map(file.is_relative_to, ours)) and file.is_file()} - seen
        waiting += new
        seen |= new
    return frozenset(found)


@cache
def _list_imports(path: Path) -> frozenset[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    whole = {str(node.module) for node in froms}
    return frozenset(plain | whole | {f"{node.module}.{alias.name}" for node in froms for alias in node.names})


# Browser tests by the words that they read


def find_browser_tests(changes: Iterable[Change]) -> dict[str, tuple[str, ...]]:
    """Return the browser tests that read words of which a changed file has more or fewer than before."""
    shown = [change for change in changes if change.name.startswith((*ENGINE, "docs/", "site_overrides/"))]
    found: dict[str, set[str]] = {}
    for path in sorted((TESTS / "browser").rglob("*.py")) if shown else ():
        for test, words in _list_words_read(path):
            if any(_count_words(words, change.before) != _count_words(words, change.after) for change in shown):
                for each in [test] if test else _list_tests_using(path):
                    found.setdefault(each, set()).add(words)
    files = {test for test in found if "::" not in test}
    return {
        test: tuple(sorted(words))
        for test, words in sorted(found.items())
        if test in files or test.split("::")[0] not in files
    }


def _count_words(words: str, text: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(words)}(?!\w)", text))


@cache
def _list_words_read(path: Path) -> frozenset[tuple[str, str]]:
    """Return pairs of a test's id, "" outside of tests, and words in its strings; docstrings are left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tests = {
        inner: f"{_id_of(path)}::{node.name}"
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for inner in ast.walk(node)
    }
    said = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return frozenset(
        (tests.get(node, ""), words)
        for node in strings
        if node not in said
        for words in READER_WORDS.findall(str(node.value))
    )


def _list_tests_using(path: Path) -> list[str]:
    """Return the browser tests' files that are this one, or import it."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    files = sorted((TESTS / "browser").glob("test_*.py"))
    return [_id_of(each) for each in files if each == path or module in _list_modules_used(each)]


def _id_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# Running


def main() -> None:
    """`python -m build_scripts.dev.affected_tests [--base HEAD] [--list]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--base", default="HEAD", help="the commit that the changes are counted from")
    parser.add_argument("--list", action="store_true", help="list what would run, and run nothing")
    arguments = parser.parse_args()
    changes = list_changes(arguments.base)
    if not changes:
        print(f"Nothing differs from {arguments.base}: nothing to run.")
        return
    plan = build_plan(changes)
    print(f"{len(changes)} files differ from {arguments.base}: {len(plan.tests)} files of tests may notice.")
    for test, words in plan.browser_tests.items():
        print(f"In a browser: {test} ({', '.join(words)})")
    if arguments.list:
        print("\n".join(map(_id_of, plan.tests)))
        return
    sys.stdout.flush()
    for command in list_commands(plan):
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        if code:
            raise SystemExit(code)


def list_commands(plan: Plan) -> list[list[str]]:
    """Return the commands that run a plan: checks first, what needs a build last."""
    pytest = [sys.executable, "-m", "pytest"]
    commands = [["make", "--no-print-directory", "check"]]
    if plan.tests:
        commands.append([*pytest, *OPTIONS, *map(_id_of, plan.tests)])
    if plan.browser_tests:
        commands.append([sys.executable, "-m", "build_scripts.build"])
        commands.append([sys.executable, "-m", "build_scripts.browsers"])
        commands.append([*pytest, "-q", *plan.browser_tests])
    return commands


if __name__ == "__main__":
    main()
