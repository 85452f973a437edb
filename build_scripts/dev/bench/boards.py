"""Time the board in this process and inside Pyodide: medians over the batches, in milliseconds.

Reach and sight are timed on square boards of each size, with a tenth of walls, rough ground and water (`strewn`) and
without any (`open`). Reach finds every space that a healthy character of quickness 4 can stop in, and sight every space
that it can see, from the middle.
"""

from __future__ import annotations

from functools import partial

from build_scripts.dev.bench.shared import measure_median
from scratch_core.board import Board, MovementTraits, board_from_dict, find_cheapest_routes, find_visible_spaces
from scratch_core.dice import SeededRoller

SIDES = (10, 30, 100)
GROUNDS = {"strewn": "##^^~~", "open": ""}
RUNNER = MovementTraits(True, quickness=4)


def build_sample_board(side_length: int, letters: str) -> Board:
    """Build a square board with this many spaces on a side.

    Each letter is on about one space in thirty, always on the same ones.
    """
    dice, rows = SeededRoller(7), []
    for _ in range(side_length):
        row = ""
        for _ in range(side_length):
            number = (dice.roll(180) - 1) // 6
            row += letters[number] if number < len(letters) else "."
        rows.append(row)
    middle = side_length // 2
    rows[middle] = rows[middle][:middle] + "." + rows[middle][middle + 1 :]
    return board_from_dict({"shape": "square", "rows": rows})


def count_reachable_spaces(ground: Board) -> int:
    """Count the spaces that the runner in the middle can stop in.

    Rules: `grid.move.base`, `grid.move.quickness`.
    """
    return len(find_cheapest_routes(ground, RUNNER, _find_middle(ground)))


def count_visible_spaces(ground: Board) -> int:
    """Count the spaces that are visible from the middle.

    Rule: `grid.long.los`.
    """
    return len(find_visible_spaces(ground, _find_middle(ground)))


def _find_middle(ground: Board) -> tuple[int, int]:
    return ground.width // 2, ground.height // 2


def measure(batches: int) -> dict[str, float]:
    """Measure both tasks on every board, in milliseconds."""
    figures = {}
    for name, letters in GROUNDS.items():
        for side in SIDES:
            ground = build_sample_board(side, letters)
            for task, work in (
                ("all spaces in reach", count_reachable_spaces),
                ("sight to every space", count_visible_spaces),
            ):
                figures[f"{task}, {side} × {side} {name}"] = measure_median(partial(work, ground), batches)
    return figures
