"""The moments laid over all hit points, and the whole game's values.

A *layer* is one combination of everybody's hit points and acts used up; what may be done in it depends on conditions
and acts alone, so one *cell* of the moments serves many layers. Play goes from layer to layer and, healing aside, never
back; layers between which it goes back and forth make up a *block*. Blocks are solved one after the other, each after
all that it leads to, for both sides: what the one can make sure of, and what the other can.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from scratch_core.odds.moments import Act, Change, Conditions, Moments, won_by
from scratch_core.odds.values import Inside, Row, solve

Layer = tuple[tuple[int, ...], int]
"""Everybody's hit points in the file's order, and the bits of the acts used up."""

Jump = tuple[Change, int]
"""What leads from a layer to another: a change of hit points, and the bit of an act used up."""


@dataclass(frozen=True, slots=True)
class CellAct:
    """An act in a cell: its bit, what its ways to an end are worth to each side, and its other ways.

    `stays` are the ways that change neither hit points nor acts used up: chance and node. `leaves` are the others:
    chance, number of the jump, core after it.
    """

    once: int
    ended: tuple[float, float]
    stays: Inside
    leaves: tuple[tuple[float, int, int], ...]


@dataclass(slots=True)
class Cell:
    """The nodes of one combination of conditions: whose choice each is, as a number of a side, and its acts.

    `place` gives for each core the node it leads to or, beyond the last node, an end: nobody's, side 0's, side 1's.
    """

    sides: list[int]
    acts: list[tuple[CellAct, ...]]
    place: list[int]
    jumps: list[Jump]
    choices: list[list[int]] = field(default_factory=list)


_ENDS = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
"""What an end is worth to each side: nobody's, side 0's, side 1's."""


def _end_place(end: int, nodes: int) -> int:
    return nodes + (1 if end == won_by(0) else 2 if end == won_by(1) else 0)


