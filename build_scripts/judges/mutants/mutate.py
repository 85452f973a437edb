"""Which mistakes are made on purpose: every place of a module, and what could stand there wrongly instead."""

from __future__ import annotations
import __future__

import ast
import re
import types
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MESSAGE_PARTS: dict[str, tuple[int, ...]] = {
    "Problem": (1, 2),
    "broken": (1, 2, 3),
    "_fault": (0, 1),
    "_refuse": (0, 1),
    "_refused": (1, 2),
    "Part": (0,),
    "Outcome": (2,),
    "Decision": (2,),
    "_damaging": (4,),
    "_healing": (4,),
}
"""The arguments that are wording for a reader, by function: left out."""

MESSAGE_NAMES = frozenset(
    ("expected", "got", "said", "say", "came", "how", "odds", "tail", "verb", "result", "until", "what", "who")
)
"""Variables and keywords that hold nothing but wording: left out."""

_KEY = re.compile(r"[\w./:-]*|[\w-]+(\.[\w-]+)+( [\w-]+(\.[\w-]+)+)*")
_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_REACHED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_SWAPPED_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
_TIDYING = frozenset(("strip", "lower", "casefold", "lstrip", "rstrip"))


@dataclass(frozen=True)
class Mutant:
    """One mistake: where it is, what stood there and what stands there instead.

    `at` is the module and function (`encounter._done`), or the module alone for what runs when it is imported.
    `function` is "" for that, and for a function that makes functions: the module is imported anew for those;
    `change` says what is changed, with a number where the same text comes again in that function. `lines` are those of
    the statement around it.
    """

    at: str
    change: str
    path: str
    function: str
    lines: range
    slot: tuple[ast.AST, str, int | None]
    wrong: ast.AST | None
    tree: ast.AST

    @property
    def package(self) -> str:
        """The part of the engine it is in: `characters`, `actions` or `encounter`."""
        return self.at.partition(".")[0]

    def make(self) -> None:
        """Put the mistake into the tree, for good: meant for a process that ends with it."""
        _put(self.slot, self.wrong)
        ast.fix_missing_locations(self.tree)


def mutants_of(path: Path, root: Path) -> Iterator[Mutant]:
    """Every mutant of one module of the engine."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module = ".".join(path.relative_to(root / "scratch_core").with_suffix("").parts).removesuffix(".__init__")
    file = path.relative_to(root).as_posix()
    for function, unit in _units(tree):
        at = f"{module}.{function}" if function else module
        seen: Counter[str] = Counter()
        top = not function
        whole = top or any(isinstance(each, ast.FunctionDef) for each in ast.walk(unit) if each is not unit)
        for slot, old, wrong, lines in _places(unit, top):
            change = _told(old, wrong, slot)
            seen[change] += 1
            again = f" ({seen[change]})" if seen[change] > 1 else ""
            alone = ("", tree) if whole else (function, unit)
            yield Mutant(at, change + again, file, alone[0], lines, slot, wrong, alone[1])


def replace_function(module: types.ModuleType, mutant: Mutant) -> None:
    """Give the function of that mutant its wrong code, wherever it is already in use."""
    mutant.make()
    found = _found(module, mutant.function)
    assert isinstance(mutant.tree, ast.FunctionDef)
    mutant.tree.decorator_list = []
    code = compile_tree(ast.Module([mutant.tree], []), mutant.path)
    names = dict(vars(module))
    exec(code, names)
    made = names[mutant.tree.name]
    found.__code__, found.__defaults__, found.__kwdefaults__ = made.__code__, made.__defaults__, made.__kwdefaults__


def compile_tree(tree: ast.Module, name: str) -> types.CodeType:
    """Compile a tree as the engine's modules are, with annotations left unread."""
    flags = __future__.annotations.compiler_flag
    return compile(ast.fix_missing_locations(tree), name, "exec", flags=flags, dont_inherit=True)


def _found(module: types.ModuleType, function: str) -> Any:
    found: Any = module
    for name in function.split("."):
        found = vars(found)[name]
    if isinstance(found, property):
        return found.fget
    return getattr(found, "__func__", found)


