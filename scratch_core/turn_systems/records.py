"""Records that all turn systems return: decisions, and what a page shows of a state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scratch_core.errors import Problem, build_rule_problems
from scratch_core.figures import Figure
from scratch_core.turn_systems.sentences import Narration


@dataclass(frozen=True, slots=True)
class InitiativeRoll:
    """The dice of a fighter or a group for its place in the turn order."""

    who: str
    """The id of the fighter or the group."""
    faces: tuple[int, ...]
    """The first face, then the faces of each roll-off. Empty if nothing was rolled."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The result of an action: events, rolls and a sentence, or the rules that an illegal action breaks."""

    events: tuple[Any, ...]
    """The events in order. Empty for an illegal action."""
    rolls: tuple[Any, ...]
    """The rolls of the action. For the beginning of a fight, one `InitiativeRoll` for each fighter or group that
    rolled."""
    sentences: Narration
    """What happened, for every reader."""
    problems: tuple[Problem, ...] = ()
    """The rules that the action breaks, each with what would be legal. Empty for a legal action."""

    @property
    def narration(self) -> str:
        """What happened, in sentences for the game master."""
        return str(self.sentences)

    @property
    def is_legal(self) -> bool:
        """Whether the action was legal."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """Keys of a step that contradict each other."""

    expected: str
    """What the reader expects."""
    got: object
    """What the step has instead."""
    key: str = ""
    """The key to report, "" for the step as a whole."""
    rule: str | None = None
    """The id of the rule that forbids it, None for none."""


@dataclass(frozen=True, slots=True)
class StatusEffect:
    """An effect on a fighter that lasts for some time."""

    word: str
    """The name of the effect, such as `delayed`."""
    details: str
    """What it means and until when, "" if the name says everything."""
    rule: str
    """The id of its rule, "" for none."""
    short_label: str = ""
    """The label on a narrow card, "" if the card shows a number instead, or nothing."""


@dataclass(frozen=True, slots=True)
class FighterNumber:
    """A number of a fighter, such as the points of a pool."""

    word: str
    """The name of the number."""
    value: str
    """The value as players read it."""
    rule: str
    """The id of its rule."""
    path: str = ""
    """The state path of the value, "" for none."""
    count: int | None = None
    """The value to compare with an earlier state. None if it never changes."""
    is_quiet: bool = False
    """Whether a page leaves the number out while it is 0 and was 0 before."""


@dataclass(frozen=True, slots=True)
class FighterStatus:
    """What a page shows of a fighter in one state of the fight."""

    effects: tuple[StatusEffect, ...] = ()
    """The effects on the fighter."""
    numbers: tuple[FighterNumber, ...] = ()
    """The numbers of the fighter, hit points aside."""
    figures: tuple[Figure, ...] = ()
    """Numbers that a page can explain part by part."""
    mark: str = ""
    """The role in the current turn, such as `on turn` or `may seize`, "" for none."""
    traits: str = ""
    """What never changes in the fight, such as a speed."""
    hp: int | None = None
    """The hit points left. None if the turn system does not count them."""
    is_done: bool = False
    """Whether the fighter has already had its turn in this round."""
    max_hp: int | None = None
    """The maximum hit points. None if they have no effect."""
    stamina: int = 0
    """The fighter is injured at this many hit points or fewer."""
    health: str = ""
    """The word for its hit points, such as `injured`, "" for none."""
    condition: str = ""
    """The word for its state as a whole, "" for none."""
    is_out: bool = False
    """Whether the fighter does nothing in the fight at present."""

    @property
    def labels_with_rules(self) -> tuple[tuple[str, str], ...]:
        """The short label of each effect with the id of its rule, without repetition."""
        return tuple(dict.fromkeys((each.short_label, each.rule) for each in self.effects if each.short_label))


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the page asks for now: whose turn it is, and a question to answer first."""

    who: str
    """The character's id, "" if the question is for no character or for several."""
    headline_suffix: str
    """What follows the name: `'s turn`, or words after a space such as `opens the fight`."""
    question: str
    """The question that must be answered first, "" for none."""
    rule: str
    """The id of the rule that the prompt follows."""
    sentence: str = ""
    """The same as a whole sentence."""
    names: str = ""
    """The names of several characters who may all act, "" for only the character of that id."""

    def format_headline(self, name: str) -> str:
        """Format a name with the words after it.

        Examples: `Gorm's turn`, `Ann or Bo may open the fight`.
        """
        space = "" if self.headline_suffix.startswith("'") else " "
        return f"{name}{space}{self.headline_suffix}"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a fighter has its place in the turn order."""

    text: str
    """The reason in words."""
    rule: str
    """The id of the rule that says so."""


@dataclass(frozen=True, slots=True)
class TurnOrderEntry:
    """A row of the turn order with the dice and reasons behind it."""

    position: int
    """The place in the order, from 1. 0 for a fighter without a place in the first round."""
    name: str
    """The name of the fighter or the group."""
    figure: Figure | None
    """The die and what is added to it. None if nothing was rolled."""
    ties: tuple[int, ...]
    """The faces of each roll-off."""
    reasons: tuple[Reason, ...]
    """The reasons for the place."""
    members: tuple[str, ...] = ()
    """The names of those who act in the turn, if there are several."""


def build_other_turn_problems(rules: str, active_name: str, actor_name: str, where: str) -> list[Problem]:
    """Build the problems of an actor who acts in another fighter's turn."""
    expected = f"{active_name}, whose turn it is"
    return build_rule_problems(
        "turn.not-theirs", rules, expected, actor_name, where, actor=actor_name, following=active_name
    )


def build_no_fight_problems(rules: str, where: str) -> list[Problem]:
    """Build the problems of an action that needs a running fight."""
    return build_rule_problems("fight.not-running", rules, "a fight that is going on", "none", where)


def build_out_of_fight_problems(rules: str, actor: str, where: str) -> list[Problem]:
    """Build the problems of an actor who is out of the fight."""
    return build_rule_problems("actor.out", rules, "a character still in the fight", actor, where, actor=actor)


def build_target_not_in_fight_problems(rules: str, got: str, where: str) -> list[Problem]:
    """Build the problems of a target that is missing, or out of the fight."""
    return build_rule_problems("target.not-in-fight", rules, "a character still in the fight", got or "none", where)
