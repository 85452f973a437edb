"""The odds calculator: two characters in; who wins their duel when both play as well as they can, exactly, out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from scratch_core.actions import TITLES
from scratch_core.calculators import form
from scratch_core.calculators.fight.setup import numbered, read_setup
from scratch_core.calculators.query import Query, query_string
from scratch_core.calculators.words import one_line
from scratch_core.cards import CARDS
from scratch_core.cast import CAST, find
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.odds import ESCAPES, ORDERS, TOLERANCE, Bounds, Duel, Escape, Order
from scratch_core.scenario import Scenario, read_tree
from scratch_core.state import SURROUNDINGS

CONTROLS = ("first", "first_sheet", "second", "second_sheet", "here", "begins", "escape")
"""The names of all controls, in the order of the canonical query."""

LINK_LIMIT = 8_000
"""A longer link leaves out the notes and descriptions of the stat blocks: they change nothing."""

MOST_HP = 24
"""As many hit points as anybody may have for a duel to be solved in a page."""
MOST_PIECES = 3_000
"""As many pieces of work as a page does for one duel: a piece is about a third of a millisecond under CPython."""

CERTAIN = 10 * TOLERANCE
"""A chance no further than this from none or from all is said as `never` or `always`."""

NAMES_SHOWN = 24
"""As many signs of a name as the drawing has room for."""

GROUNDS = (
    ("", "As the stat blocks say, else level ground"),
    ("level", "Level ground"),
    ("level,cover", "Level ground with cover"),
    ("level,throwable", "Level ground with things to throw"),
    ("level,cover,throwable", "Level ground with cover and things to throw"),
    ("level,climbable", "Level ground with something to climb"),
    ("open-air", "Open air"),
    ("water", "Water"),
    ("deep-water", "Deep water"),
)
"""The grounds offered, as the words of `SURROUNDINGS` and as a reader's words; a link may have any others of them."""

Share = Literal["first", "nobody", "second"]


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a bar: whose it is, where it begins and how wide it is, in hundredths, and the percentage in words."""

    who: Share
    left: float
    width: float
    percent: str


@dataclass(frozen=True, slots=True)
class Opening:
    """The best first act of whoever begins: its title, what it is done with, its rule, the chance to win it keeps."""

    who: str
    title: str
    tool: str
    rule: str
    percent: str


@dataclass(frozen=True, slots=True)
class Row:
    """One order of turns: its words, the three chances in percent, its bar and the opening act, if there is one."""

    order: Order
    label: str
    short: str
    first: str
    second: str
    nobody: str
    bar: tuple[Slice, ...]
    opening: Opening | None


@dataclass(frozen=True, slots=True)
class Answer:
    """A duel solved: both names, a sentence for each way to begin, and the figures row by row."""

    first: str
    second: str
    sentences: tuple[tuple[Order, str], ...]
    rows: tuple[Row, ...]

    def sentence(self, order: Order) -> str:
        """The answer as somebody would say it."""
        return dict(self.sentences)[order]

    @property
    def words(self) -> str:
        """What the drawing shows."""
        return " ".join(
            f"{row.label}: {self.first} wins {row.first}, {self.second} {row.second}, nobody {row.nobody}."
            for row in self.rows
        )


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template prints; `answer` is None where there is no duel, or where it is `too_large` to be solved."""

    answer: Answer | None = None
    begins: Order = "initiative"
    too_large: str = ""
    cast: tuple[tuple[str, str], ...] = ()
    grounds: tuple[tuple[str, str], ...] = GROUNDS


def view(query: Query, roller: object = None) -> View:
    """Answer a query with two characters; nothing is rolled here, so `roller` is not asked.

    `first` and `second` are of the cast, by id; a stat block in `first_sheet` or `second_sheet` counts instead. `here`
    holds for both, over the stat blocks' own. Never raises. Rules: `turn.order`, `turn.initiative-roll`.
    """
    return _Reading(query).view()


