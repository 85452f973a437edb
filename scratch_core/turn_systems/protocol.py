"""One order of turns: the same questions for each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from scratch_core.dice import RecordedFaces, Roller
from scratch_core.errors import Problem
from scratch_core.rulebook import RulingSettings
from scratch_core.turn_systems.gm_actions import (
    CHANGE_SURROUNDINGS,
    GM_ACTION_TITLES,
    JOIN,
    MAX_FIGHTERS,
    REORDER,
    RETURN,
    SET_HP,
    GmAction,
    build_gm_problem,
)
from scratch_core.turn_systems.interrupts import Interrupts
from scratch_core.turn_systems.records import (
    Decision,
    Field,
    FieldConflict,
    FighterStatus,
    InitiativeRoll,
    Prompt,
    Reason,
    TurnOrderEntry,
)


class ActionLike(Protocol):
    """What someone wants to do, in any order of turns."""

    @property
    def actor(self) -> str: ...  # noqa: D102
    @property
    def do(self) -> str: ...  # noqa: D102
    @property
    def participants(self) -> tuple[str, ...]: ...  # noqa: D102
    def to_step(self) -> dict[str, object]: ...  # noqa: D102


class FightState(Protocol):
    """A moment of a fight, in any order of turns."""

    @property
    def phase(self) -> str: ...  # noqa: D102
    @property
    def round(self) -> int: ...  # noqa: D102
    @property
    def winner(self) -> str: ...  # noqa: D102
    @property
    def fighters(self) -> tuple[Any, ...]: ...  # noqa: D102
    def fighter(self, fighter_id: str) -> Any: ...  # noqa: D102


S = TypeVar("S", bound=FightState)
A = TypeVar("A", bound=ActionLike)

StatePath = tuple[type, Callable[[Any, Any], Any]]
"""The kind of a state path's value, and how it is found from a state and a fighter (or a system and a state)."""


