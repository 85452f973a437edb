"""The presentation of a duel: its result as a sentence, percentages and bars, the best openings, and the attacks."""

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
    compute_mean_rounds_to_incapacitate,
)
from scratch_core.rulebook.actions import ACTION_SPECS

CERTAINTY_TOLERANCE = 10 * TOLERANCE
"""The difference from 0 or 1 within which a chance is called `never` or `always`."""

MAX_OPENINGS = 10
"""The most opening actions that are listed, the best first."""

ROUNDS_SHOWN = 5
"""The most repetitions of an attack for which the chance of an incapacitated target is listed."""

SegmentOwner = Literal["first", "nobody", "unknown", "second"]
"""What a segment of a bar shows: a duelist's wins, fights without a winner, or chances that are still unknown."""


@dataclass(frozen=True, slots=True)
class BarSegment:
    """A segment of a bar."""

    owner: SegmentOwner
    """What the segment shows."""
    start: float
    """Where it starts, in percent of the bar from the left."""
    width: float
    """Its width, in percent of the bar."""


@dataclass(frozen=True, slots=True)
class DuelAction:
    """An action that a duelist may choose."""

    actor_name: str
    """The actor's name."""
    title: str
    """The action's title."""
    ability_text: str
    """The abilities it uses, in words; "" for none."""
    rule: str
    """The id of the action's rule."""


@dataclass(frozen=True, slots=True)
class Opening(DuelAction):
    """An opening action and the win chance with it."""

    win_percent: str
    """The win chance after the action, in percent."""
    lost_percentage_points: str
    """How many percentage points less that is than with the best action; "" for none."""


@dataclass(frozen=True, slots=True)
class Attack(DuelAction):
    """An attack that is available at the start of the duel, and what it does."""

    hit_percent: str
    """The chance that it does any damage, in percent."""
    mean_damage: str
    """The mean damage, in hit points."""
    attacks_needed: str
    """The mean number of these attacks that incapacitates the target; "" if no number does."""
    drop_percents: tuple[str, ...]
    """The chances that the target is incapacitated after 1 to `ROUNDS_SHOWN` of these attacks, in percent."""


@dataclass(frozen=True, slots=True)
class OrderChances:
    """The chances of a duel by who goes first."""

    order: Order
    """Who goes first."""
    label: str
    """Who goes first, in words."""
    first: str
    """The first duelist's win chance in percent, with a decimal, or its bounds."""
    second: str
    """The second duelist's win chance in percent, with a decimal, or its bounds."""
    nobody: str
    """The chance of no winner in percent, with a decimal, or its bounds."""
    whole_percents: tuple[str, str, str]
    """The same three chances as whole percentages."""
    bar: tuple[BarSegment, ...]
    """The chances as the segments of a bar, from left to right."""
    openings: tuple[Opening, ...]
    """The opening actions, the best first. Empty until the duel is solved, and if initiative is rolled."""


@dataclass(frozen=True, slots=True)
class DuelAnswer:
    """The chances of a duel, as far as it is solved."""

    first: str
    """The first duelist's name."""
    second: str
    """The second duelist's name."""
    sentences: Mapping[Order, str]
    """The result as a sentence, by who goes first."""
    rows: tuple[OrderChances, ...]
    """The chances, by who goes first."""
    percent_done: int = 100
    """The share of the work done, 0 to 100. Below 100, the chances are bounds."""

    def format_who_goes_first(self, order: Order, opponent_name: str = "") -> str:
        """Format who goes first, as the end of a sentence.

        `opponent_name` is another opponent in place of the second duelist.
        """
        if order == "initiative":
            return "when the initiative is rolled"
        return f"when {self.first if order == 'first' else opponent_name or self.second} goes first"


def build_answer(duel: Duel, percent_done: int = 100) -> DuelAnswer:
    """Build the answer of a duel, as far as it is solved.

    `percent_done` is the share of the work done; it counts until the duel is solved.
    """
    sentences = {order: _format_result_or_bounds(duel, order) for order in ORDERS}
    rows = tuple(_build_order_chances(duel, order) for order in ORDERS)
    return DuelAnswer(duel.first.name, duel.second.name, sentences, rows, 100 if duel.is_solved else percent_done)


