"""The code that a text names in backticks: files, modules, functions and fields, and where they are."""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Container, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from build_scripts.paths import ROOT
from scratch_core.rulebook import RULES

EXAMPLE = "<!-- example -->"
"""The line before a paragraph, a list or a table whose names are invented."""

SUFFIXES = r"py|mjs|js|css|html|svg|toml|yml|json|md|txt|lock|cff"

_FENCE = re.compile(r"^( *)(`{3,}).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
_EXAMPLE_BLOCK = re.compile(rf"^ *{EXAMPLE}\n\n?(?:.+\n)+", re.MULTILINE)
_TOKEN = re.compile(r"(`+)(.+?)\1", re.DOTALL)
_PATH = re.compile(rf"(?:[\w.<>-]+/)+(?:[\w.<>-]+)?|[\w.<>-]+\.(?:{SUFFIXES})")
_FORMAT = re.compile(r"[a-z-]+/\d+")  # `scratch-scenario/1`
_CALL = re.compile(r"([A-Za-z_][\w.]*)\(.*\)", re.DOTALL)
_MODULE = re.compile(r"python -m ((?:build_scripts|scratch_core|tests)\b[\w.]*).*", re.DOTALL)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_NAME = re.compile(r"#?[A-Za-z_]\w*")
_RULE_PREFIXES = {rule.id.partition(".")[0] for rule in RULES}
_RULE_ID = re.compile(rf"(?:{'|'.join(_RULE_PREFIXES)})(?:\.[a-z0-9-]+)+")
_SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)
_SCRIPT_DEFINITION = (
    r"\b(?:function|class|const|let|get) {name}\b"  # a function, a class, a value
    r"|^ *(?:static |async )*{name}\([^;]*\{{$"  # a method
    r"|^ *(?:static )?{name}(?: =|;|,$)|\b{name}:"  # a field
    r"|[{{,] *{name}(?= *[,}}])"  # a field with the name of its value
)
"""A regular expression of the ways to define a name in a script."""


@dataclass(frozen=True, slots=True)
class NamedCode:
    """A name in backticks."""

    line: int
    """Its line, from 1."""
    name: str
    """The text between the backticks."""


def list_named_code(text: str) -> Iterator[NamedCode]:
    """Yield what a Markdown text names in backticks, outside of fenced blocks and examples."""
    for match in _TOKEN.finditer(_blank(_EXAMPLE_BLOCK, _blank(_FENCE, text))):
        yield NamedCode(text.count("\n", 0, match.start()) + 1, " ".join(match[2].split()))


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """Replace what a pattern finds by as many line ends."""
    return pattern.sub(lambda match: "\n" * match[0].count("\n"), text)


def list_fenced_words(text: str) -> frozenset[str]:
    """List the words of the fenced blocks of a text, whose code a guide adds."""
    return frozenset(re.findall(r"[\w.-]+", " ".join(match[0] for match in _FENCE.finditer(text)))) | frozenset(
        re.findall(r"\w+", " ".join(match[0] for match in _FENCE.finditer(text)))
    )


