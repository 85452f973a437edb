"""What the replay's template prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scratch_core.calculators.replay.board_view import ReplayBoard
from scratch_core.calculators.replay.fighter_cards import FighterCard
from scratch_core.calculators.replay.fork_changes import Edits
from scratch_core.calculators.replay.playthroughs import PlayedScenario
from scratch_core.calculators.replay.printed_narration import PrintedStep
from scratch_core.calculators.replay.step_editor import EditField
from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.form import RulingChoice
from scratch_core.dice import face_needed
from scratch_core.encounter.actions import FightRoll
from scratch_core.rulebook import RULE_OPTIONS, RuleOption, RulingSettings, format_setting, get_ruling
from scratch_core.scenario import SAMPLE_SCENARIOS, AnySystem, StepResult
from scratch_core.turn_systems import Prompt, Reason, TurnOrderEntry

if TYPE_CHECKING:
    from scratch_core.calculators.shared.win_chances import FightChances

CONTROLS = ("scenario", "way", "odds", *(switch.name for switch in RULE_OPTIONS), "fork", "dice", "step")
"""The names of all controls, in the order of the canonical query."""

WAY_LABELS: Mapping[str, str] = {
    "rules": "By the rules",
    "as-printed": "As printed",
    "base-8": "With 8 + toughness",
}


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """The place of a story that is shown: the state after `step` and before it, and the same of the file's own story.

    `label` names the step by those of the file, "0" before the first. `result` is what came of it, `original_result`
    what came of it in the file where that differs; `original_state` is the state that the file has there.
    `first_different_step` is the step at which the fork parts from the file. `original_result`, `original_state` and
    `first_different_step` are None where there is no fork.
    """

    scenario_text: str
    original: PlayedScenario
    current: PlayedScenario
    edits: Edits
    step: int
    label: str
    is_fork: bool
    state: Any
    previous_state: Any
    original_state: Any
    result: StepResult | None
    original_result: StepResult | None
    first_different_step: int | None

    @property
    def system(self) -> AnySystem:
        """The order of turns."""
        return self.current.result.system


@dataclass(frozen=True, slots=True)
class RollDisplay:
    """One roll, by names; `alternative_faces` holds other faces, each with the fork in which the die shows it."""

    actor_name: str
    target_name: str
    face: int
    roll: FightRoll
    alternative_faces: tuple[tuple[int, str], ...]

    @property
    def lowest_success_face(self) -> int:
        """The least face that succeeds. Rules: `roll.success`, `roll.auto-success`."""
        return face_needed(self.roll.check.total - self.face, self.roll.check.difficulty)


@dataclass(frozen=True, slots=True)
class StepDisplay:
    """What came of the step shown, or of the same one in the file's own story.

    `violations` says why a step is not allowed: a sentence, and every rule that it goes against; `rule` is the
    weightiest.
    """

    narration: str
    is_legal: bool
    rule: str | None
    violations: tuple[tuple[str, tuple[str, ...]], ...]
    rolls: tuple[RollDisplay, ...]


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log: what came of a step, and beside it the file's own story of it where there is a fork.

    `round` is the round that the step is the first of, 0 where it is none. A step of the file that the fork leaves out
    has `n` 0, and in `restore_fork` the fork with it; of one that only the fork has there is no `original`.
    `note` is what the step's own file says of it.
    """

    n: int
    current: StepDisplay
    original: StepDisplay | None
    round: int
    is_different: bool
    is_first_difference: bool
    is_changed: bool = True
    is_new: bool = False
    restore_fork: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class InitiativeDice:
    """The faces of someone, or of a group, when the fight begins, and the field that changes them, "" for none.

    `group` is an id or a group, `label` the names of all that share them.
    """

    group: str
    label: str
    control: str
    faces: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEditor:
    """What can be made of the step shown: its fields, and forks.

    `take_over_fork` is the fork with what is typed into the fields, named with the step's label, `revert_fork` that
    without this step's changes; `insert_before_fork` and `insert_after_fork` have one more step there ("" where there
    is no room), `delete_fork` leaves this one out.
    """

    fields: tuple[EditField, ...]
    take_over_fork: str
    revert_fork: str
    is_changed: bool
    insert_before_fork: str
    insert_after_fork: str
    delete_fork: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayAnswer:
    """The moment after a step of a story, its log, its file, and what can be changed.

    `opening_order` is who begins and why, and what holds after that, where the step shows it; `initiative_dice` are its
    dice. `current_step` is what came of the step, `original_step` the file's own story of it, in a fork; `printed_step`
    what the rulebook prints of it.
    """

    title: str
    position: ReplayPosition
    step_count: int
    winner: str
    cards: tuple[FighterCard, ...]
    board: ReplayBoard | None
    prompt: Prompt | None
    opening_order: tuple[tuple[TurnOrderEntry, ...], Reason] | None
    initiative_dice: tuple[InitiativeDice, ...]
    current_step: StepDisplay | None
    original_step: StepDisplay | None
    printed_step: PrintedStep | None
    note: str
    unmet_expectations: tuple[tuple[str, str], ...]
    log_lines: tuple[LogLine, ...]
    column_labels: tuple[str, str]
    step_editor: StepEditor
    changed_file_text: str


@dataclass(frozen=True, slots=True)
class View(form.View):
    """Everything the template prints. `rule_options` can be chosen; `rulings` are in force, for those left blank.

    `win_chances` are there where they are asked for; `needs` and `is_incomplete` see
    `scratch_core.calculators.shared.resources` and `jobs`.
    """

    is_worked_combat: bool
    way: str
    dice: int
    rulings: RulingSettings
    answer: ReplayAnswer | None
    rule_options: tuple[RuleOption, ...]
    ways: tuple[tuple[str, str], ...] = tuple(WAY_LABELS.items())
    sample_names: tuple[str, ...] = tuple(SAMPLE_SCENARIOS)
    win_chances: FightChances | None = None
    needs: str = ""
    is_incomplete: bool = False

    @property
    def idle_controls(self) -> tuple[str, ...]:
        """The controls of rulings that do not concern this fight, where they say anything."""
        return tuple(each.name for each in RULE_OPTIONS if each not in self.rule_options and self.fields[each.name])

    @property
    def ruling_choices(self) -> tuple[RulingChoice, ...]:
        """The rulings to choose, each first as the file has it, then each of its options."""
        return tuple(map(self._build_ruling_choice, self.rule_options))

    def _build_ruling_choice(self, switch: RuleOption) -> RulingChoice:
        words = dict(zip(switch.choices, switch.words, strict=True))
        now = words[getattr(self.rulings, switch.name)]
        options = ((format_setting(choice), words[choice]) for choice in switch.choices)
        title = get_ruling(switch.ruling).title
        return RulingChoice(switch.name, title, (("", f"as in the file ({now})"), *options), switch.ruling)
