"""The head of a fight: the characters in the turn order, in short form, and the result of the fight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from scratch_core.calculators.shared.limits import truncate_line
from scratch_core.calculators.shared.sides import (
    find_game_masters_sides,
    is_own_side,
    is_players_side,
    side_name_of,
)
from scratch_core.errors import join_words
from scratch_core.rulebook.actions import DOUBLE_ATTACK, END_TURN, SECOND_BLOW
from scratch_core.turn_systems import FighterStatus

T = TypeVar("T")

MAX_FIGHT_NAME_LENGTH = 90
"""The maximum number of characters of a fight's name."""

_MAX_NAMED_OPPONENTS = 2
"""The maximum number of members of a side that are named; more are counted."""

_MAX_NAMED_MEMBERS = 3
"""The maximum number of characters named in a sentence. Of more, the first is named and the others are counted."""

_PRONOUN_SIDES = frozenset(
    ("yours", "theirs", "ours", "mine", "hers", "his", "its", "you", "they", "we", "us", "them", "me")
)
"""Sides that are pronouns, not names."""

TURNS_RULE = "seize.no-repeat"
"""The rule of the label that marks a turn as past. The head marks it in another way."""


@dataclass(frozen=True, slots=True)
class FighterRow:
    """A character at present, as the head of a fight shows it."""

    fighter: Any
    """The participant in the state of the turn system."""
    status: FighterStatus
    """Its health, conditions and numbers."""
    side_colour: int
    """The number of its side's colour, from 1."""
    is_active: bool
    """Whether it is this character's turn."""

    @property
    def is_done(self) -> bool:
        """Whether it has had its turn in this round and is not active again."""
        return self.status.is_done and not self.is_active

    @property
    def hit_point_pools(self) -> tuple[tuple[str, int], ...]:
        """The pools of its hit points, each with its points.

        () without hit points or pools.
        """
        return tuple((each.word, each.count or 0) for each in self.status.numbers) if self.status.hp else ()

    @property
    def status_labels(self) -> tuple[str, ...]:
        """Its conditions and the numbers of its turn system, in a word or two each.

        Causes are left out. () for a character that is incapacitated or gone.
        """
        if self.status.is_out:
            return ()
        conditions = [word.split(":")[0] for word, rule in self.status.labels_with_rules if rule != TURNS_RULE]
        numbers = [f"{number.word} {number.value}" for number in self.status.numbers if number.count]
        return tuple(dict.fromkeys((*conditions, *numbers)))

    @property
    def printed_labels(self) -> tuple[str, ...]:
        """Its state, conditions and numbers for print, and whether it has had its turn."""
        condition = "" if self.status.condition == "healthy" else self.status.condition
        done = "done" if self.is_done and not self.status.is_out else ""
        return tuple(each for each in (condition, *self.status_labels, done) if each)

    @property
    def side_label(self) -> str:
        """Its side, or "" if it fights on its own."""
        return side_name_of(self.fighter)

    @property
    def _hit_point_text(self) -> str:
        """Its hit points in words: `2 of 3 hit points`, `1 hit point`.

        "" if the turn system counts none.
        """
        hp, max_hp = self.status.hp, self.status.max_hp
        if hp is None:
            return ""
        unit = "hit point" if hp == 1 and max_hp is None else "hit points"
        return f"{hp} {unit}" if max_hp is None else f"{hp} of {max_hp} {unit}"

    @property
    def spoken_text(self) -> str:
        """The whole row as text for a screen reader."""
        parts = (self.fighter.name, self.side_label, self._hit_point_text, self.status.condition, *self.status_labels)
        return ", ".join(each for each in parts if each)

    @property
    def side_and_health_text(self) -> str:
        """The text that follows its name when it is tapped.

        For example `, of the heroes: 2 of 3 hit points, injured`.
        """
        side = f", {format_side_phrase(self.side_label)}" if self.side_label else ""
        state = ", ".join(each for each in (self._hit_point_text, self.status.condition) if each)
        return f"{side}: {state}" if state else side


def format_side_phrase(side: str) -> str:
    """Format a side as it follows a character's name: `of the heroes`, `of side red`.

    A pronoun is returned unchanged.
    """
    if is_pronoun_side(side):
        return side
    if side.lower().startswith("the "):
        return f"of {side}"
    return f"of the {side}" if side.endswith("s") else f"of side {side}"


def format_side_name(side: str, ids_and_names: Iterable[tuple[str, str]]) -> str:
    """Return the label of a side for a button.

    `ids_and_names` are ids and names. It is the side's name, or the name of the character whose id the side is.
    """
    return next((name for own, name in ids_and_names if own == side), side)


def format_side_subject(side: str, members: Sequence[tuple[str, str]]) -> str:
    """Format a side as the subject of a sentence.

    `members` are the ids and names of the side.
    """
    if _is_named_after_only_member(side, members):
        return members[0][1]
    if members and is_pronoun_side(side):
        return (
            format_names_or_count_others([name for _, name in members])
            if len(members) == 1
            else _format_pronoun_side_by_player(side)
        )
    is_article_due = _is_plural_word(side) and not side.lower().startswith("the ")
    return f"The {side}" if is_article_due else side


