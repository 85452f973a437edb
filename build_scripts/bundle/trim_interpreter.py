"""Pyodide's interpreter without what this site never asks of it.

**Exports** that only compiled packages would ask for: we load none. The WebAssembly file exports 8,560 names, and each
is put into a table, a list and an object when it starts. Its own JavaScript names fewer than 600 of them. A name stays
exported when

- it stands anywhere in `pyodide.asm.mjs` or `pyodide.mjs` but in the statement that takes it out of the exports, or
- the WebAssembly file itself looks it up again in the table of global offsets (`GOT.func`, `GOT.mem`), or
- it is no function and no global: memory, table, tag.

**Functions** that nothing here runs or could soon run: three in five, half of the code. Each keeps its place and its
type, and stops at once if it is called (`unreachable`), which ends that Python loudly; the page then starts the
untouched one and asks again. Which functions stay is told by `used_functions.py`. Data is left as it is.
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
    encode_number,
    parse_exports,
    parse_functions,
    parse_imports,
    replace_sections,
)

TRAP_BODY = b"\0\0\x0b"
"""The body of a function of any type without variables: `unreachable`, `end`."""

_EXPORT_PATTERN = re.compile(
    r'(?<=[;{])(?P<variable>[\w$]+)=Module\["[\w$]+"\]=wasmExports\["(?P<name>[\w$]+)"\](?:\.value>>>0)?(?:;|(?=\}))'
)
_DECLARATION_PATTERN = re.compile(r"var (?P<names>(?:[\w$]+,){500,}[\w$]+)")
_WORD = re.compile(r"[\w$]+")


def drop_unused_exports(script: str, wasm: bytes, others: str = "") -> tuple[str, bytes]:
    """The two files without the exports that nothing names; `others` is more JavaScript that may name them.

    Raises `UnknownFormatError` where the files are not built as those of Pyodide 314.
    """
    taken = {match["name"]: match["variable"] for match in _EXPORT_PATTERN.finditer(script)}
    declared = _DECLARATION_PATTERN.search(script)
    if len(taken) < 1_000 or declared is None:
        raise UnknownFormatError("expected thousands of exports taken out one by one in pyodide.asm.mjs")
    rest = _EXPORT_PATTERN.sub("", script).replace(declared[0], "")
    offsets = {each.name for each in parse_imports(wasm) if each.module.startswith("GOT.")}
    named = {*_WORD.findall(rest), *_WORD.findall(others), *offsets}

    def is_kept(export: Export) -> bool:
        variable = taken.get(export.name, f"_{export.name}")
        return export.kind not in (FUNCTION, GLOBAL) or bool({export.name, variable} & named)

    every = parse_exports(wasm)
    kept = [export for export in every if is_kept(export)]
    dropped = {export.name for export in every} - {export.name for export in kept}
    body = encode_number(len(kept)) + b"".join(export.entry for export in kept)
    return _drop_statements(script, declared, dropped, taken), replace_sections(wasm, {EXPORTS: body})


def _drop_statements(script: str, declared: re.Match[str], dropped: set[str], taken: dict[str, str]) -> str:
    """The script without the statements and variables of the dropped exports."""
    variables = {taken[name] for name in dropped if name in taken}
    names = [name for name in declared["names"].split(",") if name not in variables]
    script = script.replace(declared[0], f"var {','.join(names)}", 1)
    return _EXPORT_PATTERN.sub(lambda match: "" if match["name"] in dropped else match[0], script)


def stub_unused_functions(wasm: bytes, kept: Set[int]) -> bytes:
    """The file with the functions of these numbers; every other stops at once. Imported functions are not counted."""
    bodies = [body if place in kept else TRAP_BODY for place, body in enumerate(parse_functions(wasm))]
    return replace_sections(wasm, {CODE: build_code_section(bodies)})


def load_kept_functions(functions: Path, wasm: bytes) -> frozenset[int]:
    """The numbers of the functions that stay, as the file `functions` has them for this very WebAssembly file.

    Raises `UnknownFormatError` for any other.
    """
    held = json.loads(functions.read_text(encoding="utf-8"))
    if held["of"] != hashlib.sha256(wasm).hexdigest():
        raise UnknownFormatError(f"another pyodide.asm.wasm than {functions.name} is about: run `make find-functions`")
    bits = base64.b64decode("".join(held["kept"]))
    return frozenset(place for place in range(8 * len(bits)) if bits[place >> 3] >> (place & 7) & 1)


def save_kept_functions(functions: Path, wasm: bytes, kept: Set[int]) -> None:
    """Write the file `functions`: for this WebAssembly file a bit for each function, lowest first, in Base64."""
    bits = bytearray(max(kept) // 8 + 1)
    for place in kept:
        bits[place >> 3] |= 1 << (place & 7)
    lines = textwrap.wrap(base64.b64encode(bits).decode(), 100)
    held = {"of": hashlib.sha256(wasm).hexdigest(), "kept": lines}
    functions.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
