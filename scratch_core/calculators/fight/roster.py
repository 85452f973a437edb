"""The head of a fight, which stays in view: everyone in the order of turns, in as few words as may be; and the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from scratch_core.calculators.shared.form import truncate_line
from scratch_core.calculators.shared.sides import is_own_side, side_name_of
from scratch_core.errors import join_words
from scratch_core.rulebook.actions import END_TURN, SECOND_BLOW
from scratch_core.turn_systems import FighterStatus

T = TypeVar("T")

MAX_FIGHT_NAME_LENGTH = 90
"""Characters of a fight's name."""

_MAX_NAMED_OPPONENTS = 2
"""As many of a side are called by their names; more are counted."""

_MAX_NAMED_MEMBERS = 3
"""As many of a side without a name are named; of more the first, and how many others."""

_PRONOUN_SIDES = frozenset(
    ("yours", "theirs", "ours", "mine", "hers", "his", "its", "you", "they", "we", "us", "them", "me")
)

TURNS_RULE = "seize.no-repeat"
"""Whose turn is past is marked in its own way."""


@dataclass(frozen=True, slots=True)
class FighterRow:
    """A fighter at present.

    `side_colour` is the number of its side's colour, from 1; `is_active`: it is on turn.
    """

    fighter: Any
    status: FighterStatus
    side_colour: int
    is_active: bool

    @property
    def is_done(self) -> bool:
        """Whether it has had its turn in this round, and is not on turn again."""
        return self.status.is_done and not self.is_active

    @property
    def hit_point_pools(self) -> tuple[tuple[str, int], ...]:
        """Where its hit points lie, () where they are not parted."""
        return tuple((each.word, each.count or 0) for each in self.status.numbers) if self.status.hp else ()

    @property
    def status_labels(self) -> tuple[str, ...]:
        """A word or two each: what has befallen it, without causes, and what its order of turns counts."""
        if self.status.is_out:
            return ()
        befallen = [word.split(":")[0] for word, rule in self.status.labels_with_rules if rule != TURNS_RULE]
        numbers = [f"{number.word} {number.value}" for number in self.status.numbers if number.count]
        return tuple(dict.fromkeys((*befallen, *numbers)))

    @property
    def side_label(self) -> str:
        """Its side, "" where that is no one's but its own."""
        return side_name_of(self.fighter)

    @property
    def _hit_point_text(self) -> str:
        """Its hit points in words: `2 of 3 hit points`, `1 hit point`, "" where the system counts none."""
        hp, most = self.status.hp, self.status.max_hp
        if hp is None:
            return ""
        unit = "hit point" if hp == 1 and most is None else "hit points"
        return f"{hp} {unit}" if most is None else f"{hp} of {most} {unit}"

    @property
    def spoken_text(self) -> str:
        """All that the head has of it, for someone who hears the page."""
        parts = (self.fighter.name, self.side_label, self._hit_point_text, self.status.condition, *self.status_labels)
        return ", ".join(each for each in parts if each)

    @property
    def detail_text(self) -> str:
        """What stands behind its name when it is tapped: `, of the heroes: 2 of 3 hit points, injured`."""
        side = f", {format_side_phrase(self.side_label)}" if self.side_label else ""
        state = ", ".join(each for each in (self._hit_point_text, self.status.condition) if each)
        return f"{side}: {state}" if state else side


def format_side_phrase(side: str) -> str:
    """A side as it stands behind someone's name: `of the heroes`, `of side red`, or what points at people as it is."""
    if is_pronoun_side(side):
        return side
    if side.lower().startswith("the "):
        return f"of {side}"
    return f"of the {side}" if side.endswith("s") else f"of side {side}"


def format_side_label(side: str, people: Iterable[tuple[str, str]]) -> str:
    """A side on a button: its name, or that of the one whose id it is; `people` are ids and names."""
    return next((name for own, name in people if own == side), side)


def format_side_subject(side: str, members: Sequence[tuple[str, str]]) -> str:
    """A side as a sentence begins with it; `members` are ids and names of those on it."""
    if _is_side_of_one(side, members):
        return members[0][1]
    if len(members) > _MAX_NAMED_MEMBERS and is_pronoun_side(side):
        return f"side {side.lower()}"
    if members and is_pronoun_side(side):
        return format_names([name for _, name in members])
    is_article_due = _is_plural_word(side) and not side.lower().startswith("the ")
    return f"The {side}" if is_article_due else side


