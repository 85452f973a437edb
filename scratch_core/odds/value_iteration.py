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
from dataclasses import dataclass, field

Row = tuple[float, float, int, float, int]
"""An act: what its ways out of the block are worth, then twice the chance of a node of the block, and that node."""

NOWHERE = ((0.0, 0), (0.0, 0))
"""In place of ways that an act hasn't."""

TOLERANCE = 1e-9
"""How far the chances of a solved game may be from the true ones."""

_BETTER = 1e-13
"""A choice is changed for one that is better by more than this: below it lies the noise of floating point."""

_NEVER = 1e-12
"""A chance of leaving no greater than this is none: the least chance of eight throws is greater."""

_TOGETHER = 40
"""Rounds of bettering both sides at once before they are bettered in turn; two or three are usual."""


@dataclass(slots=True)
class Block:
    """The nodes of a block: whether each is our choice, its acts, and the places of those acts that never leave.

    `choice` is where to begin, and ends as the acts that reach the values.
    """

    ours: list[bool] = field(default_factory=list)
    acts: list[list[Row]] = field(default_factory=list)
    staying: list[list[int]] = field(default_factory=list)
    choice: list[int] = field(default_factory=list)

    def add(self, is_ours: bool) -> tuple[list[Row], list[int]]:
        """One more node: the list of its acts, and of the places of those that never leave, to be filled."""
        acts: list[Row] = []
        staying: list[int] = []
        self.ours.append(is_ours)
        self.acts.append(acts)
        self.staying.append(staying)
        self.choice.append(0)
        return acts, staying

    def put(self, rows: list[Row], row: int, inside: Sequence[tuple[float, int]]) -> None:
        """Put the ways of an act that stay in the block into its row; those beyond the first two get further nodes."""
        first, second = (*inside, *NOWHERE)[:2]
        rows[row] = (rows[row][0], *first, *second)
        if len(inside) > 2:
            rows[row] = (rows[row][0], *first, 1.0, len(self.acts))
            self.widen(inside[1:])

    def widen(self, inside: Sequence[tuple[float, int]]) -> None:
        """One more node, which no one chooses in: the ways of an act beyond its first, two at most in each."""
        acts, staying = self.add(True)
        staying.append(0)
        further = len(self.acts)
        chance, node = inside[0]
        if len(inside) > 2:
            acts.append((0.0, chance, node, 1.0, further))
            self.widen(inside[1:])
        else:
            acts.append((0.0, chance, node, *inside[1]))


def solve(block: Block) -> list[float]:
    """The values of a block's nodes: where it is our choice the most, elsewhere the least."""
    values = _together(block)
    if values is None or any(values[node] > _NEVER for node in find_endless_nodes(block)):
        values = _in_turn(block)
    return values


def _together(block: Block) -> list[float] | None:
    nodes = [(node, mine) for node, mine in enumerate(block.ours) if len(block.acts[node]) > 1]
    for _ in range(_TOGETHER):
        values = evaluate_choices(block)
        if not _better(block, values, nodes):
            return values
    return None


def _better(block: Block, values: list[float], nodes: Iterable[tuple[int, bool]]) -> bool:
    """Change the choice of each of `nodes`, given with whether it is ours, that has a better one; whether any had."""
    choice, changed = block.choice, False
    for node, mine in nodes:
        worth = [out + c * values[i] + d * values[j] for out, c, i, d, j in block.acts[node]]
        best = max(worth) if mine else min(worth)
        if abs(best - worth[choice[node]]) > _BETTER:
            choice[node] = worth.index(best)
            changed = True
    return changed


def _in_turn(block: Block) -> list[float]:
    """Better our choices while the best answer to them leaves anything to better."""
    nodes = [(node, True) for node, mine in enumerate(block.ours) if mine]
    while True:
        values = _answered(block)
        if not _better(block, values, nodes):
            return values


def _answered(block: Block) -> list[float]:
    """What our choices are worth against the best answer to them: 0 where the other side can keep the fight going."""
    kept = find_endless_nodes(block)
    for node, act in kept.items():
        block.choice[node] = act
    nodes = [(node, False) for node, mine in enumerate(block.ours) if not mine and node not in kept]
    while True:
        values = evaluate_choices(block, kept)
        if not _better(block, values, nodes):
            return values


def find_endless_nodes(block: Block, us: bool = True) -> dict[int, int]:
    """The nodes in which the other side can keep the fight for ever against our choices, each with the act for it.

    With `us` false: in which we can, against the other side's.
    """
    left: dict[int, list[int]] = {}
    for node, staying in enumerate(block.staying):
        is_others = block.ours[node] is not us
        open_to = staying if is_others else [place for place in staying if place == block.choice[node]]
        if open_to:
            left[node] = open_to
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for node, places in list(left.items()):
            rows = block.acts[node]
            if not any(_is_within(rows[place], left) for place in places):
                del left[node]
                is_smaller = True
    return {
        node: next(place for place in places if _is_within(block.acts[node][place], left))
        for node, places in left.items()
    }


def _is_within(act: Row, nodes: Collection[int]) -> bool:
    _, c, i, d, j = act
    return (not c or i in nodes) and (not d or j in nodes)


def evaluate_choices(block: Block, nothing: Collection[int] = ()) -> list[float]:
    """The values when everyone keeps to a choice; 0 where that never ends, and in the nodes of `nothing`.

    Nodes are taken in the order in which a walk along the choices comes back from them, so that all that a node leads
    to is known by then, but for those on the way to it: a node is written in terms of these, which are few.
    """
    rows = [acts[chosen] for acts, chosen in zip(block.acts, block.choice, strict=True)]
    for node in nothing:
        rows[node] = (0.0, 0.0, 0, 0.0, 0)
    values = [0.0] * len(rows)
    for node, (alone, terms) in reversed(_walked(rows)):
        out = alone
        for after, chance in terms.items():
            out += chance * values[after]
        values[node] = out
    return values


_Terms = tuple[float, dict[int, float]]
"""What a node is worth in terms of others: a sum, and how much each of them adds."""


def _walked(rows: list[Row]) -> list[tuple[int, _Terms]]:
    """The nodes, with one act each, in the order in which a walk comes back from them."""
    entered, order = bytearray(len(rows)), list[tuple[int, _Terms]]()
    done: list[_Terms | None] = [None] * len(rows)
    for root in range(len(rows)):
        stack = [root]
        while stack:
            node = stack[-1]
            if entered[node]:
                stack.pop()
                if done[node] is None:
                    known = done[node] = _written(node, rows[node], done)
                    order.append((node, known))
                continue
            entered[node] = 1
            _, c, i, d, j = rows[node]
            if c and not entered[i]:
                stack.append(i)
            if d and not entered[j]:
                stack.append(j)
    return order


def _written(node: int, row: Row, done: Sequence[_Terms | None]) -> _Terms:
    """A node's sum in terms of nodes not come back from; one that only leads to itself is worth nothing more."""
    out, c, i, d, j = row
    terms: dict[int, float] = {}
    todo = [(c, i), (d, j)]
    while todo:
        chance, after = todo.pop()
        if not chance:
            continue
        known = done[after]
        if known is None:
            terms[after] = terms.get(after, 0.0) + chance
        else:
            out += chance * known[0]
            if known[1]:
                todo += [(chance * part, further) for further, part in known[1].items()]
    again = terms.pop(node, 0.0)
    if not again:
        return out, terms
    rest = 1.0 - again
    if rest < _NEVER:
        return 0.0, {}
    return out / rest, {after: part / rest for after, part in terms.items()}
