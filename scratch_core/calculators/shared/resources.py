"""Texts that come with the site and are fetched only when an answer asks for one: what has come by now, by its path.

An answer that needs a text names it in `needs`; the caller passes it with `give` and repeats the request.
"""

from __future__ import annotations

WIN_CHANCES_PATH = "data/worked-combat-chances.json"
"""The worked combat's chances: a `scratch_core.odds.lookup_table.WinProbabilityTable`."""

_texts: dict[str, str] = {}


def put_text(path: str, text: str) -> None:
    """Hand a text over, as it lies at that path of the site; "" for one that could not be had."""
    _texts[path] = text


def find_text(path: str) -> str | None:
    """The text at a path; None while no one has handed it over."""
    return _texts.get(path)


def clear_texts() -> None:
    """Forget all texts."""
    _texts.clear()
