"""Warnings about fighters that a fight allows although the rules do not."""

from __future__ import annotations

from collections.abc import Sequence

from scratch_core.characters import MAX_MINIONS, command_problems
from scratch_core.encounter.state import Fighter
from scratch_core.errors import Problem


def list_command_limit_warnings(fighters: Sequence[Fighter]) -> tuple[Problem, ...]:
    """Find the leaders whose minions break the rules of command, one warning each.

    Levels count as bought, without a craftsman's bonus (ruling A25). Rules: `command.minions`, `command.cp-limit`,
    `command.no-command`.
    """
    led = {leader.id: [each for each in fighters if each.character.minion_of == leader.id] for leader in fighters}
    return tuple(
        _build_command_limit_warning(leader, led[leader.id])
        for leader in fighters
        if command_problems(leader.character, [each.character for each in led[leader.id]])
    )


def _build_command_limit_warning(leader: Fighter, minions: Sequence[Fighter]) -> Problem:
    """Build the warning about a leader: what is allowed, and what there is."""
    command = leader.character.base_level("command")
    points = sum(each.character.cp().value for each in minions)
    leading = [each.name for each in minions if each.character.base_level("command")]
    allowed = f"at most {MAX_MINIONS} of {_format_count(command, 'point')} together, none with command"
    expected = f"minions of {leader.name} as command {command} gives them, {allowed}"
    if not command:
        expected = f"command for {leader.name}, who has minions"
    got = f"{_format_count(len(minions), 'minion')} of {_format_count(points, 'point')}"
    if leading:
        got += f", command with {' and '.join(leading[:MAX_MINIONS])}"
    rule = command_problems(leader.character, [each.character for each in minions])[0].rule
    facts = {"leader": leader.name}
    return Problem("command.advice", expected, got, "characters", rule, "advice", facts=facts)


def _format_count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
