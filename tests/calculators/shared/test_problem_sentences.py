"""Every reason has a code of its own and a sentence for players, which its facts fill."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import pytest

import scratch_core
from scratch_core.calculators.shared import problem_sentences
from scratch_core.calculators.shared.problem_sentences import SENTENCES, format_problem_sentence, has_details
from scratch_core.errors import Problem, build_rule_problems

ROOT = Path(scratch_core.__file__).parent
OWN = {"expected", "field", "got", "line", "on_line", "place"}
"""Placeholders of a sentence other than the facts of its problem."""


class Call(NamedTuple):
    """A call that builds a problem: where, its code, what is expected there, and the facts given."""

    place: str
    code: str
    expected: str
    facts: frozenset[str]


class Maker(NamedTuple):
    """A function that builds a problem: its parameters, and the facts that it adds."""

    parameters: tuple[str, ...]
    facts: frozenset[str] = frozenset()
    module: str = ""
    is_method: bool = False

    @property
    def codes(self) -> tuple[str, ...]:
        """The parameters that are codes."""
        return tuple(each for each in self.parameters if each == "code" or each.endswith("_code"))


PROBLEM = Maker(("code", "expected", "got", "where", "rule", "severity", "facts"))


class Scope:
    """A function, or a module without its functions: its calls, and what its names were last given."""

    def __init__(self, node: ast.FunctionDef | ast.Module) -> None:
        self.node = node
        self.calls: list[ast.Call] = []
        self.given: list[tuple[int, str, ast.expr]] = []
        self.inner: list[ast.FunctionDef] = []
        for child in ast.iter_child_nodes(node):
            self.walk(child)

    def walk(self, node: ast.AST) -> None:
        """Collect what is in a node, but for functions in it."""
        if isinstance(node, ast.FunctionDef):
            self.inner.append(node)
            return
        if isinstance(node, ast.Call):
            self.calls.append(node)
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            names, values = (
                (target.elts, value.elts)
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
                else ([target], [value])
            )
            self.given += [
                (node.lineno, name.id, each)
                for name, each in zip(names, values, strict=True)
                if isinstance(name, ast.Name)
            ]
        for child in ast.iter_child_nodes(node):
            self.walk(child)

    def resolve(self, node: ast.expr | None) -> ast.expr | None:
        """Return what a name refers to at its place."""
        if not isinstance(node, ast.Name):
            return node
        found = [value for line, name, value in self.given if name == node.id and line <= node.lineno]
        return found[-1] if found else node


def scopes(node: ast.FunctionDef | ast.Module) -> Iterator[Scope]:
    """The scope of a node, and of all functions in it."""
    scope = Scope(node)
    yield scope
    for inner in scope.inner:
        yield from scopes(inner)


@cache
def modules() -> dict[str, list[Scope]]:
    """Every module of the engine."""
    own = Path(problem_sentences.__file__)
    paths = {str(path.relative_to(ROOT)): path for path in sorted(ROOT.rglob("*.py")) if path != own}
    return {
        name: [scope for tree in [ast.parse(path.read_text("utf-8"))] for scope in scopes(tree)]
        for name, path in paths.items()
    }


def called(call: ast.Call) -> str:
    """The name of what is called."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def can_be(call: ast.Call, maker: Maker) -> bool:
    """Return whether a call may be one of that function.

    It may be a method of any object, else the function's name or its module's attribute.
    """
    if isinstance(call.func, ast.Attribute):
        base = call.func.value
        return maker.is_method or (isinstance(base, ast.Name) and base.id == maker.module)
    return not maker.is_method


def argument(call: ast.Call, maker: Maker, name: str) -> ast.expr | None:
    """Return the argument of a call for a parameter."""
    if name not in maker.parameters:
        return None
    place = maker.parameters.index(name)
    named = {each.arg: each.value for each in call.keywords}
    return call.args[place] if place < len(call.args) else named.get(name)