class _Reading(form.Form):
    """One query while it is read: each step notes its problems and goes on."""

    def __init__(self, query: Query) -> None:
        super().__init__(query, {name: query.text(name) for name in CONTROLS})
        self.add_cut("first_sheet")

    def view(self) -> View:
        begins: Order = self.chosen("begins", ORDERS, "initiative")
        escape: Escape = self.chosen("escape", ESCAPES, "draw")
        here = self.here()
        tables = [self.table(which) for which in ("first", "second")]
        answer, too_large = None, ""
        if all(tables) and not self.has_errors:
            answer, too_large = self.answer([table for table in tables if table], here, escape)
        return View(
            query=self.link(tables),
            summary=answer.sentence(begins) if answer else too_large,
            problems=form.few(self.problems, 12, "odds.more"),
            fields=self.fields,
            answer=answer,
            begins=begins,
            too_large=too_large,
            cast=_cast(),
        )

    def chosen(self, control: str, choices: tuple[Any, ...], default: str) -> Any:
        """One of a few words; nothing is the default."""
        text = self.fields[control].strip() or default
        if text not in choices:
            self.add_problem(f"odds.{control}", f"one of {', '.join(choices)}", shown(text), control)
            return default
        return text

    def here(self) -> list[str]:
        words = [each for each in re.split(r"[\s,]+", self.fields["here"].lower()) if each]
        if not set(words) <= set(SURROUNDINGS):
            expected = f"words among {', '.join(SURROUNDINGS)}"
            self.add_problem("odds.here", expected, shown(self.fields["here"]), "here", "move.terrain")
            return []
        return list(dict.fromkeys(words))

    def table(self, which: str) -> dict[str, Any] | None:
        """One of the two as a scenario has a character; None where nobody is named, or with a problem."""
        sheet = self.fields[f"{which}_sheet"]
        try:
            if sheet.strip():
                return read_one(sheet, f"{which}_sheet")
            if self.fields[which].strip():
                return read_one(find(self.fields[which]).block, which)
        except ScratchError as error:
            self.problems += [
                replace(each, where=which if not sheet.strip() else each.where) for each in error.problems
            ]
        return None

    def answer(self, tables: list[dict[str, Any]], here: list[str], escape: Escape) -> tuple[Answer | None, str]:
        tree = duel_tree(tables, [str(each["name"]) for each in tables], here)
        try:
            return _solved(json.dumps(tree), escape)
        except ScratchError as error:
            for problem in error.problems:
                which = "second" if "characters[1]" in problem.where else "first"
                where = f"{which}_sheet" if self.fields[f"{which}_sheet"].strip() else which
                self.problems.append(replace(problem, where=where))
            return None, ""

    def link(self, tables: list[dict[str, Any] | None]) -> str:
        """The query that reopens this answer; a long one has the stat blocks' bare levels."""
        fields = dict(self.fields)
        for which, table in zip(("first", "second"), tables, strict=True):
            if fields[f"{which}_sheet"].strip():
                fields[which] = ""
            if table and fields[f"{which}_sheet"].strip() and len(query_string(fields)) > LINK_LIMIT:
                fields[f"{which}_sheet"] = _bare(table)
        return query_string(fields)


def _cast() -> tuple[tuple[str, str], ...]:
    """Those of the cast who fight alone, as id and name. Rule: `command.minions`."""
    alone = (member for member in CAST if not member.character().minion_of)
    return (("", "Nobody of the cast"), *((member.id, member.name) for member in alone))


def _bare(table: dict[str, Any]) -> str:
    """A stat block without description and notes. Rule: `char.stat-line`."""
    lines = [table["name"]]
    lines += [f"hp: {table['hp']}"] if "hp" in table else []
    lines += [f"here: {', '.join(table['here'])}"] if "here" in table else []
    return "\n".join([*lines, *(f"{level} {ability}" for ability, level in table["abilities"].items())])


# Two characters


def read_one(text: str, where: str) -> dict[str, Any]:
    """The one character of a sheet as a scenario has it. Raises `ScratchError` with every problem, each at `where`.

    Rules: `char.stat-line`, `hp.start`, `command.minions`.
    """
    setup = read_setup(text)
    wrong = [replace(each, where=where) for each in setup.problems if each.severity == "error"]
    if wrong:
        raise ScratchError(*wrong)
    if len(setup.characters) != 1:
        raise ScratchError(Problem("odds.one", "one stat block", str(len(setup.characters)), where))
    minion = [each.got for each in setup.problems if each.code == "command.leader"]
    if minion:
        expected = "somebody who fights alone"
        raise ScratchError(Problem("odds.minion", expected, f"a minion of {minion[0]}", where, "command.minions"))
    return {key: value for key, value in setup.characters[0].items() if key != "at"}


def duel_tree(tables: list[dict[str, Any]], names: list[str], here: list[str]) -> dict[str, Any]:
    """The scenario of two characters against each other: ids, sides and groups are `first` and `second`."""
    characters = [
        {**table, "name": name, "id": own, "side": own, "group": own, **({"here": here} if here else {})}
        for table, name, own in zip(tables, numbered(names, " "), ORDERS, strict=False)
    ]
    return {"format": "scratch-scenario/1", "system": "scratch", "characters": characters, "steps": []}


