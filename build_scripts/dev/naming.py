"""Check names and docstrings by the rules of docs/contributing/vocabulary.md.

`python -m build_scripts.dev.naming` lists the findings, `--rule N3` those of a rule. A test accepts none.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from build_scripts.dev.css_classes import list_classes_without_component
from build_scripts.paths import ROOT

PREDICATES = ("is_", "has_", "can_", "may_", "needs_")
CONVERTERS = frozenset({"convert_file_value"})
"""Functions that return the value given to them, of any type."""
BARE_WORDS = frozenset(
    """
    told done gone given said shown written asked begun settled kept left seen found made taken held laid drawn placed
    at on over besides beside with without from into who_where who whose when where why how what which
    """.split()  # noqa: SIM905 -- a list of forty strings is harder to read
)
"""Participles, prepositions and question words that are no names by themselves."""
NOUNS_IN_ING = frozenset({"crafting", "drawing", "state_drawing", "naming"})
PREPOSITIONS = frozenset(["aside", "against", "by", "given", "on", "off", "over", "with", "without", "elsewhere"])
NAMESPACED_CLASSES = frozenset({"View", "Answer"})
"""Classes that each calculator has by the same name."""
ARTICLES = ("a", "an", "the", "it", "they", "this", "that", "what", "who", "whoever", "somebody", "nobody", "everybody")
ROLE_WORDS = re.compile(r"\b(somebody|whoever|nobody|everybody|whom|the one|that one)\b", re.IGNORECASE)
MAX_TEST_NAME: Final = 70
MAX_WORDS: Final = 15
MAX_POSITIONAL: Final = 5


@dataclass(frozen=True)
class Finding:
    """A name or docstring that breaks a rule."""

    rule: str
    """The rule's id in docs/contributing/vocabulary.md."""
    path: str
    """The file, from the project's root."""
    line: int
    """The line, from 1."""
    text: str
    """The name, or what is wrong."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule} {self.text}"


@dataclass(frozen=True)
class Module:
    """A parsed file."""

    path: str
    """The file, from the project's root."""
    tree: ast.Module
    """Its syntax tree."""


Function = ast.FunctionDef | ast.AsyncFunctionDef


