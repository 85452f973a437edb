"""Playing a scenario: every step decided, every state kept, every expectation held, whatever the order of turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from scratch_core.actions import FightRoll
from scratch_core.dice import Roller, SystemRoller
from scratch_core.errors import Problem, ScratchError
from scratch_core.scenario.expecting import MAY_PATHS, may_difference, plain
from scratch_core.scenario.reading import read_tree
from scratch_core.scenario.records import Difference, Expected, Played, Record, Scenario, Step
from scratch_core.turns import Decision, Hand, Struck
from scratch_core.turns.hand import JOIN, STRIKE, listed, refused


class Tens:
    """Dice that show a 10, to count how many are thrown."""

    def roll(self, sides: int) -> int:
        """Show a 10."""
        return 10


def play(
    scenario: Scenario,
    roller: Roller | None = None,
    until: int | None = None,
    strict: bool = False,
    waiting: bool = False,
) -> Played:
    """Play a scenario, or its first `until` steps; a step without faces takes them from the roller.

    An illegal step changes nothing and the play goes on, unless it is `strict`. The fight begins at once, or after the
    steps that come before it: bonuses crafted, the rolls of an ambush. On a board, a step that exposes its actor waits
    for the interrupts written right after it; with `waiting` the file's last step does too. The game master's steps
    wait for nothing and begin no fight.
    Rules: `turn.encounter`, `craft.encounter-lock`, `grid.interrupt.what`, `mano.surprise.two-rolls`,
    `mano.start.first`, `mano-old.initiative.reach`, `seize.roll`.
    """
    playing = _Playing(scenario, roller or SystemRoller(), waiting)
    steps = scenario.steps if until is None else scenario.steps[: max(0, until)]
    stopped = False
    for n, step in enumerate(steps, 1):
        record = playing.step(n, step)
        stopped = strict and not record.legal
        if stopped:
            break
    return playing.played(stopped)


class _Playing:
    """A play as far as it has come.

    `acts` are those of all steps but the game master's, `counts` how many of them there are in the first so many steps.
    `before` is how many steps come before the fight, `faces` are those of its beginning, `struck` the steps that the
    game master has taken out.
    """

    def __init__(self, scenario: Scenario, dice: Roller, waiting: bool, before: int | None = None) -> None:
        self.scenario, self.system, self.dice = scenario, scenario.system, dice
        acts = [step.action for step in scenario.steps]
        self.acts = [act for act in acts if not isinstance(act, Hand)]
        self.counts = list(accumulate((not isinstance(act, Hand) for act in acts), initial=0))
        self.last_waits = waiting
        self.before = self.system.before(acts) if before is None else before
        self.faces = scenario.initiative
        self.struck: frozenset[int] = frozenset()
        self.beginning: Decision | None = None
        self.begun = scenario.start()
        if not self.before:
            self.begun = self.begin(self.begun)
        self.states: list[Any] = [self.begun]
        self.records: list[Record] = []

    def begin(self, state: Any) -> Any:
        """The state in which the fight has begun."""
        self.beginning = self.system.begin(state, self.dice, self.faces)
        known = self.system.thrown(self.faces, self.beginning)
        self.faces = {who: tuple(each) for who, each in known.items()}
        return self.system.replay(state, self.beginning.events)

    def played(self, stopped: bool) -> Played:
        """What came of it; a fight that has not begun would begin like this."""
        if self.beginning is None:
            self.begun = self.begin(self.states[-1])
        assert self.beginning is not None
        found = Played(self.scenario, tuple(self.records), tuple(self.states), self.begun, self.beginning)
        problems = tuple(record.error for record in self.records if record.error)
        return replace(found, differences=_differences(found), problems=problems, stopped=stopped)

    def step(self, n: int, step: Step) -> Record:
        """What comes of the next step."""
        state, opening = self.states[-1], ()
        begins_now = self.beginning is None and n > self.before
        is_hand = isinstance(step.action, Hand)
        if begins_now and not is_hand and self.system.needs_actor(step.action.do):
            self.begun = state = self.begin(state)
            opening = self.opening
        record = self.decided(n, step, state)
        record = replace(record, events=(*opening, *record.events))
        if self.beginning is None and self.system.begins_at_once:
            record = self.begun_with(record)
        self.records.append(record)
        self.states.append(record.state)
        return record

    @property
    def opening(self) -> tuple[Any, ...]:
        """The events of the beginning."""
        return self.beginning.events if self.beginning else ()

    def begun_with(self, record: Record) -> Record:
        """The fight begins with this step; where it makes no sense it begins without it."""
        self.begun = self.begin(record.state)
        assert self.beginning is not None
        events, said = (*record.events, *self.opening), f"{record.say} {self.beginning.say}"
        return replace(record, events=events, rolls=self.beginning.rolls, say=said, state=self.begun)

    # One step

    def decided(self, n: int, step: Step, state: Any) -> Record:
        """What comes of a step: it happens, or waits, or answers one that waits."""
        missing = self.missing(n, step, state)
        if missing is not None:
            return missing
        if isinstance(step.action, Hand):
            return self.by_hand(n, step, step.action, state)
        interrupts = self.system.interrupts
        if interrupts is None:
            return self.tried(n, step, state)
        place = self.counts[n]
        may_wait = interrupts.is_answered(self.acts, place) or (self.last_waits and place == len(self.acts))
        is_answer = interrupts.is_answer(state, step.action)
        thrown = self.as_thrown(step) if step.action.do == interrupts.settling else step
        record = self.tried(n, thrown, state, may_wait=may_wait or is_answer)
        if is_answer and interrupts.is_waiting(state):
            return self.answered(replace(record, step=step), may_wait)
        return record

    def tried(self, n: int, step: Step, state: Any, *, may_wait: bool = False) -> Record:
        """A step decided; faces too few or too many are its error."""
        system, interrupts = self.system, self.system.interrupts
        faces = self.dice if step.faces is None else step.faces
        declared = None
        try:
            if interrupts is None:
                decision = system.decide(state, step.action, faces)
            elif may_wait:
                is_open = self.last_waits and self.counts[n] == len(self.acts)
                later = None if is_open else self.acts[self.counts[n] :]
                decision = interrupts.declare(state, step.action, faces, later)
            else:
                decision, declared = interrupts.at_once(state, step.action, faces)
        except ScratchError as error:
            wrong = self.face_problem(step, state, error.problem)
            return Record(system, n, step, (), (), f"Not played: {wrong.message}.", (), state, wrong)
        after = system.replay(state, decision.events)
        came = (decision.events, decision.rolls, decision.say, decision.problems)
        return Record(system, n, step, *came, after, declared=declared)

    # The game master's steps

    def missing(self, n: int, step: Step, state: Any) -> Record | None:
        """What comes of a step about somebody who isn't in the fight yet, or not any more; None where all are."""
        there = {each.id for each in self.system.fighters(state)}
        absent = next((who for who in step.action.named if who not in there), None)
        if absent is None:
            return None
        wrong = refused("somebody who has joined", absent, JOIN)
        return Record(self.system, n, step, (), (), f"{absent} is not in the fight.", (wrong,), state)

    def by_hand(self, n: int, step: Step, hand: Hand, state: Any) -> Record:
        """A step of the game master's carried out; faces too few or too many are its error."""
        if hand.do == STRIKE and not self.system.is_asking(state):
            return self.strike(n, step, hand, state)
        faces = self.dice if step.faces is None else step.faces
        try:
            decision = self.system.intervene(state, hand, faces)
        except ScratchError as error:
            wrong = replace(error.problem, where=f"{step.where}.faces")
            return Record(self.system, n, step, (), (), f"Not played: {wrong.message}.", (), state, wrong)
        after = self.system.replay(state, decision.events)
        return Record(self.system, n, step, decision.events, decision.rolls, decision.say, decision.problems, after)

    def strike(self, n: int, step: Step, hand: Hand, state: Any) -> Record:
        """From here as if some steps had not been: the others are played again with their dice.

        Refused where one of them could not be played as it was.
        """
        if step.faces:
            wrong = Problem("scenario.faces", "no faces", str(len(step.faces)), f"{step.where}.faces")
            return Record(self.system, n, step, (), (), f"Not played: {wrong.message}.", (), state, wrong)
        gone = self.without(hand.steps)
        reason = self.striking_problem(n, hand)
        kept = [each for each in self.records if each.n not in gone and each.legal and not _is_strike(each)]
        other = None if reason else self.again(kept)
        if reason is None:
            reason = _unplayable(kept, other)
        if reason or other is None:
            assert reason is not None
            said = f"Game master: striking can't be, expected {reason.expected}, got {reason.got}."
            return Record(self.system, n, step, (), (), said, (reason,), state)
        self.struck, self.begun, self.beginning = gone, other.begun, other.beginning
        return Record(self.system, n, step, (Struck(hand.steps),), (), _struck(hand), (), other.states[-1])

    def without(self, steps: Sequence[int]) -> frozenset[int]:
        """All steps that are out once these are; what a strike took out is back where the strike itself is out."""
        gone = set(steps)
        for record in reversed(self.records):
            if record.n not in gone and record.legal and _is_strike(record):
                gone |= set(record.action.steps)
        return frozenset(gone)

    def striking_problem(self, n: int, hand: Hand) -> Problem | None:
        """Only what has been, and still counts, can be struck."""
        later = [str(each) for each in hand.steps if each >= n]
        if later:
            return refused(f"steps before {n}", listed(later), hand.do)
        again = [str(each) for each in hand.steps if each in self.struck]
        return refused("steps that are not struck already", listed(again), hand.do) if again else None

    def again(self, kept: Sequence[Record]) -> _Playing | None:
        """The play of these steps with the dice that they had; None where the fight would need other dice to begin."""
        steps = tuple(replace(each.step, faces=each.faces or each.step.faces or ()) for each in kept)
        scenario = replace(self.scenario, steps=steps, initiative=self.faces)
        before = sum(each.n <= self.before for each in kept)
        if self.beginning is None:
            before = len(kept) + 1
        try:
            other = _Playing(scenario, NoDice(), False, before)
            for place, step in enumerate(steps, 1):
                other.step(place, step)
        except ScratchError:
            return None
        return other

    def answered(self, record: Record, may_wait: bool) -> Record:
        """What an interrupt, or that there is none, means for the step that waited: prevented, waiting on, or settled.

        Rules: `grid.interrupt.what`, `grid.interrupt.prevent`.
        """
        interrupts, records = self.system.interrupts, self.records
        assert interrupts is not None
        place = max(at for at, each in enumerate(records) if each.do in interrupts.exposing)
        exposed = records[place]
        if interrupts.is_prevented(record.events):
            records[place] = replace(exposed, prevented=True)
        if may_wait or not interrupts.is_waiting(record.state):
            return record
        try:
            faces = self.dice if exposed.step.faces is None else exposed.step.faces
            decision = interrupts.settle(record.state, faces)
        except ScratchError as error:
            wrong = self.face_problem(exposed.step, self.states[place], error.problem)
            records[place] = replace(exposed, error=wrong, say=f"Not played: {wrong.message}.")
            decision = interrupts.drop(record.state)
        if decision.rolls:
            records[place] = replace(exposed, rolls=decision.rolls)
        after = self.system.replay(record.state, decision.events)
        said = f"{record.say} {decision.say}".strip()
        return replace(record, events=(*record.events, *decision.events), say=said, state=after, held=record.state)

    def as_thrown(self, step: Step) -> Step:
        """The step as it is thrown: where what waits is settled, the faces may stand with the step that waited."""
        if step.faces is not None or self.system.interrupts is None:
            return step
        exposing = self.system.interrupts.exposing
        exposed = next((each for each in reversed(self.records) if each.do in exposing), None)
        return replace(step, faces=exposed.step.faces) if exposed else step

    def face_problem(self, step: Step, state: Any, problem: Problem) -> Problem:
        """What is wrong with the faces of a step: how many it needs."""
        if step.faces is None:
            return replace(problem, where=f"{step.where}.faces")
        needed = faces_needed(self.scenario, state, step.action)
        words = {0: "no faces", 1: "1 face"}.get(needed, f"{needed} faces")
        return Problem("scenario.faces", words, str(len(step.faces)), f"{step.where}.faces")


