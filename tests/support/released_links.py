"""The links of a released version, which every later version opens: `python -m tests.support.released_links`.

It writes tests/regression/released/VERSION.json for the version of scratch_core, once: a released file never changes.
tests/regression/test_released_links.py opens the links.
"""

import json
from pathlib import Path

from build_scripts.paths import ROOT
from build_scripts.render import Rendered, render_calculator_response
from scratch_core import __version__
from scratch_core.calculators.shared.query import parse_query
from scratch_core.calculators.shared.share_links import pack_query
from scratch_core.rulebook import RULES, load_rulings, url_of
from tests.support.states import STATES

FOLDER = ROOT / "tests/regression/released"

LINKED_STATES = {
    "board": ("a wide map", "hexes, flying", "a ready map under a token"),
    "character": ("levels", "a stat block with minions", "in play, one hit point left", "by house rules"),
    "dice": ("a success", "dice rolled again", "a net"),
    "fight": (
        "two are ready",
        "in the middle",
        "two steps undone",
        "over",
        "on the board",
        "on the board, a step waits for interrupts",
        "mano, a turn done",
        "mano-old, points to spend",
        "seize, two may seize",
        "five on the screen, a roll",
    ),
    "house": ("a table's answers", "one rule reset"),
    "initiative": ("scratch", "mano, an ambush", "mano-old", "seize, a 20 and a 1"),
    "odds": ("two of the cast", "one with a hit point left begins", "the maximum level"),
    "replay": ("the middle", "another die at the first step", "on the board, a blast", "seize, claims"),
}
"""The states with links to record, by calculator."""


def open_link(calculator: str, query: str) -> Rendered:
    """Return the answer to a link, without rolling dice or computing odds."""
    return render_calculator_response(calculator, query, rolls_dice=False, should_continue=lambda: False)


def read_fields(query: str) -> dict[str, str]:
    """Return the controls of a query that are filled."""
    request = parse_query(query)
    return {name: request.text(name) for name in request.raw if request.text(name)}


def list_sections() -> list[str]:
    """Return the addresses of all rules and rulings, without the site's root."""
    return sorted({url_of(each) for each in [*(rule.id for rule in RULES), *load_rulings()]})


def build_record() -> dict[str, object]:
    """Build the record of this version.

    `addresses` are the pages and their sections, `links` the queries of calculators with the controls of the answer.
    """
    pages = sorted(path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md"))
    sections = list_sections()
    links = []
    for calculator, states in LINKED_STATES.items():
        for number, state in enumerate(states):
            query = STATES[calculator][state]
            link = query if number % 2 else pack_query(query)
            answer = open_link(calculator, link)
            links.append({"calculator": calculator, "query": link, "opens": read_fields(answer.query)})
    return {"pages": pages, "sections": sections, "links": links}


def write_record(folder: Path = FOLDER) -> Path:
    """Write the record of this version, and return its path.

    Raises SystemExit if it exists.
    """
    path = folder / f"{__version__}.json"
    if path.exists():
        raise SystemExit(f"{path.relative_to(ROOT)} exists: the links of a released version never change")
    path.write_text(json.dumps(build_record(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    print(f"{write_record().relative_to(ROOT)} written")
