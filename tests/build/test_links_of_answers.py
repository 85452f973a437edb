"""The links of answers into calculators: one of each kind is followed, and opens without problems."""

from collections.abc import Iterator
from html import unescape
from re import findall
from urllib.parse import parse_qsl

import pytest

import scratch_core.dice
from build_scripts.dev.query_corpus import QueryDice
from build_scripts.render import render_calculator_response
from scratch_core.calculators.odds.jobs import clear_duel_jobs
from tests.support.snapshots import render_state
from tests.support.states import STATES

pytestmark = pytest.mark.heavy

EXPECTED_PROBLEMS = {
    ("mano, both succeed", "fight.beginning"): "another turn system has no ambush in which both succeed",
    (
        "fields of other turn systems",
        "rulings.value",
    ): "the state's own query has a wrong option of another turn system",
}
"""States whose links open what is refused, with the code of the problem and the reason."""
IN_EVERY_STATE = ("initiative",)
"""Calculators whose links carry what readers typed: of these one of each kind is followed in every state."""
LINK = r'href="\.\./([a-z]+)/\?([^"]+)"'


def list_links(name: str) -> Iterator[tuple[str, str, str]]:
    """Yield a state, and the calculator and query of a link in it.

    Only the first link of each kind is yielded.
    """
    seen: set[object] = set()
    for state in STATES[name]:
        if name in IN_EVERY_STATE:
            seen.clear()
        html = render_state(name, state, "c1").html
        if 'data-severity="error"' in html or "problem-error" in html:
            continue  # an error here is an error there
        own = [(name, query) for query in findall(r'<a (?![^>]*data-share)[^>]*href="\?([^"]+)"', html)]
        for place, query in [*findall(LINK, html), *own]:
            kind = place, *sorted(key for key, _ in parse_qsl(unescape(query)))
            if place in STATES and kind not in seen:
                seen.add(kind)
                yield state, place, unescape(query)


@pytest.mark.parametrize("name", STATES)
def test_link_of_an_answer_opens_an_answer_without_problems(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link of an answer opens an answer without unexpected problems.

    The first link of each kind is followed: its calculator and the names in its query are its kind.
    """
    monkeypatch.setattr(scratch_core.dice, "SystemRoller", QueryDice)
    wrong = []
    for state, place, query in list_links(name):
        clear_duel_jobs()
        answer = render_calculator_response(place, query, should_continue=lambda: False)
        problems = findall(r'data-code="([^"]+)"', answer.html) if "problem-error" in answer.html else []
        wrong += [f"{state} → {place}: {code}" for code in problems if (state, code) not in EXPECTED_PROBLEMS]
    assert wrong == []
