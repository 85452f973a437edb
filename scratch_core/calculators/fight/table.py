"""The fight on the table: a scenario file as text, everything played so far, one more step, one step less."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.actions import may_uncover
from scratch_core.cards import INTERRUPT, LEAVE_COVER
from scratch_core.dice import RecordedFaces, Roller
from scratch_core.errors import Problem, ScratchError
from scratch_core.scenario import (
    FORMAT,
    AnySystem,
    Played,
    Record,
    Scenario,
    named_in,
    play,
    read,
    read_step,
    read_tree,
)
from scratch_core.scenario import Step as ReadStep
from scratch_core.scenario.noting import STEPS_LIMIT
from scratch_core.scenario.playing import faces_needed
from scratch_core.scenario.steps import WRITTEN
from scratch_core.scenario.text import write_json
from scratch_core.turns.hand import JOIN, STRIKE, Hand, refused

Step = Mapping[str, Any]

_HEAD = ("format", "title", "system", "rulings", "characters", "initiative", "board")
"""What a fight keeps of a file, and after it what its order of turns has there: not what a play adds."""

_REMEMBERED = 2_000_000
"""As many characters of fights' texts are remembered, the last fight in any case."""


class NoDice:
    """Dice that nobody throws: a step that needs one is not played."""

    def roll(self, sides: int) -> int:
        """Refuse: `fight.dice`."""
        raise ScratchError(Problem("fight.dice", "the faces of its dice", "none", "faces"))


@dataclass(frozen=True, slots=True)
class Fight:
    """A fight so far: the scenario without steps, the steps as written, what came of each, and where that leads.

    `begun` is the state in which it began, `opening` the sentence that tells how. The state before step n is
    `states[n - 1]`. `text` is the fight as the text of a scenario file.
    """

    scenario: Scenario
    steps: tuple[Step, ...]
    records: tuple[Record, ...]
    states: tuple[Any, ...]
    begun: Any
    opening: str
    text: str

    @property
    def state(self) -> Any:
        """The state now: the fight has begun in any case."""
        last = self.states[-1]
        return self.begun if last.phase == "before" else last

    @property
    def system(self) -> AnySystem:
        """The order of turns."""
        return self.scenario.system

    @property
    def fixed(self) -> int:
        """How many steps are the beginning, and are not taken back. Rule: `mano.surprise.two-rolls`."""
        if not self.system.begins_at_once:
            return 0
        return self.system.before([record.action for record in self.records])


def dumped(tree: Any) -> str:
    """A fight's file, or a part of it, in as few characters as may be."""
    return write_json(tree, separators=(",", ":"))


def _extended(fight: Fight, step: Step) -> str:
    """The text of a fight with one more step behind the others, which stand at its end."""
    comma = "," if fight.steps else ""
    return f"{fight.text.removesuffix(']}')}{comma}{dumped(step)}]}}"


class Memory:
    """The fights met lately, by their text: one more step must not play all the others again."""

    def __init__(self) -> None:
        self.fights: dict[str, Fight] = {}
        self.characters = 0

    def keep(self, fight: Fight) -> Fight:
        """Keep a fight, and forget the oldest ones beyond the limit."""
        self.characters += len(fight.text) if fight.text not in self.fights else 0
        self.fights[fight.text] = fight
        while self.characters > _REMEMBERED and len(self.fights) > 1:
            oldest = next(iter(self.fights))
            del self.fights[oldest]
            self.characters -= len(oldest)
        return fight

    def find(self, text: str) -> Fight | None:
        """The fight of that text, None where it is not kept."""
        return self.fights.get(text)


_memory = Memory()


def begin_fight(head: Mapping[str, Any], roller: Roller | None, steps: Sequence[Step] = ()) -> Fight:
    """A new fight of that head: rulings, characters, faces, and so on; what is missing the roller throws.

    Raises `ScratchError`: the scenario's problems, `fight.dice` without a roller, and those of `System.begin`.
    Rules: `turn.encounter`, `turn.initiative-roll`, `turn.tie`, `mano.start.first`, `seize.roll`.
    """
    return _played({"format": FORMAT, "title": "A fight", **head}, steps, roller)


def open_fight(text: str, roller: Roller | None) -> tuple[Fight, tuple[Step, ...]]:
    """A fight from the text of a scenario file, TOML or JSON, and the steps whose dice are still to be thrown.

    Those begin with the first step that has no faces and needs some. Raises `ScratchError` for what is no scenario.
    """
    known = _memory.find(text)
    if known is not None:
        return known, ()
    scenario = read(text)
    steps = tuple({key: value for key, value in step.tree.items() if key not in WRITTEN} for step in scenario.steps)
    keys = (*_HEAD, *(field.key for field in scenario.system.head))
    fight = _played({key: scenario.tree[key] for key in keys if key in scenario.tree}, steps, roller)
    for place, record in enumerate(fight.records):
        if record.error and record.step.faces is None:
            return _played(fight.scenario.tree, steps[:place], roller), steps[place:]
    return fight, ()


