"""The moments laid over all hit points, and the whole game's values.

A *layer* is one combination of everyone's hit points and acts used up; what may be done in it depends on conditions
and acts alone, so one *cell* of the moments serves many layers. Play goes from layer to layer and, healing aside, never
back; layers between which it goes back and forth make up a *block*. Blocks are solved one after the other, each after
all that it leads to, for both sides: what the one can make sure of, and what the other can.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from scratch_core.odds.game_graph import Change, Conditions, GameAction, GameGraph, encode_winner
from scratch_core.odds.value_iteration import NOWHERE, Block, Row, find_endless_nodes, solve

Layer = tuple[tuple[int, ...], int]
"""Everyone's hit points in the file's order, and the bits of the acts used up."""

Jump = tuple[Change, int]
"""What leads from a layer to another: a change of hit points, and the bit of an act used up."""


_Wide = tuple[list[Row], int, list[tuple[float, int]]]
"""An act with other ways that stay in a block than its row has: its node's rows, its place, and all those ways."""


@dataclass(frozen=True, slots=True)
class CellAction:
    """An act in a cell: its bit, what its ways to an end are worth, and its other ways.

    `stays` are the ways that change neither hit points nor acts used up: chance and node; `pair` are the first two of
    them as in a `Row`. `leaves` are the others: chance, number of the jump, core after it. `ends` says whether it may
    end the fight.
    """

    once: int
    ended: float
    ends: bool
    stays: tuple[tuple[float, int], ...]
    pair: tuple[float, int, float, int]
    leaves: tuple[tuple[float, int, int], ...]


