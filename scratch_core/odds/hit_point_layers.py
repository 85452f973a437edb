"""The game over all hit points: moments repeated for each layer, and the values of the whole game.

A *layer* is one combination of everyone's hit points and spent actions. Its available actions depend on health and
spent actions only, so one *cell* of the moments serves many layers. Play moves from layer to layer and, except by
healing, never back; layers between which it moves back and forth form a *block*. Blocks are solved one by one, each
after all blocks that it leads to, for both sides' guaranteed chances.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from scratch_core.odds.game_graph import Change, Conditions, GameAction, GameGraph, encode_win_of_side
from scratch_core.odds.value_iteration import NOWHERE, Block, Row, map_endless_nodes_to_actions, solve_block

Layer = tuple[tuple[int, ...], int]
"""Everyone's hit points in the file's order, and the bits of the spent actions."""

Jump = tuple[Change, int]
"""A transition between layers: a change of hit points, and the bit of an action spent."""


_WideAction = tuple[list[Row], int, list[tuple[float, int]]]
"""An action whose outcomes within a block need more than its row: its node's rows, its index, and these outcomes."""


@dataclass(frozen=True, slots=True)
class CellAction:
    """An action in a cell."""

    once: int
    """The bit of the unrepeatable action that it spends, or 0."""
    ended: float
    """The value of its outcomes that end the fight."""
    ends: bool
    """Whether it may end the fight."""
    stays: tuple[tuple[float, int], ...]
    """The outcomes that change neither hit points nor spent actions: chance and node."""
    pair: tuple[float, int, float, int]
    """The first two of `stays`, as in a `Row`."""
    leaves: tuple[tuple[float, int, int], ...]
    """The outcomes that leave the layer: chance, index of the jump, and core after it."""


@dataclass(slots=True)
class Cell:
    """The nodes of one combination of health."""

    ours: list[bool]
    """For each node, whether the choice is ours."""
    acts: list[tuple[CellAction, ...]]
    """The actions of each node."""
    place: list[int]
    """For each core its node or, after the last node, an end: first not won by us, then won by us."""
    jumps: list[Jump]
    """The jumps that its actions can make."""
    choices: list[int]
    """The actions chosen in the layer solved last, to start the next one with."""
    once: int = 0
    """The bits of all actions that can be spent."""
    blocks: dict[int, LayerBlock] = field(default_factory=dict)
    """The cached blocks, by spent actions."""

    def __post_init__(self) -> None:
        """Combine the bits of all actions that can be spent."""
        for acts in self.acts:
            for act in acts:
                self.once |= act.once

    def get_or_build_block(self, used: int) -> LayerBlock:
        """Return the block of a layer with these spent actions, built at most once."""
        known = used & self.once
        if known not in self.blocks:
            self.blocks[known] = _build_layer_block(self, known)
        return self.blocks[known]


@dataclass(frozen=True, slots=True)
class LayerBlock:
    """The block of a layer that is a block by itself.

    Layers with the same cell and spent actions share it. Only the values of outcomes that leave the layer differ.
    """

    block: Block
    """The block."""
    places: list[list[int]]
    """For each node, the indices of the actions that are not spent."""
    jumps: set[int]
    """The indices of the jumps that these actions can make."""
    leading: list[tuple[list[Row], int, float, tuple[tuple[float, int, int], ...], tuple[float, int, float, int]]]
    """The actions that may leave the layer.

    For each, its node's rows, its index, the value of its ends, its outcomes that leave, and the rest of its row.
    """

    def fill_jump_values(self, worth: list[list[float]]) -> Block:
        """Fill in the values of the outcomes that leave the layer.

        A jump is a change of hit points or of spent actions, and a core is the rest of a state. `worth` has for each
        jump the value of every core in the layer that the jump leads to. The first number of each action's row becomes
        the value of its outcomes that end the fight or leave the layer, weighted by their chances.
        Returns the block."""
        for rows, row, ended, leaves, pair in self.leading:
            out = ended
            for chance, jump, core in leaves:
                out += chance * worth[jump][core]
            rows[row] = (out, *pair)
        return self.block


def _build_layer_block(cell: Cell, used: int) -> LayerBlock:
    """Build the block of a cell's layers with these spent actions."""
    layer_block = LayerBlock(Block(), [], set(), [])
    wide: list[_WideAction] = []
    for mine, acts, last in zip(cell.ours, cell.acts, cell.choices, strict=True):
        rows, staying = layer_block.block.append_node(mine)
        places = [place for place, act in enumerate(acts) if not act.once & used]
        for row, place in enumerate(places):
            act = acts[place]
            if not act.ends and not act.leaves:
                staying.append(row)
            if len(act.stays) > 2:
                wide.append((rows, row, [*act.stays]))
            rows.append((act.ended, *act.pair))
            layer_block.jumps.update(jump for _, jump, _ in act.leaves)
        layer_block.block.choice[-1] = places.index(last) if last in places else 0
        layer_block.places.append(places)
    for each in wide:
        layer_block.block.set_inside_outcomes(*each)
    for rows, acts, places in zip(layer_block.block.acts, cell.acts, layer_block.places, strict=False):
        layer_block.leading.extend(
            (rows, row, acts[place].ended, acts[place].leaves, rows[row][1:])
            for row, place in enumerate(places)
            if acts[place].leaves
        )
    return layer_block


