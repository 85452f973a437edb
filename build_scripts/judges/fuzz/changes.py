"""Inputs by chance: a known one changed a few times. Where no guide tells which change reaches new code, this is how.

Pieces are taken out, doubled, swapped with another input's, numbers made large, small or none, characters put in that
mean something somewhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

CHANGES = 4  # at most, in one input
LONGEST = 4_000  # characters
SPECIAL = [
    *"\0\t\n\r {}[]()<>&%#=,;:.|\"'\\+-*/!?dkhr~^$@_",
    *(
        "²",
        "٣",
        "½",
        "－",
        "\u2028",
        "\u202e",
        "\ud83c",
        "🎲",
        "é",
        "漢",
        "%00",
        "%E0%A4%A",
        "\r\n",
        "1e9",
        "0x10",
        "true",
        "null",
        "nan",
    ),
]
NUMBERS = ("0", "-1", "1", "20", "99", "1000", "999999999", "1" * 40, "1.5", "-0", "00", "1_000")


def changed(text: str, others: list[str], chance: random.Random) -> str:
    """The text with up to `CHANGES` changes, each of a kind drawn by `chance`."""
    for _ in range(chance.randint(1, CHANGES)):
        text = chance.choice(KINDS)(text, others, chance)[:LONGEST]
    return text


def _piece(text: str, chance: random.Random) -> tuple[int, int]:
    start = chance.randint(0, len(text))
    return start, min(len(text), start + chance.choice((1, 2, 5, 20, 200)))


def _without(text: str, others: list[str], chance: random.Random) -> str:
    start, end = _piece(text, chance)
    return text[:start] + text[end:]


def _doubled(text: str, others: list[str], chance: random.Random) -> str:
    start, end = _piece(text, chance)
    return text[:end] + text[start:end] * chance.choice((1, 2, 50)) + text[end:]


def _spliced(text: str, others: list[str], chance: random.Random) -> str:
    start, end = _piece(text, chance)
    other = chance.choice(others)
    from_, to = _piece(other, chance)
    return text[:start] + other[from_:to] + text[end:]


def _spiced(text: str, others: list[str], chance: random.Random) -> str:
    start, _ = _piece(text, chance)
    return text[:start] + chance.choice(SPECIAL) + text[start:]


def _renumbered(text: str, others: list[str], chance: random.Random) -> str:
    places = [at for at, letter in enumerate(text) if letter.isdigit()]
    if not places:
        return text
    at = chance.choice(places)
    return text[:at] + chance.choice(NUMBERS) + text[at + 1 :]


def _cased(text: str, others: list[str], chance: random.Random) -> str:
    start, end = _piece(text, chance)
    return text[:start] + text[start:end].swapcase() + text[end:]


KINDS = (_without, _doubled, _spliced, _spiced, _renumbered, _cased)


def inputs(corpus: list[str], count: int, chance: random.Random) -> Iterator[str]:
    """As many inputs as asked for: the corpus itself, then changes of it."""
    yield from corpus[:count]
    for _ in range(count - len(corpus)):
        yield changed(chance.choice(corpus), corpus, chance)
