"""A scenario as it was read, what came of each step, and of all of them: trusted records, whatever the turn order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.board import Board
from scratch_core.characters import CharacterDraft
from scratch_core.encounter.actions import FightRoll
from scratch_core.errors import Problem
from scratch_core.figures import Figure
from scratch_core.rulebook import RulingSettings
from scratch_core.scenario.warnings import find_minion_warnings
from scratch_core.turn_systems import Decision, FightState, GmAction, InitiativeRoll, TurnSystem
from scratch_core.turn_systems.serialization import event_to_json

FORMAT = "scratch-scenario/1"
"""The tag that says which form a file has."""

AnySystem = TurnSystem[Any, Any]
"""Any order of turns: its own states and acts are for itself to know."""

Tree = Mapping[str, Any]
"""Tables, lists, texts, whole numbers and truth values, as TOML and JSON give them."""

Expected = tuple[tuple[str, Any], ...]
"""What is expected: pairs of a key or state path and its value."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its action, the faces of its dice (None: roll), prose for the reader, and what is expected after it.

    `where` is its place in the file (`steps[3]`), `tree` the step as it was written.
    """

    action: Any
    faces: tuple[int, ...] | None
    note: str
    expect: Expected
    where: str
    tree: Tree


@dataclass(frozen=True, slots=True)
class Scenario:
    """A fight to play: its order of turns, its rulings, the state before it, which dice, and what everyone does.

    `initiative` holds faces by group or id. `expect` is what is expected at the end. `tree` is the file. `drafts` are
    the characters as written, in order, to audit their printed figures; only the basic rules have any.
    """

    title: str
    system: AnySystem
    rulings: RulingSettings
    initial_state: Any
    initiative: Mapping[str, tuple[int, ...]]
    steps: tuple[Step, ...]
    expect: Expected
    tree: Tree
    drafts: tuple[CharacterDraft, ...] = ()

    @property
    def fighters(self) -> tuple[Any, ...]:
        """Everyone, as they are before the fight."""
        return self.system.fighters(self.initial_state)

    @property
    def board(self) -> Board | None:
        """The map, if there is one. Rule: `grid.scope`."""
        return getattr(self.initial_state, "board", None)

    @property
    def advice(self) -> tuple[Problem, ...]:
        """What the fight is played with and the rules would not allow. Rules: `command.minions`, `command.cp-limit`."""
        return find_minion_warnings(self.fighters) if self.drafts else ()


@dataclass(frozen=True, slots=True)
class StepResult:
    """What came of one step; `n` counts from 1. `events` and `rolls` hold the fight's beginning too, if it is here.

    `error` tells of faces too few or too many: such a step changes nothing, as an illegal one does.

    A step that exposes its actor waits for the interrupts after it. Its `rolls` are those thrown once it was settled,
    `prevented` says that it never was. What it does then belongs to the `events` of the last interrupt, whose
    expectations are held before that, in the state `held`; `settled` is that alone, or why its faces make no sense.
    `declared` is the state in which a step waited that no one interrupts.
    """

    system: AnySystem
    n: int
    step: Step
    events: tuple[Any, ...]
    rolls: tuple[Any, ...]
    narration: str
    problems: tuple[Problem, ...]
    state: Any
    error: Problem | None = None
    prevented: bool = False
    state_before_resolution: Any = None
    declared_state: Any = None
    resolution: Decision | None = None

    @property
    def action(self) -> Any:
        """The action that was declared."""
        return self.step.action

    @property
    def actor(self) -> str:
        """Who acts; "" where the table tells something."""
        return str(self.step.action.actor)

    @property
    def do(self) -> str:
        """The name of the action."""
        return str(self.step.action.do)

    @property
    def is_gm_action(self) -> bool:
        """Whether it is the game master's step, and no rule's."""
        return isinstance(self.step.action, GmAction)

    @property
    def title(self) -> str:
        """What readers call the action."""
        return self.system.title_of(self.do)

    @property
    def is_legal(self) -> bool:
        """Whether the step was carried out."""
        return not self.problems and self.error is None

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule that an illegal step breaks, the weightiest first."""
        return tuple(dict.fromkeys(problem.rule for problem in self.problems if problem.rule))

    @property
    def rule(self) -> str | None:
        """The first of the rules broken, None for a legal step."""
        return self.rules[0] if self.rules else None

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces thrown for the step itself, in order."""
        if self.is_gm_action:
            return tuple(face for roll in self.rolls if isinstance(roll, InitiativeRoll) for face in roll.faces)
        return tuple(roll.check.figure.parts[0].value for roll in self.rolls if isinstance(roll, FightRoll))

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON: the step with its faces filled in, and what came of it."""
        named = {"actor": self.actor} if self.actor else {}
        written = {**self.step.tree, "n": self.n, **named, "do": self.do}
        if self.is_gm_action:
            written["game_master"] = True
        is_kept = self.prevented or (self.system.is_waiting(self.state) and not self.rolls)
        if self.is_legal and not is_kept and (self.faces or "faces" in written):
            written["faces"] = list(self.faces)
        written |= {"legal": self.is_legal, "prevented": self.prevented, "rule": self.rule, "rules": list(self.rules)}
        written["rolls"] = [roll_to_dict(roll) for roll in self.rolls]
        written["events"] = [event_to_json(event) for event in self.events]
        written["say"] = self.narration
        return written if self.error is None else {**written, "error": self.error.message}


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that came otherwise than expected: after which step (0: at the end), where in the file, and what."""

    n: int
    where: str
    expected: str
    got: str

    @property
    def message(self) -> str:
        """One line: the step, what was expected, what came."""
        return f"{f'step {self.n}' if self.n else 'the end'} ({self.where}): expected {self.expected}, got {self.got}"


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """A scenario played: a record for each step, and the state after each, so that every position is there at once.

    `states[0]` is the position before the first step, `states[n]` that after step n. `begun` is the state in which the
    fight began, `beginning` how: its dice, and a sentence. `stopped` says that a strict play met an illegal step;
    `problems` are steps with faces too few or too many.
    """

    scenario: Scenario
    results: tuple[StepResult, ...]
    states: tuple[Any, ...]
    opening_state: Any
    beginning: Decision
    differences: tuple[Difference, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_stopped: bool = False

    @property
    def system(self) -> AnySystem:
        """The order of turns."""
        return self.scenario.system

    @property
    def final_state(self) -> FightState:
        """The state after the last step played."""
        last: FightState = self.states[-1]
        return last

    @property
    def initiative(self) -> dict[str, list[int]]:
        """Every face of the beginning, by group or id, as a file has them."""
        known = self.system.merge_initiative_faces(self.scenario.initiative, self.beginning)
        return {who: list(faces) for who, faces in known.items()}

    def to_dict(self) -> dict[str, Any]:
        """The play as JSON: the file with every face filled in, its steps with what came of them, the last state."""
        given, system = self.scenario.tree, self.system
        keys = ("title", "system", *(field.key for field in system.setup_fields), "rulings", "characters", "board")
        head = {key: given[key] for key in keys if key in given}
        tail = {"expect": given["expect"]} if "expect" in given else {}
        steps = [record.to_dict() for record in self.results]
        if self.scenario.drafts:
            tail["advice"] = [each.message for each in self.scenario.advice]
        state = system.state_to_dict(self.final_state) | {"order": list(system.list_order(self.ordered_state))}
        return {"format": FORMAT, **head, "initiative": self.initiative, "steps": steps, **tail, "state": state}

    @property
    def ordered_state(self) -> Any:
        """The last state, or the one in which the fight begins where it has not begun yet: in it there is an order."""
        return self.opening_state if self.final_state.phase == "before" else self.final_state


def list_step_rounds(system: AnySystem, records: Sequence[StepResult], states: Sequence[Any]) -> tuple[int, ...]:
    """List the round in which each step was taken; `states[n]` is the state after step n."""
    moments = zip(records, states, states[1:], strict=False)
    return tuple(system.find_step_round(record.do, before, after) for record, before, after in moments)


def roll_to_dict(roll: Any) -> dict[str, Any]:
    """One roll as JSON: of an action, or of a fight's beginning."""
    if not isinstance(roll, FightRoll):
        return {"who": roll.who, "faces": list(roll.faces)}
    figure = roll.check.figure
    return {
        "face": figure.parts[0].value,
        "parts": _parts(figure),
        "total": roll.check.total,
        "against": {"what": roll.against.name, "value": roll.against.value, "parts": _parts(roll.against)},
        "success": roll.check.success,
        "automatic": roll.check.automatic,
        "target": roll.target,
    }


def _parts(figure: Figure) -> list[dict[str, Any]]:
    return [{"what": part.label, "value": part.value, "rule": part.rule} for part in figure.parts]
