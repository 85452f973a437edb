"""Unicode normalization of user input: text and numbers to parse, names to compare, names to display."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_APOSTROPHES: Final = dict.fromkeys(map(ord, "‘’ʼ"), "'")
_DIRECTION_CONTROLS: Final = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
_RIGHT_TO_LEFT: Final = r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]+"
_RIGHT_TO_LEFT_RUN: Final = re.compile(rf"{_RIGHT_TO_LEFT}(?:[ '’-]+{_RIGHT_TO_LEFT})*")
_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_SPACES: Final = re.compile(r"[^\S\n\r\t]")


def normalize_input(text: str) -> str:
    """Normalize text for a parser: fold compatibility forms (NFKC), dashes and spaces.

    Every dash becomes a hyphen, every space a plain one. Invisible format characters (zero-width, soft hyphen,
    direction controls) are removed. Line breaks and tabs remain. Numbers that are not digits, such as ² and ½, remain
    too: folded, `d20²` would be a die of 202 sides.
    """
    if text.isascii():
        return _SPACES.sub(" ", text)
    dashed = text.translate(_DASHES)
    numbers = "".join({sign for sign in dashed if unicodedata.category(sign) == "No"})
    runs = re.split(f"([{numbers}])", dashed) if numbers else [dashed]
    folded = "".join(run if run in numbers else unicodedata.normalize("NFKC", run).translate(_DASHES) for run in runs)
    visible = "".join(character for character in folded if unicodedata.category(character) != "Cf")
    return _SPACES.sub(" ", visible)


def parse_whole_number(text: str) -> int | None:
    """Parse a whole number of at most nine digits.

    Accepts a sign and surrounding spaces. Returns None for any other text.
    """
    plain = normalize_input(text).strip().removeprefix("+")
    return int(plain) if _WHOLE_NUMBER.fullmatch(plain) else None


def split_lines(text: str) -> list[str]:
    """Split a text at the line breaks of any system, without its byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def name_key(name: str) -> str:
    """Return a key to compare names by: normalized, case-folded, with single spaces.

    Pages show typographic apostrophes, so a copied name has them: they are equal to the keyboard's.
    """
    return " ".join(normalize_input(name).translate(_APOSTROPHES).casefold().split())


def normalize_name(name: str) -> str:
    """Return a name for display: composed (NFC), without direction controls.

    Those controls would change the direction of the text after the name.
    """
    return unicodedata.normalize("NFC", name.translate(_DIRECTION_CONTROLS))


def isolate_right_to_left(text: str, start: str = "\u2068", end: str = "\u2069") -> str:
    """Wrap each run of right-to-left words in isolates to preserve the surrounding order."""
    return text if text.isascii() else _RIGHT_TO_LEFT_RUN.sub(lambda run: f"{start}{run[0]}{end}", text)
