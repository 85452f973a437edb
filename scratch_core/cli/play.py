"""`python -m scratch_core play FILE`: a fight played step by step, its expectations held, its dice filled in."""

from __future__ import annotations

import argparse
import json
import sys

from scratch_core.cli.exit_codes import EXIT_FINE, EXIT_PROBLEMS, EXIT_UNUSABLE
from scratch_core.cli.inputs import add_ruling_option, load_scenario, replace_unencodable_characters
from scratch_core.normalization import isolate_right_to_left
from scratch_core.scenario import SAMPLE_SCENARIOS, ScenarioResult, list_step_rounds, play

HELP = "play a scenario file"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `play`."""
    shipped = ", ".join(SAMPLE_SCENARIOS)
    parser.add_argument("file", metavar="FILE", help=f"a scenario, TOML or JSON; - reads standard input; or {shipped}")
    parser.add_argument("--json", action="store_true", help="print the file with its faces filled in, and what came")
    parser.add_argument("--check", action="store_true", help="hold every expectation; exit 1 if one is not met")
    parser.add_argument("--until", metavar="N", type=int, help="play the first N steps only")
    parser.add_argument("--strict", action="store_true", help="stop at an illegal step, with exit code 1")
    add_ruling_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play a scenario and print it.

    Returns 0 if it was played, 1 after a difference or a strict stop, 2 without a scenario. Raises `ScratchError`,
    which the caller prints. Rules: `turn.encounter`, and all that the steps call for.
    """
    scenario = load_scenario(arguments.file, arguments.ruling)
    played = play(scenario, until=arguments.until, strict=arguments.strict)
    print(
        replace_unencodable_characters(
            json.dumps(played.to_dict(), indent=2) if arguments.json else isolate_right_to_left(_format_fight(played))
        )
    )
    for advice in played.scenario.minion_problems:
        print(replace_unencodable_characters(f"advice: {advice.message} ({advice.rule})"), file=sys.stderr)
    for problem in played.problems:
        print(replace_unencodable_characters(problem.message), file=sys.stderr)
    if played.problems:
        return EXIT_UNUSABLE
    differences = played.differences if arguments.check else ()
    for difference in differences:
        print(replace_unencodable_characters(f"{arguments.file}: {difference.message}"), file=sys.stderr)
    return EXIT_PROBLEMS if differences or played.is_stopped else EXIT_FINE


def _format_other_system_fight(played: ScenarioResult) -> str:
    """Format a fight of another turn system: its beginning, its rounds, and everyone's state."""
    system = played.system
    lines = [played.scenario.title] if played.scenario.title else []
    number = 0
    if played.states[0].phase != "before":
        lines += [played.beginning.narration, f"round {played.states[0].round}"]
        number = played.states[0].round
    for record in played.results:
        lines.append(f"{record.n:4}  {record.narration}")
        if record.state.round > number:
            number = record.state.round
            lines.append(f"round {number}")
    tree = system.state_to_dict(played.final_state)
    for who in played.final_state.fighters:
        words = [f"{path} {tree[path][who.id]}" for path, (kind, _) in system.fighter_paths.items() if kind is int]
        lines.append(f"{who.name}: {', '.join(words)}{', out' if who.out else ''}")
    return "\n".join([*lines, f"winner: {tree['winner']}"] if tree["winner"] else lines)


def _format_fight(played: ScenarioResult) -> str:
    if not played.scenario.drafts:
        return _format_other_system_fight(played)
    lines = [played.scenario.title] if played.scenario.title else []
    if played.opening_state.initiative:
        begun = played.opening_state
        totals = (f"{begun.group_name(each.group)} {each.figure.value}" for each in begun.initiative)
        lines.append(f"initiative: {', '.join(totals)}")
    number = 0
    rounds = list_step_rounds(played.system, played.results, played.states)
    for record, round_number in zip(played.results, rounds, strict=True):
        if record.is_legal and round_number > number:
            number = round_number
            lines.append(f"round {number}")
        lines.append(f"{record.n:4}  {record.narration}")
    hp = ", ".join(f"{who.name} {who.hp} of {who.numbers.max_hp}" for who in played.final_state.fighters)
    lines.append(f"hit points: {hp}")
    if played.final_state.winner:
        lines.append(f"winner: {played.final_state.winner}")
    return "\n".join(lines)
