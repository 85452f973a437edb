"""A Pyodide made small for one application: see README.md. Nothing here knows which application that is."""

from build_scripts.bundle.build import (
    INTERPRETER,
    KEEPING,
    LIBRARY,
    App,
    Left,
    compile_archives,
    copy_interpreter,
    lay_out_interpreter,
    pack_plainly,
)
from build_scripts.bundle.stdlib_stubs import Patches, patched
from build_scripts.bundle.used_functions import find_functions
from build_scripts.bundle.wasm_file import UnknownForm

__all__ = [
    "INTERPRETER",
    "KEEPING",
    "LIBRARY",
    "App",
    "Left",
    "Patches",
    "UnknownForm",
    "compile_archives",
    "copy_interpreter",
    "find_functions",
    "lay_out_interpreter",
    "pack_plainly",
    "patched",
]
