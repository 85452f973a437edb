"""The replay calculator: a scenario, a step of it, other rulings and changed dice in; the moment and the log out.

The way through: `reading` reads the query, `stories` plays the scenario and its fork, `answering` and `log` make of
them what `shown` holds and the template prints. `changes` is the language of forks, `printed` what the worked combat
prints, `board` the map; the modules named `orders` do the same for the other turn orders.
"""

from __future__ import annotations

from scratch_core.calculators.query import Query
from scratch_core.calculators.replay.reading import CONTROLS, QUERY_LIMIT, Reading
from scratch_core.calculators.replay.shown import View

__all__ = ["CONTROLS", "QUERY_LIMIT", "View", "view"]


def view(query: Query, roller: object = None) -> View:
    """Answer a query: the moment after `step` of `scenario`, by the rulings and with the changes asked for.

    Nothing is rolled by chance: dice that the file leaves open are thrown by number, `dice` 0 and on. Never raises:
    what can't be read is a problem at its control. Rules: `turn.encounter`, `roll.success`, `hp.healthy`.
    """
    return Reading(query, _order_view).view()


def _order_view(query: Query, text: str) -> View | None:
    from scratch_core.calculators.replay.orders import order_view  # only where a file asks for another turn order

    return order_view(query, text)
