"""Time a press in a fight, early and late, in this process and inside Pyodide.

For a fight of `EARLY` steps and one of `LATE` steps it measures the median time of a press's whole response (query in,
HTML out) in milliseconds, the characters of its HTML without the fight's own file, which is in the form and grows with
each step, and the first response after a reload, without caches.
"""

from __future__ import annotations

import json
import re
from typing import Any

from build_scripts.dev.bench.shared import compute_median, measure_cpu_milliseconds
from build_scripts.dev.bench.turns import FIGHTERS, FIRST_FACES
from build_scripts.render import answer_json_request
from scratch_core.calculators.shared.query import format_query
from scratch_core.file_formats import SCENARIO_FORMAT

_FILE = re.compile(r"<textarea[^>]*>.*?</textarea>", re.S)
EARLY, LATE = 50, 990
"""The number of steps before the press."""


def build_endless_fight(steps: int) -> dict[str, Any]:
    """Build the tree of a scenario in which six fighters attack and miss.

    It never ends, and all die rolls are recorded.
    """
    tree = {"format": SCENARIO_FORMAT, "title": "Six", "characters": list(FIGHTERS), "initiative": FIRST_FACES}
    ends = [
        each for round_of in range(steps) for who in FIRST_FACES for each in _build_missed_attack_turn(who, round_of)
    ]
    return {**tree, "steps": ends[:steps]}


def _build_missed_attack_turn(fighter_id: str, number: int) -> tuple[dict[str, Any], ...]:
    """Build a turn: an attack that can't hit, and the end of the turn.

    The die roll varies with `number`.
    """
    side = {each["id"]: each["side"] for each in FIGHTERS}
    foes = [each for each in side if side[each] != side[fighter_id]]
    attack = {"actor": fighter_id, "do": "basic-attack", "target": foes[number % len(foes)], "faces": [1 + number % 3]}
    return attack, {"actor": fighter_id, "do": "end-turn"}


def measure(batches: int) -> dict[str, float]:
    """Measure repeated presses after this many steps, and the opening of the fight without caches."""
    figures: dict[str, float] = {}
    tree = build_endless_fight(LATE + 1)
    for steps in (EARLY, LATE):
        text = json.dumps({**tree, "steps": tree["steps"][:steps]}, separators=(",", ":"))
        query, _, opening_ms = measure_html_length_and_milliseconds(format_query({"log": text}))
        step = dict(tree["steps"][steps])
        faces = ",".join(map(str, step.pop("faces", ())))
        press = f"{query}&{format_query({'act': json.dumps(step), 'faces': faces})}"
        runs = [measure_html_length_and_milliseconds(press) for _ in range(batches)]
        figures[f"a fight opened at step {steps}"] = opening_ms
        figures[f"a press at step {steps}"] = compute_median(each for _, _, each in runs)
        figures[f"characters of a press at step {steps}"] = runs[0][1]
    return figures


def measure_html_length_and_milliseconds(query: str) -> tuple[str, int, float]:
    """Measure a response to a query.

    Returns the query that reopens it, the characters of its HTML, and the milliseconds.
    """
    request = json.dumps({"name": "fight", "query": query, "ask": True, "uid": "c1", "root": "../../"})
    texts: list[str] = []
    milliseconds = measure_cpu_milliseconds(
        lambda: texts.append(answer_json_request(request))
    )  # the browser parses the response
    response = json.loads(texts[0])
    return response["query"], len(_FILE.sub("", response["html"])), milliseconds
