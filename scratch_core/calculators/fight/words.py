"""What the set-up of another order of turns asks about the beginning."""

from __future__ import annotations

from collections.abc import Mapping

ASKED: Mapping[str, tuple[str, str]] = {
    "first": ("Who strikes first, if the story says so", "one name, or all who dispute it: ann, bo"),
    "stalkers": ("An ambush", "who stalks, and how the roll went: ann succeeds, bo fails"),
    "ambush": ("Who has ambushed the others", "one name"),
}
"""What is asked about the beginning, each with how it is written."""
