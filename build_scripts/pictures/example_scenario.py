"""A scenario written in a page, played when the site is built."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scratch_core.errors import ScratchError
from scratch_core.scenario import FORMAT, ScenarioResult, play, scenario_from_dict
from scratch_core.scenario.parser import parse_text


class NoDice:
    """In place of dice: an example has all its faces written down."""

    def roll(self, sides: int) -> int:
        """Refuse: there is nothing to roll."""
        raise ValueError("expected every face written down, got a throw without one")


def play_text(body: str, line: int = 0) -> ScenarioResult:
    """Play a scenario's text; `format` and names may be left out. `line` is the page's line before the first.

    Raises ValueError, with the page's line in it, when it can't be read, or a face is missing.
    """
    try:
        tree, lines = parse_text(body)
        scenario = scenario_from_dict(
            complete_scenario(tree), {place: number + line for place, number in lines.items()}
        )
    except ScratchError as error:
        raise ValueError("; ".join(problem.message for problem in error.problems)) from None
    return play(scenario, NoDice())


def complete_scenario(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The whole scenario of a fence's tree: with its format, and a name for everyone who has only an id."""
    characters = tree.get("characters")
    if isinstance(characters, list):
        characters = [
            {"name": str(each["id"]).capitalize(), **each} if isinstance(each, Mapping) and "id" in each else each
            for each in characters
        ]
    return {"format": FORMAT, **tree, "characters": characters}
