"""A board of the text in words, for whoever does not see it: worked out like the drawing, so that both say the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from build_scripts.pictures.record import listed
from scratch_core.board import Space, Walker, board_from_dict, list_path_prices
from scratch_core.calculators.board import Findings
from scratch_core.calculators.board.analysis import blocked_by
from scratch_core.calculators.board.request import written
from scratch_core.encounter.actions.positions import find_line_of_sight

_TOLD_TERRAIN = ("wall", "obstacle", "rough", "shallow water", "deep water", "exit")
_COSTLY = {"^": "rough ground", "~": "shallow water"}


def told(found: Findings, layers: Collection[str], lines: Sequence[Space], ways: Sequence[Space]) -> str:
    """What a drawing shows, in sentences: the map, who stands where, and each layer."""
    parts = (_map(found), _tokens(found), _moves(found, layers), _ways(found, ways), _zone(found, layers))
    more = (_lines(found, layers, lines), _blast(found, layers), _path(found, layers))
    return " ".join(sentence for part in (*parts, *more) for sentence in part)


def legend(found: Findings, layers: Collection[str]) -> tuple[tuple[str, str], ...]:
    """What a drawing of moves needs a key for: letters of terrain with their words; "" for a space without a number."""
    if "moves" not in layers or found.scene is None:
        return ()
    letters = {letter for row in found.setup.board.rows for letter in row}
    costly = [(letter, f"{words}, {price(letter)} a space") for letter, words in _COSTLY.items() if letter in letters]
    return (*costly, ("", "no number: too far for this turn")) if costly else ()


def price(letter: str) -> int:
    """What a step into a terrain costs someone without abilities. Rules: `grid.move.rough`, `grid.move.water`."""
    board = board_from_dict({"shape": "square", "rows": [f".{letter}"]})
    return list_path_prices(board, Walker(), [(1, 0)])[0]


def _map(found: Findings) -> Iterator[str]:
    shape = "hexes" if found.setup.board.shape == "hex" else "squares"
    yield f"A map of {shape}, {found.setup.board.size}, counted from 0 at the top left."
    for word in _TOLD_TERRAIN:
        spaces = [space for space in found.setup.board.spaces if found.setup.ground(space) == word]
        if spaces:
            yield f"{word.capitalize()} at {written(spaces).replace(' ', ' · ')}."


def _tokens(found: Findings) -> Iterator[str]:
    tokens = found.setup.tokens
    places = [f"{token.name} of the {token.side} at {written([token.space])}" for token in tokens]
    if places:
        yield f"{listed(places)}."


def _who(found: Findings) -> str:
    return found.setup.selected.capitalize()


def _moves(found: Findings, layers: Collection[str]) -> Iterator[str]:
    if "moves" not in layers or found.setup.token is None:
        return
    costs: dict[int, list[Space]] = {}
    for space, way in found.reach.ways.items():
        if way.path:
            costs.setdefault(way.cost, []).append(space)
    for cost, spaces in sorted(costs.items()):
        yield f"{_who(found)} gets for {cost} to {written(sorted(spaces)).replace(' ', ' · ')}."


def _ways(found: Findings, goals: Sequence[Space]) -> Iterator[str]:
    for goal in goals:
        way = found.reach.ways.get(goal)
        if way is None or not way.path:
            raise ValueError(f"expected ways to spaces within reach, got {written([goal])} in a board-drawing fence")
        end = " and has to stop there, beside an enemy" if goal in found.zone else ""
        yield f"{_who(found)} goes over {written(way.path).replace(' ', ' · ')}{end}."


def _zone(found: Findings, layers: Collection[str]) -> Iterator[str]:
    if "zone" in layers and found.zone:
        yield f"Next to an enemy are {written(sorted(found.zone)).replace(' ', ' · ')}."


def _lines(found: Findings, layers: Collection[str], targets: Sequence[Space]) -> Iterator[str]:
    if "lines" not in layers or found.scene is None:
        return
    for target in targets:
        line = find_line_of_sight(found.scene, target)
        assert line is not None
        came = "clear" if line.is_clear else f"blocked by {blocked_by(found.state, line)}"
        yield f"The line from {_who(found)} to {written([target])} is {came}."


def _blast(found: Findings, layers: Collection[str]) -> Iterator[str]:
    asked = found.asked
    if "blast" in layers and asked is not None and asked.is_aim:
        count = len(found.setup.board.area(asked.space))
        caught = listed([token.name for token in asked.caught] or ["nobody"])
        yield f"A blast aimed at {written([asked.space])} covers {count} spaces and attacks {caught}."


def _path(found: Findings, layers: Collection[str]) -> Iterator[str]:
    asked = found.asked
    if "path" not in layers or asked is None or asked.way is None:
        return
    yield f"{_who(found)} goes over {written(asked.way.path).replace(' ', ' · ')}."
    for moment in asked.moments:
        enemies = listed([enemy.name for enemy in moment.interrupters])
        when = f"in {written([moment.space])}" if moment.spaces_walked else "before the first step"
        yield f"{enemies} may attack {when}."
