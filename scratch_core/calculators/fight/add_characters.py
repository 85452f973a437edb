"""Bringing people into a set-up without typing them: kept characters and the cast, or a name and a few levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from scratch_core.calculators.characters_text import chooser
from scratch_core.calculators.characters_text.chooser import (
    EXPECTED_CHARACTER,
    append_stat_blocks,
    copy_characters,
    parse_block_name,
)
from scratch_core.calculators.characters_text.setup_text import format_setup
from scratch_core.calculators.fight.sides import THEM, US
from scratch_core.calculators.shared.form import Form
from scratch_core.cast import format_sheet_with_minions, get_member
from scratch_core.characters import MAX_NAME_LENGTH, clean_line, quote_name_if_needed
from scratch_core.errors import join_words
from scratch_core.scenario import SAMPLE_SCENARIOS, parse_scenario

QUICK_ADD_ABILITIES = ("toughness", "fighting", "wrestling", "shooting")
"""The abilities that someone with just a name can be given, each a control `add_<ability>`."""

CONTROLS = (
    *chooser.CONTROLS,
    *("add_name", "add_side", "add_count", "add_together"),
    *(f"add_{each}" for each in QUICK_ADD_ABILITIES),
)

STORY_FIGHT = "first-fight"
SAMPLE_FIGHTS = {
    "pairs": ("Two of each", "Duellist and Sharpshooter against Bandit and Guard"),
    STORY_FIGHT: ("The fight of Start here", "Wren and Tolk against Gorm"),
}
"""What a first fight may begin with: the title, and who fights."""
_PAIRS_SIDES = (("duellist", "sharpshooter"), ("bandit", "guard"))

MAX_COPIES = 20
MAX_ADDED_LEVEL = 20


def build_added_characters(asked: Form, people: Iterable[str], names: str) -> list[tuple[str, list[str]]]:
    """Who comes in, of the stat blocks of each who was ticked and of whoever has just a name: names and stat blocks.

    `names` is the text of those who are there, none of whose names is given again. Several of one are numbered and
    come without minions. [] where something is wrong. Rules: `char.stat-line`, `turn.group`, `command.minions`.
    """
    fields, noted = asked.fields, len(asked.problems)
    count = parse_number_field(asked, "add_count", 1, MAX_COPIES)
    levels = {each: parse_number_field(asked, f"add_{each}", 0, MAX_ADDED_LEVEL) for each in QUICK_ADD_ABILITIES}
    come, name = list(people), clean_line(fields["add_name"])
    if name or not come:
        if not name or len(name) > MAX_NAME_LENGTH:
            expected = f"a name of {MAX_NAME_LENGTH} characters at most"
            asked.problems.report_value("name.length", expected, name, "add_name", most=MAX_NAME_LENGTH)
        come.append(
            "\n".join((quote_name_if_needed(name), *(f"{level} {each}" for each, level in levels.items() if level)))
        )
        come[-1] += "" if any(levels.values()) else "\n1 toughness"
    if not all(come):
        asked.problems.report("character.unknown", EXPECTED_CHARACTER, "someone else", "add_name")
    return copy_characters(come, count, names) if len(asked.problems) == noted else []


def format_sample_fight(name: str) -> str:
    """The stat blocks of one of `SAMPLE_FIGHTS`, "" for another name."""
    if name == STORY_FIGHT:
        return format_setup(parse_scenario(SAMPLE_SCENARIOS[STORY_FIGHT]))
    us, them = (map(format_sheet_with_minions, map(get_member, side)) for side in _PAIRS_SIDES)
    return append_stat_blocks(append_stat_blocks("", us, US), them, THEM) if name in SAMPLE_FIGHTS else ""


def format_added_message(people: Sequence[tuple[str, Sequence[str]]], count: str, fighting: int) -> str:
    """Say who was added, how many fight now, and whom a leader has brought along.

    As in `Ria and Bo added: 7 in the fight. Ria brings Recruit × 2 along. Select × to remove one.`
    """
    many = int(count.strip() or 1)
    names = join_words([_format_name_and_count(name, many) for name, _ in people])
    said = f"{names} added: {fighting} in the fight." if fighting else f"{names} added."
    led = {name: Counter(map(parse_block_name, blocks[1:])) for name, blocks in people if many == 1}
    brought = [
        f"{name} brings {join_words([_format_name_and_count(*each) for each in minions.items()])} along."
        " Select × to remove one."
        for name, minions in led.items()
        if minions
    ]
    return " ".join((said, *brought))


def _format_name_and_count(name: str, number: int) -> str:
    return f"{name} × {number}" if number > 1 else name


def parse_number_field(asked: Form, control: str, least: int, most: int) -> int:
    """The number in a control, `least` where nothing stands there, or, with a problem, where it is none."""
    return asked.parse_whole_number(control, most, least)
