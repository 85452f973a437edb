"""What is fuzzed in Python, and the count of what comes of it; nothing here needs more than scratch_core."""

from __future__ import annotations

import binascii
import json
import time
import traceback
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from scratch_core.calculators import packing
from scratch_core.calculators.people.blocks import read_setup
from scratch_core.calculators.query import Query, parse_query
from scratch_core.characters.blocks import read_one
from scratch_core.dice.notation import parse
from scratch_core.errors import ScratchError
from scratch_core.scenario import play, read

SLOW = 1.0  # seconds of the processor: what else the machine does is not the input's fault


@dataclass(slots=True)
class Tally:
    """What came of one target: inputs tried and answered, seconds in it; crashes by place, and slow ones, as inputs."""

    tried: int = 0
    answered: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    crashes: dict[str, str] = field(default_factory=dict)
    slow: list[str] = field(default_factory=list)

    def add(self, target: Callable[[str], object], text: str) -> None:
        """Give a target a text and count what comes of it; one crash is kept for each place in the code."""
        self.tried += 1
        began = time.process_time()
        try:
            target(text)
            self.answered += 1
        except ScratchError:
            pass
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            self.crashes.setdefault(f"{type(error).__name__} at {last.name}:{last.lineno}", text)
        took = time.process_time() - began
        self.seconds += took
        self.slowest = max(self.slowest, took)
        if took > SLOW:
            self.slow.append(text)


def fuzz(target: Callable[[str], object], texts: Iterable[str]) -> Tally:
    """Give a target every text."""
    tally = Tally()
    for text in texts:
        tally.add(target, text)
    return tally


def _board(text: str) -> object:
    """A board's text as it is read, and written anew."""
    from scratch_core.calculators.board.reading import QUERY_LIMIT, Reader

    reader = Reader(parse_query(text, QUERY_LIMIT))
    setup = reader.setup()
    return reader.problems if setup is None else setup.fields()


def _board_answer(text: str) -> object:
    """What the calculator makes of it: sight, ways and distances, the most work that a text can ask for."""
    from scratch_core.calculators.board import view

    return view(parse_query(text), None)


def _query(text: str) -> object:
    query = parse_query(text)
    return [query.notation(name) + query.text(name) for name in query.raw]


def _scenario(text: str) -> object:
    return play(read(text))


def _packed(text: str) -> object:
    """A link's packed text, and a link that packs the text, which chance would never pack so that it opens."""
    return [packing.unpacked(Query({packing.NAME: each})) for each in (text, packed_as_it_is(text))]


def packed_as_it_is(plain: str) -> str:
    """A text that is what stands inside a packed link, well formed or not, packed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(plain.encode("utf-8", "replace")) + packer.flush()
    return "1" + binascii.b2a_base64(packed, newline=False).decode().translate(str.maketrans("+/", "-_")).rstrip("=")


TARGETS: dict[str, Callable[[str], object]] = {
    "dice": parse,
    "stat-block": read_one,
    "set-up": read_setup,
    "board": _board,
    "board-answer": _board_answer,
    "query": _query,
    "scenario": _scenario,
    "packed": _packed,
}


def fuzz_by_chance(name: str, corpus: list[str], count: int, seed: str) -> str:
    """Fuzz a target with inputs by chance, and give the tally as JSON: inside Pyodide this is the whole run."""
    from dataclasses import asdict
    from random import Random

    from build_scripts.judges.fuzz.changes import inputs

    return json.dumps(asdict(fuzz(TARGETS[name], inputs(corpus, count, Random(seed)))))