def _units(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """The functions and methods of a module by name, and under "" the module itself for what is in none of them."""
    yield "", tree
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{each.name}", each) for each in node.body if isinstance(each, ast.FunctionDef))


Slot = tuple[ast.AST, str, int | None]
Place = tuple[Slot, ast.AST, ast.AST | None, range]


def _places(unit: ast.AST, top: bool) -> Iterator[Place]:
    whole = range(getattr(unit, "lineno", 0), (getattr(unit, "end_lineno", 0) or 0) + 1)
    for slot, node in _children(unit):
        yield from _visit(slot, node, whole, top)


def _children(node: ast.AST) -> Iterator[tuple[Slot, ast.AST]]:
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield (node, field, None), value
        elif isinstance(value, list):
            yield from (((node, field, place), each) for place, each in enumerate(value) if isinstance(each, ast.AST))


def _visit(slot: Slot, node: ast.AST, lines: range, top: bool) -> Iterator[Place]:
    if _is_left_out(slot, node, top):
        return
    if isinstance(node, ast.stmt):
        inner = [each.lineno for field in ("body", "orelse") for each in getattr(node, field, ())]
        lines = range(node.lineno, min(inner, default=(node.end_lineno or node.lineno) + 1) or node.lineno)
        lines = lines or range(node.lineno, node.lineno + 1)
    if isinstance(node, ast.FunctionDef):
        lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    if not isinstance(node, (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)):
        yield from ((where, old, wrong, lines) for where, old, wrong in _wrongs(slot, node))
    for inner_slot, child in _children(node):
        yield from _visit(inner_slot, child, lines, top)


def _is_left_out(slot: Slot, node: ast.AST, top: bool) -> bool:
    parent, field, place = slot
    if field in ("annotation", "returns", "decorator_list", "bases"):
        return True
    if isinstance(node, (ast.JoinedStr, ast.Assert, ast.Import, ast.ImportFrom)):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True  # a docstring
    if top and isinstance(node, ast.FunctionDef):
        return True  # a unit of its own
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        name = node.targets[0].id
        return name == "__all__" or name in MESSAGE_NAMES or (top and isinstance(node.value, ast.Subscript))
    if isinstance(parent, ast.Call) and field == "args":
        return place in MESSAGE_PARTS.get(_called(parent), ())
    return isinstance(node, ast.keyword) and node.arg in MESSAGE_NAMES


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _wrongs(slot: Slot, node: ast.AST) -> Iterator[tuple[Slot, ast.AST, ast.AST | None]]:
    """What could stand in the place of one node: (slot, what stands there, what is wrong), None for nothing at all."""
    for kind, make in _MAKERS.items():
        if isinstance(node, kind):
            yield from ((slot, node, wrong) for wrong in make(node))
    for field in ("test",):
        test = getattr(node, field, None)
        if isinstance(test, ast.expr) and not isinstance(test, (ast.Compare, ast.UnaryOp)):
            yield (node, field, None), test, ast.UnaryOp(ast.Not(), test)
    if isinstance(node, ast.comprehension):
        for place, test in enumerate(node.ifs):
            if not isinstance(test, (ast.Compare, ast.UnaryOp)):
                yield (node, "ifs", place), test, ast.UnaryOp(ast.Not(), test)
            yield (node, "ifs", place), test, ast.Constant(True)
    yield from _removals(slot, node)


def _removals(slot: Slot, node: ast.AST) -> Iterator[tuple[Slot, ast.AST, ast.AST | None]]:
    """Statements, elements and arguments left out."""
    if isinstance(node, (ast.Expr, ast.AugAssign, ast.Raise)):
        yield slot, node, ast.Pass()
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)) and len(node.elts) > 1:
        if isinstance(getattr(node, "ctx", None), ast.Store) or isinstance(slot[0], ast.Subscript):
            return
        yield from (((node, "elts", place), each, None) for place, each in enumerate(node.elts))
    if isinstance(node, ast.Dict) and len(node.keys) > 1:
        for place in range(len(node.keys)):
            left = ast.Dict(
                [each for other, each in enumerate(node.keys) if other != place],
                [each for other, each in enumerate(node.values) if other != place],
            )
            yield slot, node, left
    if isinstance(node, ast.Call):
        wording = node.keywords and [each for each in node.keywords if each.arg not in MESSAGE_NAMES]
        for each in wording or ():
            yield (node, "keywords", node.keywords.index(each)), each, None


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
        if value > 1:
            yield ast.Constant(value - 1)
    elif isinstance(value, str) and _KEY.fullmatch(value):
        yield ast.Constant(value + "~")


