"""A board taken into a fight: the query of the fight's set-up, with everything that was set on the board."""

from __future__ import annotations

from scratch_core.calculators.board.reading import FEATURES, RULINGS, Setup, Token
from scratch_core.calculators.people.blocks import ids_in
from scratch_core.calculators.query import query_string

SHEETS = "sheets"
"""The control that holds the stat blocks of a fight whose map is being painted; they go back into the fight."""


def fight_query(setup: Setup, sheets: str) -> str:
    """The fight calculator's set-up with this board and everybody on it.

    Whoever has no stat block in `sheets` gets one, with a toughness of 1 for a start; the selected token's says what
    was set for it.
    """
    fields = setup.fields()
    known = ids_in(sheets)
    blocks = [_block(setup, token) for token in setup.tokens if token.id not in known]
    kept = {name: fields[name] for name in ("map", "shape", "tokens", *FEATURES, *RULINGS)}
    written = "\n\n".join(each for each in (sheets, *blocks) if each)
    return query_string({SHEETS: written, **kept, "shape": "" if setup.board.shape == "square" else setup.board.shape})


def _block(setup: Setup, token: Token) -> str:
    """A token's stat block, with the abilities and the injury set for it where it is the one selected."""
    lines, levels = [token.id, f"side: {token.side}"], {"toughness": 1}
    if token is setup.token:
        levels |= {name: level for name, level in setup.levels.items() if level}
        if setup.is_injured:  # a toughness of 1 knows no injury: half of it is nothing (`hp.stamina`)
            levels["toughness"] = 2
            lines.append("hp: 1")
    return "\n".join((*lines, *(f"{level} {name}" for name, level in levels.items())))