class NoDice:
    """Dice that nobody throws: what has been thrown is known."""

    def roll(self, sides: int) -> int:
        """Refuse: `dice.faces.few`."""
        raise ScratchError(Problem("dice.faces.few", "the dice that were thrown", "others", "the dice"))


def _is_strike(record: Record) -> bool:
    return record.is_hand and record.do == STRIKE


def _steps(numbers: Sequence[int]) -> str:
    return f"step{'s' if len(numbers) > 1 else ''} {listed([str(each) for each in sorted(numbers)])}"


def _struck(hand: Hand) -> str:
    """What a strike says."""
    what = "it" if len(hand.steps) == 1 else "they"
    return f"Game master: {_steps(hand.steps)} struck; the fight goes on as if {what} had not been."


def _unplayable(kept: Sequence[Record], other: _Playing | None) -> Problem | None:
    """The steps that would be illegal, or would need other dice, in a play without some others; None where none."""
    if other is None:
        return refused("a fight that begins with the same dice", "one that needs others", STRIKE)
    wrong = [own.n for own, now in zip(kept, other.records, strict=True) if not now.legal]
    return refused("later steps that can stay as they are", f"{_steps(wrong)}, illegal then", STRIKE) if wrong else None


def faces_needed(scenario: Scenario, state: Any, action: Any) -> int:
    """How many dice somebody's legal action takes; 0 for an illegal one."""
    system = scenario.system
    if system.interrupts is None:
        return len(system.decide(state, action, Tens()).rolls)
    return len(system.interrupts.at_once(state, action, Tens())[0].rolls)


