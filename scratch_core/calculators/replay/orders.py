"""The replay of a fight by another turn order: the same keys and log, its own moment, question and changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from scratch_core.calculators.initiative.order import Order
from scratch_core.calculators.query import Query
from scratch_core.calculators.replay.answering import MOST_GROUPS, group_control
from scratch_core.calculators.replay.changes import (
    TEXT_LIMIT,
    Changes,
    deleted,
    file_step,
    inserted,
    listed,
    read_changes,
    without_step,
    write_changes,
)
from scratch_core.calculators.replay.log import (
    LONGEST_SAID,
    differ,
    expected_number,
    log_lines,
    names_of,
    step_came,
    window,
)
from scratch_core.calculators.replay.orders_changes import (
    ORDER_KEYS,
    needed_values,
    offered_step,
    typed_fields,
)
from scratch_core.calculators.replay.orders_showing import Card, cards
from scratch_core.calculators.replay.orders_stories import ON_TOTAL, OrderStory, forked_order, original_order
from scratch_core.calculators.replay.reading import Reading, by_step, plain_words, quoted
from scratch_core.calculators.replay.shown import Line, StepShown, View
from scratch_core.calculators.words import one_line
from scratch_core.catalogue import Rulings, Switch, setting_words
from scratch_core.errors import ScratchError
from scratch_core.rounds import Field, Rounds, State
from scratch_core.scenario import SHIPPED, OrderPlayed, OrderRecord
from scratch_core.scenario.orders.playing import BEFORE
from scratch_core.scenario.orders.reading import system_of
from scratch_core.scenario.text import read_text
from scratch_core.turns import Due

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


@dataclass(frozen=True, slots=True)
class OrderEdit:
    """The fields of the step shown, named with its label; the forks as in the replay of the basic rules."""

    label: str
    fields: tuple[EditField, ...]
    take: str
    drop: str
    is_changed: bool
    is_new: bool
    before: str
    after: str
    delete: str


@dataclass(frozen=True, slots=True)
class OrderAnswer:
    """The moment after a step, and the log around it; `order` is how the fight begins, where the step shows that."""

    title: str
    system: str
    step: int
    last: int
    round: int
    active: str
    winner: str
    is_over: bool
    note: str
    cards: tuple[Card, ...]
    question: Due | None
    order: Order | None
    throws: tuple[Throw, ...]
    now: StepShown | None
    beside: StepShown | None
    unmet: tuple[str, ...]
    log: tuple[Line, ...]
    log_from: int
    log_to: int
    is_fork: bool
    labels: tuple[str, str]
    first_difference: int | None
    edit: OrderEdit
    is_thrown: bool
    file_name: str
    file_text: str
    made_text: str


@dataclass(frozen=True, slots=True)
class OrderView(View):
    """Everything the template prints of another turn order; `answer` is None, and `order` in its place.

    `switch` is the ruling that can be changed, None where none matters.
    """

    order: OrderAnswer | None = None
    switch: Switch | None = None


# Reading the query


def order_view(query: Query, text: str) -> View | None:
    """Answer a query whose scenario plays by another turn order; None when it does not. Never raises.

    Rules: `mano.turn.options`, `mano-old.phases`, `seize.choose-next`.
    """
    try:
        if system_of(read_text(text)[0]) is None:
            return None
    except ScratchError:
        return None
    return _OrderReading(query).ordered(text)


class _OrderReading(Reading):
    """One query while it is read."""

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self.fields[ON_TOTAL.name] = query.text(ON_TOTAL.name).strip()

    def ordered(self, text: str) -> OrderView:
        dice, setting = self.number("dice", 0), self.setting()
        original = original_order(text, dice)
        answer, rulings, switch = None, Rulings(), None
        if isinstance(original, tuple):
            self.note(original, "scenario")
        else:
            self.note(original.played.problems, "scenario")
            setting = setting if original.played.scenario.system.name == "seize" else ""
            switch = ON_TOTAL if original.played.scenario.system.name == "seize" else None
            rulings, answer = self.order_answer(text, dice, original, setting)
            self.fields["step"] = str(answer.step)
        return OrderView(
            query="&".join(
                f"{name}={(quoted if name == 'scenario' else quote)(self.fields[name])}"
                for name in CONTROLS
                if self.fields[name] and (name == "scenario" or len(self.fields[name]) <= TEXT_LIMIT)
            ),
            summary=_summary(answer),
            problems=tuple(self.problems),
            fields=self.fields,
            is_shipped=text in SHIPPED.values(),
            way="",
            dice=dice,
            rulings=rulings,
            answer=None,
            order=answer,
            switch=switch,
        )

    def setting(self) -> str:
        """The reading of a 20 asked for, "" where the file's own stands. Ruling S01."""
        text = self.fields[ON_TOTAL.name]
        if not text:
            return ""
        try:
            return setting_words(getattr(Rulings.read({ON_TOTAL.name: text}), ON_TOTAL.name))
        except ScratchError as error:
            self.note(error.problems, ON_TOTAL.name, is_placed=False)
            return ""

    def order_answer(self, text: str, dice: int, original: OrderStory, setting: str) -> tuple[Rulings, OrderAnswer]:
        """The story to show and its moment; a fork that can't be told is left out, and its problems are noted."""
        changes, taken = self.order_changes()
        story = self.order_fork(text, dice, original, setting, changes)
        if taken is not None:
            changes = self.order_taken(taken, original, story, changes)
            story = self.order_fork(text, dice, original, setting, changes)
        if not self.has_problem("fork"):
            self.fields["fork"] = write_changes(changes)
        step = self.step(len(story.played.records))
        return story.played.scenario.rulings, _answer(text, original, story, changes, step)

    def order_changes(self) -> tuple[dict[tuple[str, str], str], str | None]:
        try:
            return read_changes(self.fields["fork"], ORDER_KEYS)
        except ScratchError as error:
            self.note(error.problems, "fork")
            return {}, None

    def order_fork(self, text: str, dice: int, original: OrderStory, setting: str, changes: Changes) -> OrderStory:
        if not setting and not changes:
            return original
        made = forked_order(text, dice, setting, write_changes(changes))
        if isinstance(made, tuple):
            self.note(by_step(made), "fork")
            return original
        known = {problem.where for problem in original.played.problems}
        self.note(by_step([each for each in made.played.problems if each.where not in known]), "fork")
        return made

    def order_taken(
        self, label: str, original: OrderStory, story: OrderStory, changes: Changes
    ) -> dict[tuple[str, str], str]:
        """The changes with the fields of a step taken over, where they differ from what the story has."""
        if self.has_problem("fork") or label not in ("0", *story.labels):
            return dict(changes)
        if label == "0":
            return self.throws_taken(original, story, changes)
        made = dict(changes)
        system = story.played.scenario.system
        place = story.labels.index(label)
        ours = typed_fields(system, story.played.records[place].action)
        theirs = typed_fields(system, original.played.records[int(label) - 1].action) if label.isdigit() else {}
        typed = {key: self.typed(f"{key}_{label}", now) for key, now in ours.items()}
        typed["do"] = typed["do"] or ours["do"]
        for key, value in typed.items():
            if plain_words(value) == plain_words(ours[key]):
                continue
            made.pop((label, key), None)
            if plain_words(value) != plain_words(theirs.get(key, "")):
                made[label, key] = value
        if typed["do"] == ours["do"] or typed["do"] not in system.steps:
            return made
        keys = ("actor", "do", *(field.key for field in system.steps[typed["do"]]))
        made = {(at, key): value for (at, key), value in made.items() if at != label or key in keys}
        needed = needed_values(system, story.played.states[place], typed["actor"], typed["do"])
        missing = {(label, key): value for key, value in needed.items() if not typed.get(key)}
        if typed["do"] == theirs.get("do"):  # as in the file again, and with what it has there
            missing = {}
        return {**made, **missing}

    def typed(self, control: str, now: str) -> str:
        """What stands in a field, on one line and without what parts changes; as it is where there is no field."""
        if control not in self.query:
            return now
        return " ".join(self.query.text(control).replace(";", " ").split())

    def throws_taken(self, original: OrderStory, story: OrderStory, changes: Changes) -> dict[tuple[str, str], str]:
        made = dict(changes)
        own = {each.who: each.faces for each in _throws(original)}
        for each in _throws(story):
            typed = self.typed(each.control, each.faces) if each.control else each.faces
            if plain_words(typed) == plain_words(each.faces):
                continue
            made.pop(("0", each.who), None)
            if plain_words(typed) != plain_words(own.get(each.who, "")):
                made["0", each.who] = typed
        return made


