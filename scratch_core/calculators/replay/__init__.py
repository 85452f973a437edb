"""The replay calculator: shows the state after a step of a scenario, with its log, also with other rulings and dice.

`request` parses the query. `playthroughs` plays the scenario and its fork. `moment` builds the answer for a step, with
`fighter_cards` for the fighters, `step_editor` for the fields of a step, `board_view` for the map and `log` for the
lines around the step. The records of `view_model` hold all of it for the template. `win_chances` adds each side's win
chances on request. `fork_changes` parses and formats the text of forks, and `printed_narration` has the text printed
for the worked combat.
"""

from __future__ import annotations

from scratch_core.calculators.replay.request import MAX_QUERY_LENGTH, ReplayForm
from scratch_core.calculators.replay.view_model import CONTROLS, View
from scratch_core.calculators.shared.jobs import ShouldContinue, can_always_continue
from scratch_core.calculators.shared.query import Query

__all__ = ["CONTROLS", "IN_SLICES", "MAX_QUERY_LENGTH", "View", "view"]


IN_SLICES = True
"""`view` takes `go_on` and works in time slices, see `scratch_core.calculators.shared.jobs`."""


def view(query: Query, roller: object = None, go_on: ShouldContinue = can_always_continue) -> View:
    """Answer a query with the state after `step` of `scenario`.

    Applies the rulings and the changes of the fork. Nothing is random: a roller seeded with the number `dice` (0 or
    more) rolls the dice that the file leaves open. Never raises: invalid input is reported as a problem at its control.
    Rules: `turn.encounter`, `roll.success`, `hp.healthy`, `mano.turn.options`, `mano-old.phases`, `seize.choose-next`.
    """
    request_form = ReplayForm(query)
    position = request_form.find_position()
    answer_view = request_form.build_view(position)
    if position and answer_view.answer and position.system.roll_keys and answer_view.fields["odds"]:
        from scratch_core.calculators.replay.win_chances import add_win_chances  # loaded only on request

        return add_win_chances(answer_view, position, go_on)
    return answer_view
