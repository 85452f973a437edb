"""What the other turn orders have in common: acts, decisions, fields of a file, and the protocol of a system."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Generic, Literal, TypeVar

from scratch_core.catalogue import Rulings
from scratch_core.dice import RecordedFaces, Roller, throw
from scratch_core.errors import Problem, ScratchError

Phase = Literal["before", "running", "over"]

TIES_LIMIT = 100
"""How often a tie is rolled off before the dice are blamed."""


@dataclass(frozen=True, slots=True)
class Act:
    """What somebody wants to do, or what the table tells. Each system uses some of the fields; the rest stay empty.

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

    def step(self) -> dict[str, object]:
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


@dataclass(frozen=True, slots=True)
class Thrown:
    """A die thrown for somebody, or for a group: the face, then the faces that broke ties."""

    who: str
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What comes of an act: its events, its dice and a sentence; or, when it is illegal, the rules it breaks."""

    events: tuple[Event, ...]
    rolls: tuple[Thrown, ...]
    say: str
    problems: tuple[Problem, ...] = ()

    @property
    def is_legal(self) -> bool:
        """Whether the act was legal."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; a log of events rebuilds every state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter:
    """Somebody in a fight. `out`: it has left, and has no more turns. `turns` counts those that have ended."""

    id: str
    name: str
    side: str
    out: bool = False
    turns: int = 0


F = TypeVar("F", bound=Fighter)
S = TypeVar("S", bound="State")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A moment of a fight, or before or after it; `round` counts from 1."""

    phase: Phase = "before"
    round: int = 0


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a file: its kind, its bounds, and its default; None when it must be there.

    Kinds: `number`, `spaces` (a number of spaces, of a move), `flag`, `text`, `speed`, `choice` (of `choices`), `id`,
    `ids` (one id or a list), `pools` (a table of points by pool), `successes` (a table of truth values by id).
    """

    key: str
    kind: str
    default: Any
    meaning: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    rule: str | None = None

    @property
    def name(self) -> str:
        """The name of the same thing in an `Act`."""
        return "source" if self.key == "from" else self.key


Path = tuple[type, Callable[[Any, Any], Any]]
"""The kind of a state path's value, and how it is found from a state and a fighter."""

LEAVE = "leave"


