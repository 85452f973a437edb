"""Run the tests that the changes since a commit can affect: `make quick`.

Each module of the engine imports only from those above it on the ladder (tests/engine/test_import_order.py). A change
of the engine affects the tests that import its rung or a lower one, directly or through our modules. It also affects
the tests of rules, the site and the public names, and one seed of each oracle. A change of pages, scripts, styles or
the build affects the tests of the scripts and of the site, and the tests of the engine that read such files. A browser
test is affected if a text that it reads occurs more often or less often in a changed file.

`make test` runs the rest: tests that start Pyodide, hostile inputs, and tests of thousands of situations (`no_cover`).
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
"""The test of the snapshots, which needs a browser but no built site."""
SNAPSHOT_SOURCES = (
    *ENGINE,
    "build_scripts/",
    *(f"tests/{name}" for name in ("support/", "snapshots/", "browser/test_snapshots.py")),
)
"""The files whose changes may be visible in a snapshot."""
GLOBAL_FILES = ("pyproject.toml", "requirements", "tests/conftest.py", "tests/support/sample_counts.py")
"""The files that every test depends on."""
PAGE_REFERENCE = re.compile(
    r"\bDOCS\b|\bOVERRIDES\b|[\"'/](?:docs|site_overrides|CONTRIBUTING|README|CHANGELOG|Makefile)\b"
)
"""The names by which a test of the engine refers to files of the pages."""
PYODIDE_TESTS = ("test_bench.py", "test_bundle.py", "test_inside_pyodide.py")
READER_WORDS = re.compile(r"[A-Z][\w’']*[a-z](?: [\w’':,.-]+)*|[a-z]+(?: [\w’':,.-]+)+")
"""A text for users in a string of a browser test: a capitalized word, or several words."""


@dataclass(frozen=True)
class Change:
    """A file that differs from the base commit."""

    name: str
    """The path from the project's root."""
    before: str = ""
    """Its text in the base commit; "" if it is new."""
    after: str = ""
    """Its text now; "" if it is deleted."""


@dataclass(frozen=True)
class Plan:
    """The tests that a change can affect."""

    tests: tuple[Path, ...]
    """Test files that need no built site, in order."""
    browser_tests: Mapping[str, tuple[str, ...]]
    """Browser tests by pytest's id, each with the changed texts that it reads."""


def list_changes(base: str) -> list[Change]:
    """Return the files that differ from a commit, including new ones."""
    names = {
        *_run_git("diff", "--name-only", "--no-renames", base).splitlines(),
        *_run_git("ls-files", "--others", "--exclude-standard").splitlines(),
    }
    return [Change(name, _run_git("show", f"{base}:{name}"), _text_of(ROOT / name)) for name in sorted(names)]


def _run_git(*arguments: str) -> str:
    """Return the output of git.

    Returns "" if git fails, for example because the commit lacks a file.
    """
    process = subprocess.run(["git", *arguments], cwd=ROOT, check=False, capture_output=True)
    return "" if process.returncode else process.stdout.decode("utf-8", "replace")


def _text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""


# Choosing


def build_test_plan(changes: Iterable[Change]) -> Plan:
    """Return the tests that these changes can affect."""
    changes = list(changes)
    names = [change.name for change in changes]
    affected = {
        *_list_changed_and_dependent_tests(names),
        *_list_tests_affected_by_engine(names),
        *_list_tests_affected_by_pages(names),
    }
    tests = {path for path in affected if path.name not in PYODIDE_TESTS and "browser" not in path.parts}
    if any(name.startswith(SNAPSHOT_SOURCES) for name in names):
        tests.add(SNAPSHOTS)
    in_browser = {_id_of(path): ("the test itself",) for path in affected - tests if path.parent == TESTS / "browser"}
    return Plan(tuple(sorted(tests)), {**map_browser_tests_to_changed_texts(changes), **in_browser} if changes else {})


def _list_test_files(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((TESTS / folder).rglob("test_*.py"))]


def _list_changed_and_dependent_tests(changed_names: list[str]) -> Iterator[Path]:
    """Yield changed test files, and those that import or mention a changed file."""
    inside = [name for name in changed_names if name.startswith("tests/")]
    files = _list_test_files(".") if inside else []
    for name in inside:
        module, stem = _module_of(name), Path(name)
        for path in files:
            is_own = path == ROOT / name
            is_named = any(
                word in path.read_text(encoding="utf-8") for word in (f'"{stem.name}"', f'"{stem.parent.name}"')
            )
            if is_own or (module in _list_imported_modules_transitively(path) if name.endswith(".py") else is_named):
                yield path
        if name.endswith((".mjs", ".ts")) and name.startswith("tests/scripts/"):
            yield TESTS / "scripts" / "test_scripts.py"


def _list_tests_affected_by_engine(changed_names: list[str]) -> list[Path]:
    if any(name.startswith(GLOBAL_FILES) for name in changed_names):
        return _list_test_files("engine", "calculators", "rules", "build", "contract", "oracle", "scripts")
    changed = [name for name in changed_names if name.startswith(ENGINE)]
    if not changed:
        return []
    rungs = [rung for rung in map(find_ladder_index, changed) if rung is not None]
    highest = min(rungs) if len(rungs) == len(changed) else 0
    affected = [
        path for path in _list_test_files("engine", "calculators", "oracle") if get_lowest_ladder_index(path) >= highest
    ]
    return [*affected, *_list_test_files("rules", "build", "contract")]


