"""The sheet that goes on the table: what a player reads off, and boxes to tick hit points in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scratch_core.abilities import BY_NAME
from scratch_core.cards import CARDS
from scratch_core.catalogue import Rulings
from scratch_core.characters import Character, Line, Weights, condition, weights

MOST_BOXES = 24
"""As many boxes as a sheet draws; whoever has more hit points counts on paper."""

BLANK_LINES = 8
"""Lines for abilities on a blank sheet: most characters have three to six."""

BLANK_BOXES = 12
"""Boxes for hit points on a blank sheet, none of them marked."""


@dataclass(frozen=True, slots=True)
class PaperLine:
    """One ability: its level, its name, the player's note, what it is for, and the rolls that it is added to."""

    level: int
    ability: str
    note: str
    use: str
    rolls: str


@dataclass(frozen=True, slots=True)
class Paper:
    """One character on paper.

    `boxes` are the hit points from 1 up, each saying whether somebody with so many is injured; `more` are those that
    found no room.
    """

    name: str
    description: str
    figures: tuple[tuple[str, int], ...]
    lines: tuple[PaperLine, ...]
    boxes: tuple[bool, ...]
    more: int
    stamina: int
    weights: Weights
    cp: int


def paper_of(character: Character, name: str, rulings: Rulings) -> Paper:
    """A character on paper. Rules: `char.stat-line`, `hp.max`, `hp.injured`, `hp.stamina`, `carry.table`."""
    figures = character.figures(rulings)
    hit_points = figures["hit-points"].value
    drawn = range(1, min(hit_points, MOST_BOXES) + 1)
    return Paper(
        name=name,
        description=character.description,
        figures=tuple((each.replace("-", " "), figure.value) for each, figure in figures.items()),
        lines=tuple(_line(line) for line in character.lines),
        boxes=tuple(condition(left, hit_points) == "injured" for left in drawn),
        more=max(0, hit_points - MOST_BOXES),
        stamina=figures["stamina"].value,
        weights=weights(figures["strength"].value),
        cp=character.cp().value,
    )


def papers_of(people: Sequence[Character], name: str, rulings: Rulings) -> tuple[Paper, ...]:
    """A leader, called `name`, and its minions on paper."""
    leader, *minions = people
    return (paper_of(leader, name, rulings), *(paper_of(minion, minion.name, rulings) for minion in minions))


def _line(line: Line) -> PaperLine:
    ability = BY_NAME.get(line.ability)
    if ability is None:
        return PaperLine(line.level, line.ability, line.note, "", "")
    titles = [CARDS[do].title.lower() for do in ability.adds_to]
    rolls = f"+{line.level} to {', '.join(titles)}" if titles else ""
    return PaperLine(line.level, line.ability, line.note, ability.use, rolls)