# The answer


def _answer(text: str, original: OrderStory, story: OrderStory, changes: Changes, step: int) -> OrderAnswer:
    played, own = story.played, original.played
    system = played.scenario.system
    is_fork = story is not original and (bool(changes) or played.scenario.rulings != own.scenario.rulings)
    state, before = played.states[step], played.states[max(0, step - 1)]
    label = story.labels[step - 1] if step else "0"
    beside = own.states[file_step(label)] if is_fork else None
    record = played.records[step - 1] if step else None
    own_record = own.records[int(label) - 1] if step and is_fork and label.isdigit() else None
    begins = 0 if played.states[0].phase != "before" else 1
    first = story.first if is_fork else None
    low, high = window(step, len(played.records))
    winner = system.winner(state) if len({each.side for each in system.fighters(state)}) > 1 else ""
    return OrderAnswer(
        title=one_line(played.scenario.title, LONGEST_SAID),
        system=system.title,
        step=step,
        last=len(played.records),
        round=state.round if state.phase != "before" else 0,
        active=system.name_of(state, system.active(state)) if state.phase == "running" else "",
        winner=winner,
        is_over=state.phase == "over",
        note=record.step.note
        if record and not (first and step >= first)
        else "",  # what it tells may not hold in a fork
        cards=cards(system, state, before, beside),
        question=_question(system, state),
        order=story.order if step == begins else None,
        throws=_throws(story),
        now=_shown(record) if record else None,
        beside=_shown(own_record) if own_record and record and differ(own_record, record) else None,
        unmet=()
        if is_fork
        else tuple(each.message for each in played.differences if each.n in (step, expected_number(step, played))),
        log=_rounds(played, log_lines(low, high, story, own if is_fork else None, first, changes)),
        log_from=low,
        log_to=high,
        is_fork=is_fork,
        labels=("with your changes", "in the file"),
        first_difference=first,
        edit=_edit(label, record, story, changes, step),
        is_thrown=original.is_thrown or story.is_thrown,
        file_name=f"scenario.{'json' if text.lstrip()[:1] == '{' else 'toml'}",
        file_text=text,
        made_text=story.text if is_fork or story.is_thrown else "",
    )


