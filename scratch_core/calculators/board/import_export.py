"""Adding characters to a map, and exporting a map with everything on it to the fight calculator."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from scratch_core.calculators.board.edits import DEFAULT_SIDES
from scratch_core.calculators.board.placement import place_characters
from scratch_core.calculators.board.request import SHEETS_CONTROL, TOKEN_CONTROLS
from scratch_core.calculators.board.setup import FEATURES, MOVEMENT_ABILITIES, RULING_CONTROLS, BoardSetup, Token
from scratch_core.calculators.characters_text.chooser import append_stat_blocks, list_added_characters
from scratch_core.calculators.characters_text.setup_text import TOGETHER, parse_setup, set_turns
from scratch_core.calculators.shared.query import Query, format_query
from scratch_core.calculators.shared.sides import is_players_side
from scratch_core.characters import find_health
from scratch_core.errors import Problems


def add_chosen_characters(setup: BoardSetup, query: Query, sheets: str) -> tuple[BoardSetup, str, Problems]:
    """Add the ticked characters of a query to the board and to `sheets`.

    Each character is placed near its side. Adds none and reports a problem if there is no space for all of them. Rules:
    `grid.space`, `turn.group`.
    """
    added_characters, problems = list_added_characters(query, "act", sheets)
    new_sheets = sheets
    for _, blocks in added_characters:
        new_sheets = append_stat_blocks(new_sheets, blocks, query.text("choosing"))
    token_tables = [{"id": each.id, "name": each.id, "side": each.side} for each in setup.tokens]
    known_ids = {each["id"] for each in token_tables}
    newcomers = (each for each in parse_setup(new_sheets).characters if each["id"] not in known_ids)
    placement = place_characters(setup, [*token_tables, *newcomers])
    problems.extend_moved_to("act", placement.problems)
    if placement.problems:
        return setup, sheets, problems
    return replace(setup, tokens=placement.build_tokens()), new_sheets, problems


def build_movement_and_injury_fields(sheets: str, token_id: str) -> dict[str, str]:
    """Build the level controls from the stat block of a token.

    All are empty if it has no stat block. Rule: `hp.stamina`.
    """
    for each in parse_setup(sheets).characters:
        if each["id"] == token_id:
            max_hp = each["abilities"].get("toughness", 0)
            is_injured = find_health(min(each.get("hp", max_hp), max_hp), max_hp) == "injured"
            levels = {name: f"{each['abilities'].get(name) or ''}" for name in MOVEMENT_ABILITIES}
            return {**levels, "injured": "true" if is_injured else ""}
    return dict.fromkeys(TOKEN_CONTROLS, "")


def list_tokens_left_over(setup: BoardSetup, sheets: str) -> tuple[Token, ...]:
    """List the tokens that no character of the stat blocks in `sheets` has or takes.

    Returns () without characters.
    """
    characters = parse_setup(sheets).characters
    return place_characters(setup, characters).waiting_tokens if characters else ()


def build_fight_query(setup: BoardSetup, sheets: str) -> str:
    """Build the fight calculator's query for this board and its characters.

    A token without a stat block in `sheets` waits in the fight for a character of its side.
    """
    fields = setup.to_fields()
    board_fields = {name: fields[name] for name in ("map", "shape", "tokens", *FEATURES, *RULING_CONTROLS)}
    stat_blocks, players_sides = _set_turns_and_players_sides(sheets, [token.side for token in setup.tokens])
    shape = "" if setup.board.shape == "square" else setup.board.shape
    return format_query({SHEETS_CONTROL: stat_blocks, **board_fields, "shape": shape, "screen_sides": players_sides})


def _set_turns_and_players_sides(sheets: str, token_sides: Sequence[str]) -> tuple[str, str]:
    """Return the stat blocks, and the players' sides for the players' screen.

    The first default side is the players' side, and each other side takes one turn together (ruling A44). If that side
    is not on the map, or the stat blocks name a players' side, nothing changes and the second value is "". Stat blocks
    that already say something of turns don't change. Rule: `turn.group`.
    """
    characters = parse_setup(sheets).characters
    sides = dict.fromkeys((*(str(each["side"]) for each in characters if "side" in each), *token_sides))
    first, is_settled = DEFAULT_SIDES[0], any("group" in each for each in characters)
    if first not in sides or any(map(is_players_side, sides)):
        return sheets, ""
    for side in () if is_settled else sides:
        if side != first:
            sheets = set_turns(sheets, side, TOGETHER)
    return sheets, json.dumps([first])
