"""Small modules that replace large ones in the trimmed library. The unmodified library has Pyodide's own.

Pyodide prepares for features that this site never uses: asyncio, an interactive console, packages that are loaded
later, signatures of JavaScript functions. Half of a start goes into that. Each stub has only the names that Pyodide's C
and JavaScript use when they start and when they call a plain function. The stubs depend on the internals of Pyodide
314: compare them with its `src/py` before an update. If one of the originals has changed, no stub is used. A test
compares all responses with those of an unmodified Pyodide.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from build_scripts.bundle.wasm_file import UnknownFormatError

BUILD_CACHE_MODULE = """
import marshal
from _md5 import md5

VALUES = {}
TEXTS = {}
IS_BUILDING = True

def load_or_compute(text, compute):
    key = md5(text.encode()).digest()[:6]
    if key not in VALUES:
        if not IS_BUILDING:
            return compute()
        VALUES[key] = marshal.dumps(compute())
        TEXTS[key] = text
    assert TEXTS.get(key, text) == text, "two texts with one key"
    return marshal.loads(VALUES[key])
"""
"""A cache of values that Python computes again at every start: methods of dataclasses and compiled patterns.

A key has six bytes, because random bytes can't be compressed. The build fails if two texts have the same key.

The build fills it. `compile.py` rewrites the module with all values and with `IS_BUILDING = False`.
"""

LIBRARY_STUBS = {
    "build_cache.py": BUILD_CACHE_MODULE,
    # The interpreter's C imports it at each start, and uses it to format an error.
    "traceback.py": """
def __getattr__(name):
    import whole_traceback
    return getattr(whole_traceback, name)
""",
    # The interpreter's C imports it, for promises that Python awaits.
    "asyncio/__init__.py": "def get_event_loop(): raise NotImplementedError('no event loop in the trimmed library')\n",
    # The interpreter's C imports it, for functions that are passed to JavaScript. Few other modules inspect functions.
    "inspect.py": """
def iscoroutinefunction(function):
    return bool(getattr(getattr(function, '__code__', None), 'co_flags', 0) & 128)

def __getattr__(name):
    import whole_inspect
    return getattr(whole_inspect, name)
""",
    # Dice need one function. Python's own, from `random`, uses the bytes of the system in the same way.
    "secrets.py": """
from os import urandom

def randbelow(exclusive_upper_bound):
    if exclusive_upper_bound <= 0:
        raise ValueError('Upper bound must be positive.')
    bits = exclusive_upper_bound.bit_length()
    while True:
        number = int.from_bytes(urandom((bits + 7) // 8)) >> -bits % 8
        if number < exclusive_upper_bound:
            return number

def __getattr__(name):
    import whole_secrets
    return getattr(whole_secrets, name)
""",
    # Runs source code and returns the value of its last line. Pyodide's own also dedents, and supports `await`.
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
    # The default signature of JavaScript functions that Python calls. Pyodide's own also reads annotations.
    "_pyodide/jsbind.py": """
from _pyodide_core import JsFuncSignature, js2py_default_call_result, py2js_default

class no_default: ...
def _any(*args, **kwargs): ...
default_signature = JsFuncSignature(
    _any, False, 0, (), (), py2js_default, (), (), (), py2js_default, js2py_default_call_result
)
""",
    # A snapshot requires that these are the first objects of JavaScript that Python holds, in this order.
    "pyodide/__init__.py": "from pyodide_js._api import scheduleCallback\nfrom . import _state\n",
    "pyodide/code.py": "from _pyodide._base import eval_code\n",
    # The folders of packages: JavaScript calls the `__str__` of these objects.
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
    "secrets.py": "277000574358",
    "_pyodide/_base.py": "15e663381565",
    "_pyodide/__init__.py": "de655c159812",
    "_pyodide/docstring.py": "c50fd26c0dac",
    "_pyodide/jsbind.py": "1f6cdda94963",
    "pyodide/__init__.py": "a02eabaa00ee",
    "pyodide/code.py": "58cb66cc8f70",
    "pyodide/_package_loader.py": "66bc0d856252",
}
"""The first digits of the SHA-256 of each original that a stub replaces. Read a changed original before you update its
digest."""

RENAMED_MODULES = {
    "whole_inspect.py": "inspect.py",
    "whole_secrets.py": "secrets.py",
    "whole_traceback.py": "traceback.py",
}
"""Originals that stay in the library under another name, because their stubs import them."""

Patches = dict[str, tuple[tuple[str, str], ...]]
"""For each file, pairs of a text that must occur once and its replacement."""

LIBRARY_PATCHES: Patches = {
    # `inspect` and `annotationlib` are a fifth of a start, and our dataclasses don't need them. The build compiles the
    # source of a dataclass's methods once.
    "dataclasses.py": (
        ("import inspect\n", "from build_cache import load_or_compute\n"),
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
        (
            "exec(txt, self.globals, ns)",
            "exec(load_or_compute(txt, lambda: compile(txt, '<string>', 'exec')), self.globals, ns)",
        ),
    ),
    "urllib/parse.py": (
        ("import ipaddress\n", ""),
        (
            "        ip = ipaddress.ip_address(hostname)",
            "        import ipaddress\n        ip = ipaddress.ip_address(hostname)",
        ),
    ),
    "re/_compiler.py": (
        (
            "def compile(p, flags=0):\n",
            "def compile(p, flags=0):\n"
            "    from build_cache import load_or_compute\n"
            "    parts = load_or_compute(f'{flags} {p!r}', lambda: _parts(p, flags))\n"
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


def replace_library_files_with_stubs(library_files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the library's files with the stubs and the patches.

    Raises `UnknownFormatError` if the original of a stub or patch has changed.
    """
    for name, digest in ORIGINAL_DIGESTS.items():
        own_digest = hashlib.sha256(library_files.get(name, b"")).hexdigest()[:12]
        if own_digest != digest:
            raise UnknownFormatError(f"{name} has changed: its digest is {own_digest}, and the stub is for {digest}")
    renamed = {new: library_files[old] for new, old in RENAMED_MODULES.items()}
    stubs = {name: text.encode() for name, text in LIBRARY_STUBS.items()}
    patched = {
        name: apply_patches(name, library_files[name].decode(), LIBRARY_PATCHES).encode() for name in LIBRARY_PATCHES
    }
    return {**library_files, **renamed, **stubs, **patched}


def apply_patches(file: str, text: str, patches: Patches) -> str:
    """Apply the patches of a file to its text.

    Raises `UnknownFormatError` if a text to replace does not occur exactly once.
    """
    for old, new in patches.get(file, ()):
        if text.count(old) != 1:
            raise UnknownFormatError(f"expected once in {file}: {old!r}")
        text = text.replace(old, new)
    return text
