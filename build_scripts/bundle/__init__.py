"""A trimmed Pyodide for one application: see README.md. Nothing in this package depends on the application."""

from build_scripts.bundle.build import (
    INTERPRETER,
    LIBRARY,
    SNAPSHOT_STEP,
    App,
    SkippedSteps,
    compile_archives,
    copy_interpreter,
    pack_untrimmed,
    write_trimmed_interpreter,
)
from build_scripts.bundle.stdlib_stubs import Patches, apply_patches
from build_scripts.bundle.used_functions import record_used_functions
from build_scripts.bundle.wasm_file import UnknownFormatError

__all__ = [
    "INTERPRETER",
    "LIBRARY",
    "SNAPSHOT_STEP",
    "App",
    "Patches",
    "SkippedSteps",
    "UnknownFormatError",
    "apply_patches",
    "compile_archives",
    "copy_interpreter",
    "pack_untrimmed",
    "record_used_functions",
    "write_trimmed_interpreter",
]
