"""`python -m scratch_core check FILE`: every problem of the characters in a sheet, and their figures with reasons."""

from __future__ import annotations

import argparse
import json
import sys

from scratch_core.characters import (
    Character,
    CharacterDraft,
    audit_figures,
    character_to_dict,
    compute_weights,
    format_stat_block,
    parse_limits,
    parse_sheet,
)
from scratch_core.cli.exit_codes import EXIT_FINE, EXIT_PROBLEMS, EXIT_UNUSABLE
from scratch_core.cli.inputs import (
    add_ruling_option,
    load_sheet_text,
    replace_unencodable_characters,
    split_ruling_pairs,
)
from scratch_core.errors import Problem, ScratchError, has_errors
from scratch_core.figures import parts_to_dicts
from scratch_core.rulebook import RulingSettings

HELP = "Check the characters of a stat block."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a file with one stat block or several; - reads standard input")
    parser.add_argument("--cp", default="10", help="character points that may be spent (10)")
    parser.add_argument("--max-level", default="4", help="the highest level of one ability (4)")
    add_ruling_option(parser)
    parser.add_argument("--json", action="store_true", help="print the sheet as JSON")


def check_characters(arguments: argparse.Namespace) -> int:
    """Check a file: the sheet on standard output, the problems on standard error.

    Gives 0 when nothing is wrong (advice and printed figures that disagree are not wrong), 1 when a character has
    problems, 2 when the input or an argument can't be used. Rules: `create.cp`, `create.max-level`, `char.stat-line`.
    """
    try:
        limits, wrong = parse_limits(str(arguments.cp), str(arguments.max_level))
        if wrong:
            raise ScratchError(*wrong)
        rulings = RulingSettings.from_dict(split_ruling_pairs(arguments.ruling))
        sheet = parse_sheet(load_sheet_text(arguments.file))
    except ScratchError as error:
        return _print_problems(error.problems, EXIT_UNUSABLE)
    problems = sheet.problems(limits, rulings)
    if not sheet.has_abilities_and_no_sheet_faults():
        return _print_problems(problems, EXIT_UNUSABLE)
    readable = [(draft, draft.build_character()) for draft in sheet.drafts if draft.can_build_character()]
    if arguments.json:
        records = [_draft_to_dict(draft, character, rulings) for draft, character in readable]
        keys = ("code", "severity", "expected", "got", "where", "rule")
        found = [{key: getattr(problem, key) for key in keys} for problem in problems]
        print(json.dumps({"characters": records, "problems": found}, indent=2))
    else:
        print(
            replace_unencodable_characters(
                "\n\n".join(_format_character(draft, character, rulings) for draft, character in readable)
            )
        )
    return _print_problems(problems, EXIT_PROBLEMS if has_errors(problems) else EXIT_FINE)


run = check_characters


def _print_problems(problems: tuple[Problem, ...], exit_code: int) -> int:
    for problem in problems:
        mark = "" if problem.severity == "error" else "advice: "
        rule = f" ({problem.rule})" if problem.rule else ""
        print(replace_unencodable_characters(f"{mark}{problem.message}{rule}"), file=sys.stderr)
    return exit_code


def _format_character(draft: CharacterDraft, character: Character, rulings: RulingSettings) -> str:
    figures = character.figures(rulings)
    load = compute_weights(figures["strength"].value)
    lines = [format_stat_block(character, rulings), ""]
    lines += [
        f"{name.replace('-', ' '):13} {figure.explanation}"
        for name, figure in (*figures.items(), ("CP", character.cp()))
    ]
    lines.append(f"{'pack all day':13} {load.pack_kg} kg, {load.pack_lb} lb")
    lines.append(f"{'carry a while':13} {load.carry_kg} kg, {load.carry_lb} lb")
    lines.append(f"{'lift or drag':13} {load.lift_kg} kg, {load.lift_lb} lb")
    for found in audit_figures(draft, character, rulings):
        if not found.agrees:
            base = ", as strength_base=8 gives" if found.agrees_with_base_8 else ""
            lines.append(f"printed {found.name} {found.printed}: the rules give {found.computed.value}{base}")
    return "\n".join(lines)


def _draft_to_dict(draft: CharacterDraft, character: Character, rulings: RulingSettings) -> dict[str, object]:
    figures = {**character.figures(rulings), "cp": character.cp()}
    return {
        "character": character_to_dict(character),
        "figures": {
            name: {
                "value": figure.value,
                "parts": parts_to_dicts(figure.parts),
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
            for found in audit_figures(draft, character, rulings)
        ],
    }
