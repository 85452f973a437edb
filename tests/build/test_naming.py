"""The rules for names and docstrings: the number of findings may only fall."""

import ast
from pathlib import Path

import pytest

from build_scripts.dev import naming
from build_scripts.dev.naming import Module, count_findings, load_baseline, package_of


def test_findings_equal_the_baseline() -> None:
    """More findings are refused; for fewer, `python -m build_scripts.dev.naming --write` lowers the baseline."""
    found, accepted = count_findings(), load_baseline()
    pairs = {(rule, package) for table in (found, accepted) for rule, counts in table.items() for package in counts}
    changed = {
        f"{rule} in {package}": (accepted.get(rule, {}).get(package, 0), found.get(rule, {}).get(package, 0))
        for rule, package in pairs
        if accepted.get(rule, {}).get(package, 0) != found.get(rule, {}).get(package, 0)
    }
    assert changed == {}, "accepted and found; list them with `python -m build_scripts.dev.naming --rule N2`"


@pytest.mark.parametrize(
    ("rule", "code", "texts"),
    [
        ("N2", "def is_open(x) -> list: ...", ["is_open -> list"]),
        ("N2", "def open_now(x) -> bool: ...", ["open_now -> bool"]),
        ("N2", "def is_open(x) -> bool: ...", []),
        ("N2", "def wrong(x) -> list[Problem]: ...", ["wrong -> list[Problem]"]),
        ("N2", "def move_problems(x) -> list[Problem]: ...", []),
        ("N3", "def told(x): ...\ndef _given(x): ...\ndef format_told(x): ...", ["told", "_given"]),
        ("N7", "from scratch_core.dice import roll as throw", ["roll as throw"]),
        ("N7", "from pathlib import Path as P", []),
        ("N8", "MOST_AIMS = 3\nNAME_LIMIT: int = 4\nMAX_AIMS = 3", ["MOST_AIMS", "NAME_LIMIT"]),
        ("N10", "def f(a, b, c, d, e, g): ...\ndef h(self, a, b, c, d, e): ...", ["f(a, b, c, d, e, g)"]),
        ("N14", "def test_a_roll(): ...\ndef test_roll_is_recorded(): ...", ["test_a_roll"]),
        ("D1", 'def f():\n    """Roll; then add."""\ndef g():\n    """Roll the dice."""', ["f: Roll; then add."]),
        ("D3", '@dataclass\nclass A:\n    x: int\n    y: int\n    """Its y."""', ["A.x: int"]),
        ("D4", 'def f():\n    """Ask somebody, whoever it is, of `nobody`."""', ["somebody", "whoever"]),
    ],
)
def test_naming_rule_finds_its_violations(rule: str, code: str, texts: list[str]) -> None:
    """Each check finds its own kind, and nothing else."""
    found = naming.CHECKS[rule](Module("scratch_core/example.py", ast.parse(code)))
    assert [text for _, text in found] == texts


@pytest.mark.parametrize(
    ("path", "texts"), [("a/telling.py", ["telling"]), ("a/drawing.py", []), ("a/on_board.py", ["on_board"])]
)
def test_module_named_by_gerund_or_preposition_is_found(path: str, texts: list[str]) -> None:
    """A noun is no finding, even one that ends in -ing."""
    assert [text for _, text in naming.CHECKS["N5"](Module(path, ast.parse("")))] == texts


def test_public_class_names_are_unique_in_a_package() -> None:
    """A name that two modules of a package define is found twice; private names and `View` are not."""
    code = "class Row: ...\nclass _Row: ...\nclass View: ..."
    modules = [Module(f"scratch_core/{name}.py", ast.parse(code)) for name in ("a", "b")]
    assert [(each.path, each.text) for each in naming.list_duplicate_classes(modules)] == [
        ("scratch_core/a.py", "Row"),
        ("scratch_core/b.py", "Row"),
    ]


def test_package_of_a_file_is_the_innermost() -> None:
    """Calculators are counted apart from the engine."""
    names = ("scratch_core/errors.py", "scratch_core/calculators/dice/view_model.py", "tests/build/test_naming.py")
    assert [package_of(name) for name in names] == ["scratch_core", "scratch_core/calculators", "tests"]
    assert Path(naming.BASELINE).name == "naming_baseline.toml"
