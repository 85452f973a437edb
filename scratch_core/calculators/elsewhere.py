"""What a text is that was opened on a page of which it is none: a fight's file among stat blocks."""

from __future__ import annotations

from scratch_core.calculators.query import query_string

FORMAT = "scratch-scenario/1"
"""The format of `scratch_core.scenario`, written here again: importing it would bring every order of turns along."""
_HEAD = 400
"""A file of ours names its format at its beginning."""


def is_scenario(text: str) -> bool:
    """Whether a text says of itself that it is a scenario file, whole or cut, in JSON or in TOML."""
    return FORMAT in text[:_HEAD]


def fight_of(text: str, *, is_cut: bool = False) -> str:
    """The address, from another tool's page, at which a scenario file goes on as a fight; bare where it is cut.

    "" for any other text.
    """
    if not is_scenario(text):
        return ""
    return "../fight/" if is_cut else f"../fight/#?{query_string({'log': text})}"
