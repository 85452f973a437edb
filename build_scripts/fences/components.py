"""The fence ```` ```parts name="button" ````: a component of the pages in every state, light and dark."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import jinja2

from build_scripts.render import TEMPLATES, build_environment
from scratch_core.errors import Problem

TEMPLATE_FOLDERS = [TEMPLATES, str(Path(__file__).parent / "templates")]
PARTS_ENVIRONMENT = build_environment(jinja2.FileSystemLoader(TEMPLATE_FOLDERS))
SAMPLE_PROBLEM = Problem("dice.entry", "a whole number", "'a lot'", "wrong", None, "error")
SAMPLE_NUMBERS = {name: {"value": value} for name, value in (("agility", 11), ("intelligence", 12), ("strength", 11))}
SAMPLE_SAVED_OPTION = SimpleNamespace(control="", value="", name="Wren", description="3 shooting", points=10)
SAMPLE_CAST_OPTION = SimpleNamespace(control="guard", value="1", name="Guard", description="2 fighting", points=10)
SAMPLE_VIEW = SimpleNamespace(
    problems=(SAMPLE_PROBLEM,),
    fields={"wrong": "a lot", "field": "13", "area": "3 shooting\n1 quickness"},
    numbers=SAMPLE_NUMBERS,
    chooser=SimpleNamespace(
        target="us",
        search_text="",
        is_new=False,
        saved_entries_text="Wren",
        groups=(("Yours", [SAMPLE_SAVED_OPTION]), ("The cast", [SAMPLE_CAST_OPTION])),
        ticked_controls=("guard",),
    ),
)
"""A sample of a calculator's view: fields, problems, a character's figures and a chooser."""


def render_component(component_name: str) -> str:
    """Render the component of a fence."""
    return PARTS_ENVIRONMENT.get_template("parts.html").render(name=component_name, view=SAMPLE_VIEW)
