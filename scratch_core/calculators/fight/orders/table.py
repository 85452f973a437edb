"""A fight by another turn order on the table: everything played so far, one more step, one step less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.fight.table import Memory, NoDice, Step, dumped
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError
from scratch_core.rounds import Rounds, State
from scratch_core.scenario.orders.playing import BEFORE, play_order
from scratch_core.scenario.orders.reading import read_order_tree, system_of
from scratch_core.scenario.orders.records import OrderRecord, OrderScenario
from scratch_core.scenario.reading import STEPS_LIMIT, WRITTEN
from scratch_core.scenario.records import FORMAT
from scratch_core.scenario.text import read_text

_HEAD = ("format", "title", "system", "rulings", "characters", "initiative")


@dataclass(frozen=True, slots=True)
class OrderFight:
    """A fight so far: the scenario without steps, the steps as written, what came of each, and where that leads.

    `opening` tells how the fight began. The state before step n is `states[n - 1]`.
    """

    scenario: OrderScenario
    steps: tuple[Step, ...]
    records: tuple[OrderRecord, ...]
    states: tuple[State, ...]
    opening: str

    @property
    def state(self) -> State:
        """The state now."""
        return self.states[-1]

    @property
    def system(self) -> Rounds[Any]:
        """The turn order."""
        return self.scenario.system

    @property
    def fixed(self) -> int:
        """How many steps belong to the beginning, and are not taken back. Rule: `mano.surprise.two-rolls`."""
        return 1 if self.steps and self.steps[0].get("do") == BEFORE else 0

    @property
    def text(self) -> str:
        """The fight as the text of a scenario file."""
        return dumped({**self.scenario.tree, "steps": list(self.steps)})


_memory: Memory[OrderFight] = Memory()


def begin_order(
    system: Rounds[Any], head: Mapping[str, Any], steps: Sequence[Step], roller: Roller | None
) -> OrderFight:
    """A new fight of that head: characters, faces, who begins. Dice that nobody typed come from the roller.

    Raises `ScratchError`: the scenario's problems, `fight.dice` without a roller, and those of `System.begin`.
    """
    return _played(system, {"format": FORMAT, "title": "A fight", "system": system.name, **head}, steps, roller)


def open_order(text: str, roller: Roller | None) -> OrderFight | None:
    """A fight from the text of a scenario file, None for one of Scratch's own. Raises `ScratchError`."""
    known = _memory.find(text)
    if known is not None:
        return known
    tree, _ = read_text(text)
    system = system_of(tree)
    if system is None or not isinstance(tree, Mapping):
        return None
    scenario = read_order_tree(tree, system)
    steps = tuple({key: value for key, value in step.tree.items() if key not in WRITTEN} for step in scenario.steps)
    keys = (*_HEAD, *(field.key for field in system.head))
    return _played(system, {key: tree[key] for key in keys if key in tree}, steps, roller)


def _played(system: Rounds[Any], head: dict[str, Any], steps: Sequence[Step], roller: Roller | None) -> OrderFight:
    """Play all of it; the faces of the beginning are written down."""
    scenario = read_order_tree({**head, "steps": list(steps)}, system)
    has_ambush = bool(scenario.steps) and scenario.steps[0].action.do == BEFORE
    rolls = play_order(scenario, roller or NoDice(), until=1 if has_ambush else 0).rolls
    faces = {**scenario.initiative, **{each.who: each.faces for each in rolls}}
    if faces:
        head = {**head, "initiative": {who: list(thrown) for who, thrown in faces.items()}}
    played = play_order(replace(scenario, initiative=faces), NoDice())
    bare = replace(scenario, initiative=faces, steps=(), expect=(), tree=head)
    return _memory.keep(OrderFight(bare, tuple(steps), played.records, played.states, played.opening))


def add_order_step(fight: OrderFight, step: Step) -> OrderFight | OrderRecord:
    """The fight with one more step; or, when the step is not allowed, its record.

    Raises `ScratchError`: what is no step, faces that nothing asks for, and `fight.steps` when there are too many.
    """
    if len(fight.steps) >= STEPS_LIMIT:
        raise ScratchError(Problem("fight.steps", f"{STEPS_LIMIT:,} steps at most", "one more", "log"))
    system, state = fight.system, fight.state
    read_step = read_order_tree({**fight.scenario.tree, "steps": [dict(step)]}, system).steps[0]
    decision = system.decide(state, read_step.action, read_step.faces or ())
    after = system.replay(state, decision.events)
    number = len(fight.steps) + 1
    record = OrderRecord(number, read_step, decision.events, (), decision.say, decision.problems, after)
    if not record.legal:
        return record
    steps, records = (*fight.steps, {**step}), (*fight.records, record)
    return _memory.keep(replace(fight, steps=steps, records=records, states=(*fight.states, after)))


def take_order_back(fight: OrderFight) -> tuple[OrderFight, Step]:
    """The fight without its last step, and that step."""
    back = replace(fight, steps=fight.steps[:-1], records=fight.records[:-1], states=fight.states[:-1])
    return _memory.keep(back), fight.steps[-1]
