"""What orders of turns speak in: decisions, the fields of a file, what befalls someone, and what a moment asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scratch_core.errors import Problem, rule_problems
from scratch_core.figures import Figure


@dataclass(frozen=True, slots=True)
class InitiativeRoll:
    """A die thrown for someone, or for a group: the face, then the faces that broke ties."""

    who: str
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What comes of an act: its events, its rolls and a sentence; or, when it is illegal, the rules it breaks.

    `rolls` are those of the act, or, of a fight's beginning, what was `InitiativeRoll` for whom.
    """

    events: tuple[Any, ...]
    rolls: tuple[Any, ...]
    narration: str
    problems: tuple[Problem, ...] = ()

    @property
    def is_legal(self) -> bool:
        """Whether the act was legal."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a file: its kind, its bounds, and its default; None when it must be there, unless it `is_optional`.

    Kinds: `number`, `spaces` (how far a move went), `flag`, `text`, `speed`, `choice` (of `choices`), `id`, `ids` (one
    id or a list), `pools` (a table of points by pool), `successes` (a table of truth values by id), `targets` (one id
    under this key, or several under `targets`, where a single one stands for `low`), `ability`, `abilities` (one,
    several, or "none"), `space`, `path` (spaces, in order), `names` (ids in order), `character` (a table as in
    `characters`), `moment` (after so many spaces). `attribute` is the name in an act of what the file calls `key`;
    `label` stands beside it on a page, where that is not its key.
    """

    key: str
    kind: str
    default: Any
    meaning: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    rule: str | None = None
    attribute: str = ""
    is_optional: bool = False
    label: str = ""

    @property
    def name(self) -> str:
        """The name of the same thing in an act."""
        return self.attribute or self.key


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """Keys of a step that can't stand together: expected what, got what, at which key ("": the step), by which rule."""

    expected: str
    got: object
    key: str = ""
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class StatusEffect:
    """Something that has befallen someone: a word, what it means and until when, and its rule.

    `short` is all that a narrow card says of it: "" where the card has a number for it, or nothing to say. Without
    `words` there is only that.
    """

    word: str
    details: str
    rule: str
    short_label: str = ""


@dataclass(frozen=True, slots=True)
class FighterNumber:
    """A number of someone's: its word, its value as it is spoken of, its rule, and the state path that leads to it.

    `count` is the value to compare with another moment's, None where it never changes; `is_quiet`: not worth a word
    while it is 0, and was 0 before.
    """

    word: str
    value: str
    rule: str
    path: str = ""
    count: int | None = None
    is_quiet: bool = False


@dataclass(frozen=True, slots=True)
class FighterStatus:
    """What a page shows of someone at a moment: what has befallen it, its numbers, and figures that can be asked why.

    `mark`: on turn, due, asked, may seize, or "". `plain` is what is always so of it, `hp` all its hit points, None
    where none are counted, of `most`, None where that changes nothing; `is_done`: it has had its turn in this round.
    `stamina` is the line below which it is injured, `health` the word for how its hit points are, "" where there is
    none. `condition` is a word for how it is, "" for none, `is_out`: it does nothing in the fight as it stands.
    """

    effects: tuple[StatusEffect, ...] = ()
    numbers: tuple[FighterNumber, ...] = ()
    figures: tuple[Figure, ...] = ()
    mark: str = ""
    traits: str = ""
    hp: int | None = None
    is_done: bool = False
    max_hp: int | None = None
    stamina: int = 0
    health: str = ""
    condition: str = ""
    is_out: bool = False

    @property
    def short_labels(self) -> tuple[tuple[str, str], ...]:
        """What has befallen it, a word or two each, once, with the rule."""
        return tuple(dict.fromkeys((each.short_label, each.rule) for each in self.effects if each.short_label))


@dataclass(frozen=True, slots=True)
class Prompt:
    """Whose turn it is, what they may do, and the question that must be answered first."""

    who: str
    """The character's id."""
    headline_suffix: str
    """What follows the name: `'s turn`, or words after a space such as `opens the fight`."""
    question: str
    rule: str
    sentence: str = ""
    """The same as a whole sentence."""
    names: str = ""
    """Several characters who may all act, "" where it is the one of that id."""

    def headline(self, name: str) -> str:
        """Write the words after a name: `Gorm's turn`, `Ann or Bo may open the fight`."""
        space = "" if self.headline_suffix.startswith("'") else " "
        return f"{name}{space}{self.headline_suffix}"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why someone stands where it does, in words, and the rule that says so."""

    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class TurnOrderEntry:
    """A place in the order: who, its die and what is added, the faces that broke a tie, and the reasons.

    `place` is 0 for whoever has none in the first round; `members` are those who act in the turn, if there are several.
    """

    position: int
    name: str
    figure: Figure | None
    ties: tuple[int, ...]
    reasons: tuple[Reason, ...]
    members: tuple[str, ...] = ()


def other_turn_problems(rules: str, following: str, actor: str, where: str) -> list[Problem]:
    """Build the problems of an actor while it is the turn of another."""
    expected = f"{following}, whose turn it is"
    return rule_problems("turn.not-theirs", rules, expected, actor, where, actor=actor, following=following)


def no_fight_problems(rules: str, where: str) -> list[Problem]:
    """Build the problems of an action of a turn while no fight goes on."""
    return rule_problems("fight.not-running", rules, "a fight that is going on", "none", where)


def out_of_fight_problems(rules: str, actor: str, where: str) -> list[Problem]:
    """Build the problems of an actor who is out of the fight."""
    return rule_problems("actor.out", rules, "a character still in the fight", actor, where, actor=actor)


def missing_target_problems(rules: str, got: str, where: str) -> list[Problem]:
    """Build the problems of a target that is missing, or out of the fight."""
    return rule_problems("target.not-in-fight", rules, "a character still in the fight", got or "none", where)
