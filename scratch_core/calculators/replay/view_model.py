"""The data that the replay's template shows."""

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
"""The labels of the ways to play the worked combat."""


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """The step of a playthrough that is shown, with its states and those of the original playthrough."""

    scenario_text: str
    """The text of the scenario."""
    original: PlayedScenario
    """The original playthrough, as the file has it."""
    current: PlayedScenario
    """The playthrough shown: the fork if there is one, otherwise the original."""
    edits: Edits
    """The changes of the fork."""
    step: int
    """The step shown, 0 before the first."""
    label: str
    """The label of the step in the file, "0" before the first."""
    is_fork: bool
    """Whether changes or rulings differ from the file."""
    state: Any
    """The state after the step, of the turn system's own class."""
    previous_state: Any
    """The state before the step."""
    original_state: Any
    """The state of the original playthrough after the same step. None without a fork."""
    result: StepResult | None
    """The result of the step. None before the first."""
    original_result: StepResult | None
    """The result of the same step of the file. None without a fork, for a new step, or if it is the same."""
    first_different_step: int | None
    """The first step of the fork that differs from the file. None without a fork, or if none differs."""

    @property
    def system(self) -> AnySystem:
        """The turn system."""
        return self.current.result.system


@dataclass(frozen=True, slots=True)
class RollDisplay:
    """A roll with the names of those involved."""

    actor_name: str
    """The name of the character who rolls."""
    target_name: str
    """The name of the target. Empty without one."""
    face: int
    """The face of the die."""
    roll: FightRoll
    """The roll with its sum and difficulty."""
    alternative_faces: tuple[tuple[int, str], ...]
    """Other faces, each with the fork in which the die shows it."""

    @property
    def lowest_success_face(self) -> int:
        """The lowest face that succeeds. Rules: `roll.success`, `roll.auto-success`."""
        return face_needed(self.roll.check.total - self.face, self.roll.check.difficulty)


@dataclass(frozen=True, slots=True)
class StepDisplay:
    """The result of the step shown, or of the same step in the original playthrough."""

    narration: str
    """What happened, in one sentence."""
    is_legal: bool
    """Whether the rules allow the step."""
    rule: str | None
    """The id of the most important rule, or None."""
    violations: tuple[tuple[str, tuple[str, ...]], ...]
    """Why the step is not allowed: sentences, each with the ids of the rules that it breaks."""
    rolls: tuple[RollDisplay, ...]
    """The rolls of the step."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log."""

    n: int
    """The number of the step, from 1. 0 for a step of the file that the fork deletes."""
    current: StepDisplay
    """The result of the step."""
    original: StepDisplay | None
    """The result in the original playthrough. None without a fork, and for a new step."""
    round: int
    """The number of the round that begins with the step, otherwise 0."""
    is_different: bool
    """Whether the result differs from the original playthrough."""
    is_first_difference: bool
    """Whether this is the first difference from the original playthrough."""
    is_changed: bool = True
    """Whether the fork has changes for this step."""
    is_new: bool = False
    """Whether only the fork has this step."""
    restore_fork: str = ""
    """The fork that restores a deleted step. Empty for all other steps."""
    note: str = ""
    """The note of the step in the file."""


@dataclass(frozen=True, slots=True)
class InitiativeDice:
    """The initiative dice of a fighter or a group."""

    group: str
    """The id of the fighter or the group."""
    label: str
    """The names of all fighters that share the dice."""
    control: str
    """The name of the control that edits them. Empty if they can't be edited."""
    faces: str
    """The faces, separated by commas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEditor:
    """The fields of the step shown, and the forks that edit it."""

    fields: tuple[EditField, ...]
    """The fields of the step."""
    take_over_fork: str
    """The fork that adds the typed fields, which are named by the step's label."""
    revert_fork: str
    """The fork without the changes of this step."""
    is_changed: bool
    """Whether the fork has changes for this step."""
    insert_before_fork: str
    """The fork with a new step before this one. Empty if it is not possible."""
    insert_after_fork: str
    """The fork with a new step after this one. Empty if it is not possible."""
    delete_fork: str
    """The fork without this step. Empty before the first step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayAnswer:
    """The state after a step of a playthrough, with its log, its file and its editor."""

    title: str
    """The scenario's title."""
    position: ReplayPosition
    """The step shown, with its states."""
    step_count: int
    """The number of steps."""
    winner: str
    """The side that has won. Empty if there is none, or only one side."""
    cards: tuple[FighterCard, ...]
    """The fighters in the order of the file."""
    board: ReplayBoard | None
    """The map. None if the scenario has none."""
    prompt: Prompt | None
    """What the turn system asks for next, or None."""
    opening_order: tuple[tuple[TurnOrderEntry, ...], Reason] | None
    """The opening turn order and its reason. None except at the step that shows it."""
    initiative_dice: tuple[InitiativeDice, ...]
    """The initiative dice."""
    current_step: StepDisplay | None
    """The result of the step. None before the first."""
    original_step: StepDisplay | None
    """The result in the original playthrough. None if it is the same."""
    printed_step: PrintedStep | None
    """The rulebook's text for the step. None for other scenarios."""
    note: str
    """The note of the step in the file. Empty if the fork changes the step."""
    unmet_expectations: tuple[tuple[str, str], ...]
    """Expectations of the file that are not met: sentences with details."""
    log_lines: tuple[LogLine, ...]
    """The lines around the step."""
    column_labels: tuple[str, str]
    """The labels of the log's columns for the playthrough shown and the original."""
    step_editor: StepEditor
    """The editor of the step."""
    changed_file_text: str
    """The file of the playthrough as JSON. Empty if it equals the file of the query."""


@dataclass(frozen=True, slots=True)
class View(form.View):
    """Everything the template shows."""

    is_worked_combat: bool
    """Whether the scenario is the sample `worked-combat`."""
    way: str
    """The chosen way to play the worked combat. Empty for none."""
    dice: int
    """The number that selects the faces that the file leaves open."""
    rulings: RulingSettings
    """The rulings in force."""
    answer: ReplayAnswer | None
    """The answer. None if the scenario can't be played."""
    rule_options: tuple[RuleOption, ...]
    """The rulings that the user can choose."""
    ways: tuple[tuple[str, str], ...] = tuple(WAY_LABELS.items())
    """The ways to play the worked combat, with their labels."""
    sample_names: tuple[str, ...] = tuple(SAMPLE_SCENARIOS)
    """The names of the sample scenarios."""
    win_chances: FightChances | None = None
    """Each side's win chances. None unless requested."""
    needs: str = ""
    """The path of a resource that the answer waits for, see `scratch_core.calculators.shared.resources`. Empty for
    none."""
    is_incomplete: bool = False
    """Whether another request gives more, see `scratch_core.calculators.shared.jobs`."""

    @property
    def idle_controls(self) -> tuple[str, ...]:
        """The controls with a ruling that does not concern this fight."""
        return tuple(each.name for each in RULE_OPTIONS if each not in self.rule_options and self.fields[each.name])

    @property
    def ruling_choices(self) -> tuple[RulingChoice, ...]:
        """The rulings to choose: first the file's setting, then each option."""
        return tuple(map(self._build_ruling_choice, self.rule_options))

    def _build_ruling_choice(self, switch: RuleOption) -> RulingChoice:
        labels = dict(zip(switch.choices, switch.words, strict=True))
        current_label = labels[getattr(self.rulings, switch.name)]
        options = ((format_setting(choice), labels[choice]) for choice in switch.choices)
        title = get_ruling(switch.ruling).title
        return RulingChoice(switch.name, title, (("", f"as in the file ({current_label})"), *options), switch.ruling)
