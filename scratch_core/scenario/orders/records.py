"""A scenario of another turn order as it was read, and what came of it when it was played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scratch_core.catalogue import Rulings
from scratch_core.errors import Problem
from scratch_core.rounds import SYSTEMS, Act, Event, Rounds, State, Thrown, event_to_json
from scratch_core.scenario.playing import Difference
from scratch_core.scenario.records import FORMAT, Expected, Tree

_TITLES = {do: words for system in SYSTEMS.values() for do, words in (*system.acts.items(), *system.facts.items())}


@dataclass(frozen=True, slots=True)
class OrderStep:
    """One step: its act, prose for the reader, what is expected after it, its place in the file, and how it is written.

    No act throws dice; `faces` are those that a file gives all the same.
    """

    action: Act
    faces: tuple[int, ...] | None
    note: str
    expect: Expected
    where: str
    tree: Tree


@dataclass(frozen=True, slots=True)
class OrderScenario:
    """A fight to play by another turn order. `initiative` holds faces by id or group, `tree` is the file."""

    title: str
    system: Rounds[Any]
    rulings: Rulings
    before: State
    initiative: Mapping[str, tuple[int, ...]]
    steps: tuple[OrderStep, ...]
    expect: Expected
    tree: Tree

    def start(self) -> State:
        """The state before the fight."""
        return self.before


@dataclass(frozen=True, slots=True)
class OrderRecord:
    """What came of one step; `n` counts from 1. `events` holds the beginning of the fight too, where it falls here.

    `error` tells of faces that nothing asks for: such a step changes nothing, as an illegal one does.
    """

    n: int
    step: OrderStep
    events: tuple[Event, ...]
    rolls: tuple[Thrown, ...]
    say: str
    problems: tuple[Problem, ...]
    state: State
    error: Problem | None = None

    @property
    def action(self) -> Act:
        """The act that was declared."""
        return self.step.action

    @property
    def actor(self) -> str:
        """Who acts; "" where the table tells something."""
        return self.step.action.actor

    @property
    def do(self) -> str:
        """The name of the act."""
        return self.step.action.do

    @property
    def title(self) -> str:
        """What readers call the act."""
        return _TITLES.get(self.do, self.do)

    @property
    def legal(self) -> bool:
        """Whether the step was carried out."""
        return not self.problems and self.error is None

    @property
    def prevented(self) -> bool:
        """Never: nothing is prevented in these systems."""
        return False

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
        """The faces thrown in this step: none, for only the beginning throws dice."""
        return ()

    def tree(self) -> dict[str, Any]:
        """The record as JSON: the step, and what came of it."""
        written = {**self.step.tree, "n": self.n, "do": self.do}
        written |= {"legal": self.legal, "prevented": False, "rule": self.rule, "rules": list(self.rules)}
        written["rolls"] = [{"who": each.who, "faces": list(each.faces)} for each in self.rolls]
        written["events"] = [event_to_json(event) for event in self.events]
        written["say"] = self.say
        return written if self.error is None else {**written, "error": self.error.message}


@dataclass(frozen=True, slots=True)
class OrderPlayed:
    """A scenario played: a record for each step and the state after each.

    `states[0]` is the position before the first step, `states[n]` that after step n; `begun` is how the fight began,
    with the dice thrown for it in `rolls` and a sentence in `opening`.
    """

    scenario: OrderScenario
    records: tuple[OrderRecord, ...]
    states: tuple[State, ...]
    begun: State
    rolls: tuple[Thrown, ...]
    opening: str
    differences: tuple[Difference, ...]
    problems: tuple[Problem, ...] = ()
    stopped: bool = False

    @property
    def final(self) -> State:
        """The state after the last step played."""
        return self.states[-1]

    def tree(self) -> dict[str, Any]:
        """The play as JSON: the file with every face filled in, its steps with what came of them, the last state."""
        given = self.scenario.tree
        keys = ("title", "system", "first", "ambush", "rulings", "characters")
        head = {key: given[key] for key in keys if key in given}
        thrown = {each.who: list(each.faces) for each in self.rolls}
        initiative = {**{who: list(faces) for who, faces in self.scenario.initiative.items()}, **thrown}
        tail = {"expect": given["expect"]} if "expect" in given else {}
        steps = [record.tree() for record in self.records]
        state = self.scenario.system.state_tree(self.final)
        return {"format": FORMAT, **head, "initiative": initiative, "steps": steps, **tail, "state": state}
