"""Characters added to a set-up without typing stat blocks: saved ones, the cast, or a name with a few levels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scratch_core.calculators.characters_text import chooser
from scratch_core.calculators.characters_text.chooser import (
    EXPECTED_CHARACTER,
    append_stat_blocks,
    copy_characters,
    is_minion_block,
    parse_block_name,
)
from scratch_core.calculators.characters_text.setup_text import format_setup
from scratch_core.calculators.fight.sides import THEM, US
from scratch_core.calculators.shared.request import FieldParser
from scratch_core.cast import format_sheet_with_minions, get_member
from scratch_core.characters import MAX_NAME_LENGTH, clean_line, quote_name_if_needed
from scratch_core.errors import Problems, join_words
from scratch_core.scenario import SAMPLE_SCENARIOS, parse_scenario

QUICK_ADD_ABILITIES = ("toughness", "fighting", "wrestling", "shooting")
"""The abilities that a character with only a name can get, each with a control `add_<ability>`."""

QUICK_ADD_CONTROLS = ("add_name", *(f"add_{each}" for each in QUICK_ADD_ABILITIES))
"""The controls of a character with only a name and a few levels."""

CONTROLS = (*chooser.CONTROLS, "add_side", "add_count", "add_together", *QUICK_ADD_CONTROLS)
"""The names of the controls."""

STORY_FIGHT = "first-fight"
SAMPLE_FIGHTS = {
    "pairs": ("Two of each", "Duellist and Sharpshooter against Bandit and Guard"),
    STORY_FIGHT: ("The fight of Start here", "Wren and Tolk against Gorm"),
}
"""The sample fights of an empty set-up, by name: the title, and who fights."""
_PAIRS_SIDES = (("duellist", "sharpshooter"), ("bandit", "guard"))

MAX_COPIES = 20
"""The most copies of a character that can be added at once."""
MAX_NAMED_MINIONS = 4
"""The most minions of a leader that are named when it is added."""
MAX_ADDED_LEVEL = 20
"""The highest level of an ability of a character with only a name."""


def build_added_characters(
    fields: Mapping[str, str], selected_stat_blocks: Iterable[str], used_names_text: str
) -> tuple[tuple[tuple[str, list[str]], ...], Problems]:
    """Build the stat blocks of the characters that the player adds.

    `selected_stat_blocks` are the stat blocks of each selected character, minions included, or "" for one that doesn't
    exist. A name in the fields adds a character with the levels given there, or with 1 toughness if there are none.
    `used_names_text` is the text of the present characters, whose names are not used again. Several copies of a
    character are numbered, and each has its own minions. Returns the name and the stat blocks of each character, () if
    there is a problem, and the problems. Rules: `char.stat-line`, `turn.group`, `command.minions`.
    """
    parser = FieldParser(fields)
    count = parser.parse_whole_number("add_count", MAX_COPIES, 1)
    levels = {each: parser.parse_whole_number(f"add_{each}", MAX_ADDED_LEVEL) for each in QUICK_ADD_ABILITIES}
    blocks, name, problems = list(selected_stat_blocks), clean_line(fields["add_name"]), parser.problems
    if name or not blocks:
        if not name or len(name) > MAX_NAME_LENGTH:
            expected = f"a name of {MAX_NAME_LENGTH} characters at most"
            problems.report_value("name.length", expected, name, "add_name", most=MAX_NAME_LENGTH)
        blocks.append(
            "\n".join((quote_name_if_needed(name), *(f"{level} {each}" for each, level in levels.items() if level)))
        )
        blocks[-1] += "" if any(levels.values()) else "\n1 toughness"
    if not all(blocks):
        problems.report("character.unknown", EXPECTED_CHARACTER, "someone else", "add_name")
    return () if problems else tuple(copy_characters(blocks, count, used_names_text)), problems


def format_sample_fight(name: str) -> str:
    """Format the stat blocks of a sample fight.

    Returns "" if the name is not one of `SAMPLE_FIGHTS`.
    """
    if name == STORY_FIGHT:
        return format_setup(parse_scenario(SAMPLE_SCENARIOS[STORY_FIGHT]))
    us, them = (map(format_sheet_with_minions, map(get_member, side)) for side in _PAIRS_SIDES)
    return append_stat_blocks(append_stat_blocks("", us, US), them, THEM) if name in SAMPLE_FIGHTS else ""


def format_added_message(people: Sequence[tuple[str, Sequence[str]]], count: str, fighter_count: int) -> str:
    """Format who was added, how many fight now, and the minions of leaders.

    `people` are the names of the characters, each with the stat blocks of all copies and their minions. Example: `Ria
    and Bo added: 7 in the fight. Ria brings Recruit and Recruit 2 along. Select × to remove one.`
    """
    copies = int(count.strip() or 1)
    names = join_words([_format_name_and_count(name, copies) for name, _ in people])
    message = f"{names} added: {fighter_count} in the fight." if fighter_count else f"{names} added."
    verb = "bring" if copies > 1 else "brings"
    minion_sentences = []
    for leader, blocks in people:
        own_minion_blocks = [] if is_minion_block(blocks[0]) else filter(is_minion_block, blocks)
        if minions := [parse_block_name(each) for each in own_minion_blocks]:
            minion_names = join_words(minions) if len(minions) <= MAX_NAMED_MINIONS else f"{len(minions)} minions"
            leaders = _format_name_and_count(leader, copies)
            minion_sentences.append(f"{leaders} {verb} {minion_names} along. Select × to remove one.")
    return " ".join((message, *minion_sentences))


def _format_name_and_count(name: str, number: int) -> str:
    return f"{name} × {number}" if number > 1 else name
