"""What the commands are given, and how they print: a file's bytes, its text, rulings, and what a terminal can show."""

from __future__ import annotations

import argparse
import sys

from scratch_core.characters import MAX_SHEET_LENGTH
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.scenario import MAX_FILE_SIZE, SAMPLE_SCENARIOS, Scenario, fork, parse_scenario

_MAX_BYTES = 4 * MAX_SHEET_LENGTH
"""As many bytes as a sheet of the longest length can need in UTF-8."""


def load_truncated_bytes(path: str, limit: int) -> bytes:
    """Read at most `limit` bytes of a file, or one more if it is longer.

    `-` is standard input. Raises `ScratchError` (`cli.file`) if it cannot be read.
    """
    try:
        if path == "-":
            return sys.stdin.buffer.read(limit + 1)
        with open(path, "rb") as file:
            return file.read(limit + 1)
    except (OSError, ValueError) as error:
        got = getattr(error, "strerror", None) or str(error)
        raise ScratchError(Problem("cli.file", "a file that can be read", got.lower(), format_input(path))) from None


def load_sheet_text(path: str) -> str:
    """Read the text of a file with a sheet of stat blocks.

    `-` is standard input. Raises `ScratchError`: `cli.file` if it cannot be read, `sheet.limit.characters` if it is too
    long, `cli.encoding` if it is not UTF-8.
    """
    data = load_truncated_bytes(path, _MAX_BYTES)
    if len(data) > _MAX_BYTES:
        expected = f"a sheet of {MAX_SHEET_LENGTH:,} characters at most"
        raise ScratchError(Problem("sheet.limit.characters", expected, "more", format_file_name(path)))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        got = f"byte 0x{data[error.start]:02x} at {error.start}"
        raise ScratchError(Problem("cli.encoding", "text in UTF-8", got, format_file_name(path))) from None


def format_file_name(name: str) -> str:
    """Format a file name for a message.

    `-` is standard input.
    """
    return "standard input" if name == "-" else format_input(name)


def add_ruling_option(parser: argparse.ArgumentParser) -> None:
    """Add the option `--ruling` of a command, which may be repeated."""
    parser.add_argument(
        "--ruling", action="append", default=[], metavar="NAME=VALUE", help="another ruling, such as strength_base=8"
    )


def split_ruling_pairs(name_value_pairs: list[str]) -> dict[str, str | int | bool]:
    """Parse each `NAME=VALUE`. Raises `ScratchError` (`cli.ruling`) for a text without `=`."""
    given: dict[str, str | int | bool] = {}
    for pair in name_value_pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise ScratchError(Problem("cli.ruling", "NAME=VALUE", format_input(pair), "--ruling"))
        given[name.strip()] = value
    return given


def load_scenario(name: str, pairs: list[str]) -> Scenario:
    """Parse the scenario of a file, or a sample scenario, with other rulings.

    `-` is standard input. Raises `ScratchError` if it cannot be read or is no scenario.
    """
    data: str | bytes
    try:
        data = load_truncated_bytes(name, MAX_FILE_SIZE)
    except ScratchError:
        if name not in SAMPLE_SCENARIOS:
            raise
        data = SAMPLE_SCENARIOS[name]
    scenario, rulings = parse_scenario(data), split_ruling_pairs(pairs)
    return fork(scenario, rulings=rulings) if rulings else scenario


def replace_unencodable_characters(text: str) -> str:
    """Replace the characters that standard output cannot encode."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, errors="replace").decode(encoding)
