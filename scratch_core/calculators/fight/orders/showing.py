"""A fight by another turn order in words: the order, who is due, what waits, how all stand, what has happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scratch_core.calculators.fight.head import Chip, marks_of, story_of, tints, won
from scratch_core.calculators.fight.offers import Barred, keys_of
from scratch_core.calculators.fight.orders.offers import Row, barred_of, facts_of, rows_of
from scratch_core.calculators.fight.orders.words import ENDS_TURN
from scratch_core.calculators.fight.showing import Entry, entries_of, last_said, other_rulings
from scratch_core.calculators.fight.table import Fight
from scratch_core.rounds import SYSTEMS, SeizeState, State
from scratch_core.turns import Due, Lasting, Standing

TURNS_RULE = "seize.no-repeat"
"""Whose turn is past is marked in its own way."""


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
    story: str = ""
    before: int = 0
    colours: Mapping[str, int] = field(default_factory=dict)

    @property
    def last(self) -> str:
        """What happened last; how the fight began before the first step."""
        return last_said(self.entries) or self.opening

    @property
    def chips(self) -> tuple[Chip, ...]:
        """Everybody in the order of the round, with what that order counts."""
        return tuple(_chip(each, self.colours[each.side]) for each in self.standings)

    @property
    def ended(self) -> str:
        """Who won and when, "" while there is no winner."""
        members = [(each.id, each.name) for each in self.standings if each.side == self.winner]
        return won(self.winner, members, self.round) if self.winner else ""

    @property
    def urgent(self) -> tuple[Row, ...]:
        """The answers to what waits."""
        return tuple(row for row in self.rows if row.is_urgent)

    @property
    def others(self) -> tuple[Row, ...]:
        """All other acts, but for the turn's end, which has its own place."""
        return tuple(row for row in self.rows if not (row.is_urgent or row.is_start or row.do == ENDS_TURN))

    @property
    def keys(self) -> Mapping[str, str]:
        """The key of each act that is offered first, by its step: of the answers, while something waits for one."""
        rows = self.urgent if self.question else self.others
        return keys_of(press.step for row in rows for _, presses in row.groups for press in presses)

    @property
    def starts(self) -> tuple[Row, ...]:
        """How those begin who have not had a turn yet. Rules: `mano.start.evade`, `mano.start.ready`."""
        return tuple(row for row in self.rows if row.is_start)

    @property
    def end(self) -> Row | None:
        """The turn's end, in the order that has one. Rule: `mano-old.turn.end`."""
        return next((row for row in self.rows if row.do == ENDS_TURN), None)

    @property
    def has_pools(self) -> bool:
        """Whether hit points lie in pools."""
        return any(each.pools for each in self.standings)


def shown_order(fight: Fight, is_whole: bool = False) -> ShownOrder:
    """Everything to be printed; `is_whole`: all of the log, however long."""
    system, state = SYSTEMS[fight.system.name], fight.state
    is_running = state.phase == "running"
    due = system.due(state) or Due("", "", "", "")
    first = due.who
    active = system.active(state) or first if is_running else ""
    winner = system.winner(state) if len(system.fighters(state)) > 1 else ""
    entries = entries_of(fight, is_whole)
    return ShownOrder(
        round=max(1, state.round),
        active=active,
        active_name=_openers(state) or system.name_of(state, active),
        due=due.words,
        question=due.question,
        is_over=state.phase == "over",
        winner=winner,
        standings=tuple(_standings(fight, active, first)),
        rows=rows_of(system, state, _last_use(fight)),
        facts=facts_of(system, state) if is_running else (),
        barred=barred_of(system, state, first or active) if is_running else (),
        entries=entries,
        opening=fight.opening,
        can_undo=len(fight.steps) > fight.fixed,
        rulings=other_rulings(fight.scenario.rulings),
        story=story_of(fight) if winner or state.phase == "over" else "",
        before=len(fight.records) - len(entries),
        colours=tints(each.side for each in system.fighters(state)),
    )


def _last_use(fight: Fight) -> str:
    """What points were last spent on in this fight. Rule: `mano-old.action.uses`."""
    return next((str(step["use"]) for step in reversed(fight.steps) if "use" in step), "")


def _chip(each: Place, tint: int) -> Chip:
    found = each.standing
    counted = [number for number in found.numbers if number.count]
    told = marks_of(found, but=TURNS_RULE)
    spoken = tuple(dict.fromkeys((*told, *(f"{number.word} {number.value}" for number in counted))))
    return Chip(
        id=each.id,
        name=each.name,
        side=each.side,
        tint=tint,
        is_on=each.is_active,
        is_out=each.is_out,
        is_done=each.is_done,
        hp=found.hp,
        most=None,
        state="out of the fight" if each.is_out else "",
        marks=() if each.is_out else spoken,
        lasting=each.lasting,
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
