"""The one chooser of people: the reader's own first, then the cast; as many as wanted are ticked and come in together.

A page has `CONTROLS` among its own and, while somebody is to be chosen, a `Chooser`, which `_chooser.html` prints; who
was ticked when its button was pressed is `ticked`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from scratch_core.calculators.handed import CONTROL as HANDED
from scratch_core.calculators.handed import read_handed
from scratch_core.calculators.query import Query
from scratch_core.cast import CAST, KINDS
from scratch_core.cast.records import Kind

CONTROLS = ("choosing", "find")
"""Whom somebody is being chosen for, "" for nobody, and what is looked for."""

YOURS = "Yours"
OWN = "own"
"""What a list of the cast says for somebody who is written in full."""
_TICK = "tick."
"""What the control of somebody to be ticked is called, before the id or the place among one's own."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Somebody to be ticked: the control, and as its value an id of the cast or the query of a kept character.

    `told` is who it is in a few words, `points` what it is worth, "" where that is not known.
    """

    control: str
    value: str
    name: str
    told: str
    points: str = ""

    def has(self, words: Sequence[str]) -> bool:
        """Whether all these words stand in its name or in what is told of it."""
        return all(word in f"{self.name} {self.told}".casefold() for word in words)


@dataclass(frozen=True, slots=True)
class Chooser:
    """Everybody to choose from under headings: those looked for, and the `ticked` ones, told by their controls.

    `target` is whom they are for, `kept` what the press handed over, for the answers after it; `yours` counts those.
    """

    target: str
    groups: tuple[tuple[str, tuple[Choice, ...]], ...]
    ticked: frozenset[str]
    kept: str
    yours: int


def chooser(query: Query, target: str, sought: str, first: Kind, *, is_new: bool) -> Chooser:
    """Everybody to choose from, as a query has ticked them; nobody is ticked in a new one.

    `first` is the kind of the cast that stands before the others.
    """
    kept = query.text(HANDED)
    yours = tuple(
        Choice(f"{_TICK}{number}", each.query, each.name, each.summary.removeprefix(f"{each.name}: "))
        for number, each in enumerate(read_handed(kept))
    )
    chosen = frozenset(() if is_new else _ticks(query))
    words = sought.casefold().split()
    groups = [
        (heading, tuple(each for each in people if each.control in chosen or each.has(words)))
        for heading, people in ((YOURS, yours), *_cast(first))
    ]
    return Chooser(target, tuple(each for each in groups if each[1]), chosen, kept, len(yours))


def ticked(query: Query) -> Iterator[str]:
    """Who was ticked: ids of the cast, and the queries of kept characters; `add_who` is one, as links of before say."""
    named = (query.text("add_who"),) if query.text("add_who") not in ("", OWN) else ()
    return chain(named, map(query.text, _ticks(query)))


def _ticks(query: Query) -> Iterator[str]:
    return (name for name in query.raw if name.startswith(_TICK))


@cache
def _cast(first: Kind) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    groups: dict[str, list[Choice]] = {KINDS[kind]: [] for kind in (first, *KINDS)}
    for each in CAST:
        who = each.character()
        groups[KINDS[each.kind]].append(Choice(_TICK + each.id, each.id, who.name, who.description, f"{each.cp}"))
    return tuple((heading, tuple(people)) for heading, people in groups.items())
