"""Words of others, fit for a line of a page."""

from __future__ import annotations


def one_line(text: str, limit: int) -> str:
    """A text on one line, of at most `limit` characters; what can't be printed is a blank."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text[: 2 * limit])
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"
