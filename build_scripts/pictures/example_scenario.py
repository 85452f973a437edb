"""A scenario in a page, which the build plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scratch_core.errors import ScratchError
from scratch_core.scenario import FORMAT, ScenarioResult, play, scenario_from_dict
from scratch_core.scenario.parser import parse_toml_or_json


class NoDice:
    """A replacement for dice, because an example has all its die rolls recorded."""

    def roll(self, sides: int) -> int:
        """Raise ValueError, because there is nothing to roll."""
        raise ValueError("expected every die roll in `faces`, got a roll without one")


def play_text(body: str, line: int = 0) -> ScenarioResult:
    """Play a scenario's text, in which `format` and names are optional.

    `line` is the page's line before the first one. Raises ValueError, with the page's line, if it can't be parsed or a
    die roll is missing.
    """
    try:
        tree, lines = parse_toml_or_json(body)
        scenario = scenario_from_dict(complete_scenario(tree), {key: number + line for key, number in lines.items()})
    except ScratchError as error:
        raise ValueError("; ".join(problem.message for problem in error.problems)) from None
    return play(scenario, NoDice())


def complete_scenario(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fence's tree with the format and with names.

    A character that has only an id gets a name made from it.
    """
    characters = tree.get("characters")
    if isinstance(characters, list):
        characters = [
            {"name": str(each["id"]).capitalize(), **each} if isinstance(each, Mapping) and "id" in each else each
            for each in characters
        ]
    return {"format": FORMAT, **tree, "characters": characters}
