"""The rules for names and docstrings."""

import ast
import re
from pathlib import Path

import pytest

from build_scripts.dev import naming
from build_scripts.dev.css_classes import FOREIGN, SHARED, WORDS_BY_COMPONENT, list_classes_without_component
from build_scripts.dev.naming import Module, list_findings
from build_scripts.paths import ROOT


def test_names_and_docstrings_follow_the_rules() -> None:
    """No rule has a finding.

    `python -m build_scripts.dev.naming` lists them, too.
    """
    assert list(map(str, list_findings())) == []


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
        ("D1", f'def f():\n    """Add {"and add " * 7}."""', [f"f: Add {'and add ' * 7}. (16 words, at most 15)"]),
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


def test_css_class_without_a_component_is_found(tmp_path: Path) -> None:
    """Parts, variants, states, shared words and words in strings are no findings."""
    rules = """
    .fight-card, .fight-card__head, .fight-card--wide, .is-open, .u-aloud, .hint { content: ".told"; }
    /* .said */
    .told, .fight-cards { color: red; }
    """
    (tmp_path / "fight-card.css").write_text(rules, encoding="utf-8")
    found = [(path.name, line, name) for path, line, name in list_classes_without_component(tmp_path)]
    assert found == [("fight-card.css", 4, "told"), ("fight-card.css", 4, "fight-cards")]


def test_listed_css_words_are_all_used() -> None:
    """No word is listed that its stylesheet doesn't have."""
    folder = ROOT / "site_overrides/stylesheets"
    for component, words in WORDS_BY_COMPONENT.items():
        text = (folder / f"{component}.css").read_text(encoding="utf-8")
        assert not [word for word in words if not re.search(rf"\.{word}(?![\w-])", text)], component
    everything = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.css"))
    assert not [word for word in SHARED | FOREIGN if not re.search(rf"[.:]{word}(?![\w-])", everything)]


def test_public_class_names_are_unique_in_a_package() -> None:
    """A class name that two modules of a package define is found twice.

    Private names and `View` are not found.
    """
    code = "class Row: ...\nclass _Row: ...\nclass View: ..."
    modules = [Module(f"scratch_core/{name}.py", ast.parse(code)) for name in ("a", "b")]
    assert [(each.path, each.text) for each in naming.list_duplicate_classes(modules)] == [
        ("scratch_core/a.py", "Row"),
        ("scratch_core/b.py", "Row"),
    ]
