"""Call each method of Python's own types with sample arguments. used_functions.mjs runs this file inside Pyodide.

The engine's next line may call a method that it does not call today. With this file a developer rarely meets a function
that was removed from the interpreter, and a user even more rarely. Python rejects most of these calls, as expected.
"""

import builtins
import collections
import functools
import itertools
import math
import operator
from contextlib import suppress
from typing import Any

VALUES: tuple[Any, ...] = (
    *(0, 1, -7, 2.5, -0.0, float("inf"), float("nan"), 1j, True, None, "", "a b", "Ångström 7", b"ab", bytearray(b"c")),
    *(
        [3, 1, 2],
        ["b", "a"],
        (1, "a"),
        {"a": 1},
        {2: []},
        {1, 2},
        frozenset("ab"),
        range(3),
        slice(1, 2),
        len,
        str.upper,
    ),
    *(int, Exception("no"), collections.deque([1]), collections.OrderedDict(a=1), collections.defaultdict(int)),
    *(functools.partial(max, 1), operator.itemgetter(0), operator.attrgetter("real"), memoryview(b"ab")),
)
ONLY_AST_FLAG = 0x400  # the value of ast.PyCF_ONLY_AST
LARGE_NUMBER = 3**50
"""A number whose methods are called. It is never an argument, because a power with it would never end."""
FORMATS = ("", ">9", "<4", "^7", "+d", ",", "05", ".3f", "e", "g", "%", "x", "#b", "o", "c", "s", "r", "n", ".2")
NEVER_CALLED = {
    "__init_subclass__",
    "__reduce__",
    "__reduce_ex__",
    "breakpoint",
    "exit",
    "help",
    "input",
    "open",
    "quit",
}
NEVER_CALLED |= {
    "exec",
    "eval",
    "print",
    "__rpow__",
    "__rlshift__",
    "copyright",
    "credits",
    "license",
    "__import__",
    "__build_class__",
}


def copy_value(value: Any) -> Any:
    """Copy a mutable value, so that each call has its own."""
    return value.copy() if hasattr(value, "copy") else value


def call_with_sample_arguments(function: Any) -> None:
    """Call a function with no argument, each value, each two neighbouring values, and three arguments."""
    singles = ((value,) for value in VALUES)
    for arguments in ((), *singles, *itertools.pairwise(VALUES), (2, 1, 0), ("a", "b", "c"), ("b", 0, 2)):
        with suppress(Exception):
            result = function(*map(copy_value, arguments))
            repr(result)
            if iter(result) is result:  # some iterators are endless
                list(itertools.islice(result, 3))


def exercise_builtins() -> None:
    """Call every method of the values' types, built-in functions, and fast functions of the library."""
    for value in (*VALUES, LARGE_NUMBER, type("Own", (), {"__slots__": ("a",)})()):
        for name in sorted(set(dir(value)) - NEVER_CALLED):
            with suppress(Exception):
                if callable(method := getattr(copy_value(value), name)):
                    call_with_sample_arguments(method)
        for form in FORMATS:
            for format_value in (
                lambda form=form, value=value: format(value, form),
                lambda form=form, value=value: f"%{form}" % value,
            ):
                with suppress(Exception):
                    format_value()
    for module in (builtins, math, itertools, functools, operator, collections):
        for name in sorted(set(vars(module)) - NEVER_CALLED):
            with suppress(Exception):
                call_with_sample_arguments(vars(module)[name])


def exercise_language() -> None:
    """Run the rest of the language: classes, closures, matching, generators, errors with a cause, files."""
    code = """
import json, secrets
class Base:
    total: int = 0
    @property
    def name(self): return self._name
    @name.setter
    def name(self, value): self._name = value
    @classmethod
    def made(cls, *given, **named): return cls()
    @staticmethod
    def plain(): return 1
    def __enter__(self): return self
    def __exit__(self, *_): return True
class Own(Base, metaclass=type):
    __slots__ = ("_name",)
    def __getattr__(self, name): return name
    def __len__(self): return 2
    def __getitem__(self, place): return (1, 2)[place]
    def __add__(self, other): return self
    def __lt__(self, other): return False
    def __hash__(self): return 1
    def __call__(self, /, a=1, *rest, b=2, **more): return super().made(*rest, **more)
own = Own.made(1, a=2)
own.name = "x"
del own._name
sorted([own, Own()]), [*own], {**{"a": own()}}, own + own, own.missing, hash(own), own[0:1], own.name
Made = type("Made", (), {"plain": staticmethod(len)})
def outer(*given: int, last: str = ""):
    count = 0
    def inner():
        nonlocal count
        count += 1
        return count
    while (got := inner()) < 3:
        if got == 2: continue
    else:
        yield from (pair for pair in zip("ab", range(2), strict=True) for _ in "x" if pair)
    try:
        yield given
    finally:
        count = 0
def counted():
    global counter
    counter = 1
    del counter
async def waited(given):
    async with own: await given
    async for each in given: yield [one async for one in given]
type Pair[T] = tuple[T, T]
class Generic[T]: kept: Pair[int] | None = None
@(lambda f: f)
def typed[T](given: T, /, *, more: list[T] = []) -> T: return given
for codec in ("utf-8", "utf-16", "utf-32", "ascii", "latin-1", "utf-8-sig", "cp437", "idna"):
    for how in ("strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "surrogateescape"):
        for signs in ("Ångström \\ud800", "漢 🎲", b"\\xff\\xfe\\xd8a\\x80"):
            try:
                signs.encode(codec, how) if isinstance(signs, str) else signs.decode(codec, how)
            except (LookupError, TypeError, ValueError) as error:
                str(error)
counted(), waited(1), typed(1)
steps = outer(1)
next(steps), steps.send(None), steps.close()
for value in (1, "a", [1, 2], {"a": 1}, own, 2.5, None):
    match value:
        case int() | str(): pass
        case [first, *others]: pass
        case {"a": first, **others}: pass
        case Base(total=0) if value: pass
        case _: pass
wrongs = "1 / 0", "[][1]", "{}['a']", "None.a", "int('x')", "missing", "assert 0", "(1).a = 2", "1 +", "import nowhere"
for wrong in wrongs:
    try:
        exec(wrong)
    except (ArithmeticError, LookupError) as error:
        try:
            raise ValueError(f"{error!r:>10} {value=}") from error
        except* ValueError as group:
            str(group), group.exceptions
    except Exception as error:
        error.add_note("x")
        str(error), repr(error), error.__traceback__.tb_lineno
with own as each, open("basics.json", "w+") as file:
    file.write(json.dumps([1, "a", None, 1.5, {"a": True}], indent=1))
    file.seek(0)
    json.load(file), secrets.randbelow(7), file.tell()
    raise KeyError("left by the context")
with open("basics.json", "w") as file:
    json.dump({"a": [1]}, file)
open("basics.json", "rb").read(), [line for line in open("basics.json")]
lambda *a, **b: (a, b), not own, 1 < 2 < 3, -1 ** 2, 7 // 2 % 3 @ 1 if 0 else ...
"""
    tree: Any = compile(code, "basics", "exec", ONLY_AST_FLAG)  # Pyodide itself compiles a syntax tree, too
    exec(compile(tree, "basics", "exec"), {"__name__": "basics"})


exercise_builtins()
exercise_language()
