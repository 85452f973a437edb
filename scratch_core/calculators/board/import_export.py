"""Adding characters to a map, and exporting a map with everything on it to the fight calculator."""

from __future__ import annotations

import json
from dataclasses import replace

from scratch_core.calculators.board.edits import DEFAULT_SIDES
from scratch_core.calculators.board.placement import Placement
from scratch_core.calculators.board.request import (
    FEATURES,
    MOVEMENT_ABILITIES,
    RULING_CONTROLS,
    TOKEN_CONTROLS,
    BoardSetup,
    Token,
)
from scratch_core.calculators.characters_text.chooser import append_stat_blocks, list_added_characters
from scratch_core.calculators.characters_text.setup_text import TOGETHER, parse_names_by_id, parse_setup, set_turns
from scratch_core.calculators.shared.form import Form
from scratch_core.calculators.shared.query import format_query
from scratch_core.calculators.shared.sides import is_players_side
from scratch_core.characters import find_health, quote_name_if_needed

SHEETS_CONTROL = "sheets"
"""The control with the stat blocks of a fight whose map is being edited. The export to the fight returns them."""

LEVELS_OWNER_CONTROL = "levels_of"
"""The control with the id of the token whose levels the controls hold, even if no token is selected."""


def add_chosen_characters(setup: BoardSetup, chooser_form: Form, sheets: str) -> tuple[BoardSetup, str]:
    """Add the ticked characters to the board, and their stat blocks to `sheets`.

    Each character is placed near its side. Adds none and reports a problem if there is no space for all of them. Rules:
    `grid.space`, `turn.group`.
    """
    before = sheets
    added_characters, problems = list_added_characters(chooser_form.query, "act", sheets)
    chooser_form.problems += problems
    for _, blocks in added_characters:
        sheets = append_stat_blocks(sheets, blocks, chooser_form.query.text("choosing"))
    token_tables = [{"id": each.id, "name": each.id, "side": each.side} for each in setup.tokens]
    known_ids = {each["id"] for each in token_tables}
    placement = Placement(
        setup, [*token_tables, *(each for each in parse_setup(sheets).characters if each["id"] not in known_ids)]
    )
    chooser_form.problems.extend_at("act", placement.problems)
    return (setup, before) if placement.problems else (replace(setup, tokens=placement.list_tokens()), sheets)


def build_level_fields(sheets: str, token_id: str) -> dict[str, str]:
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


def build_fight_query(setup: BoardSetup, sheets: str) -> str:
    """Build the fight calculator's query for this board and all of its characters.

    A token without a stat block in `sheets` gets one with toughness 1. The selected token's stat block has the levels
    of its controls.
    """
    fields = setup.to_fields()
    known_ids = parse_names_by_id(sheets)
    blocks = [_format_stat_block(setup, token) for token in setup.tokens if token.id not in known_ids]
    board_fields = {name: fields[name] for name in ("map", "shape", "tokens", *FEATURES, *RULING_CONTROLS)}
    stat_blocks, players_sides = _mark_players_side("\n\n".join(each for each in (sheets, *blocks) if each))
    shape = "" if setup.board.shape == "square" else setup.board.shape
    return format_query({SHEETS_CONTROL: stat_blocks, **board_fields, "shape": shape, "screen_sides": players_sides})


def _mark_players_side(sheets: str) -> tuple[str, str]:
    """Return the stat blocks, and the players' sides for the players' screen.

    The first default side is the players' side, and each other side takes one turn together (ruling A44). If that side
    is not on the map, or the stat blocks name a players' side, nothing changes and the second value is "". Stat blocks
    that already say something of turns don't change. Rule: `turn.group`.
    """
    characters = parse_setup(sheets).characters
    sides = dict.fromkeys(str(each["side"]) for each in characters if "side" in each)
    first, is_settled = DEFAULT_SIDES[0], any("group" in each for each in characters)
    if first not in sides or any(map(is_players_side, sides)):
        return sheets, ""
    for side in () if is_settled else sides:
        if side != first:
            sheets = set_turns(sheets, side, TOGETHER)
    return sheets, json.dumps([first])


def _format_stat_block(setup: BoardSetup, token: Token) -> str:
    """Format a token's stat block.

    The selected token's has the levels and the injury of the controls.
    """
    lines, levels = [quote_name_if_needed(token.name), f"side: {token.side}"], {"toughness": 1}
    if token is setup.selected_token:
        levels |= {name: level for name, level in setup.levels.items() if level}
        if setup.is_injured:  # with toughness 1 no one is injured: half of 1 is 0 (`hp.stamina`)
            levels["toughness"] = 2
            lines.append("hp: 1")
    return "\n".join((*lines, *(f"{level} {name}" for name, level in levels.items())))