def _question(system: Rounds[Any], state: State) -> Due | None:
    """What is asked at this moment, None where nothing is."""
    due = system.due(state)
    return due if due and due.sentence else None


def _rounds(played: OrderPlayed, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines with the rounds in which their steps are taken: a step may end one, and only `turn` begins its own."""
    told, made = 0, list[Line]()
    for line in lines:
        if line.n:
            do = played.records[line.n - 1].do
            number = played.states[line.n if do in ("turn", BEFORE) else line.n - 1].round
            made.append(replace(line, round=number if number != told else 0))
            told = number
        else:
            made.append(line)
    return tuple(made)


def _shown(record: OrderRecord) -> StepShown:
    return step_came(record, names_of(record))


def _throws(story: OrderStory) -> tuple[Throw, ...]:
    """The dice of the beginning. A name that a fork's text could not hold has no field."""
    return tuple(
        Throw(each.who, group_control(n, each.who) if n <= MOST_GROUPS else "", listed(each.faces))
        for n, each in enumerate(story.played.rolls, 1)
    )


def _edit(label: str, record: OrderRecord | None, story: OrderStory, changes: Changes, step: int) -> OrderEdit:
    written = write_changes(changes)
    played = story.played
    system = played.scenario.system
    place = story.labels.index(label) if record else 0
    here, there = offered_step(system, played.states[max(0, step - 1)]), offered_step(system, played.states[step])
    before = inserted(changes, story.labels[place - 1] if place else "0", "", here) if record else None
    after = inserted(changes, label, "", there)
    return OrderEdit(
        label=label,
        fields=_edit_fields(record, played) if record else (),
        take=f"{written}; {label}.*" if written else f"{label}.*",
        drop=write_changes(without_step(changes, label)),
        is_changed=any(at == label for at, _ in changes),
        is_new=not label.isdigit(),
        before=write_changes(before) if before else "",
        after=write_changes(after) if after else "",
        delete=write_changes(deleted(changes, label)) if record else "",
    )


_LABELS = {"actor": "Who", "do": "Act", "move": "Moves first", "take": "Made ready", "from": "Out of", "use": "For"}


def _edit_fields(record: OrderRecord, played: OrderPlayed) -> tuple[EditField, ...]:
    system = played.scenario.system
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


def _summary(answer: OrderAnswer | None) -> str:
    if answer is None:
        return ""
    if answer.now is None:
        return one_line(f"Before the first of {answer.last} steps.", LONGEST_SAID)
    return one_line(f"Step {answer.step} of {answer.last}: {answer.now.say}", LONGEST_SAID)
