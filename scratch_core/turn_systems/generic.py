"""What the other turn orders have in common: acts, records of fighters and moments, and how an act is decided."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal, Self, TypeVar

from scratch_core.dice import RecordedFaces, Roller
from scratch_core.errors import Problem, join_words
from scratch_core.turn_systems import (
    COMMON_GM_FIELDS,
    JOIN,
    LEAVE,
    ORDER,
    REORDER,
    RETURN,
    Decision,
    Field,
    FighterStatus,
    GmAction,
    InitiativeRoll,
    Prompt,
    StatePath,
    StatusEffect,
    TurnSystem,
    no_fight_problems,
    roll_off,
)

Phase = Literal["before", "running", "over"]


@dataclass(frozen=True, slots=True)
class GenericAction:
    """What someone wants to do, or what the table tells. Each system uses some of the fields; the rest stay empty.

    `spaces` is how far a `move` went, 0 for as far as it may; `count` quick actions and `weapons` make a combo;
    `source` is `from` in a file; `take` pairs pools with points, `stalkers` ids with the success of their rolls.
    """

    actor: str
    do: str
    target: str = ""
    move: bool = False
    count: int = 0
    weapons: int = 0
    after: bool = True
    points: int = 0
    use: str = ""
    to: str = ""
    source: str = ""
    take: tuple[tuple[str, int], ...] = ()
    stalkers: tuple[tuple[str, bool], ...] = ()
    spaces: int = 0

    @property
    def participants(self) -> tuple[str, ...]:
        """Everyone who must be in the fight for it."""
        return tuple(each for each in (self.actor, self.target, *(who for who, _ in self.stalkers)) if each)

    def to_step(self) -> dict[str, object]:
        """The act as a step of a scenario file."""
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
    """Everything that is true of one act: what it is called, its rule, what a step says of it, and where a page has it.

    `do` is its name in a file, `title` what readers call it, `verb` what pressing it does, "" for what belongs before a
    fight and stands in no list of acts. `effect` are a few words on what comes of it, `to` stands before its target for
    whoever hears the page, `short` on a button of its own. `fields` are the keys of its step. `is_fact`: the table
    tells it. `answers`: it answers a question, and comes first; `starts`: it is how someone begins, whoever is on
    turn; `opens`: a turn, or the fight, begins with it; `ends_turn`: it does nothing else. `by_name`: its button says
    whose it is; `by_anybody`: it may be open to someone who is not on turn. `refuses`: it is open together with what
    it turns down, and needs no reason of its own. `closed` is said where it can't be told yet, in place of a reason.
    """

    do: str
    title: str
    rule: str = ""
    verb: str = ""
    effect: str = ""
    target_preposition: str = ""
    short: str = ""
    fields: tuple[Field, ...] = ()
    is_fact: bool = False
    is_answer: bool = False
    is_start: bool = False
    ends_turn: bool = False
    by_name: bool = False
    by_anybody: bool = False
    is_refusal: bool = False
    is_opening: bool = False
    unavailable_text: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; a log of events rebuilds every state."""


@dataclass(frozen=True, slots=True)
class EventOf(Event):
    """Something that someone did, or that befell it."""

    who: str


@dataclass(frozen=True, slots=True)
class FightEnded(Event):
    """There is no fight, or no one is left in it, or no one to choose (ruling S09).

    Rules: `mano.surprise.neither`, `seize.not-self`.
    """


@dataclass(frozen=True, slots=True)
class Returned(EventOf):
    """The game master has put someone back into the fight."""


@dataclass(frozen=True, slots=True)
class Reordered(Event):
    """The game master has given everyone another order."""

    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericFighter:
    """Someone in a fight. `out`: it has left, and has no more turns. `turns` counts those that have ended."""

    id: str
    name: str
    side: str
    out: bool = False
    turns: int = 0


F = TypeVar("F", bound=GenericFighter)
S = TypeVar("S", bound="GenericState")


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericState:
    """A moment of a fight, or before or after it; `round` counts from 1."""

    fighters: tuple[Any, ...]
    phase: Phase = "before"
    round: int = 0

    @property
    def winner(self) -> str:
        """The only side that has anyone left in the fight, "" while there are several or none."""
        sides = {each.side for each in self.fighters if not each.out}
        return sides.pop() if len(sides) == 1 else ""

    @property
    def present(self) -> tuple[Any, ...]:
        """Those still in the fight."""
        return tuple(each for each in self.fighters if not each.out)

    def fighter(self, fighter_id: str) -> Any:
        """The fighter of that id; it must be there."""
        return next(each for each in self.fighters if each.id == fighter_id)

    def with_fighter(self, changed: GenericFighter) -> Self:
        """The state with one fighter replaced."""
        return replace(self, fighters=tuple(changed if each.id == changed.id else each for each in self.fighters))