def _format_result_or_bounds(duel: Duel, order: Order) -> str:
    """Format the result of a duel, or its bounds, as a sentence."""
    chances = duel.win_probabilities(order)
    one, other = duel.first.name, duel.second.name
    beginning = {"first": f"If {one} goes first, ", "second": f"If {other} goes first, ", "initiative": ""}[order]
    if not duel.is_solved and not (chances.first_wins.low or chances.second_wins.low):
        return "Calculating win chances …"
    if not duel.is_solved:
        frequencies = [_format_at_least(each) for each in (chances.first_wins, chances.second_wins)]
        return f"So far: {beginning}{_join_wins((one, other), frequencies)}."
    won, lost, rest = (each.low for each in (chances.first_wins, chances.second_wins, chances.nobody))
    if order == "second":
        one, other, won, lost = other, one, lost, won
    no_winner = (chances.round_percents()[2] / 100 or 2 * CERTAINTY_TOLERANCE) if rest > CERTAINTY_TOLERANCE else 0
    return f"{beginning or 'With initiative rolled, '}{_format_outcome((one, other), (won, lost), no_winner)}."


def _format_outcome(names: tuple[str, str], wins: tuple[float, float], no_winner: float) -> str:
    """Format how often each duelist wins, and how often there is no winner.

    Returns a text such as `Thief wins about 13 fights in 100, Guard about 79, and about 8 have no winner`.
    """
    frequencies = [format_frequency(each) for each in wins]
    if not no_winner:
        return _join_wins(names, frequencies)
    rest = format_frequency(no_winner)
    if rest in _NO_WINNER:
        return f"{_join_wins(names, frequencies)}; {_NO_WINNER[rest]}"
    if has_number := not _ADVERBS.issuperset(frequencies):
        rest = rest.partition(FIGHTS_SUFFIX)[0]
    rest += " has no winner" if rest.startswith("about 1 ") or rest == "about 1" else " have no winner"
    if has_number and _ADVERBS.isdisjoint(frequencies):
        first, second = frequencies
        return f"{_format_wins(names[0], first)}, {_format_wins(names[1], second, first)}, and {rest}"
    return f"{_join_wins(names, frequencies)}; {rest}"


def _join_wins(names: tuple[str, str], frequencies: Sequence[str]) -> str:
    """Format how often each duelist wins.

    Returns a text such as `Ann wins about 60 fights in 100 and Bo about 40`.
    """
    joint = " and " if _ADVERBS.isdisjoint(frequencies) else "; "
    first, second = frequencies
    return f"{_format_wins(names[0], first)}{joint}{_format_wins(names[1], second, first)}"


def _format_wins(name: str, frequency: str, previous: str = "") -> str:
    """Format how often a duelist wins.

    `previous` is the frequency in the first half of the sentence, if there is one, so that its words aren't repeated.
    """
    if frequency in _ADVERBS:
        return f"{name} {frequency} {'does' if previous in _ADVERBS else 'wins'}"
    is_unit_known = bool(previous) and previous not in _ADVERBS
    return f"{name} {frequency.partition(FIGHTS_SUFFIX)[0]}" if is_unit_known else f"{name} wins {frequency}"


def _format_at_least(chance: ProbabilityRange) -> str:
    """Format the lower bound of a chance as a frequency.

    Formats the chance itself if it is exact.
    """
    if chance.low == chance.high:
        return format_frequency(chance.low)
    return f"at least {100 * chance.low:.0f} fights in 100"


FIGHTS_SUFFIX = " fight"
"""The text after the number of a frequency."""

_ADVERBS = frozenset(("never", "hardly ever", "nearly always", "always"))
"""The frequencies without a number."""

_NO_WINNER = {
    "hardly ever": "hardly any fight has no winner",
    "nearly always": "hardly any fight has a winner",
    "always": "no fight has a winner",
}
"""The sentences about fights without a winner, by a frequency without a number."""


def format_frequency(chance: float) -> str:
    """Format a chance, 0 to 1, as a frequency: `about 60 fights in 100`, `never`."""
    if chance < 0.005:
        return "never" if chance <= CERTAINTY_TOLERANCE else "hardly ever"
    if chance > 0.995:
        return "always" if chance >= 1 - CERTAINTY_TOLERANCE else "nearly always"
    fights = max(1, min(99, round(100 * chance)))
    return f"about {fights} fight{'s' if fights > 1 else ''} in 100"


