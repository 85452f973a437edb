"""The parts shared by all turn systems except Scratch's own: actions, fighters, states, and how actions are decided."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeVar

from scratch_core.dice import RecordedRoller, Roller
from scratch_core.errors import Problem, join_words
from scratch_core.record_copies import replace_fields
from scratch_core.turn_systems import (
    COMMON_GM_FIELDS,
    GAME_MASTER,
    JOIN,
    LEAVE,
    ORDER,
    REORDER,
    RETURN,
    BaseFighter,
    Decision,
    Event,
    Field,
    FighterStatus,
    FightState,
    GmAction,
    InitiativeRoll,
    Narration,
    Prompt,
    Reordered,
    Returned,
    StatePath,
    StatusEffect,
    TurnSystem,
    build_no_fight_problems,
    conceal,
    narrate,
    order_by_roll_off,
)


@dataclass(frozen=True, slots=True)
class GenericAction:
    """An action, or an event that the table reports. Each turn system uses some of the fields and leaves the others
    empty."""

    actor: str
    """The actor's id, "" for an event that the table reports."""
    do: str
    """The name of the action."""
    target: str = ""
    """The target's id."""
    move: bool = False
    """Whether the actor moves."""
    count: int = 0
    """How many quick actions a combo has."""
    weapons: int = 0
    """How many weapons a combo uses."""
    after: bool = True
    """Whether a delayed turn comes after the target's turn, not before it."""
    points: int = 0
    """How many points are spent, moved or lost."""
    use: str = ""
    """What the points are spent on."""
    to: str = ""
    """The pool that points move to."""
    source: str = ""
    """The pool that points come from (`from` in a file)."""
    take: tuple[tuple[str, int], ...] = ()
    """Pairs of a pool and the points taken from it."""
    stalkers: tuple[tuple[str, bool], ...] = ()
    """Pairs of a fighter's id and whether its roll to stalk succeeds."""
    spaces: int = 0
    """How many spaces a move covers, 0 for as many as it may."""

    @property
    def stalker_ids(self) -> tuple[str, ...]:
        """The ids of all who stalk."""
        return tuple(who for who, _ in self.stalkers)

    @property
    def participants(self) -> tuple[str, ...]:
        """The ids of all fighters who must be in the fight."""
        return tuple(each for each in (self.actor, self.target, *self.stalker_ids) if each)

    def to_step(self) -> dict[str, object]:
        """Return the action as a step of a scenario file."""
        written: dict[str, object] = {"actor": self.actor} if self.actor else {}
        written["do"] = self.do
        for each in fields(self)[2:]:
            value = getattr(self, each.name)
            if value != each.default:
                key = "from" if each.name == "source" else each.name
                written[key] = dict(value) if isinstance(value, tuple) else value
        if self.do == "lose-hp":
            written["points"] = self.points
        return written


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericActionSpec:
    """The definition of one action or table event: its names, its rule, its fields, and its place on a page."""

    do: str
    """Its name in a file."""
    title: str
    """Its name in sentences for players."""
    rule: str = ""
    """The id of its rule."""
    verb: str = ""
    """The label of its button, "" for an action that belongs before the fight and has no button."""
    effect: str = ""
    """A few words on what it does."""
    target_preposition: str = ""
    """The words before the target's name for a screen reader."""
    short: str = ""
    """The label of a button of its own, "" for `verb`."""
    fields: tuple[Field, ...] = ()
    """The keys of its step."""
    is_fact: bool = False
    """Whether the table reports it as an event, at any time."""
    is_answer: bool = False
    """Whether it answers a question, so that a page lists it first."""
    is_start: bool = False
    """Whether it is how a fighter starts, in whichever turn."""
    ends_turn: bool = False
    """Whether it only ends the turn."""
    by_name: bool = False
    """Whether its button has the actor's name."""
    by_anybody: bool = False
    """Whether fighters may do it in another's turn."""
    is_refusal: bool = False
    """Whether it declines what another action offers, so that it is unavailable for the same reason."""
    is_opening: bool = False
    """Whether a turn, or the fight, begins with it."""
    unavailable_text: str = ""
    """The sentence shown while the table can't report it, in place of the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericFighter(BaseFighter):
    """A fighter of a turn system other than Scratch's own, without what a single one adds."""

    out: bool = False
    """Whether it has left the fight and has no more turns."""
    turns: int = 0
    """How many of its turns have ended."""

    @property
    def is_away(self) -> bool:
        """Whether it has left the fight."""
        return self.out


S = TypeVar("S", bound=FightState[Any])


SEATED_GM_FIELDS: Mapping[str, tuple[Field, ...]] = {
    **COMMON_GM_FIELDS,
    JOIN: (
        *COMMON_GM_FIELDS[JOIN],
        Field("after", "id", "", "the character to sit down after, clockwise; the last if omitted"),
    ),
    REORDER: (ORDER,),
}
"""The fields of the game master's changes in turn systems with a seating order."""

