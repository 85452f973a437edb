"""A fight by another turn order in words: the order, who is due, what waits, how all stand, what has happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.fight.offers import Barred
from scratch_core.calculators.fight.orders.offers import Row, barred_of, facts_of, rows_of
from scratch_core.calculators.fight.orders.table import OrderFight
from scratch_core.calculators.fight.showing import Entry, Lasting
from scratch_core.catalogue import SWITCHES, setting_words
from scratch_core.figures import Figure
from scratch_core.rounds import ManoFighter, ManoState, OldFighter, OldState, SeizeFighter, SeizeState, State
from scratch_core.rounds.mano_old_records import POOLS
from scratch_core.rounds.mano_records import EVADING_DEFENCE
from scratch_core.rounds.seize import may_seize


@dataclass(frozen=True, slots=True)
class Standing:
    """One fighter as it stands now. `is_done`: it has had its turn in this round; `is_due`: it is its word now."""

    id: str
    name: str
    side: str
    is_out: bool
    is_active: bool
    is_due: bool
    is_done: bool
    plain: str
    lasting: tuple[Lasting, ...]
    hp: int | None = None
    pools: tuple[tuple[str, int], ...] = ()
    figure: Figure | None = None


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
    standings: tuple[Standing, ...]
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


def shown_order(fight: OrderFight) -> ShownOrder:
    """Everything to be printed."""
    system, state = fight.system, fight.state
    is_running = state.phase == "running"
    mine = _KINDS[system.name]
    first, due, question = mine.due(state) if is_running else ("", "", "")
    active = system.active(state) or first if is_running else ""
    return ShownOrder(
        round=max(1, state.round),
        active=active,
        active_name=_openers(state) or system.name_of(state, active),
        due=due,
        question=question,
        is_over=state.phase == "over",
        winner=system.winner(state) if len(system.fighters(state)) > 1 else "",
        standings=tuple(_standings(fight, active, first)),
        rows=rows_of(system, state),
        facts=facts_of(system, state) if is_running else (),
        barred=barred_of(system, state, first or active) if is_running else (),
        entries=_entries(fight),
        opening=fight.opening,
        can_undo=len(fight.steps) > fight.fixed,
        rulings=_rulings(fight),
    )


def _openers(state: State) -> str:
    """Everybody who may take the first turn, while it is open. Rule: `seize.gm-roll`."""
    if not isinstance(state, SeizeState) or state.active:
        return ""
    return " or ".join(state.fighter(each).name for each in state.due)


def _standings(fight: OrderFight, active: str, first: str) -> Iterator[Standing]:
    """Everybody in the order of the round, those who are out at its end."""
    system, state = fight.system, fight.state
    mine = _KINDS[system.name]
    order = [*system.order(state)]
    out = [each.id for each in system.fighters(state) if each.id not in order]
    by_id = {each.id: each for each in system.fighters(state)}
    for who in (by_id[each] for each in (*order, *out)):
        is_done = mine.done(state, who.id) and not who.out and who.id != active
        lasting = () if who.out else tuple(mine.lasting(state, who))
        yield Standing(
            who.id,
            who.name,
            who.side,
            who.out,
            who.id == active,
            who.id == first,
            is_done,
            mine.plain(who),
            lasting,
            **mine.numbers(who),
        )


def _entries(fight: OrderFight) -> tuple[Entry, ...]:
    """The log, the newest first."""
    entries, number = [], 0
    for record in fight.records:
        is_new = record.legal and record.state.round > number
        number = record.state.round if is_new else number
        rules, note = record.rules, record.step.note
        entries.append(Entry(record.n, record.say, note, rules, record.legal, "", number if is_new else 0))
    return tuple(reversed(entries))


def _rulings(fight: OrderFight) -> tuple[tuple[str, str, str], ...]:
    rulings = fight.scenario.rulings
    return tuple(
        (switch.name.replace("_", " "), setting_words(getattr(rulings, switch.name)), switch.ruling)
        for switch in SWITCHES
        if getattr(rulings, switch.name) != switch.default
    )


@dataclass(frozen=True, slots=True)
class _Kind:
    """What differs from system to system: who is due and why, who is done, the words beside a name, its numbers."""

    due: Callable[[Any], tuple[str, str, str]]
    done: Callable[[Any, str], bool]
    lasting: Callable[[Any, Any], Iterator[Lasting]]
    plain: Callable[[Any], str]
    numbers: Callable[[Any], dict[str, Any]]


def _by_place(state: ManoState | OldState, who: str) -> bool:
    """Whether a turn came earlier in the round. Rules: `mano.order.seating`, `mano-old.order.seating`."""
    return state.phase == "running" and who in state.order[: state.place]


# Mano a Mano


def _mano_due(state: ManoState) -> tuple[str, str, str]:
    """Rules: `mano.counter.wait`, `mano.counter.timing`, `mano.counter.rethink`, `mano.speed.half`."""
    if state.asked:
        waiting = state.frames[-1].waiting
        assert waiting is not None, "an attack waits"
        by, name = state.fighter(waiting.actor).name, state.fighter(state.asked).name
        question = f"{by} attacks {name}, who is prepared. Does {name} counterattack, or let it pass?"
        return state.asked, f"is on turn; {name} answers first", question
    if state.frames:
        who = state.fighter(state.frames[-1].who)
        again = "states its act again"
        return who.id, again if who.id == state.active else f"is on turn; {who.name} {again}", ""
    who = state.fighter(state.active)
    owed = f"{who.owed} skip{'' if who.owed == 1 else 's'}"
    return who.id, f"owes {owed}" if who.owed else "is on turn", ""


def _mano_lasting(state: ManoState, who: ManoFighter) -> Iterator[Lasting]:
    """Rules: `mano.stun.recover`, `mano.counter.lapse`, `mano.start.evade`, `mano.combo.healthy`."""
    if who.owed:
        rule = "mano.speed.quarter" if who.speed * 4 == 1 else "mano.speed.half"
        yield Lasting("owes skips", f"{who.owed}, before it acts again", rule)
    if who.prepared:
        how = "until its first turn" if who.prepared == "start" else "until its next turn"
        yield Lasting("counterattack prepared", how, "mano.counter.lapse")
    if who.evading:
        yield Lasting("on the run", f"+{EVADING_DEFENCE} to the defence until its first turn", "mano.start.evade")
    if who.stun:
        yield Lasting("stun", f"{who.stun}, 1 less after each of its turns", "mano.stun.recover")
    if not who.healthy:
        yield Lasting("not healthy", "no combos", "mano.combo.healthy")
    for each in state.frames:
        if each.who == who.id and (each.moved or each.walked):
            how = "in the act that is on" if each.moved else f"{each.walked} spaces of the act that is on"
            yield Lasting("has moved", how, "mano.counter.rethink")


def _mano_plain(who: ManoFighter) -> str:
    weapons = f", {who.weapons} weapons" if who.weapons > 1 else ""
    reach = f", reach {who.reach}" if who.reach else ""
    return f"speed {who.speed}{weapons}{reach}"


# The older revision


def _old_due(state: OldState) -> tuple[str, str, str]:
    """Rules: `mano-old.phases`, `mano-old.phase.ready.cap`, `mano-old.phase.actions`."""
    who = state.fighter(state.active)
    words = {
        "start": "is on turn",
        "ready": f"gets {who.hp_round} of {who.eligible} points ready",
        "actions": f"has {who.ready} ready to spend",
    }
    return who.id, words[state.step], ""


def _nothing(state: State, who: object) -> Iterator[Lasting]:
    return iter(())


def _old_plain(who: OldFighter) -> str:
    return f"{who.hp_round} a round{f', reach {who.reach}' if who.reach else ''}"


def _old_numbers(who: OldFighter) -> dict[str, Any]:
    """Rule: `mano-old.pools`."""
    return {"hp": who.hp, "pools": tuple((pool, who.pool(pool)) for pool in POOLS)}


# Choose-next with seizing


def _seize_due(state: SeizeState) -> tuple[str, str, str]:
    """Rules: `seize.highest-first`, `seize.choose-next`, `seize.claim`, `seize.multi-order`."""
    hurt = [each.name for each in state.present if may_seize(state, each)]
    question = ""
    if hurt:
        many = len(hurt) > 1
        question = f"{_listed(hurt)} lost hit points and may seize the initiative{': who does?' if many else '.'}"
    names = " or ".join(state.fighter(each).name for each in state.due)
    if state.queue:
        return state.due[0], f"is on turn; {names} has seized and comes next", question
    if state.next:
        return state.due[0], f"is on turn; {names} comes next", question
    if state.due:
        return state.due[0], f"{'may open' if len(state.due) > 1 else 'opens'} the fight", question
    return state.active, "is on turn, and chooses who comes next", question


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _seize_lasting(state: SeizeState, who: SeizeFighter) -> Iterator[Lasting]:
    """Rules: `seize.claim`, `seize.natural-1`, `seize.natural-20`."""
    if who.id in state.queue:
        place = state.queue.index(who.id) + 1
        yield Lasting("has seized", f"place {place} of {len(state.queue)}", "seize.multi-order")
    if who.hurt:
        more = "; it may seize" if may_seize(state, who) else "; it will not seize" if who.declined else ""
        yield Lasting("hurt", f"{who.hurt} lost in this turn{more}", "seize.claim")
    if who.barred:
        yield Lasting("rolled 1", "no turn in the first round", "seize.natural-1")
    if who.extra:
        yield Lasting("rolled 20", "one more action in its first turn", "seize.natural-20")
    if who.id == state.next:
        yield Lasting("chosen", "comes next", "seize.choose-next")


def _seize_plain(who: SeizeFighter) -> str:
    return f"of {who.group}" if who.group != who.id else ""


_KINDS: Mapping[str, _Kind] = {
    "mano": _Kind(_mano_due, _by_place, _mano_lasting, _mano_plain, lambda who: {}),
    "mano-old": _Kind(_old_due, _by_place, _nothing, _old_plain, _old_numbers),
    "seize": _Kind(
        _seize_due,
        lambda state, who: state.fighter(who).acted,
        _seize_lasting,
        _seize_plain,
        lambda who: {"figure": who.initiative},
    ),
}
