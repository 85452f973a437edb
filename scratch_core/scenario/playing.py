"""Playing a scenario: every step decided, every state kept, every expectation held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from scratch_core.actions import Action, FightRoll
from scratch_core.dice import Roller, SystemRoller
from scratch_core.encounter import begin
from scratch_core.encounter import replay as apply_all
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.figures import Figure
from scratch_core.scenario.expecting import MAY_PATHS, ROLL_KEYS, state_tree, state_value
from scratch_core.scenario.reading import read_tree
from scratch_core.scenario.records import FORMAT, Expected, Scenario, Step
from scratch_core.scenario.waiting import answers, asked, at_once, declare, is_answered, is_prevented, leaving, settle
from scratch_core.state import Event, Settled, State, event_to_json
from scratch_core.state.exposure import EXPOSING
from scratch_core.turns import Decision


@dataclass(frozen=True, slots=True)
class Record:
    """What came of one step; `n` counts from 1. `events` holds, before the first turn, the encounter's beginning too.

    `error` tells of faces too few or too many: such a step changes nothing, as an illegal one does.

    On a board, a step that exposes its actor waits for the interrupts after it. Its `rolls` are those thrown once it
    was settled, `prevented` says that it never was. What it does then belongs to the `events` of the last interrupt,
    whose expectations are held before that, in the state `held`. `declared` is the state in which a step waited that
    nobody interrupts.
    """

    n: int
    step: Step
    events: tuple[Event, ...]
    rolls: tuple[FightRoll, ...]
    say: str
    problems: tuple[Problem, ...]
    state: State
    error: Problem | None = None
    prevented: bool = False
    held: State | None = None
    declared: State | None = None

    @property
    def action(self) -> Action:
        """The action that was declared."""
        return self.step.action

    @property
    def actor(self) -> str:
        """Who acts; "" for the end of an encounter."""
        return self.step.action.actor

    @property
    def do(self) -> str:
        """The name of the action."""
        return self.step.action.do

    @property
    def legal(self) -> bool:
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
        """The faces thrown, in order."""
        return tuple(roll.check.figure.parts[0].value for roll in self.rolls)

    def tree(self) -> dict[str, Any]:
        """The record as JSON: the step with its faces filled in, and what came of it."""
        written = {**self.step.tree, "n": self.n, "actor": self.actor, "do": self.do}
        is_kept = self.prevented or (self.state.exposure is not None and not self.rolls)
        if self.legal and not is_kept and (self.faces or "faces" in written):
            written["faces"] = list(self.faces)
        written |= {"legal": self.legal, "prevented": self.prevented, "rule": self.rule, "rules": list(self.rules)}
        written["rolls"] = [roll_tree(roll) for roll in self.rolls]
        written["events"] = [event_to_json(event) for event in self.events]
        written["say"] = self.say
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
class Played:
    """A scenario played: a record for each step, and the state after each, so that every position is there at once.

    `states[0]` is the position before the first step, `states[n]` that after step n. `begun` is how initiative fell.
    `stopped` says that a strict play met an illegal step; `problems` are steps with faces too few or too many.
    """

    scenario: Scenario
    records: tuple[Record, ...]
    states: tuple[State, ...]
    begun: State
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
        head = {key: given[key] for key in ("title", "system", "rulings", "characters", "board") if key in given}
        initiative = {each.group: list(each.faces) for each in self.begun.initiative}
        tail = {"expect": given["expect"]} if "expect" in given else {}
        steps = [record.tree() for record in self.records]
        state = state_tree(self.final)
        state["order"] = list(self.begun.order)
        advice = [each.message for each in self.scenario.advice]
        tail |= {"advice": advice, "state": state}
        return {"format": FORMAT, **head, "initiative": initiative, "steps": steps, **tail}


def roll_tree(roll: FightRoll) -> dict[str, Any]:
    """One roll as JSON."""
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
    return [{"what": part.what, "value": part.value, "rule": part.rule} for part in figure.parts]


# Playing


def play(
    scenario: Scenario,
    roller: Roller | None = None,
    until: int | None = None,
    strict: bool = False,
    waiting: bool = False,
) -> Played:
    """Play a scenario, or its first `until` steps; a step without faces takes them from the roller.

    An illegal step changes nothing and the play goes on, unless it is `strict`. The encounter begins at once, or after
    the crafting that the first steps may be. On a board, a step that exposes its actor waits for the interrupts written
    right after it; with `waiting` the file's last step does too. Rules: `turn.encounter`, `craft.encounter-lock`,
    `grid.interrupt.what`.
    """
    dice = roller or SystemRoller()
    steps = scenario.steps if until is None else scenario.steps[: max(0, until)]
    crafting = _crafting(scenario.steps)
    state = scenario.start()
    begun: Decision | None = None
    opening: tuple[Event, ...] = ()
    if not crafting:
        begun = _begin(scenario, state, dice)
        state = apply_all(state, begun.events)
    begun_state = state
    states: list[State] = [state]
    records: list[Record] = []
    stopped = False
    for n, step in enumerate(steps, 1):
        if begun is None and n > crafting and step.action.do != "end-encounter":
            begun = _begin(scenario, state, dice)
            opening, state = begun.events, apply_all(state, begun.events)
            begun_state = state
        may_wait = is_answered(scenario.steps, n) or (waiting and n == len(scenario.steps))
        is_answer = answers(state, step.action)
        leavers = leaving(scenario.steps, n)
        record = _record(n, _faces_of(step, records), state, opening, dice, may_wait or is_answer, leavers)
        if is_answer and state.exposure is not None:
            record = _answer(replace(record, step=step), records, states, dice, may_wait)
        opening, state = (), record.state
        records.append(record)
        states.append(state)
        if strict and not record.legal:
            stopped = True
            break
    if begun is None:
        begun_state = apply_all(state, _begin(scenario, state, dice).events)
    is_whole = len(records) == len(scenario.steps)
    differences = _differences(scenario, records, begun_state.order, is_whole)
    problems = tuple(record.error for record in records if record.error)
    return Played(scenario, tuple(records), tuple(states), begun_state, differences, problems, stopped)


def _crafting(steps: Sequence[Step]) -> int:
    """How many of the first steps come before the encounter: up to the last bonus crafted before any turn."""
    last = 0
    for n, step in enumerate(steps, 1):
        if step.action.do not in ("craft", "check"):
            break
        if step.action.do == "craft":
            last = n
    return last


def _begin(scenario: Scenario, state: State, dice: Roller) -> Decision:
    return begin(state, dice, scenario.initiative)


def _record(  # noqa: PLR0913, PLR0917 -- a step and its moment
    n: int,
    step: Step,
    state: State,
    opening: tuple[Event, ...],
    dice: Roller,
    may_wait: bool,
    leavers: frozenset[str],
) -> Record:
    faces = dice if step.faces is None else step.faces
    declared = None
    try:
        if may_wait:
            decision = declare(state, step.action, faces, leavers)
        else:
            decision, declared = at_once(state, step.action, faces)
    except ScratchError as error:
        wrong = _face_problem(step, state, error.problem)
        return Record(n, step, opening, (), f"Not played: {wrong.message}.", (), state, wrong)
    after = apply_all(state, decision.events)
    events = (*opening, *decision.events)
    return Record(n, step, events, decision.rolls, decision.say, decision.problems, after, declared=declared)


def _answer(record: Record, records: list[Record], states: Sequence[State], dice: Roller, may_wait: bool) -> Record:
    """What an interrupt, or that there is none, means for the step that waited: prevented, waiting on, or settled.

    Rules: `grid.interrupt.what`, `grid.interrupt.prevent`.
    """
    place = next(at for at in range(len(records) - 1, -1, -1) if records[at].do in EXPOSING)
    exposed = records[place]
    if is_prevented(record.events):
        records[place] = replace(exposed, prevented=True)
    waiting = record.state.exposure
    if waiting is None or may_wait:
        return record
    try:
        decision = settle(record.state, dice if exposed.step.faces is None else exposed.step.faces)
    except ScratchError as error:
        wrong = _face_problem(exposed.step, states[place], error.problem)
        records[place] = replace(exposed, error=wrong, say=f"Not played: {wrong.message}.")
        decision = Decision((Settled(waiting.who),), (), "")
    if decision.rolls:
        records[place] = replace(exposed, rolls=decision.rolls)
    after = apply_all(record.state, decision.events)
    said = f"{record.say} {decision.say}".strip()
    events = (*record.events, *decision.events)
    return replace(record, events=events, say=said, state=after, held=record.state)


def _faces_of(step: Step, records: Sequence[Record]) -> Step:
    """The step as it is thrown: where what waits is settled, the faces may stand with the step that waited."""
    if step.action.do != "settle" or step.faces is not None:
        return step
    exposed = next((each for each in reversed(records) if each.do in EXPOSING), None)
    return replace(step, faces=exposed.step.faces) if exposed else step


class _Tens:
    """Dice that show a 10, to count how many are thrown."""

    def roll(self, sides: int) -> int:
        return 10


def _face_problem(step: Step, state: State, problem: Problem) -> Problem:
    if step.faces is None:
        return replace(problem, where=f"{step.where}.faces")
    needed = len(at_once(state, step.action, _Tens())[0].rolls)
    expected = "no faces" if not needed else "1 face" if needed == 1 else f"{needed} faces"
    return Problem("scenario.faces", expected, str(len(step.faces)), f"{step.where}.faces")


# Expectations


def _differences(
    scenario: Scenario, records: Sequence[Record], order: tuple[str, ...], is_whole: bool
) -> tuple[Difference, ...]:
    found = [
        difference
        for record in records
        for difference in _held(record, record.step.expect, record.n, f"{record.step.where}.expect", order)
    ]
    if is_whole and scenario.expect:
        last = records[-1] if records else Record(0, _NO_STEP, (), (), "", (), scenario.start())
        found += _held(replace(last, held=None, declared=None), scenario.expect, 0, "expect", order)
    return tuple(found)


_NO_STEP = Step(Action("", "nothing"), None, "", (), "steps", {})


def _held(record: Record, expect: Expected, n: int, where: str, order: tuple[str, ...]) -> list[Difference]:
    found = []
    for key, value in expect:
        path, _, who = key.partition(".")
        if path in MAY_PATHS:
            names = asked(record.held or record.state, record.declared, who)
            wrong = may_difference(path, value, names)
        elif key == "rule":
            wrong = None if value in record.rules else (value, ", ".join(record.rules) or "a legal step")
        else:
            wanted = value if isinstance(value, list) or key not in ROLL_KEYS else [value]
            got = list(order) if key == "order" else _value(record, key)
            wrong = None if got == wanted else (plain(wanted), plain(got))
        if wrong:
            found.append(Difference(n, where, f"{key} = {wrong[0]}", wrong[1]))
    return found


def _value(record: Record, key: str) -> Any:
    if key in ("legal", "prevented"):
        return record.legal if key == "legal" else record.prevented
    if key in ROLL_KEYS:
        return [roll_value(roll, key) for roll in record.rolls]
    return state_value(record.held or record.state, key)


def roll_value(roll: FightRoll, key: str) -> bool | int:
    """What a roll shows for one of the keys of rolls."""
    values: Mapping[str, bool | int] = {
        "success": roll.check.success,
        "automatic": roll.check.automatic,
        "total": roll.check.total,
        "against": roll.against.value,
    }
    return values[key]


def may_difference(path: str, names: Sequence[str], offered: frozenset[str]) -> tuple[str, str] | None:
    """What was expected and what is so, where `can` or `cannot` does not hold; None where it does."""
    wrong = [name for name in names if (name in offered) != (path == "can")]
    if not wrong:
        return None
    return plain(list(names)), f"{', '.join(wrong)} {'not ' if path == 'can' else ''}among the legal actions"


def plain(value: object) -> str:
    """A value, as a file has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(plain, value))}]"
    return shown(value)


