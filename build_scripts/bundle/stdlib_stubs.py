"""Small modules that stand in for big ones, in the trimmed library alone; the untouched one has Pyodide's own.

Pyodide prepares itself for much that this site never does: code that waits (asyncio), code that is typed in, packages
that are loaded later, signatures of JavaScript's functions. Half of a start goes there. Each text here gives what
Pyodide's C and JavaScript ask for when they start and when they run a plain function, and nothing more. They know
Pyodide 314 from the inside: for another version read its `src/py` beside these. Where one of the originals has changed,
none of this is used. The test that compares all answers with an untouched Pyodide holds them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from build_scripts.bundle.wasm_file import UnknownFormatError

BUILD_CACHE_MODULE = """
import marshal
from _md5 import md5

MADE = {}
IS_BUILDING = True

def made(text, make):
    key = md5(text.encode()).digest()
    if key not in MADE:
        if not IS_BUILDING:
            return make()
        MADE[key] = marshal.dumps(make())
    return marshal.loads(MADE[key])
"""
"""What Python works out anew at every start, though it is the same each time: methods of records, compiled patterns.

The build collects it; `compile.py` writes the module anew, with all of it and with `IS_BUILDING = False`.
"""

LIBRARY_STUBS = {
    "made_before.py": BUILD_CACHE_MODULE,
    # Asked for by the interpreter's C at each start, used when an error is shown.
    "traceback.py": """
def __getattr__(name):
    import whole_traceback
    return getattr(whole_traceback, name)
""",
    # Asked for by the interpreter's C, for promises that Python awaits.
    "asyncio/__init__.py": "def get_event_loop(): raise NotImplementedError('no event loop in the trimmed library')\n",
    # Asked for by the interpreter's C, for functions that JavaScript is handed; a few others look into functions.
    "inspect.py": """
def iscoroutinefunction(asked):
    return bool(getattr(getattr(asked, '__code__', None), 'co_flags', 0) & 128)

def __getattr__(name):
    import whole_inspect
    return getattr(whole_inspect, name)
""",
    # Running a text; the value of its last line is given back. Pyodide's own also dedents and knows `await`.
    "_pyodide/_base.py": """
from _ast import PyCF_ONLY_AST, Expr, Expression

def eval_code(source, globals=None, locals=None):
    globals = {} if globals is None else globals
    tree = compile(source, "<exec>", "exec", PyCF_ONLY_AST)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], Expr) else None
    exec(compile(tree, "<exec>", "exec"), globals, locals)
    return None if last is None else eval(compile(Expression(last.value), "<exec>", "eval"), globals, locals)
""",
    "_pyodide/__init__.py": """
from . import _base, _importhook

def set_excepthook():
    import sys
    sys.excepthook = _show

def _show(*exception):
    import traceback
    traceback.print_exception(*exception)
""",
    "_pyodide/docstring.py": "def get_cmeth_docstring(_): return ''\n",
    # How Python calls a JavaScript function: as plainly as can be. Pyodide's own also reads annotations.
    "_pyodide/jsbind.py": """
from _pyodide_core import JsFuncSignature, js2py_default_call_result, py2js_default

class no_default: ...
def _any(*args, **kwargs): ...
default_signature = JsFuncSignature(
    _any, False, 0, (), (), py2js_default, (), (), (), py2js_default, js2py_default_call_result
)
""",
    # A copy of the memory wants the first objects of JavaScript that Python holds to be these, in this order.
    "pyodide/__init__.py": "from pyodide_js._api import scheduleCallback\nfrom . import _state\n",
    "pyodide/code.py": "from _pyodide._base import eval_code\n",
    # Where packages would be put: JavaScript asks these objects for their `__str__`.
    "pyodide/_package_loader.py": """
from pyodide_js import loadedPackages

class _Folder:
    def __init__(self, path): self.path = path
    def __str__(self): return self.path