def list_modules() -> Iterator[Module]:
    """Yield the Python files of the packages that the running Python can parse."""
    for folder in ("scratch_core", "build_scripts", "tests"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            try:
                tree = ast.parse(path.read_text(encoding="utf-8"))
            except SyntaxError:  # a file for the newer Python inside Pyodide
                continue
            yield Module(path.relative_to(ROOT).as_posix(), tree)


def list_functions(module: Module) -> Iterator[Function]:
    """Yield the functions and methods of a module, dunders left out."""
    for node in ast.walk(module.tree):
        if isinstance(node, Function) and not node.name.startswith("__"):
            yield node


def check_predicates(module: Module) -> Iterator[tuple[int, str]]:
    """Yield functions whose name and return type disagree (N2)."""
    for node in list_functions(module):
        name, returns = node.name.lstrip("_"), ast.unparse(node.returns) if node.returns else ""
        if node.name.startswith("__") or node.name in CONVERTERS:
            continue  # Python names the former, and the latter return a value that may be a bool
        is_predicate = name.startswith(PREDICATES)
        returns_problems = bool(re.search(r"\bProblem\b", returns)) and returns.startswith(
            ("list", "tuple", "Iterator")
        )
        if is_predicate != (returns == "bool") and (is_predicate or returns == "bool"):
            yield node.lineno, f"{node.name} -> {returns or 'nothing'}"
        elif returns_problems and not is_problem_name(name):
            yield node.lineno, f"{node.name} -> {returns}"


def is_problem_name(name: str) -> bool:
    """Return whether a function's name says that it returns problems."""
    return name.endswith("problems") or name.startswith(("check_", "list_", "find_", "read_", "parse_"))


def check_bare_words(module: Module) -> Iterator[tuple[int, str]]:
    """Yield functions named by a participle, a preposition or a question word alone (N3)."""
    for node in list_functions(module):
        if node.name.strip("_") in BARE_WORDS:
            yield node.lineno, node.name


def check_module_name(module: Module) -> Iterator[tuple[int, str]]:
    """Yield the module if its name is a gerund or starts with a preposition (N5)."""
    stem = Path(module.path).stem.removeprefix("test_")
    if module.path.startswith("tests/") and Path(module.path).stem.startswith("test_"):
        return
    if (stem.endswith("ing") and stem not in NOUNS_IN_ING) or stem.partition("_")[0] in PREPOSITIONS:
        yield 1, stem


def check_aliases(module: Module) -> Iterator[tuple[int, str]]:
    """Yield imports that rename a name of our own (N7)."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in {"scratch_core", "build_scripts"}:
            for alias in node.names:
                if alias.asname and alias.asname != alias.name:
                    yield node.lineno, f"{alias.name} as {alias.asname}"


def check_limit_names(module: Module) -> Iterator[tuple[int, str]]:
    """Yield constants of limits that are not called MAX_X or MIN_X (N8)."""
    for node in module.tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if isinstance(target, ast.Name) and re.match(r"_?(MOST_\w+|\w+_LIMIT|\w+_MOST)$", target.id):
                yield node.lineno, target.id


def check_positional_arguments(module: Module) -> Iterator[tuple[int, str]]:
    """Yield functions that take more than five arguments by position (N10)."""
    for node in list_functions(module):
        names = [each.arg for each in (*node.args.posonlyargs, *node.args.args) if each.arg not in {"self", "cls"}]
        if len(names) > MAX_POSITIONAL:
            yield node.lineno, f"{node.name}({', '.join(names)})"


def find_bad_test_names(module: Module) -> Iterator[tuple[int, str]]:
    """Yield tests whose name is too long or starts with an article or pronoun (N14)."""
    for node in list_functions(module):
        words = node.name.split("_")
        if words[0] == "test" and len(words) > 1 and (words[1] in ARTICLES or len(node.name) > MAX_TEST_NAME):
            yield node.lineno, node.name


def check_field_docstrings(module: Module) -> Iterator[tuple[int, str]]:
    """Yield fields of dataclasses without a docstring of their own (D3)."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(each) for each in node.decorator_list):
            for field, following in zip(node.body, [*node.body[1:], None], strict=True):
                is_documented = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
                is_field = isinstance(field, ast.AnnAssign) and "ClassVar" not in ast.unparse(field.annotation)
                if is_field and not is_documented:
                    yield field.lineno, f"{node.name}.{ast.unparse(field)}"


def check_first_lines(module: Module) -> Iterator[tuple[int, str]]:
    """Yield functions whose docstring starts with a long or divided sentence (D1)."""
    for node in list_functions(module):
        first = (ast.get_docstring(node) or "").partition("\n")[0]
        if first and (len(first.split()) > MAX_WORDS or ";" in first):
            excess = f" ({len(first.split())} words, at most {MAX_WORDS})" if len(first.split()) > MAX_WORDS else ""
            yield node.lineno, f"{node.name}: {first}{excess}"


def check_role_words(module: Module) -> Iterator[tuple[int, str]]:
    """Yield docstrings with pronouns in the place of roles (D4)."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for match in ROLE_WORDS.finditer(re.sub(r"`[^`]*`", "", node.value.value)):
                yield node.lineno, match[0]


CHECKS: dict[str, Callable[[Module], Iterator[tuple[int, str]]]] = {
    "N2": check_predicates,
    "N3": check_bare_words,
    "N5": check_module_name,
    "N7": check_aliases,
    "N8": check_limit_names,
    "N10": check_positional_arguments,
    "N14": find_bad_test_names,
    "D1": check_first_lines,
    "D3": check_field_docstrings,
    "D4": check_role_words,
}
"""The check of each rule that looks at one module."""


def list_duplicate_classes(modules: list[Module]) -> Iterator[Finding]:
    """Yield public classes whose name another module of the package has, too (N6)."""
    for folder in ("scratch_core", "build_scripts"):
        definitions = defaultdict(list)
        for module in modules:
            if module.path.startswith(f"{folder}/"):
                for node in module.tree.body:
                    if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                        definitions[node.name].append((module.path, node.lineno))
        for name, own in definitions.items():
            if len(own) > 1 and name not in NAMESPACED_CLASSES:
                yield from (Finding("N6", path, line, name) for path, line in own)


def list_mood_findings() -> Iterator[Finding]:
    """Yield docstrings of functions that are not imperative, by ruff (D1)."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "D401", "--output-format", "json"]
    process = subprocess.run([*command, *("scratch_core", "build_scripts")], cwd=ROOT, capture_output=True, check=False)
    for message in json.loads(process.stdout):
        path = Path(message["filename"]).relative_to(ROOT).as_posix()
        yield Finding("D1 mood", path, message["location"]["row"], message["message"])


def list_css_class_findings() -> Iterator[Finding]:
    """Yield CSS classes that carry no component's name (N13)."""
    for path, line, name in list_classes_without_component(ROOT / "site_overrides/stylesheets"):
        yield Finding("N13", path.relative_to(ROOT).as_posix(), line, name)


def list_findings() -> list[Finding]:
    """Return every finding of every rule."""
    modules = list(list_modules())
    findings = [
        Finding(rule, module.path, line, text)
        for module in modules
        for rule, check in CHECKS.items()
        for line, text in check(module)
    ]
    return [*findings, *list_duplicate_classes(modules), *list_mood_findings(), *list_css_class_findings()]


def main() -> None:
    """List the findings, and exit with 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rule", help="list only the findings of this rule")
    rule = parser.parse_args().rule
    findings = [each for each in list_findings() if rule in (None, each.rule)]
    for each in findings:
        print(each)
    raise SystemExit(1 if findings else 0)


if __name__ == "__main__":
    main()
