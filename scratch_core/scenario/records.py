"""Records of a valid scenario, of the result of each step, and of the whole play, in any turn system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.board import Board
from scratch_core.characters import CharacterDraft
from scratch_core.encounter.actions import FightRoll
from scratch_core.errors import Location, Problem
from scratch_core.figures import parts_to_dicts
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.rulebook import RulingSettings
from scratch_core.scenario.warnings import list_command_limit_warnings
from scratch_core.turn_systems import Decision, FightState, GmAction, InitiativeRoll, Narration, TurnSystem
from scratch_core.turn_systems.serialization import event_to_json

AnySystem = TurnSystem[Any, Any]
"""Any turn system. Only the system itself knows the types of its states and actions."""

Tree = Mapping[str, Any]
"""Tables, lists, texts, whole numbers and truth values, as parsed from TOML or JSON."""

Expected = tuple[tuple[str, Any], ...]
"""Expectations: pairs of a key or state path and its value."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a file."""

    action: Any
    """The action, or the change by the game master."""
    faces: tuple[int, ...] | None
    """The faces of its dice. None to roll them."""
    note: str
    """The prose for the reader."""
    expect: Expected
    """What is expected after the step."""
    where: Location
    """The place in the file, such as `steps[3]`."""
    tree: Tree
    """The step as the file has it."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A fight to play: who fights, by which rules, and the steps."""

    title: str
    """The title."""
    system: AnySystem
    """The turn system."""
    rulings: RulingSettings
    """The settings of the rulings."""
    initial_state: Any
    """The state before the fight."""
    initiative: Mapping[str, tuple[int, ...]]
    """The faces of the beginning, by group or id."""
    steps: tuple[Step, ...]
    """The steps in order."""
    expect: Expected
    """What is expected at the end."""
    tree: Tree
    """The file."""
    drafts: tuple[CharacterDraft, ...] = ()
    """The characters as the file has them, in order, to check their printed figures. Only the basic rules have any."""

    @property
    def fighters(self) -> tuple[Any, ...]:
        """All fighters as they are before the fight."""
        found: tuple[Any, ...] = self.initial_state.fighters
        return found

    @property
    def board(self) -> Board | None:
        """The map. None if there is none. Rule: `grid.scope`."""
        return getattr(self.initial_state, "board", None)

    @property
    def minion_problems(self) -> tuple[Problem, ...]:
        """Warnings about fighters that the rules do not allow. Rules: `command.minions`, `command.cp-limit`."""
        return list_command_limit_warnings(self.fighters) if self.drafts else ()


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of one step.

    A step that exposes its actor waits for the interrupts after it. What it does then belongs to the events of the last
    interrupt.
    """

    system: AnySystem
    """The turn system."""
    n: int
    """The number of the step, from 1."""
    step: Step
    """The step."""
    events: tuple[Any, ...]
    """The events, including those of the fight's beginning if it begins here."""
    rolls: tuple[Any, ...]
    """The rolls, including those of the fight's beginning. For a step that waited, the rolls once it was resolved."""
    sentences: Narration
    """What happened, for every reader. Without the pending step that this one resolves."""
    problems: tuple[Problem, ...]
    """The rules that an illegal step breaks."""
    state: Any
    """The state after the step."""
    error: Problem | None = None
    """The problem of a step with invalid dice, which changes nothing. None for none."""
    prevented: bool = False
    """Whether an interrupt prevented the step."""
    state_before_resolution: Any = None
    """The state in which the expectations of the last interrupt are checked, before it resolves the pending step. None
    for other steps."""
    declared_state: Any = None
    """The state in which the step waited although nothing interrupts it. None for other steps."""
    resolution: Decision | None = None
    """How the last interrupt resolves the pending step, or why its faces are invalid. None for other steps."""

    @property
    def narration(self) -> str:
        """What happened, in sentences for the game master.

        It includes how the step resolves the pending one.
        """
        return f"{self.sentences} {self.resolution.narration}".strip() if self.resolution else str(self.sentences)

    @property
    def action(self) -> Any:
        """The declared action."""
        return self.step.action

    @property
    def actor(self) -> str:
        """The actor's id, "" for an event that the table reports."""
        return str(self.step.action.actor)

    @property
    def do(self) -> str:
        """The name of the action."""
        return str(self.step.action.do)

    @property
    def is_gm_action(self) -> bool:
        """Whether it is a change by the game master, which follows no rule."""
        return isinstance(self.step.action, GmAction)

    @property
    def title(self) -> str:
        """The action's title for players."""
        return self.system.title_of(self.do)

    @property
    def is_legal(self) -> bool:
        """Whether the step was carried out."""
        return not self.problems and self.error is None

    @property
    def broken_rules(self) -> tuple[str, ...]:
        """The ids of the rules that an illegal step breaks, the most important first."""
        return tuple(dict.fromkeys(problem.rule for problem in self.problems if problem.rule))

    @property
    def rule(self) -> str | None:
        """The id of the most important rule broken. None for a legal step."""
        return self.broken_rules[0] if self.broken_rules else None

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces rolled for the step itself, in order."""
        if self.is_gm_action:
            return tuple(face for roll in self.rolls if isinstance(roll, InitiativeRoll) for face in roll.faces)
        return tuple(roll.check.figure.parts[0].value for roll in self.rolls if isinstance(roll, FightRoll))

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON: the step with its faces, and its outcome."""
        named = {"actor": self.actor} if self.actor else {}
        written = {**self.step.tree, "n": self.n, **named, "do": self.do}
        if self.is_gm_action:
            written["game_master"] = True
        is_kept = self.prevented or (self.state.has_pending_action and not self.rolls)
        if self.is_legal and not is_kept and (self.faces or "faces" in written):
            written["faces"] = list(self.faces)
        written |= {
            "legal": self.is_legal,
            "prevented": self.prevented,
            "rule": self.rule,
            "rules": list(self.broken_rules),
        }
        written["rolls"] = [roll_to_dict(roll) for roll in self.rolls]
        written["events"] = [event_to_json(event) for event in self.events]
        written["say"] = self.narration
        return written if self.error is None else {**written, "error": self.error.message}