SITE_PACKAGES, DSO_DIR = _Folder("/lib/python3.14/site-packages"), _Folder("/usr/lib")
def init_loaded_packages(): ...
""",
}

ORIGINAL_DIGESTS = {
    "traceback.py": "c7057fe0778b",
    "asyncio/__init__.py": "8148552daea8",
    "inspect.py": "dfa331ea130e",
    "_pyodide/_base.py": "15e663381565",
    "_pyodide/__init__.py": "de655c159812",
    "_pyodide/docstring.py": "c50fd26c0dac",
    "_pyodide/jsbind.py": "1f6cdda94963",
    "pyodide/__init__.py": "a02eabaa00ee",
    "pyodide/code.py": "58cb66cc8f70",
    "pyodide/_package_loader.py": "66bc0d856252",
}
"""Of each whole module that is stood in for the first digits of its SHA-256: read a changed one before they are."""

RENAMED_MODULES = {"whole_inspect.py": "inspect.py", "whole_traceback.py": "traceback.py"}
"""Modules of the library that go on under another name, behind their stand-ins."""

Patches = dict[str, tuple[tuple[str, str], ...]]
"""By file: texts that must stand there once, and what stands there instead."""

LIBRARY_PATCHES: Patches = {
    # `inspect` and `annotationlib` are a fifth of a start, and the records of ours ask them nothing that they don't
    # say themselves. The text of a record's methods is compiled once, by the build.
    "dataclasses.py": (
        ("import inspect\n", "from made_before import made\n"),
        ("import annotationlib\n", ""),
        (
            "        Format = annotationlib.Format\n",
            "        import annotationlib\n        Format = annotationlib.Format\n",
        ),
        (
            "annotationlib.get_annotations(\n        cls, format=annotationlib.Format.FORWARDREF)",
            "dict(cls.__annotations__)",
        ),
        (
            "annotationlib.get_annotations(\n        newcls, format=annotationlib.Format.FORWARDREF)",
            "dict(newcls.__annotations__)",
        ),
        (
            "str(inspect.signature(\n"
            "                cls,\n                annotation_format=annotationlib.Format.FORWARDREF,\n"
            "            )).replace(' -> None', '')",
            "''",
        ),
        (
            "        member = inspect.unwrap(member)\n",
            "        while hasattr(member, '__wrapped__'):\n            member = member.__wrapped__\n",
        ),
        ("exec(txt, self.globals, ns)", "exec(made(txt, lambda: compile(txt, '<string>', 'exec')), self.globals, ns)"),
    ),
    "re/_compiler.py": (
        (
            "def compile(p, flags=0):\n",
            "def compile(p, flags=0):\n"
            "    from made_before import made\n"
            "    parts = made(f'{flags} {p!r}', lambda: _parts(p, flags))\n"
            "    return _sre.compile(p if isstring(p) else None, *parts)\n\n"
            "def _parts(p, flags):\n",
        ),
        (
            "    return _sre.compile(\n        pattern, flags | p.state.flags, code,\n        p.state.groups-1,\n"
            "        groupindex, tuple(indexgroup)\n        )\n",
            "    plain = [int(each) for each in code]\n"
            "    return int(flags | p.state.flags), plain, p.state.groups - 1, groupindex, tuple(indexgroup)\n",
        ),
    ),
}


def replace_with_stubs(own: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the library's files with all of that.

    Raises `UnknownFormatError` if a file differs from the one that a patch was written for.
    """
    for name, digest in ORIGINAL_DIGESTS.items():
        found = hashlib.sha256(own.get(name, b"")).hexdigest()[:12]
        if found != digest:
            raise UnknownFormatError(f"{name} is another: its digest is {found}, and ours stands in for {digest}")
    renamed = {new: own[old] for new, old in RENAMED_MODULES.items()}
    small = {name: text.encode() for name, text in LIBRARY_STUBS.items()}
    changed = {name: apply_patches(name, own[name].decode(), LIBRARY_PATCHES).encode() for name in LIBRARY_PATCHES}
    return {**own, **renamed, **small, **changed}


def apply_patches(file: str, text: str, patches: Patches) -> str:
    """A file's text with its patches; raises `UnknownFormatError` where one of them does not fit any more."""
    for old, new in patches.get(file, ()):
        if text.count(old) != 1:
            raise UnknownFormatError(f"expected once in {file}: {old!r}")
        text = text.replace(old, new)
    return text
