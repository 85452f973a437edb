"""People brought onto a board, and a board taken into a fight with everything that was set on it."""

from __future__ import annotations

import json
from dataclasses import replace

from scratch_core.calculators.board.edits import SIDES
from scratch_core.calculators.board.placement import Laying
from scratch_core.calculators.board.request import FEATURES, MOVEMENT, RULINGS, TOKEN_CONTROLS, Setup, Token
from scratch_core.calculators.characters_text.chooser import beside, brought
from scratch_core.calculators.characters_text.setup_text import TOGETHER, names_in, read_setup, write_turns
from scratch_core.calculators.shared.form import Form, at_control
from scratch_core.calculators.shared.query import query_string
from scratch_core.calculators.shared.sides import PLAYERS_SIDES
from scratch_core.characters import find_health, format_name

SHEETS = "sheets"
"""The control that holds the stat blocks of a fight whose map is being painted; they go back into the fight."""

LEVELS_OWNER = "levels_of"
"""The control with the id of the token whose levels the controls hold, also while no token is selected."""


def brought_on(setup: Setup, asked: Form, sheets: str) -> tuple[Setup, str]:
    """The board with those who were ticked, each where its side stands, and the stat blocks with theirs.

    Where there is no room for all of them no one comes, which is a problem. Rules: `grid.space`, `turn.group`.
    """
    before = sheets
    for _, blocks in brought(asked, "act", sheets):
        sheets = beside(sheets, blocks, asked.query.text("choosing"))
    there = [{"id": each.id, "name": each.id, "side": each.side} for each in setup.tokens]
    known = {each["id"] for each in there}
    laying = Laying(setup, [*there, *(each for each in read_setup(sheets).characters if each["id"] not in known)])
    asked.problems += at_control(laying.problems, "act")
    return (setup, before) if laying.problems else (replace(setup, tokens=laying.tokens()), sheets)


def levels_of(sheets: str, own: str) -> dict[str, str]:
    """Give what a token can do by its stat block as texts of the controls, empty without one. Rule: `hp.stamina`."""
    for each in read_setup(sheets).characters:
        if each["id"] == own:
            most = each["abilities"].get("toughness", 0)
            is_injured = find_health(min(each.get("hp", most), most), most) == "injured"
            levels = {name: f"{each['abilities'].get(name) or ''}" for name in MOVEMENT}
            return {**levels, "injured": "true" if is_injured else ""}
    return dict.fromkeys(TOKEN_CONTROLS, "")


def fight_query(setup: Setup, sheets: str) -> str:
    """The fight calculator's set-up with this board and everyone on it.

    Whoever has no stat block in `sheets` gets one, with a toughness of 1 for a start; the selected token's says what
    was set for it.
    """
    fields = setup.fields()
    known = names_in(sheets)
    blocks = [_block(setup, token) for token in setup.tokens if token.id not in known]
    kept = {name: fields[name] for name in ("map", "shape", "tokens", *FEATURES, *RULINGS)}
    written, players = _with_players("\n\n".join(each for each in (sheets, *blocks) if each))
    shape = "" if setup.board.shape == "square" else setup.board.shape
    return query_string({SHEETS: written, **kept, "shape": shape, "screen_sides": players})


def _with_players(sheets: str) -> tuple[str, str]:
    """Return the stat blocks with the map's first side as the players', and that side for the players' screen.

    Each other side takes one turn (ruling A44), unless the stat blocks say something of turns or name a players' side.
    Rule: `turn.group`.
    """
    characters = read_setup(sheets).characters
    sides = dict.fromkeys(str(each["side"]) for each in characters if "side" in each)
    first, is_settled = SIDES[0], any("group" in each for each in characters)
    if first not in sides or not PLAYERS_SIDES.isdisjoint(map(str.casefold, sides)):
        return sheets, ""
    for side in () if is_settled else sides:
        if side != first:
            sheets = write_turns(sheets, side, TOGETHER)
    return sheets, json.dumps([first])


def _block(setup: Setup, token: Token) -> str:
    """A token's stat block, with the abilities and the injury set for it where it is the one selected."""
    lines, levels = [format_name(token.name), f"side: {token.side}"], {"toughness": 1}
    if token is setup.token:
        levels |= {name: level for name, level in setup.levels.items() if level}
        if setup.is_injured:  # a toughness of 1 knows no injury: half of it is nothing (`hp.stamina`)
            levels["toughness"] = 2
            lines.append("hp: 1")
    return "\n".join((*lines, *(f"{level} {name}" for name, level in levels.items())))
