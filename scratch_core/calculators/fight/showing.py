"""The fight in words: who stands how, what lasts until when, whose turn it is, what has happened."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.actions import agility, intelligence, strength
from scratch_core.board import Space
from scratch_core.calculators.fight.field import Field, field_of
from scratch_core.calculators.fight.offers import (
    MOST_OFFERS,
    Offer,
    Turn,
    candidates,
    crafting_turns,
    idle_offers,
    turn_of,
)
from scratch_core.calculators.fight.on_board import Question, Reaching, question_of, turn_on_board
from scratch_core.calculators.fight.table import Fight, kept_faces
from scratch_core.catalogue import SWITCHES, setting_words
from scratch_core.figures import Figure
from scratch_core.state import Fighter, State

MOST_PIPS = 20
"""As many hit points as are drawn; more are only a number."""

MOST_TURNS = 6
"""Of so many that could be next, each has its actions on the page; the others are a button away."""

CAUSES = {
    "hold": ("held by", "act.hold"),
    "distract": ("distracted by", "act.distract"),
    "shooting": ("by its own shot", "act.shooting.injured-delay"),
    "blasting": ("by its own blast", "act.blasting.injured-delay"),
    "knockout": ("by its own knockout", "act.knockout.self-delay"),
}


@dataclass(frozen=True, slots=True)
class Lasting:
    """Something that has befallen somebody: a word, what it means and until when, and its rule."""

    word: str
    words: str
    rule: str


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
    """One line of the log. `new_round` is the round that begins with it, 0 when none does."""

    n: int
    say: str
    note: str
    rules: tuple[str, ...]
    is_legal: bool
    faces: str
    new_round: int


@dataclass(frozen=True, slots=True)
class Group:
    """A place in the order of turns."""

    name: str
    initiative: Figure
    members: tuple[str, ...]
    is_on: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A fight as the page shows it. `active` is whose turn it is or comes next, "" when nobody can act."""

    fight: Fight
    state: State
    round: int
    active: str
    active_name: str
    is_between: bool
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


def shown_fight(fight: Fight, who: str = "", picked: tuple[str, ...] = (), aim: Space | None = None) -> Shown:
    """Everything to be printed. `who` is asked for among those whose turn may begin; `picked` are targets.

    On a board `aim` is the space asked about, and an act that waits is a question before anything else.
    """
    state = fight.state
    question = question_of(state, ", ".join(map(str, kept_faces(fight))))
    able = () if question else candidates(state)
    reach: Reaching | None = None
    wanted = [who, *(each for each in able if each != who)] if who in able else list(able)
    turns: list[Turn] = []
    for each in wanted[:MOST_TURNS]:
        turn = turn_of(state, each, picked)
        if state.board is not None and state.phase == "running":
            turn, reaching = turn_on_board(state, turn)
            reach = reach or reaching
        if turns and sum(shown.count for shown in turns) + turn.count > MOST_OFFERS:
            break
        turns.append(turn)
    others = tuple((each, state.fighter(each).name) for each in wanted[len(turns) :])
    if state.phase != "running":
        turns = [turn for turn in turns if turn.count]
    active = state.active if not state.turn_over else turns[0].actor if turns and state.phase == "running" else ""
    return Shown(
        fight=fight,
        state=state,
        round=_round(state, active),
        active=active,
        active_name=state.fighter(active).name if active else "",
        is_between=state.turn_over,
        is_over=state.phase == "over",
        winner=state.winner,
        order=_order(state, active),
        rows=tuple(_row(state, each, active) for each in state.fighters),
        turns=tuple(turns),
        others=others,
        idle=idle_offers(state),
        crafters=crafting_turns(state),
        entries=_entries(fight),
        rulings=_rulings(state),
        question=question,
        field=None if state.board is None else field_of(state, turns[0] if turns else None, reach, aim, question),
    )


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
            each.figure,
            tuple(member.name for member in state.members(each.group)),
            each.group == group,
        )
        for each in state.initiative
    )


