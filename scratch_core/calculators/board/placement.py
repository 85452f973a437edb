"""The space of each character: from its sheet, otherwise from its token, otherwise a space at its side's edge."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scratch_core.board import Space, format_space
from scratch_core.calculators.board.request import BoardSetup, Token
from scratch_core.errors import Problems, join_words

MAX_SIDE_LENGTH = 40
"""The most characters of a token's side."""

_MAX_NAMES = 8
_SIDE = re.compile(r"[\s,@:;/]+")


class Placement:
    """The placement of characters on a board. `ids_by_space` has the ids of the placed characters by space."""

    def __init__(self, setup: BoardSetup, characters: Sequence[Mapping[str, Any]]) -> None:
        self.board = setup.board
        self.problems = Problems()
        self.ids_by_space: dict[Space, str] = {}
        self.sides = {str(each["id"]): str(_choose_side(each, characters)) for each in characters}
        for each in characters:
            if "at" in each:
                self.place_at_typed_space(each)
        for token in setup.tokens:
            if (
                token.id in self.sides
                and token.id not in self.ids_by_space.values()
                and token.space not in self.ids_by_space
            ):
                self.ids_by_space[token.space] = token.id
        placed_ids = set(self.ids_by_space.values())
        for character_id in self.sides:
            if character_id not in placed_ids:
                self.place_at_edge(character_id)
        extra_tokens = [token.name for token in setup.tokens if token.id not in self.sides]
        if extra_tokens and characters:
            names = join_words(extra_tokens[:_MAX_NAMES])
            more = f" and {len(extra_tokens) - _MAX_NAMES} more" if len(extra_tokens) > _MAX_NAMES else ""
            expected = "tokens of those who fight"
            self.problems.report("fight.strangers", expected, f"{names}{more}", "tokens", severity="advice")

    def list_tokens(self) -> tuple[Token, ...]:
        """Build the tokens of all placed characters."""
        spaces = {character_id: space for space, character_id in self.ids_by_space.items()}
        return tuple(
            Token(character_id, spaces[character_id], format_side(side)) for character_id, side in self.sides.items()
        )

    def place_at_typed_space(self, table: Mapping[str, Any]) -> None:
        """Place a character in the space of its sheet, or report why not.

        Rules: `grid.space`, `grid.move.blocked`.
        """
        column, row = table["at"]
        space, name = (column, row), table["name"]
        if space not in self.board:
            last = f"{self.board.width - 1},{self.board.height - 1}"
            expected, rule = f"a space from 0,0 to {last} for {name}", "grid.space"
            self.problems.report("token.off-map", expected, format_space(space), "sheets", rule, name=name, last=last)
        elif self.board.is_solid(space):
            terrain, rule = self.board.terrain(space), "grid.move.blocked"
            got, facts = (
                f"{terrain} at {format_space(space)}",
                {"name": name, "terrain": terrain, "space": format_space(space)},
            )
            self.problems.report("token.blocked", f"a space to stand in for {name}", got, "sheets", rule, **facts)
        elif space in self.ids_by_space:
            got, rule = f"{format_space(space)}, that of {self.ids_by_space[space]}", "grid.move.blocked"
            facts = {"name": name, "space": format_space(space)}
            self.problems.report("token.taken", f"a space of their own for {name}", got, "sheets", rule, **facts)
        else:
            self.ids_by_space[space] = str(table["id"])

    def place_at_edge(self, character_id: str) -> None:
        """Place a character in a free space near the edge of its side.

        The first side is at the left, the second at the right, the others at the top and bottom. Reports a problem if
        no space is free.
        """
        number = list(dict.fromkeys(self.sides.values())).index(self.sides[character_id])
        columns, rows = self.board.width, self.board.height

        def distance_to_edge(space: Space) -> tuple[float, float]:
            column, row = space
            edges = (column, columns - 1 - column, row, rows - 1 - row)
            return edges[number % 4], abs(row - (rows - 1) / 2) if number % 4 < 2 else abs(column - (columns - 1) / 2)

        excluded_terrains = ("wall", "obstacle", "deep-water")
        free_spaces = [
            each
            for each in self.board.spaces
            if self.board.terrain(each) not in excluded_terrains and each not in self.ids_by_space
        ]
        if free_spaces:
            self.ids_by_space[min(free_spaces, key=distance_to_edge)] = character_id
        elif not any(problem.where == "map" for problem in self.problems):
            expected, count = f"a space for each of {len(self.sides)}", len(self.sides)
            self.problems.report("map.too-small", expected, "too few", "map", "grid.space", count=count)


def format_side(side: str) -> str:
    """Format a side's name for a token.

    Replaces the separators of tokens with hyphens, and shortens it to `MAX_SIDE_LENGTH`.
    """
    return _SIDE.sub("-", side)[:MAX_SIDE_LENGTH] or "side"


def _choose_side(table: Mapping[str, Any], characters: Sequence[Mapping[str, Any]]) -> Any:
    """Return a character's side: its own, its leader's, or its id.

    Rule: `command.minions`.
    """
    for _ in characters:
        if "side" in table or "minion_of" not in table:
            break
        table = next(each for each in characters if each["id"] == table["minion_of"])
    return table.get("side", table["id"])