_LAYERS_PER_PAUSE = 200
"""The number of layers to find between two pauses: about a millisecond."""


class Layers:
    """The reachable layers, and the value of every core in each to one side, `us`, once it is solved.

    `is_certain` says whether good play cannot continue any fight for ever. Without escapes, the rest is then the other
    side's chance.
    """

    def __init__(self, moments: GameGraph, us: int) -> None:
        """Start without layers; all moments must be explored."""
        self.moments = moments
        self.us = us
        self.is_certain = True
        self.worth: dict[Layer, list[float]] = {}
        self._cells: dict[Conditions, Cell] = {}
        self._conditions: dict[tuple[int, ...], Conditions] = {}
        self._to: dict[Layer, list[Layer]] = {}

    def health_in_layer(self, layer: Layer) -> Conditions:
        """Return everyone's health in a layer."""
        found = self._conditions.get(layer[0])
        if found is None:
            found = self._conditions[layer[0]] = self.moments.classify_health(layer[0])
        return found

    # Cells

    def get_or_build_cell(self, conditions: Conditions) -> Cell:
        """Return the cell of a combination of health, built at most once."""
        if not self._cells:
            self._build_reachable_cells()
        if conditions not in self._cells:
            self._cells[conditions] = self._build_cell(conditions, [], {})
        return self._cells[conditions]

    def _build_reachable_cells(self) -> None:
        """Build the cells of all reachable moments."""
        nodes: dict[Conditions, list[int]] = {}
        settled: dict[Conditions, dict[int, int]] = {}
        for core, conditions in self.moments.reached[self.us]:
            nodes.setdefault(conditions, []).append(core)
        for (core, conditions), after in self.moments.settled.items():
            settled.setdefault(conditions, {})[core] = after
        for conditions, leads in settled.items():
            self._cells[conditions] = self._build_cell(conditions, nodes.get(conditions, []), leads)

    def _build_cell(self, conditions: Conditions, choice_cores: list[int], next_choice_by_core: dict[int, int]) -> Cell:
        """Build the cell of a combination of health.

        `choice_cores` are its cores with a choice; `next_choice_by_core` is the choice or end that each other core
        leads to.
        """
        moments, count = self.moments, len(choice_cores)
        number = {core: node for node, core in enumerate(choice_cores)}
        ours = encode_win_of_side(self.us)
        place = [count] * len(moments.cores)
        for core, node in number.items():
            place[core] = node
        for core, after in next_choice_by_core.items():
            place[core] = number.get(after, count) if after >= 0 else count + (after == ours)
        jumps: dict[Jump, int] = {}
        acts = [
            tuple(
                self._build_cell_action(act, count, place, jumps)
                for act in moments.list_menu_or_opponent_escape(core, conditions, self.us)
            )
            for core in choice_cores
        ]
        mine = [moments.side_of[moments.menus[core, conditions].seat] == self.us for core in choice_cores]
        return Cell(mine, acts, place, list(jumps), [0] * count)

    def _build_cell_action(self, act: GameAction, nodes: int, place: list[int], jumps: dict[Jump, int]) -> CellAction:
        """Convert an action to its form in a cell.

        New jumps are added to `jumps`.
        """
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

    # Reachable layers

    def collect_reachable_layers(
        self, starts: list[Layer], successors_by_layer: dict[Layer, list[Layer]]
    ) -> Iterator[None]:
        """Find the reachable layers, each with its successors.

        It pauses regularly.
        """
        queue = list(starts)
        while queue:
            layer = queue.pop()
            if layer not in successors_by_layer:
                successors = [
                    apply_jump(layer, jump) for jump in self.get_or_build_cell(self.health_in_layer(layer)).jumps
                ]
                self._to[layer] = successors
                further = {*successors} - {layer}
                successors_by_layer[layer] = list(further)
                queue += further
                if len(successors_by_layer) % _LAYERS_PER_PAUSE == 0:
                    yield

    # Values

    def solve_in_steps(self, starts: list[Layer]) -> Iterator[float]:
        """Solve every reachable layer.

        It pauses after each block and yields the share done, 0 to 1.
        """
        found: dict[Layer, list[Layer]] = {}
        for _ in self.collect_reachable_layers(starts, found):
            yield 0.0
        blocks = group_into_components(found)
        total, done = sum(map(len, blocks)), 0
        for block in blocks:
            if len(block) > 1 or self._try_solve_and_store_layer(block[0]) is None:
                self._solve_layers_together(block)
            done += len(block)
            yield done / total

    def _solve_layers_together(self, block_layers: list[Layer]) -> None:
        """Solve the layers of a block together."""
        cells = [self.get_or_build_cell(self.health_in_layer(layer)) for layer in block_layers]
        begins = dict(zip(block_layers, accumulate((len(cell.acts) for cell in cells), initial=0), strict=False))
        block = Block()
        wide: list[_WideAction] = []
        places: list[list[int]] = []
        for layer, cell in zip(block_layers, cells, strict=True):
            places += self._add_layer_nodes(block, layer, cell, begins, wide)
        for each in wide:
            block.set_inside_outcomes(*each)
        values = self._solve_block_and_detect_endlessness(block)
        for layer, cell in zip(block_layers, cells, strict=True):
            start = begins[layer]
            stop = start + len(cell.acts)
            self._store_values_and_choices(
                layer, cell, places[start:stop], block.choice[start:stop], values[start:stop]
            )

    def _try_solve_and_store_layer(self, layer: Layer) -> Sequence[float] | None:
        """Solve a layer that is a block by itself.

        Returns the values of its nodes, or None without a result if a jump leads from the layer to itself.
        """
        cell = self.get_or_build_cell(self.health_in_layer(layer))
        layer_block = cell.get_or_build_block(layer[1])
        worth = [self.worth.get(each, []) for each in self._to[layer]]
        if not all(worth[jump] for jump in layer_block.jumps):
            return None
        block = layer_block.fill_jump_values(worth)
        values, nodes = self._solve_block_and_detect_endlessness(block), len(cell.acts)
        self._store_values_and_choices(layer, cell, layer_block.places, block.choice[:nodes], values[:nodes])
        return values[:nodes]

    def _solve_block_and_detect_endlessness(self, block: Block) -> list[float]:
        """Return the values of a block's nodes and update `is_certain`."""
        values = solve_block(block) if block.acts else []
        if not self.moments.runs and self.is_certain:
            self.is_certain = not map_endless_nodes_to_actions(block) and not map_endless_nodes_to_actions(block, False)
        return values

    def _store_values_and_choices(
        self,
        layer: Layer,
        cell: Cell,
        available_actions: list[list[int]],
        chosen_places: list[int],
        values: list[float],
    ) -> None:
        """Store the values and the choices of a solved layer.

        A node of the cell is a decision in the layer, and a core is a state without hit points and spent actions.
        `values` has the value of each node; `self.worth` gets from it the value of each core. `available_actions` has
        for each node the indices of its actions that are not spent. `chosen_places` has for each node the place of the
        chosen action among them. `cell.choices` gets the chosen actions, with which the next layer of the
        cell starts."""
        cell.choices = [available[chosen] for available, chosen in zip(available_actions, chosen_places, strict=True)]
        full = [*values, 0.0, 1.0]
        self.worth[layer] = [full[place] for place in cell.place]

    def _add_layer_nodes(
        self,
        block: Block,
        layer: Layer,
        cell: Cell,
        first_node_by_layer: dict[Layer, int],
        wide_actions: list[_WideAction],
    ) -> list[list[int]]:
        """Add a layer's nodes to a block.

        Returns for each node the indices of the actions that are not spent. Actions with more than two outcomes in the
        block go to `wide_actions`, because they need additional nodes at the end.
        """
        successors = self._to[layer]
        worth = [self.worth.get(each) for each in successors]
        used, start, all_places = layer[1], first_node_by_layer[layer], []
        for mine, acts, last in zip(cell.ours, cell.acts, cell.choices, strict=True):
            rows, staying = block.append_node(mine)
            places = [place for place, act in enumerate(acts) if not act.once & used]
            for index in places:
                act = acts[index]
                out, further = act.ended, []
                for chance, jump, core in act.leaves:
                    known = worth[jump]
                    if known is None:
                        # A node for certain: a jump to an end leads to a layer that is solved before.
                        place = self.get_or_build_cell(self.health_in_layer(successors[jump])).place[core]
                        further.append((chance, first_node_by_layer[successors[jump]] + place))
                    else:
                        out += chance * known[core]
                if not act.ends and len(further) == len(act.leaves):
                    staying.append(len(rows))
                c, i, d, j = act.pair
                if further or len(act.stays) > 2:
                    inside = [(chance, start + node) for chance, node in act.stays]
                    wide_actions.append((rows, len(rows), [*inside, *further]))
                rows.append((out, c, start + i, d, start + j))
            if last in places:
                block.choice[-1] = places.index(last)
            all_places.append(places)
        return all_places


def apply_jump(layer: Layer, jump: Jump) -> Layer:
    """Return the layer after a jump. Rules: `hp.damage`, `hp.floor`."""
    hps, used = layer
    change, once = jump
    if not change:
        return hps, used | once
    after = list(hps)
    for seat, points in change:
        after[seat] = max(0, after[seat] - points) if points > 0 else -points
    return tuple(after), used | once


def group_into_components(successors_by_layer: dict[Layer, list[Layer]]) -> list[list[Layer]]:
    """Group layers into blocks, each after all blocks that it leads to.

    A block is a strongly connected component, found by Tarjan's algorithm without recursion.
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
        work.append((layer, iter(successors_by_layer[layer])))

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

    for root in list(successors_by_layer):
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
