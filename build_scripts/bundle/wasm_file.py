"""The binary format of a WebAssembly file, as far as this package changes the interpreter.

A file is a sequence of sections, each a number and a body:
https://webassembly.github.io/spec/core/binary/modules.html
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

IMPORTS, GLOBALS, EXPORTS, CODE = 2, 6, 7, 10
"""The numbers of the sections that this module reads."""

FUNCTION, TABLE, MEMORY, GLOBAL, TAG = range(5)
"""The kinds of imports and exports."""

_HEAD = b"\0asm\1\0\0\0"


class UnknownFormatError(Exception):
    """Pyodide's files have a format that this package does not know.

    Update the step that raises it, or leave the file unmodified.
    """


@dataclass(frozen=True, slots=True)
class Import:
    """An import of a WebAssembly file."""

    module: str
    """The name of the module that provides it."""
    name: str
    """Its name in that module."""
    kind: int
    """What it is, 0 to 4: `FUNCTION` to `TAG`."""


@dataclass(frozen=True, slots=True)
class Export:
    """An export of a WebAssembly file."""

    name: str
    """Its name."""
    kind: int
    """What it is, 0 to 4: `FUNCTION` to `TAG`."""
    entry: bytes
    """Its entry in the section of exports."""


def parse_sections(wasm: bytes) -> list[tuple[int, bytes]]:
    """Parse the file's sections into pairs of number and body, in their order.

    Raises `UnknownFormatError` for any version but 1.
    """
    if not wasm.startswith(_HEAD):
        raise UnknownFormatError("expected a WebAssembly file of version 1")
    sections = []
    offset = len(_HEAD)
    while offset < len(wasm):
        kind = wasm[offset]
        length, start = decode_leb128(wasm, offset + 1)
        offset = start + length
        sections.append((kind, wasm[start:offset]))
    return sections


def get_section_body_or_empty_vector(wasm: bytes, section_number: int) -> bytes:
    """Return the body of a section by its number.

    Returns the body of an empty list if the file has no such section.
    """
    return next((body for number, body in parse_sections(wasm) if number == section_number), b"\0")


def replace_sections(wasm: bytes, new: dict[int, bytes]) -> bytes:
    """Return the file with the bodies of some sections replaced, by their numbers."""
    parts = ((kind, new.get(kind, body)) for kind, body in parse_sections(wasm))
    return _HEAD + b"".join(bytes([kind]) + add_length_prefix(body) for kind, body in parts)


# Numbers and names


def decode_leb128(data: bytes, offset: int) -> tuple[int, int]:
    """Decode an unsigned number (LEB128), and return it with the offset after it."""
    value = shift = 0
    while True:
        byte = data[offset]
        offset += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, offset


def encode_leb128(value: int) -> bytes:
    """Encode an unsigned number as LEB128."""
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])


def add_length_prefix(data: bytes) -> bytes:
    """Return bytes with their number in front of them."""
    return encode_leb128(len(data)) + data


def _decode_name(data: bytes, offset: int) -> tuple[str, int]:
    length, offset = decode_leb128(data, offset)
    return data[offset : offset + length].decode(), offset + length


# Imports and exports


def parse_imports(wasm: bytes) -> list[Import]:
    """Parse the file's imports.

    The numbers in calls count imported functions first, then the file's own.
    """
    body = get_section_body_or_empty_vector(wasm, IMPORTS)
    count, offset = decode_leb128(body, 0)
    imports = []
    for _ in range(count):
        module, offset = _decode_name(body, offset)
        name, offset = _decode_name(body, offset)
        imports.append(Import(module, name, body[offset]))
        offset = _find_import_end(body, offset)
    return imports


def _find_import_end(body: bytes, offset: int) -> int:
    """Return the offset after an import's description.

    It is a type, or the limits of a table or a memory.
    """
    kind = body[offset]
    offset += 1
    if kind == FUNCTION:
        return decode_leb128(body, offset)[1]
    if kind == GLOBAL:
        return offset + 2
    if kind == TAG:
        return decode_leb128(body, offset + 1)[1]
    if kind == TABLE:
        offset += 1
    has_most = body[offset] & 1
    _, offset = decode_leb128(body, offset + 1)
    return decode_leb128(body, offset)[1] if has_most else offset


def parse_exports(wasm: bytes) -> list[Export]:
    """Parse the file's exports."""
    body = get_section_body_or_empty_vector(wasm, EXPORTS)
    count, offset = decode_leb128(body, 0)
    exports = []
    for _ in range(count):
        start = offset
        name, offset = _decode_name(body, offset)
        kind = body[offset]
        _, offset = decode_leb128(body, offset + 1)
        exports.append(Export(name, kind, body[start:offset]))
    return exports


