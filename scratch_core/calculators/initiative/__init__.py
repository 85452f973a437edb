"""The initiative calculator: who takes part and by which order; the dice, the order and why out.

Read in this order: `order` (the lines as they are typed, the engine's order in rows), and the view here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from scratch_core.calculators import form
from scratch_core.calculators.choosing import Choosing, choosing_of
from scratch_core.calculators.form import read_initiative, slug
from scratch_core.calculators.initiative.order import Order, Start, counted, find_order, groups_of, read_people
from scratch_core.calculators.people import People
from scratch_core.calculators.people.lines import head_fields, read_head
from scratch_core.calculators.query import Query, query_string
from scratch_core.catalogue import SWITCHES
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.scenario import SYSTEMS as ORDERS
from scratch_core.scenario import NoDice

SYSTEMS: Mapping[str, str] = {name: order.short for name, order in ORDERS.items()}
"""The orders' titles by the name that the query gives them."""

RULINGS: Mapping[str, tuple[str, ...]] = {
    **{name: order.switches for name, order in ORDERS.items()},
    "scratch": ("detection_multiplier",),
}
"""The switches that matter to an order, each a control."""

CONTROLS = ("system", "who", "first", "ambush", "detection_multiplier", "seize_on_total", "faces")
"""The names of all controls, in the order of the canonical query."""

