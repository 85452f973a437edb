"""People brought onto a board, and a board taken into a fight with everything that was set on it."""

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
"""The control that holds the stat blocks of a fight whose map is being painted; they go back into the fight."""

LEVELS_OWNER_CONTROL = "levels_of"
"""The control with the id of the token whose levels the controls hold, also while no token is selected."""


def add_chosen_characters(setup: BoardSetup, asked: Form, sheets: str) -> tuple[BoardSetup, str]:
    """The board with those who were ticked, each where its side stands, and the stat blocks with theirs.

    Where there is no room for all of them no one comes, which is a problem. Rules: `grid.space`, `turn.group`.
    """
    before = sheets
    for _, blocks in list_added_characters(asked, "act", sheets):
        sheets = append_stat_blocks(sheets, blocks, asked.query.text("choosing"))
    there = [{"id": each.id, "name": each.id, "side": each.side} for each in setup.tokens]
    known = {each["id"] for each in there}
    laying = Placement(setup, [*there, *(each for each in parse_setup(sheets).characters if each["id"] not in known)])
    asked.problems.extend_at("act", laying.problems)
    return (setup, before) if laying.problems else (replace(setup, tokens=laying.list_tokens()), sheets)


def build_level_fields(sheets: str, own: str) -> dict[str, str]:
    """Give what a token can do by its stat block as texts of the controls, empty without one. Rule: `hp.stamina`."""
    for each in parse_setup(sheets).characters:
        if each["id"] == own:
            most = each["abilities"].get("toughness", 0)
            is_injured = find_health(min(each.get("hp", most), most), most) == "injured"
            levels = {name: f"{each['abilities'].get(name) or ''}" for name in MOVEMENT_ABILITIES}
            return {**levels, "injured": "true" if is_injured else ""}
    return dict.fromkeys(TOKEN_CONTROLS, "")


def build_fight_query(setup: BoardSetup, sheets: str) -> str:
    """The fight calculator's set-up with this board and everyone on it.

    A token without a stat block in `sheets` gets one with toughness 1; the selected token's has the levels set for it.
    """
    fields = setup.to_fields()
    known = parse_names_by_id(sheets)
    blocks = [_format_stat_block(setup, token) for token in setup.tokens if token.id not in known]
    kept = {name: fields[name] for name in ("map", "shape", "tokens", *FEATURES, *RULING_CONTROLS)}
    written, players = _mark_players_side("\n\n".join(each for each in (sheets, *blocks) if each))
    shape = "" if setup.board.shape == "square" else setup.board.shape
    return format_query({SHEETS_CONTROL: written, **kept, "shape": shape, "screen_sides": players})


def _mark_players_side(sheets: str) -> tuple[str, str]:
    """Return the stat blocks with the map's first side as the players', and that side for the players' screen.

    Each other side takes one turn (ruling A44), unless the stat blocks say something of turns or name a players' side.
    Rule: `turn.group`.
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
    """A token's stat block, with the abilities and the injury set for it where it is the one selected."""
    lines, levels = [quote_name_if_needed(token.name), f"side: {token.side}"], {"toughness": 1}
    if token is setup.selected_token:
        levels |= {name: level for name, level in setup.levels.items() if level}
        if setup.is_injured:  # a toughness of 1 knows no injury: half of it is nothing (`hp.stamina`)
            levels["toughness"] = 2
            lines.append("hp: 1")
    return "\n".join((*lines, *(f"{level} {name}" for name, level in levels.items())))
