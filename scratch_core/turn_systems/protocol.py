"""The protocol of a turn system."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from scratch_core.dice import Roller
from scratch_core.errors import Problem
from scratch_core.rulebook import RulingSettings
from scratch_core.turn_systems.fields import Field
from scratch_core.turn_systems.fight_records import Event, FightState
from scratch_core.turn_systems.gm_actions import GM_ACTION_TITLES, GmAction
from scratch_core.turn_systems.gm_decisions import check_gm_action, decide_gm_action
from scratch_core.turn_systems.interrupts import Interrupts
from scratch_core.turn_systems.records import (
    Decision,
    FieldConflict,
    FighterStatus,
    InitiativeRoll,
    Prompt,
    Reason,
    TurnOrderEntry,
)


class ActionLike(Protocol):
    """An action of any turn system."""

    @property
    def actor(self) -> str: ...  # noqa: D102
    @property
    def do(self) -> str: ...  # noqa: D102
    @property
    def participants(self) -> tuple[str, ...]: ...  # noqa: D102
    def to_step(self) -> dict[str, object]: ...  # noqa: D102


S = TypeVar("S", bound=FightState[Any])
A = TypeVar("A", bound=ActionLike)

StatePath = tuple[type, Callable[[Any, Any], Any]]
"""The type of a state path's value, and its getter, called with a state and a fighter (or a system and a state)."""


