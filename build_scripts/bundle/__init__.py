"""A trimmed Pyodide for one application: see README.md. Nothing in this package depends on the application."""

from build_scripts.bundle.build import (
    BEST_LEVEL,
    FAST_LEVEL,
    INTERPRETER,
    LIBRARY,
    SNAPSHOT_STEP,
    WASM,
    App,
    SkippedSteps,
    compile_trimmed_archives,
    compress_files,
    copy_interpreter,
    repack_zip_uncompressed,
    write_trimmed_interpreter,
    write_untrimmed_archives,
)
from build_scripts.bundle.stdlib_stubs import Patches, apply_patches
from build_scripts.bundle.used_functions import run_and_save_used_functions
from build_scripts.bundle.wasm_file import UnknownFormatError

__all__ = [
    "BEST_LEVEL",
    "FAST_LEVEL",
    "INTERPRETER",
    "LIBRARY",
    "SNAPSHOT_STEP",
    "WASM",
    "App",
    "Patches",
    "SkippedSteps",
    "UnknownFormatError",
    "apply_patches",
    "compile_trimmed_archives",
    "compress_files",
    "copy_interpreter",
    "repack_zip_uncompressed",
    "run_and_save_used_functions",
    "write_trimmed_interpreter",
    "write_untrimmed_archives",
]
