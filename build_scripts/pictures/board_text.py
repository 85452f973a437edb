"""The description of a drawn map, for users who can't see it, computed from the same data as the drawing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from build_scripts.pictures.record import join_words
from scratch_core.board import MovementTraits, Space, board_from_dict, list_path_prices
from scratch_core.calculators.board import BoardAnalysis
from scratch_core.calculators.board.analysis import format_blockers
from scratch_core.calculators.board.setup import format_spaces
from scratch_core.encounter.actions.positions import trace_line_of_sight

_NAMED_TERRAIN = ("wall", "obstacle", "rough", "shallow water", "deep water", "exit")
_COSTLY_TERRAIN = {"^": "rough ground", "~": "shallow water"}


def describe_board_drawing(
    analysis: BoardAnalysis, layers: Collection[str], sight_targets: Sequence[Space], route_goals: Sequence[Space]
) -> str:
    """Describe a drawing in sentences: the map, the tokens, and each layer."""
    parts = (
        _list_map_sentences(analysis),
        _list_token_sentences(analysis),
        _list_move_sentences(analysis, layers),
        _list_route_sentences(analysis, route_goals),
        _list_zone_sentences(analysis, layers),
    )
    more = (
        _list_sight_sentences(analysis, layers, sight_targets),
        _list_blast_sentences(analysis, layers),
        _list_path_sentences(analysis, layers),
    )
    return " ".join(sentence for part in (*parts, *more) for sentence in part)


def list_legend_entries(analysis: BoardAnalysis, layers: Collection[str]) -> tuple[tuple[str, str], ...]:
    """List letters of terrain with their words for the legend of a drawing of moves.

    The letter "" is a space without a number. Returns nothing if no legend is necessary.
    """
    if "moves" not in layers or analysis.context is None:
        return ()
    letters = {letter for row in analysis.setup.board.rows for letter in row}
    costly = [
        (letter, f"{words}, {compute_step_price(letter)} a space")
        for letter, words in _COSTLY_TERRAIN.items()
        if letter in letters
    ]
    return (*costly, ("", "no number: too far for this turn")) if costly else ()


def compute_step_price(terrain_letter: str) -> int:
    """Compute what a step into a terrain costs a character without abilities.

    Rules: `grid.move.rough`, `grid.move.water`.
    """
    board = board_from_dict({"shape": "square", "rows": [f".{terrain_letter}"]})
    return list_path_prices(board, MovementTraits(), [(1, 0)])[0]


def _list_map_sentences(analysis: BoardAnalysis) -> Iterator[str]:
    shape = "hexes" if analysis.setup.board.shape == "hex" else "squares"
    size = analysis.setup.board.size_in_words
    yield f"A map of {shape}, {size}. Columns and rows are counted from 0 at the top left."
    for word in _NAMED_TERRAIN:
        spaces = [space for space in analysis.setup.board.spaces if analysis.setup.get_terrain_name(space) == word]
        if spaces:
            yield f"{word.capitalize()} at {format_spaces(spaces).replace(' ', ' · ')}."


def _list_token_sentences(analysis: BoardAnalysis) -> Iterator[str]:
    tokens = analysis.setup.tokens
    positions = [f"{token.name} of the {token.side} at {format_spaces([token.space])}" for token in tokens]
    if positions:
        yield f"{join_words(positions)}."


def _get_selected_name(analysis: BoardAnalysis) -> str:
    return analysis.setup.selected_id.capitalize()


def _list_move_sentences(analysis: BoardAnalysis, layers: Collection[str]) -> Iterator[str]:
    if "moves" not in layers or analysis.setup.selected_token is None:
        return
    costs: dict[int, list[Space]] = {}
    for space, route in analysis.overlay.routes.items():
        if route.path:
            costs.setdefault(route.cost, []).append(space)
    for cost, spaces in sorted(costs.items()):
        goals = format_spaces(sorted(spaces)).replace(" ", " · ")
        yield f"{_get_selected_name(analysis)} can reach {goals} for {cost}."


def _list_route_sentences(analysis: BoardAnalysis, goals: Sequence[Space]) -> Iterator[str]:
    for goal in goals:
        route = analysis.overlay.routes.get(goal)
        if route is None or not route.path:
            raise ValueError(
                f"expected ways to spaces within reach, got {format_spaces([goal])} in a board-drawing fence"
            )
        end = " and must stop there, next to an enemy" if goal in analysis.enemy_zone else ""
        yield f"{_get_selected_name(analysis)} moves along {format_spaces(route.path).replace(' ', ' · ')}{end}."


def _list_zone_sentences(analysis: BoardAnalysis, layers: Collection[str]) -> Iterator[str]:
    if "zone" in layers and analysis.enemy_zone:
        yield f"Next to an enemy are {format_spaces(sorted(analysis.enemy_zone)).replace(' ', ' · ')}."


def _list_sight_sentences(analysis: BoardAnalysis, layers: Collection[str], targets: Sequence[Space]) -> Iterator[str]:
    if "lines" not in layers or analysis.context is None:
        return
    for target in targets:
        line = trace_line_of_sight(analysis.context, target)
        assert line is not None
        result = "clear" if line.is_clear else f"blocked by {format_blockers(analysis.state, line)}"
        yield f"The line from {_get_selected_name(analysis)} to {format_spaces([target])} is {result}."


def _list_blast_sentences(analysis: BoardAnalysis, layers: Collection[str]) -> Iterator[str]:
    target = analysis.space_analysis
    if "blast" in layers and target is not None and target.can_aim_blast:
        count = len(analysis.setup.board.blast_area(target.space))
        names = join_words([token.name for token in target.blast_targets] or ["no one"])
        yield f"A blast aimed at {format_spaces([target.space])} covers {count} spaces and attacks {names}."


def _list_path_sentences(analysis: BoardAnalysis, layers: Collection[str]) -> Iterator[str]:
    target = analysis.space_analysis
    if "path" not in layers or target is None or target.route is None:
        return
    yield f"{_get_selected_name(analysis)} moves along {format_spaces(target.route.path).replace(' ', ' · ')}."
    for moment in target.interrupt_windows:
        enemies = join_words([enemy.name for enemy in moment.interrupters])
        when = f"in {format_spaces([moment.space])}" if moment.spaces_walked else "before the first step"
        yield f"{enemies} may attack {when}."
