"""Bringing people into a set-up without typing them: kept characters and the cast, or a name and a few levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from scratch_core.calculators.characters_text import chooser
from scratch_core.calculators.characters_text.chooser import UNKNOWN, beside, each_of, name_of
from scratch_core.calculators.characters_text.setup_text import write_setup
from scratch_core.calculators.fight.sides import THEM, US
from scratch_core.calculators.shared.form import Form
from scratch_core.cast import get_member, sheet_of
from scratch_core.characters import MAX_NAME_LENGTH, format_name, tidy
from scratch_core.errors import format_input, join_words
from scratch_core.scenario import SAMPLE_SCENARIOS, parse_scenario

LEVELS = ("toughness", "fighting", "wrestling", "shooting")
"""The abilities that someone with just a name can be given, each a control `add_<ability>`."""

CONTROLS = (
    *chooser.CONTROLS,
    *("add_name", "add_side", "add_count", "add_together"),
    *(f"add_{each}" for each in LEVELS),
)

STORY = "first-fight"
READY_FIGHTS = {
    "pairs": ("Two of each", "Duellist and Sharpshooter against Bandit and Guard"),
    STORY: ("The fight of Start here", "Wren and Tolk against Gorm"),
}
"""What a first fight may begin with: the title, and who fights."""
_PAIRS = (("duellist", "sharpshooter"), ("bandit", "guard"))

MOST_AT_ONCE = 20
MOST_LEVEL = 20


def added(asked: Form, people: Iterable[str], names: str) -> list[tuple[str, list[str]]]:
    """Who comes in, of the stat blocks of each who was ticked and of whoever has just a name: names and stat blocks.

    `names` is the text of those who are there, none of whose names is given again. Several of one are numbered and
    come without minions. [] where something is wrong. Rules: `char.stat-line`, `turn.group`, `command.minions`.
    """
    fields, noted = asked.fields, len(asked.problems)
    count = number(asked, "add_count", 1, MOST_AT_ONCE)
    levels = {each: number(asked, f"add_{each}", 0, MOST_LEVEL) for each in LEVELS}
    come, name = list(people), tidy(fields["add_name"])
    if name or not come:
        if not name or len(name) > MAX_NAME_LENGTH:
            expected = f"a name of {MAX_NAME_LENGTH} characters at most"
            asked.add_problem("name.length", expected, format_input(name), "add_name", most=MAX_NAME_LENGTH)
        come.append("\n".join((format_name(name), *(f"{level} {each}" for each, level in levels.items() if level))))
        come[-1] += "" if any(levels.values()) else "\n1 toughness"
    if not all(come):
        asked.add_problem("character.unknown", UNKNOWN, "someone else", "add_name")
    return each_of(come, count, names) if len(asked.problems) == noted else []


def ready_fight(name: str) -> str:
    """The stat blocks of one of `READY_FIGHTS`, "" for another name."""
    if name == STORY:
        return write_setup(parse_scenario(SAMPLE_SCENARIOS[STORY]))
    us, them = (map(sheet_of, map(get_member, side)) for side in _PAIRS)
    return beside(beside("", us, US), them, THEM) if name in READY_FIGHTS else ""


def told(people: Sequence[tuple[str, Sequence[str]]], count: str, fighting: int) -> str:
    """Say who was added, how many fight now, and whom a leader has brought along.

    As in `Ria and Bo added: 7 in the fight. Ria brings Recruit × 2 along. Select × to remove one.`
    """
    many = int(count.strip() or 1)
    names = join_words([_many(name, many) for name, _ in people])
    said = f"{names} added: {fighting} in the fight." if fighting else f"{names} added."
    led = {name: Counter(map(name_of, blocks[1:])) for name, blocks in people if many == 1}
    brought = [
        f"{name} brings {join_words([_many(minion, number) for minion, number in minions.items()])} along."
        " Select × to remove one."
        for name, minions in led.items()
        if minions
    ]
    return " ".join((said, *brought))


def _many(name: str, number: int) -> str:
    return f"{name} × {number}" if number > 1 else name


def number(asked: Form, control: str, least: int, most: int) -> int:
    """The number in a control, `least` where nothing stands there, or, with a problem, where it is none."""
    return asked.whole_number(control, most, least)