def system_in(text: str) -> str:
    """The name of the turn order in the text of a scenario file; Scratch's where it can't be read."""
    known = _memory.find(text)
    return known.system.name if known is not None else named_in(text)


def _played(head: Mapping[str, Any], steps: Sequence[Step], roller: Roller | None) -> Fight:
    """Play all of it; the faces of the beginning are written down, those of the steps are never thrown here."""
    scenario = read_tree({**head, "steps": list(steps)})
    faces = _beginning(scenario, roller or NoDice()).initiative
    known = replace(scenario, initiative={who: tuple(thrown) for who, thrown in faces.items()})
    played = play(known, NoDice(), waiting=True)
    tree = {**head, "initiative": faces} if faces else head
    bare = replace(known, steps=(), expect=(), tree=tree)
    told = (played.records, played.states, played.begun, played.beginning.say)
    return _memory.keep(Fight(bare, tuple(steps), *told, dumped({**tree, "steps": list(steps)})))


def _beginning(scenario: Scenario, dice: Roller) -> Played:
    """The fight without what comes after its beginning."""
    acts = [step.action for step in scenario.steps]
    first = scenario.system.before(acts) if scenario.system.begins_at_once else 0
    return play(replace(scenario, steps=scenario.steps[:first], expect=()), dice)


def add_step(fight: Fight, step: Step, roller: Roller | None, faces: Iterable[int] | None) -> Fight | Record:
    """The fight with one more step, its faces written down; or, when the step is not allowed, its record.

    Faces given are those of its dice; without them the roller throws. Raises `ScratchError`: what is no step, faces
    too few, too many or impossible, and `fight.steps` when there are too many steps.
    """
    if len(fight.steps) >= STEPS_LIMIT:
        raise ScratchError(Problem("fight.steps", f"{STEPS_LIMIT:,} steps at most", "one more", "log"))
    system, state = fight.system, fight.state
    found = read_step(fight.scenario, step, [each["character"] for each in fight.steps if _joins(each)])
    _check_answer(fight, found.action)
    _check_named(fight, found.action)
    if found.action.do == STRIKE:
        return _struck(fight, step)
    given = _faces_given(fight, found, faces)
    decision = _decided(fight, found.action, RecordedFaces(given) if given is not None else roller or NoDice())
    after = system.replay(state, decision.events)
    came = (decision.events, decision.rolls, decision.say, decision.problems)
    record = Record(system, len(fight.steps) + 1, found, *came, after)
    if not record.legal:
        return record
    written = _written(record, step, given)
    steps = (*fight.steps, written)
    if _is_before(fight, [*(each.action for each in fight.records), found.action]):
        return _played(fight.scenario.tree, steps, None)
    record = replace(record, step=replace(found, tree=written, faces=record.faces or None))
    records, states = (*fight.records, record), (*fight.states, after)
    text = _extended(fight, written)
    return _memory.keep(replace(fight, steps=steps, records=records, states=states, text=text))


def _decided(fight: Fight, action: Any, faces: Roller) -> Any:
    """What comes of an act; one that exposes waits for those in cover too, who may leave it to interrupt.

    Rules: `grid.interrupt.what`, `grid.interrupt.unable`, `act.cover.stay`.
    """
    system = fight.system
    if system.interrupts is None or isinstance(action, Hand):
        return system.decide(fight.state, action, faces)
    return system.interrupts.declare(fight.state, action, faces, None)


def _joins(step: Step) -> bool:
    """Whether the game master lets somebody join by this step."""
    return step["do"] == JOIN and not step.get("actor")


def _struck(fight: Fight, step: Step) -> Fight | Record:
    """The fight played again without the steps that this one strikes; its record where that can't be."""
    whole = _played(fight.scenario.tree, (*fight.steps, step), None)
    return whole if whole.records[-1].legal else whole.records[-1]


def _check_named(fight: Fight, action: Any) -> None:
    """An act is about people who are in the fight now. Raises `ScratchError` (`hand`)."""
    there = {each.id for each in fight.system.fighters(fight.state)}
    absent = [who for who in action.named if who not in there]
    if absent:
        raise ScratchError(refused("somebody who has joined", absent[0], JOIN))