def facts_in(call: ast.Call, maker: Maker, scope: Scope) -> frozenset[str]:
    """The names of the facts that a call gives."""
    found = {each.arg for each in call.keywords if each.arg and each.arg not in maker.parameters}
    tables = [each.value for each in call.keywords if each.arg is None]
    tables += [table] if (table := argument(call, maker, "facts")) else []
    for table in map(scope.resolve, tables):
        if isinstance(table, ast.Dict):
            found |= {key.value for key in table.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    return maker.facts | found


@cache
def makers() -> dict[str, dict[str, Maker]]:
    """The functions that build problems, by module: those with a parameter `code`."""
    common = {"Problem": PROBLEM}
    found: dict[str, dict[str, Maker]] = {}
    for module, each in modules().items():
        found[module] = {}
        for scope in each:
            if not isinstance(scope.node, ast.FunctionDef):
                continue
            arguments = scope.node.args
            names = [one.arg for one in (*arguments.posonlyargs, *arguments.args) if one.arg != "self"]
            typed = {one.arg: one.annotation for one in (*arguments.posonlyargs, *arguments.args)}
            if not isinstance(typed.get("code"), ast.Name) or typed["code"].id != "str":
                continue
            inner = [call for call in scope.calls if called(call) in {"Problem", "build_rule_problems", "add_problem"}]
            facts = frozenset[str]().union(*(facts_in(call, PROBLEM, scope) for call in inner))
            is_method = arguments.args[:1] != [] and arguments.args[0].arg == "self"
            parameters = (*names, *(one.arg for one in arguments.kwonlyargs))
            maker = Maker(parameters, facts, Path(module).stem, is_method)
            found[module][scope.node.name] = maker
            if not scope.node.name.startswith("_"):
                common[scope.node.name] = maker
    return {module: {**common, **own} for module, own in found.items()}


@cache
def calls() -> tuple[Call, ...]:
    """Every call in the engine that gives a problem its code."""
    found = []
    for module, each in modules().items():
        known = makers()[module]
        for scope in each:
            is_maker = isinstance(scope.node, ast.FunctionDef) and scope.node.name in known
            for call in scope.calls:
                maker = known.get(called(call))
                if maker is None or not can_be(call, maker):
                    continue
                place, facts = f"{module}:{call.lineno}", facts_in(call, maker, scope)
                for parameter in maker.codes:
                    code = scope.resolve(argument(call, maker, parameter))
                    if code is None or (is_maker and isinstance(code, ast.Name)):
                        continue
                    expected = scope.resolve(argument(call, maker, "expected")) if parameter == "code" else None
                    text = str(code.value) if isinstance(code, ast.Constant) else f"not a literal: {ast.unparse(code)}"
                    found.append(Call(place, text, ast.unparse(expected) if expected else "", facts))
    return tuple(found)


def test_code_of_every_problem_has_a_sentence() -> None:
    """Each call that builds a problem has a literal code with a sentence."""
    assert len(calls()) > 250
    assert [call for call in calls() if call.code not in SENTENCES] == []


def test_sentence_of_every_code_is_used() -> None:
    """No sentence is left without a reason."""
    assert set(SENTENCES) - {call.code for call in calls()} == set()


def test_sentence_placeholders_are_filled_by_facts() -> None:
    """Each call gives all facts that its sentence names."""
    missing = {
        call: names
        for call in calls()
        if (
            names := {name.lower() for _, name, _, _ in Formatter().parse(SENTENCES[call.code]) if name}
            - OWN
            - call.facts
        )
    }
    assert missing == {}


def test_calls_with_one_code_expect_the_same() -> None:
    """All calls with one code expect the same.

    Exceptions are codes whose sentence or details say what was expected.
    """
    reasons = defaultdict(set)
    for call in calls():
        if "{expected}" not in SENTENCES[call.code] and not has_details(call.code):
            reasons[call.code].add(call.expected)
    assert {code: each for code, each in reasons.items() if len(each) > 1} == {}


def test_sentences_of_two_codes_differ() -> None:
    """A sentence that is more than what was expected and got belongs to one code."""
    own = [sentence for sentence in SENTENCES.values() if re.search(r"[a-z]", re.sub(r"{.*?}", "", sentence))]
    assert len(set(own)) == len(own)


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (
            build_rule_problems(
                "target.too-far", "grid.close.reach", "a", "b", "c", target="Rook", spaces=4, actor="Wren"
            )[0],
            "Rook is 4 spaces away. The target must be next to Wren.",
        ),
        (
            Problem("create.cp", "a", "b", "cp", facts={"over": 1, "spent": 11, "most": 10}),
            "One point too many: 11 spent of 10.",
        ),
    ],
)
def test_sentence_with_a_count_has_its_noun(problem: Problem, sentence: str) -> None:
    """One of something is written out, several are a number and the plural."""
    assert format_problem_sentence(problem) == sentence


def test_broken_with_two_rules_returns_one_reason_for_each() -> None:
    """A violation of two rules gives one problem for each.

    The problems share code and facts.
    """
    found = build_rule_problems(
        "cover.too-late", "act.cover turn.order", "cover first", "cover after", "cover", actor="Wren"
    )
    assert [(each.code, each.rule) for each in found] == [
        ("cover.too-late", "act.cover"),
        ("cover.too-late", "turn.order"),
    ]
    assert len({format_problem_sentence(each) for each in found}) == 1