SEATED_GM_FIELDS: Mapping[str, tuple[Field, ...]] = {
    **COMMON_GM_FIELDS,
    JOIN: (
        *COMMON_GM_FIELDS[JOIN],
        Field("after", "id", "", "whom they sit down next to, clockwise; the last, left out"),
    ),
    REORDER: (ORDER,),
}
"""The game master's steps where people sit in order."""

LEFT_FIGHT_EFFECT = StatusEffect("left the fight", "", "", "left the fight")


class GenericTurnSystem(TurnSystem[S, GenericAction]):
    """What the other orders of turns share: who may do what, and the acts of each name; the rest follows from those.

    `cards` has a card for each act and fact, in the order in which a page lists them. `idle_rules` are the rules by
    which nothing is done before a fight, and after it.
    """

    action_type = GenericAction
    idle_rules: ClassVar[Mapping[str, str]]
    specs: ClassVar[Sequence[GenericActionSpec]] = ()
    specs_by_name: ClassVar[Mapping[str, GenericActionSpec]]
    gm_fields: ClassVar[Mapping[str, tuple[Field, ...]]] = SEATED_GM_FIELDS
    fighter_paths: ClassVar[Mapping[str, StatePath]] = {
        "out": (bool, lambda state, who: who.out),
        "gone": (bool, lambda state, who: who.out),
    }

    def __init_subclass__(cls) -> None:
        """What every order of turns is asked of its acts stands on their cards."""
        cls.specs_by_name = {each.do: each for each in cls.specs}
        cls.action_titles = {each.do: each.title for each in cls.specs if not each.is_fact}
        cls.table_event_titles = {each.do: each.title for each in cls.specs if each.is_fact}
        cls.step_fields = {each.do: each.fields for each in cls.specs}

    @abstractmethod
    def list_open_actions(self, state: S) -> tuple[tuple[str, str], ...]:
        """Who may do what now: pairs of an id and a name of `acts`."""

    @abstractmethod
    def list_variants(self, state: S, actor: str, do: str) -> Iterable[GenericAction]:
        """The legal acts of that name, each once; the name is one of `names`."""

    @abstractmethod
    def action_problems(self, state: S, act: GenericAction) -> list[Problem]:
        """The rules that an act would break in a fight that is on, or before it; its ids are those of fighters."""

    @abstractmethod
    def resolve_action(self, state: S, act: GenericAction) -> tuple[tuple[Event, ...], str]:
        """The events of a legal act, and a sentence."""

    @abstractmethod
    def build_present_status(self, state: S, who: Any) -> FighterStatus:
        """What a page shows of a fighter who is still there, at a moment of the fight."""

    @abstractmethod
    def build_running_prompt(self, state: S) -> Prompt:
        """Whose move it is in a fight that is on."""

    @abstractmethod
    def build_join_event(self, state: S, hand: GmAction, roller: Roller) -> tuple[Event, tuple[InitiativeRoll, ...]]:
        """The event of someone's joining the fight, and the dice thrown for it."""

    # The game master's hand

    def is_away(self, state: S, who: str) -> bool:
        """Whether someone is out."""
        return bool(self.fighter(state, who).out)

    def decide_gm_action(self, state: S, hand: GmAction, roller: Roller) -> Decision:
        """Who is taken out leaves as by its own word; so a turn that was its own ends."""
        if hand.do == LEAVE:
            events, said = self.resolve_action(state, GenericAction(hand.target, LEAVE))
            return Decision(events, (), said)
        if hand.do == RETURN:
            said = f"{self.name_of(state, hand.target)} is back in the fight."
            return Decision((self.build_return_event(state, hand.target),), (), said)
        if hand.do == REORDER:
            names = [self.name_of(state, each) for each in hand.order]
            return Decision((Reordered(hand.order),), (), f"the turn order is now {join_words(names)}.")
        event, thrown = self.build_join_event(state, hand, roller)
        return Decision((event,), thrown, f"{hand.newcomer.name} joins the fight.")

    def build_return_event(self, state: S, who: str) -> Event:
        """The event of someone's coming back."""
        return Returned(who)

    # What follows from it

    def needs_actor(self, do: str) -> bool:
        """Whoever acts is named, and whoever leaves."""
        return do in self.action_titles or do == LEAVE

    def build_status(self, state: S, who: str) -> FighterStatus:
        """What a page shows of someone; of whoever is out only that."""
        fighter = self.fighter(state, who)
        found = self.build_present_status(state, fighter)
        if fighter.out:
            found = replace(found, effects=(LEFT_FIGHT_EFFECT,), is_done=False, condition="left the fight", is_out=True)
        return found if state.phase == "running" else replace(found, mark="")

    def build_prompt(self, state: S) -> Prompt | None:
        """Whose move it is; None when the fight is over. Rule: `mano.surprise.two-rolls`."""
        if state.phase == "over":
            return None
        if state.phase == "before":
            return Prompt("", "", "", "mano.surprise.two-rolls", "The rolls of an ambush come first.")
        return self.build_running_prompt(state)

    def legal_actions(self, state: S) -> tuple[GenericAction, ...]:
        """Every legal act once; `facts`, which the table may tell at any time, are not listed."""
        return tuple(act for actor, do in self.list_open_actions(state) for act in self.list_variants(state, actor, do))

    def legal_action_names(self, state: S, actor: str) -> frozenset[str]:
        """The names of one fighter's legal acts."""
        return frozenset(do for who, do in self.list_open_actions(state) if who == actor)

    def check_action(self, state: S, act: GenericAction | GmAction) -> tuple[Problem, ...]:
        """Every rule that an act would break now, each with what would be legal; () when it is legal."""
        if isinstance(act, GmAction):
            return self.check_gm_action(state, act)
        ids = {each.id for each in self.fighters(state)}
        named = [act.actor, act.target, *(who for who, _ in act.stalkers)]
        if act.do not in self.action_titles and act.do not in self.table_event_titles:
            expected, got = f"one of {', '.join((*self.action_titles, *self.table_event_titles))}", repr(act.do)
            return (Problem("action.unknown", expected, got, "the act"),)
        if not {*named} <= {*ids, ""} or (not act.actor and act.do in (*self.action_titles, LEAVE)):
            return (Problem("fighter.unknown", f"ids of {', '.join(sorted(ids))}", ", ".join(named), act.do),)
        if state.phase != "running" and self.specs_by_name[act.do].verb:
            return tuple(no_fight_problems(self.idle_rules[state.phase], act.do))
        return tuple(self.action_problems(state, act))

    def decide(self, state: S, act: GenericAction | GmAction, faces: Roller | Iterable[int] = ()) -> Decision:
        """Carry an act out: its events and a sentence. An illegal one brings no events and names the rules it breaks.

        No act throws dice: faces given raise `ScratchError` (`dice.faces.many`).
        """
        if isinstance(act, GmAction):
            return self.intervene(state, act, faces)
        wrong = self.check_action(state, act)
        if wrong:
            first = wrong[0]
            who = f"{self.name_of(state, act.actor)}: " if act.actor else ""
            rule = f" ({first.rule})" if first.rule else ""
            said = f"{who}{self.title_of(act.do)} not allowed, expected {first.expected}, got {first.got}{rule}."
            return Decision((), (), said, wrong)
        if isinstance(faces, Iterable):
            RecordedFaces(faces).finish()
        events, said = self.resolve_action(state, act)
        return Decision(events, (), said)

    def choose_default_action(self, state: S, actor: str) -> GenericAction:
        """The first act that is legal, or someone leaving where none is."""
        return next(iter(self.legal_actions(state)), GenericAction(self.fighters(state)[0].id, LEAVE))

    def find_example(self, state: S, actor: str, do: str) -> GenericAction | None:
        """A legal act of that name, without a look at the others."""
        return (
            next(iter(self.list_variants(state, actor, do)), None)
            if (actor, do) in self.list_open_actions(state)
            else None
        )

    def find_step_round(self, do: str, before: S, after: S) -> int:
        """The round that a step is taken in: it may end it, and only some begin one."""
        return after.round if do in self.specs_by_name and self.specs_by_name[do].is_opening else before.round


