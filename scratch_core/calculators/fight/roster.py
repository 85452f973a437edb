"""The head of a fight, which stays in view: everyone in the order of turns, in as few words as may be; and the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from scratch_core.calculators.shared.form import one_line
from scratch_core.errors import join_words
from scratch_core.rulebook.actions import END_TURN, SECOND_BLOW
from scratch_core.turn_systems import FighterStatus

T = TypeVar("T")

NAME_LIMIT = 90
"""Characters of a fight's name."""

_NAMED = 2
"""As many of a side are called by their names; more are counted."""

_MOST_NAMED = 3
"""As many of a side without a name are named; of more the first, and how many others."""

_POINTERS = frozenset(
    ("yours", "theirs", "ours", "mine", "hers", "his", "its", "you", "they", "we", "us", "them", "me")
)

TURNS_RULE = "seize.no-repeat"
"""Whose turn is past is marked in its own way."""


@dataclass(frozen=True, slots=True)
class Row:
    """Someone as it stands now. `tint` is the number of its side's colour, from 1; `is_active`: it is on turn."""

    fighter: Any
    standing: FighterStatus
    tint: int
    is_active: bool

    @property
    def is_done(self) -> bool:
        """Whether it has had its turn in this round, and is not on turn again."""
        return self.standing.is_done and not self.is_active

    @property
    def pools(self) -> tuple[tuple[str, int], ...]:
        """Where its hit points lie, () where they are not parted."""
        return tuple((each.word, each.count or 0) for each in self.standing.numbers) if self.standing.hp else ()

    @property
    def marks(self) -> tuple[str, ...]:
        """A word or two each: what has befallen it, without causes, and what its order of turns counts."""
        if self.standing.is_out:
            return ()
        befallen = [word.split(":")[0] for word, rule in self.standing.short_labels if rule != TURNS_RULE]
        numbers = [f"{number.word} {number.value}" for number in self.standing.numbers if number.count]
        return tuple(dict.fromkeys((*befallen, *numbers)))

    @property
    def side(self) -> str:
        """Its side, "" where that is no one's but its own."""
        who = self.fighter
        return who.side if who.side not in (who.name, who.id) else ""

    @property
    def _points(self) -> str:
        """Its hit points in words: `2 of 3 hit points`, `1 hit point`, "" where the system counts none."""
        hp, most = self.standing.hp, self.standing.max_hp
        if hp is None:
            return ""
        unit = "hit point" if hp == 1 and most is None else "hit points"
        return f"{hp} {unit}" if most is None else f"{hp} of {most} {unit}"

    @property
    def aloud(self) -> str:
        """All that the head has of it, for someone who hears the page."""
        parts = (self.fighter.name, self.side, self._points, self.standing.condition, *self.marks)
        return ", ".join(each for each in parts if each)

    @property
    def told(self) -> str:
        """What stands behind its name when it is tapped: `, of the heroes: 2 of 3 hit points, injured`."""
        side = f", {of_side(self.side)}" if self.side else ""
        state = ", ".join(each for each in (self._points, self.standing.condition) if each)
        return f"{side}: {state}" if state else side


def of_side(side: str) -> str:
    """A side as it stands behind someone's name: `of the heroes`, `of side red`, or what points at people as it is."""
    if is_pointer(side):
        return side
    if side.lower().startswith("the "):
        return f"of {side}"
    return f"of the {side}" if side.endswith("s") else f"of side {side}"


def side_words(side: str, people: Iterable[tuple[str, str]]) -> str:
    """A side on a button: its name, or that of the one whose id it is; `people` are ids and names."""
    return next((name for own, name in people if own == side), side)


def side_name(side: str, members: Sequence[tuple[str, str]]) -> str:
    """A side as a sentence begins with it; `members` are ids and names of those on it."""
    for own, name in members:
        if len(members) == 1 and side in (own, name):
            return name
    if len(members) > _MOST_NAMED and is_pointer(side):
        return f"side {side.lower()}"
    if members and is_pointer(side):
        return named([name for _, name in members])
    is_article_due = _is_plural_word(side) and not side.lower().startswith("the ")
    return f"The {side}" if is_article_due else side


