"""The replay of a fight by another turn order: the same keys and log, its own moment, question and changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.initiative.order import Order, Start, begun_order
from scratch_core.calculators.query import Query
from scratch_core.calculators.replay.changes import Changes, listed
from scratch_core.calculators.replay.log import names_of, step_came
from scratch_core.calculators.replay.orders_changes import (
    ORDER_KEYS,
    change_order_step,
    needed_values,
    offered_step,
    typed_fields,
)
from scratch_core.calculators.replay.orders_showing import Card, cards
from scratch_core.calculators.replay.reading import Reading, Taken
from scratch_core.calculators.replay.shown import CONTROLS as BASIC_CONTROLS
from scratch_core.calculators.replay.shown import Edit, Line, StepShown, Told, View
from scratch_core.calculators.replay.stories import Failed, Language, PageDice, Story
from scratch_core.calculators.replay.telling import (
    MOST_GROUPS,
    Place,
    forks,
    group_control,
    lines_at,
    summary,
    telling,
    told,
)
from scratch_core.catalogue import SWITCHES, Rulings, Switch
from scratch_core.errors import ScratchError
from scratch_core.rounds import SYSTEMS, Field, Rounds
from scratch_core.rounds.mano import AMBUSH
from scratch_core.scenario import SHIPPED, Played, Record
from scratch_core.turns import Due

ON_TOTAL: Switch = next(switch for switch in SWITCHES if switch.name == "seize_on_total")
"""The one ruling that concerns these systems, and of them only `seize`."""

CONTROLS = ("scenario", ON_TOTAL.name, "fork", "dice", "step")
"""The names of all controls, in the order of the canonical query."""


# What the template prints


@dataclass(frozen=True, slots=True)
class Throw:
    """The faces of somebody, or of a group, and the field that changes them."""

    who: str
    control: str
    faces: str


@dataclass(frozen=True, slots=True)
class EditField:
    """A field of the step shown: its key, its label, what stands in it, and what can be chosen (() for a text)."""

    key: str
    label: str
    typed: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderEdit(Edit):
    """The fields of the step shown, named with its label."""

    fields: tuple[EditField, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderAnswer(Told):
    """The moment after a step; `order` is how the fight begins, where the step shows that."""

    system: str
    round: int
    active: str
    winner: str
    is_over: bool
    cards: tuple[Card, ...]
    question: Due | None
    order: Order | None
    throws: tuple[Throw, ...]
    now: StepShown | None
    beside: StepShown | None


@dataclass(frozen=True, slots=True)
class OrderView(View):
    """Everything the template prints of another turn order; `answer` is None, and `order` in its place.

    `switch` is the ruling that can be changed, None where none matters.
    """

    order: OrderAnswer | None = None
    switch: Switch | None = None


# Reading the query


class OrderReading(Reading):
    """One query of a replay by another turn order."""

    language = Language(ORDER_KEYS, change_order_step, tells_beginnings=True)
    switches = (ON_TOTAL,)

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        for name in BASIC_CONTROLS:  # a file that can't be read is answered with every control
            self.fields.setdefault(name, query.text(name).strip())

    def view(self) -> View:
        """Answer the query. Rules: `mano.turn.options`, `mano-old.phases`, `seize.choose-next`."""
        place = self.shown_place()
        answer = _answer(place) if place else None
        is_seize = place is not None and place.story.played.system.name == "seize"
        return OrderView(
            query=self.canonical,
            summary=summary(answer, answer.now if answer else None),
            problems=tuple(self.problems),
            fields=self.fields,
            is_shipped=self.text in SHIPPED.values(),
            way="",
            dice=self.dice,
            rulings=place.story.played.scenario.rulings if place else Rulings(),
            answer=None,
            order=answer,
            switch=ON_TOTAL if is_seize else None,
        )

    def rulings(self, story: Story | Failed) -> tuple[tuple[str, str], ...]:
        """The reading of a 20 asked for, where it matters. Ruling S01."""
        given = self.rulings_typed()
        is_seize = isinstance(story, Story) and story.played.system.name == "seize"
        return tuple(given.items()) if is_seize else ()

    def thrown_fields(self, original: Story, story: Story) -> Taken:
        """The dice of the beginning."""
        own = {each.who: each.faces for each in _throws(original)}
        for each in _throws(story):
            typed = self.typed(each.control, each.faces) if each.control else each.faces
            yield ("0", each.who), typed, each.faces, own.get(each.who, "")

    def step_fields(self, label: str, original: Story, story: Story) -> Taken:
        """The fields of a step."""
        ours, theirs, typed = self.three(label, original, story)
        for key, value in typed.items():
            yield (label, key), value, ours[key], theirs.get(key, "")

    def three(self, label: str, original: Story, story: Story) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
        """A step's fields as they are, as the file has them, and as they are typed."""
        system = _rounds(story.played)
        ours = typed_fields(system, story.played.records[story.labels.index(label)].action)
        theirs = typed_fields(system, original.played.records[int(label) - 1].action) if label.isdigit() else {}
        typed = {key: self.typed(f"{key}_{label}", now) for key, now in ours.items()}
        return ours, theirs, {**typed, "do": typed["do"] or ours["do"]}

    def taken(self, label: str, original: Story, story: Story, changes: Changes) -> dict[tuple[str, str], str]:
        """The changes with a step's fields taken over; a new act comes with what it can't do without."""
        made = super().taken(label, original, story, changes)
        if label not in story.labels or self.has_problem("fork"):
            return made
        system = _rounds(story.played)
        ours, theirs, typed = self.three(label, original, story)
        if typed["do"] == ours["do"] or typed["do"] not in system.steps:
            return made
        keys = ("actor", "do", *(field.key for field in system.steps[typed["do"]]))
        made = {(at, key): value for (at, key), value in made.items() if at != label or key in keys}
        if typed["do"] == theirs.get("do"):  # as in the file again, and with what it has there
            return made
        return {**made, **_needed(story, label, typed)}