def choose_opener(
    among: Sequence[str], given: Mapping[str, Sequence[int]] | None, roller: Roller, rule: str
) -> tuple[str, tuple[InitiativeRoll, ...]]:
    """Who goes first of several with equal claims, and the dice that settled it, none where there is one alone."""
    if len(among) == 1:
        return among[0], ()
    faces = {each: list((given or {}).get(each, ())) for each in among}
    order = roll_off(among, faces, roller, rule, only_first=True)
    thrown = dict(order)
    return order[0][0], tuple(InitiativeRoll(each, thrown[each]) for each in among)


def format_opening(first: str, thrown: Sequence[InitiativeRoll], names: Callable[[str], str]) -> str:
    """Who goes first, and the dice that settled it, as a sentence."""
    dice = ", ".join(f"{names(each.who)} {' then '.join(map(str, each.faces))}" for each in thrown)
    return f"The fight begins: {names(first)} goes first{f' by the dice ({dice})' if dice else ''}."


def order_by_seats(fighters: Sequence[GenericFighter], first: str) -> tuple[str, ...]:
    """The ids clockwise from the one that goes first. Rules: `mano.order.seating`, `mano-old.order.seating`."""
    ids = [each.id for each in fighters]
    start = ids.index(first)
    return (*ids[start:], *ids[:start])


def list_longest_reach(fighters: Sequence[Any]) -> tuple[str, ...]:
    """Whoever has the longest reach; () of no one. Rules: `mano.start.reach`, `mano-old.initiative.reach`."""
    reach = max((each.reach for each in fighters), default=0)
    return tuple(each.id for each in fighters if each.reach == reach)


def apply_return(state: S, event: Returned) -> S:
    """The state in which someone is in the fight again."""
    fighters = tuple(replace(each, out=False) if each.id == event.who else each for each in state.fighters)
    return replace(state, fighters=fighters)
