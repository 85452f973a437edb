"""The board, timed in this process, and inside Pyodide: medians over the batches, in milliseconds.

Reach and sight on boards of each side, with a tenth of walls, rough ground and water (`strewn`) and on bare ground
(`open`). Reach finds every space that a healthy character of quickness 4 can stop in, sight every space that it sees,
from the middle.
"""

from __future__ import annotations

from functools import partial

from build_scripts.dev.bench.shared import RepeatableDice, measure_median
from scratch_core.board import Board, Walker, board_from_dict, find_visible_spaces, list_routes

SIDES = (10, 30, 100)
GROUNDS = {"strewn": "##^^~~", "open": ""}
RUNNER = Walker(True, quickness=4)


def build_board(side: int, letters: str) -> Board:
    """A square board of that side; each letter lies on about one space in thirty, the same ones each time."""
    dice, rows = RepeatableDice(7), []
    for _ in range(side):
        row = ""
        for _ in range(side):
            place = (dice.roll(180) - 1) // 6
            row += letters[place] if place < len(letters) else "."
        rows.append(row)
    middle = side // 2
    rows[middle] = rows[middle][:middle] + "." + rows[middle][middle + 1 :]
    return board_from_dict({"shape": "square", "rows": rows})


def count_reachable_spaces(ground: Board) -> int:
    """How many spaces the runner in the middle can stop in. Rules: `grid.move.base`, `grid.move.quickness`."""
    return len(list_routes(ground, RUNNER, _find_middle(ground)))


def count_visible_spaces(ground: Board) -> int:
    """How many spaces are seen from the middle. Rule: `grid.long.los`."""
    return len(find_visible_spaces(ground, _find_middle(ground)))


def _find_middle(ground: Board) -> tuple[int, int]:
    return ground.width // 2, ground.height // 2


def measure(batches: int) -> dict[str, float]:
    """Measure every work on every board, in milliseconds."""
    found = {}
    for name, letters in GROUNDS.items():
        for side in SIDES:
            ground = build_board(side, letters)
            for what, work in (
                ("all spaces in reach", count_reachable_spaces),
                ("sight to every space", count_visible_spaces),
            ):
                found[f"{what}, {side} × {side} {name}"] = measure_median(partial(work, ground), batches)
    return found
