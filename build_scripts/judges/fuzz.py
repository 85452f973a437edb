"""Inputs by chance against everything that reads what people type: `python -m build_scripts.judges.fuzz`.

Each input is one that the site knows (its fences, its scenarios, the hostile tests), changed a few times: pieces are
taken out, doubled, swapped with another input's, numbers made large, small or none, characters put in that mean
something somewhere. What may come back is an answer or a ScratchError; anything else is a crash, and an answer over a
second is slow. `--inputs 1000000 --only dice` and the seed that the last line names repeat a run.
"""

from __future__ import annotations

import argparse
import random
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from build_scripts.fences import calculator_fences
from build_scripts.folders import DOCS
from scratch_core.calculators.fight.setup import read_setup
from scratch_core.calculators.query import parse_query
from scratch_core.characters.blocks import read_one
from scratch_core.dice.notation import parse
from scratch_core.errors import ScratchError
from scratch_core.scenario import SHIPPED, play, read

INPUTS = 20_000
SLOW = 1.0  # seconds of the processor: what else the machine does is not the input's fault
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


@dataclass(slots=True)
class Tally:
    """What came of one target: inputs tried, answered, refused; crashes and slow ones with their inputs."""

    tried: int = 0
    answered: int = 0
    slowest: float = 0.0
    crashes: dict[str, str] = field(default_factory=dict)
    slow: list[str] = field(default_factory=list)


def corpora() -> dict[str, list[str]]:
    """The inputs that each target begins with."""
    fences = [(fence.name, fence.query) for fence in calculator_fences(DOCS)]
    queries = [parse_query(query) for _, query in fences]

    def told(*controls: str) -> list[str]:
        return [query.text(name) for query in queries for name in controls if query.text(name)]

    sheets = ["Eve\n2 shooting\n3 toughness\n4 command\nMinions: 2 toughness", *told("sheet", "sheets")]
    return {
        "dice": ["d20+3", "2d20kh1+3", "4d6dl1", "d20 + d6[sneak] - 1", "3d6r1", "d%+2", *told("roll")],
        "stat-block": sheets,
        "set-up": ["A\nside: x\n2 fighting\n3 toughness\n\nB\nside: y\n4 fighting", *sheets],
        "board": [
            "map=..../..#.&tokens=kim@0,0,blue rook@3,1,red",
            *(query for name, query in fences if name == "board"),
        ],
        "query": [query for _, query in fences],
        "scenario": list(SHIPPED.values()),
    }


def _board(text: str) -> object:
    from scratch_core.calculators.board import view

    return view(parse_query(text), None)


def _query(text: str) -> object:
    query = parse_query(text)
    return [query.notation(name) + query.text(name) for name in query.raw]


def _scenario(text: str) -> object:
    return play(read(text))


TARGETS: dict[str, Callable[[str], object]] = {
    "dice": parse,
    "stat-block": read_one,
    "set-up": read_setup,
    "board": _board,
    "query": _query,
    "scenario": _scenario,
}


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


def fuzz(target: Callable[[str], object], texts: Iterator[str]) -> Tally:
    """Give a target every text and count what comes of it; one crash is kept for each place in the code."""
    tally = Tally()
    for text in texts:
        tally.tried += 1
        began = time.process_time()
        try:
            target(text)
            tally.answered += 1
        except ScratchError:
            pass
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            tally.crashes.setdefault(f"{type(error).__name__} at {last.name}:{last.lineno}", text)
        took = time.process_time() - began
        tally.slowest = max(tally.slowest, took)
        if took > SLOW:
            tally.slow.append(text)
    return tally


def main() -> None:
    """Fuzz every target, or one, print the figures, and end with 1 where something crashed or was slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=INPUTS)
    parser.add_argument("--only", choices=tuple(TARGETS))
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments = parser.parse_args()
    is_wrong = False
    for name, corpus in corpora().items():
        if arguments.only not in (None, name):
            continue
        texts = inputs(corpus, arguments.inputs, random.Random(f"{name} {arguments.seed}"))
        tally = fuzz(TARGETS[name], texts)
        print(
            f"{name}: {tally.tried:,} inputs, {tally.answered:,} answered, {len(tally.crashes)} kinds of crash, "
            f"{len(tally.slow)} over a second, slowest {1000 * tally.slowest:.0f} ms",
            flush=True,
        )
        for place, text in tally.crashes.items():
            print(f"  {place}: {text[:300]!r}")
        for text in tally.slow[:3]:
            print(f"  slow: {text[:300]!r}")
        is_wrong |= bool(tally.crashes or tally.slow)
    print(f"seed {arguments.seed}")
    raise SystemExit(is_wrong)


if __name__ == "__main__":
    main()
