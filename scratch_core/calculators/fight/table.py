"""The fight on the table: a scenario file as text, everything played so far, one more step, one step less."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from scratch_core.actions import TITLES
from scratch_core.dice import RecordedFaces, Roller
from scratch_core.encounter import begin, decide
from scratch_core.encounter import replay as apply_all
from scratch_core.errors import Problem, ScratchError
from scratch_core.scenario import FORMAT, Record, Scenario
from scratch_core.scenario.playing import play
from scratch_core.scenario.reading import STEPS_LIMIT, WRITTEN, read, read_tree
from scratch_core.scenario.text import write_json
from scratch_core.scenario.waiting import ANSWERS, at_once
from scratch_core.state import EncounterBegan, State
from scratch_core.state.exposure import EXPOSING

Step = Mapping[str, Any]

_HEAD = ("format", "title", "system", "rulings", "characters", "initiative", "board")
"""What a play adds to a step: not part of the fight's own record."""

_REMEMBERED = 300


class NoDice:
    """Dice that nobody throws: a step that needs one is not played."""

    def roll(self, sides: int) -> int:
        """Refuse: `fight.dice`."""
        raise ScratchError(Problem("fight.dice", "the faces of its dice", "none", "faces"))


@dataclass(frozen=True, slots=True)
class Fight:
    """A fight so far: the scenario without steps, the steps as written, what came of each, and where that leads.

    `begun` is how initiative fell. The state before step n is `states[n - 1]`.
    """

    scenario: Scenario
    steps: tuple[Step, ...]
    records: tuple[Record, ...]
    states: tuple[State, ...]
    begun: State

    @property
    def state(self) -> State:
        """The state now: initiative has fallen in any case."""
        last = self.states[-1]
        return self.begun if last.phase == "before" else last

    @property
    def text(self) -> str:
        """The fight as the text of a scenario file."""
        return dumped({**self.scenario.tree, "steps": list(self.steps)})


def dumped(tree: Mapping[str, Any]) -> str:
    """A fight's file in as few characters as may be."""
    return write_json(tree, separators=(",", ":"))


class _Text(Protocol):
    @property
    def text(self) -> str: ...


Kept = TypeVar("Kept", bound=_Text)


class Memory(Generic[Kept]):
    """The fights met lately, by their text: one more step must not play all the others again."""

    def __init__(self) -> None:
        self.fights: dict[str, Kept] = {}

    def keep(self, fight: Kept) -> Kept:
        """Keep a fight, and forget the oldest ones beyond the limit."""
        self.fights[fight.text] = fight
        while len(self.fights) > _REMEMBERED:
            del self.fights[next(iter(self.fights))]
        return fight

    def find(self, text: str) -> Kept | None:
        """The fight of that text, None where it is not kept."""
        return self.fights.get(text)


_memory: Memory[Fight] = Memory()


def begin_fight(
    characters: Sequence[Mapping[str, Any]],
    rulings: Mapping[str, Any],
    faces: Mapping[str, Sequence[int]],
    roller: Roller | None,
    board: Mapping[str, Any] | None = None,
) -> Fight:
    """A new fight: initiative from the faces given, the rest from the roller.

    Raises `ScratchError`: the scenario's problems, `fight.dice` without a roller, and those of `encounter.begin`.
    Rules: `turn.encounter`, `turn.initiative-roll`, `turn.tie`.
    """
    tree: dict[str, Any] = {"format": FORMAT, "title": "A fight"}
    if rulings:
        tree["rulings"] = dict(rulings)
    tree |= {"characters": list(characters), "initiative": {group: list(given) for group, given in faces.items()}}
    if board is not None:
        tree["board"] = dict(board)
    return _played(tree, (), roller)


def open_fight(text: str, roller: Roller | None) -> tuple[Fight, tuple[Step, ...]]:
    """A fight from the text of a scenario file, TOML or JSON, and the steps whose dice are still to be thrown.

    Those begin with the first step that has no faces and needs some. Raises `ScratchError` for what is no scenario.
    """
    known = _memory.find(text)
    if known is not None:
        return known, ()
    scenario = read(text)
    steps = tuple({key: value for key, value in step.tree.items() if key not in WRITTEN} for step in scenario.steps)
    head = {key: scenario.tree[key] for key in _HEAD if key in scenario.tree}
    fight = _played(head, steps, roller)
    waiting = next(
        (place for place, each in enumerate(fight.records) if each.error and each.step.faces is None), len(steps)
    )
    if waiting < len(steps):
        return _played(dict(fight.scenario.tree), steps[:waiting], roller), steps[waiting:]
    return fight, ()


