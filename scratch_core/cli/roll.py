"""`python -m scratch_core roll "d20+3" --against 13`: the faces, the sum part by part, success and the exact chance."""

from __future__ import annotations

import argparse
import json
import sys
from fractions import Fraction

from scratch_core.cli.exit_codes import EXIT_FINE
from scratch_core.dice import (
    Expression,
    Roll,
    SystemRoller,
    chance,
    parse,
    parse_difficulty,
    parse_faces,
    roll,
    roll_recorded,
)
from scratch_core.errors import ScratchError
from scratch_core.figures import Figure, parts_to_dicts

HELP = "roll dice, sum them up, and tell the exact chance of success"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `roll`."""
    parser.add_argument("notation", help="dice, such as d20+3, 4d6kh3 or 'd20+4 vs 13'")
    parser.add_argument("--against", metavar="N", help="the difficulty to reach")
    parser.add_argument("--faces", metavar="F,F", help="faces to replay, in the order thrown, instead of rolling")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Roll and print the result.

    Raises ScratchError, which the caller prints.
    """
    expression = parse(arguments.notation.strip())
    against = expression.difficulty if arguments.against is None else parse_difficulty(arguments.against)
    if arguments.faces is None:
        rolled = roll(expression, SystemRoller(), against)
    else:
        rolled = roll_recorded(expression, parse_faces(arguments.faces), against)
    odds = _compute_chance_or_warn(expression, against)
    print(json.dumps(_roll_to_dict(rolled, odds)) if arguments.json else _format_roll(rolled, odds))
    return EXIT_FINE


def _compute_chance_or_warn(expression: Expression, against: int | None) -> Fraction | None:
    """Compute the chance of success, or print a warning if that would take too long.

    Returns None without a difficulty, and after a warning.
    """
    if against is None:
        return None
    try:
        return chance(expression, against)
    except ScratchError as error:
        print(error.problem.message, file=sys.stderr)
        return None


def _roll_to_dict(rolled: Roll, odds: Fraction | None) -> dict[str, object]:
    check = rolled.check
    return {
        "faces": list(rolled.faces),
        "dice": [{"sides": die.sides, "face": die.face, "kept": die.kept, "why": die.reason} for die in rolled.dice],
        "parts": parts_to_dicts(rolled.parts),
        "total": rolled.total,
        "against": check.difficulty if check else None,
        "success": check.is_success if check else None,
        "automatic": check.automatic if check else None,
        "chance": str(odds) if odds is not None else None,
    }


def _format_roll(rolled: Roll, odds: Fraction | None) -> str:
    lines = ["faces: " + (", ".join(map(str, rolled.faces)) or "none"), Figure("roll", rolled.parts).explanation]
    if rolled.check:
        automatic = " (face 20)" if rolled.check.automatic else ""
        lines.append(
            f"{'success' if rolled.check.is_success else 'failure'} against {rolled.check.difficulty}{automatic}"
        )
    if odds is not None:
        lines.append(f"chance: {odds}")
    return "\n".join(lines)