class Layers:
    """The layers that can come up from those given, with the values of every core in each once it is solved."""

    def __init__(self, moments: Moments) -> None:
        self.moments = moments
        self.cells: dict[Conditions, Cell] = {}
        self.worth: dict[Layer, tuple[list[float], list[float]]] = {}
        self._conditions: dict[tuple[int, ...], Conditions] = {}

    def conditions(self, layer: Layer) -> Conditions:
        """Everybody's condition in a layer."""
        found = self._conditions.get(layer[0])
        if found is None:
            found = self._conditions[layer[0]] = self.moments.conditions(layer[0])
        return found

    # Cells

    def cell(self, conditions: Conditions) -> Cell:
        """The nodes of some conditions; all moments have been explored."""
        found = self.cells.get(conditions)
        if found is None:
            found = self.cells[conditions] = self._made(conditions)
        return found

    def _made(self, conditions: Conditions) -> Cell:
        moments = self.moments
        nodes = [core for core, standing in moments.menus if standing == conditions]
        number = {core: place for place, core in enumerate(nodes)}
        place = [len(nodes)] * len(moments.states)
        for (core, standing), after in moments.settled.items():
            if standing == conditions:
                place[core] = number[after] if after >= 0 else _end_place(after, len(nodes))
        for core, node in number.items():
            place[core] = node
        jumps: dict[Jump, int] = {}
        menus = [moments.menus[core, conditions] for core in nodes]
        acts = [tuple(_in_cell(act, len(nodes), place, jumps) for act in menu.acts) for menu in menus]
        sides = [moments.side_of[menu.seat] for menu in menus]
        return Cell(sides, acts, place, list(jumps), [[0] * len(nodes), [0] * len(nodes)])

    # Which layers there are

    def found_from(self, starts: list[Layer]) -> dict[Layer, list[Layer]]:
        """The layers that may come up, each with those that lie one jump away and where the fight goes on."""
        found: dict[Layer, list[Layer]] = {}
        todo = list(starts)
        while todo:
            layer = todo.pop()
            if layer in found:
                continue
            further = {self.jumped(layer, jump) for jump in self.cell(self.conditions(layer)).jumps} - {layer}
            found[layer] = list(further)
            todo += further
        return found

    def jumped(self, layer: Layer, jump: Jump) -> Layer:
        """The layer after a jump. Rules: `hp.damage`, `hp.floor`."""
        hps, used = layer
        change, once = jump
        if not change:
            return hps, used | once
        after = list(hps)
        for seat, points in change:
            after[seat] = max(0, after[seat] - points) if points > 0 else -points
        return tuple(after), used | once

    # Values

    def solve(self, starts: list[Layer]) -> Iterator[float]:
        """Solve every layer; it pauses after each block, with the share that is done."""
        blocks = ordered_blocks(self.found_from(starts))
        total, done = sum(map(len, blocks)), 0
        for block in blocks:
            self._solve_block(block)
            done += len(block)
            yield done / total

    def _solve_block(self, block: list[Layer]) -> None:
        cells = [self.cell(self.conditions(layer)) for layer in block]
        base: dict[Layer, int] = {}
        nodes = 0
        for layer, cell in zip(block, cells, strict=True):
            base[layer] = nodes
            nodes += len(cell.acts)
        rows: tuple[list[list[Row]], list[list[Row]]] = ([], [])
        open_acts: list[list[int]] = []
        for layer, cell in zip(block, cells, strict=True):
            self._add_rows(layer, cell, base, rows, open_acts)
        sides = [side for cell in cells for side in cell.sides]
        choices = [[choice for cell in cells for choice in cell.choices[us]] for us in (0, 1)]
        for us in (0, 1):
            begin = [each.index(old) if old in each else 0 for each, old in zip(open_acts, choices[us], strict=True)]
            values = solve([side == us for side in sides], rows[us], begin)
            chosen = [each[new] for each, new in zip(open_acts, begin, strict=True)]
            for layer, cell in zip(block, cells, strict=True):
                start, count = base[layer], len(cell.acts)
                cell.choices[us] = chosen[start : start + count]
                full = [*values[start : start + count], *(end[us] for end in _ENDS)]
                worth = [full[place] for place in cell.place]
                if us == 0:
                    self.worth[layer] = worth, worth
                else:
                    self.worth[layer] = self.worth[layer][0], worth

    def _add_rows(
        self,
        layer: Layer,
        cell: Cell,
        base: dict[Layer, int],
        rows: tuple[list[list[Row]], list[list[Row]]],
        open_acts: list[list[int]],
    ) -> None:
        """The rows of a layer's nodes for each side; in `open_acts` the acts that are not used up."""
        to = [self.jumped(layer, jump) for jump in cell.jumps]
        inside_at = [(base[each], self.cell(self.conditions(each)).place) if each in base else None for each in to]
        worth = [self.worth.get(each, ([], [])) for each in to]
        used, start = layer[1], base[layer]
        for acts in cell.acts:
            first: list[Row] = []
            second: list[Row] = []
            for act in acts:
                if act.once & used:
                    continue
                one, two = act.ended
                inside = [(chance, start + node) for chance, node in act.stays]
                for chance, jump, core in act.leaves:
                    at = inside_at[jump]
                    if at is None:
                        one += chance * worth[jump][0][core]
                        two += chance * worth[jump][1][core]
                    else:
                        inside.append((chance, at[0] + at[1][core]))
                kept = tuple(inside)
                first.append((one, kept))
                second.append((two, kept))
            rows[0].append(first)
            rows[1].append(second)
            open_acts.append([place for place, act in enumerate(acts) if not act.once & used])


def _in_cell(act: Act, nodes: int, place: list[int], jumps: dict[Jump, int]) -> CellAct:
    one = two = 0.0
    stays: list[tuple[float, int]] = []
    leaves: list[tuple[float, int, int]] = []
    for chance, core, change in act.ways:
        if change or act.once:
            leaves.append((chance, jumps.setdefault((change, act.once), len(jumps)), core))
        elif place[core] < nodes:
            stays.append((chance, place[core]))
        else:
            end = _ENDS[place[core] - nodes]
            one, two = one + chance * end[0], two + chance * end[1]
    return CellAct(act.once, (one, two), tuple(stays), tuple(leaves))


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
            blocks.append(_taken(stack, waiting, layer))

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


def _taken(stack: list[Layer], waiting: set[Layer], until: Layer) -> list[Layer]:
    block: list[Layer] = []
    while True:
        layer = stack.pop()
        waiting.discard(layer)
        block.append(layer)
        if layer == until:
            return block
