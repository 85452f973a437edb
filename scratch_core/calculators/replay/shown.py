"""What the replay's template prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scratch_core.abilities import NAMES as ABILITIES
from scratch_core.actions import NAMES as ACTIONS
from scratch_core.actions import TITLES
from scratch_core.calculators import form
from scratch_core.calculators.replay.board import BoardShown
from scratch_core.calculators.replay.printed import Told as Printed
from scratch_core.catalogue import SWITCHES, Rulings, Switch, setting_words
from scratch_core.figures import Figure
from scratch_core.scenario import SHIPPED
from scratch_core.state import Initiative

if TYPE_CHECKING:
    from scratch_core.calculators.chances import FightChances

BASIC_SWITCHES: tuple[Switch, ...] = tuple(switch for switch in SWITCHES if switch.name != "seize_on_total")
"""The rulings that concern a fight, each a control of its own."""

CONTROLS = ("scenario", "way", "odds", *(switch.name for switch in BASIC_SWITCHES), "fork", "dice", "step")
"""The names of the controls of a replay by the basic rules, in the order of the canonical query."""

BASIC_ACTIONS = tuple((do, TITLES[do]) for do in ACTIONS)
"""The actions that a step can be without a board, with their titles."""

WAY_WORDS: Mapping[str, str] = {
    "rules": "By the rules",
    "as-printed": "As printed",
    "base-8": "With 8 + toughness",
}


@dataclass(frozen=True, slots=True)
class FighterShown:
    """A character at the moment shown: hit points, the pips that draw them, condition, and what has befallen it.

    `change` is what the step did to the hit points. `was` is hit points and condition in the file's own story, where
    they differ. `states` are words, each with the rule that it comes from.
    """

    id: str
    name: str
    side: str
    hp: int
    max_hp: int
    stamina: int
    condition: str
    change: int
    pips: tuple[str, ...]
    percent: int
    states: tuple[tuple[str, str], ...]
    is_active: bool
    was: tuple[int, str] | None


@dataclass(frozen=True, slots=True)
class RollShown:
    """One roll with its parts; `what_if` holds other faces, each with the fork in which the die shows it."""

    who: str
    target: str
    face: int
    figure: Figure
    against: Figure
    success: bool
    automatic: bool
    what_if: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class StepShown:
    """What came of the step shown, or of the same one in the file's own story.

    `broken` says why a step is not allowed: a sentence, and every rule that it goes against.
    """

    say: str
    legal: bool
    broken: tuple[tuple[str, tuple[str, ...]], ...]
    rolls: tuple[RollShown, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log: the sentence, and beside it that of the file's own story where there is a fork.

    `round` is the round that the step is the first of, 0 where it is none. A step of the file that the fork leaves out
    has `n` 0, and in `restore` the fork with it; one that only the fork has is new.
    `note` is what the step's own file says of it.
    """

    n: int
    say: str
    legal: bool
    rules: tuple[str, ...]
    round: int
    own: str
    own_legal: bool
    own_rules: tuple[str, ...]
    differs: bool
    is_first_difference: bool
    is_changed: bool
    is_new: bool = False
    restore: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A group's initiative with its parts; `control` is the field that changes its faces, "" where there is none.

    `members` are the names of those who share it.
    """

    name: str
    members: str
    initiative: Initiative
    control: str
    faces: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What can be made of the step shown: forks.

    `take` is the fork with what is typed into the fields of the step, named with its `label`, `drop` that without this
    step's changes; `before` and `after` have one more step there ("" where there is no room), `delete` leaves this one
    out.
    """

    label: str
    take: str
    drop: str
    is_changed: bool
    is_new: bool
    before: str
    after: str
    delete: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BasicEdit(Edit):
    """The fields of a step by the basic rules."""

    actor: str
    do: str
    target: str
    uses: str
    faces: str
    targets: tuple[tuple[str, str], ...]
    board: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What every answer tells: which step of which story, its log, its file, and what can be changed."""

    title: str
    step: int
    last: int
    note: str
    unmet: tuple[str, ...]
    log: tuple[Line, ...]
    log_from: int
    log_to: int
    is_fork: bool
    labels: tuple[str, str]
    first_difference: int | None
    edit: Edit
    is_thrown: bool
    file_name: str
    file_text: str
    made_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Told):
    """The moment after a step by the basic rules. `beside` is the file's own story of the step, in a fork."""

    round: int
    active: str
    winner: str
    fighters: tuple[FighterShown, ...]
    groups: tuple[Group, ...]
    now: StepShown | None
    beside: StepShown | None
    told: Printed | None
    board: BoardShown | None = None


@dataclass(frozen=True, slots=True)
class View(form.View):
    """Everything the template prints. `rulings` are those in force, for the words of the switches left blank.

    `chances` are there where they are asked for; `needs` and `unfinished` see `scratch_core.calculators.given` and
    `slices`.
    """

    is_shipped: bool
    way: str
    dice: int
    rulings: Rulings
    answer: Answer | None
    switches: tuple[Switch, ...] = BASIC_SWITCHES
    ways: tuple[tuple[str, str], ...] = tuple(WAY_WORDS.items())
    shipped: tuple[str, ...] = tuple(SHIPPED)
    actions: tuple[tuple[str, str], ...] = BASIC_ACTIONS
    ability_choices: tuple[tuple[str, str], ...] = tuple((name, name) for name in ABILITIES)
    chances: FightChances | None = None
    needs: str = ""
    unfinished: bool = False

    def choices(self, switch: Switch) -> tuple[tuple[str, str], ...]:
        """What a switch can be set to: as the file has it, and each of its readings."""
        now = setting_words(getattr(self.rulings, switch.name))
        readings = tuple((setting_words(choice), setting_words(choice)) for choice in switch.choices)
        return (("", f"as it stands ({now})"), *readings)
