"""What each node of a small game is worth to one side: the chance that it wins whatever the other does.

A block is a set of nodes from which play either leaves, for places whose worth is known, or goes on within. A fight
that stays in it for ever counts as not won, so the values are the least that satisfy the equations of best choices.

They are found by bettering choices, not by sweeping values: against each choice of ours the other side's best answer
is worked out, with the set of nodes in which it can keep the fight for ever counted as 0, and ours are bettered while
they can be. Where nothing can be bettered the choices prove the value: ours that it is no less, the other's that it is
no more. Bettering both sides at once is tried first, for it is faster and mostly ends at the same place; it may end at
a wrong one where a fight can be kept going, which is why its answer is held against that set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

Inside = tuple[tuple[float, int], ...]
"""The ways of an act that stay in the block: chance and node."""

Row = tuple[float, Inside]
"""An act: what its ways out of the block are worth, and the ways that stay."""

TOLERANCE = 1e-9
"""How far the chances of a solved game may be from the true ones."""

_BETTER = 1e-13
"""A choice is changed for one that is better by more than this: below it lies the noise of floating point."""

_NEVER = 1e-12
"""A chance of leaving no greater than this is none: the least chance of eight throws is greater."""

_TOGETHER = 40
"""Rounds of bettering both sides at once before they are bettered in turn; three or four are usual."""


def solve(ours: Sequence[bool], rows: Sequence[Sequence[Row]], choice: list[int]) -> list[float]:
    """The values of a block's nodes; `choice`, where to begin, ends as the acts that reach them.

    `ours` says whose choice each node is: ours takes the most, the other side the least.
    """
    values = _together(ours, rows, choice)
    if values is None or any(values[node] > _NEVER for node in kept_by_other(ours, rows, choice)):
        values = _in_turn(ours, rows, choice)
    return values


def _together(ours: Sequence[bool], rows: Sequence[Sequence[Row]], choice: list[int]) -> list[float] | None:
    for _ in range(_TOGETHER):
        values = chain(rows, choice)
        if not _better(rows, choice, values, enumerate(ours)):
            return values
    return None


def _better(
    rows: Sequence[Sequence[Row]], choice: list[int], values: list[float], nodes: Iterable[tuple[int, bool]]
) -> bool:
    """Change the choice of each of `nodes`, given with whether it is ours, that has a better one; whether any had."""
    changed = False
    for node, mine in nodes:
        acts = rows[node]
        if len(acts) == 1:
            continue
        worth = [out + sum([chance * values[after] for chance, after in inside]) for out, inside in acts]
        best = max(worth) if mine else min(worth)
        if abs(best - worth[choice[node]]) > _BETTER:
            choice[node] = worth.index(best)
            changed = True
    return changed


def _in_turn(ours: Sequence[bool], rows: Sequence[Sequence[Row]], choice: list[int]) -> list[float]:
    """Better our choices while the best answer to them leaves anything to better."""
    nodes = [(node, True) for node, mine in enumerate(ours) if mine]
    while True:
        values = _answered(ours, rows, choice)
        if not _better(rows, choice, values, nodes):
            return values


def _answered(ours: Sequence[bool], rows: Sequence[Sequence[Row]], choice: list[int]) -> list[float]:
    """What our choices are worth against the best answer to them: 0 where the other side can keep the fight going."""
    kept = kept_by_other(ours, rows, choice)
    for node, act in kept.items():
        choice[node] = act
    nodes = [(node, False) for node, mine in enumerate(ours) if not mine and node not in kept]
    while True:
        values = chain(rows, choice, kept)
        if not _better(rows, choice, values, nodes):
            return values


def kept_by_other(ours: Sequence[bool], rows: Sequence[Sequence[Row]], choice: Sequence[int]) -> dict[int, int]:
    """The nodes in which the other side can keep the fight for ever against our choices, each with the act for it."""
    staying = [
        [place for place in ((choice[node],) if ours[node] else range(len(acts))) if stays(acts[place])]
        for node, acts in enumerate(rows)
    ]
    left = {node: acts for node, acts in enumerate(staying) if acts}
    while True:
        still: dict[int, list[int]] = {}
        for node, places in left.items():
            kept = [place for place in places if all(after in left for _, after in rows[node][place][1])]
            if kept:
                still[node] = kept
        if len(still) == len(left):
            return {node: places[0] for node, places in still.items()}
        left = still


def stays(act: Row) -> bool:
    """Whether an act never leaves the block."""
    return abs(1 - sum([chance for chance, _ in act[1]])) < _NEVER


def chain(rows: Sequence[Sequence[Row]], choice: Sequence[int], nothing: Collection[int] = ()) -> list[float]:
    """The values when everybody keeps to a choice; 0 where that never ends, and in the nodes of `nothing`.

    Each node is written in terms of those after it, and the sums are filled in from the last to the first.
    """
    solved: list[tuple[float, dict[int, float]]] = []
    for node, acts in enumerate(rows):
        if node in nothing:
            solved.append((0.0, {}))
            continue
        out, inside = acts[choice[node]]
        terms: dict[int, float] = {}
        for chance, after in inside:
            terms[after] = terms.get(after, 0.0) + chance
        solved.append(_reduced(node, out, terms, solved))
    values = [0.0] * len(rows)
    for node in range(len(rows) - 1, -1, -1):
        out, terms = solved[node]
        for after, chance in terms.items():
            out += chance * values[after]
        values[node] = out
    return values


def _reduced(
    node: int, out: float, terms: dict[int, float], solved: Sequence[tuple[float, dict[int, float]]]
) -> tuple[float, dict[int, float]]:
    """A node's sum without itself and the nodes before it."""
    while terms:
        first = min(terms)
        if first > node:
            break
        chance = terms.pop(first)
        if first == node:
            rest = 1.0 - chance
            if rest < _NEVER:
                return 0.0, {}
            out /= rest
            for after in terms:
                terms[after] /= rest
            break
        more, further = solved[first]
        out += chance * more
        for after, part in further.items():
            terms[after] = terms.get(after, 0.0) + chance * part
    return out, terms