@dataclass(slots=True)
class Cell:
    """The nodes of one combination of conditions: whether each is our choice, and its acts.

    `place` gives for each core the node it leads to or, beyond the last node, an end: not ours, or ours. `choices` are
    the acts chosen in the layer solved last. `once` are the bits of all acts that can be used up.
    """

    ours: list[bool]
    acts: list[tuple[CellAction, ...]]
    place: list[int]
    jumps: list[Jump]
    choices: list[int]
    once: int = 0
    forms: dict[int, LayerBlock] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Take together the bits of all acts that can be used up."""
        for acts in self.acts:
            for act in acts:
                self.once |= act.once

    def form(self, used: int) -> LayerBlock:
        """The form of a layer in which this has been used up."""
        known = used & self.once
        if known not in self.forms:
            self.forms[known] = _form(self, known)
        return self.forms[known]


@dataclass(frozen=True, slots=True)
class LayerBlock:
    """The block of a layer that makes up a block by itself; layers with one cell and the same used up share it.

    All but what leads out of the layer stands in it once and for all. `leading` are the acts that lead out: their
    node and row, what their ends are worth, their ways out, and the rest of the row. `places` are those of the acts
    that are not used up, node by node, `jumps` those that such acts can make.
    """

    block: Block
    places: list[list[int]]
    jumps: set[int]
    leading: list[tuple[list[Row], int, float, tuple[tuple[float, int, int], ...], tuple[float, int, float, int]]]

    def fill(self, worth: list[list[float]]) -> Block:
        """The block of a layer whose jumps are worth this, core by core."""
        for rows, row, ended, leaves, pair in self.leading:
            out = ended
            for chance, jump, core in leaves:
                out += chance * worth[jump][core]
            rows[row] = (out, *pair)
        return self.block


def _form(cell: Cell, used: int) -> LayerBlock:
    form = LayerBlock(Block(), [], set(), [])
    wide: list[_Wide] = []
    for mine, acts, last in zip(cell.ours, cell.acts, cell.choices, strict=True):
        rows, staying = form.block.add(mine)
        places = [place for place, act in enumerate(acts) if not act.once & used]
        for row, place in enumerate(places):
            act = acts[place]
            if not act.ends and not act.leaves:
                staying.append(row)
            if len(act.stays) > 2:
                wide.append((rows, row, [*act.stays]))
            rows.append((act.ended, *act.pair))
            form.jumps.update(jump for _, jump, _ in act.leaves)
        form.block.choice[-1] = places.index(last) if last in places else 0
        form.places.append(places)
    for each in wide:
        form.block.put(*each)
    for rows, acts, places in zip(form.block.acts, cell.acts, form.places, strict=False):
        form.leading.extend(
            (rows, row, acts[place].ended, acts[place].leaves, rows[row][1:])
            for row, place in enumerate(places)
            if acts[place].leaves
        )
    return form


_A_FEW = 200
"""Layers found between two pauses: about a millisecond."""


class Layers:
    """The layers that may come up, and what every core is worth in each to one side, `us`, once it is solved.

    All moments have been explored. `is_certain` says whether no fight can be kept going by anyone who plays well:
    then, with no escapes, what is not ours is the other side's.
    """

    def __init__(self, moments: GameGraph, us: int) -> None:
        self.moments = moments
        self.us = us
        self.is_certain = True
        self.worth: dict[Layer, list[float]] = {}
        self._cells: dict[Conditions, Cell] = {}
        self._conditions: dict[tuple[int, ...], Conditions] = {}
        self._to: dict[Layer, list[Layer]] = {}

    def conditions(self, layer: Layer) -> Conditions:
        """Everyone's condition in a layer."""
        found = self._conditions.get(layer[0])
        if found is None:
            found = self._conditions[layer[0]] = self.moments.conditions(layer[0])
        return found

    # Cells

    def cell(self, conditions: Conditions) -> Cell:
        """The nodes of some conditions."""
        if not self._cells:
            self._make_cells()
        if conditions not in self._cells:
            self._cells[conditions] = self._made(conditions, [], {})
        return self._cells[conditions]

    def _make_cells(self) -> None:
        nodes: dict[Conditions, list[int]] = {}
        settled: dict[Conditions, dict[int, int]] = {}
        for core, conditions in self.moments.reached[self.us]:
            nodes.setdefault(conditions, []).append(core)
        for (core, conditions), after in self.moments.settled.items():
            settled.setdefault(conditions, {})[core] = after
        for conditions, leads in settled.items():
            self._cells[conditions] = self._made(conditions, nodes.get(conditions, []), leads)

    def _made(self, conditions: Conditions, nodes: list[int], settled: dict[int, int]) -> Cell:
        moments, count = self.moments, len(nodes)
        number = {core: node for node, core in enumerate(nodes)}
        ours = encode_winner(self.us)
        place = [count] * len(moments.cores)
        for core, node in number.items():
            place[core] = node
        for core, after in settled.items():
            place[core] = number.get(after, count) if after >= 0 else count + (after == ours)
        jumps: dict[Jump, int] = {}
        acts = [
            tuple(self._in_cell(act, count, place, jumps) for act in moments.acts(core, conditions, self.us))
            for core in nodes
        ]
        mine = [moments.side_of[moments.menus[core, conditions].seat] == self.us for core in nodes]
        return Cell(mine, acts, place, list(jumps), [0] * count)

    def _in_cell(self, act: GameAction, nodes: int, place: list[int], jumps: dict[Jump, int]) -> CellAction:
        ended, ends = 0.0, False
        stays: list[tuple[float, int]] = []
        leaves: list[tuple[float, int, int]] = []
        for chance, cores, change in act.ways:
            core = cores[self.us]
            if change or act.once:
                leaves.append((chance, jumps.setdefault((change, act.once), len(jumps)), core))
            elif place[core] < nodes:
                stays.append((chance, place[core]))
            else:
                ends = True
                ended += chance * (place[core] - nodes)
        first, second = (*stays, *NOWHERE)[:2]
        return CellAction(act.once, ended, ends, tuple(stays), (*first, *second), tuple(leaves))

    # Which layers there are

    def find(self, starts: list[Layer], found: dict[Layer, list[Layer]]) -> Iterator[None]:
        """Find the layers that may come up, each with those that lie one jump away; it pauses now and then."""
        todo = list(starts)
        while todo:
            layer = todo.pop()
            if layer not in found:
                to = self._to[layer] = [apply_jump(layer, jump) for jump in self.cell(self.conditions(layer)).jumps]
                further = {*to} - {layer}
                found[layer] = list(further)
                todo += further
                if len(found) % _A_FEW == 0:
                    yield

    # Values

    def solve(self, starts: list[Layer]) -> Iterator[float]:
        """Solve every layer; it pauses after each block, with the share that is done."""
        found: dict[Layer, list[Layer]] = {}
        for _ in self.find(starts, found):
            yield 0.0
        blocks = ordered_blocks(found)
        total, done = sum(map(len, blocks)), 0
        for block in blocks:
            if not (len(block) == 1 and self._solve_alone(block[0])):
                self._solve_block(block)
            done += len(block)
            yield done / total

    def _solve_block(self, layers: list[Layer]) -> None:
        cells = [self.cell(self.conditions(layer)) for layer in layers]
        begins = dict(zip(layers, accumulate((len(cell.acts) for cell in cells), initial=0), strict=False))
        block = Block()
        wide: list[_Wide] = []
        places: list[list[int]] = []
        for layer, cell in zip(layers, cells, strict=True):
            places += self._add_nodes(block, layer, cell, begins, wide)
        for each in wide:
            block.put(*each)
        values = self._values(block)
        for layer, cell in zip(layers, cells, strict=True):
            start = begins[layer]
            stop = start + len(cell.acts)
            self._keep(layer, cell, places[start:stop], block.choice[start:stop], values[start:stop])

    def _solve_alone(self, layer: Layer) -> bool:
        """Solve a layer that makes up a block by itself; whether it is one: no jump leads from it to itself."""
        cell = self.cell(self.conditions(layer))
        form = cell.form(layer[1])
        worth = [self.worth.get(each, []) for each in self._to[layer]]
        if not all(worth[jump] for jump in form.jumps):
            return False
        block = form.fill(worth)
        values, nodes = self._values(block), len(cell.acts)
        self._keep(layer, cell, form.places, block.choice[:nodes], values[:nodes])
        return True

    def _values(self, block: Block) -> list[float]:
        values = solve(block) if block.acts else []
        if not self.moments.runs and self.is_certain:
            self.is_certain = not find_endless_nodes(block) and not find_endless_nodes(block, False)
        return values

    def _keep(self, layer: Layer, cell: Cell, places: list[list[int]], choice: list[int], values: list[float]) -> None:
        """Keep what every core of a layer is worth, and what has been chosen in it."""
        cell.choices = [open_to[chosen] for open_to, chosen in zip(places, choice, strict=True)]
        full = [*values, 0.0, 1.0]
        self.worth[layer] = [full[place] for place in cell.place]

    def _add_nodes(
        self, block: Block, layer: Layer, cell: Cell, begins: dict[Layer, int], wide: list[_Wide]
    ) -> list[list[int]]:
        """Add a layer's nodes to a block; gives the places of the acts that are not used up, node by node.

        Acts with more than two ways that stay in the block are left for the end, in `wide`: they need more nodes.
        """
        to = self._to[layer]
        worth = [self.worth.get(each) for each in to]
        used, start, all_places = layer[1], begins[layer], []
        for mine, acts, last in zip(cell.ours, cell.acts, cell.choices, strict=True):
            rows, staying = block.add(mine)
            places = [place for place, act in enumerate(acts) if not act.once & used]
            for open_to in places:
                act = acts[open_to]
                out, further = act.ended, []
                for chance, jump, core in act.leaves:
                    known = worth[jump]
                    if known is None:
                        place = self.cell(self.conditions(to[jump])).place[core]  # a node, or it led nowhere
                        further.append((chance, begins[to[jump]] + place))
                    else:
                        out += chance * known[core]
                if not act.ends and len(further) == len(act.leaves):
                    staying.append(len(rows))
                c, i, d, j = act.pair
                if further or len(act.stays) > 2:
                    inside = [(chance, start + node) for chance, node in act.stays]
                    wide.append((rows, len(rows), [*inside, *further]))
                rows.append((out, c, start + i, d, start + j))
            if last in places:
                block.choice[-1] = places.index(last)
            all_places.append(places)
        return all_places