# Expectations


def _differences(played: Played) -> tuple[Difference, ...]:
    scenario = played.scenario
    found = [
        difference
        for record in played.records
        for difference in _held(played, record, record.step.expect, record.n, f"{record.step.where}.expect")
    ]
    if scenario.expect and len(played.records) == len(scenario.steps):
        found += _held(played, _at_the_end(played), scenario.expect, 0, "expect")
    return tuple(found)


def _at_the_end(played: Played) -> Record:
    """The last record without what belongs to its step alone; where there is no step, the state as it is."""
    if played.records:
        return replace(played.records[-1], held=None, declared=None)
    system = played.system
    nothing = Step(system.act_type("", next(iter(system.acts))), None, "", (), "steps", {})
    return Record(system, 0, nothing, (), (), "", (), played.states[0])


def _held(played: Played, record: Record, expect: Expected, n: int, where: str) -> list[Difference]:
    found = []
    for key, value in expect:
        wrong = _difference(played, record, key, value)
        if wrong:
            found.append(Difference(n, where, f"{key} = {wrong[0]}", wrong[1]))
    return found


def _difference(played: Played, record: Record, key: str, value: Any) -> tuple[str, str] | None:
    """What was expected, as a file has it, and what came; None where it came so."""
    path, _, who = key.partition(".")
    if who and all(each.id != who for each in record.system.fighters(record.held or record.state)):
        return plain(value), f"nobody called {who} in the fight"
    if path in MAY_PATHS:
        return may_difference(path, value, _offered(record, who))
    if key == "rule":
        return None if value in record.rules else (value, ", ".join(record.rules) or "a legal step")
    is_list = isinstance(value, list) or key not in record.system.roll_keys
    wanted = value if is_list else [value]
    got = _value(played, record, key)
    return None if got == wanted else (plain(wanted), plain(got))


