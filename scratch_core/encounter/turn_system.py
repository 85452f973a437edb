"""Scratch's own order of turns, the fourth among those that a file may name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from scratch_core.dice import Roller
from scratch_core.encounter import action_fields, engine, gm_actions, narration
from scratch_core.encounter.actions import REFEREE, TITLES, Action, agility, intelligence, strength
from scratch_core.encounter.pending_actions import Waiting
from scratch_core.encounter.state import Event, Fighter, State, gather
from scratch_core.errors import Problem
from scratch_core.rulebook import SWITCHES, Rulings
from scratch_core.rulebook.actions import CHECK, CRAFT, END_ENCOUNTER, NOTHING, REPOSITION
from scratch_core.turn_systems import Clash, Decision, Due, Field, Hand, Path, Place, Reason, Standing, System, Thrown

CONDITIONS = ("healthy", "injured", "incapacitated")


class Scratch(System[State, Action]):
    """The basic rules: groups in the order of their initiative, a turn for each member."""

    name = "scratch"
    title = "Scratch"
    act_type = Action
    acts: ClassVar[Mapping[str, str]] = {do: title for do, title in TITLES.items() if do not in REFEREE}
    facts: ClassVar[Mapping[str, str]] = {do: TITLES[do] for do in REFEREE}
    shared = action_fields.SHARED
    steps: ClassVar[Mapping[str, tuple[Field, ...]]] = action_fields.steps(has_board=False)
    board_steps: ClassVar[Mapping[str, tuple[Field, ...]]] = action_fields.steps(has_board=True)
    paths: ClassVar[Mapping[str, Path]] = {
        "hp": (int, lambda state, who: who.hp),
        "max_hp": (int, lambda state, who: who.numbers.max_hp),
        "stamina": (int, lambda state, who: who.numbers.stamina),
        "condition": (str, lambda state, who: who.condition),
        "agility": (int, lambda state, who: agility(who).value),
        "intelligence": (int, lambda state, who: intelligence(who).value),
        "strength": (int, lambda state, who: strength(who).value),
        "delayed": (bool, lambda state, who: who.is_delayed),
        "panicked": (bool, lambda state, who: who.is_panicked),
        "evading": (bool, lambda state, who: who.evading is not None),
        "in_cover": (bool, lambda state, who: who.in_cover),
        "immobilized": (bool, lambda state, who: who.is_immobilized),
        "escaped": (bool, lambda state, who: who.escaped),
        "gone": (bool, lambda state, who: who.gone),
        "at": (list, lambda state, who: [] if who.at is None else list(who.at)),
    }
    hand = gm_actions.OFF_BOARD
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"condition": CONDITIONS}
    roll_keys: ClassVar[Mapping[str, type]] = {"success": bool, "automatic": bool, "total": int, "against": int}
    switches = tuple(each.name for each in SWITCHES if each.name != "seize_on_total")

    def gather(self, characters: Sequence[Fighter], head: Mapping[str, Any], rulings: Rulings) -> State:
        """The state before the encounter. Rules: `turn.encounter`, `grid.scope`."""
        return gather(tuple(characters), rulings, head.get("board"))

    def begin(self, state: State, roller: Roller, faces: Mapping[str, Sequence[int]] | None = None) -> Decision:
        """Roll initiative for every group. Rules: `turn.initiative-roll`, `turn.order`, `turn.tie`."""
        decision = engine.begin(state, roller, faces)
        thrown = tuple(Thrown(each.group, each.faces) for each in decision.events[0].initiative)
        return replace(decision, rolls=thrown)

    def thrown(self, given: Mapping[str, Sequence[int]], begun: Decision) -> dict[str, tuple[int, ...]]:
        """Every group's faces, in the order of turns, with those given for a tie that there is not now.

        An undone step may have caused that tie, and redo needs its dice. Rule: `turn.tie`.
        """
        known = {who: tuple(each) for who, each in given.items()}
        return {each.who: max(each.faces, known.get(each.who, ()), key=len) for each in begun.rolls}

    def before(self, steps: Sequence[Action | Hand]) -> int:
        """Bonuses are crafted before any turn, up to the last of them. Rule: `craft.encounter-lock`."""
        last = 0
        for n, act in enumerate(steps, 1):
            if isinstance(act, Hand):
                continue
            if act.do not in (CRAFT.do, CHECK.do):
                break
            if act.do == CRAFT.do:
                last = n
        return last

    def is_waiting(self, state: State) -> bool:
        """Whether an act waits for interrupts. Rule: `grid.interrupt.what`."""
        return state.exposure is not None

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """Every legal action once. Rule: `act.basic.available`."""
        return engine.legal_actions(state)

    def legal_names(self, state: State, actor: str) -> frozenset[str]:
        """The names of one character's legal actions."""
        return engine.legal_names(state, actor)

    def why_not(self, state: State, act: Action | Hand) -> tuple[Problem, ...]:
        """Every rule that an action would break now."""
        if isinstance(act, Hand):
            return self.why_no_hand(state, act)
        return engine.why_not(state, act)

    def decide(self, state: State, act: Action | Hand, faces: Roller | Iterable[int] = ()) -> Decision:
        """Carry an action out."""
        if isinstance(act, Hand):
            return self.intervene(state, act, faces)
        return engine.decide(state, act, faces)

    def apply(self, state: State, event: Event) -> State:
        """The state after an event."""
        return engine.apply(state, event)

    def active(self, state: State) -> str:
        """Whose turn is on, or was last."""
        return state.active

    def whose_turn(self, state: State) -> str:
        """Whose turn is on, from its first act to its last."""
        return "" if state.turn_over else state.active

    def order(self, state: State) -> tuple[str, ...]:
        """The groups as the initiative fell. Rule: `turn.order`."""
        return state.order

    def members(self, state: State, place: str) -> tuple[str, ...]:
        """The members of a group. Rule: `turn.group`."""
        return tuple(each.id for each in state.members(place))

    def reasons(self, state: State, rolls: Sequence[Thrown]) -> tuple[tuple[Place, ...], Reason]:
        """Groups by their totals, ties by bare dice. Rule: `turn.order`."""
        return narration.places(state), Reason("The same order holds round after round.", "turn.order")

    def dice_for(self, state: State) -> tuple[str, ...]:
        """A die for each group. Rule: `turn.group`."""
        return state.groups()

    def clash(self, do: str, step: Mapping[str, Any]) -> Clash | None:
        """Only work in a hurry has a difficulty. Rule: `craft.hurry`."""
        if do != CRAFT.do or "difficulty" not in step or step.get("hurry") is True:
            return None
        return Clash("no difficulty without hurry", step["difficulty"], "difficulty", "craft.hurry")

    def needs_actor(self, do: str) -> bool:
        """No one needs to be named who ends an encounter."""
        return do != END_ENCOUNTER.do

    def standing(self, state: State, who: str) -> Standing:
        """How someone stands."""
        return narration.standing(state, state.fighter(who))

    def due(self, state: State) -> Due | None:
        """Whose turn is on, or begins with its next act."""
        return narration.due(state)

    def filler(self, state: State, actor: str) -> Action:
        """Whoever acts beside it waits. Rule: `turn.do-nothing`."""
        return Action(actor or state.active or state.fighters[0].id, NOTHING.do)

    def goes_on(self, state: State) -> Action | None:
        """The second of two blows, where one enemy alone stands within reach. Rule: `act.fighting.double`."""
        return engine.goes_on(state)

    def on_turn(self, state: State) -> str:
        """Whose turn is on, or whose begins with the next act. Rules: `turn.order`, `turn.member-order`."""
        return next(iter(narration.candidates(state)), "")

    def round_of(self, state: State, who: str) -> int:
        """The round of the turn that is on, or of the one with which someone comes next. Rule: `turn.order`."""
        if state.phase == "running" and who:
            state = self.replay(state, engine.entering(state, who)[0])
        return max(1, state.round)

    def step_round(self, do: str, before: State, after: State) -> int:
        """The round of a step; a change by the game master belongs to the round of the turn that is next.

        Rule: `turn.order`.
        """
        return self.round_of(before, self.on_turn(before)) if do in self.hand and before.round else after.round

    def is_away(self, state: State, who: str) -> bool:
        """Whether someone has escaped, or is gone. Rule: `act.escape.effect`."""
        return state.fighter(who).is_away

    def hand_problems(self, state: State, hand: Hand) -> list[Problem]:
        """What the map or someone's hit points have against it."""
        return gm_actions.hand_problems(state, hand)

    def hand_outcome(self, state: State, hand: Hand, roller: Roller) -> Decision:
        """What comes of it."""
        return gm_actions.hand_outcome(state, hand, roller)

    @property
    def common(self) -> Mapping[str, tuple[type, Callable[[State], Any]]]:
        """The state paths of an encounter: its phase is told, and nothing expected of it."""
        return {path: found for path, found in super().common.items() if path != "fight"}

    def state_tree(self, state: State) -> dict[str, Any]:
        """Every state path of a state as a tree; without a board no one is anywhere."""
        tree = super().state_tree(state) | {"phase": state.phase}
        return tree if state.board is not None else {path: value for path, value in tree.items() if path != "at"}


class _OnBoard(Scratch):
    """The basic rules on a board: more actions, and spaces. Rule: `grid.scope`."""

    steps: ClassVar[Mapping[str, tuple[Field, ...]]] = Scratch.board_steps
    hand = gm_actions.ON_BOARD
    interrupts = Waiting()

    def clash(self, do: str, step: Mapping[str, Any]) -> Clash | None:
        """Whoever is put aside goes to a space, or swaps. Rule: `grid.hold.reposition`."""
        swap = step.get("swap", False)
        if do != REPOSITION.do or type(swap) is not bool or swap != ("to" in step):
            return super().clash(do, step)
        return Clash("to or swap = true", "both" if swap else "neither")


SCRATCH, SCRATCH_ON_BOARD = Scratch(), _OnBoard()
