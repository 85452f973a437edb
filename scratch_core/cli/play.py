"""`python -m scratch_core play FILE`: a fight played step by step, its expectations held, its dice filled in."""

from __future__ import annotations

import argparse
import json
import sys

from scratch_core.cli.inputs import printable, scenario_of
from scratch_core.normalization import isolate_right_to_left
from scratch_core.scenario import SHIPPED, Played, play, step_rounds

HELP = "play a scenario file"

PLAYED, DIFFERENT, NO_SCENARIO = 0, 1, 2


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `play`."""
    shipped = ", ".join(SHIPPED)
    parser.add_argument("file", metavar="FILE", help=f"a scenario, TOML or JSON; - reads standard input; or {shipped}")
    parser.add_argument("--json", action="store_true", help="print the file with its faces filled in, and what came")
    parser.add_argument("--check", action="store_true", help="hold every expectation; exit 1 if one is not met")
    parser.add_argument("--until", metavar="N", type=int, help="play the first N steps only")
    parser.add_argument("--strict", action="store_true", help="stop at an illegal step, with exit code 1")
    parser.add_argument(
        "--ruling", action="append", default=[], metavar="NAME=VALUE", help="another ruling, such as strength_base=8"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play and print; 0 played, 1 a difference or a strict stop, 2 no scenario. A `ScratchError` is the caller's.

    Rules: `turn.encounter`, and all that the steps call for.
    """
    scenario = scenario_of(arguments.file, arguments.ruling)
    played = play(scenario, until=arguments.until, strict=arguments.strict)
    print(printable(json.dumps(played.tree(), indent=2) if arguments.json else isolate_right_to_left(_text(played))))
    for advice in played.scenario.advice:
        print(printable(f"advice: {advice.message} ({advice.rule})"), file=sys.stderr)
    for problem in played.problems:
        print(printable(problem.message), file=sys.stderr)
    if played.problems:
        return NO_SCENARIO
    differences = played.differences if arguments.check else ()
    for difference in differences:
        print(printable(f"{arguments.file}: {difference.message}"), file=sys.stderr)
    return DIFFERENT if differences or played.stopped else PLAYED


def _order_text(played: Played) -> str:
    """What came of a fight by another turn order: its beginning, its rounds, and where everyone stands."""
    system = played.system
    lines = [played.scenario.title] if played.scenario.title else []
    number = 0
    if played.states[0].phase != "before":
        lines += [played.beginning.say, f"round {played.states[0].round}"]
        number = played.states[0].round
    for record in played.records:
        lines.append(f"{record.n:4}  {record.say}")
        if record.state.round > number:
            number = record.state.round
            lines.append(f"round {number}")
    tree = system.state_tree(played.final)
    for who in system.fighters(played.final):
        words = [f"{path} {tree[path][who.id]}" for path, (kind, _) in system.paths.items() if kind is int]
        lines.append(f"{who.name}: {', '.join(words)}{', out' if who.out else ''}")
    return "\n".join([*lines, f"winner: {tree['winner']}"] if tree["winner"] else lines)


def _text(played: Played) -> str:
    if not played.scenario.drafts:
        return _order_text(played)
    lines = [played.scenario.title] if played.scenario.title else []
    if played.begun.initiative:
        begun = played.begun
        totals = (f"{begun.group_name(each.group)} {each.figure.value}" for each in begun.initiative)
        lines.append(f"initiative: {', '.join(totals)}")
    number = 0
    rounds = step_rounds(played.system, played.records, played.states)
    for record, round_number in zip(played.records, rounds, strict=True):
        if record.legal and round_number > number:
            number = round_number
            lines.append(f"round {number}")
        lines.append(f"{record.n:4}  {record.say}")
    hp = ", ".join(f"{who.name} {who.hp} of {who.numbers.max_hp}" for who in played.final.fighters)
    lines.append(f"hit points: {hp}")
    if played.final.winner:
        lines.append(f"winner: {played.final.winner}")
    return "\n".join(lines)
