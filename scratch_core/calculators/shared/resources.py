"""Data files of the site that are fetched only on demand.

A view that needs one has its path in `needs`. The caller fetches the file, passes it to `store_fetched_text` and
repeats the request.
"""

from __future__ import annotations

WIN_CHANCES_PATH = "data/worked-combat-chances.json"
"""The path of the win chances in the worked combat: a `scratch_core.odds.lookup_table.WinProbabilityTable`."""

_texts: dict[str, str] = {}


def store_fetched_text(path: str, text: str) -> None:
    """Store the text of the file at a path of the site.

    The text is "" if the file could not be fetched.
    """
    _texts[path] = text


def find_fetched_text(path: str) -> str | None:
    """Find the text of the file at a path.

    Returns None if it has not been stored yet.
    """
    return _texts.get(path)


def clear_texts() -> None:
    """Remove all stored texts."""
    _texts.clear()
