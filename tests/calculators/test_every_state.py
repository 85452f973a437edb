"""What holds in every state of every calculator: its link reopens it, and its controls are named and told apart."""

import subprocess
import sys

import pytest
from bs4 import BeautifulSoup

import scratch_core.dice
from build_scripts.dev.query_corpus import QueryDice
from build_scripts.render import render
from tests.support.states import STATES, UNFINISHED

SHOWN = [(name, state) for name in STATES for state in STATES[name] if (name, state) not in UNFINISHED]

pytestmark = pytest.mark.heavy


@pytest.fixture(autouse=True)
def dice_that_fall_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is thrown falls by the state's own name."""
    monkeypatch.setattr(scratch_core.dice, "SystemRoller", QueryDice)


@pytest.mark.parametrize(("name", "state"), SHOWN)
def test_the_link_of_an_answer_reopens_it(name: str, state: str) -> None:
    """What is told once is told again behind its link, without a die thrown, and that link is the same."""
    QueryDice.seed = state
    first = render(name, render(name, STATES[name][state], ask=True).query)
    again = render(name, first.query)
    assert (again.query, again.summary, again.html) == (first.query, first.summary, first.html)


@pytest.mark.parametrize(("name", "state"), SHOWN)
def test_the_controls_of_a_page_are_named_and_told_apart(name: str, state: str) -> None:
    """No id stands twice, every control that is filled in has a name, and what describes it is there."""
    QueryDice.seed = state
    soup = BeautifulSoup(render(name, STATES[name][state], ask=True).html, "html.parser")
    ids = [each["id"] for each in soup.select("[id]")]
    assert len(ids) == len(set(ids))
    for control in soup.select(":is(input:not([type=hidden]), select, textarea):not([aria-hidden])"):
        labels = soup.select(f"label[for='{control.get('id')}']") or control.find_parents("label")
        assert labels or control.get("aria-label") or control.get("aria-labelledby"), control
    for each in soup.select("[aria-describedby]"):
        assert set(each["aria-describedby"].split()) <= set(ids), each


@pytest.mark.needs_process
def test_the_light_calculators_start_without_the_heavy_ones() -> None:
    """Dice and characters need no board, no fight, no replay, no other order and no odds: they answer sooner."""
    heavy = ("board", "fight", "replay", "rounds", "odds")
    code = (
        "import sys; from build_scripts.render import render;"
        "render('dice', ''); render('character', 'toughness=2');"
        f"print([name for name in sys.modules if name.startswith('scratch_core') and any(w in name for w in {heavy})])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
