"""`python -m scratch_core check FILE`: every problem of the characters in a sheet, and their figures with reasons."""

from __future__ import annotations

import argparse
import json
import sys

from scratch_core.catalogue import Rulings
from scratch_core.characters import (
    SHEET_LIMIT,
    Character,
    Draft,
    Limits,
    Sheet,
    audit,
    read_limits,
    read_sheet,
    to_json,
    weights,
    write_stat_block,
)
from scratch_core.errors import Problem, ScratchError, shown

HELP = "Check the characters of a stat block."

FINE, PROBLEMS, UNUSABLE = 0, 1, 2

_BYTES_LIMIT = 4 * SHEET_LIMIT
"""As many bytes as a sheet of the longest length can need in UTF-8."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a file with one stat block or several; - reads standard input")
    parser.add_argument("--cp", default="10", help="character points that may be spent (10)")
    parser.add_argument("--max-level", default="4", help="the highest level of one ability (4)")
    parser.add_argument(
        "--ruling", action="append", default=[], metavar="NAME=VALUE", help="another ruling, such as strength_base=8"
    )
    parser.add_argument("--json", action="store_true", help="print the sheet as JSON")


def check(arguments: argparse.Namespace) -> int:
    """Check a file: the sheet on standard output, the problems on standard error.

    Gives 0 when nothing is wrong (advice and printed figures that disagree are not wrong), 1 when a character has
    problems, 2 when the input or an argument can't be used. Rules: `create.cp`, `create.max-level`, `char.stat-line`.
    """
    try:
        limits, rulings = _limits(arguments), _rulings(arguments.ruling)
        sheet = read_sheet(_read(arguments.file))
    except ScratchError as error:
        return _say(error.problems, UNUSABLE)
    problems = sheet.problems(limits, rulings)
    if not sheet.is_usable():
        return _say(problems, UNUSABLE)
    print(_json(sheet, problems, rulings) if arguments.json else _text(sheet, rulings))
    has_errors = any(problem.severity == "error" for problem in problems)
    return _say(problems, PROBLEMS if has_errors else FINE)


run = check


def _say(problems: tuple[Problem, ...], code: int) -> int:
    for problem in problems:
        mark = "" if problem.severity == "error" else "advice: "
        rule = f" ({problem.rule})" if problem.rule else ""
        print(_printable(f"{mark}{problem.message}{rule}"), file=sys.stderr)
    return code


def _read(name: str) -> str:
    """The text of a file, or of standard input for `-`. Raises `ScratchError` for what can't be a sheet."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(_BYTES_LIMIT + 1)
        else:
            with open(name, "rb") as file:
                data = file.read(_BYTES_LIMIT + 1)
    except (OSError, ValueError) as error:
        got = getattr(error, "strerror", None) or str(error)
        raise ScratchError(Problem("check.file", "a file that can be read", got.lower(), shown(name))) from None
    where = "standard input" if name == "-" else shown(name)
    if len(data) > _BYTES_LIMIT:
        expected = f"a sheet of {SHEET_LIMIT:,} characters at most"
        raise ScratchError(Problem("sheet.limit.characters", expected, "more", where))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        got = f"byte 0x{data[error.start]:02x} at {error.start}"
        raise ScratchError(Problem("check.encoding", "text in UTF-8", got, where)) from None


def _limits(arguments: argparse.Namespace) -> Limits:
    limits, problems = read_limits(str(arguments.cp), str(arguments.max_level))
    if problems:
        raise ScratchError(*problems)
    return limits


def _rulings(pairs: list[str]) -> Rulings:
    given: dict[str, str | int | bool] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise ScratchError(Problem("check.ruling", "NAME=VALUE", shown(pair), "--ruling"))
        given[name.strip()] = value
    return Rulings.read(given)


def _text(sheet: Sheet, rulings: Rulings) -> str:
    blocks = [_block(draft, draft.character(), rulings) for draft in sheet.drafts if draft.is_readable()]
    return _printable("\n\n".join(blocks))


def _block(draft: Draft, character: Character, rulings: Rulings) -> str:
    figures = character.figures(rulings)
    load = weights(figures["strength"].value)
    lines = [write_stat_block(character, rulings), ""]
    lines += [
        f"{name.replace('-', ' '):13} {figure.why}" for name, figure in (*figures.items(), ("CP", character.cp()))
    ]
    lines.append(f"{'pack all day':13} {load.pack_kg} kg, {load.pack_lb} lb")
    lines.append(f"{'carry a while':13} {load.carry_kg} kg, {load.carry_lb} lb")
    lines.append(f"{'lift or drag':13} {load.lift_kg} kg, {load.lift_lb} lb")
    for found in audit(draft, character, rulings):
        if not found.agrees:
            base = ", as strength_base=8 gives" if found.agrees_with_base_8 else ""
            lines.append(f"printed {found.name} {found.printed}: the rules give {found.computed.value}{base}")
    return "\n".join(lines)


def _json(sheet: Sheet, problems: tuple[Problem, ...], rulings: Rulings) -> str:
    characters = [_record(draft, draft.character(), rulings) for draft in sheet.drafts if draft.is_readable()]
    found = [
        {
            "code": problem.code,
            "severity": problem.severity,
            "expected": problem.expected,
            "got": problem.got,
            "where": problem.where,
            "rule": problem.rule,
        }
        for problem in problems
    ]
    return json.dumps({"characters": characters, "problems": found}, indent=2)


def _record(draft: Draft, character: Character, rulings: Rulings) -> dict[str, object]:
    figures = {**character.figures(rulings), "cp": character.cp()}
    return {
        "character": to_json(character),
        "figures": {
            name: {
                "value": figure.value,
                "parts": [{"what": part.what, "value": part.value, "rule": part.rule} for part in figure.parts],
            }
            for name, figure in figures.items()
        },
        "audit": [
            {
                "name": found.name,
                "printed": found.printed,
                "computed": found.computed.value,
                "agrees": found.agrees,
                "agrees_with_base_8": found.agrees_with_base_8,
            }
            for found in audit(draft, character, rulings)
        ],
    }


def _printable(text: str) -> str:
    """A text that standard output can print, whatever its encoding is."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, errors="replace").decode(encoding)
