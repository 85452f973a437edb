"""`python -m scratch_core abilities [NAME]`: what each of the fifteen abilities is, and its main use."""

from __future__ import annotations

import argparse
import json

from scratch_core.cli.exit_codes import EXIT_FINE
from scratch_core.rulebook import get_rule
from scratch_core.rulebook.abilities import ABILITIES, Ability, get_ability

HELP = "tell what each ability is and its main use, or all about one"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="an ability, in any case")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print all fifteen abilities, or one of them.

    Raises ScratchError for an unknown name, which becomes exit code 2.
    """
    if arguments.name is None:
        abilities = [_ability_to_dict(each) for each in ABILITIES]
        print(json.dumps(abilities, indent=2, ensure_ascii=False) if arguments.json else _format_table())
        return EXIT_FINE
    one = get_ability(arguments.name)
    print(json.dumps(_ability_to_dict(one), indent=2, ensure_ascii=False) if arguments.json else _format_ability(one))
    return EXIT_FINE


def _ability_to_dict(each: Ability) -> dict[str, object]:
    return {
        "name": each.name,
        "group": each.group,
        "is": each.meaning,
        "use": each.use,
        "adds_to": list(each.actions_added_to),
        "required_by": list(each.actions_requiring),
        "defence": each.defence,
        "terrain": each.terrain,
        "rule": each.main_rule,
        "page": get_rule(each.main_rule).url,
    }


def _format_table() -> str:
    width = max(len(each.name) for each in ABILITIES)
    return "\n".join(f"{each.name:{width}}  {each.use}" for each in ABILITIES)


def _format_ability(each: Ability) -> str:
    rows = {
        "group": each.group,
        "main use": each.use,
        "added to": ", ".join(each.actions_added_to),
        "needed for": ", ".join(each.actions_requiring),
        "defence": each.defence or "",
        "works in": each.terrain,
        "rule": each.main_rule,
    }
    facts = [f"{name:10}  {words}" for name, words in rows.items() if words]
    return "\n".join([each.name, each.meaning, "", *facts])