def format_victory_sentence(side: str, members: Sequence[tuple[str, str]], round_number: int) -> str:
    """Say which side won in which round.

    `members` are the ids and names of the side, `round_number` is the round: `The pirates win in round 5`, `Red wins in
    round 2`.
    """
    name = format_side_subject(side, members)
    return f"{name[:1].upper()}{name[1:]} {'win' if is_plural_side(side, members) else 'wins'} in round {round_number}"


def format_only_side_left_sentence(side: str, members: Sequence[tuple[str, str]]) -> str:
    """Say which side is left.

    `members` are the ids and names of the side: `Only the pirates are left`, `Only the red side is left`, `Only Rook is
    left`.
    """
    name = format_side_subject(side, members)
    if name.lower().startswith("the "):
        name = f"the{name[3:]}"
    elif name == side and name not in [each for _, each in members]:
        name = f"the {name} side"
    return f"Only {name} {'are' if is_plural_side(side, members) else 'is'} left"


def _is_named_after_only_member(side: str, members: Sequence[tuple[str, str]]) -> bool:
    """Return whether a side has one member and is named after it."""
    return len(members) == 1 and is_own_side(side, *members[0])


def _format_pronoun_side_by_player(side: str) -> str:
    """Format a side that has a pronoun as its name, by who plays it."""
    if is_players_side(side):
        return "The players' side"
    return "The game master's side" if find_game_masters_sides([side]) else f"side {side.lower()}"


def _is_plural_word(side: str) -> bool:
    """Return whether a side's name is a plural: `pirates`."""
    return side.endswith("s") and not side.endswith("ss")


def is_plural_side(side: str, members: Sequence[tuple[str, str]]) -> bool:
    """Return whether the verb after a side's name is plural."""
    return not is_pronoun_side(side) and _is_plural_word(side) and not _is_named_after_only_member(side, members)


def find_latest_results(results_newest_first: Iterable[tuple[T, str]]) -> tuple[T, ...]:
    """Find the results of what happened last.

    Takes results with action names, the newest first. The end of a turn is skipped, because the page shows whose turn
    is next, unless nothing else happened in that turn. A second attack is returned with the first, in the order in
    which they happened. Returns () if there are no results.
    """
    remaining = _pair_attacks_and_mark_ends(results_newest_first)
    newest, is_end = next(remaining, ((), False))
    if not is_end:
        return newest
    previous, is_previous_end = next(remaining, (newest, True))
    return newest if is_previous_end else previous


def _pair_attacks_and_mark_ends(results_newest_first: Iterable[tuple[T, str]]) -> Iterator[tuple[tuple[T, ...], bool]]:
    """Yield the results of each action, latest first, and whether it ends a turn.

    The two attacks of a double attack are yielded together, unless something came between them, as an illegal step of a
    file may. Rule: `act.fighting.double`.
    """
    second: tuple[T, ...] = ()
    for result, do in results_newest_first:
        if second and do == DOUBLE_ATTACK.do:
            yield (result, *second), False
            second = ()
            continue
        if second:
            yield second, False
        second = (result,) if do == SECOND_BLOW.do else ()
        if not second:
            yield (result,), do == END_TURN.do
    if second:
        yield second, False


# Names of fights


def is_pronoun_side(side: str) -> bool:
    """Return whether a side is a pronoun such as *us*.

    The characters' page names sides so. A sentence names the members of such a side instead.
    """
    return side.lower() in _PRONOUN_SIDES


def format_names_or_count_others(names: Sequence[str]) -> str:
    """Join names in a sentence: `Guard and Rat`, `Guard and 3 others`."""
    return join_words(names if len(names) <= _MAX_NAMED_MEMBERS else (names[0], f"{len(names) - 1} others"))


def format_opponents(names_and_sides: Iterable[tuple[str, str]]) -> str:
    """Join all sides with `against`, from names and sides in order.

    A side of one or two is called by their names, a larger one by its number and its own name, if it has one. Returns
    "" if there are no characters.
    """
    sides: dict[str, list[str]] = {}
    for name, side in names_and_sides:
        sides.setdefault(side, []).append(name)
    return " against ".join(
        format_names_or_count_others(names)
        if len(names) <= _MAX_NAMED_OPPONENTS or is_pronoun_side(side)
        else f"{len(names)} {side}"
        for side, names in sides.items()
    )


def format_fight_name(names_and_sides: Iterable[tuple[str, str]], stage: str, title: str = "") -> str:
    """Build a fight's name from its title or fighters, and its stage.

    It has at most `MAX_FIGHT_NAME_LENGTH` characters. Returns "" without a title and fighters.
    """
    label = truncate_line(title.strip() or format_opponents(names_and_sides), MAX_FIGHT_NAME_LENGTH - len(stage) - 3)
    return f"{label} · {stage}" if label else ""
