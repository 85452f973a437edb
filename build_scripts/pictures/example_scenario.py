"""A scenario in a page, which the build plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scratch_core.errors import ScratchError
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.scenario import NoDice, ScenarioResult, play, scenario_from_dict
from scratch_core.scenario.parser import parse_toml_or_json


def play_scenario_text(body: str, line_before_body: int = 0) -> ScenarioResult:
    """Play a scenario's text, in which `format` and names are optional.

    `line_before_body` is the page's line before the first one. Raises ValueError, with the page's line, if it can't be
    parsed, or a die roll is missing or impossible.
    """
    try:
        tree, lines = parse_toml_or_json(body)
        scenario = scenario_from_dict(
            complete_scenario_data(tree), {key: number + line_before_body for key, number in lines.items()}
        )
        played = play(scenario, NoDice())
        problems = played.problems
    except ScratchError as error:
        problems = error.problems
    if problems:
        raise ValueError("; ".join(problem.message for problem in problems))
    return played


def complete_scenario_data(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fence's tree with the format and with names.

    A character that has only an id gets a name made from it.
    """
    characters = tree.get("characters")
    if isinstance(characters, list):
        characters = [
            {"name": str(each["id"]).capitalize(), **each} if isinstance(each, Mapping) and "id" in each else each
            for each in characters
        ]
    return {"format": SCENARIO_FORMAT, **tree, "characters": characters}
