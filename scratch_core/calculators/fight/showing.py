"""The fight in words: who stands how, what lasts until when, whose turn it is, what has happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scratch_core.basic import SCRATCH
from scratch_core.board import Space
from scratch_core.calculators.board.stage import Stage
from scratch_core.calculators.fight.field import Field, field_of
from scratch_core.calculators.fight.head import Chip, last_of, marks_of, story_of, tints, won
from scratch_core.calculators.fight.offers import (
    MOST_OFFERS,
    Offer,
    Turn,
    able,
    crafting_turns,
    idle_offers,
    turn_of,
)
from scratch_core.calculators.fight.on_board import Question, question_of, turn_on_board
from scratch_core.calculators.fight.table import Fight, kept_faces
from scratch_core.cards import END_TURN
from scratch_core.catalogue import SWITCHES, Rulings, setting_words
from scratch_core.figures import Figure
from scratch_core.state import Fighter, Initiative, State
from scratch_core.turns import Lasting

MOST_PIPS = 20
"""As many hit points as are drawn; more are only a number."""

MOST_ENTRIES = 48
"""As many lines of the log are on the page, the newest; the others are a button away."""

MOST_TURNS = 6
"""Of so many that could be next, each has its actions on the page; the others are a button away."""


@dataclass(frozen=True, slots=True)
class Row:
    """One character as it stands now."""

    fighter: Fighter
    is_active: bool
    condition: str
    lasting: tuple[Lasting, ...]
    figures: tuple[Figure, ...]
    pips: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log. `new_round` is the round that begins with it, 0 when none does; `is_hand`: the game
    master's; `is_end`: it ends a turn and does nothing else.
    """

    n: int
    say: str
    note: str
    rules: tuple[str, ...]
    is_legal: bool
    faces: str
    new_round: int
    is_hand: bool = False
    is_end: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A place in the order of turns."""

    name: str
    initiative: Initiative
    members: tuple[str, ...]
    is_on: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A fight as the page shows it. `active` is whose turn is on, or begins with an act, "" when nobody can act."""

    fight: Fight
    state: State
    round: int
    active: str
    active_name: str
    is_over: bool
    winner: str
    order: tuple[Group, ...]
    rows: tuple[Row, ...]
    turns: tuple[Turn, ...]
    others: tuple[tuple[str, str], ...]
    idle: tuple[Offer, ...]
    crafters: tuple[Turn, ...]
    entries: tuple[Entry, ...]
    rulings: tuple[tuple[str, str, str], ...]
    question: Question | None = None
    field: Field | None = None

    @property
    def turn(self) -> Turn | None:
        """Whose actions are offered first while the encounter is on."""
        return self.turns[0] if self.turns and not self.is_over else None

    @property
    def before(self) -> int:
        """How many lines of the log are left out, the oldest."""
        return len(self.fight.records) - len(self.entries)

    @property
    def last(self) -> str:
        """What happened last, "" before the first step."""
        return last_said(self.entries)

    @property
    def chips(self) -> tuple[Chip, ...]:
        """Everybody in the order of turns. Rule: `turn.order`."""
        rows = {row.fighter.id: row for row in self.rows}
        places = [each.id for group in self.state.order for each in self.state.members(group)]
        colours = tints(row.fighter.side for row in self.rows)
        return tuple(
            _chip(self.state, rows[each], colours) for each in (*places, *(each for each in rows if each not in places))
        )

    @property
    def ended(self) -> str:
        """Who won and when, "" while there is no winner."""
        members = [(row.fighter.id, row.fighter.name) for row in self.rows if row.fighter.side == self.winner]
        return won(self.winner, members, self.state.round) if self.winner and self.state.round else ""

    @property
    def story(self) -> str:
        """The log as text."""
        return story_of(self.fight)


def _chip(state: State, row: Row, colours: Mapping[str, int]) -> Chip:
    who = row.fighter
    is_out = who.is_down or who.is_away
    return Chip(
        id=who.id,
        name=who.name,
        side=who.side,
        tint=colours[who.side],
        is_on=row.is_active,
        is_out=is_out,
        is_done=False,
        hp=who.hp,
        most=who.numbers.max_hp,
        state=row.condition,
        marks=() if is_out else marks_of(SCRATCH.standing(state, who.id)),
        lasting=row.lasting,
    )


