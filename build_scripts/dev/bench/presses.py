"""A press in a fight on the page, early and late, timed in this process, and inside Pyodide.

For a fight of `EARLY` steps and one of `LATE` it is the median of one press's whole answer (query in, HTML out) in
milliseconds, and the characters of its HTML without the fight's own file, which its form carries and which grows by
each step; and the first answer after a reload, when nothing is remembered.
"""

from __future__ import annotations

import json
import re
from typing import Any

from build_scripts.dev.bench.shared import compute_median, measure_milliseconds
from build_scripts.dev.bench.turns import FIGHTERS, FIRST_FACES
from build_scripts.render import answer
from scratch_core.calculators.shared.query import format_query

_FILE = re.compile(r"<textarea[^>]*>.*?</textarea>", re.S)
EARLY, LATE = 50, 990
"""The press is the step after so many."""


def build_endless_fight(steps: int) -> dict[str, Any]:
    """A scenario's tree: six fighters strike and miss, turn after turn, so that it never ends; every face is there."""
    tree = {"format": "scratch-scenario/1", "title": "Six", "characters": list(FIGHTERS), "initiative": FIRST_FACES}
    ends = [each for round_of in range(steps) for who in FIRST_FACES for each in _build_turn(who, round_of)]
    return {**tree, "steps": ends[:steps]}


def _build_turn(who: str, number: int) -> tuple[dict[str, Any], ...]:
    """A turn: a blow that can't hit, with another face each time, and its end."""
    side = {each["id"]: each["side"] for each in FIGHTERS}
    foes = [each for each in side if side[each] != side[who]]
    blow = {"actor": who, "do": "basic-attack", "target": foes[number % len(foes)], "faces": [1 + number % 3]}
    return blow, {"actor": who, "do": "end-turn"}


def measure(batches: int) -> dict[str, float]:
    """Press once after so many steps, again and again, and open the fight with nothing remembered."""
    found: dict[str, float] = {}
    tree = build_endless_fight(LATE + 1)
    for steps in (EARLY, LATE):
        text = json.dumps({**tree, "steps": tree["steps"][:steps]}, separators=(",", ":"))
        query, _, opened = measure_answer(format_query({"log": text}))
        step = dict(tree["steps"][steps])
        faces = ",".join(map(str, step.pop("faces", ())))
        press = f"{query}&{format_query({'act': json.dumps(step), 'faces': faces})}"
        runs = [measure_answer(press) for _ in range(batches)]
        found[f"a fight opened at step {steps}"] = opened
        found[f"a press at step {steps}"] = compute_median(each for _, _, each in runs)
        found[f"characters of a press at step {steps}"] = runs[0][1]
    return found


def measure_answer(query: str) -> tuple[str, int, float]:
    """One answer: the query that reopens it, the characters of its HTML, and the milliseconds that it took."""
    request = json.dumps({"name": "fight", "query": query, "ask": True, "uid": "c1", "root": "../../"})
    texts: list[str] = []
    took = measure_milliseconds(
        lambda: texts.append(answer(request))
    )  # what the page reads of it is read by the browser
    answered = json.loads(texts[0])
    return answered["query"], len(_FILE.sub("", answered["html"])), took