class TurnSystem(ABC, Generic[S, A]):
    """One order of turns: the same questions for each, so that readers, players and pages treat all alike.

    `introduction` opens its set-up on a page, and `sample` are lines as they are typed there; Scratch's own has
    neither. `acts` are what someone does in the order of turns, `facts` what the table tells, which is never listed.
    `head`, `character` and `steps` are the fields of a file; `shared` those keys that any step may have; `board_steps`
    are the steps there are on a board, if there is any. `paths` are state paths of a fighter, `state_paths` those of
    the fight, `choices` the values that some of them have; `roll_keys` what may be expected of a step's rolls. `hand`
    are the game master's steps with their fields. `interrupts` is what it knows of acts that wait for others, None
    where none does. `begins_at_once`: the last step before a fight is its beginning (an ambush is); else it begins with
    the first step after those. `switches` are the names of the rulings that concern it.
    """

    name: str
    title: str
    introduction: str = ""
    sample: str = ""
    action_type: Callable[..., A]
    action_titles: ClassVar[Mapping[str, str]]
    table_event_titles: ClassVar[Mapping[str, str]]
    setup_fields: tuple[Field, ...] = ()
    character_fields: tuple[Field, ...] = ()
    shared_keys: tuple[str, ...] = ()
    step_fields: ClassVar[Mapping[str, tuple[Field, ...]]]
    board_step_fields: ClassVar[Mapping[str, tuple[Field, ...]]] = {}
    fighter_paths: ClassVar[Mapping[str, StatePath]]
    state_paths: ClassVar[Mapping[str, StatePath]] = {}
    path_choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    roll_keys: ClassVar[Mapping[str, type]] = {}
    gm_fields: ClassVar[Mapping[str, tuple[Field, ...]]] = {}
    interrupts: Interrupts[S, A] | None = None
    begins_at_once: bool = False
    rule_options: tuple[str, ...] = ()

    # What a system brings

    @abstractmethod
    def build_initial_state(self, characters: Sequence[Any], head: Mapping[str, Any], rulings: RulingSettings) -> S:
        """The state before the fight, of values that `Field`s allow. Raises `ScratchError` for what can't go together.

        Each character has `id`, `name`, `side` and every field of `character`; by the basic rules it is a fighter.
        """

    @abstractmethod
    def begin(self, state: S, roller: Roller, faces: Mapping[str, Sequence[int]] | None = None) -> Decision:
        """Begin the fight: find who goes first, with dice where the rules ask for them.

        `faces` are those known, first and for ties, by `dice_for`; what is missing comes from the roller. The rolls of
        the decision are `InitiativeRoll`.
        """

    @abstractmethod
    def legal_actions(self, state: S) -> tuple[A, ...]:
        """Every legal act once; `facts`, which the table may tell at any time, are not listed."""

    @abstractmethod
    def legal_action_names(self, state: S, actor: str) -> frozenset[str]:
        """The names of one fighter's legal acts."""

    @abstractmethod
    def check_action(self, state: S, act: A | GmAction) -> tuple[Problem, ...]:
        """Every rule that an act would break now, each with what would be legal; () when it is legal."""

    @abstractmethod
    def decide(self, state: S, act: A | GmAction, faces: Roller | Iterable[int] = ()) -> Decision:
        """Carry an act out: its events, its rolls and a sentence.

        An illegal one throws no dice, brings no events and names the rules it breaks. Raises `ScratchError` for faces
        too few, too many or impossible: `dice.faces.few`, `dice.faces.many`, `dice.face`.
        """

    @abstractmethod
    def apply(self, state: S, event: Any) -> S:
        """The state after an event; the one given stays as it is."""

    @abstractmethod
    def find_active(self, state: S) -> str:
        """Whose turn it is; "" for no one's."""

    @abstractmethod
    def list_order(self, state: S) -> tuple[str, ...]:
        """The ids, or groups, in their order."""

    @abstractmethod
    def explain_order(self, state: S, rolls: Sequence[InitiativeRoll]) -> tuple[tuple[TurnOrderEntry, ...], Reason]:
        """The order in which a fight has just begun, and why; second, what holds after it. `rolls` are those of that.

        () where there is no fight.
        """

    @abstractmethod
    def list_initiative_keys(self, state: S) -> tuple[str, ...]:
        """Whose faces `[initiative]` may hold: ids, or groups."""

    @abstractmethod
    def build_status(self, state: S, who: str) -> FighterStatus:
        """What a page shows of someone."""

    @abstractmethod
    def is_away(self, state: S, who: str) -> bool:
        """Whether someone is out of the fight, however it came about."""

    @abstractmethod
    def decide_gm_action(self, state: S, hand: GmAction, roller: Roller) -> Decision:
        """The events of a step of the game master's that can be carried out, its dice, and a sentence."""

    @abstractmethod
    def build_prompt(self, state: S) -> Prompt | None:
        """Whose move it is and what is asked; None where nothing is, and when the fight is over."""

    @abstractmethod
    def choose_default_action(self, state: S, actor: str) -> A:
        """What a new step of a story does until someone has said what; `actor` does what is beside it."""

    # The game master's hand

    def is_gm_action(self, do: str, actor: object) -> bool:
        """Whether a step is the game master's: no one's, and nothing that the table tells in this order of turns."""
        return do in self.gm_fields and not actor and (do not in self.step_fields or self.needs_actor(do))

    def check_gm_action(self, state: S, hand: GmAction) -> tuple[Problem, ...]:
        """What keeps the game master from a step now; () where nothing does. It is never a rule."""
        if self.is_waiting(state):
            return (build_gm_problem("gm.waits", "an answer to what waits first", "none", hand.do),)
        if hand.do != SET_HP and state.phase != "running":
            return (build_gm_problem("fight.not-running", "a fight that is going on", "none", hand.do),)
        return tuple(self._participant_problems(state, hand) or self.gm_action_problems(state, hand))

    def _participant_problems(self, state: S, hand: GmAction) -> list[Problem]:
        """Who joins is new, who leaves is there, who comes back is not, and an order names everyone once."""
        if hand.do == JOIN:
            ids = [each.id for each in state.fighters]
            if hand.newcomer.id in ids:
                name = hand.newcomer.name
                return [build_gm_problem("gm.id-taken", "an id that nobody has", hand.newcomer.id, hand.do, name=name)]
            expected, most, is_full = (
                f"{MAX_FIGHTERS} in a fight at most",
                MAX_FIGHTERS,
                len(ids) >= MAX_FIGHTERS,
            )
            return [build_gm_problem("gm.full", expected, "one more", hand.do, most=most)] if is_full else []
        if hand.do == REORDER:
            known = self.list_order_ids(state)
            is_whole = sorted(hand.order) == sorted(known)
            got = ", ".join(hand.order) or "nobody"
            return [] if is_whole else [build_gm_problem("gm.order", f"each of {', '.join(known)} once", got, hand.do)]
        if hand.do == CHANGE_SURROUNDINGS:
            return []
        is_away = self.is_away(state, hand.target)
        name = self.name_of(state, hand.target)
        if hand.do not in (SET_HP, RETURN) and is_away:
            return [build_gm_problem("gm.not-in-fight", "a character in the fight", name, hand.do, name=name)]
        if hand.do == RETURN and not is_away:
            return [build_gm_problem("gm.still-in-fight", "a character out of the fight", name, hand.do, name=name)]
        return []

    def intervene(self, state: S, hand: GmAction, faces: Roller | Iterable[int] = ()) -> Decision:
        """Carry a step of the game master's out: its events, its dice and a sentence; or why it can't be.

        Raises `ScratchError` for faces too few, too many or impossible.
        """
        wrong = self.check_gm_action(state, hand)
        if wrong:
            said = (
                f"Game master: {GM_ACTION_TITLES[hand.do]} can't be, expected {wrong[0].expected}, got {wrong[0].got}."
            )
            return Decision((), (), said, wrong)
        roller = RecordedFaces(faces) if isinstance(faces, Iterable) else faces
        decision = self.decide_gm_action(state, hand, roller)
        if isinstance(roller, RecordedFaces):
            roller.finish()
        said, after = f"Game master: {decision.narration}", self.apply_events(state, decision.events)
        was, due = self.build_prompt(state), self.build_prompt(after)
        if was and due and due.who not in ("", was.who):  # whose move it is now
            said += f" {due.headline(self.name_of(after, due.who))}."
        return Decision(decision.events, decision.rolls, said)

    def is_waiting(self, state: S) -> bool:
        """Whether an act waits for an answer before anything else, the game master's too."""
        return False

    def find_follow_up(self, state: S) -> A | None:
        """What goes on by itself with the last act, for there is nothing to choose; None for nothing."""
        return None

    def find_next_actor(self, state: S) -> str:
        """Whose turn is on or, where none is, whose comes first; "" for no one's."""
        due = self.build_prompt(state)
        return self.find_active(state) or (due.who if due else "")

    def round_of(self, state: S, who: str) -> int:
        """The round of the turn that is on, or in which someone's that comes next will be; at least 1."""
        return max(1, state.round)

    def list_members(self, state: S, place: str) -> tuple[str, ...]:
        """Who has a turn at a place of the order."""
        return (place,)

    def list_order_ids(self, state: S) -> tuple[str, ...]:
        """Everything that an order of turns is made of, ids or groups."""
        return self.list_order(state)

    # What most systems have in common

    def find_winner(self, state: S) -> str:
        """The only side that has anyone left in the fight, "" while there are several or none."""
        return state.winner

    def build_newcomer(self, character: Any) -> Any:
        """A fighter of what a file tells of someone. Raises `ScratchError` for what can't go together."""
        return character

    def gm_action_problems(self, state: S, hand: GmAction) -> list[Problem]:
        """What the order of turns itself has against a step of the game master's, whom it names being there."""
        return []

    def count_setup_steps(self, steps: Sequence[A | GmAction]) -> int:
        """How many of the first steps come before the fight, or are its beginning."""
        return 0

    def fill_defaults(self, act: A) -> A:
        """An act as it was written, with what goes without saying filled in."""
        return act

    def find_field_conflict(self, do: str, step: Mapping[str, Any]) -> FieldConflict | None:
        """Keys of a step that can't stand together."""
        return None

    def needs_actor(self, do: str) -> bool:
        """Whether someone has to be named who does it."""
        return do in self.action_titles

    def find_example(self, state: S, actor: str, do: str) -> A | None:
        """A legal act of that name, None where there is none."""
        if do not in self.legal_action_names(state, actor):
            return None
        return next(act for act in self.legal_actions(state) if (act.actor, act.do) == (actor, do))

    def find_turn_owner(self, state: S) -> str:
        """Whose turn is on; "" between turns, and for no one's."""
        return self.find_active(state) if state.phase == "running" else ""

    def find_step_round(self, do: str, before: S, after: S) -> int:
        """The round of a step, of which the moments before and after it are known: a turn begins with its first act."""
        return after.round

    def merge_initiative_faces(self, given: Mapping[str, Sequence[int]], begun: Decision) -> dict[str, tuple[int, ...]]:
        """Every face of the beginning, those given and those thrown, as `[initiative]` has them."""
        faces = {who: tuple(each) for who, each in given.items()}
        return faces | {each.who: each.faces for each in begun.rolls}

    def apply_events(self, state: S, events: Iterable[Any]) -> S:
        """Apply events one after the other."""
        for event in events:
            state = self.apply(state, event)
        return state

    def title_of(self, do: str) -> str:
        """What readers call an act."""
        return self.action_titles.get(do) or self.table_event_titles.get(do) or GM_ACTION_TITLES.get(do, do)

    def fighters(self, state: S) -> tuple[Any, ...]:
        """Everyone, in the order of the file."""
        return state.fighters

    def fighter(self, state: S, fighter_id: str) -> Any:
        """The fighter of that id; it must be there."""
        return next(each for each in state.fighters if each.id == fighter_id)

    def name_of(self, state: S, fighter_id: str) -> str:
        """What readers see of a fighter."""
        return next((str(each.name) for each in state.fighters if each.id == fighter_id), fighter_id)

    def get_state_value(self, state: S, key: str) -> Any:
        """What a state path leads to: `round`, `stun.x`."""
        path, _, who = key.partition(".")
        if who:
            return self.fighter_paths[path][1](state, self.fighter(state, who))
        return (
            self.common_paths[path][1](state) if path in self.common_paths else self.state_paths[path][1](self, state)
        )

    @property
    def common_paths(self) -> Mapping[str, tuple[type, Callable[[S], Any]]]:
        """The state paths that every system has, each with the kind of its value."""
        return {
            "round": (int, lambda state: state.round),
            "active": (str, self.find_active),
            "winner": (str, self.find_winner),
            "order": (list, lambda state: list(self.list_order(state))),
            "fight": (str, lambda state: state.phase),
        }

    def state_to_dict(self, state: S) -> dict[str, Any]:
        """Every state path of a state as a tree."""
        tree: dict[str, Any] = {
            path: {who.id: value(state, who) for who in state.fighters}
            for path, (_, value) in self.fighter_paths.items()
        }
        tree |= {path: value(self, state) for path, (_, value) in self.state_paths.items()}
        return {**tree, **{path: value(state) for path, (_, value) in self.common_paths.items()}}
