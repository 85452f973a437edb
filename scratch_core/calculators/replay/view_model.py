"""What the replay's template prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scratch_core.calculators.replay.board_view import BoardShown
from scratch_core.calculators.replay.fighter_cards import Card
from scratch_core.calculators.replay.fork_changes import Changes
from scratch_core.calculators.replay.playthroughs import Story
from scratch_core.calculators.replay.printed_narration import Told
from scratch_core.calculators.replay.step_editor import EditField
from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.form import Choosing
from scratch_core.dice import face_needed
from scratch_core.encounter.actions import FightRoll
from scratch_core.rulebook import RULE_OPTIONS, RuleOption, RulingSettings, format_setting, get_ruling
from scratch_core.scenario import SAMPLE_SCENARIOS, AnySystem, StepResult
from scratch_core.turn_systems import Prompt, Reason, TurnOrderEntry

if TYPE_CHECKING:
    from scratch_core.calculators.shared.win_chances import FightChances

CONTROLS = ("scenario", "way", "odds", *(switch.name for switch in RULE_OPTIONS), "fork", "dice", "step")
"""The names of all controls, in the order of the canonical query."""

WAY_WORDS: Mapping[str, str] = {
    "rules": "By the rules",
    "as-printed": "As printed",
    "base-8": "With 8 + toughness",
}


@dataclass(frozen=True, slots=True)
class Moment:
    """The place of a story that is shown: the state after `step` and before it, and the same of the file's own story.

    `label` names the step by those of the file, "0" before the first. `record` is what came of it, `own` what came of
    it in the file where that differs; `beside` is the state that the file has there. `first` is the step at which the
    fork parts from the file. `own`, `beside` and `first` are None where there is no fork.
    """

    text: str
    original: Story
    story: Story
    changes: Changes
    step: int
    label: str
    is_fork: bool
    state: Any
    before: Any
    beside: Any
    record: StepResult | None
    own: StepResult | None
    first: int | None

    @property
    def system(self) -> AnySystem:
        """The order of turns."""
        return self.story.played.system


@dataclass(frozen=True, slots=True)
class RollShown:
    """One roll, by names; `what_if` holds other faces, each with the fork in which the die shows it."""

    who: str
    target: str
    face: int
    roll: FightRoll
    what_if: tuple[tuple[int, str], ...]

    @property
    def least(self) -> int:
        """The least face that succeeds. Rules: `roll.success`, `roll.auto-success`."""
        return face_needed(self.roll.check.total - self.face, self.roll.check.difficulty)


@dataclass(frozen=True, slots=True)
class StepShown:
    """What came of the step shown, or of the same one in the file's own story.

    `broken` says why a step is not allowed: a sentence, and every rule that it goes against; `rule` is the weightiest.
    """

    say: str
    legal: bool
    rule: str | None
    broken: tuple[tuple[str, tuple[str, ...]], ...]
    rolls: tuple[RollShown, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log: what came of a step, and beside it the file's own story of it where there is a fork.

    `round` is the round that the step is the first of, 0 where it is none. A step of the file that the fork leaves out
    has `n` 0, and in `restore` the fork with it; of one that only the fork has there is no `own`.
    `note` is what the step's own file says of it.
    """

    n: int
    now: StepShown
    own: StepShown | None
    round: int
    differs: bool
    is_first_difference: bool
    is_changed: bool = True
    is_new: bool = False
    restore: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Throw:
    """The faces of someone, or of a group, when the fight begins, and the field that changes them, "" for none.

    `who` is an id or a group, `label` the names of all that share them.
    """

    who: str
    label: str
    control: str
    faces: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What can be made of the step shown: its fields, and forks.

    `take` is the fork with what is typed into the fields, named with the step's label, `drop` that without this step's
    changes; `before` and `after` have one more step there ("" where there is no room), `delete` leaves this one out.
    """

    fields: tuple[EditField, ...]
    take: str
    drop: str
    is_changed: bool
    before: str
    after: str
    delete: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The moment after a step of a story, its log, its file, and what can be changed.

    `order` is who begins and why, and what holds after that, where the step shows it; `throws` are its dice. `now` is
    what came of the step, `beside` the file's own story of it, in a fork; `printed` what the rulebook prints of it.
    """

    title: str
    place: Moment
    last: int
    winner: str
    cards: tuple[Card, ...]
    board: BoardShown | None
    question: Prompt | None
    order: tuple[tuple[TurnOrderEntry, ...], Reason] | None
    throws: tuple[Throw, ...]
    now: StepShown | None
    beside: StepShown | None
    printed: Told | None
    note: str
    unmet: tuple[tuple[str, str], ...]
    log: tuple[Line, ...]
    labels: tuple[str, str]
    edit: Edit
    made_text: str


@dataclass(frozen=True, slots=True)
class View(form.View):
    """Everything the template prints. `switches` can be chosen; `rulings` are in force, for those left blank.

    `chances` are there where they are asked for; `needs` and `unfinished` see
    `scratch_core.calculators.shared.resources` and `jobs`.
    """

    is_shipped: bool
    way: str
    dice: int
    rulings: RulingSettings
    answer: Answer | None
    switches: tuple[RuleOption, ...]
    ways: tuple[tuple[str, str], ...] = tuple(WAY_WORDS.items())
    shipped: tuple[str, ...] = tuple(SAMPLE_SCENARIOS)
    chances: FightChances | None = None
    needs: str = ""
    unfinished: bool = False

    @property
    def idle(self) -> tuple[str, ...]:
        """The controls of rulings that do not concern this fight, where they say anything."""
        return tuple(each.name for each in RULE_OPTIONS if each not in self.switches and self.fields[each.name])

    @property
    def choosings(self) -> tuple[Choosing, ...]:
        """The rulings to choose, each first as the file has it, then each of its options."""
        return tuple(map(self._choosing, self.switches))

    def _choosing(self, switch: RuleOption) -> Choosing:
        words = dict(zip(switch.choices, switch.words, strict=True))
        now = words[getattr(self.rulings, switch.name)]
        options = ((format_setting(choice), words[choice]) for choice in switch.choices)
        title = get_ruling(switch.ruling).title
        return Choosing(switch.name, title, (("", f"as in the file ({now})"), *options), switch.ruling)
