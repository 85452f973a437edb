"""A fight so far in any turn system: steps are added and undone, and every state is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.dice import FixedRoller, Roller
from scratch_core.errors import Problem, ScratchError
from scratch_core.record_copies import replace_fields
from scratch_core.scenario.records import AnySystem, Scenario, Step, StepResult
from scratch_core.turn_systems import GAME_MASTER, JOIN, Decision, GmAction, Narration, conceal, narrate
from scratch_core.turn_systems.gm_actions import GM_ACTION_TITLES


class NoDice:
    """A roller without dice, for playing only what has been rolled already.

    It raises another problem than a `RecordedRoller` without faces, because a page then asks for the dice.
    """

    def roll(self, sides: int) -> int:
        """Raise `ScratchError` (`fight.dice`)."""
        raise ScratchError(Problem("fight.dice", "the faces of its dice", "none", "faces"))


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A fight so far. It begins at once, or with the first step of a fighter after the steps that set it up."""

    scenario: Scenario
    """How the fight begins. Its steps are not used."""
    states: tuple[Any, ...]
    """The state before the first step, then the state after each step."""
    faces: Mapping[str, tuple[int, ...]]
    """The dice of the beginning that are known, by id or group."""
    setup_step_count: int = 0
    """How many steps set the fight up before it begins."""
    original_results: tuple[StepResult, ...] = ()
    """The result of each step at the time it was taken."""
    beginning: Decision | None = None
    """How the fight began. None until it has."""
    opening_state: Any = None
    """The state in which the fight began. None until it has."""
    opening_step: int = 0
    """The number of the step with which the fight begins. 0 if it begins before all steps."""

    @staticmethod
    def start(scenario: Scenario, dice: Roller, upcoming_acts: Sequence[Any] = ()) -> Playthrough:
        """Start a scenario without its steps.

        `upcoming_acts` are the actions that will follow, as far as they are known. They decide how many steps set the
        fight up. Raises `ScratchError` for impossible dice of the beginning.
        """
        play = Playthrough(
            scenario, (scenario.initial_state,), scenario.initiative, scenario.system.count_setup_steps(upcoming_acts)
        )
        if play.setup_step_count:
            return play
        play = play.with_beginning(dice)
        return replace(play, states=(play.opening_state,))

    @staticmethod
    def run(
        scenario: Scenario, dice: Roller, *, until: int | None = None, strict: bool = False, waiting: bool = False
    ) -> Playthrough:
        """Play a scenario, or its first `until` steps.

        With `strict` the first illegal step is the last. With `waiting` a pending action at the end stays pending.
        """
        play = Playthrough.start(scenario, dice, [step.action for step in scenario.steps])
        for step, answers in pair_steps_with_following_answers(scenario, waiting)[
            : None if until is None else max(0, until)
        ]:
            play = play.add_step(step, dice, answers)
            if strict and not play.original_results[-1].is_legal:
                break
        return play

    @property
    def system(self) -> AnySystem:
        """The turn system."""
        return self.scenario.system

    def with_beginning(self, dice: Roller) -> Playthrough:
        """Return the playthrough in which the fight begins now, unless it has begun.

        Rules: `turn.encounter`, `craft.encounter-lock`, `mano.start.first`, `mano-old.initiative.reach`, `seize.roll`.
        """
        if self.beginning is not None:
            return self
        state = self.states[-1]
        found = self.system.begin(state, dice, self.faces)
        faces = self.system.merge_initiative_faces(self.faces, found)
        begun = self.system.apply_events(state, found.events)
        return replace(
            self,
            beginning=found,
            opening_state=begun,
            faces=faces,
            opening_step=len(self.original_results) + 1 if self.setup_step_count else 0,
        )

    @property
    def results(self) -> tuple[StepResult, ...]:
        """The result of each step, with what its interrupts made of a pending one.

        Rules: `grid.interrupt.what`, `grid.interrupt.prevent`.
        """
        interrupts = self.system.interrupts
        if interrupts is None:
            return self.original_results
        found, place = list(self.original_results), 0
        for at, record in enumerate(self.original_results):
            if record.do in interrupts.exposing_actions:
                place = at
            elif interrupts.has_prevented_pending(record.events):
                found[place] = replace(found[place], prevented=True)
            if record.resolution and record.resolution.problems:
                (wrong,) = record.resolution.problems
                found[place] = replace(found[place], error=wrong, sentences=_narrate_wrong_dice(wrong))
            elif record.resolution:
                found[place] = replace(found[place], rolls=record.resolution.rolls)
        return tuple(found)

    # Adding and undoing steps

    def add_step(self, step: Step, dice: Roller, answers: Sequence[Any] | None = None) -> Playthrough:
        """Return the playthrough with one more step.

        A step without faces takes them from the dice. A step that is illegal, or has too few or too many faces, changes
        nothing. `answers` are the next actions, if they answer an action that can be interrupted. None means that they
        are not known yet, as in a running fight: the action stays pending. If they are empty, no one interrupts, and
        the action is resolved at once. Otherwise it waits for them.
        """
        play = self
        opening: tuple[Any, ...] = ()
        is_first = (
            self.beginning is None
            and len(self.original_results) >= self.setup_step_count
            and not isinstance(step.action, GmAction)
        )
        if is_first and self.system.needs_actor(step.action.do):
            play = self.with_beginning(dice)
            opening = play.beginning.events if play.beginning else ()
        record = play.compute_step_result(step, dice, answers)
        if opening:
            record = replace(record, events=(*opening, *record.events))
        if play.beginning is None and self.system.begins_at_once:
            play, record = play._begin_fight_after_step(record, dice)
        return replace_fields(
            play, original_results=(*self.original_results, record), states=(*self.states, record.state)
        )

    def _begin_fight_after_step(self, result: StepResult, dice: Roller) -> tuple[Playthrough, StepResult]:
        """Begin the fight with a step.

        The step's result gets the dice and events of the beginning.
        """
        play = replace(self, states=(*self.states, result.state)).with_beginning(dice)
        assert play.beginning is not None
        events = (*result.events, *play.beginning.events)
        sentences = narrate("{} {}", result.sentences, play.beginning.sentences)
        return play, replace(
            result, events=events, rolls=play.beginning.rolls, sentences=sentences, state=play.opening_state
        )

    def undo_step(self) -> Playthrough:
        """Return the playthrough without its last step, and without a beginning that came with it."""
        play = replace(self, original_results=self.original_results[:-1], states=self.states[:-1])
        # after set-up steps, the fight begins with the step `opening_step`; without this step it has not begun
        return (
            replace(play, beginning=None, opening_state=None, opening_step=0)
            if self.opening_step == len(self.original_results) > 0
            else play
        )

    @property
    def state(self) -> Any:
        """The current state.

        It is the opening state if the fight has begun without a further step.
        """
        return (
            self.opening_state if self.beginning is not None and self.states[-1].phase == "before" else self.states[-1]
        )

    def compute_step_result(self, step: Step, dice: Roller, answering_actions: Sequence[Any] | None) -> StepResult:
        """Return the result of a step in the current state."""
        system, state, n = self.system, self.state, len(self.original_results) + 1
        absent = self.find_absent_participant_problem(step.action)
        if absent is not None:
            refusal = conceal(GAME_MASTER, "{} is not in the fight.", absent.got)
            return StepResult(system, n, step, (), (), refusal, (absent,), state)
        faces = self.find_recorded_faces(step)
        try:
            decision = self._decide_or_leave_pending(
                state, step.action, dice if faces is None else faces, answering_actions
            )
            after = system.apply_events(state, decision.events)
            record = StepResult(
                system, n, step, decision.events, decision.rolls, decision.sentences, decision.problems, after
            )
            happens = answering_actions is not None and not answering_actions and not isinstance(step.action, GmAction)
            return self._with_resolved_pending(record, dice) if happens else record
        except ScratchError as error:
            wrong = self.build_face_problem(step, state, error.problem)
            return StepResult(system, n, step, (), (), _narrate_wrong_dice(wrong), (), state, wrong)

    def _decide_or_leave_pending(
        self, state: Any, action: Any, faces: Roller | Sequence[int], later_actions: Sequence[Any] | None
    ) -> Decision:
        """Decide an action, which may wait for answers."""
        interrupts = self.system.interrupts
        if interrupts is None or isinstance(action, GmAction):
            return self.system.decide(state, action, faces)
        return interrupts.decide_or_wait(state, action, faces, later_actions)

    def find_absent_participant_problem(self, action: Any) -> Problem | None:
        """Check that all participants of an action have joined the fight.

        Returns the problem of the first who has not, else None.
        """
        there = {each.id for each in self.state.fighters}
        found = next((who for who in action.participants if who not in there), None)
        if found is None:
            return None
        return Problem("gm.not-joined", "a character who has joined", found, GM_ACTION_TITLES[JOIN])

    def find_recorded_faces(self, step: Step) -> tuple[int, ...] | None:
        """Find the recorded faces of a step. Returns None if the file has none.

        The step that declines all interrupts may leave them with the pending step.
        """
        interrupts = self.system.interrupts
        if step.faces is not None or interrupts is None or step.action.do != interrupts.resolving_action:
            return step.faces
        return self.last_interruptible_result.step.faces if self.last_interruptible_result else None

    @property
    def last_interruptible_result(self) -> StepResult | None:
        """The result of the last step that could wait for interrupts.

        None if there is none.
        """
        interrupts = self.system.interrupts
        if interrupts is None:
            return None
        return next((each for each in reversed(self.original_results) if each.do in interrupts.exposing_actions), None)

    # Pending actions

    def _with_resolved_pending(self, result: StepResult, dice: Roller) -> StepResult:
        """Resolve the pending action, if there is one, after its last answer. Rule: `grid.interrupt.what`."""
        interrupts = self.system.interrupts
        if interrupts is None or not result.state.has_pending_action:
            return result
        if result.do in interrupts.exposing_actions:
            decision = interrupts.resolve_pending_uninterrupted(
                result.state, dice if result.step.faces is None else result.step.faces
            )
            after = self.system.apply_events(result.state, decision.events)
            events = (*result.events, *decision.events)
            came = replace(result, events=events, rolls=decision.rolls, sentences=decision.sentences, state=after)
            return replace(came, declared_state=result.state)
        exposed = self.last_interruptible_result
        assert exposed is not None
        try:
            decision = interrupts.resolve_pending_uninterrupted(
                result.state, dice if exposed.step.faces is None else exposed.step.faces
            )
        except ScratchError as error:
            wrong = self.build_face_problem(exposed.step, self.states[exposed.n - 1], error.problem)
            decision = replace(interrupts.decide_discarding_pending(result.state), problems=(wrong,))
        after = self.system.apply_events(result.state, decision.events)
        return replace(
            result,
            events=(*result.events, *decision.events),
            state=after,
            state_before_resolution=result.state,
            resolution=decision,
        )

    # Faces

    def build_face_problem(self, step: Step, state: Any, problem: Problem) -> Problem:
        """Build the problem of a step's faces, with the number that it needs."""
        where = step.where / "faces"
        is_count = problem.code in ("dice.faces.few", "dice.faces.many")
        if step.faces is None or isinstance(step.action, GmAction) or not is_count:
            return problem.with_location(where)
        needed = self.count_needed_faces(state, step.action)
        words = {0: "no faces", 1: "1 face"}.get(needed, f"{needed} faces")
        facts = {"needed": needed, "given": len(step.faces)}
        return Problem("scenario.faces", words, str(len(step.faces)), where, facts=facts)

    def count_needed_faces(self, state: Any, action: Any) -> int:
        """Count the dice that a legal action rolls. 0 for an illegal one."""
        decision, interrupts = self._decide_or_leave_pending(state, action, FixedRoller(10), ()), self.system.interrupts
        after = self.system.apply_events(state, decision.events)
        if interrupts and action.do in interrupts.exposing_actions and after.has_pending_action:
            return self.count_pending_faces(after)
        return len(decision.rolls)

    def count_pending_faces(self, state: Any) -> int:
        """Count the dice that the pending action of a state rolls, if nothing interrupts it."""
        interrupts = self.system.interrupts
        return len(interrupts.resolve_pending_uninterrupted(state, FixedRoller(10)).rolls) if interrupts else 0


def _narrate_wrong_dice(problem: Problem) -> Narration:
    """Build the sentence about a step with invalid dice."""
    return conceal(GAME_MASTER, "Not played: {}.", problem.message)


def pair_steps_with_following_answers(
    scenario: Scenario, is_last_step_open: bool = False
) -> Sequence[tuple[Step, Sequence[Any] | None]]:
    """Pair each step of a file with the actions that answer it. Rule: `grid.interrupt.what`.

    They are empty for a step without answers. With `is_last_step_open` those of the last action are None, as they are
    still open.
    """
    interrupts = scenario.system.interrupts
    if interrupts is None:
        return [(step, ()) for step in scenario.steps]
    acts = [step.action for step in scenario.steps if not isinstance(step.action, GmAction)]
    found: list[tuple[Step, Sequence[Any] | None]] = []
    place = 0
    for step in scenario.steps:
        place += not isinstance(step.action, GmAction)
        answers = acts[place:] if interrupts.is_followed_by_answer(acts, place) else ()
        found.append((step, None if is_last_step_open and place == len(acts) else answers))
    return found