LEFT_FIGHT_EFFECT = StatusEffect("left the fight", "", "", "left the fight")


class GenericTurnSystem(TurnSystem[S, GenericAction]):
    """A turn system described by the specs of its actions and a few abstract methods."""

    action_type = GenericAction
    idle_rules: ClassVar[Mapping[str, str]]
    """The rule that forbids actions in each phase without a running fight."""
    specs: ClassVar[Sequence[GenericActionSpec]] = ()
    """A spec for each action and table event, in the order of a page."""
    specs_by_name: ClassVar[Mapping[str, GenericActionSpec]]
    """The specs by `do`."""
    gm_fields: ClassVar[Mapping[str, tuple[Field, ...]]] = SEATED_GM_FIELDS
    fighter_paths: ClassVar[Mapping[str, StatePath]] = {
        "out": (bool, lambda state, who: who.out),
        "gone": (bool, lambda state, who: who.out),
    }

    def __init_subclass__(cls) -> None:
        """Derive the tables of names and fields from the specs."""
        cls.specs_by_name = {each.do: each for each in cls.specs}
        cls.action_titles = {each.do: each.title for each in cls.specs if not each.is_fact}
        cls.table_event_titles = {each.do: each.title for each in cls.specs if each.is_fact}
        cls.step_fields = {each.do: each.fields for each in cls.specs}

    @abstractmethod
    def list_legal_actor_action_pairs(self, state: S) -> tuple[tuple[str, str], ...]:
        """List who may do what now, as pairs of an id and an action's name."""

    @abstractmethod
    def list_legal_actions_named(self, state: S, actor: str, do: str) -> Iterable[GenericAction]:
        """List each legal variant of an open action once.

        `(actor, do)` is one of `list_legal_actor_action_pairs`.
        """

    @abstractmethod
    def action_problems(self, state: S, act: GenericAction) -> list[Problem]:
        """Return the rules that an action breaks in the current state.

        The ids in the action are ids of fighters, and the fight is running if the action needs one.
        """

    @abstractmethod
    def resolve_action(self, state: S, act: GenericAction) -> tuple[tuple[Event, ...], Narration]:
        """Return the events of a legal action and its sentences."""

    @abstractmethod
    def build_status_as_if_present(self, state: S, who: Any) -> FighterStatus:
        """Build what a page shows of a fighter still in the fight.

        `build_status` adds what it shows of a fighter who is out.
        """

    @abstractmethod
    def build_running_prompt(self, state: S) -> Prompt:
        """Build the prompt of a running fight."""

    @abstractmethod
    def build_join_event(self, state: S, change: GmAction, roller: Roller) -> tuple[Event, tuple[InitiativeRoll, ...]]:
        """Build the event of a newcomer joining the fight, with the dice rolled for it."""

    # Changes by the game master

    def resolve_gm_action(self, state: S, change: GmAction, roller: Roller) -> Decision:
        """Resolve a legal change by the game master into events, dice and narration.

        A removed fighter leaves as by its own action, so that its turn ends if it was active.
        """
        if change.do == LEAVE:
            events, sentences = self.resolve_action(state, GenericAction(change.target, LEAVE))
            return Decision(events, (), sentences)
        if change.do == RETURN:
            sentences = narrate("{} is back in the fight.", state.fighter(change.target))
            return Decision((self.build_return_event(state, change.target),), (), sentences)
        if change.do == REORDER:
            names = [state.name_of(each) for each in change.order]
            sentences = conceal(GAME_MASTER, "the turn order is now {}.", join_words(names))
            return Decision((Reordered(change.order),), (), sentences)
        event, thrown = self.build_join_event(state, change, roller)
        return Decision((event,), thrown, narrate("{} joins the fight.", change.newcomer))

    def build_return_event(self, state: S, who: str) -> Event:
        """Build the event of a fighter coming back."""
        return Returned(who)

    # Methods that follow from the abstract ones

    def needs_actor(self, do: str) -> bool:
        """Return whether a step of this name has an actor.

        Leaving is a table event with an actor.
        """
        return do in self.action_titles or do == LEAVE

    def build_status(self, state: S, who: str) -> FighterStatus:
        """Build what a page shows of a fighter who may be out."""
        fighter = state.fighter(who)
        found = self.build_status_as_if_present(state, fighter)
        if fighter.out:
            found = replace_fields(
                found, effects=(LEFT_FIGHT_EFFECT,), is_done=False, condition="left the fight", is_out=True
            )
        return found if state.phase == "running" else replace_fields(found, mark="")

    def build_prompt(self, state: S) -> Prompt | None:
        """Build the prompt of the current state. Rule: `mano.surprise.two-rolls`.

        Returns None when the fight is over.
        """
        if state.phase == "over":
            return None
        if state.phase == "before":
            return Prompt("", "", "", "mano.surprise.two-rolls", "The rolls of an ambush come first.")
        return self.build_running_prompt(state)

    def legal_actions(self, state: S) -> tuple[GenericAction, ...]:
        """List every legal action once, without table events."""
        return tuple(
            act
            for actor, do in self.list_legal_actor_action_pairs(state)
            for act in self.list_legal_actions_named(state, actor, do)
        )

    def legal_action_names(self, state: S, actor_id: str) -> frozenset[str]:
        """Return the names of a fighter's legal actions."""
        return frozenset(do for who, do in self.list_legal_actor_action_pairs(state) if who == actor_id)

    def check_by_rules(self, state: S, action: GenericAction) -> tuple[Problem, ...]:
        """Return every rule that an action breaks now, each with what would be legal.

        Empty for a legal action. Names and ids that do not exist are problems without a rule.
        """
        ids = {each.id for each in state.fighters}
        named = [action.actor, action.target, *action.stalker_ids]
        if action.do not in self.action_titles and action.do not in self.table_event_titles:
            expected, got = f"one of {', '.join((*self.action_titles, *self.table_event_titles))}", repr(action.do)
            return (Problem("action.unknown", expected, got, "the act"),)
        if not {*named} <= {*ids, ""} or (not action.actor and action.do in (*self.action_titles, LEAVE)):
            return (Problem("fighter.unknown", f"ids of {', '.join(sorted(ids))}", ", ".join(named), action.do),)
        if state.phase != "running" and self.specs_by_name[action.do].verb:
            return tuple(build_no_fight_problems(self.idle_rules[state.phase], action.do))
        return tuple(self.action_problems(state, action))

    def decide_by_rules(self, state: S, action: GenericAction, faces: Roller | Iterable[int]) -> Decision:
        """Decide an action: return its events and a sentence.

        An illegal action has no events, and its problems name the rules that it breaks. These turn systems roll no dice
        for actions, so that faces raise `ScratchError` (`dice.faces.many`).
        """
        problems = self.check_by_rules(state, action)
        if problems:
            first = problems[0]
            who = f"{state.name_of(action.actor)}: " if action.actor else ""
            rule = f" ({first.rule})" if first.rule else ""
            sentence = f"{who}{self.title_of(action.do)} not allowed, expected {first.expected}, got {first.got}{rule}."
            return Decision((), (), conceal(GAME_MASTER, "{}", sentence), problems)
        if isinstance(faces, Iterable):
            RecordedRoller(faces).require_all_used()
        events, sentences = self.resolve_action(state, action)
        return Decision(events, (), sentences)

    def build_action_for_new_step(self, state: S, neighbour_actor_id: str) -> GenericAction:
        """Return the first legal action, or the first fighter leaving if there is none."""
        return next(iter(self.legal_actions(state)), GenericAction(state.fighters[0].id, LEAVE))

    def find_legal_action(self, state: S, actor: str, do: str) -> GenericAction | None:
        """Find a legal action of a name without computing the others.

        Returns None if there is none.
        """
        return (
            next(iter(self.list_legal_actions_named(state, actor, do)), None)
            if (actor, do) in self.list_legal_actor_action_pairs(state)
            else None
        )

    def find_step_round(self, do: str, before: S, after: S) -> int:
        """Return the round in which a step is taken.

        A step may end a round and still belongs to it. Only a step that begins a turn belongs to the round after it.
        """
        return after.round if do in self.specs_by_name and self.specs_by_name[do].is_opening else before.round