def _needed(story: Story, label: str, typed: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """The changes that give a step with a new act what that can't do without, where nothing is typed for it."""
    state = story.played.states[story.labels.index(label)]
    needed = needed_values(_rounds(story.played), state, typed["actor"], typed["do"])
    return {(label, key): value for key, value in needed.items() if not typed.get(key)}


def _rounds(played: Played) -> Rounds[Any]:
    """The order of turns, as one of these."""
    return SYSTEMS[played.system.name]


# The answer


def _answer(place: Place) -> OrderAnswer:
    played, state, record = place.story.played, place.state, place.record
    system = played.system
    begins = 0 if played.states[0].phase != "before" else 1
    has_sides = len({each.side for each in system.fighters(state)}) > 1
    return telling(
        OrderAnswer,
        _common(place),
        system=system.title,
        round=state.round if state.phase != "before" else 0,
        active=system.name_of(state, system.active(state)) if state.phase == "running" else "",
        winner=system.winner(state) if has_sides else "",
        is_over=state.phase == "over",
        cards=cards(system, state, place.before, place.beside),
        question=_question(place),
        order=_order(played) if place.step == begins else None,
        throws=_throws(place.story),
        now=step_came(record, names_of(record)) if record else None,
        beside=step_came(place.own, names_of(place.own)) if place.own else None,
    )


def _common(place: Place) -> Told:
    """What every answer tells, without a note that may not hold in a fork."""
    common = told(place, _edit(place), _lines(place))
    return replace(common, note="") if place.first and place.step >= place.first else common


def _question(place: Place) -> Due | None:
    """What is asked at this moment, None where nothing is."""
    due = place.story.played.system.due(place.state)
    return due if due and due.sentence else None


def _lines(place: Place) -> tuple[Line, ...]:
    """The lines with the rounds in which their steps are taken: a step may end one, and only `turn` begins its own."""
    played = place.story.played
    number, made = 0, list[Line]()
    for line in lines_at(place):
        if not line.n:
            made.append(line)
            continue
        do = played.records[line.n - 1].do
        own = played.states[line.n if do in ("turn", AMBUSH) else line.n - 1].round
        made.append(replace(line, round=own if own != number else 0))
        number = own
    return tuple(made)


def _is_ambush(played: Played) -> bool:
    """Whether the first step may tell of an ambush."""
    return bool(played.records) and played.records[0].legal and not played.records[0].is_hand


def _order(played: Played) -> Order | None:
    """How the fight begins, with its reasons. Rules: `mano.start.first`, `mano-old.initiative.reach`, `seize.roll`."""
    ambush = played.records[0].action.stalkers if _is_ambush(played) else ()
    faces = {each.who: each.faces for each in played.beginning.rolls}
    try:
        return begun_order(played.scenario, Start((), ambush, {}, faces), PageDice(0))
    except ScratchError:
        return None


def _throws(story: Story) -> tuple[Throw, ...]:
    """The dice of the beginning. A name that a fork's text could not hold has no field."""
    return tuple(
        Throw(each.who, group_control(n, each.who) if n <= MOST_GROUPS else "", listed(each.faces))
        for n, each in enumerate(story.played.beginning.rolls, 1)
    )


def _edit(place: Place) -> OrderEdit:
    system = _rounds(place.story.played)
    here, there = offered_step(system, place.before), offered_step(system, place.state)
    fields = _edit_fields(place.record, place.story.played) if place.record else ()
    return OrderEdit(**forks(place, tuple(here.items()), tuple(there.items())), fields=fields)


_LABELS = {"actor": "Who", "do": "Act", "move": "Moves first", "take": "Made ready", "from": "Out of", "use": "For"}


def _edit_fields(record: Record, played: Played) -> tuple[EditField, ...]:
    if record.is_hand:
        return ()
    system = _rounds(played)
    people = tuple((each.id, each.name) for each in system.fighters(record.state))
    acts = tuple((do, words[:1].upper() + words[1:]) for do, words in (*system.acts.items(), *system.facts.items()))
    fields = {field.key: field for field in system.steps[record.do]}
    choices: dict[str, tuple[tuple[str, str], ...]] = {
        "actor": people if record.do in system.acts else (("", "the table"), *people),
        "do": acts,
        **{key: _choices(field, people) for key, field in fields.items()},
    }
    return tuple(
        EditField(key, _LABELS.get(key, key.capitalize()), typed, choices[key])
        for key, typed in typed_fields(system, record.action).items()
    )


def _choices(field: Field, people: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    if field.kind == "flag":
        return (("false", "no"), ("true", "yes"))
    none = (("", "none"),) if field.default == "" else ()
    if field.kind == "id":
        return (*none, *people)
    return (*none, *((each, each) for each in field.choices)) if field.kind == "choice" else ()
