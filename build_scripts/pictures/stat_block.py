"""The picture `stat-block`: a written character, with the meaning of each part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from build_scripts.pictures.record import Picture, format_hit_points, format_parts_as_sum
from scratch_core.characters import DEFAULT_RULINGS, Character, format_stat_block, parse_sheet

FIELDS = {
    "sheet": """\
Flipfire: patches up, then pays back
2 shooting: short rifle
1 healing: field dressings
2 fighting: elbows first
1 acrobatics: never stands still
4 toughness: padded coat"""
}
"""The fields that a page may set, with their defaults. The figures are computed."""

_FIRST = 24
_STEP = 22


@dataclass(frozen=True, slots=True)
class BlockRow:
    """A line of the block, with its meaning."""

    y: float
    """The baseline."""
    text: str
    """The line."""
    note: str
    """The meaning; "" for none."""
    kind: str
    """A word that the stylesheet knows: `name`, `figure`, `description` or `ability`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatBlockPicture(Picture):
    """The stat block."""

    rows: tuple[BlockRow, ...]
    """A row for each part."""


def build_picture(fields: Mapping[str, str]) -> StatBlockPicture:
    """Format a character with the engine, and explain where each figure comes from.

    Raises ValueError for a sheet that can't be parsed. Rules: `char.stat-line`, `def.agility`, `def.intelligence`,
    `def.strength`, `hp.stamina`, `hp.max`.
    """
    sheet = parse_sheet(fields["sheet"])
    faults = [
        problem.message for problem in (*sheet.faults, *(each for draft in sheet.drafts for each in draft.faults))
    ]
    if faults or len(sheet.drafts) != 1:
        raise ValueError("; ".join(faults) or f"expected one character, got {len(sheet.drafts)} in a picture fence")
    who = sheet.drafts[0].build_character()
    rows = tuple(
        BlockRow(_FIRST + n * _STEP, text, note, kind)
        for n, (text, note, kind) in enumerate(_list_explained_stat_block_parts(who))
    )
    sentences = [f"“{row.text.strip(' (),:')}”: {row.note}." for row in rows if row.note]
    return StatBlockPicture(
        title=f"The stat block of {who.name}, part by part",
        description=" ".join(sentences),
        height=rows[-1].y + 16,
        rows=rows,
    )


def _list_explained_stat_block_parts(character: Character) -> Iterator[tuple[str, str, str]]:
    """Yield each part of the engine's own text: the text, its meaning and its kind."""
    head, *lines = format_stat_block(character).splitlines()
    name, _, rest = head.partition(" (")
    inside, _, description = rest.partition(")")
    yield name, "the name", "name"
    figures = inside.split(", ")
    for n, text in enumerate(figures):
        ending = ")" + (":" if description else "") if n == len(figures) - 1 else ","
        yield f"{' ' if n else '('}{text}{ending}", _format_figure_note(character, text.split()[1]), "figure"
    if description:
        yield description.removeprefix(": "), "who they are, in short", "description"
    seen = set[str]()
    for text in lines:
        yield text, _format_ability_note(character, text, seen), "ability"


def _format_figure_note(who: Character, name: str) -> str:
    figure = who.figures(DEFAULT_RULINGS)[name]
    return figure.parts[0].label.partition(",")[0] if name == "stamina" else format_parts_as_sum(figure)


def _format_ability_note(who: Character, text: str, seen_abilities: set[str]) -> str:
    """Format the note of an ability's line.

    The note of toughness is the hit points, and that of the first other line its format. Returns "" for all other
    lines.
    """
    words = text.partition(":")[0].split()
    if words[1] == "toughness":
        return f"{format_hit_points(who.max_hp().value)}"
    if not seen_abilities:
        seen_abilities.add(words[1])
        return "level, ability: description"
    return ""