class TurnSystem(ABC, Generic[S, A]):
    """The rules of turns. Files, playthroughs and pages use all turn systems through this class."""

    name: str
    """The name in a file."""
    title: str
    """The name that players read."""
    introduction: str = ""
    """The first sentences of its set-up on a page, "" for Scratch's own."""
    sample: str = ""
    """Sample lines of fighters as a user types them, "" for Scratch's own."""
    action_type: Callable[..., A]
    """The class of its actions."""
    action_titles: ClassVar[Mapping[str, str]]
    """The title of each action by name."""
    table_event_titles: ClassVar[Mapping[str, str]]
    """The title of each table event by name. These are never among the legal actions."""
    setup_fields: tuple[Field, ...] = ()
    """The fields at the top level of a file."""
    character_fields: tuple[Field, ...] = ()
    """The fields of a character."""
    shared_keys: tuple[str, ...] = ()
    """The keys that several actions share, such as their targets.

    An action refuses those that it has no use for.
    """
    step_fields: ClassVar[Mapping[str, tuple[Field, ...]]]
    """The fields of a step, by the name of the action or table event."""
    board_step_fields: ClassVar[Mapping[str, tuple[Field, ...]]] = {}
    """The fields of steps that exist only on a map."""
    fighter_paths: ClassVar[Mapping[str, StatePath]]
    """The state paths of a fighter."""
    common_state_paths: ClassVar[Mapping[str, tuple[type, Callable[[Any], Any]]]] = {
        "round": (int, lambda state: state.round),
        "active": (str, lambda state: state.active),
        "winner": (str, lambda state: state.winner),
        "order": (list, lambda state: list(state.turn_order)),
        "fight": (str, lambda state: state.phase),
    }
    """The state paths that every turn system has, each with the type of its value and its getter."""
    state_paths: ClassVar[Mapping[str, StatePath]] = {}
    """The state paths of the fight that only this turn system has."""
    path_choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The possible values of some state paths."""
    roll_keys: ClassVar[Mapping[str, type]] = {}
    """The keys that an expectation about rolls may have, each with the type of its value."""
    gm_fields: ClassVar[Mapping[str, tuple[Field, ...]]] = {}
    """The fields of a change by the game master, by its name."""
    effects: ClassVar[Mapping[type[Event], Callable[[Any, Any], Any]]]
    """The function that applies each event to a state."""
    interrupts: Interrupts[S, A] | None = None
    """How actions wait for interrupts. None if none ever waits."""
    begins_at_once: bool = False
    """Whether the last step before a fight is its beginning, as an ambush is.

    Otherwise the fight begins with the first step after those.
    """
    rule_options: tuple[str, ...] = ()
    """The names of the rulings that concern it."""

    # Methods that each turn system defines

    @abstractmethod
    def build_initial_state(self, characters: Sequence[Any], head: Mapping[str, Any], rulings: RulingSettings) -> S:
        """Build the state before the fight from valid values of fields.

        Each character has `id`, `name`, `side` and every field of `character_fields`. In Scratch's own turn system it
        is a fighter. Raises `ScratchError` if values contradict each other.
        """

    @abstractmethod
    def begin(self, state: S, roller: Roller, faces: Mapping[str, Sequence[int]] | None = None) -> Decision:
        """Begin the fight: find who goes first, with dice if the rules ask for them.

        `faces` are the recorded faces, first and for ties, by the ids that `state.initiative_fighter_or_group_ids`
        lists. The roller gives the others. The rolls of the decision are `InitiativeRoll`.
        """

    @abstractmethod
    def legal_actions(self, state: S) -> tuple[A, ...]:
        """List every legal action once, without table events."""

    @abstractmethod
    def legal_action_names(self, state: S, actor_id: str) -> frozenset[str]:
        """Return the names of a fighter's legal actions."""

    @abstractmethod
    def check_by_rules(self, state: S, action: A) -> tuple[Problem, ...]:
        """Return every rule that an action breaks now, as `check_action` does."""

    @abstractmethod
    def decide_by_rules(self, state: S, action: A, faces: Roller | Iterable[int]) -> Decision:
        """Decide an action, as `decide` does."""

    @abstractmethod
    def explain_turn_order(
        self, state: S, rolls: Sequence[InitiativeRoll]
    ) -> tuple[tuple[TurnOrderEntry, ...], Reason]:
        """Explain the order in which a fight begins, and what decides it after that.

        `rolls` are those of the beginning. Returns no entries if there is no fight.
        """

    @abstractmethod
    def build_status(self, state: S, who: str) -> FighterStatus:
        """Build what a page shows of a fighter."""

    @abstractmethod
    def resolve_gm_action(self, state: S, change: GmAction, roller: Roller) -> Decision:
        """Resolve a legal change by the game master into events, dice and narration."""

    @abstractmethod
    def build_prompt(self, state: S) -> Prompt | None:
        """Build what the page asks for now.

        Returns None if it asks for nothing, as when the fight is over.
        """

    @abstractmethod
    def build_action_for_new_step(self, state: S, neighbour_actor_id: str) -> A:
        """Return the action of a new step until its author chooses another.

        `neighbour_actor_id` is the actor of the neighboring step, "" for none.
        """

    # Actions and changes by the game master

    def check_action(self, state: S, act: A | GmAction) -> tuple[Problem, ...]:
        """Return every rule that an action breaks now, each with what would be legal.

        Empty for a legal action. The problems of a change by the game master name no rule.
        """
        return check_gm_action(self, state, act) if isinstance(act, GmAction) else self.check_by_rules(state, act)

    def decide(self, state: S, act: A | GmAction, faces: Roller | Iterable[int] = ()) -> Decision:
        """Decide an action: return its events, its rolls and a sentence.

        An illegal action rolls no dice and has no events; its problems name the rules that it breaks. Raises
        `ScratchError` for faces that are too few, too many or impossible: `dice.faces.few`, `dice.faces.many`,
        `dice.face`.
        """
        if isinstance(act, GmAction):
            return decide_gm_action(self, state, act, faces)
        return self.decide_by_rules(state, act, faces)

    def is_gm_action_step(self, do: str, raw_actor: object) -> bool:
        """Return whether a step is a change by the game master.

        Such a step has no actor and is no table event of this turn system.
        """
        return do in self.gm_fields and not raw_actor and (do not in self.step_fields or self.needs_actor(do))

    def find_follow_up_on_only_enemy(self, state: S) -> A | None:
        """Find the action that completes the last one without a choice. Returns None for none."""
        return None

    def find_current_or_next_actor(self, state: S) -> str:
        """Find the id of the active fighter, or else of the next.

        Returns "" if there is neither.
        """
        if state.turn_owner:
            return state.turn_owner
        due = self.build_prompt(state)
        return due.who if due else ""

    def find_turn_round(self, state: S, who: str) -> int:
        """Find the round of the current turn, or of a fighter's next turn.

        At least 1, also before the fight.
        """
        return max(1, state.round)

    # Methods with a default that suits most turn systems

    def build_fighter_from_fields(self, character: Any) -> Any:
        """Build a fighter from a character of a file.

        Raises `ScratchError` if values contradict each other.
        """
        return character

    def own_gm_action_problems(self, state: S, change: GmAction) -> list[Problem]:
        """Return the turn system's own reasons against a change by the game master.

        The participants of the change are already checked.
        """
        return []

    def count_setup_steps(self, steps: Sequence[A | GmAction]) -> int:
        """Count the first steps that come before the fight or are its beginning."""
        return 0

    def fill_defaults(self, act: A) -> A:
        """Fill in the fields of an action that a file may omit."""
        return act

    def find_field_conflict(self, do: str, step: Mapping[str, Any]) -> FieldConflict | None:
        """Find keys of a step that contradict each other. Returns None if there are none."""
        return None

    def needs_actor(self, do: str) -> bool:
        """Return whether a step of this name has an actor."""
        return do in self.action_titles

    def find_legal_action(self, state: S, actor: str, do: str) -> A | None:
        """Find a legal action of a name. Returns None if there is none."""
        if do not in self.legal_action_names(state, actor):
            return None
        return next(act for act in self.legal_actions(state) if (act.actor, act.do) == (actor, do))

    def find_step_round(self, do: str, before: S, after: S) -> int:
        """Return the round of a step, given the states before and after it.

        A turn begins with its first action.
        """
        return after.round

    def merge_initiative_faces(self, given: Mapping[str, Sequence[int]], begun: Decision) -> dict[str, tuple[int, ...]]:
        """Merge the given faces and those rolled at the beginning, as `[initiative]` has them."""
        faces = {who: tuple(each) for who, each in given.items()}
        return faces | {each.who: each.faces for each in begun.rolls}

    def apply_events(self, state: S, events: Iterable[Event]) -> S:
        """Apply events in order. The given state does not change."""
        for event in events:
            state = self.effects[type(event)](state, event)
        return state

    def title_of(self, do: str) -> str:
        """Return the title of an action, table event or change by the game master."""
        return self.action_titles.get(do) or self.table_event_titles.get(do) or GM_ACTION_TITLES.get(do, do)

    def get_state_value(self, state: S, key: str) -> Any:
        """Get the value of a state path such as `round` or `stun.x`."""
        path, _, who = key.partition(".")
        if who:
            return self.fighter_paths[path][1](state, state.fighter(who))
        return (
            self.common_state_paths[path][1](state)
            if path in self.common_state_paths
            else self.state_paths[path][1](self, state)
        )

    def state_to_dict(self, state: S) -> dict[str, Any]:
        """Return every state path of a state as a tree."""
        tree: dict[str, Any] = {
            path: {who.id: value(state, who) for who in state.fighters}
            for path, (_, value) in self.fighter_paths.items()
        }
        tree |= {path: value(self, state) for path, (_, value) in self.state_paths.items()}
        return {**tree, **{path: value(state) for path, (_, value) in self.common_state_paths.items()}}
