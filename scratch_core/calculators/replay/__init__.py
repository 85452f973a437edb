"""The replay calculator: a scenario, a step of it, other rulings and changed dice in; the moment and the log out.

The way through: `reading` reads the query, `stories` plays the scenario and its fork, `telling` tells the moment asked
for, with `cards` for everyone, `editing` for the fields of a step, `board` for the map and `log` for the lines around
it; all of it is held by the records of `shown`, which the template prints. `odds` adds each side's chances where they
are asked for. `changes` is the language of forks, `printed` what the worked combat prints.
"""

from __future__ import annotations

from scratch_core.calculators.replay.request import MAX_QUERY_LENGTH, ReplayForm
from scratch_core.calculators.replay.view_model import CONTROLS, View
from scratch_core.calculators.shared.jobs import ShouldContinue, can_always_continue
from scratch_core.calculators.shared.query import Query

__all__ = ["CONTROLS", "IN_SLICES", "MAX_QUERY_LENGTH", "View", "view"]


IN_SLICES = True
"""Its view is given `go_on`, see `scratch_core.calculators.shared.jobs`."""


def view(query: Query, roller: object = None, go_on: ShouldContinue = can_always_continue) -> View:
    """Answer a query: the moment after `step` of `scenario`, by the rulings and with the changes asked for.

    Nothing is rolled by chance: dice that the file leaves open are thrown by number, `dice` 0 and on. Never raises:
    what can't be read is a problem at its control. Rules: `turn.encounter`, `roll.success`, `hp.healthy`,
    `mano.turn.options`, `mano-old.phases`, `seize.choose-next`.
    """
    reading = ReplayForm(query)
    place = reading.find_position()
    shown = reading.build_view(place)
    if place and shown.answer and place.system.roll_keys and shown.fields["odds"]:
        from scratch_core.calculators.replay.win_chances import add_win_chances  # only where someone asks for them

        return add_win_chances(shown, place, go_on)
    return shown