@cache
def list_files() -> tuple[str, ...]:
    """List the files of the project, from its root, new ones included."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return tuple(name for name in names if (ROOT / name).is_file())


def find_files(path: str) -> list[str]:
    """Find the files whose path is this one or ends with it.

    A part in angle brackets may be any.
    """
    pattern = re.sub(r"<\w+>", "*", path.removeprefix("../")).rstrip("/")
    return [name for name in list_files() if fnmatch(f"/{name}", f"*/{pattern}")]


def has_folder(path: str) -> bool:
    """Return whether a folder of the project has this path, or ends with it."""
    pattern = re.sub(r"<\w+>", "*", path.removeprefix("../")).rstrip("/")
    return any(fnmatch(f"/{name}", f"*/{pattern}/*") for name in list_files())


@cache
def list_names(path: str) -> frozenset[str]:
    """List the names that a file uses in code, not in comments or docstrings."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if not path.endswith(".py"):
        return frozenset(re.findall(r"\w+", _SCRIPT_COMMENT.sub("", text) if path.endswith("js") else text))
    docstrings = {
        node.value.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    words = set[str]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            words.add(token.string)
        elif token.type == tokenize.STRING and not _is_docstring(token.string, docstrings):
            words.update(re.findall(r"\w+", token.string))
    return frozenset(words)


def _is_docstring(literal: str, docstrings: Container[object]) -> bool:
    return literal.startswith(('"""', 'r"""')) and ast.literal_eval(literal) in docstrings


@cache
def list_definitions(path: str) -> frozenset[str]:
    """List the functions, classes, constants and fields that a Python file defines."""
    found = set[str]()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return frozenset(found)


def has_name(path: str, name: str) -> bool:
    """Return whether a file defines a function or a field of this name.

    A type or a plain word need only be used there.
    """
    is_function = re.search("[_#]", name) or re.fullmatch("[a-z]+[A-Z].*", name)
    if not is_function or path.endswith(".html"):
        return name in list_names(path)
    if path.endswith(".py"):
        return name in list_definitions(path)
    text = _SCRIPT_COMMENT.sub("", (ROOT / path).read_text(encoding="utf-8"))
    pattern = _SCRIPT_DEFINITION.format(name=re.escape(name))
    return re.search(pattern, text, re.MULTILINE) is not None


def is_path(name: str) -> bool:
    """Return whether a name in backticks is that of a file or a folder."""
    return _PATH.fullmatch(name) is not None and _FORMAT.fullmatch(name) is None


def is_rule_id(name: str) -> bool:
    """Return whether a name has the form of a rule id."""
    return _RULE_ID.fullmatch(name) is not None and not name.endswith(tuple(f".{each}" for each in SUFFIXES.split("|")))


def is_identifier(name: str) -> bool:
    """Return whether a name is clearly one of code, not a plain word.

    It then has an underscore or a capital letter.
    """
    return _NAME.fullmatch(name) is not None and re.search(r"[A-Z_#]", name) is not None


_CODE = re.compile(r".*\.(?:py|mjs|js|html|toml|yml|css|svg)|Makefile|.*/Makefile")


@cache
def list_all_names() -> frozenset[str]:
    """List the names that any file of code uses.

    The names of the files are among them, also without `test_`.
    """
    code = [path for path in list_files() if _CODE.fullmatch(path) and not path.endswith("/test_named_code.py")]
    modules = (Path(path).stem for path in code)
    return frozenset(name for path in code for name in list_names(path)).union(
        name for stem in modules for name in (stem, stem.removeprefix("test_"))
    )


@cache
def list_all_functions() -> frozenset[str]:
    """List the functions and classes that Python or a script of the project defines."""
    found = set[str]()
    for path in list_files():
        if path.endswith(".py"):
            tree = ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
            found.update(node.name for node in tree if isinstance(node, ast.FunctionDef | ast.ClassDef))
        elif path.endswith(".mjs"):
            found.update(re.findall(r"\b(?:function|class|const) (\w+)", (ROOT / path).read_text(encoding="utf-8")))
    return frozenset(found)


def find_fault(name: str, fenced_words: frozenset[str]) -> str:
    """Find what a name in backticks names and the project lacks, in words.

    Returns "" if the project has it, if it is in a fenced block, or if it is clearly no name of code.
    """
    if is_rule_id(name):
        return "" if name in fenced_words or any(rule.id == name for rule in RULES) else "no rule"
    if is_path(name):
        is_there = find_files(name) or has_folder(name) or Path(name).name in fenced_words
        return "" if is_there else "no file or folder"
    if match := _MODULE.fullmatch(name):
        path = match[1].replace(".", "/")
        return "" if {f"{path}.py", f"{path}/__main__.py"} & set(list_files()) else "no module"
    if match := _CALL.fullmatch(name):
        function = match[1].rpartition(".")[2]
        return "" if function in list_all_functions() or function in fenced_words else "no function"
    if _DOTTED.fullmatch(name) or is_identifier(name):
        parts = name.removeprefix("#").split(".")
        return "" if all(each in list_all_names() or each in fenced_words for each in parts) else "no name in the code"
    return ""