def won(side: str, members: Sequence[tuple[str, str]], number: int) -> str:
    """Say who won, and when: `The pirates win in round 5`, `Red wins in round 2`."""
    name = side_name(side, members)
    return f"{name[:1].upper()}{name[1:]} {'win' if is_plural(side, members) else 'wins'} in round {number}"


def only_left(side: str, members: Sequence[tuple[str, str]]) -> str:
    """Say which side is left: `Only the pirates are left`, `Only the red side is left`, `Only Rook is left`."""
    name = side_name(side, members)
    if name.lower().startswith("the "):
        name = f"the{name[3:]}"
    elif name == side and name not in [each for _, each in members]:
        name = f"the {name} side"
    return f"Only {name} {'are' if is_plural(side, members) else 'is'} left"


def _is_plural_word(side: str) -> bool:
    """Return whether a side's name is a plural: `pirates`."""
    return side.endswith("s") and not side.endswith("ss")


def is_plural(side: str, members: Sequence[tuple[str, str]]) -> bool:
    """Return whether the verb after a side's name is plural."""
    if members and is_pointer(side):
        return 1 < len(members) <= _MOST_NAMED
    is_own = len(members) == 1 and side in members[0]
    return _is_plural_word(side) and not is_own


def last_of(told: Iterable[tuple[str, str]]) -> str:
    """What happened last, of what was said, the newest first, each with the name of its act; "" for nothing."""
    return " ".join(latest(told))


def latest(acts: Iterable[tuple[T, str]]) -> tuple[T, ...]:
    """Find what happened last, of what came of each act, the newest first, each with the name of its act.

    A turn's end leaves the act before it to be read, for whose turn is next stands beside it; a turn that held nothing
    else is told by its end. A second attack is found with the first, in the order in which they happened.
    """
    rest = _together(acts)
    newest, is_end = next(rest, ((), False))
    if not is_end:
        return newest
    before, is_end_too = next(rest, (newest, True))
    return newest if is_end_too else before


def _together(acts: Iterable[tuple[T, str]]) -> Iterator[tuple[tuple[T, ...], bool]]:
    """What came of each act, of two attacks together, with whether it ends a turn. Rule: `act.fighting.double`."""
    rest = iter(acts)
    for each, do in rest:
        first = (next(rest)[0],) if do == SECOND_BLOW.do else ()
        yield (*first, each), do == END_TURN.do


# What a fight is called in a list of several


def is_pointer(side: str) -> bool:
    """Whether a side has no name, but points at people, as the character's page calls them: its people are named."""
    return side.lower() in _POINTERS


def named(names: Sequence[str]) -> str:
    """People by their names: `Guard and Rat`, `Guard and 3 others`."""
    return join_words(names if len(names) <= _MOST_NAMED else (names[0], f"{len(names) - 1} others"))


def who_fights(people: Iterable[tuple[str, str]]) -> str:
    """Everyone's sides against each other, from names and sides in order; "" when there is no one.

    A side of one or two is called by their names, a larger one by its number and its own name, if it has one.
    """
    sides: dict[str, list[str]] = {}
    for name, side in people:
        sides.setdefault(side, []).append(name)
    return " against ".join(
        named(names) if len(names) <= _NAMED or is_pointer(side) else f"{len(names)} {side}"
        for side, names in sides.items()
    )


def fight_name(people: Iterable[tuple[str, str]], stage: str, called: str = "") -> str:
    """A fight's name in at most `NAME_LIMIT` characters: as it is `called`, else who fights; and its stage."""
    who = one_line(called.strip() or who_fights(people), NAME_LIMIT - len(stage) - 3)
    return f"{who} · {stage}" if who else ""