class System(ABC, Generic[S]):
    """One order of turns: the same questions for each, so that readers, players and pages treat all alike.

    `acts` are what somebody does in the order of turns, `facts` what the table tells, which is never listed.
    `paths` are state paths of a fighter, `state_paths` those of the fight.
    """

    name: str
    title: str
    acts: ClassVar[Mapping[str, str]]
    facts: ClassVar[Mapping[str, str]]
    head: tuple[Field, ...] = ()
    character: tuple[Field, ...] = ()
    steps: ClassVar[Mapping[str, tuple[Field, ...]]]
    state_type: type[S]
    events: tuple[type[Event], ...]
    paths: ClassVar[Mapping[str, Path]]
    state_paths: ClassVar[Mapping[str, Path]]

    # What a system brings

    @abstractmethod
    def gather(self, characters: Sequence[Mapping[str, Any]], head: Mapping[str, Any], rulings: Rulings) -> S:
        """The state before the fight, of values that `Field`s allow. Raises `ScratchError` for what can't go together.

        Each character has `id`, `name`, `side` and every field of `character`.
        """

    @abstractmethod
    def check(self, state: S) -> None:
        """Refuse a state read from elsewhere that could never be (`rounds.json`)."""

    @abstractmethod
    def begin(self, state: S, roller: Roller, faces: Mapping[str, Sequence[int]] | None = None) -> Decision:
        """Begin the fight: find who goes first, with dice where the rules ask for them.

        `faces` are those known, first and for ties, by `dice_for`; what is missing comes from the roller.
        """

    @abstractmethod
    def names(self, state: S) -> tuple[tuple[str, str], ...]:
        """Who may do what now: pairs of an id and a name of `acts`."""

    @abstractmethod
    def variants(self, state: S, actor: str, do: str) -> Iterable[Act]:
        """The legal acts of that name, each once; the name is one of `names`."""

    @abstractmethod
    def wrong(self, state: S, act: Act) -> list[Problem]:
        """The rules that an act would break; its ids are those of fighters."""

    @abstractmethod
    def outcome(self, state: S, act: Act) -> tuple[tuple[Event, ...], str]:
        """The events of a legal act, and a sentence."""

    @abstractmethod
    def apply(self, state: S, event: Event) -> S:
        """The state after an event; the one given stays as it is."""

    @abstractmethod
    def fighters(self, state: S) -> tuple[Any, ...]:
        """Everybody, in the order of the file."""

    @abstractmethod
    def active(self, state: S) -> str:
        """Whose turn it is; "" for nobody's."""

    @abstractmethod
    def order(self, state: S) -> tuple[str, ...]:
        """The ids in their order, without those who are out."""

    @abstractmethod
    def dice_for(self, state: S) -> tuple[str, ...]:
        """Whose faces `[initiative]` may hold: ids, or groups."""

    def settle(self, act: Act) -> Act:
        """An act as it was written, with what goes without saying filled in."""
        return act

    # What follows from it

    def legal_actions(self, state: S) -> tuple[Act, ...]:
        """Every legal act once; `facts`, which the table may tell at any time, are not listed."""
        return tuple(act for actor, do in self.names(state) for act in self.variants(state, actor, do))

    def legal_names(self, state: S, actor: str) -> frozenset[str]:
        """The names of one fighter's legal acts."""
        return frozenset(do for who, do in self.names(state) if who == actor)

    def why_not(self, state: S, act: Act) -> tuple[Problem, ...]:
        """Every rule that an act would break now, each with what would be legal; () when it is legal."""
        ids = {each.id for each in self.fighters(state)}
        named = [act.actor, act.target, *(who for who, _ in act.stalkers)]
        if act.do not in self.acts and act.do not in self.facts:
            return (Problem("rounds.do", f"one of {', '.join((*self.acts, *self.facts))}", repr(act.do), "the act"),)
        if not {*named} <= {*ids, ""} or (not act.actor and act.do in (*self.acts, LEAVE)):
            return (Problem("rounds.id", f"ids of {', '.join(sorted(ids))}", ", ".join(named), act.do),)
        return tuple(self.wrong(state, act))

    def decide(self, state: S, act: Act, faces: Roller | Iterable[int] = ()) -> Decision:
        """Carry an act out: its events and a sentence. An illegal one brings no events and names the rules it breaks.

        No act throws dice: faces given raise `ScratchError` (`dice.faces.many`).
        """
        wrong = self.why_not(state, act)
        if wrong:
            first = wrong[0]
            title = self.acts.get(act.do) or self.facts.get(act.do, act.do)
            who = f"{self.name_of(state, act.actor)}: " if act.actor else ""
            rule = f" ({first.rule})" if first.rule else ""
            said = f"{who}{title} not allowed, expected {first.expected}, got {first.got}{rule}."
            return Decision((), (), said, wrong)
        if isinstance(faces, Iterable):
            RecordedFaces(faces).finish()
        events, said = self.outcome(state, act)
        return Decision(events, (), said)

    def replay(self, state: S, events: Iterable[Event]) -> S:
        """Apply events one after the other."""
        for event in events:
            state = self.apply(state, event)
        return state

    def winner(self, state: S) -> str:
        """The only side that has anybody left in the fight, "" while there are several or none."""
        sides = {each.side for each in self.fighters(state) if not each.out}
        return sides.pop() if len(sides) == 1 else ""

    def name_of(self, state: S, fighter_id: str) -> str:
        """What readers see of a fighter."""
        return next((str(each.name) for each in self.fighters(state) if each.id == fighter_id), fighter_id)

    def state_value(self, state: S, key: str) -> Any:
        """What a state path leads to: `round`, `stun.x`."""
        path, _, who = key.partition(".")
        if not who:
            return self.common[path](state) if path in self.common else self.state_paths[path][1](self, state)
        return self.paths[path][1](state, find(self.fighters(state), who))

    @property
    def common(self) -> Mapping[str, Callable[[S], Any]]:
        """The state paths that every system has."""
        return {
            "round": lambda state: state.round,
            "active": self.active,
            "winner": self.winner,
            "order": lambda state: list(self.order(state)),
            "fight": lambda state: state.phase,
        }

    def state_tree(self, state: S) -> dict[str, Any]:
        """Every state path of a state as a tree."""
        tree: dict[str, Any] = {
            path: {who.id: value(state, who) for who in self.fighters(state)} for path, (_, value) in self.paths.items()
        }
        tree |= {path: value(self, state) for path, (_, value) in self.state_paths.items()}
        return {**tree, **{path: value(state) for path, value in self.common.items()}}


