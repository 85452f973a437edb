"""The tests that matter for what has changed in the engine: `make quick` runs them after format, lint and types.

Each module imports only from those above it on the ladder (tests/core/test_ladder.py). So a change can be felt by the
tests that import its rung or one below it, and by no others. The rules' cases always run; with a page's text, script,
style, template or its build changed, the tests of the scripts and of the site do. What readers see is compared with its
snapshots, in Chromium, where the engine or a calculator's template changed. Left out are the suites that go over
thousands of situations, which are marked `no_cover`, hostile inputs, whatever starts Pyodide, and other browser tests;
`make test` runs all of them.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from build_scripts.folders import ROOT
from tests.core.test_ladder import LADDER

OPTIONS = ("-q", "-n", "2", "--no-cov", "--hypothesis-profile", "quick", "-m", "not no_cover", "-k", "not hostile")

PAGES = (
    *("docs/", "site_overrides/", "build_scripts/", "dev/", "mkdocs.yml", "tests/scripts/", "tests/site/"),
    *(".github/", "Makefile", "README.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "pyproject.toml"),
)
"""Where a change is felt by the tests of the scripts and of the site."""
SEEN = ("scratch_core/", "site_overrides/calculators/", "build_scripts/", "tests/states.py", "tests/snapshots/")
"""Where a change may be seen in a snapshot."""
STARTS_PYODIDE = ("test_bench.py", "test_bundle.py", "test_inside_pyodide.py")


def changed_files(base: str) -> list[str]:
    """The files that differ from the commit `base`, new ones among them, by their paths from the project's root."""
    commands = (["diff", "--name-only", base], ["ls-files", "--others", "--exclude-standard"])
    said = [subprocess.run(["git", *each], cwd=ROOT, check=True, capture_output=True, text=True) for each in commands]
    return [name for each in said for name in each.stdout.splitlines()]


def rung_of(name: str) -> int | None:
    """The place on the ladder of a file or a module of ours; None for what is not on it."""
    parts = name.removesuffix(".py").replace("/", ".").split(".")
    if parts[:2] == ["site_overrides", "calculators"] or parts[:2] == ["build_scripts", "calculator_html"]:
        return LADDER.index("calculators")
    is_ours = parts[0] == "scratch_core" and len(parts) > 1
    return LADDER.index(parts[1]) if is_ours and parts[1] in LADDER else None


def lowest_rung_used(path: Path) -> int:
    """The lowest rung that a test's file imports from; below them all where it imports none."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    names = [
        f"{node.module}.{alias.name}" if node.module == "scratch_core" else str(node.module)
        for node in froms
        for alias in node.names
    ]
    return max([rung for rung in map(rung_of, names) if rung is not None], default=len(LADDER))


def tests_for(changed: Iterable[str], tests: Iterable[Path]) -> list[Path]:
    """The files of tests that may notice these changes: where none is on the ladder, all."""
    rungs = [rung for rung in map(rung_of, changed) if rung is not None]
    own = {ROOT / name for name in changed}
    return [path for path in tests if path in own or not rungs or lowest_rung_used(path) >= min(rungs)]


def tests_of_pages(changed: Iterable[str]) -> list[Path]:
    """The files of tests that may notice a change of a page, where there is one."""
    if not any(name.startswith(PAGES) for name in changed):
        return []
    found = [*(ROOT / "tests" / "site").glob("test_*.py"), *(ROOT / "tests" / "scripts").glob("test_*.py")]
    return sorted(path for path in found if path.name not in STARTS_PYODIDE)


def tests_of_snapshots(changed: Iterable[str]) -> list[Path]:
    """Return the file of tests that compares what readers see, where a change may be seen there."""
    return [ROOT / "tests" / "browser" / "test_snapshots.py"] if any(name.startswith(SEEN) for name in changed) else []


def main() -> None:
    """`python -m dev.quick [--base HEAD]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--base", default="HEAD", help="the commit that the changes are counted from")
    base = parser.parse_args().base
    changed = changed_files(base)
    chosen = tests_for(changed, sorted((ROOT / "tests" / "core").glob("test_*.py"))) + tests_of_pages(changed)
    chosen += tests_of_snapshots(changed)
    why = "" if any(rung_of(name) is not None for name in changed) else " (none of the engine's: all its tests run)"
    print(
        f"{len(changed)} files differ from {base}{why}: {len(chosen)} files of tests, all of tests/rules.", flush=True
    )
    command = [sys.executable, "-m", "pytest", *OPTIONS, str(ROOT / "tests" / "rules"), *map(str, chosen)]
    raise SystemExit(subprocess.run(command, cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
