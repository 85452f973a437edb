"""What the odds calculator tells of a duel: a sentence someone would say, the figures, the bars, the acts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from scratch_core.dice import Distribution
from scratch_core.encounter.actions import ACTION_TITLES, Action
from scratch_core.encounter.engine import legal_actions
from scratch_core.encounter.state import EncounterState
from scratch_core.odds import (
    ORDERS,
    TOLERANCE,
    Duel,
    Order,
    ProbabilityRange,
    WinProbabilities,
    compute_damage_distribution,
    compute_incapacitation_chances,
    compute_rounds_to_incapacitate,
)
from scratch_core.rulebook.actions import ACTION_SPECS

CERTAINTY_TOLERANCE = 10 * TOLERANCE
"""A chance no further than this from none or from all is said as `never` or `always`."""

MAX_OPENINGS = 10
"""The most opening actions that are listed, the best first."""

ROUNDS_SHOWN = 5
"""The most repetitions of an attack for which the chance of an incapacitated target is listed."""

SegmentOwner = Literal["first", "nobody", "unknown", "second"]


@dataclass(frozen=True, slots=True)
class BarSegment:
    """A part of a bar: whose it is, where it begins and how wide it is, in hundredths."""

    owner: SegmentOwner
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class DuelAction:
    """What someone may do: its title, what it is done with, its rule."""

    actor_name: str
    title: str
    ability_text: str
    rule: str


@dataclass(frozen=True, slots=True)
class Opening(DuelAction):
    """An opening action, and the chance of winning with it.

    `lost_percentage_points` is how much less that is than the best act keeps, "" for nothing.
    """

    win_percent: str
    lost_percentage_points: str


@dataclass(frozen=True, slots=True)
class Attack(DuelAction):
    """An attack open to someone whose fight begins, and what it does.

    `hit_percent` is the chance that it does any damage, in percent; `mean_damage` the damage on average, and
    `attacks_needed` how many of it bring the other one down on average, "" where none ever does. `drop_percents` are
    the chances that the other one is down after one of it, two, … `ROUNDS`, in percent.
    """

    hit_percent: str
    mean_damage: str
    attacks_needed: str
    drop_percents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrderChances:
    """One order of turns: its words, the three chances in percent, its bar, and the first acts, the best first.

    `whole_percents` are the same three as whole percentages, in the same order.
    """

    order: Order
    label: str
    first: str
    second: str
    nobody: str
    whole_percents: tuple[str, str, str]
    bar: tuple[BarSegment, ...]
    openings: tuple[Opening, ...]


@dataclass(frozen=True, slots=True)
class DuelAnswer:
    """A duel: both names, a sentence for each way to begin, and the figures row by row.

    `percent_done` is the share of the work done, 0 to 100; below 100 the figures are what the chances are known to lie
    between.
    """

    first: str
    second: str
    sentences: Mapping[Order, str]
    rows: tuple[OrderChances, ...]
    percent_done: int = 100

    def format_start(self, order: Order, second: str = "") -> str:
        """How the fight starts, as the end of a sentence; `second` is who else is met, by itself the duel's second."""
        if order == "initiative":
            return "when the initiative is rolled"
        return f"when {self.first if order == 'first' else second or self.second} goes first"


def build_answer(duel: Duel, done: int = 100) -> DuelAnswer:
    """The answer of a duel, as far as it is solved."""
    sentences = {order: _format_sentence(duel, order) for order in ORDERS}
    rows = tuple(_build_row(duel, order) for order in ORDERS)
    return DuelAnswer(duel.first.name, duel.second.name, sentences, rows, 100 if duel.is_solved else done)


def _format_sentence(duel: Duel, order: Order) -> str:
    chances = duel.win_probabilities(order)
    one, other = duel.first.name, duel.second.name
    beginning = {"first": f"If {one} goes first, ", "second": f"If {other} goes first, ", "initiative": ""}[order]
    if not duel.is_solved and not (chances.first_wins.low or chances.second_wins.low):
        return "Calculating win chances …"
    if not duel.is_solved:
        often = [_format_at_least(each) for each in (chances.first_wins, chances.second_wins)]
        return f"So far: {beginning}{_join_wins((one, other), often)}."
    won, lost, rest = (each.low for each in (chances.first_wins, chances.second_wins, chances.nobody))
    if order == "second":
        one, other, won, lost = other, one, lost, won
    neither = (chances.round_percents()[2] / 100 or 2 * CERTAINTY_TOLERANCE) if rest > CERTAINTY_TOLERANCE else 0
    return f"{beginning or 'With initiative rolled, '}{_format_outcome((one, other), (won, lost), neither)}."


def _format_outcome(names: tuple[str, str], wins: tuple[float, float], neither: float) -> str:
    """Say how often each wins: `Thief wins about 13 fights in 100, Guard about 79, and about 8 have no winner`."""
    often = [format_frequency(each) for each in wins]
    if not neither:
        return _join_wins(names, often)
    last = format_frequency(neither)
    if last in _NO_WINNER:
        return f"{_join_wins(names, often)}; {_NO_WINNER[last]}"
    if is_counted := not _ADVERBS.issuperset(often):
        last = last.partition(FIGHTS_SUFFIX)[0]
    last += " has no winner" if last.startswith("about 1 ") or last == "about 1" else " have no winner"
    if is_counted and _ADVERBS.isdisjoint(often):
        return f"{_format_wins(names[0], often[0])}, {_format_wins(names[1], often[1], often[0])}, and {last}"
    return f"{_join_wins(names, often)}; {last}"


def _join_wins(names: tuple[str, str], often: Sequence[str]) -> str:
    """Say how often each of two wins: `Ann wins about 60 fights in 100 and Bo about 40`."""
    joint = " and " if _ADVERBS.isdisjoint(often) else "; "
    return f"{_format_wins(names[0], often[0])}{joint}{_format_wins(names[1], often[1], often[0])}"