def find(fighters: Iterable[F], fighter_id: str) -> F:
    """The fighter of that id; it must be there."""
    for each in fighters:
        if each.id == fighter_id:
            return each
    raise KeyError(fighter_id)


def exchanged(fighters: Iterable[F], changed: F) -> tuple[F, ...]:
    """The fighters with one of them replaced."""
    return tuple(changed if each.id == changed.id else each for each in fighters)


def broken(rule: str, expected: str, got: str, where: str) -> Problem:
    """A rule that an act breaks."""
    return Problem("act.illegal", expected, got, where, rule)


def d20(given: list[int], roller: Roller) -> int:
    """The next face known, or one from the roller. Raises `ScratchError` (`dice.face`) for an impossible one."""
    return throw(RecordedFaces((given.pop(0),)) if given else roller, 20)


def roll_off(
    tied: Sequence[str], given: dict[str, list[int]], roller: Roller, rule: str
) -> tuple[str, dict[str, tuple[int, ...]]]:
    """The one that throws highest with a d20 each, again among those level, and everybody's faces (ruling K25).

    Raises `ScratchError` (`initiative.tie`) when dice never differ.
    """
    thrown: dict[str, tuple[int, ...]] = dict.fromkeys(tied, ())
    for _ in range(TIES_LIMIT):
        faces = {each: d20(given.setdefault(each, []), roller) for each in tied}
        thrown |= {each: (*thrown[each], face) for each, face in faces.items()}
        tied = [each for each in tied if faces[each] == max(faces.values())]
        if len(tied) == 1:
            return tied[0], thrown
    raise ScratchError(Problem("initiative.tie", f"dice that differ within {TIES_LIMIT} throws", "none", "dice", rule))


def opener(
    among: Sequence[str], given: Mapping[str, Sequence[int]] | None, roller: Roller, rule: str
) -> tuple[str, tuple[Thrown, ...]]:
    """Who goes first of several with equal claims, and the dice that settled it, none where there is one alone."""
    if len(among) == 1:
        return among[0], ()
    faces = {each: list((given or {}).get(each, ())) for each in among}
    first, thrown = roll_off(among, faces, roller, rule)
    return first, tuple(Thrown(each, faces) for each, faces in thrown.items())


def in_words(first: str, thrown: Sequence[Thrown], names: Callable[[str], str]) -> str:
    """Who goes first, and the dice that settled it, as a sentence."""
    dice = ", ".join(f"{names(each.who)} {' then '.join(map(str, each.faces))}" for each in thrown)
    return f"The fight begins: {names(first)} goes first{f' by the dice ({dice})' if dice else ''}."


def seated(fighters: Sequence[Fighter], first: str) -> tuple[str, ...]:
    """The ids clockwise from the one that goes first. Rules: `mano.order.seating`, `mano-old.order.seating`."""
    ids = [each.id for each in fighters]
    start = ids.index(first)
    return (*ids[start:], *ids[:start])


def longest(fighters: Sequence[Any]) -> tuple[str, ...]:
    """Whoever has the longest reach. Rules: `mano.start.reach`, `mano-old.initiative.reach`."""
    reach = max(each.reach for each in fighters)
    return tuple(each.id for each in fighters if each.reach == reach)


def next_place(fighters: Sequence[Fighter], order: Sequence[str], place: int, number: int) -> tuple[int, int] | None:
    """The round and place of the next turn after a place, past those who are out; None when nobody is left."""
    out = {each.id for each in fighters if each.out}
    for _ in order:
        place += 1
        if place == len(order):
            number, place = number + 1, 0
        if order[place] not in out:
            return number, place
    return None
