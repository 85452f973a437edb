"""A fight as far as it has been played: one step more, one step less, every state kept, whatever the order of turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.dice import Roller
from scratch_core.encounter.pending_actions import Tens
from scratch_core.errors import Problem, ScratchError
from scratch_core.fast_replace import changed
from scratch_core.scenario.records import AnySystem, Record, Scenario, Step
from scratch_core.turn_systems import JOIN, Decision, Hand, refused


class NoDice:
    """Dice that no one throws: what has been thrown is known, and a step that needs more is not played."""

    def roll(self, sides: int) -> int:
        """Refuse: `fight.dice`."""
        raise ScratchError(Problem("fight.dice", "the faces of its dice", "none", "faces"))


@dataclass(frozen=True, slots=True)
class Play:
    """A fight so far; `scenario` is how it begins, and its steps are not looked at.

    `came` has a record of each step, as it was when the step was taken, and `states[n]` is the state after step n. The
    fight begins at once, or with the first step of someone's after the `before` first: `beginning` is how, None while
    it has not begun, `begun` the state after it, and `began` the step that it begins with, 0 for none. `faces` are the
    dice of the beginning, as far as they are known.
    """

    scenario: Scenario
    states: tuple[Any, ...]
    faces: Mapping[str, tuple[int, ...]]
    before: int = 0
    came: tuple[Record, ...] = ()
    beginning: Decision | None = None
    begun: Any = None
    began: int = 0

    @staticmethod
    def start(scenario: Scenario, dice: Roller, acts: Sequence[Any] = ()) -> Play:
        """The play of a scenario without steps; `acts` are those that will come, as far as they are known.

        Raises `ScratchError` for dice of the beginning that can't be.
        """
        play = Play(scenario, (scenario.before,), scenario.initiative, scenario.system.before(acts))
        if play.before:
            return play
        play = play.with_beginning(dice)
        return replace(play, states=(play.begun,))

    @staticmethod
    def through(
        scenario: Scenario, dice: Roller, *, until: int | None = None, strict: bool = False, waiting: bool = False
    ) -> Play:
        """The play of a scenario, or of its first `until` steps; a `strict` one ends with an illegal step.

        With `waiting` what the last act leaves open waits still.
        """
        play = Play.start(scenario, dice, [step.action for step in scenario.steps])
        for step, answers in unfolded(scenario, waiting)[: None if until is None else max(0, until)]:
            play = play.add(step, dice, answers)
            if strict and not play.came[-1].legal:
                break
        return play

    @property
    def system(self) -> AnySystem:
        """The order of turns."""
        return self.scenario.system

    def with_beginning(self, dice: Roller) -> Play:
        """The play in which the fight begins here; as it is, where it has begun.

        Rules: `turn.encounter`, `craft.encounter-lock`, `mano.start.first`, `mano-old.initiative.reach`, `seize.roll`.
        """
        if self.beginning is not None:
            return self
        state = self.states[-1]
        found = self.system.begin(state, dice, self.faces)
        faces = self.system.thrown(self.faces, found)
        begun = self.system.replay(state, found.events)
        return replace(self, beginning=found, begun=begun, faces=faces, began=len(self.came) + 1 if self.before else 0)

    @property
    def records(self) -> tuple[Record, ...]:
        """What came of each step: of one that waited with what its answers made of it.

        Rules: `grid.interrupt.what`, `grid.interrupt.prevent`.
        """
        interrupts = self.system.interrupts
        if interrupts is None:
            return self.came
        found, place = list(self.came), 0
        for at, record in enumerate(self.came):
            if record.do in interrupts.exposing:
                place = at
            elif interrupts.is_prevented(record.events):
                found[place] = replace(found[place], prevented=True)
            if record.settled and record.settled.problems:
                (wrong,) = record.settled.problems
                found[place] = replace(found[place], error=wrong, say=f"Not played: {wrong.message}.")
            elif record.settled:
                found[place] = replace(found[place], rolls=record.settled.rolls)
        return tuple(found)

    # One step more, and one less

    def add(self, step: Step, dice: Roller, answers: Sequence[Any] | None = None) -> Play:
        """The play with one more step; one without faces takes them from the dice.

        `answers` are the acts that follow and answer it: with none of them what waits happens at once, and with None
        they are still open. An illegal step changes nothing, nor does one with faces too few or too many.
        """
        play = self
        opening: tuple[Any, ...] = ()
        is_first = self.beginning is None and len(self.came) >= self.before and not isinstance(step.action, Hand)
        if is_first and self.system.needs_actor(step.action.do):
            play = self.with_beginning(dice)
            opening = play.beginning.events if play.beginning else ()
        record = play.came_of(step, dice, answers)
        if opening:
            record = replace(record, events=(*opening, *record.events))
        if play.beginning is None and self.system.begins_at_once:
            play, record = play._begun_with(record, dice)
        return changed(play, came=(*self.came, record), states=(*self.states, record.state))

    def _begun_with(self, record: Record, dice: Roller) -> tuple[Play, Record]:
        """The fight begins with this step; where it makes no sense it begins without it."""
        play = replace(self, states=(*self.states, record.state)).with_beginning(dice)
        assert play.beginning is not None
        events, said = (*record.events, *play.beginning.events), f"{record.say} {play.beginning.say}"
        return play, replace(record, events=events, rolls=play.beginning.rolls, say=said, state=play.begun)

    def back(self) -> Play:
        """The play without its last step; without a beginning, where that was the step's."""
        play = replace(self, came=self.came[:-1], states=self.states[:-1])
        return replace(play, beginning=None, begun=None, began=0) if self.began == len(self.came) > 0 else play

    @property
    def state(self) -> Any:
        """The state now; where the fight begins now, the one that it begins in."""
        return self.begun if self.beginning is not None and self.states[-1].phase == "before" else self.states[-1]

    def came_of(self, step: Step, dice: Roller, answers: Sequence[Any] | None) -> Record:
        """What comes of a step now."""
        system, state, n = self.system, self.state, len(self.came) + 1
        absent = self.absent(step.action)
        if absent is not None:
            return Record(system, n, step, (), (), f"{absent.got} is not in the fight.", (absent,), state)
        faces = self.faces_for(step)
        try:
            decision = self._decided(state, step.action, dice if faces is None else faces, answers)
            after = system.replay(state, decision.events)
            record = Record(system, n, step, decision.events, decision.rolls, decision.say, decision.problems, after)
            happens = answers is not None and not answers and not isinstance(step.action, Hand)
            return self._settled(record, dice) if happens else record
        except ScratchError as error:
            wrong = self.face_problem(step, state, error.problem)
            return Record(system, n, step, (), (), f"Not played: {wrong.message}.", (), state, wrong)

    def _decided(
        self, state: Any, action: Any, faces: Roller | Sequence[int], answers: Sequence[Any] | None
    ) -> Decision:
        """What comes of an act, which may wait for answers."""
        interrupts = self.system.interrupts
        if interrupts is None or isinstance(action, Hand):
            return self.system.decide(state, action, faces)
        return interrupts.declare(state, action, faces, answers)

    def absent(self, action: Any) -> Problem | None:
        """Why someone whom an act is about can't be: it isn't in the fight yet; None where all are."""
        there = {each.id for each in self.system.fighters(self.state)}
        found = next((who for who in action.named if who not in there), None)
        return None if found is None else refused("gm.not-joined", "a character who has joined", found, JOIN)

    def faces_for(self, step: Step) -> tuple[int, ...] | None:
        """The faces of a step; where what waits is settled, they may stand with the step that waits."""
        interrupts = self.system.interrupts
        if step.faces is not None or interrupts is None or step.action.do != interrupts.settling:
            return step.faces
        return self.exposed.step.faces if self.exposed else None

    @property
    def exposed(self) -> Record | None:
        """What came first of the step that waits, or did so last; None where there is none."""
        interrupts = self.system.interrupts
        if interrupts is None:
            return None
        return next((each for each in reversed(self.came) if each.do in interrupts.exposing), None)

    # Acts that wait

    def _settled(self, record: Record, dice: Roller) -> Record:
        """What waits happens, where anything does, for no one interrupts it any more. Rule: `grid.interrupt.what`."""
        interrupts = self.system.interrupts
        if interrupts is None or not self.system.is_waiting(record.state):
            return record
        if record.do in interrupts.exposing:
            decision = interrupts.settle(record.state, dice if record.step.faces is None else record.step.faces)
            after = self.system.replay(record.state, decision.events)
            events = (*record.events, *decision.events)
            came = replace(record, events=events, rolls=decision.rolls, say=decision.say, state=after)
            return replace(came, declared=record.state)
        exposed = self.exposed
        assert exposed is not None
        try:
            decision = interrupts.settle(record.state, dice if exposed.step.faces is None else exposed.step.faces)
        except ScratchError as error:
            wrong = self.face_problem(exposed.step, self.states[exposed.n - 1], error.problem)
            decision = replace(interrupts.drop(record.state), problems=(wrong,))
        after = self.system.replay(record.state, decision.events)
        events, said = (*record.events, *decision.events), f"{record.say} {decision.say}".strip()
        return replace(record, events=events, say=said, state=after, held=record.state, settled=decision)

    # Faces

    def face_problem(self, step: Step, state: Any, problem: Problem) -> Problem:
        """What is wrong with the faces of a step: how many it needs."""
        where = f"{step.where}.faces"
        is_count = problem.code in ("dice.faces.few", "dice.faces.many")
        if step.faces is None or isinstance(step.action, Hand) or not is_count:
            return replace(problem, where=where)
        needed = self.faces_needed(state, step.action)
        words = {0: "no faces", 1: "1 face"}.get(needed, f"{needed} faces")
        return Problem("scenario.faces", words, str(len(step.faces)), where)

    def faces_needed(self, state: Any, action: Any) -> int:
        """How many dice someone's legal action takes; 0 for an illegal one."""
        decision, interrupts = self._decided(state, action, Tens(), ()), self.system.interrupts
        after = self.system.replay(state, decision.events)
        if interrupts and action.do in interrupts.exposing and self.system.is_waiting(after):
            decision = interrupts.settle(after, Tens())
        return len(decision.rolls)


def unfolded(scenario: Scenario, waiting: bool = False) -> Sequence[tuple[Step, Sequence[Any] | None]]:
    """Each step of a file with the acts that follow and answer what waits: () for none, None where they are open.

    With `waiting` they are open after the last act. Rule: `grid.interrupt.what`.
    """
    interrupts = scenario.system.interrupts
    if interrupts is None:
        return [(step, ()) for step in scenario.steps]
    acts = [step.action for step in scenario.steps if not isinstance(step.action, Hand)]
    found: list[tuple[Step, Sequence[Any] | None]] = []
    place = 0
    for step in scenario.steps:
        place += not isinstance(step.action, Hand)
        answers = acts[place:] if interrupts.is_answered(acts, place) else ()
        found.append((step, None if waiting and place == len(acts) else answers))
    return found