def shown_fight(
    fight: Fight, who: str = "", picked: tuple[str, ...] = (), aim: Space | None = None, is_whole: bool = False
) -> Shown:
    """Everything to be printed. `who` is asked for among those whose turn may begin; `picked` are targets.

    On a board `aim` is the space asked about, and an act that waits is a question before anything else. `is_whole`: all
    of the log, however long.
    """
    state = fight.state
    question = question_of(state, ", ".join(map(str, kept_faces(fight))))
    there = () if question else able(state)
    wanted = [who, *(each for each in there if each != who)] if who in there else list(there)
    turns, reach = _turns(state, wanted, picked)
    others = tuple((each, state.fighter(each).name) for each in wanted[len(turns) :])
    if state.phase != "running":
        turns = [turn for turn in turns if turn.count]
    active, first = _active(state, turns), turns[0] if turns else None
    return Shown(
        fight=fight,
        state=state,
        round=_round(state, active),
        active=active,
        active_name=state.fighter(active).name if active else "",
        is_over=state.phase == "over",
        winner=state.winner,
        order=_order(state, active),
        rows=tuple(_row(state, each, active) for each in state.fighters),
        turns=tuple(turns),
        others=others,
        idle=idle_offers(state),
        crafters=crafting_turns(state),
        entries=entries_of(fight, is_whole),
        rulings=other_rulings(state.rulings),
        question=question,
        field=None if state.board is None else field_of(state, first, reach, aim, question),
    )


def _turns(state: State, wanted: Sequence[str], picked: tuple[str, ...]) -> tuple[list[Turn], Stage | None]:
    """What the first of those wanted may do, as many as there is room for, and how far the first of them comes."""
    turns: list[Turn] = []
    reach: Stage | None = None
    for each in wanted[:MOST_TURNS]:
        turn = turn_of(state, each, picked)
        if state.board is not None and state.phase == "running":
            turn, reaching = turn_on_board(state, turn)
            reach = reach or reaching
        if turns and sum(shown.count for shown in turns) + turn.count > MOST_OFFERS:
            break
        turns.append(turn)
    return turns, reach


def _active(state: State, turns: Sequence[Turn]) -> str:
    """Whose turn it is, or whose comes first among those that may; "" where nobody can act."""
    if not state.turn_over:
        return state.active
    return turns[0].actor if turns and state.phase == "running" else ""


def _round(state: State, active: str) -> int:
    """The round of the turn that is on, or of the one that comes next. Rule: `turn.order`."""
    if not state.turn_over or not active:
        return max(state.round, 1)
    here = state.initiative[state.place].group
    group = state.fighter(active).group
    if not state.round:
        return 1
    is_later = state.order.index(group) > state.place
    is_same = group == here and active not in state.acted
    return state.round if is_later or is_same else state.round + 1


def _order(state: State, active: str) -> tuple[Group, ...]:
    group = state.fighter(active).group if active else ""
    return tuple(
        Group(
            each.group,
            each,
            tuple(member.name for member in state.members(each.group)),
            each.group == group,
        )
        for each in state.initiative
    )


def _row(state: State, fighter: Fighter, active: str) -> Row:
    most = fighter.numbers.max_hp
    pips = "●" * fighter.hp + "○" * (most - fighter.hp) if most <= MOST_PIPS else ""
    condition = _condition(fighter)
    found = SCRATCH.standing(state, fighter.id)
    lasting = tuple(each for each in found.lasting if each.words)
    return Row(fighter, fighter.id == active, condition, lasting, found.figures, pips)


def _condition(fighter: Fighter) -> str:
    """A word for how somebody is. Rules: `hp.healthy`, `grid.escape.exit`."""
    if fighter.escaped:
        return "escaped"
    return "gone" if fighter.is_away else fighter.condition


def entries_of(fight: Fight, is_whole: bool = False) -> tuple[Entry, ...]:
    """The newest lines of the log, or all of it, the newest first."""
    first = 0 if is_whole else max(0, len(fight.records) - MOST_ENTRIES)
    entries, number = [], fight.states[first].round if first else 0
    for record in fight.records[first:]:
        is_new = record.legal and record.state.round > number
        number = record.state.round if is_new else number
        faces = ", ".join(map(str, record.faces))
        note = record.step.note
        new = number if is_new else 0
        is_end = record.legal and record.do == END_TURN.do
        line = Entry(record.n, record.say, note, record.rules, record.legal, faces, new, record.is_hand, is_end)
        entries.append(line)
    return tuple(reversed(entries))


def last_said(entries: Sequence[Entry]) -> str:
    """What happened last, of entries the newest first."""
    return last_of((each.say, each.is_end) for each in entries)


def other_rulings(rulings: Rulings) -> tuple[tuple[str, str, str], ...]:
    """The rulings that are not our defaults: the switch, its setting, the ruling's id."""
    chosen = ((switch, getattr(rulings, switch.name)) for switch in SWITCHES)
    return tuple(
        (switch.name.replace("_", " "), setting_words(value), switch.ruling)
        for switch, value in chosen
        if value != switch.default
    )
