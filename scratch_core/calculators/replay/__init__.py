"""The replay calculator: shows the state after a step of a scenario, with its log, also with other rulings and dice.

`request` parses the query. `session` plays the scenario to the step of the request, with the fork of `typed_fork`.
`answer` builds what the page shows of the step, with `fighter_cards` for the fighters, `step_display` for the step and
`other_faces` for its what-ifs, `step_editor` for its fields, `board_view` for the map and `log` for the lines around
the step. `view_model` has the view for the template. `win_chances` adds each side's win chances on request.
`playthroughs` plays scenarios and forks, `fork_changes` parses and formats the text of forks, and `printed_narration`
has the text printed for the worked combat.
"""

from __future__ import annotations

from scratch_core.calculators.replay.request import CONTROLS, MAX_QUERY_LENGTH, parse_request
from scratch_core.calculators.replay.session import play_request
from scratch_core.calculators.replay.view_model import View, build_view
from scratch_core.calculators.shared.jobs import ShouldContinue, can_always_continue
from scratch_core.calculators.shared.query import Query

__all__ = ["CONTROLS", "IN_SLICES", "MAX_QUERY_LENGTH", "View", "view"]


IN_SLICES = True
"""`view` takes `should_continue` and works in time slices, see `scratch_core.calculators.shared.jobs`."""


def view(query: Query, roller: object = None, should_continue: ShouldContinue = can_always_continue) -> View:
    """Answer a query with the state after `step` of `scenario`.

    Applies the rulings and the changes of the fork. Nothing is random: a roller seeded with the number `dice` (0 or
    more) rolls the dice that the file leaves open. Never raises: invalid input is reported as a problem at its control.
    Rules: `turn.encounter`, `roll.success`, `hp.healthy`, `mano.turn.options`, `mano-old.phases`, `seize.choose-next`.
    """
    request = parse_request(query)
    answer_view = build_view(request, play_request(request))
    if not answer_view.needs_win_chances:
        return answer_view
    from scratch_core.calculators.replay.win_chances import add_win_chances  # loaded only on request

    return add_win_chances(answer_view, should_continue)