def _row(state: State, fighter: Fighter, active: str) -> Row:
    most = fighter.numbers.max_hp
    pips = "●" * fighter.hp + "○" * (most - fighter.hp) if most <= MOST_PIPS else ""
    condition = "escaped" if fighter.escaped else fighter.condition
    is_on = fighter.id == state.active and not state.turn_over
    figures = (agility(fighter), intelligence(fighter), strength(fighter))
    return Row(fighter, fighter.id == active, condition, tuple(_lasting(state, fighter, is_on)), figures, pips)


def _lasting(state: State, who: Fighter, is_on: bool) -> list[Lasting]:
    """What lasts, and until when. Rules: `cond.delayed.expiry`, `cond.panicked.expiry`, `act.evade.end`."""

    def turn(until: int) -> str:
        return "this turn" if is_on and until <= who.turn else "its next turn"

    found = []
    for delay in who.delays:
        cause, rule = CAUSES[delay.cause]
        by = f"{cause} {state.fighter(delay.by).name}" if cause.endswith(" by") else cause
        found.append(Lasting("delayed", f"{by}, until the end of {turn(delay.until)}", rule))
    if who.is_panicked:
        words = f"it must evade or escape; until the end of {turn(who.panicked_until)}"
        found.append(Lasting("panicked", words, "cond.panicked"))
    if who.is_immobilized:
        words = f"it can't move, until the end of {turn(who.immobilized_until)}"
        found.append(Lasting("immobilized", words, "grid.hold.immobilize"))
    if who.escape_banned_until:
        words = f"interrupted, until the end of {turn(who.escape_banned_until)}"
        found.append(Lasting("no escape", words, "grid.interrupt.escape-ban"))
    if who.evading is not None:
        bonus = f"{who.evading.bonus} more agility and strength" if who.evading.bonus else "nothing to add"
        found.append(Lasting("evading", f"{bonus}, until its next turn or a hold", "act.evade"))
    if who.evaded_last_turn and is_on:
        found.append(Lasting("ready to escape", "this turn, after the evade", "act.escape"))
    if who.engaged:
        found.append(Lasting("engaging", "2 more on close attacks, this turn", "act.engage"))
    if who.engage_penalty:
        found.append(Lasting("open", "2 less agility, until its next turn", "act.engage.penalty"))
    if who.in_cover:
        words = "2 more agility, 2 less on its rolls, until it leaves"
        found.append(Lasting("in cover", words, "act.cover.effect"))
    if who.flying_immune:
        words = "out of reach of close attacks by those who can't fly, until its next turn"
        found.append(Lasting("in the air", words, "flying.immunity"))
    for do in dict.fromkeys(do for do, _ in who.used):
        found.append(Lasting(f"{do} used", "once in an encounter", "act.unrepeatable"))
    for crafted in who.character.bonuses:
        found.append(Lasting(f"1 more {crafted.ability}", "crafted", "craft.bonus"))
    return found


def _entries(fight: Fight) -> tuple[Entry, ...]:
    """The log, the newest first."""
    entries, number = [], 0
    for record in fight.records:
        is_new = record.legal and record.state.round > number
        number = record.state.round if is_new else number
        faces = ", ".join(map(str, record.faces))
        note = record.step.note
        entries.append(Entry(record.n, record.say, note, record.rules, record.legal, faces, number if is_new else 0))
    return tuple(reversed(entries))


def _rulings(state: State) -> tuple[tuple[str, str, str], ...]:
    """The rulings that are not our defaults: the switch, its setting, the ruling's id."""
    chosen = ((switch, getattr(state.rulings, switch.name)) for switch in SWITCHES)
    return tuple(
        (switch.name.replace("_", " "), setting_words(value), switch.ruling)
        for switch, value in chosen
        if value != switch.default
    )