def _offered(record: Record, who: str) -> frozenset[str]:
    """The names of somebody's legal actions after a step."""
    state = record.held or record.state
    interrupts = record.system.interrupts
    if interrupts is None:
        return record.system.legal_names(state, who)
    return interrupts.offered(state, record.declared, who)


def _value(played: Played, record: Record, key: str) -> Any:
    if key in ("legal", "prevented"):
        return record.legal if key == "legal" else record.prevented
    if key in record.system.roll_keys:
        return [roll_value(roll, key) for roll in record.rolls if isinstance(roll, FightRoll)]
    state = record.held or record.state
    if key == "order" and state.phase == "before":
        state = played.begun
    return record.system.state_value(state, key)


def roll_value(roll: FightRoll, key: str) -> bool | int:
    """What a roll shows for one of the keys of rolls."""
    values: Mapping[str, bool | int] = {
        "success": roll.check.success,
        "automatic": roll.check.automatic,
        "total": roll.check.total,
        "against": roll.against.value,
    }
    return values[key]


# Forks


def fork(scenario: Scenario, step: int = 0, *, rulings: Mapping[str, Any] | None = None, **changes: Any) -> Scenario:
    """The same scenario with one step (from 1) changed, or other rulings, and everything else as it stands.

    `changes` are a step's keys with their new values (`with_` for `with`, `from_` for `from`); None takes a key away.
    Raises `ScratchError` when the outcome can't be read.
    """
    before = scenario.tree
    tree = dict(before)
    if rulings:
        tree["rulings"] = {**before.get("rulings", {}), **rulings}
    if changes:
        given = {key.rstrip("_"): value for key, value in changes.items()}
        steps = list(tree["steps"])
        changed = {**steps[step - 1], **given}
        steps[step - 1] = {key: value for key, value in changed.items() if value is not None}
        tree["steps"] = steps
    return read_tree(tree)


def first_difference(one: Played, other: Played) -> int | None:
    """The first step, from 1, at which two plays part: in what is done, allowed, thrown or brought about."""
    for ours, theirs in zip(one.records, other.records, strict=False):
        if _essence(ours) != _essence(theirs):
            return ours.n
    shorter = min(len(one.records), len(other.records))
    return None if len(one.records) == len(other.records) else shorter + 1


def _essence(record: Record) -> Sequence[Any]:
    return record.action, record.legal, record.rules, record.rolls, record.events
