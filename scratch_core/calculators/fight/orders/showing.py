"""A fight by another turn order in words: the order, who is due, what waits, how all stand, what has happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scratch_core.calculators.fight.offers import Barred
from scratch_core.calculators.fight.orders.offers import Row, barred_of, facts_of, rows_of
from scratch_core.calculators.fight.showing import Entry, entries_of, other_rulings
from scratch_core.calculators.fight.table import Fight
from scratch_core.rounds import SYSTEMS, SeizeState, State
from scratch_core.turns import Due, Lasting, Standing


@dataclass(frozen=True, slots=True)
class Place:
    """One fighter as it stands now. `is_done`: it has had its turn in this round; `is_due`: it is its word now."""

    id: str
    name: str
    side: str
    is_out: bool
    is_active: bool
    is_due: bool
    is_done: bool
    standing: Standing

    @property
    def lasting(self) -> tuple[Lasting, ...]:
        """What has befallen it, and until when."""
        return tuple(each for each in self.standing.lasting if each.words)

    @property
    def pools(self) -> tuple[tuple[str, int], ...]:
        """Where its hit points lie, () where they are not counted."""
        return tuple((each.word, each.count or 0) for each in self.standing.numbers) if self.standing.hp else ()


@dataclass(frozen=True, slots=True)
class ShownOrder:
    """A fight as the page shows it. `due` says what is expected now, `question` what waits for an answer first."""

    round: int
    active: str
    active_name: str
    due: str
    question: str
    is_over: bool
    winner: str
    standings: tuple[Place, ...]
    rows: tuple[Row, ...]
    facts: tuple[Row, ...]
    barred: tuple[Barred, ...]
    entries: tuple[Entry, ...]
    opening: str
    can_undo: bool
    rulings: tuple[tuple[str, str, str], ...]

    @property
    def urgent(self) -> tuple[Row, ...]:
        """The answers to what waits."""
        return tuple(row for row in self.rows if row.is_urgent)

    @property
    def others(self) -> tuple[Row, ...]:
        """All other acts."""
        return tuple(row for row in self.rows if not row.is_urgent)

    @property
    def has_pools(self) -> bool:
        """Whether hit points lie in pools."""
        return any(each.pools for each in self.standings)


def shown_order(fight: Fight) -> ShownOrder:
    """Everything to be printed."""
    system, state = SYSTEMS[fight.system.name], fight.state
    is_running = state.phase == "running"
    due = system.due(state) or Due("", "", "", "")
    first = due.who
    active = system.active(state) or first if is_running else ""
    return ShownOrder(
        round=max(1, state.round),
        active=active,
        active_name=_openers(state) or system.name_of(state, active),
        due=due.words,
        question=due.question,
        is_over=state.phase == "over",
        winner=system.winner(state) if len(system.fighters(state)) > 1 else "",
        standings=tuple(_standings(fight, active, first)),
        rows=rows_of(system, state),
        facts=facts_of(system, state) if is_running else (),
        barred=barred_of(system, state, first or active) if is_running else (),
        entries=entries_of(fight),
        opening=fight.opening,
        can_undo=len(fight.steps) > fight.fixed,
        rulings=other_rulings(fight.scenario.rulings),
    )


def _openers(state: State) -> str:
    """Everybody who may take the first turn, while it is open. Rule: `seize.gm-roll`."""
    if not isinstance(state, SeizeState) or state.active:
        return ""
    return " or ".join(state.fighter(each).name for each in state.due)


def _standings(fight: Fight, active: str, first: str) -> Iterator[Place]:
    """Everybody in the order of the round, those who are out at its end."""
    system, state = fight.system, fight.state
    order = [*system.order(state)]
    out = [each.id for each in system.fighters(state) if each.id not in order]
    by_id = {each.id: each for each in system.fighters(state)}
    for who in (by_id[each] for each in (*order, *out)):
        found = system.standing(state, who.id)
        is_done = found.is_done and who.id != active
        yield Place(who.id, who.name, who.side, who.out, who.id == active, who.id == first, is_done, found)