# Forks


def fork(scenario: Scenario, step: int = 0, *, rulings: Mapping[str, Any] | None = None, **changes: Any) -> Scenario:
    """The same scenario with one step (from 1) changed, or other rulings, and everything else as it stands.

    `changes` are a step's keys with their new values (`with_` for `with`); None takes a key away.
    Raises `ScratchError` when the outcome can't be read.
    """
    return read_tree(forked_tree(scenario.tree, step, rulings, changes))


def forked_tree(
    before: Mapping[str, Any], step: int, rulings: Mapping[str, Any] | None, changes: Mapping[str, Any]
) -> dict[str, Any]:
    """The tree of a fork: other rulings, or one step with other keys."""
    tree = dict(before)
    if rulings:
        tree["rulings"] = {**before.get("rulings", {}), **rulings}
    if changes:
        given = {key.rstrip("_"): value for key, value in changes.items()}
        steps = list(tree["steps"])
        changed = {**steps[step - 1], **given}
        steps[step - 1] = {key: value for key, value in changed.items() if value is not None}
        tree["steps"] = steps
    return tree


class Recorded(Protocol):
    """What two plays are compared by: a record of any system."""

    @property
    def n(self) -> int: ...  # noqa: D102
    @property
    def action(self) -> object: ...  # noqa: D102
    @property
    def legal(self) -> bool: ...  # noqa: D102
    @property
    def rules(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def rolls(self) -> tuple[object, ...]: ...  # noqa: D102
    @property
    def events(self) -> tuple[object, ...]: ...  # noqa: D102


class Comparable(Protocol):
    """A play of any system."""

    @property
    def records(self) -> Sequence[Recorded]: ...  # noqa: D102


def first_difference(one: Comparable, other: Comparable) -> int | None:
    """The first step, from 1, at which two plays part: in what is done, allowed, thrown or brought about."""
    for ours, theirs in zip(one.records, other.records, strict=False):
        if _essence(ours) != _essence(theirs):
            return ours.n
    shorter = min(len(one.records), len(other.records))
    return None if len(one.records) == len(other.records) else shorter + 1


def _essence(record: Recorded) -> tuple[Any, ...]:
    return record.action, record.legal, record.rules, record.rolls, record.events
