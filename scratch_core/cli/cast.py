"""`python -m scratch_core cast [NAME]`: the characters that are ready to play, or one of them as a stat block."""

from __future__ import annotations

import argparse
import json
import sys

from scratch_core.cast import CAST, CastMember, format_sheet_with_minions, get_member
from scratch_core.characters import audit_figures
from scratch_core.cli.exit_codes import EXIT_FINE

HELP = "List the characters ready to play, or print one of them as a stat block."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="an id such as the-boss, or a name, in any case")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the cast, or one of its characters with its minions.

    Raises ScratchError for an unknown name, which becomes exit code 2.
    """
    if arguments.name is None:
        print(json.dumps([_member_to_dict(member) for member in CAST], indent=2) if arguments.json else _format_table())
        return EXIT_FINE
    member = get_member(arguments.name)
    if arguments.json:
        print(
            json.dumps(
                {
                    **_member_to_dict(member),
                    "abilities": member.map_abilities_to_levels(),
                    "text": format_sheet_with_minions(member),
                },
                indent=2,
            )
        )
        return EXIT_FINE
    print(format_sheet_with_minions(member))
    for found in audit_figures(member.build_draft(), member.build_character()):
        if not found.agrees:
            rules = f"the rules give {found.computed.value} ({member.misprints[found.name]})"
            print(f"advice: {found.name} was printed as {found.printed}, {rules}", file=sys.stderr)
    return EXIT_FINE


def _member_to_dict(member: CastMember) -> dict[str, object]:
    return {
        "id": member.id,
        "name": member.name,
        "kind": member.kind,
        "claim": {"cp": member.cp, "max_level": member.max_level},
        "minions": list(member.minions),
    }


def _format_table() -> str:
    width = max(len(member.id) for member in CAST)
    return "\n".join(
        f"{member.id:{width}}  {member.kind:9}  {member.cp:2} CP  {member.build_character().description}"
        for member in CAST
    )
