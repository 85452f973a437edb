"""`python -m scratch_core odds FIRST SECOND`: who wins a duel when both do the best they can, exactly.

With `--groups FILE` a fight of any number is played out.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import time
from dataclasses import asdict
from typing import Any, Literal

from scratch_core.calculators.odds import build_duel_scenario_data, parse_single_character
from scratch_core.cast import get_member
from scratch_core.cli.exit_codes import EXIT_FINE
from scratch_core.cli.inputs import (
    add_ruling_option,
    format_file_name,
    load_scenario,
    load_sheet_text,
    replace_unencodable_characters,
    split_ruling_pairs,
)
from scratch_core.dice import SystemRoller
from scratch_core.encounter.actions import ACTION_TITLES
from scratch_core.encounter.state import SURROUNDINGS, Fighter
from scratch_core.errors import Location, Problem, Problems, ScratchError, format_input
from scratch_core.normalization import isolate_right_to_left
from scratch_core.odds import (
    ESCAPES,
    ORDERS,
    TOLERANCE,
    Duel,
    Order,
    RatedAction,
    Tally,
    choose_sensible_action,
    tally_playouts,
)
from scratch_core.rulebook import RulingSettings
from scratch_core.scenario import Scenario, play, scenario_from_dict

HELP = "Tell who wins a duel when both choose the best they can, or a fight of groups, played out."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `odds`."""
    what = "a stat block's file; - reads standard input; or a name of the cast, such as chokestar"
    parser.add_argument("first", metavar="FIRST", nargs="?", help=what)
    parser.add_argument(
        "second", metavar="SECOND", nargs="?", help="the same for the other one; the same twice is a mirror"
    )
    parser.add_argument("--groups", metavar="FILE", help="play a scenario's fight out instead, over and over")
    parser.add_argument("--fights", metavar="N", type=int, help="how often (1000)")
    parser.add_argument("--here", metavar="WORDS", help=f"the ground of both: {', '.join(SURROUNDINGS)} (level)")
    parser.add_argument(
        "--escape", choices=ESCAPES, default="draw", help="an escape has no winner (draw), or is lost (loss)"
    )
    add_ruling_option(parser)
    parser.add_argument("--seconds", metavar="N", help="stop after so long and tell what is known by then")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Solve and print, with exit code 0. Raises `ScratchError`, which the caller prints.

    Rules: `turn.order`, `turn.initiative-roll`, and those of every action of the basic rules.
    """
    if arguments.groups:
        print(replace_unencodable_characters(isolate_right_to_left(_play_out_groups_and_format(arguments))))
        return EXIT_FINE
    if arguments.second is None:
        raise ScratchError(Problem("odds.second", "two fighters, or --groups FILE", "fewer", "FIRST SECOND"))
    here = None if arguments.here is None else _parse_surroundings(arguments.here)
    seconds = None if arguments.seconds is None else _parse_seconds(arguments.seconds)
    scenario, first, second = _load_duel(arguments.first, arguments.second, here, arguments.ruling)
    duel = Duel(first, second, rulings=scenario.rulings, escape=arguments.escape)
    _bound_and_solve_within_seconds(duel, seconds)
    print(
        replace_unencodable_characters(
            json.dumps(_duel_to_dict(duel), indent=2) if arguments.json else isolate_right_to_left(_format_duel(duel))
        )
    )
    return EXIT_FINE


def _bound_and_solve_within_seconds(duel: Duel, seconds: float | None) -> None:
    """Solve a duel, or compute bounds first if there are only so many seconds."""
    if seconds is None:
        duel.solve()
        return
    until = time.monotonic() + seconds
    for pieces in (duel.bound_chances_in_steps(), duel.solve_in_steps()):
        for _ in pieces:
            if time.monotonic() >= until:
                return


# A fight of groups


def _play_out_groups_and_format(arguments: argparse.Namespace) -> str:
    """Play out a scenario's fight many times and format how often each side wins.

    Dice that the file does not give are rolled each time.
    """
    scenario, dice = load_scenario(arguments.groups, arguments.ruling), SystemRoller()
    tally, fights = Tally(0, {}), 1000 if arguments.fights is None else arguments.fights
    if not scenario.drafts or scenario.initial_state.board is not None:
        raise ScratchError(Problem("odds.groups", "a fight by the basic rules without a board", "another", "--groups"))
    if fights < 1:
        raise ScratchError(Problem("odds.fights", "a number of fights, at least 1", str(fights), "--fights"))
    for _ in range(fights):
        played = play(scenario, dice)
        if played.problems or played.final_state.phase == "over":
            raise ScratchError(
                *played.problems or [Problem("odds.over", "a fight that is not over", "its end", "--groups")]
            )
        state = played.last_state_with_order
        tally = tally_playouts(state, dict.fromkeys(state.sides, choose_sensible_action), dice, 1, tally)
    sides = state.sides
    results = {side: {"wins": tally.wins.get(side, 0), "between": tally.confidence_interval(side)} for side in sides}
    if arguments.json:
        return json.dumps({"fights": fights, "sides": results, "nobody": fights - sum(tally.wins.values())}, indent=2)
    shares = [
        f"{side} {_format_percent(low)} to {_format_percent(high)}"
        for side in sides
        for low, high in (tally.confidence_interval(side),)
    ]
    return f"Of {fights} fights played out, in 95 of 100 such samples, these win: {', '.join(shares)}."


# Input


def _load_duel(
    first_name: str, second_name: str, surroundings: list[str] | None, ruling_pairs: list[str]
) -> tuple[Scenario, Fighter, Fighter]:
    """Load two fighters with distinct ids, and the scenario that they make up.

    Raises `ScratchError` with every problem of both.
    """
    found: dict[str, dict[str, Any]] = {}
    problems = Problems()
    for name in dict.fromkeys((first_name, second_name)):
        try:
            found[name] = parse_single_character(_load_stat_block(name), format_file_name(name))
        except ScratchError as error:
            problems += error.problems
    problems.raise_if_any()
    given = split_ruling_pairs(ruling_pairs)
    switches = asdict(RulingSettings.from_dict(given)) if given else {}
    tree = build_duel_scenario_data(
        [found[first_name], found[second_name]],
        [found[first_name]["name"], found[second_name]["name"]],
        surroundings or (),
    )
    try:
        scenario = scenario_from_dict({**tree, "rulings": switches})
    except ScratchError as error:
        for problem in error.problems:
            path = problem.location.path
            if path[:2] in (("characters", 0), ("characters", 1)):  # the name of the file says more than a number
                name = second_name if path[1] else first_name
                problems.append(problem.with_location(Location(format_file_name(name), *path[2:])))
            else:
                problems.append(problem)
        raise ScratchError(*problems) from None
    first, second = scenario.fighters
    return scenario, first, second


def _load_stat_block(name: str) -> str:
    """Load a stat block from a file or the cast.

    A member of the cast comes without its minions; a file of that name has precedence. `-` is standard input.
    """
    try:
        return load_sheet_text(name)
    except ScratchError as error:
        if error.code != "cli.file":
            raise
        try:
            return get_member(name).block
        except ScratchError as unknown:
            raise ScratchError(*error.problems, *unknown.problems) from None


def _parse_surroundings(text: str) -> list[str]:
    words = [each for each in re.split(r"[\s,]+", text.lower()) if each]
    if not words or not set(words) <= set(SURROUNDINGS):
        expected = f"words among {', '.join(SURROUNDINGS)}"
        facts = {"words": ", ".join(SURROUNDINGS)}
        raise ScratchError(Problem("odds.here", expected, format_input(text), "--here", "move.terrain", facts=facts))
    return list(dict.fromkeys(words))


def _parse_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise ScratchError(Problem("odds.seconds", "a number of seconds above 0", format_input(text), "--seconds"))
    return seconds


# Output


def _duel_to_dict(duel: Duel) -> dict[str, Any]:
    """Convert a duel to the chances of each order, and both opening actions.

    Chances that are not exact are pairs of bounds.
    """
    chances: dict[str, Any] = {}
    for order in ORDERS:
        chances[order] = {
            name: (each["low"], each["high"]) for name, each in asdict(duel.win_probabilities(order)).items()
        }
        if duel.is_solved:
            chances[order] = {name: low for name, (low, _) in chances[order].items()}
    best = {order: _opening_to_dict(duel.find_opening_if_solved(order)) for order in ("first", "second")}
    return {**chances, "best": best, "exact": duel.is_solved, "tolerance": TOLERANCE}


def _opening_to_dict(choice: RatedAction | None) -> dict[str, Any] | None:
    """Convert an opening action, with `first`, `second` or None as its target.

    Returns None while it is not known.
    """
    if choice is None or choice.action is None:
        return None
    step = choice.action.to_step()
    target = step.get("target") or next(iter(choice.action.targets), None)
    return {"do": step["do"], "with": step.get("with"), "target": target, "value": choice.value}


def _format_duel(duel: Duel) -> str:
    """Format a sentence for each order, and one for both, weighed by initiative."""
    one, other = duel.first.name, duel.second.name
    lines = [
        f"If {one} has the first turn, {_format_chances(duel, 'first')}{_format_best_opening_action(duel, 'first')}.",
        f"If {other} has it, {_format_chances(duel, 'second')}{_format_best_opening_action(duel, 'second')}.",
        f"The dice give it to {one} in {_format_percent(float(duel.first_begins))} of all fights; "
        f"all in all {_format_chances(duel, 'initiative')}.",
    ]
    return "\n".join(lines)


def _format_chances(duel: Duel, order: Order) -> str:
    chances = duel.win_probabilities(order)
    first, second, nobody = (
        _format_percent(each.low)
        if each.low == each.high
        else f"between {_format_percent(each.low)} and {_format_percent(each.high)}"
        for each in (chances.first_wins, chances.second_wins, chances.nobody)
    )
    return f"{duel.first.name} wins {first}, {duel.second.name} {second} and no one {nobody} of the fights"


def _format_percent(chance: float) -> str:
    return f"{100 * chance:.1f} %"


def _format_best_opening_action(duel: Duel, order: Literal["first", "second"]) -> str:
    choice = duel.find_opening_if_solved(order)
    if choice is None or choice.action is None:
        return ""
    step = choice.action.to_step()
    with_what = f" with {step['with']}" if step.get("with") not in (None, "none", []) else ""
    return f", opening with {ACTION_TITLES[choice.action.do]}{with_what}"