@lru_cache(maxsize=8)
def _solved(tree: str, escape: Escape) -> tuple[Answer | None, str]:
    """The answer to a duel, or why it is too large for a page. Raises `ScratchError` for what no scenario may have."""
    scenario = read_tree(json.loads(tree))
    assert isinstance(scenario, Scenario)
    first, second = scenario.fighters
    large = next((each for each in scenario.fighters if each.hp > MOST_HP), None)
    if large:
        return None, (
            f"This duel is too large to solve exactly here: {large.name} has {large.hp} hit points, "
            f"and {MOST_HP} are the most."
        )
    duel = Duel(first, second, rulings=scenario.rulings, escape=escape)
    if not _done_within(duel.steps(), MOST_PIECES):
        return None, (
            "This duel is too large to solve exactly here. With fewer hit points or on plainer ground it can be "
            "solved, and the command line solves it as it is."
        )
    return _told(duel), ""


def _done_within(pieces: Iterator[float], most: int) -> bool:
    """Whether a work is done in so many pieces."""
    return all(number < most for number, _ in enumerate(pieces))


# The answer


def _told(duel: Duel) -> Answer:
    names = duel.first.name, duel.second.name
    sentences = tuple((order, _sentence(duel, order)) for order in ORDERS)
    return Answer(*names, sentences, tuple(_row(duel, order) for order in ORDERS))


def _sentence(duel: Duel, order: Order) -> str:
    chances = duel.chances(order)
    one, other = duel.first.name, duel.second.name
    won, lost = how_often(chances.first_wins.low), how_often(chances.second_wins.low)
    rest = chances.nobody.low
    nobody = f"; nobody does {how_often(rest)}" if rest > CERTAIN else ""
    if order == "first":
        return f"{one} wins {won} if it goes first, and {other} {lost}{nobody}."
    if order == "second":
        return f"{other} wins {lost} if it goes first, and {one} {won}{nobody}."
    return f"With initiative rolled, {one} wins {won} and {other} {lost}{nobody}."


_DENOMINATORS = (2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100)
_NEAR = 0.02
"""How far a chance said as a fraction may be from the exact one, which stands below it."""


def how_often(chance: float) -> str:
    """A chance, 0 to 1, as somebody would say it: `about 3 times in 5`."""
    if chance < 0.005:
        return "never" if chance <= CERTAIN else "hardly ever"
    if chance > 0.995:
        return "always" if chance >= 1 - CERTAIN else "nearly always"
    for parts in _DENOMINATORS:
        times = round(chance * parts)
        if 0 < times < parts and abs(times / parts - chance) <= min(_NEAR, chance / 4, (1 - chance) / 4):
            return f"about {times} time{'s' if times > 1 else ''} in {parts}"
    return f"about {round(100 * chance)} times in 100"


def _row(duel: Duel, order: Order) -> Row:
    chances = duel.chances(order)
    one, other = duel.first.name, duel.second.name
    label = {"first": f"{one} goes first", "second": f"{other} goes first", "initiative": "Initiative rolled"}[order]
    short = {"first": one, "second": other, "initiative": ""}[order]
    first, second, nobody = (_percent(each) for each in (chances.first_wins, chances.second_wins, chances.nobody))
    drawn = f"{one_line(short, NAMES_SHOWN)} goes first" if short else label
    bar = _bar(chances.first_wins.low, chances.nobody.low)
    return Row(
        order, label, drawn, first, second, nobody, bar, None if order == "initiative" else _opening(duel, order)
    )


def _bar(first: float, nobody: float) -> tuple[Slice, ...]:
    """The three parts of a bar from left to right; those of nothing are left out."""
    left, middle = round(100 * first, 2), round(100 * (first + nobody), 2)
    parts: tuple[tuple[Share, float, float], ...] = (
        ("first", 0.0, left),
        ("nobody", left, middle),
        ("second", middle, 100.0),
    )
    return tuple(
        Slice(who, start, round(end - start, 2), f"{round(end - start)} %") for who, start, end in parts if end > start
    )


def _opening(duel: Duel, order: Literal["first", "second"]) -> Opening | None:
    choice = duel.opening(order)
    if choice is None or choice.action is None:
        return None
    do, used = choice.action.do, choice.action.step().get("with")
    names = [*used] if isinstance(used, (list, tuple)) else [used]
    tool = " and ".join(str(each) for each in names if each not in (None, "none"))
    who = duel.first.name if order == "first" else duel.second.name
    return Opening(who, TITLES[do], tool, CARDS[do].rule, f"{100 * choice.value:.1f} %")


def _percent(bounds: Bounds) -> str:
    return f"{100 * bounds.low:.1f} %"
