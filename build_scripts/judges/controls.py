"""What HTML lets its reader do, and how it is named for scripts and screen readers: the golden files of controls.

It knows no calculator. A line is an element that has anything of this, with those attributes alone that say it. In it
figures, abilities and characters are signs, so that a fight played otherwise gives the same lines.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from scratch_core.abilities import NAMES
from scratch_core.cast import CAST

KEPT = frozenset(
    (
        *(
            "name",
            "type",
            "value",
            "href",
            "for",
            "role",
            "hidden",
            "disabled",
            "checked",
            "selected",
            "open",
            "required",
        ),
        *(
            "readonly",
            "min",
            "max",
            "step",
            "inputmode",
            "maxlength",
            "list",
            "method",
            "scope",
            "tabindex",
            "download",
        ),
        *("accept", "multiple", "target"),
    )
)
LONGEST = 40
_WHO = sorted({name for each in CAST for name in (each.id, each.name)}, key=len, reverse=True)
_ABILITY = re.compile(rf"\b(?:{'|'.join(NAMES)})\b")
_MEMBER = re.compile(rf"\b(?:{'|'.join(map(re.escape, _WHO))})\b")


def controls_in(html: str) -> set[str]:
    """A line for each element of HTML that a script, a form or a screen reader is told something by."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = [
            f"{name}={_short(value)}" if value else name
            for name, value in sorted(attrs)
            if name in KEPT or name.startswith(("data-", "aria-"))
        ]
        if told:
            self.found.add(" ".join((tag, *told)))


def _short(value: str) -> str:
    """A value without what changes from state to state, and no longer than a line shows."""
    plain = re.sub(r"\d+", "#", _MEMBER.sub("WHO", _ABILITY.sub("ABILITY", " ".join(value.split()))))
    return plain if len(plain) <= LONGEST else f"{plain[:16]}…"