def format_win(side: str, members: Sequence[tuple[str, str]], number: int) -> str:
    """Say who won, and when: `The pirates win in round 5`, `Red wins in round 2`."""
    name = format_side_subject(side, members)
    return f"{name[:1].upper()}{name[1:]} {'win' if is_plural_side(side, members) else 'wins'} in round {number}"


def format_only_left(side: str, members: Sequence[tuple[str, str]]) -> str:
    """Say which side is left: `Only the pirates are left`, `Only the red side is left`, `Only Rook is left`."""
    name = format_side_subject(side, members)
    if name.lower().startswith("the "):
        name = f"the{name[3:]}"
    elif name == side and name not in [each for _, each in members]:
        name = f"the {name} side"
    return f"Only {name} {'are' if is_plural_side(side, members) else 'is'} left"


def _is_side_of_one(side: str, members: Sequence[tuple[str, str]]) -> bool:
    """Return whether a side has one member and is named after it."""
    return len(members) == 1 and is_own_side(side, *members[0])


def _is_plural_word(side: str) -> bool:
    """Return whether a side's name is a plural: `pirates`."""
    return side.endswith("s") and not side.endswith("ss")


def is_plural_side(side: str, members: Sequence[tuple[str, str]]) -> bool:
    """Return whether the verb after a side's name is plural."""
    if members and is_pronoun_side(side):
        return 1 < len(members) <= _MAX_NAMED_MEMBERS
    return _is_plural_word(side) and not _is_side_of_one(side, members)


def join_latest_narrations(told: Iterable[tuple[str, str]]) -> str:
    """What happened last, of what was said, the newest first, each with the name of its act; "" for nothing."""
    return " ".join(find_latest_results(told))


def find_latest_results(acts: Iterable[tuple[T, str]]) -> tuple[T, ...]:
    """Find what happened last, of what came of each act, the newest first, each with the name of its act.

    A turn's end leaves the act before it to be read, for whose turn is next stands beside it; a turn that held nothing
    else is told by its end. A second attack is found with the first, in the order in which they happened.
    """
    rest = _pair_double_attacks(acts)
    newest, is_end = next(rest, ((), False))
    if not is_end:
        return newest
    before, is_end_too = next(rest, (newest, True))
    return newest if is_end_too else before


def _pair_double_attacks(acts: Iterable[tuple[T, str]]) -> Iterator[tuple[tuple[T, ...], bool]]:
    """What came of each act, of two attacks together, with whether it ends a turn. Rule: `act.fighting.double`."""
    rest = iter(acts)
    for each, do in rest:
        first = (next(rest)[0],) if do == SECOND_BLOW.do else ()
        yield (*first, each), do == END_TURN.do


# What a fight is called in a list of several


def is_pronoun_side(side: str) -> bool:
    """Whether a side has no name, but points at people, as the character's page calls them: its people are named."""
    return side.lower() in _PRONOUN_SIDES


def format_names(names: Sequence[str]) -> str:
    """People by their names: `Guard and Rat`, `Guard and 3 others`."""
    return join_words(names if len(names) <= _MAX_NAMED_MEMBERS else (names[0], f"{len(names) - 1} others"))


def format_opponents(people: Iterable[tuple[str, str]]) -> str:
    """Everyone's sides against each other, from names and sides in order; "" when there is no one.

    A side of one or two is called by their names, a larger one by its number and its own name, if it has one.
    """
    sides: dict[str, list[str]] = {}
    for name, side in people:
        sides.setdefault(side, []).append(name)
    return " against ".join(
        format_names(names) if len(names) <= _MAX_NAMED_OPPONENTS or is_pronoun_side(side) else f"{len(names)} {side}"
        for side, names in sides.items()
    )


def format_fight_name(people: Iterable[tuple[str, str]], stage: str, called: str = "") -> str:
    """Return a fight's name and its stage: its title or the fighters, at most `MAX_FIGHT_NAME_LENGTH` characters."""
    who = truncate_line(called.strip() or format_opponents(people), MAX_FIGHT_NAME_LENGTH - len(stage) - 3)
    return f"{who} · {stage}" if who else ""
