"""The replay calculator: a scenario, a step of it, other rulings and changed dice in; the moment and the log out.

The way through: `reading` reads the query, `stories` plays the scenario and its fork, `telling` finds the place asked
for and what is told of it in every order of turns, `log` the lines around it. What the basic rules show besides is in
`basic` and `answering`, what the others show in the modules named `orders`; all of it is held by the records of
`shown`, which the template prints. `odds` adds each side's chances where they are asked for. `changes` is the language
of forks, `printed` what the worked combat prints, `board` the map.
"""

from __future__ import annotations

from scratch_core.calculators.query import Query
from scratch_core.calculators.replay.basic import BasicReading
from scratch_core.calculators.replay.reading import QUERY_LIMIT, Reading
from scratch_core.calculators.replay.shown import CONTROLS, View
from scratch_core.calculators.replay.stories import Story
from scratch_core.calculators.slices import GoOn, to_the_end
from scratch_core.rounds import SYSTEMS
from scratch_core.scenario import named_in

__all__ = ["CONTROLS", "IN_SLICES", "QUERY_LIMIT", "View", "view"]


IN_SLICES = True
"""Its view is given `go_on`, see `scratch_core.calculators.slices`."""


def view(query: Query, roller: object = None, go_on: GoOn = to_the_end) -> View:
    """Answer a query: the moment after `step` of `scenario`, by the rulings and with the changes asked for.

    Nothing is rolled by chance: dice that the file leaves open are thrown by number, `dice` 0 and on. Never raises:
    what can't be read is a problem at its control. Rules: `turn.encounter`, `roll.success`, `hp.healthy`.
    """
    reading = _reading(query)
    shown = reading.view()
    if isinstance(reading, BasicReading) and shown.answer and shown.fields["odds"]:
        from scratch_core.calculators.replay.odds import with_chances  # only where somebody asks for them

        return with_chances(shown, reading, go_on)
    return shown


def _system_of(reading: BasicReading) -> str:
    """The turn order of the story that is asked for, or that a text which can't be told names; "" for none."""
    story = reading.original()
    if isinstance(story, Story):
        return story.played.system.name
    return named_in(reading.text if story else "")


def _reading(query: Query) -> Reading:
    """What reads a query about a story of that turn order; Scratch's where there is none."""
    if _system_of(BasicReading(query)) not in SYSTEMS:
        return BasicReading(query)
    from scratch_core.calculators.replay.orders import OrderReading  # only where a file asks for another turn order

    return OrderReading(query)
