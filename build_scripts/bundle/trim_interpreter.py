"""Remove exports and functions that the application never uses from Pyodide's interpreter.

**Exports** are for compiled packages, which we don't load. The WebAssembly file exports 8,560 names, and each is put
into a table, a list and an object at every start. Pyodide's own JavaScript uses fewer than 600 of them. A name stays
exported if

- it is anywhere in `pyodide.asm.mjs` or `pyodide.mjs`, except in the statement that reads the export, or
- the WebAssembly file itself looks it up in the table of global offsets (`GOT.func`, `GOT.mem`), or
- it is neither a function nor a global, but a memory, a table or a tag.

**Functions** that the application does not run are three in five, and half of the code. Each is replaced by a trap
(`unreachable`) with the same number and type. A call of it ends that Python with an error, and the page starts the
unmodified Pyodide and repeats its request. `used_functions.py` finds the functions that stay. Data is not changed.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import textwrap
from collections.abc import Set
from pathlib import Path

from build_scripts.bundle.wasm_file import (
    CODE,
    EXPORTS,
    FUNCTION,
    GLOBAL,
    Export,
    UnknownFormatError,
    build_code_section,
    encode_leb128,
    parse_exports,
    parse_function_bodies,
    parse_imports,
    replace_sections,
)

TRAP_BODY = b"\0\0\x0b"
"""A function body without variables, valid for any type: `unreachable`, `end`."""

_EXPORT_PATTERN = re.compile(
    r'(?<=[;{])(?P<variable>[\w$]+)=Module\["[\w$]+"\]=wasmExports\["(?P<name>[\w$]+)"\](?:\.value>>>0)?(?:;|(?=\}))'
)
_DECLARATION_PATTERN = re.compile(r"var (?P<names>(?:[\w$]+,){500,}[\w$]+)")
_WORD = re.compile(r"[\w$]+")


def drop_unused_exports(script: str, wasm: bytes, other_scripts: str = "") -> tuple[str, bytes]:
    """Remove the exports that no script uses from the script and the WebAssembly file.

    Returns both.

    `other_scripts` is more JavaScript that may use exports. Raises `UnknownFormatError` if the files have another
    structure than those of Pyodide 314.
    """
    variables = {match["name"]: match["variable"] for match in _EXPORT_PATTERN.finditer(script)}
    declaration = _DECLARATION_PATTERN.search(script)
    if len(variables) < 1_000 or declaration is None:
        raise UnknownFormatError("expected thousands of statements that read an export in pyodide.asm.mjs")
    rest = _EXPORT_PATTERN.sub("", script).replace(declaration[0], "")
    offsets = {entry.name for entry in parse_imports(wasm) if entry.module.startswith("GOT.")}
    used_names = {*_WORD.findall(rest), *_WORD.findall(other_scripts), *offsets}

    def is_used(export: Export) -> bool:
        variable = variables.get(export.name, f"_{export.name}")
        return export.kind not in (FUNCTION, GLOBAL) or bool({export.name, variable} & used_names)

    exports = parse_exports(wasm)
    used = [export for export in exports if is_used(export)]
    dropped = {export.name for export in exports} - {export.name for export in used}
    body = encode_leb128(len(used)) + b"".join(export.entry for export in used)
    return _drop_statements(script, declaration, dropped, variables), replace_sections(wasm, {EXPORTS: body})


def _drop_statements(script: str, declaration: re.Match[str], dropped: set[str], variables: dict[str, str]) -> str:
    """Remove the statements and variables of dropped exports from the script."""
    dropped_variables = {variables[name] for name in dropped if name in variables}
    names = [name for name in declaration["names"].split(",") if name not in dropped_variables]
    script = script.replace(declaration[0], f"var {','.join(names)}", 1)
    return _EXPORT_PATTERN.sub(lambda match: "" if match["name"] in dropped else match[0], script)


def stub_unused_functions(wasm: bytes, used_numbers: Set[int]) -> bytes:
    """Replace every function except those of `used_numbers` by a trap.

    A number counts the functions that the file defines, from 0, without imported ones.
    """
    bodies = [body if number in used_numbers else TRAP_BODY for number, body in enumerate(parse_function_bodies(wasm))]
    return replace_sections(wasm, {CODE: build_code_section(bodies)})


def load_kept_function_numbers(functions_file: Path, wasm: bytes) -> frozenset[int]:
    """Load the numbers of the functions that stay from the file `functions_file`.

    Raises `UnknownFormatError` if the file was written for another WebAssembly file.
    """
    content = json.loads(functions_file.read_text(encoding="utf-8"))
    if content["of"] != hashlib.sha256(wasm).hexdigest():
        raise UnknownFormatError(f"{functions_file.name} is for another pyodide.asm.wasm: run `make find-functions`")
    bits = base64.b64decode("".join(content["kept"]))
    return frozenset(number for number in range(8 * len(bits)) if bits[number >> 3] >> (number & 7) & 1)


def save_kept_function_numbers(functions_file: Path, wasm: bytes, kept_numbers: Set[int]) -> None:
    """Write the file `functions_file`: a bit for each function, lowest first, in Base64.

    It also has the digest of the WebAssembly file.
    """
    bits = bytearray(max(kept_numbers) // 8 + 1)
    for number in kept_numbers:
        bits[number >> 3] |= 1 << (number & 7)
    lines = textwrap.wrap(base64.b64encode(bits).decode(), 100)
    content = {"of": hashlib.sha256(wasm).hexdigest(), "kept": lines}
    functions_file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