# Functions


def parse_function_bodies(wasm: bytes) -> list[bytes]:
    """Parse the body of each function that the file defines: its variables, then its instructions."""
    code = get_section_body_or_empty_vector(wasm, CODE)
    count, offset = decode_leb128(code, 0)
    bodies = []
    for _ in range(count):
        length, offset = decode_leb128(code, offset)
        bodies.append(code[offset : offset + length])
        offset += length
    return bodies


def build_code_section(bodies: list[bytes]) -> bytes:
    """Build the body of the code section from the bodies of functions."""
    return encode_leb128(len(bodies)) + b"".join(map(add_length_prefix, bodies))


def find_first_instruction_offset(body: bytes) -> int:
    """Return the offset of a function's first instruction."""
    groups, offset = decode_leb128(body, 0)
    for _ in range(groups):
        offset = decode_leb128(body, offset)[1] + 1
    return offset


_CALL, _TAIL_CALL, _BRANCH_TABLE, _TYPED_SELECT, _PREFIXED = 0x10, 0x12, 0x0E, 0x1C, 0xFC
_OPERANDS = {
    **dict.fromkeys((0x00, 0x01, 0x05, 0x0B, 0x0F, 0x19, 0x1A, 0x1B, 0xD1, *range(0x45, 0xC5)), 0),
    **dict.fromkeys((*range(0x02, 0x05), *range(0x06, 0x0A), 0x0C, 0x0D, 0x18, *range(0x20, 0x27)), 1),
    **dict.fromkeys((_CALL, _TAIL_CALL, 0x3F, 0x40, 0x41, 0x42, 0xD0, 0xD2), 1),
    **dict.fromkeys((0x11, 0x13, *range(0x28, 0x3F)), 2),
}
"""The number of operands of each instruction, which are LEB128 numbers."""

_CONSTANTS = {0x43: 4, 0x44: 8}
"""The number of bytes that follow the instructions of floating-point constants."""

_PREFIXED_OPERANDS = {**dict.fromkeys(range(8), 0), **dict.fromkeys((9, 11, 13, 15, 16, 17), 1)}
_PREFIXED_OPERANDS |= dict.fromkeys((8, 10, 12, 14), 2)
"""The number of operands of the instructions that consist of two numbers, by the second."""


def list_called_function_numbers(body: bytes) -> Iterator[int]:
    """Yield the numbers of the functions that a function calls by name.

    The numbers count imported functions first.

    Raises `UnknownFormatError` for an unknown instruction.
    """
    offset = find_first_instruction_offset(body)
    while offset < len(body):
        instruction = body[offset]
        offset += 1
        if instruction in _CONSTANTS:
            offset += _CONSTANTS[instruction]
            continue
        if instruction == _PREFIXED:
            second, offset = decode_leb128(body, offset)
            operands = _PREFIXED_OPERANDS.get(second)
        elif instruction in (_BRANCH_TABLE, _TYPED_SELECT):
            count, offset = decode_leb128(body, offset)
            operands = count + (instruction == _BRANCH_TABLE)
        else:
            operands = _OPERANDS.get(instruction)
        if operands is None:
            raise UnknownFormatError(f"expected an instruction of WebAssembly 2, with exceptions, got {instruction:#x}")
        for _ in range(operands):
            value, offset = decode_leb128(body, offset)
            if instruction in (_CALL, _TAIL_CALL):
                yield value
