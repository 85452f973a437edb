"""The odds calculator's query: two characters, the ground, who begins; and the view that answers it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators import form
from scratch_core.calculators.fight.setup import numbered, read_setup
from scratch_core.calculators.odds.attacks import Attack
from scratch_core.calculators.odds.levels import Build, Which, build, raised, read_change, with_level
from scratch_core.calculators.odds.telling import Answer
from scratch_core.calculators.odds.working import Found, chance_of, known_of
from scratch_core.calculators.query import Query, query_string
from scratch_core.calculators.slices import GoOn, to_the_end
from scratch_core.cast import CAST, find
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.odds import ESCAPES, ORDERS, Escape, Order
from scratch_core.state import SURROUNDINGS

CONTROLS = ("first", "first_sheet", "second", "second_sheet", "here", "begins", "escape", "worth", "everybody")
"""The names of all controls, in the order of the canonical query."""

LINK_LIMIT = 8_000
"""A longer link leaves out the notes and descriptions of the stat blocks: they change nothing."""

MOST_HP = 24
"""As many hit points as anybody may have for a duel to be solved in a page."""
MOST_PIECES = 3_000
"""As many pieces of work as a page does for one duel: a piece is about a third of a millisecond under CPython."""

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


@dataclass(frozen=True, slots=True)
class Against:
    """Somebody of the cast, and the chance of the first one to win against it in percent, "" while it isn't known."""

    id: str
    name: str
    chance: str


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template prints; `answer` is None where there is no duel, or where it is `too_large` to be solved.

    `unfinished` says that there is more to come for whoever asks the same again. `fresh` names the controls that the
    answer has set.
    """

    answer: Answer | None = None
    begins: Order = "initiative"
    too_large: str = ""
    cast: tuple[tuple[str, str], ...] = ()
    grounds: tuple[tuple[str, str], ...] = GROUNDS
    attacks: tuple[Attack, ...] = ()
    builds: tuple[Build, ...] = ()
    everybody: tuple[Against, ...] = ()
    unfinished: bool = False
    fresh: tuple[str, ...] = ()


def view(query: Query, roller: object = None, go_on: GoOn = to_the_end) -> View:
    """Answer a query with two characters; nothing is rolled here, so `roller` is not asked.

    `first` and `second` are of the cast, by id; a stat block in `first_sheet` or `second_sheet` counts instead. `here`
    holds for both, over the stat blocks' own. `change` is a button's, `first shooting 3`; `worth` asks what one more
    level of each ability is worth, `everybody` what the first one's chances are against all of the cast. Never raises.
    Rules: `turn.order`, `turn.initiative-roll`.
    """
    return _Reading(query, go_on).view()


class _Reading(form.Form):
    """One query while it is read: each step notes its problems and goes on."""

    def __init__(self, query: Query, go_on: GoOn) -> None:
        super().__init__(query, {name: query.text(name) for name in CONTROLS})
        self.add_cut("first_sheet")
        self.go_on = go_on
        self.fresh: tuple[str, ...] = ()
        self.unfinished = False

    def view(self) -> View:
        begins: Order = self.chosen("begins", ORDERS, "initiative")
        escape: Escape = self.chosen("escape", ESCAPES, "draw")
        here = self.here()
        tables = [self.table(which) for which in ("first", "second")]
        self.change(tables)
        both = [table for table in tables if table]
        found = self.found(both, here, escape) if len(both) == 2 and not self.has_errors else None
        answer = found.answer if found else None
        return View(
            query=self.link(tables),
            summary=self.summary(found, begins),
            problems=form.few(self.problems, 12, "odds.more"),
            fields=self.fields,
            answer=answer,
            begins=begins,
            too_large=found.too_large if found else "",
            cast=_cast(),
            attacks=found.attacks if found else (),
            builds=self.builds(both, here, escape, begins, found) if found and answer else (),
            everybody=self.everybody(tables[0], here, escape, begins),
            unfinished=self.unfinished,
            fresh=self.fresh,
        )

    @staticmethod
    def summary(found: Found | None, begins: Order) -> str:
        """The one sentence of the answer."""
        if found is None:
            return ""
        return found.answer.sentence(begins) if found.answer else found.too_large

    def change(self, tables: list[dict[str, Any] | None]) -> None:
        """Do what a button asks for: the character that it changes is a stat block from then on."""
        asked = read_change(self.query.text("change"))
        place = 0 if asked and asked[0] == "first" else 1
        table = tables[place]
        if asked is None or table is None:
            return
        which, ability, level = asked
        table = tables[place] = with_level(table, ability, level)
        self.fields |= {which: "", f"{which}_sheet": _bare(table)}
        self.fresh = (which, f"{which}_sheet")

    def builds(
        self, tables: list[dict[str, Any]], here: list[str], escape: Escape, begins: Order, found: Found
    ) -> tuple[Build, ...]:
        """Both level by level, with what one more is worth where that was asked for."""
        both = []
        whiches: tuple[Which, ...] = ("first", "second")
        for place, which in enumerate(whiches):
            worths: dict[str, float] = {}
            if self.fields["worth"].strip() and begins in found.won:
                worths = self.worths(raised(tables, which), here, escape, place, begins)
            worths = {ability: each - found.won[begins][place] for ability, each in worths.items()}
            both.append(build(which, tables[place], worths))
        return tuple(both)

    def everybody(
        self, table: Mapping[str, Any] | None, here: list[str], escape: Escape, begins: Order
    ) -> tuple[Against, ...]:
        """The first one's chances against all of the cast who fight alone, where asked for, the chosen one first."""
        if table is None or self.has_errors or not self.fields["everybody"].strip():
            return ()
        chosen = self.fields["second"].strip()
        cast = sorted(_cast()[1:], key=lambda each: each[0] != chosen)
        rows = []
        for member, name in cast:
            tree = _tree([table, read_one(find(member).block, "second")], here)
            chances, is_all = chance_of(tree, escape, 0, self.go_on)
            self.unfinished = self.unfinished or not is_all
            told = f"{100 * chances[begins]:.1f} %" if chances else ""
            rows.append(Against(member, name, told))
        return tuple(rows)

    def worths(
        self,
        more: Mapping[str, Sequence[Mapping[str, Any]]],
        here: list[str],
        escape: Escape,
        place: int,
        begins: Order,
    ) -> dict[str, float]:
        """The chance to win with one more level, for each ability for which it is known by now."""
        found: dict[str, float] = {}
        for ability, tables in more.items():
            chances, is_all = chance_of(_tree(tables, here), escape, place, self.go_on)
            self.unfinished = self.unfinished or not is_all
            if chances is not None:
                found[ability] = chances[begins]
        return found

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

    def found(self, tables: list[dict[str, Any]], here: list[str], escape: Escape) -> Found | None:
        """What is known of the duel by now."""
        try:
            found, is_all = known_of(_tree(tables, here), escape, self.go_on)
        except ScratchError as error:
            for problem in error.problems:
                which = "second" if "characters[1]" in problem.where else "first"
                where = f"{which}_sheet" if self.fields[f"{which}_sheet"].strip() else which
                self.problems.append(replace(problem, where=where))
            return None
        self.unfinished = not is_all
        return found

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


def _tree(tables: Sequence[Mapping[str, Any]], here: list[str]) -> str:
    return json.dumps(duel_tree(tables, [str(each["name"]) for each in tables], here))


def duel_tree(tables: Sequence[Mapping[str, Any]], names: list[str], here: list[str]) -> dict[str, Any]:
    """The scenario of two characters against each other: ids, sides and groups are `first` and `second`."""
    characters = [
        {**table, "name": name, "id": own, "side": own, "group": own, **({"here": here} if here else {})}
        for table, name, own in zip(tables, numbered(names, " "), ORDERS, strict=False)
    ]
    return {"format": "scratch-scenario/1", "system": "scratch", "characters": characters, "steps": []}