def apply_jump(layer: Layer, jump: Jump) -> Layer:
    """The layer after a jump. Rules: `hp.damage`, `hp.floor`."""
    hps, used = layer
    change, once = jump
    if not change:
        return hps, used | once
    after = list(hps)
    for seat, points in change:
        after[seat] = max(0, after[seat] - points) if points > 0 else -points
    return tuple(after), used | once


def ordered_blocks(graph: dict[Layer, list[Layer]]) -> list[list[Layer]]:
    """Layers between which play goes back and forth, together; each block after all that it leads to.

    Tarjan's strongly connected components, without recursion.
    """
    index: dict[Layer, int] = {}
    low: dict[Layer, int] = {}
    stack: list[Layer] = []
    waiting: set[Layer] = set()
    blocks: list[list[Layer]] = []
    work: list[tuple[Layer, Iterator[Layer]]] = []

    def enter(layer: Layer) -> None:
        index[layer] = low[layer] = len(index)
        stack.append(layer)
        waiting.add(layer)
        work.append((layer, iter(graph[layer])))

    def leave() -> None:
        layer, _ = work.pop()
        if work:
            above = work[-1][0]
            low[above] = min(low[above], low[layer])
        if low[layer] == index[layer]:
            block: list[Layer] = []
            while not block or block[-1] != layer:
                block.append(stack.pop())
            waiting.difference_update(block)
            blocks.append(block)

    for root in list(graph):
        if root not in index:
            enter(root)
        while work:
            layer, further = work[-1]
            after = next(further, None)
            if after is None:
                leave()
            elif after not in index:
                enter(after)
            elif after in waiting:
                low[layer] = min(low[layer], index[after])
    return blocks