def choose_opener(
    candidates: Sequence[str], recorded_faces: Mapping[str, Sequence[int]] | None, roller: Roller, rule_id: str
) -> tuple[str, tuple[InitiativeRoll, ...]]:
    """Choose who goes first among equal candidates, with the dice of a roll-off.

    Returns no dice if there is one candidate.
    """
    if len(candidates) == 1:
        return candidates[0], ()
    faces = {each: list((recorded_faces or {}).get(each, ())) for each in candidates}
    order = order_by_roll_off(candidates, faces, roller, rule_id, only_first=True)
    thrown = dict(order)
    return order[0][0], tuple(InitiativeRoll(each, thrown[each]) for each in candidates)


def format_first_turn(first_id: str, rolls: Sequence[InitiativeRoll], get_name: Callable[[str], str]) -> str:
    """Format who goes first, and the dice that decided it, as a sentence."""
    dice = ", ".join(f"{get_name(each.who)} {' then '.join(map(str, each.faces))}" for each in rolls)
    return f"The fight begins: {get_name(first_id)} goes first{f' by the dice ({dice})' if dice else ''}."


def list_ids_clockwise(fighters: Sequence[GenericFighter], first: str) -> tuple[str, ...]:
    """List the ids clockwise from the first. Rules: `mano.order.seating`, `mano-old.order.seating`."""
    ids = [each.id for each in fighters]
    start = ids.index(first)
    return (*ids[start:], *ids[:start])


def list_ids_with_longest_reach(fighters: Sequence[Any]) -> tuple[str, ...]:
    """List the fighters with the longest reach. Rules: `mano.start.reach`, `mano-old.initiative.reach`."""
    reach = max((each.reach for each in fighters), default=0)
    return tuple(each.id for each in fighters if each.reach == reach)
