"""The fight calculator: stat blocks in; a fight run step by step, only legal actions offered, and kept as a scenario.

Read in this order: `setup` (sheets to characters), `table` (the fight played so far, a step more, a step less),
`offers` (what may be done now, and why not), `showing` (the fight in words), `answering` (a query from its controls to
the `view` that is printed). A fight by another turn order is answered by `orders`, which has the same parts.
"""

from __future__ import annotations

import re

from scratch_core.calculators.fight.answering import Answering
from scratch_core.calculators.fight.view import CONTROLS, QUERY_LIMIT, View
from scratch_core.calculators.query import Query
from scratch_core.dice import Roller
from scratch_core.rounds import SYSTEMS

__all__ = ["CONTROLS", "QUERY_LIMIT", "View", "view"]

_OTHER = re.compile(rf"""\bsystem["']?\s*[:=]\s*["'](?:{"|".join(map(re.escape, SYSTEMS))})["']""")


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query: `act` is what was pressed (a step as JSON, or one word), `log` the fight as a scenario file.

    Without a `log` there is a set-up of `sheets`, `initiative` and rulings. `faces` are those of the next act's dice;
    without them the roller throws. What can't be done changes nothing, and its problem stands at the control it
    belongs to. Never raises. Rules: `turn.encounter`, `turn.initiative-roll`, `act.basic.available`.
    """
    if _is_other(query):  # imported where it is wanted: a fight by Scratch's own order begins sooner
        from scratch_core.calculators.fight.orders import order_view

        found = order_view(query, roller)
        if found is not None:
            return found
    return Answering(query, roller).view()


def _is_other(query: Query) -> bool:
    """Whether another turn order is chosen, or the fight looks like one by it."""
    text = query.text("log")
    if text.strip() == "resume":
        text = query.text("before")
    return query.text("system") in SYSTEMS if text.strip() in ("", "begin") else bool(_OTHER.search(text))
