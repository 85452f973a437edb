"""A board of the text in words, for whoever does not see it: worked out like the drawing, so that both say the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from build_scripts.pictures.record import join_words
from scratch_core.board import Space, Walker, board_from_dict, list_path_prices
from scratch_core.calculators.board import BoardAnalysis
from scratch_core.calculators.board.analysis import format_blockers
from scratch_core.calculators.board.request import format_spaces
from scratch_core.encounter.actions.positions import find_line_of_sight

_NAMED_TERRAIN = ("wall", "obstacle", "rough", "shallow water", "deep water", "exit")
_COSTLY_TERRAIN = {"^": "rough ground", "~": "shallow water"}


def format_board(found: BoardAnalysis, layers: Collection[str], lines: Sequence[Space], ways: Sequence[Space]) -> str:
    """What a drawing shows, in sentences: the map, who stands where, and each layer."""
    parts = (
        _list_map_sentences(found),
        _list_token_sentences(found),
        _list_move_sentences(found, layers),
        _list_route_sentences(found, ways),
        _list_zone_sentences(found, layers),
    )
    more = (
        _list_sight_sentences(found, layers, lines),
        _list_blast_sentences(found, layers),
        _list_path_sentences(found, layers),
    )
    return " ".join(sentence for part in (*parts, *more) for sentence in part)


def list_legend_entries(found: BoardAnalysis, layers: Collection[str]) -> tuple[tuple[str, str], ...]:
    """What a drawing of moves needs a key for: letters of terrain with their words; "" for a space without a number."""
    if "moves" not in layers or found.context is None:
        return ()
    letters = {letter for row in found.setup.board.rows for letter in row}
    costly = [
        (letter, f"{words}, {compute_price(letter)} a space")
        for letter, words in _COSTLY_TERRAIN.items()
        if letter in letters
    ]
    return (*costly, ("", "no number: too far for this turn")) if costly else ()


def compute_price(letter: str) -> int:
    """What a step into a terrain costs someone without abilities. Rules: `grid.move.rough`, `grid.move.water`."""
    board = board_from_dict({"shape": "square", "rows": [f".{letter}"]})
    return list_path_prices(board, Walker(), [(1, 0)])[0]


def _list_map_sentences(found: BoardAnalysis) -> Iterator[str]:
    shape = "hexes" if found.setup.board.shape == "hex" else "squares"
    yield f"A map of {shape}, {found.setup.board.size}, counted from 0 at the top left."
    for word in _NAMED_TERRAIN:
        spaces = [space for space in found.setup.board.spaces if found.setup.get_terrain_name(space) == word]
        if spaces:
            yield f"{word.capitalize()} at {format_spaces(spaces).replace(' ', ' · ')}."


def _list_token_sentences(found: BoardAnalysis) -> Iterator[str]:
    tokens = found.setup.tokens
    places = [f"{token.name} of the {token.side} at {format_spaces([token.space])}" for token in tokens]
    if places:
        yield f"{join_words(places)}."


def _get_selected_name(found: BoardAnalysis) -> str:
    return found.setup.selected_id.capitalize()


def _list_move_sentences(found: BoardAnalysis, layers: Collection[str]) -> Iterator[str]:
    if "moves" not in layers or found.setup.selected_token is None:
        return
    costs: dict[int, list[Space]] = {}
    for space, way in found.overlay.routes.items():
        if way.path:
            costs.setdefault(way.cost, []).append(space)
    for cost, spaces in sorted(costs.items()):
        yield f"{_get_selected_name(found)} gets for {cost} to {format_spaces(sorted(spaces)).replace(' ', ' · ')}."


def _list_route_sentences(found: BoardAnalysis, goals: Sequence[Space]) -> Iterator[str]:
    for goal in goals:
        way = found.overlay.routes.get(goal)
        if way is None or not way.path:
            raise ValueError(
                f"expected ways to spaces within reach, got {format_spaces([goal])} in a board-drawing fence"
            )
        end = " and has to stop there, beside an enemy" if goal in found.enemy_zone else ""
        yield f"{_get_selected_name(found)} goes over {format_spaces(way.path).replace(' ', ' · ')}{end}."


def _list_zone_sentences(found: BoardAnalysis, layers: Collection[str]) -> Iterator[str]:
    if "zone" in layers and found.enemy_zone:
        yield f"Next to an enemy are {format_spaces(sorted(found.enemy_zone)).replace(' ', ' · ')}."


def _list_sight_sentences(found: BoardAnalysis, layers: Collection[str], targets: Sequence[Space]) -> Iterator[str]:
    if "lines" not in layers or found.context is None:
        return
    for target in targets:
        line = find_line_of_sight(found.context, target)
        assert line is not None
        came = "clear" if line.is_clear else f"blocked by {format_blockers(found.state, line)}"
        yield f"The line from {_get_selected_name(found)} to {format_spaces([target])} is {came}."


def _list_blast_sentences(found: BoardAnalysis, layers: Collection[str]) -> Iterator[str]:
    asked = found.space_analysis
    if "blast" in layers and asked is not None and asked.can_aim_blast:
        count = len(found.setup.board.area(asked.space))
        caught = join_words([token.name for token in asked.blast_targets] or ["nobody"])
        yield f"A blast aimed at {format_spaces([asked.space])} covers {count} spaces and attacks {caught}."


def _list_path_sentences(found: BoardAnalysis, layers: Collection[str]) -> Iterator[str]:
    asked = found.space_analysis
    if "path" not in layers or asked is None or asked.route is None:
        return
    yield f"{_get_selected_name(found)} goes over {format_spaces(asked.route.path).replace(' ', ' · ')}."
    for moment in asked.interrupt_windows:
        enemies = join_words([enemy.name for enemy in moment.interrupters])
        when = f"in {format_spaces([moment.space])}" if moment.spaces_walked else "before the first step"
        yield f"{enemies} may attack {when}."