def _compare(node: ast.Compare) -> Iterator[ast.AST]:
    for place, sign in enumerate(node.ops):
        for wrong in _COMPARED[type(sign)]:
            yield ast.Compare(node.left, [*node.ops[:place], wrong(), *node.ops[place + 1 :]], node.comparators)


def _reckoned(node: ast.BinOp) -> Iterator[ast.AST]:
    sides = (node.left, node.right)
    if type(node.op) in _REACHED and not any(isinstance(side, (ast.JoinedStr, ast.List, ast.Tuple)) for side in sides):
        yield ast.BinOp(node.left, _REACHED[type(node.op)](), node.right)


def _joined(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    for place in range(len(node.values)):
        left = [each for other, each in enumerate(node.values) if other != place]
        yield ast.BoolOp(node.op, left) if len(left) > 1 else left[0]


def _signed(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand


def _call(node: ast.Call) -> Iterator[ast.AST]:
    name, args = _called(node), node.args
    if name in _SWAPPED_NAMES:
        yield ast.Call(ast.Name(_SWAPPED_NAMES[name], ast.Load()), args, node.keywords)
    if isinstance(node.func, ast.Attribute) and node.func.attr in _TIDYING:
        yield node.func.value
    if name in ("max", "min") and not node.keywords:
        return  # their order changes nothing
    for first in range(len(args) - 1):
        pair = args[first : first + 2]
        wording = MESSAGE_PARTS.get(name, ())
        if any(isinstance(each, ast.Starred) for each in pair) or {first, first + 1} & set(wording):
            continue
        if ast.dump(pair[0]) != ast.dump(pair[1]):
            yield ast.Call(node.func, [*args[:first], *reversed(pair), *args[first + 2 :]], node.keywords)


def _returned(node: ast.Return) -> Iterator[ast.AST]:
    if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        yield ast.Return(ast.Constant(None))
    if isinstance(node.value, (ast.Compare, ast.BoolOp, ast.Name)):
        yield ast.Return(ast.UnaryOp(ast.Not(), node.value))


def _chosen(node: ast.IfExp) -> Iterator[ast.AST]:
    yield node.body
    yield node.orelse


def _added(node: ast.AugAssign) -> Iterator[ast.AST]:
    if isinstance(node.value, ast.Constant):
        yield ast.AugAssign(node.target, _REACHED[type(node.op)](), node.value)


_MAKERS: dict[type[ast.AST], Callable[[Any], Iterator[ast.AST]]] = {
    ast.Constant: _constant,
    ast.Compare: _compare,
    ast.BinOp: _reckoned,
    ast.BoolOp: _joined,
    ast.UnaryOp: _signed,
    ast.Call: _call,
    ast.Return: _returned,
    ast.IfExp: _chosen,
    ast.AugAssign: _added,
    ast.Continue: lambda node: iter((ast.Break(),)),
    ast.Break: lambda node: iter((ast.Continue(),)),
    ast.Lambda: lambda node: iter((ast.Lambda(node.args, ast.Constant(None)),)),
}


def _put(slot: Slot, wrong: ast.AST | None) -> None:
    parent, field, place = slot
    if place is None:
        setattr(parent, field, wrong)
    elif wrong is None:
        del getattr(parent, field)[place]
    else:
        getattr(parent, field)[place] = wrong


def _told(old: ast.AST, wrong: ast.AST | None, slot: Slot) -> str:
    if isinstance(old, ast.Dict) and isinstance(wrong, ast.Dict):
        keys = [key for key in old.keys if key not in wrong.keys]
        gone = [value for value in old.values if value not in wrong.values]
        return f"without {ast.unparse(keys[0]) if keys and keys[0] else '**' + ast.unparse(gone[0])}"
    if wrong is None or isinstance(wrong, ast.Pass):
        around = f" in {_short(slot[0])}" if wrong is None else ""
        return f"without {_short(old)}{around}"
    return f"{_short(old)} -> {_short(wrong)}"


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 160 else f"{text[:80]} … {text[-78:]}"