MOST_PROBLEMS = 12
SUMMARY_LIMIT = 300


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template prints.

    `order` is None while something is wrong or a die has not fallen yet; `is_waiting` says that it is the dice.
    `unused` are the words given that this order doesn't use; `others` are the same people, and the same faces, in the
    other orders: a title and a query each.
    """

    system: str
    order: Order | None = None
    is_waiting: bool = False
    unused: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()
    systems: tuple[tuple[str, str], ...] = tuple(SYSTEMS.items())

    @property
    def title(self) -> str:
        """The order's name."""
        return SYSTEMS[self.system]

    @property
    def used(self) -> tuple[str, ...]:
        """The controls that count; what stands in the others is kept for when it counts again."""
        asked = (_control(field.key) for field in head_fields(ORDERS[self.system]))
        return ("system", "who", *asked, *RULINGS[self.system], "faces")

    @property
    def choosings(self) -> tuple[Choosing, ...]:
        """The rulings that matter here."""
        return tuple(choosing_of(each, each.why) for each in SWITCHES if each.name in RULINGS[self.system])


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query: `system`, `who` (a line each), `first`, `ambush`, `faces` (`ash 12, birch 17 4`) and rulings.

    Faces given are used, what is missing is thrown if there is a roller; without one the faces in `example` will do.
    Never raises; each problem names its control. Rules: `turn.initiative-roll`, `mano.start.first`,
    `mano-old.initiative.reach`, `seize.roll`.
    """
    return _Answering(query, roller).view()


class _Answering(form.Form):
    """One query while it is answered: each step notes its problems and goes on."""

    def __init__(self, query: Query, roller: Roller | None) -> None:
        super().__init__(query, {name: query.text(name) for name in CONTROLS})
        self.roller = roller
        self.add_cut("who")

    def view(self) -> View:
        system = self.system()
        order = ORDERS[system]
        people = read_people(self.fields["who"], order)
        self.problems += people.problems
        start = self.start(people, system)
        if not people.characters or self.has_errors:
            return self.finished(system, people)
        try:
            return self.finished(system, people, find_order(people, order, start, self.roller or NoDice()))
        except ScratchError as error:
            if error.code == "fight.dice":
                return self.finished(system, people, is_waiting=True)
            self.problems += [_placed(each) for each in error.problems]
            return self.finished(system, people)

    def system(self) -> str:
        typed = self.fields["system"].strip().lower()
        if typed in SYSTEMS:
            return typed
        if typed:
            self.add_problem("initiative.system", f"one of {', '.join(SYSTEMS)}", shown(typed), "system")
        return "scratch"

    def start(self, people: People, system: str) -> Start:
        """What is known before the dice; only the controls that count are read."""
        given = {field.key: self.fields[_control(field.key)] for field in head_fields(ORDERS[system])}
        head, steps, problems = read_head(ORDERS[system], given, people.names)
        self.problems += [replace(each, where=_control(each.where)) for each in problems]
        return Start(head, steps, self.settings(RULINGS[system]), self.faces(people, system))

    def faces(self, people: People, system: str) -> dict[str, list[int]]:
        """The faces given; while nobody asks for a roll, those of a worked example will do."""
        text = self.fields["faces"]
        if not text.strip() and self.roller is None:
            text = self.query.text("example")
        groups = groups_of(people, ORDERS[system])
        names = {
            **{name: groups[who] for name, who in people.names.items()},
            **{slug(each): each for each in groups.values()},
        }
        found, problems = read_initiative(text, names)
        is_scratch = system == "scratch"
        self.problems += [replace(each, where="faces", rule=each.rule if is_scratch else None) for each in problems]
        return found

    def finished(self, system: str, people: People, order: Order | None = None, is_waiting: bool = False) -> View:
        fields = {name: text.strip() for name, text in self.fields.items()}
        fields["system"] = _typed(fields["system"])
        keys = [field.key for field in counted(ORDERS[system])]
        unused = dict.fromkeys(key for each in people.characters for key in each if key not in ("id", "name", *keys))
        if order is not None and order.faces:
            fields["faces"] = _written(order.faces)
        return View(
            query_string(fields),
            "" if order is None else _summary(system, order),
            tuple(_printable(each) for each in self.problems[:MOST_PROBLEMS]),
            self.fields,
            system,
            order,
            is_waiting,
            tuple(unused),
            () if order is None else _others(system, fields),
        )


def _control(key: str) -> str:
    """The control in which a field of the beginning is typed."""
    return "first" if key == "first" else "ambush"


def _typed(system: str) -> str:
    """An order's name as the query has it: Scratch's own needs none."""
    return "" if system == "scratch" else system


def _written(faces: Mapping[str, tuple[int, ...]]) -> str:
    """Faces as `read_initiative` reads them: `ash 12, birch 17 4`."""
    return ", ".join(f"{slug(who) or who} {' '.join(map(str, thrown))}" for who, thrown in faces.items())


def _others(system: str, fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The other orders, a title and a query each, for the same people and faces."""
    faces = _bare(fields["faces"])
    return tuple(
        (title, query_string({**fields, "system": _typed(name), "faces": faces}))
        for name, title in SYSTEMS.items()
        if name != system
    )


def _bare(faces: str) -> str:
    """Faces without those of ties, which mean something else in another order."""
    return re.sub(r"([a-z0-9-]+ \d+)( \d+)+", r"\1", faces)


def _placed(problem: Problem) -> Problem:
    """A problem of the engine at the control that it comes from."""
    if problem.code == "act.illegal" or problem.where.startswith(("ambush", "steps")):
        return replace(problem, where="ambush")
    return replace(problem, where="faces" if problem.code.startswith("initiative.") else "who")


def _printable(problem: Problem) -> Problem:
    """A problem whose words can be printed: names come into them as they were typed."""
    expected, got = (
        "".join(sign if sign.isprintable() else " " for sign in words) for words in (problem.expected, problem.got)
    )
    return replace(problem, expected=expected, got=got)


def _summary(system: str, order: Order) -> str:
    if not order.rows:
        return order.after.words
    places = [f"{each.name}{f' {each.figure.value}' if each.figure else ''}" for each in order.rows]
    said = f"{SYSTEMS[system]}: {', '.join(places)}."
    return said if len(said) <= SUMMARY_LIMIT else said[: SUMMARY_LIMIT - 1] + "…"


__all__ = ["CONTROLS", "SYSTEMS", "Order", "View", "view"]
