"""Minions: who may have them, how many, and how strong they may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scratch_core.characters.character import Character
from scratch_core.characters.draft import CharacterDraft
from scratch_core.characters.raw_character import RawCharacter, clean_line, parse_leading_quote
from scratch_core.characters.stat_block_parser import add_abilities_from_line
from scratch_core.errors import Location, Problem, Problems
from scratch_core.rulebook.abilities import find_ability_name

MAX_MINIONS = 2
"""The maximum number of minions at any level of command. Rule: `command.minions`."""

MINION_LINES = 20
"""The maximum number of lines to parse as minions; two are legal."""

MINION_PIECES = 20
"""The maximum number of abilities to parse from a minion's line."""


def command_problems(
    leader: Character, minions: Sequence[Character], where: str = "minions", places: Sequence[str] = ()
) -> tuple[Problem, ...]:
    """Return every problem between a leader and its minions.

    No minions, or minions that cost less, are no problem (ruling A26). `where` is the place of all minions, `places`
    those of each. Only the bought level of command counts, without a crafter's bonus, because minions are chosen when
    characters are made. Rules: `command.minions`, `command.cp-limit`, `command.no-command`, `command.illustration-4`.
    """
    command = leader.base_level("command")
    if not minions:
        return ()
    if not command:
        expected, got = f"command 1 or more for {leader.name} to have minions", "none"
        return (Problem("command.none", expected, got, where, "command.minions"),)
    problems = Problems()
    if len(minions) > MAX_MINIONS:
        expected, many = "one or two minions", len(minions)
        problems.report("command.many", expected, str(many), where, "command.minions", count=many)
    cp = sum(minion.cp().value for minion in minions)
    if cp > command:
        expected = f"minions of {command} CP together, as command {command} gives"
        problems.report("command.cp", expected, f"{cp} CP", where, "command.cp-limit", cost=cp, command=command)
    for index, minion in enumerate(minions):
        if minion.base_level("command"):
            place = places[index] if index < len(places) else where
            got = f"command {minion.base_level('command')}"
            problems.report("command.chain", "a minion without command", got, place, "command.no-command")
    return tuple(problems)


def parse_minions(text: str, leader: str) -> tuple[tuple[CharacterDraft, ...], tuple[Problem, ...]]:
    """Parse minions, one per line: `2 toughness`, or `Rook: 1 toughness, 3 fighting`.

    Returns their drafts, with the places `line 1` and so on. More than `MINION_LINES` lines are a problem at the place
    `minions`. Rules: `command.minions`, `char.ability-level`.
    """
    numbered = [(number, line) for number, line in enumerate(text.split("\n"), 1) if clean_line(line)]
    if len(numbered) > MINION_LINES:
        expected = f"{MINION_LINES} lines of minions at most"
        return (), (Problem("command.lines", expected, f"{len(numbered):,}", "minions", "command.minions"),)
    return tuple(_parse_minion(clean_line(line), line_number, leader) for line_number, line in numbered), ()


def _parse_minion(line: str, line_number: int, leader: str) -> CharacterDraft:
    where = Location(line=line_number)
    name, colon, levels = line.partition(":")
    if quoted := parse_leading_quote(line):
        name, levels = quoted[0], quoted[1].removeprefix(":")
    elif not colon or find_ability_name(name):
        name, levels = f"Minion {line_number}", line
    faults = Problems()
    raw = add_abilities_from_line(RawCharacter(where=where, where_cp=where), levels, where, faults)
    entries = raw.entries[:MINION_PIECES]
    return replace(CharacterDraft.from_raw(raw), name=name, minion_of=leader, entries=entries, faults=tuple(faults))