def _played(head: dict[str, Any], steps: Sequence[Step], roller: Roller | None) -> Fight:
    """Play all of it; the initiative's faces are written down, those of the steps are never thrown here."""
    scenario = read_tree({**head, "steps": list(steps)})
    opening = begin(scenario.start(), roller or NoDice(), scenario.initiative)
    event = opening.events[0]
    assert isinstance(event, EncounterBegan)
    head["initiative"] = {each.group: list(each.faces) for each in event.initiative}
    known = replace(scenario, initiative={each.group: each.faces for each in event.initiative})
    played = play(known, NoDice(), waiting=True)
    bare = replace(known, steps=(), expect=(), tree=head)
    return _memory.keep(Fight(bare, tuple(steps), played.records, played.states, played.begun))


def add_step(fight: Fight, step: Step, roller: Roller | None, faces: Iterable[int] | None) -> Fight | Record:
    """The fight with one more step, its faces written down; or, when the step is not allowed, its record.

    Faces given are those of its dice; without them the roller throws. Raises `ScratchError`: what is no step, faces
    too few, too many or impossible, and `fight.steps` when there are too many steps.
    """
    if len(fight.steps) >= STEPS_LIMIT:
        raise ScratchError(Problem("fight.steps", f"{STEPS_LIMIT:,} steps at most", "one more", "log"))
    read_step = read_tree({**fight.scenario.tree, "steps": [dict(step)]}).steps[0]
    given = read_step.faces if faces is None else tuple(faces)
    state = fight.state
    if state.exposure is not None and read_step.action.do not in ANSWERS:
        got = TITLES[read_step.action.do]
        raise ScratchError(Problem("fight.waits", "who interrupts to be told first", got, "act", "grid.interrupt.what"))
    if given is None and read_step.action.do == "settle" and (kept := kept_faces(fight)):
        given = kept
    if given is not None:
        trial, _ = at_once(state, read_step.action, _Tens())
        if trial.is_legal and len(given) != len(trial.rolls):
            raise _face_count(len(trial.rolls), len(given))
    dice = RecordedFaces(given) if given is not None else roller or NoDice()
    decision = decide(state, read_step.action, dice)
    after = apply_all(state, decision.events)
    record = Record(
        len(fight.steps) + 1, read_step, decision.events, decision.rolls, decision.say, decision.problems, after
    )
    if not record.legal:
        return record
    written = {**step, "faces": list(record.faces)} if record.faces else {**step}
    if given is not None and after.exposure is not None and not record.rolls:
        written["faces"] = list(given)  # thrown for what waits now
    steps = (*fight.steps, written)
    if step["do"] == "craft" and not state.active:
        return _played(dict(fight.scenario.tree), steps, None)  # before the first turn it comes before the beginning
    record = replace(record, step=replace(read_step, tree=written, faces=record.faces or None))
    return _memory.keep(replace(fight, steps=steps, records=(*fight.records, record), states=(*fight.states, after)))


def _face_count(needed: int, given: int) -> ScratchError:
    expected = "no faces, for nothing is rolled" if not needed else "one face" if needed == 1 else f"{needed} faces"
    return ScratchError(Problem("fight.faces", expected, f"{given:,}", "faces"))


class _Tens:
    """Dice that show a 10, to count how many are thrown."""

    def roll(self, sides: int) -> int:
        return 10


def kept_faces(fight: Fight) -> tuple[int, ...]:
    """The faces thrown already for the act that waits; () for none. Rule: `grid.interrupt.what`."""
    if fight.state.exposure is None:
        return ()
    waiting = next((step for step in reversed(fight.steps) if step["do"] not in ANSWERS), {})
    return tuple(waiting.get("faces", ()))


def take_step_back(fight: Fight) -> tuple[Fight, Step]:
    """The fight without its last step, and that step."""
    *steps, last = fight.steps
    if last["do"] in ("craft", "check") and not fight.state.active:
        return _played(dict(fight.scenario.tree), steps, None), last
    if steps and fight.state.board is not None and steps[-1]["do"] in EXPOSING:
        return _played(dict(fight.scenario.tree), steps, None), last  # it may have waited for what is taken back
    back = replace(fight, steps=tuple(steps), records=fight.records[:-1], states=fight.states[:-1])
    return _memory.keep(back), last
