"""Policy iteration on a small game: for each node the chance that a side wins against any play.

A block is a set of nodes from which play either leaves, to places of known value, or continues within. A fight that
stays in it for ever counts as not won, so the values are the least solution of the equations of best choices.

They are found by improving choices, not by sweeping values. For each choice of ours, the other side's best answer is
computed; the nodes where it can continue the fight for ever count as 0. Our choices are improved while possible. When
no choice can be improved, the choices prove the value: ours that it is no less, the other side's that it is no more.
Improving both sides at once is tried first, because it is faster and mostly ends at the same result. It may end at a
wrong result if a fight can be continued for ever, so its result is checked against those nodes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

Row = tuple[float, float, int, float, int]
"""An action: the value of its outcomes that leave the block, then chance and node of up to two outcomes within it."""

NOWHERE = ((0.0, 0), (0.0, 0))
"""Padding for missing outcomes."""

TOLERANCE = 1e-9
"""The maximum error of the chances of a solved game."""

_MIN_IMPROVEMENT = 1e-13
"""The minimum improvement that changes a choice; smaller ones may be rounding errors."""

_MIN_CHANCE = 1e-12
"""The minimum chance of leaving that counts as above 0; the least chance of eight rolls is greater."""

_MAX_JOINT_ROUNDS = 40
"""The maximum number of rounds of improving both sides at once, before they take turns; two or three are usual."""


@dataclass(slots=True)
class Block:
    """The nodes of a block."""

    ours: list[bool] = field(default_factory=list)
    """For each node, whether the choice is ours."""
    acts: list[list[Row]] = field(default_factory=list)
    """The actions of each node."""
    staying: list[list[int]] = field(default_factory=list)
    """For each node, the indices of its actions that never leave the block."""
    choice: list[int] = field(default_factory=list)
    """For each node, the index of an action to start with; after `solve`, the index of a best action."""

    def append_node(self, is_ours: bool) -> tuple[list[Row], list[int]]:
        """Append a node and return its lists of actions and of staying actions.

        The caller fills both lists.
        """
        acts: list[Row] = []
        staying: list[int] = []
        self.ours.append(is_ours)
        self.acts.append(acts)
        self.staying.append(staying)
        self.choice.append(0)
        return acts, staying

    def set_inside_outcomes(self, rows: list[Row], row: int, inside: Sequence[tuple[float, int]]) -> None:
        """Set the outcomes of an action that stay in the block in its row.

        Those beyond the first two go to additional nodes.
        """
        first, second = (*inside, *NOWHERE)[:2]
        rows[row] = (rows[row][0], *first, *second)
        if len(inside) > 2:
            rows[row] = (rows[row][0], *first, 1.0, len(self.acts))
            self.append_overflow_nodes(inside[1:])

    def append_overflow_nodes(self, outcomes_in_block: Sequence[tuple[float, int]]) -> None:
        """Append a node without a choice for the further outcomes of an action.

        Each such node takes at most two outcomes.
        """
        acts, staying = self.append_node(True)
        staying.append(0)
        further = len(self.acts)
        chance, node = outcomes_in_block[0]
        if len(outcomes_in_block) > 2:
            acts.append((0.0, chance, node, 1.0, further))
            self.append_overflow_nodes(outcomes_in_block[1:])
        else:
            acts.append((0.0, chance, node, *outcomes_in_block[1]))


def solve_block(block: Block) -> list[float]:
    """Solve a block and return the values of its nodes.

    Our choices maximize the value, the others minimize it.
    """
    values = _solve_by_joint_improvement(block)
    if values is None or any(values[node] > _MIN_CHANCE for node in map_endless_nodes_to_actions(block)):
        values = _solve_by_alternating_sides(block)
    return values


def _solve_by_joint_improvement(block: Block) -> list[float] | None:
    """Improve the choices of both sides at once.

    Returns None if the rounds are used up.
    """
    nodes = [(node, mine) for node, mine in enumerate(block.ours) if len(block.acts[node]) > 1]
    for _ in range(_MAX_JOINT_ROUNDS):
        values = evaluate_nodes_under_choices(block)
        if not _improve_choices_of_nodes(block, values, nodes):
            return values
    return None


def _improve_choices_of_nodes(
    block: Block, values: list[float], nodes_and_ownership: Iterable[tuple[int, bool]]
) -> int:
    """Change each choice of `nodes_and_ownership` that has a better action.

    `nodes_and_ownership` are given with whether the choice is ours. Returns how many choices have changed.
    """
    choice, changes = block.choice, 0
    for node, mine in nodes_and_ownership:
        worth = [out + c * values[i] + d * values[j] for out, c, i, d, j in block.acts[node]]
        best = max(worth) if mine else min(worth)
        if abs(best - worth[choice[node]]) > _MIN_IMPROVEMENT:
            choice[node] = worth.index(best)
            changes += 1
    return changes


def _solve_by_alternating_sides(block: Block) -> list[float]:
    """Improve our choices against the best answer while possible."""
    nodes = [(node, True) for node, mine in enumerate(block.ours) if mine]
    while True:
        values = _evaluate_against_best_answer(block)
        if not _improve_choices_of_nodes(block, values, nodes):
            return values


def _evaluate_against_best_answer(block: Block) -> list[float]:
    """Return the values of our choices against the best answer to them.

    They are 0 where the other side can continue the fight for ever.
    """
    endless = map_endless_nodes_to_actions(block)
    for node, act in endless.items():
        block.choice[node] = act
    nodes = [(node, False) for node, mine in enumerate(block.ours) if not mine and node not in endless]
    while True:
        values = evaluate_nodes_under_choices(block, endless)
        if not _improve_choices_of_nodes(block, values, nodes):
            return values


def map_endless_nodes_to_actions(block: Block, is_against_us: bool = True) -> dict[int, int]:
    """Find the nodes where the other side can continue the fight for ever.

    Returns the action that does so for each node, against our choices. With `is_against_us` False, it finds the nodes
    where we can, against the other side's choices.
    """
    left: dict[int, list[int]] = {}
    for node, staying in enumerate(block.staying):
        is_others = block.ours[node] is not is_against_us
        places = staying if is_others else [place for place in staying if place == block.choice[node]]
        if places:
            left[node] = places
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for node, places in list(left.items()):
            rows = block.acts[node]
            if not any(_has_inside_outcomes_only_among(rows[place], left) for place in places):
                del left[node]
                is_smaller = True
    return {
        node: next(place for place in places if _has_inside_outcomes_only_among(block.acts[node][place], left))
        for node, places in left.items()
    }


def _has_inside_outcomes_only_among(row: Row, nodes: Collection[int]) -> bool:
    """Return whether all outcomes of an action that stay in the block are among `nodes`."""
    _, c, i, d, j = row
    return (not c or i in nodes) and (not d or j in nodes)


def evaluate_nodes_under_choices(block: Block, worthless: Collection[int] = ()) -> list[float]:
    """Return the values if both sides follow their choices.

    They are 0 where the fight then never ends, and in the nodes of `worthless`. Nodes are evaluated in the order in
    which a depth-first walk along the choices leaves them. All successors of a node are known by then, except for those
    on the path to it; the node is expressed in terms of these, which are few.
    """
    rows = [acts[chosen] for acts, chosen in zip(block.acts, block.choice, strict=True)]
    for node in worthless:
        rows[node] = (0.0, 0.0, 0, 0.0, 0)
    values = [0.0] * len(rows)
    for node, (constant, terms) in reversed(_express_nodes_in_exit_order(rows)):
        out = constant
        for after, chance in terms.items():
            out += chance * values[after]
        values[node] = out
    return values


_Terms = tuple[float, dict[int, float]]
"""The value of a node in terms of others: a constant, and the factor of each other node."""


def _express_nodes_in_exit_order(rows: list[Row]) -> list[tuple[int, _Terms]]:
    """List the nodes in the order in which a depth-first walk leaves them.

    Each node has one action.
    """
    entered, order = bytearray(len(rows)), list[tuple[int, _Terms]]()
    done: list[_Terms | None] = [None] * len(rows)
    for root in range(len(rows)):
        stack = [root]
        while stack:
            node = stack[-1]
            if entered[node]:
                stack.pop()
                if done[node] is None:
                    known = done[node] = _express_in_open_nodes(node, rows[node], done)
                    order.append((node, known))
                continue
            entered[node] = 1
            _, c, i, d, j = rows[node]
            if c and not entered[i]:
                stack.append(i)
            if d and not entered[j]:
                stack.append(j)
    return order


def _express_in_open_nodes(node: int, row: Row, terms_by_node: Sequence[_Terms | None]) -> _Terms:
    """Express a node's value in terms of nodes on the path to it.

    A node that only leads to itself is worth nothing.
    """
    out, c, i, d, j = row
    terms: dict[int, float] = {}
    todo = [(c, i), (d, j)]
    while todo:
        chance, after = todo.pop()
        if not chance:
            continue
        known = terms_by_node[after]
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
    if rest < _MIN_CHANCE:
        return 0.0, {}
    return out / rest, {after: part / rest for after, part in terms.items()}
