"""The figures of the code that have a bound: its size, how much a function decides, nested conditions, import circles.

`python -m build_scripts.judges.figures [--worst 10]` prints one line each, and the functions that decide most.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from radon.complexity import cc_visit
from radon.raw import analyze

from build_scripts.folders import ENGINE, ROOT

CALCULATORS = ENGINE / "calculators"


def modules(folder: Path) -> list[Path]:
    """The Python files below a folder, in order."""
    return sorted(folder.rglob("*.py"))


def logical_lines(folder: Path) -> int:
    """Radon's raw count of logical lines, summed over all modules below `folder`."""
    return sum(analyze(path.read_text(encoding="utf-8")).lloc for path in modules(folder))


def complexities(folder: Path) -> list[tuple[int, str]]:
    """The cyclomatic complexity of every function and method below `folder` with its place, the greatest first."""
    found = []
    for path in modules(folder):
        for block in cc_visit(path.read_text(encoding="utf-8")):
            if block.letter in ("F", "M"):
                found.append((block.complexity, f"{path.relative_to(ROOT)}:{block.lineno} {block.fullname}"))
    return sorted(found, reverse=True)


def percentile(numbers: list[int], share: float) -> int:
    """The least number that at least this share of all does not exceed (the nearest rank)."""
    ordered = sorted(numbers)
    return ordered[max(-(-len(ordered) * round(share * 100) // 100) - 1, 0)]


def nested_conditions(folder: Path) -> list[str]:
    """The places of conditional expressions (`a if b else c`) that hold another one."""
    found = []
    for path in modules(folder):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.IfExp):
                inner = [each for each in ast.walk(node) if isinstance(each, ast.IfExp) and each is not node]
                found += [f"{path.relative_to(ROOT)}:{node.lineno}"] if inner else []
    return found


# Circles of imports


def imports(folder: Path) -> dict[str, set[str]]:
    """Each module by its full name with the modules of the package that it imports, those inside functions included.

    `from package import name` counts as the module `package.name` where there is one, else as the package's own.
    """
    paths = {_name(path, folder): path for path in modules(folder)}
    return {name: set(_imported(path, set(paths))) - {name} for name, path in paths.items()}


def _name(path: Path, folder: Path) -> str:
    parts = path.relative_to(folder.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path, known: set[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in known or node.module in known:
                    yield full if full in known else node.module


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The sets of modules that import one another, however many lie between."""
    reached = {name: _reached(graph, name) for name in graph}
    found: list[list[str]] = []
    for name in sorted(graph):
        circle = sorted(other for other in reached[name] if name in reached[other])
        if circle and circle not in found:
            found.append(circle)
    return found


def _reached(graph: Mapping[str, set[str]], name: str) -> set[str]:
    seen: set[str] = set()
    ahead = list(graph[name])
    while ahead:
        each = ahead.pop()
        if each not in seen:
            seen.add(each)
            ahead += graph[each]
    return seen


def main() -> None:
    """`python -m build_scripts.judges.figures [--worst 10]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--worst", type=int, default=0, help="also print that many functions that decide most")
    worst = parser.parse_args().worst
    print(f"logical lines of scratch_core: {logical_lines(ENGINE):,}")
    for folder in (CALCULATORS, ENGINE):
        found = [number for number, _ in complexities(folder)]
        print(f"complexity in {folder.name}: 95th percentile {percentile(found, 0.95)}, greatest {found[0]}")
    nested = nested_conditions(ENGINE)
    found_circles = circles(imports(ENGINE))
    print(f"nested conditional expressions in scratch_core: {len(nested)}")
    print(f"circles of imports in scratch_core: {len(found_circles)}")
    for number, place in complexities(ENGINE)[:worst]:
        print(f"  complexity {number}: {place}")
    for place in nested[: worst or None] if worst else []:
        print(f"  nested condition: {place}")
    for circle in found_circles:
        print(f"  circle: {', '.join(circle)}")


if __name__ == "__main__":
    main()
