"""Public methods and properties of the engine's classes that are unused."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from build_scripts.paths import DOCS, OVERRIDES, ROOT
from build_scripts.render import render_calculator_response
from tests.support.states import build_fight_query

ENGINE = ROOT / "scratch_core"
CALLED_BY_OTHERS = {
    "_SentenceFormatter.get_value": "string.Formatter",
    "_SentenceFormatter.format_field": "string.Formatter",
    "_Shortened.repr_int": "reprlib.Repr",
    "Distribution.chance_of": "the chance of one total, for programs that use the package",
    "Game.compute_actor_chance_after": "the chance behind one action, for programs that use the package",
    "Weights.limit_kg": "carries out `carry.drag`, for programs that use the package",
}
"""The callers of methods that our code doesn't name."""


def find_unused(sources: dict[str, str], others: str) -> list[str]:
    """Return the public methods of Python sources that no text names.

    A name counts in the sources themselves and in other texts.
    """
    trees = [ast.parse(text) for text in sources.values()]
    used = set(re.findall(r"[A-Za-z_]\w*", others))
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Attribute):
            used.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            used.add(node.value)
    return [name for tree in trees for name, method in list_methods(tree) if method not in used]


def list_methods(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Return the public methods and properties of all classes, with and without the class's name."""
    for owner in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for each in owner.body:
            if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
                yield f"{owner.name}.{each.name}", each.name


def read_texts(folder: Path, *patterns: str) -> dict[str, str]:
    """Return the texts of a folder's files by path."""
    return {str(path): path.read_text(encoding="utf-8") for each in patterns for path in sorted(folder.rglob(each))}


def test_public_methods_of_engine_are_all_used() -> None:
    """Each is named by the engine, the build, a template or the documentation."""
    build = {name: text for name, text in read_texts(ROOT / "build_scripts", "*.py").items() if "/dev/" not in name}
    others = {**read_texts(OVERRIDES, "*.html"), **read_texts(DOCS, "*.md"), **build}
    unused = find_unused(read_texts(ENGINE, "*.py"), "\n".join(others.values()))
    assert sorted({*unused} - CALLED_BY_OTHERS.keys()) == []
    assert CALLED_BY_OTHERS.keys() - {*unused} == set(), "used by now: take them off the list"


def test_unused_property_is_found() -> None:
    """A method that only its own class names is unused.

    A method that a template names is used.
    """
    source = (
        "class Roll:\n    def total(self): return self.best()\n    def best(self): pass\n    def worst(self): pass\n"
    )
    assert find_unused({"roll": source}, "{{ roll.total }}") == ["Roll.worst"]


def test_keys_named_on_tool_pages_are_handled() -> None:
    """Each <kbd> presses a button or is handled by a script."""
    sources = {**read_texts(OVERRIDES / "calculators", "*.html"), **read_texts(OVERRIDES / "javascripts", "*.mjs")}
    text = "\n".join(sources.values())
    named = {
        key for page in read_texts(DOCS / "tools", "*.md").values() for key in re.findall(r"<kbd>([^<]+)</kbd>", page)
    }
    running = [build_fight_query("first-fight", steps) for steps in range(3)]
    shown = text + "".join(render_calculator_response("fight", query).html for query in running)
    handled = {*re.findall(r'data-key="([^"{]+)"', shown), *re.findall(r'\.key === "(\w+)"', text)}
    handled |= {*"23456789"} if "1" in handled else set()  # actions are numbered, nine of them at most
    assert named
    assert sorted(named - handled) == []