def _build_order_chances(duel: Duel, order: Order) -> OrderChances:
    """Build the chances for one order."""
    chances = duel.win_probabilities(order)
    one, other = duel.first.name, duel.second.name
    label = {"first": f"{one} goes first", "second": f"{other} goes first", "initiative": "Initiative rolled"}[order]
    openings = () if order == "initiative" or not duel.is_solved else _list_openings(duel, order)
    bar = _build_bar(chances, duel.is_solved)
    return OrderChances(order, label, *chances.format_percents(1), chances.format_percents(), bar, openings)


def _build_bar(chances: WinProbabilities, is_solved: bool) -> tuple[BarSegment, ...]:
    """Build the segments of a bar from left to right.

    Leaves out segments without a width.
    """
    left = round(100 * chances.first_wins.low, 2)
    right = round(100 * (1 - chances.second_wins.low), 2)
    segments: tuple[tuple[SegmentOwner, float, float], ...] = (
        ("first", 0.0, left),
        ("nobody" if is_solved else "unknown", left, right),
        ("second", right, 100.0),
    )
    return tuple(BarSegment(owner, start, round(end - start, 2)) for owner, start, end in segments if end > start)


def _list_openings(duel: Duel, order: Literal["first", "second"]) -> tuple[Opening, ...]:
    """List at most `MAX_OPENINGS` opening actions of a solved duel, the best first."""
    actor = duel.first if order == "first" else duel.second
    openings = []
    for choice in duel.rank_actions(duel.opening_states[order])[:MAX_OPENINGS]:
        action = choice.action
        if action is not None:
            lost_points = f"{100 * choice.cost:.1f}" if choice.cost >= 0.0005 else ""
            win_percent, rule = f"{100 * choice.value:.1f}%", ACTION_SPECS[action.do].rule
            title, ability_text = ACTION_TITLES[action.do], format_abilities_used(action)
            openings.append(Opening(actor.name, title, ability_text, rule, win_percent, lost_points))
    return tuple(openings)


def format_abilities_used(action: Action) -> str:
    """Format the abilities that an action uses, joined by *and*.

    Returns "" for none.
    """
    used = action.to_step().get("with")
    names = [*used] if isinstance(used, (list, tuple)) else [used]
    return " and ".join(str(each) for each in names if each not in (None, "none"))


# What each attack does


def list_best_attacks_of_both(duel: Duel) -> tuple[Attack, ...]:
    """List the attacks of both duelists, the first duelist's first.

    The attacks are those available to a duelist who goes first, in the order of their mean damage. A duelist who is
    incapacitated has none, and no one attacks such a duelist. Rules: `hp.damage`, `hp.incapacitated`.
    """
    pairs = (
        (duel.first, duel.second, duel.opening_states["first"]),
        (duel.second, duel.first, duel.opening_states["second"]),
    )
    return tuple(
        _build_attack(actor.name, target.hp, action, damage)
        for actor, target, begun in pairs
        if not actor.is_down and not target.is_down
        for action, damage in _list_best_attack_variants(begun, actor.id, target.id)
    )


def _list_best_attack_variants(begun: EncounterState, actor: str, target: str) -> list[tuple[Action, Distribution]]:
    """List the best variant of each attack, with the distribution of its damage.

    The variant with the highest mean damage is the best. Leaves out attacks without damage. The attack with the highest
    mean comes first.
    """
    best: dict[str, tuple[Action, Distribution]] = {}
    for action in legal_actions(begun):
        if action.actor != actor or set(action.targets) != {target} or not ACTION_SPECS[action.do].damage:
            continue
        damage = compute_damage_distribution(begun, action, target)
        if action.do not in best or damage.mean > best[action.do][1].mean:
            best[action.do] = action, damage
    harmful = [each for each in best.values() if each[1].mean]
    return sorted(harmful, key=lambda each: -each[1].mean)


def _build_attack(actor_name: str, hp: int, action: Action, damage: Distribution) -> Attack:
    """Build an attack on a target with `hp` hit points."""
    needed = compute_mean_rounds_to_incapacitate(damage, hp)
    drop_chances = compute_incapacitation_chances(damage, hp, ROUNDS_SHOWN)[1:]
    return Attack(
        actor_name,
        ACTION_TITLES[action.do],
        format_abilities_used(action),
        ACTION_SPECS[action.do].rule,
        _format_whole_percent(1 - Fraction(damage.counts.get(0, 0), damage.total)),
        f"{float(damage.mean):.2f}",
        "" if needed is None else f"{float(needed):.1f}",
        tuple(_format_whole_percent(each) for each in drop_chances),
    )


def _format_whole_percent(chance: Fraction) -> str:
    return f"{100 * float(chance):.0f}%"
