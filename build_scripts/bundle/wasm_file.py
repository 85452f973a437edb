"""The binary form of a WebAssembly file, as far as the interpreter is changed here.

A file is a row of sections, each a number and a body: https://webassembly.github.io/spec/core/binary/modules.html
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

IMPORTS, GLOBALS, EXPORTS, CODE = 2, 6, 7, 10
"""The sections that are read here."""

FUNCTION, TABLE, MEMORY, GLOBAL, TAG = range(5)
"""What an import or an export can be."""

_HEAD = b"\0asm\1\0\0\0"


class UnknownFormatError(Exception):
    """Pyodide's files have another form than this room knows: see which, and mend it, or leave them as they are."""


@dataclass(frozen=True, slots=True)
class Import:
    """An import: its module, its name, its kind (0 to 4)."""

    module: str
    name: str
    kind: int


@dataclass(frozen=True, slots=True)
class Export:
    """An export: its name, its kind (0 to 4), and its entry as bytes."""

    name: str
    kind: int
    entry: bytes


def parse_sections(wasm: bytes) -> list[tuple[int, bytes]]:
    """The file's sections in their order: number and body. Raises `UnknownFormatError` for anything but version 1."""
    if not wasm.startswith(_HEAD):
        raise UnknownFormatError("expected a WebAssembly file of version 1")
    found = []
    at = len(_HEAD)
    while at < len(wasm):
        kind = wasm[at]
        length, start = decode_number(wasm, at + 1)
        at = start + length
        found.append((kind, wasm[start:at]))
    return found


def get_section(wasm: bytes, kind: int) -> bytes:
    """The body of the section of a number; that of an empty list where there is none."""
    return next((body for each, body in parse_sections(wasm) if each == kind), b"\0")


def replace_sections(wasm: bytes, new: dict[int, bytes]) -> bytes:
    """The file with other bodies for some of its sections, by their numbers."""
    parts = ((kind, new.get(kind, body)) for kind, body in parse_sections(wasm))
    return _HEAD + b"".join(bytes([kind]) + add_length_prefix(body) for kind, body in parts)


# Numbers and names


def decode_number(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned number (LEB128) and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def encode_number(value: int) -> bytes:
    """An unsigned number as LEB128."""
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def add_length_prefix(data: bytes) -> bytes:
    """Bytes with their count before them."""
    return encode_number(len(data)) + data


def _decode_name(data: bytes, at: int) -> tuple[str, int]:
    length, at = decode_number(data, at)
    return data[at : at + length].decode(), at + length


# Imports and exports


def parse_imports(wasm: bytes) -> list[Import]:
    """The file's imports. Those of functions come before its own functions in the row that calls count in."""
    body = get_section(wasm, IMPORTS)
    count, at = decode_number(body, 0)
    found = []
    for _ in range(count):
        module, at = _decode_name(body, at)
        name, at = _decode_name(body, at)
        found.append(Import(module, name, body[at]))
        at = _skip_import(body, at)
    return found


def _skip_import(body: bytes, at: int) -> int:
    """The place after what an import is: a type, or the limits of a table or a memory."""
    kind = body[at]
    at += 1
    if kind == FUNCTION:
        return decode_number(body, at)[1]
    if kind == GLOBAL:
        return at + 2
    if kind == TAG:
        return decode_number(body, at + 1)[1]
    if kind == TABLE:
        at += 1
    has_most = body[at] & 1
    _, at = decode_number(body, at + 1)
    return decode_number(body, at)[1] if has_most else at


def parse_exports(wasm: bytes) -> list[Export]:
    """The file's exports."""
    body = get_section(wasm, EXPORTS)
    count, at = decode_number(body, 0)
    found = []
    for _ in range(count):
        start = at
        name, at = _decode_name(body, at)
        kind = body[at]
        _, at = decode_number(body, at + 1)
        found.append(Export(name, kind, body[start:at]))
    return found


# Functions


def parse_functions(wasm: bytes) -> list[bytes]:
    """The body of each function that the file defines: its variables, then its instructions."""
    code = get_section(wasm, CODE)
    count, at = decode_number(code, 0)
    found = []
    for _ in range(count):
        length, at = decode_number(code, at)
        found.append(code[at : at + length])
        at += length
    return found


def build_code_section(bodies: list[bytes]) -> bytes:
    """The section of code with these functions."""
    return encode_number(len(bodies)) + b"".join(map(add_length_prefix, bodies))


def skip_variables(body: bytes) -> int:
    """Where a function's instructions begin."""
    groups, at = decode_number(body, 0)
    for _ in range(groups):
        at = decode_number(body, at)[1] + 1
    return at


_CALL, _TAIL_CALL, _BRANCH_TABLE, _TYPED_SELECT, _PREFIXED = 0x10, 0x12, 0x0E, 0x1C, 0xFC
_OPERANDS = {
    **dict.fromkeys((0x00, 0x01, 0x05, 0x0B, 0x0F, 0x19, 0x1A, 0x1B, 0xD1, *range(0x45, 0xC5)), 0),
    **dict.fromkeys((*range(0x02, 0x05), *range(0x06, 0x0A), 0x0C, 0x0D, 0x18, *range(0x20, 0x27)), 1),
    **dict.fromkeys((_CALL, _TAIL_CALL, 0x3F, 0x40, 0x41, 0x42, 0xD0, 0xD2), 1),
    **dict.fromkeys((0x11, 0x13, *range(0x28, 0x3F)), 2),
}
"""How many numbers follow an instruction."""

_CONSTANTS = {0x43: 4, 0x44: 8}
"""How many bytes follow the instructions that hold a fraction."""

_PREFIXED_OPERANDS = {**dict.fromkeys(range(8), 0), **dict.fromkeys((9, 11, 13, 15, 16, 17), 1)}
_PREFIXED_OPERANDS |= dict.fromkeys((8, 10, 12, 14), 2)
"""The same for the instructions of two numbers, by the second."""


def list_called_functions(body: bytes) -> Iterator[int]:
    """The numbers of the functions that a function calls by name; imported ones count first.

    Raises `UnknownFormatError` at an instruction that is not known here.
    """
    at = skip_variables(body)
    while at < len(body):
        instruction = body[at]
        at += 1
        if instruction in _CONSTANTS:
            at += _CONSTANTS[instruction]
            continue
        if instruction == _PREFIXED:
            second, at = decode_number(body, at)
            operands = _PREFIXED_OPERANDS.get(second)
        elif instruction in (_BRANCH_TABLE, _TYPED_SELECT):
            count, at = decode_number(body, at)
            operands = count + (instruction == _BRANCH_TABLE)
        else:
            operands = _OPERANDS.get(instruction)
        if operands is None:
            raise UnknownFormatError(f"expected an instruction of WebAssembly 2, with exceptions, got {instruction:#x}")
        for _ in range(operands):
            value, at = decode_number(body, at)
            if instruction in (_CALL, _TAIL_CALL):
                yield value
