"""The space of each character: from its sheet, otherwise from its token, otherwise a space at its side's edge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from scratch_core.board import Board, Space, format_space
from scratch_core.calculators.board.setup import BoardSetup, Token
from scratch_core.errors import Problem, Problems, join_words

MAX_SIDE_LENGTH = 40
"""The most characters of a token's side."""

_MAX_NAMES = 8
_SIDE = re.compile(r"[\s,@:;/]+")


@dataclass(frozen=True, slots=True)
class Placement:
    """The characters on a board."""

    sides: Mapping[str, str]
    """The side of each character, by id."""
    ids_by_space: Mapping[Space, str]
    """The ids of the characters that have a space."""
    problems: tuple[Problem, ...]
    """The problems of spaces, and of tokens without a character."""
    waiting_tokens: tuple[Token, ...] = ()
    """The tokens that wait for a character of their side."""

    def build_tokens(self) -> tuple[Token, ...]:
        """Build the tokens of all characters.

        Raises KeyError if one of them has no space.
        """
        spaces = {character_id: space for space, character_id in self.ids_by_space.items()}
        return tuple(
            Token(character_id, spaces[character_id], format_side_for_token(side))
            for character_id, side in self.sides.items()
        )


def place_characters(setup: BoardSetup, characters: Sequence[Mapping[str, Any]]) -> Placement:
    """Place characters, which are tables of a scenario, on the board of a setup.

    The space comes from the stat block, else from the token of that name, else from a token of the same side without a
    character, else it is at the edge of the side.
    """
    sides = {str(each["id"]): str(_choose_own_or_leader_side(each, characters)) for each in characters}
    typed_ids, problems = _place_at_typed_spaces(setup.board, characters)
    placed_ids = _place_unplaced_at_tokens(setup.tokens, sides, typed_ids)
    placed_ids, waiting_tokens = _assign_characters_to_waiting_tokens(setup.tokens, sides, placed_ids)
    ids_by_space = _place_at_edges(setup.board, placed_ids, sides)
    if len(set(ids_by_space.values())) < len(sides):
        expected, count = f"a space for each of {len(sides)}", len(sides)
        problems.report("map.too-small", expected, "too few", "map", "grid.space", count=count)
    if waiting_tokens:
        names = join_words([token.name for token in waiting_tokens[:_MAX_NAMES]])
        more = f" and {len(waiting_tokens) - _MAX_NAMES} more" if len(waiting_tokens) > _MAX_NAMES else ""
        code, expected = "fight.unused-tokens", "a character for each token"
        problems.report(code, expected, f"{names}{more}", "tokens", severity="advice")
    return Placement(sides, ids_by_space, tuple(problems), waiting_tokens)


def _place_at_typed_spaces(board: Board, characters: Sequence[Mapping[str, Any]]) -> tuple[dict[Space, str], Problems]:
    """Place each character whose sheet has a space there, or report why not.

    Rules: `grid.space`, `grid.move.blocked`.
    """
    ids_by_space, problems = dict[Space, str](), Problems()
    for each in characters:
        if "at" not in each:
            continue
        column, row = each["at"]
        space, name = (column, row), each["name"]
        space_text = format_space(space)
        if space not in board:
            last = f"{board.width - 1},{board.height - 1}"
            expected, rule = f"a space from 0,0 to {last} for {name}", "grid.space"
            problems.report("token.off-map", expected, space_text, "sheets", rule, name=name, last=last)
        elif board.has_wall_or_obstacle(space):
            terrain, rule = board.terrain(space), "grid.move.blocked"
            expected, got = f"a space to stand in for {name}", f"{terrain} at {space_text}"
            facts = {"name": name, "terrain": terrain, "space": space_text}
            problems.report("token.blocked", expected, got, "sheets", rule, **facts)
        elif space in ids_by_space:
            expected, got = f"a space of their own for {name}", f"{space_text}, that of {ids_by_space[space]}"
            facts = {"name": name, "space": space_text}
            problems.report("token.taken", expected, got, "sheets", "grid.move.blocked", **facts)
        else:
            ids_by_space[space] = str(each["id"])
    return ids_by_space, problems


def _place_unplaced_at_tokens(
    tokens: Iterable[Token], sides_by_id: Mapping[str, str], ids_by_space: Mapping[Space, str]
) -> dict[Space, str]:
    """Place the other characters that have a token in its space, if it is free."""
    placed = {**ids_by_space}
    for token in tokens:
        if token.id in sides_by_id and token.id not in placed.values() and token.space not in placed:
            placed[token.space] = token.id
    return placed


def _assign_characters_to_waiting_tokens(
    tokens: Iterable[Token], sides: Mapping[str, str], ids_by_space: Mapping[Space, str]
) -> tuple[dict[Space, str], tuple[Token, ...]]:
    """Place the other characters at the tokens of their side that have no character.

    Both are taken in order. Returns the tokens that remain, too.
    """
    placed, waiting_tokens = {**ids_by_space}, [token for token in tokens if token.id not in sides]
    for character_id, side in sides.items():
        if character_id not in ids_by_space.values():
            own_side = format_side_for_token(side)
            free_tokens = (each for each in waiting_tokens if each.side == own_side and each.space not in placed)
            token = next(free_tokens, None)
            if token:
                placed[token.space] = character_id
                waiting_tokens.remove(token)
    return placed, tuple(waiting_tokens)


def _place_at_edges(board: Board, ids_by_space: Mapping[Space, str], sides: Mapping[str, str]) -> dict[Space, str]:
    """Place the other characters in free spaces near the edge of their side.

    The first side is at the left, the second at the right, the others at the top and bottom. A character is left out if
    no space is free.
    """
    placed, side_names = {**ids_by_space}, list(dict.fromkeys(sides.values()))
    excluded_terrains = ("wall", "obstacle", "deep-water")
    open_spaces = [each for each in board.spaces if board.terrain(each) not in excluded_terrains]
    for character_id in [each for each in sides if each not in ids_by_space.values()]:
        distance_to_edge = partial(_measure_edge_and_middle_distance, board, side_names.index(sides[character_id]) % 4)
        free_spaces = (each for each in open_spaces if each not in placed)
        space = min(free_spaces, key=distance_to_edge, default=None)
        if space is not None:
            placed[space] = character_id
    return placed


def _measure_edge_and_middle_distance(board: Board, edge: int, space: Space) -> tuple[float, float]:
    """Measure the distance of a space from an edge and from its middle.

    The edges are left, right, top and bottom, numbered from 0.
    """
    column, row = space
    distances = (column, board.width - 1 - column, row, board.height - 1 - row)
    middle_distance = abs(row - (board.height - 1) / 2) if edge < 2 else abs(column - (board.width - 1) / 2)
    return distances[edge], middle_distance


def format_side_for_token(side: str) -> str:
    """Format a side's name for a token.

    Replaces the separators of tokens with hyphens, and shortens it to `MAX_SIDE_LENGTH`.
    """
    return _SIDE.sub("-", side)[:MAX_SIDE_LENGTH] or "side"


def _choose_own_or_leader_side(character_data: Mapping[str, Any], characters: Sequence[Mapping[str, Any]]) -> Any:
    """Return a character's side: its own, its leader's, or its id.

    Rule: `command.minions`.
    """
    for _ in characters:
        if "side" in character_data or "minion_of" not in character_data:
            break
        character_data = next(each for each in characters if each["id"] == character_data["minion_of"])
    return character_data.get("side", character_data["id"])
