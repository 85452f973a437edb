"""Pyodide's interpreter without the exports that only compiled packages would ask for: we load none.

The WebAssembly file exports 8,560 names, and each is put into a table, a list and an object when it starts. Its own
JavaScript names fewer than 600 of them. A name stays exported when

- it stands anywhere in `pyodide.asm.mjs` or `pyodide.mjs` but in the statement that takes it out of the exports, or
- the WebAssembly file itself looks it up again in the table of global offsets (`GOT.func`, `GOT.mem`), or
- it is no function and no global: memory, table, tag.

Code and data are left as they are. The form of the file: https://webassembly.github.io/spec/core/binary/modules.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

HEAD = b"\0asm\1\0\0\0"
_IMPORTS, _EXPORTS = 2, 7
_FUNCTION, _TABLE, _MEMORY, _GLOBAL, _TAG = range(5)

_TAKES_OUT = re.compile(
    r'(?<=[;{])(?P<variable>[\w$]+)=Module\["[\w$]+"\]=wasmExports\["(?P<name>[\w$]+)"\](?:\.value>>>0)?(?:;|(?=\}))'
)
_DECLARES = re.compile(r"var (?P<names>(?:[\w$]+,){500,}[\w$]+)")
_WORD = re.compile(r"[\w$]+")


class UnknownForm(Exception):
    """Pyodide's files have another form than this module knows: see which, and mend it, or leave them as they are."""


@dataclass(frozen=True, slots=True)
class Export:
    """An export: its name, its kind (0 to 4), and its entry as bytes."""

    name: str
    kind: int
    entry: bytes


def lean(script: str, wasm: bytes, others: str = "") -> tuple[str, bytes]:
    """The two files without the exports that nothing names; `others` is more JavaScript that may name them.

    Raises `UnknownForm` where the files are not built as those of Pyodide 314.
    """
    sections = list(_sections(wasm))
    exports = next((_exports(body) for number, body in sections if number == _EXPORTS), [])
    taken = {match["name"]: match["variable"] for match in _TAKES_OUT.finditer(script)}
    declared = _DECLARES.search(script)
    if len(taken) < 1_000 or declared is None:
        raise UnknownForm("expected thousands of exports taken out one by one in pyodide.asm.mjs")
    rest = _TAKES_OUT.sub("", script).replace(declared[0], "")
    named = {*_WORD.findall(rest), *_WORD.findall(others), *_offsets(sections)}

    def is_kept(export: Export) -> bool:
        variable = taken.get(export.name, f"_{export.name}")
        return export.kind not in (_FUNCTION, _GLOBAL) or bool({export.name, variable} & named)

    kept = [export for export in exports if is_kept(export)]
    dropped = {export.name for export in exports} - {export.name for export in kept}
    return _without(script, declared, dropped, taken), _with_exports(sections, kept)


def _without(script: str, declared: re.Match[str], dropped: set[str], taken: dict[str, str]) -> str:
    """The script without the statements and variables of the dropped exports."""
    variables = {taken[name] for name in dropped if name in taken}
    names = [name for name in declared["names"].split(",") if name not in variables]
    script = script.replace(declared[0], f"var {','.join(names)}", 1)
    return _TAKES_OUT.sub(lambda match: "" if match["name"] in dropped else match[0], script)


# The binary form


def _number(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned number (LEB128) and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _written(value: int) -> bytes:
    """An unsigned number as LEB128."""
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def _name(data: bytes, at: int) -> tuple[str, int]:
    length, at = _number(data, at)
    return data[at : at + length].decode(), at + length


def _sections(wasm: bytes) -> Iterator[tuple[int, bytes]]:
    if not wasm.startswith(HEAD):
        raise UnknownForm("expected a WebAssembly file of version 1")
    at = len(HEAD)
    while at < len(wasm):
        number = wasm[at]
        length, start = _number(wasm, at + 1)
        at = start + length
        yield number, wasm[start:at]


def _exports(body: bytes) -> list[Export]:
    count, at = _number(body, 0)
    found = []
    for _ in range(count):
        start = at
        name, at = _name(body, at)
        kind = body[at]
        _, at = _number(body, at + 1)
        found.append(Export(name, kind, body[start:at]))
    return found


def _offsets(sections: list[tuple[int, bytes]]) -> set[str]:
    """The names that the file looks up in the table of global offsets: imports from modules `GOT.…`."""
    body = next((body for number, body in sections if number == _IMPORTS), b"\0")
    count, at = _number(body, 0)
    found = set()
    for _ in range(count):
        module, at = _name(body, at)
        name, at = _name(body, at)
        at = _past_import(body, at)
        if module.startswith("GOT."):
            found.add(name)
    return found


def _past_import(body: bytes, at: int) -> int:
    """The place after what an import is: a type, or the limits of a table or a memory."""
    kind = body[at]
    at += 1
    if kind == _FUNCTION:
        return _number(body, at)[1]
    if kind == _GLOBAL:
        return at + 2
    if kind == _TAG:
        return _number(body, at + 1)[1]
    if kind == _TABLE:
        at += 1
    has_most = body[at] & 1
    _, at = _number(body, at + 1)
    return _number(body, at)[1] if has_most else at


def _with_exports(sections: list[tuple[int, bytes]], exports: list[Export]) -> bytes:
    """The file with other exports."""
    made = _written(len(exports)) + b"".join(export.entry for export in exports)
    parts = [(number, made if number == _EXPORTS else body) for number, body in sections]
    return HEAD + b"".join(bytes([number]) + _written(len(body)) + body for number, body in parts)
