"""The fence ```` ```parts name="button" ````: a part of the pages in every state, light and dark, made of its macro."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import jinja2

from build_scripts.render import TEMPLATES, environment
from scratch_core.errors import Problem

ROOMS = [TEMPLATES, str(Path(__file__).parent / "templates")]
PARTS = environment(jinja2.FileSystemLoader(ROOMS))
WRONG = Problem("dice.entry", "a whole number", "'a lot'", "wrong", None, "error")
NUMBERS = {name: {"value": value} for name, value in (("agility", 11), ("intelligence", 12), ("strength", 11))}
YOURS = SimpleNamespace(control="", value="", name="Wren", told="3 shooting", points=10)
CAST = SimpleNamespace(control="guard", value="1", name="Guard", told="2 fighting", points=10)
VIEW = SimpleNamespace(
    problems=(WRONG,),
    fields={"wrong": "a lot", "field": "13", "area": "3 shooting\n1 quickness"},
    numbers=NUMBERS,
    chooser=SimpleNamespace(
        target="us",
        sought="",
        is_new=False,
        kept="Wren",
        groups=(("Yours", [YOURS]), ("The cast", [CAST])),
        ticked=("guard",),
    ),
)
"""A view as a calculator has one: what was typed, what is wrong, someone's numbers, and whom to choose from."""


def render_part(name: str) -> str:
    """The part that a fence names."""
    return PARTS.get_template("parts.html").render(name=name, view=VIEW)
