"""The head of a fight, which stays in view: everybody in the order of turns, in as few words as may be; and the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scratch_core.calculators.fight.naming import is_pointer, named
from scratch_core.calculators.fight.table import Fight
from scratch_core.turns import Lasting, Standing

TINTS = 4
"""As many sides have a colour of their own; more begin again with the first."""


@dataclass(frozen=True, slots=True)
class Chip:
    """Somebody in the row of the head.

    `tint` is the number of its side's colour, from 1. `hp` of `most` are its hit points, None where none are counted.
    `marks` are a word or two each: what has befallen it, and what its order of turns counts. `state` is its condition.
    """

    id: str
    name: str
    side: str
    tint: int
    is_on: bool
    is_out: bool
    is_done: bool
    hp: int | None
    most: int | None
    state: str
    marks: tuple[str, ...]
    lasting: tuple[Lasting, ...]

    @property
    def aloud(self) -> str:
        """All of it for somebody who hears the page."""
        points = "" if self.hp is None else f"{self.hp} hit points"
        of = "" if self.most is None else f" of {self.most}"
        parts = (
            self.name,
            self.side if self.side not in (self.name, self.id) else "",
            f"{points}{of}",
            self.state,
            *self.marks,
        )
        return ", ".join(each for each in parts if each)

    @property
    def told(self) -> str:
        """What stands behind its name when it is tapped: `, of the heroes: 2 of 3 hit points, injured`."""
        side = f", {of_side(self.side)}" if self.side and self.side not in (self.name, self.id) else ""
        of = "" if self.most is None else f" of {self.most}"
        unit = "hit point" if self.hp == 1 and self.most is None else "hit points"
        points = "" if self.hp is None else f"{self.hp}{of} {unit}"
        state = ", ".join(each for each in (points, self.state) if each)
        return f"{side}: {state}" if state else side


def of_side(side: str) -> str:
    """A side as it stands behind somebody's name: `of the heroes`, `of side red`, or what points at people as it is."""
    if is_pointer(side):
        return side
    if side.lower().startswith("the "):
        return f"of {side}"
    return f"of the {side}" if side.endswith("s") else f"of side {side}"


def side_words(side: str, people: Iterable[tuple[str, str]]) -> str:
    """A side on a button: its name, or that of the one whose id it is; `people` are ids and names."""
    return next((name for own, name in people if own == side), side)


def tints(sides: Iterable[str]) -> dict[str, int]:
    """A colour's number for each side, in the order in which they come: that of the file, in every order of turns."""
    return {side: place % TINTS + 1 for place, side in enumerate(dict.fromkeys(sides))}


def marks_of(standing: Standing, but: str = "") -> tuple[str, ...]:
    """What has befallen somebody, a word or two each, without causes; nothing of the rule `but`."""
    return tuple(dict.fromkeys(word.split(":")[0] for word, rule in standing.short if rule != but))


def side_name(side: str, members: Sequence[tuple[str, str]]) -> str:
    """A side as a sentence begins with it; `members` are ids and names of those on it."""
    for own, name in members:
        if len(members) == 1 and side in (own, name):
            return name
    if members and is_pointer(side):
        return named([name for _, name in members])
    return side if side.lower().startswith("the ") else f"The {side}"


def won(side: str, members: Sequence[tuple[str, str]], number: int) -> str:
    """Who won, and when: `The pirates win, in round 5`."""
    name = side_name(side, members)
    is_own = [name] == [each for _, each in members]
    is_many = len(members) != 1 or (not is_own and name.lower().startswith("the ") and name.endswith("s"))
    return f"{name[:1].upper()}{name[1:]} {'win' if is_many else 'wins'}, in round {number}"


def last_of(told: Iterable[tuple[str, bool]]) -> str:
    """What happened last, of what was said, the newest first, each with whether it ends a turn and does nothing else.

    A turn's end leaves the act before it to be read, for whose turn is next stands beside it; a turn that held nothing
    else is told by its end. "" where nothing was said.
    """
    rest = iter(told)
    newest, is_end = next(rest, ("", False))
    if not is_end:
        return newest
    before, is_end_too = next(rest, (newest, True))
    return newest if is_end_too else before


def story_of(fight: Fight) -> str:
    """The whole log as text to be copied, its rounds told, its notes in quotation marks."""
    lines, number = [fight.opening], 0
    for record in fight.records:
        if record.legal and record.state.round > number:
            number = record.state.round
            lines.append(f"\nRound {number}")
        note = f" “{record.step.note}”" if record.step.note else ""
        lines.append(f"{record.n}. {record.say}{note}")
    return "\n".join(lines).strip() + "\n"