@dataclass(frozen=True, slots=True)
class Difference:
    """An expectation that is not met."""

    n: int
    """The number of the step, 0 for the end."""
    where: str
    """The place in the file."""
    expected: str
    """What was expected, with its key."""
    got: str
    """What was found."""

    @property
    def message(self) -> str:
        """A line with the step, what was expected, and what was found."""
        return f"{f'step {self.n}' if self.n else 'the end'} ({self.where}): expected {self.expected}, got {self.got}"


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """A scenario that was played, with the result of each step and the state after it."""

    scenario: Scenario
    """The scenario."""
    results: tuple[StepResult, ...]
    """The result of each step played."""
    states: tuple[Any, ...]
    """The state before the first step, then the state after each step."""
    opening_state: Any
    """The state in which the fight began."""
    beginning: Decision
    """How the fight began: its dice and a sentence."""
    differences: tuple[Difference, ...] = ()
    """The expectations that are not met."""
    problems: tuple[Problem, ...] = ()
    """The problems of steps with too few, too many or impossible faces."""
    is_stopped: bool = False
    """Whether an illegal step ended a strict play."""

    @property
    def system(self) -> AnySystem:
        """The turn system."""
        return self.scenario.system

    @property
    def final_state(self) -> FightState[Any]:
        """The state after the last step played."""
        last: FightState[Any] = self.states[-1]
        return last

    @property
    def initiative(self) -> dict[str, list[int]]:
        """The faces of the beginning, by group or id, as a file has them."""
        known = self.system.merge_initiative_faces(self.scenario.initiative, self.beginning)
        return {who: list(faces) for who, faces in known.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the play as JSON: the file with all faces, results and the last state."""
        given, system = self.scenario.tree, self.system
        keys = ("title", "system", *(field.key for field in system.setup_fields), "rulings", "characters", "board")
        head = {key: given[key] for key in keys if key in given}
        tail = {"expect": given["expect"]} if "expect" in given else {}
        steps = [record.to_dict() for record in self.results]
        if self.scenario.drafts:
            tail["advice"] = [each.message for each in self.scenario.minion_problems]
        state = system.state_to_dict(self.final_state) | {"order": list(self.last_state_with_order.turn_order)}
        return {
            "format": SCENARIO_FORMAT,
            **head,
            "initiative": self.initiative,
            "steps": steps,
            **tail,
            "state": state,
        }

    @property
    def last_state_with_order(self) -> Any:
        """The last state in which there is a turn order.

        It is the opening state if the steps end before the fight begins.
        """
        return self.opening_state if self.final_state.phase == "before" else self.final_state


def list_step_rounds(system: AnySystem, records: Sequence[StepResult], states: Sequence[Any]) -> tuple[int, ...]:
    """List the round of each step. `states[n]` is the state after step n."""
    moments = zip(records, states, states[1:], strict=False)
    return tuple(system.find_step_round(record.do, before, after) for record, before, after in moments)


def roll_to_dict(roll: Any) -> dict[str, Any]:
    """Return a roll as JSON, of an action or of the fight's beginning."""
    if not isinstance(roll, FightRoll):
        return {"who": roll.who, "faces": list(roll.faces)}
    figure = roll.check.figure
    return {
        "face": figure.parts[0].value,
        "parts": parts_to_dicts(figure.parts),
        "total": roll.check.total,
        "against": {
            "what": roll.against.name,
            "value": roll.against.value,
            "parts": parts_to_dicts(roll.against.parts),
        },
        "success": roll.check.is_success,
        "automatic": roll.check.automatic,
        "target": roll.target,
    }
