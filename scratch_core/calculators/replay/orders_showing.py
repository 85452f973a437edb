"""A moment of a fight by another turn order, as a replay shows it: everybody with what its system knows of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scratch_core.figures import Figure
from scratch_core.rounds import ManoFighter, ManoState, OldFighter, OldState, SeizeFighter, SeizeState, System
from scratch_core.rounds.mano_old_records import POOLS, Pool

CELLS: tuple[Pool, ...] = ("ready", "defence", "other", "stun", "damage")
"""The pools as they are drawn, the nearest to hand first."""

MOST_CELLS = 30
_QUARTERS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}
_PREPARED = {"turn": ("counterattack prepared", "mano.counter.wait"), "start": ("starts ready", "mano.start.ready")}


@dataclass(frozen=True, slots=True)
class Number:
    """One number of somebody's: its word, its value, what the step did to it, and its rule; `path` is its state path.

    `was` is the value in the file's own story, where that differs.
    """

    word: str
    value: str
    path: str
    rule: str
    change: int = 0
    was: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """Somebody at the moment shown. `mark`: on turn, due, asked, may seize, or "".

    `hp` are all hit points, None where the system counts none; `cells` names the pool of each. `states` are words with
    their rules, `was` those of the file's own story where they differ, `figure` a number that can be asked why.
    """

    id: str
    name: str
    side: str
    mark: str
    is_out: bool
    hp: int | None
    cells: tuple[str, ...]
    numbers: tuple[Number, ...]
    states: tuple[tuple[str, str], ...]
    was: str
    figure: Figure | None


@dataclass(frozen=True, slots=True)
class Question:
    """What the fight waits for, in words, and the rule that asks."""

    words: str
    rule: str


def cards(system: System[Any], now: Any, then: Any, beside: Any | None) -> tuple[Card, ...]:
    """Everybody in the order of the file. `then` is the moment before, `beside` that of the file's own story.

    Rules: `mano.speed.half`, `mano.counter.wait`, `mano.start.evade`, `mano-old.pools`, `seize.roll`, `seize.claim`.
    """
    before = {each.id: each for each in system.fighters(then)}
    others = {each.id: each for each in system.fighters(beside)} if beside is not None else {}
    return tuple(
        _card(system, now, each, before[each.id], beside, others.get(each.id)) for each in system.fighters(now)
    )


def _card(  # noqa: PLR0913, PLR0917 -- somebody at three moments
    system: System[Any], state: Any, who: Any, then: Any, beside: Any, other: Any
) -> Card:
    states = tuple(_states(state, who))
    own = tuple(_states(beside, other)) if other else states
    was = "" if own == states else ", ".join(word for word, _ in own) or "nothing of that"
    return Card(
        id=who.id,
        name=who.name,
        side=who.side if who.side not in (who.id, who.name) else "",
        mark=_mark(system, state, who.id),
        is_out=who.out,
        hp=who.hp if isinstance(who, OldFighter) else None,
        cells=_cells(who),
        numbers=tuple(_numbers(who, then, other)),
        states=states,
        was=was,
        figure=who.initiative if isinstance(who, SeizeFighter) and state.phase != "before" else None,
    )


def _mark(system: System[Any], state: Any, who: str) -> str:
    if state.phase != "running":
        return ""
    if isinstance(state, ManoState) and state.asked == who:
        return "asked"
    if isinstance(state, SeizeState) and who in system.state_value(state, "may_seize"):
        return "may seize"
    if isinstance(state, SeizeState) and who in state.due:
        return "due"
    return "on turn" if system.active(state) == who else ""


def _cells(who: Any) -> tuple[str, ...]:
    if not isinstance(who, OldFighter) or who.hp > MOST_CELLS:
        return ()
    return tuple(pool for pool in CELLS for _ in range(who.pool(pool)))


def speed_words(speed: Fraction) -> str:
    """A speed as it is spoken of: ¼, ½, 1, 1½."""
    whole, rest = divmod(speed, 1)
    return f"{whole or ''}{_QUARTERS.get(rest, '')}" or "0"


def _numbers(who: Any, then: Any, other: Any | None) -> list[Number]:
    if isinstance(who, ManoFighter):
        return [
            Number("speed", speed_words(who.speed), "", "mano.speed.half" if who.speed < 1 else "mano.combo.count"),
            _number("stun", "stun", "mano.stun.recover", who, then, other),
            _number("to skip", "owed", "mano.speed.quarter", who, then, other),
        ]
    if isinstance(who, OldFighter):
        return [_number(pool, pool, "mano-old.pools", who, then, other) for pool in POOLS]
    return [_number("lost this turn", "hurt", "seize.claim", who, then, other)] if who.hurt or then.hurt else []


def _number(word: str, path: str, rule: str, who: Any, then: Any, other: Any | None) -> Number:  # noqa: PLR0913, PLR0917
    value = getattr(who, path)
    was = str(getattr(other, path)) if other is not None and getattr(other, path) != value else ""
    return Number(word, str(value), f"{path}.{who.id}", rule, value - getattr(then, path), was)


def _states(state: Any, who: Any) -> list[tuple[str, str]]:
    if who.out:
        return [("out of the fight", "")]
    if isinstance(state, ManoState):
        return _mano_states(state, who)
    if isinstance(state, SeizeState) and state.phase != "before":
        return _seize_states(state, who)
    return []


def _mano_states(state: ManoState, who: ManoFighter) -> list[tuple[str, str]]:
    moved = any(frame.moved or frame.walked for frame in state.frames if frame.who == who.id)
    waits = any(frame.waiting is not None for frame in state.frames if frame.who == who.id)
    flags = (
        (waits, "its attack waits", "mano.counter.timing"),
        (moved, "has moved", "mano.counter.rethink"),
        (who.evading, "on the run: defence +4", "mano.start.evade"),
        (not who.healthy, "not healthy", "mano.combo.healthy"),
    )
    prepared = [_PREPARED[who.prepared]] if who.prepared else []
    return prepared + [(word, rule) for is_so, word, rule in flags if is_so]


def _seize_states(state: SeizeState, who: SeizeFighter) -> list[tuple[str, str]]:
    flags = (
        (who.acted, "has had its turn", "seize.no-repeat"),
        (not who.acted and not who.barred, "turn still to come", "seize.no-repeat"),
        (who.barred, "no turn this round", "seize.natural-1"),
        (who.extra, "one action extra", "seize.natural-20"),
        (who.id in state.queue, "seizes the initiative", "seize.claim"),
        (who.declined, "lets it pass", "seize.claim"),
    )
    return [(word, rule) for is_so, word, rule in flags if is_so]


# What the fight waits for


def question(system: System[Any], state: Any) -> Question | None:
    """What is asked at this moment, None where the fight is over.

    Rules: `mano.counter.timing`, `mano.counter.rethink`, `mano.speed.half`, `mano-old.phases`, `seize.claim`,
    `seize.choose-next`.
    """
    if state.phase == "over":
        return None
    if state.phase == "before":
        return Question("The rolls of an ambush come first.", "mano.surprise.two-rolls")
    if isinstance(state, ManoState):
        return _mano_question(system, state)
    if isinstance(state, OldState):
        return _old_question(system, state)
    return _seize_question(system, state)


def _mano_question(system: System[Any], state: ManoState) -> Question:
    if state.asked:
        name = system.name_of(state, state.asked)
        attacker = system.name_of(state, state.frames[-1].who)
        return Question(f"{attacker} attacks {name}: does {name} strike back?", "mano.counter.timing")
    if state.frames:
        return Question(
            f"{system.name_of(state, state.frames[-1].who)} may think again, and acts.", "mano.counter.rethink"
        )
    who = state.fighter(state.active)
    if who.owed:
        turns = "turn" if who.owed == 1 else f"{who.owed} turns"
        rule = "mano.speed.quarter" if who.speed == Fraction(1, 4) else "mano.speed.half"
        return Question(f"{who.name} has to skip {'this' if who.owed == 1 else 'the next'} {turns}.", rule)
    return Question(f"{who.name} is next.", "mano.turn.options")


def _old_question(system: System[Any], state: OldState) -> Question:
    who = state.fighter(state.active)
    if state.step == "start":
        return Question(f"{who.name} is next, and starts with phase 1.", "mano-old.phases")
    if state.step == "ready":
        return Question(
            f"Which {who.hp_round} of {who.eligible} points does {who.name} make ready?", "mano-old.phase.ready.choice"
        )
    return Question(f"{who.name} has {who.ready} ready to spend.", "mano-old.phase.actions")


def _seize_question(system: System[Any], state: SeizeState) -> Question | None:
    hurt = _names(system, state, system.state_value(state, "may_seize"), "and")
    first = f"{hurt} may seize the initiative. " if hurt else ""
    due = _names(system, state, state.due, "or")
    rule = "seize.claim" if hurt or state.queue else "seize.choose-next"
    if due:
        return Question(f"{first}{due} is next.", rule)
    if state.active and (state.active, "choose") in system.names(state):
        return Question(f"{first}{system.name_of(state, state.active)} chooses who is next.", rule)
    return Question(first.strip(), rule) if first else None


def _names(system: System[Any], state: Any, ids: Sequence[str], word: str) -> str:
    *names, last = [system.name_of(state, each) for each in ids] or [""]
    return f"{', '.join(names)} {word} {last}" if names else last