def _list_tests_affected_by_pages(changed_names: list[str]) -> list[Path]:
    if not any(name.startswith(PAGES) for name in changed_names):
        return []
    modules = {_module_of(name) for name in changed_names if name.startswith("build_scripts/")}
    readers = [
        path
        for path in _list_test_files("engine", "calculators", "rules", "oracle")
        if _has_page_reference(path) or modules & _list_imported_modules_transitively(path)
    ]
    return [*readers, *_list_test_files("build", "scripts", "contract")]


@cache
def _has_page_reference(path: Path) -> bool:
    return bool(PAGE_REFERENCE.search(path.read_text(encoding="utf-8")))


def _module_of(name: str) -> str:
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


# The ladder


def find_ladder_index(file_or_module: str) -> int | None:
    """Return the index of our file or module on the ladder.

    Returns None if it is not on the ladder.
    """
    parts = file_or_module.removesuffix(".py").replace("/", ".").split(".")
    if parts[:2] == ["site_overrides", "calculators"] or parts[:2] == ["build_scripts", "render"]:
        return LADDER.index("calculators")
    is_ours = parts[0] == "scratch_core" and len(parts) > 1
    return LADDER.index(parts[1]) if is_ours and parts[1] in LADDER else None


@cache
def get_lowest_ladder_index(path: Path) -> int:
    """Return the lowest rung that a test file imports from.

    Returns the index after the last rung if it imports from none.
    """
    rungs = [rung for rung in map(find_ladder_index, _list_imported_modules_transitively(path)) if rung is not None]
    return max(rungs, default=len(LADDER))


@cache
def _list_imported_modules_transitively(path: Path) -> frozenset[str]:
    """Return the modules that a file imports, directly or through tests and the build."""
    modules: set[str] = set()
    pending, visited = [path], {path}
    while pending:
        own = _list_direct_imports(pending.pop())
        modules |= own
        files = {ROOT / f"{name.replace('.', '/')}{end}" for name in own for end in (".py", "/__init__.py")}
        ours = (TESTS, ROOT / "build_scripts")
        new = {file for file in files if any(map(file.is_relative_to, ours)) and file.is_file()} - visited
        pending += new
        visited |= new
    return frozenset(modules)


@cache
def _list_direct_imports(path: Path) -> frozenset[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    from_modules = {str(node.module) for node in froms}
    return frozenset(modules | from_modules | {f"{node.module}.{alias.name}" for node in froms for alias in node.names})


# Browser tests by the words that they read


def map_browser_tests_to_changed_texts(changes: Iterable[Change]) -> dict[str, tuple[str, ...]]:
    """Return the browser tests that read a text which a change adds or removes."""
    visible = [change for change in changes if change.name.startswith((*ENGINE, "docs/", "site_overrides/"))]
    words_by_test: dict[str, set[str]] = {}
    for path in sorted((TESTS / "browser").rglob("*.py")) if visible else ():
        for test, words in _list_words_in_test_strings(path):
            if any(_count_words(words, change.before) != _count_words(words, change.after) for change in visible):
                for name in [test] if test else _list_browser_tests_importing(path):
                    words_by_test.setdefault(name, set()).add(words)
    files = {test for test in words_by_test if "::" not in test}
    return {
        test: tuple(sorted(words))
        for test, words in sorted(words_by_test.items())
        if test in files or test.split("::")[0] not in files
    }


def _count_words(words: str, text: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(words)}(?!\w)", text))


@cache
def _list_words_in_test_strings(path: Path) -> frozenset[tuple[str, str]]:
    """Return pairs of a test's id and a text in its strings, without docstrings.

    The id is "" outside of tests.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tests = {
        inner: f"{_id_of(path)}::{node.name}"
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for inner in ast.walk(node)
    }
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return frozenset(
        (tests.get(node, ""), words)
        for node in strings
        if node not in docstrings
        for words in READER_WORDS.findall(str(node.value))
    )


def _list_browser_tests_importing(path: Path) -> list[str]:
    """Return the browser test files that import a file, or are that file."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    files = sorted((TESTS / "browser").glob("test_*.py"))
    return [_id_of(each) for each in files if each == path or module in _list_imported_modules_transitively(each)]


def _id_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# Running


def main() -> None:
    """Run `python -m build_scripts.dev.affected_tests [--base HEAD] [--list]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--base", default="HEAD", help="the commit to compare with")
    parser.add_argument("--list", action="store_true", help="list the tests, and run nothing")
    arguments = parser.parse_args()
    changes = list_changes(arguments.base)
    if not changes:
        print(f"No file differs from {arguments.base}, so there is nothing to run.")
        return
    plan = build_test_plan(changes)
    print(f"{len(changes)} files differ from {arguments.base}: {len(plan.tests)} test files are affected.")
    for test, words in plan.browser_tests.items():
        print(f"In a browser: {test} ({', '.join(words)})")
    if arguments.list:
        print("\n".join(map(_id_of, plan.tests)))
        return
    sys.stdout.flush()
    for command in list_test_commands(plan):
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        if code:
            raise SystemExit(code)


def list_test_commands(plan: Plan) -> list[list[str]]:
    """Return the commands that run a plan, those that need a build last."""
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