def _faces_given(fight: Fight, step: ReadStep, faces: Iterable[int] | None) -> tuple[int, ...] | None:
    """The faces of a step: those typed, its own, or those thrown already for what it settles; None where none is known.

    Raises `ScratchError` (`fight.faces`) for too few or too many.
    """
    interrupts = fight.system.interrupts
    given = step.faces if faces is None else tuple(faces)
    if given is None and interrupts and step.action.do == interrupts.settling:
        given = kept_faces(fight) or None
    if given is not None:
        _check_faces(fight, step.action, given)
    return given


def _written(record: Record, step: Step, given: Sequence[int] | None) -> Step:
    """The step with the faces thrown for it; where it waits, with those given for later."""
    if record.faces:
        return {**step, "faces": list(record.faces)}
    if given is not None and not record.rolls and _waits(record.system, record.state):
        return {**step, "faces": list(given)}
    return {**step}


def _waits(system: AnySystem, state: Any) -> bool:
    """Whether an act waits for interrupts."""
    return system.interrupts is not None and system.interrupts.is_waiting(state)


def _is_before(fight: Fight, acts: Sequence[Any]) -> bool:
    """Whether the last of these acts comes before the first turn, and so before the beginning."""
    return not fight.system.begins_at_once and fight.system.before(acts) == len(acts) > 0


def _check_answer(fight: Fight, action: Any) -> None:
    """What waits is to be answered before anything else. Raises `ScratchError` (`fight.waits`)."""
    interrupts, state = fight.system.interrupts, fight.state
    if interrupts and interrupts.is_waiting(state) and not interrupts.is_answer(state, action):
        got = fight.system.title_of(action.do)
        raise ScratchError(Problem("fight.waits", "who interrupts to be told first", got, "act", "grid.interrupt.what"))


def _check_faces(fight: Fight, action: Any, given: Sequence[int]) -> None:
    """A legal act needs just its own faces. Raises `ScratchError` (`fight.faces`).

    How many somebody needs who joins is known once they fall: a tie asks for more.
    """
    if isinstance(action, Hand) or fight.system.why_not(fight.state, action):
        return
    needed = faces_needed(fight.scenario, fight.state, action)
    if len(given) != needed:
        words = {0: "no faces, for nothing is rolled", 1: "one face"}.get(needed, f"{needed} faces")
        raise ScratchError(Problem("fight.faces", words, f"{len(given):,}", "faces"))


def kept_faces(fight: Fight) -> tuple[int, ...]:
    """The faces thrown already for the act that waits; () for none. Rule: `grid.interrupt.what`."""
    interrupts = fight.system.interrupts
    if interrupts is None or not interrupts.is_waiting(fight.state):
        return ()
    exposing = (step for step in reversed(fight.steps) if step["do"] in interrupts.exposing)
    return tuple(next(exposing, {}).get("faces", ()))


def leaves_to_interrupt(steps: Sequence[Step]) -> bool:
    """Whether the first two of these steps are one: somebody leaves cover and interrupts. Rule: `act.cover.stay`."""
    if len(steps) < 2:
        return False
    first, second = steps[:2]
    is_pair = first.get("do") == LEAVE_COVER.do and second.get("do") == INTERRUPT.do
    return is_pair and first.get("actor") == second.get("actor")


def out_of_cover(fight: Fight, step: Step) -> Fight:
    """The fight in which whoever interrupts by this step has left cover for it; as it is, where nobody has to.

    Raises `ScratchError` (`fight.steps`) when there are too many steps. Rules: `act.cover.stay`,
    `grid.interrupt.unable`.
    """
    interrupts, state = fight.system.interrupts, fight.state
    if step.get("do") != INTERRUPT.do or interrupts is None or not interrupts.is_waiting(state):
        return fight
    for each in state.fighters:
        if each.id == step.get("actor") and may_uncover(state, each.id):
            after = add_step(fight, {"actor": each.id, "do": LEAVE_COVER.do}, None, None)
            return fight if isinstance(after, Record) else after
    return fight


def whole_text(fight: Fight, undone: Sequence[Step]) -> str:
    """The file of a fight with the steps taken back at its end."""
    return dumped({**fight.scenario.tree, "steps": [*fight.steps, *undone]})


def take_step_back(fight: Fight) -> tuple[Fight, Step]:
    """The fight without its last step, and that step."""
    *steps, last = fight.steps
    interrupts = fight.system.interrupts
    was_before = _is_before(fight, [record.action for record in fight.records])
    may_have_waited = interrupts is not None and bool(steps) and steps[-1]["do"] in interrupts.exposing
    if was_before or may_have_waited:
        return _played(fight.scenario.tree, steps, None), last
    records, states = fight.records[:-1], fight.states[:-1]
    text = dumped({**fight.scenario.tree, "steps": steps})
    return _memory.keep(replace(fight, steps=tuple(steps), records=records, states=states, text=text)), last