def _format_wins(name: str, often: str, before: str = "") -> str:
    """Say how often a character wins; `before` is how often the other one does, where it has been said."""
    if often in _ADVERBS:
        return f"{name} {often} {'does' if before in _ADVERBS else 'wins'}"
    is_counted = bool(before) and before not in _ADVERBS
    return f"{name} {often.partition(FIGHTS_SUFFIX)[0]}" if is_counted else f"{name} wins {often}"


def _format_at_least(chance: ProbabilityRange) -> str:
    if chance.low == chance.high:
        return format_frequency(chance.low)
    return f"at least {100 * chance.low:.0f} fights in 100"


FIGHTS_SUFFIX = " fight"
"""Where the number of a chance in words ends."""

_ADVERBS = frozenset(("never", "hardly ever", "nearly always", "always"))
"""How often in words without a number."""

_NO_WINNER = {
    "hardly ever": "hardly any fight has no winner",
    "nearly always": "hardly any fight has a winner",
    "always": "no fight has a winner",
}
"""How often no one wins, where that has no number."""


def format_frequency(chance: float) -> str:
    """Write a chance, 0 to 1, in words: `about 60 fights in 100`."""
    if chance < 0.005:
        return "never" if chance <= CERTAINTY_TOLERANCE else "hardly ever"
    if chance > 0.995:
        return "always" if chance >= 1 - CERTAINTY_TOLERANCE else "nearly always"
    fights = max(1, min(99, round(100 * chance)))
    return f"about {fights} fight{'s' if fights > 1 else ''} in 100"


def _build_row(duel: Duel, order: Order) -> OrderChances:
    chances = duel.win_probabilities(order)
    one, other = duel.first.name, duel.second.name
    label = {"first": f"{one} goes first", "second": f"{other} goes first", "initiative": "Initiative rolled"}[order]
    acts = () if order == "initiative" or not duel.is_solved else _list_openings(duel, order)
    return OrderChances(
        order, label, *chances.format_percents(1), chances.format_percents(), _build_bar(chances, duel.is_solved), acts
    )


def _build_bar(chances: WinProbabilities, is_solved: bool) -> tuple[BarSegment, ...]:
    """The three parts of a bar from left to right; those of nothing are left out."""
    left = round(100 * chances.first_wins.low, 2)
    right = round(100 * (1 - chances.second_wins.low), 2)
    parts: tuple[tuple[SegmentOwner, float, float], ...] = (
        ("first", 0.0, left),
        ("nobody" if is_solved else "unknown", left, right),
        ("second", right, 100.0),
    )
    return tuple(BarSegment(who, start, round(end - start, 2)) for who, start, end in parts if end > start)


def _list_openings(duel: Duel, order: Literal["first", "second"]) -> tuple[Opening, ...]:
    """List the opening actions, the best first."""
    who = duel.first if order == "first" else duel.second
    found = []
    for choice in duel.rate_actions(duel.opening_states[order])[:MAX_OPENINGS]:
        action = choice.action
        if action is not None:
            cost = f"{100 * choice.cost:.1f}" if choice.cost >= 0.0005 else ""
            keeps, rule = f"{100 * choice.value:.1f}%", ACTION_SPECS[action.do].rule
            found.append(Opening(who.name, ACTION_TITLES[action.do], format_abilities_used(action), rule, keeps, cost))
    return tuple(found)


def format_abilities_used(action: Action) -> str:
    """What an action is done with, in words; "" for nothing."""
    used = action.to_step().get("with")
    names = [*used] if isinstance(used, (list, tuple)) else [used]
    return " and ".join(str(each) for each in names if each not in (None, "none"))


# What each attack does


def list_attacks(duel: Duel) -> tuple[Attack, ...]:
    """The attacks of both, each as if it began, those that do most first. Rules: `hp.damage`, `hp.incapacitated`."""
    pairs = (
        (duel.first, duel.second, duel.opening_states["first"]),
        (duel.second, duel.first, duel.opening_states["second"]),
    )
    return tuple(
        _build_attack(who.name, foe.hp, action, once)
        for who, foe, begun in pairs
        if not who.is_down and not foe.is_down
        for action, once in _list_best_attacks(begun, who.id, foe.id)
    )


def _list_best_attacks(begun: EncounterState, who: str, foe: str) -> list[tuple[Action, Distribution]]:
    """Each kind of attack that can hurt a foe once, with what is best added to it."""
    found: dict[str, tuple[Action, Distribution]] = {}
    for action in legal_actions(begun):
        if action.actor != who or set(action.targets) != {foe} or not ACTION_SPECS[action.do].damage:
            continue
        once = compute_damage_distribution(begun, action, foe)
        if action.do not in found or once.mean > found[action.do][1].mean:
            found[action.do] = action, once
    hurting = [each for each in found.values() if each[1].mean]
    return sorted(hurting, key=lambda each: -each[1].mean)


def _build_attack(who: str, hp: int, action: Action, once: Distribution) -> Attack:
    needed = compute_rounds_to_incapacitate(once, hp)
    down = compute_incapacitation_chances(once, hp, ROUNDS_SHOWN)[1:]
    return Attack(
        who,
        ACTION_TITLES[action.do],
        format_abilities_used(action),
        ACTION_SPECS[action.do].rule,
        _format_percent(1 - Fraction(once.counts.get(0, 0), once.total)),
        f"{float(once.mean):.2f}",
        "" if needed is None else f"{float(needed):.1f}",
        tuple(_format_percent(each) for each in down),
    )


def _format_percent(chance: Fraction) -> str:
    return f"{100 * float(chance):.0f}%"
