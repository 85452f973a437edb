"""Properties of every state of every calculator: its link reopens it, and its controls have distinct names."""

import subprocess
import sys

import pytest
from bs4 import BeautifulSoup

import scratch_core.dice
from build_scripts.dev.query_corpus import QueryDice
from build_scripts.render import render_calculator_response
from tests.support.states import STATES, UNFINISHED

SHOWN = [(name, state) for name in STATES for state in STATES[name] if (name, state) not in UNFINISHED]

pytestmark = pytest.mark.heavy


@pytest.fixture(autouse=True)
def dice_that_fall_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roll the same dice for a state each time."""
    monkeypatch.setattr(scratch_core.dice, "SystemRoller", QueryDice)


@pytest.mark.parametrize(("name", "state"), SHOWN)
def test_answer_link_reopens_the_same_answer(name: str, state: str) -> None:
    """The link renders the same answer again without a roll, and gives the same link."""
    QueryDice.seed = state
    first = render_calculator_response(
        name, render_calculator_response(name, STATES[name][state], rolls_dice=True).query
    )
    again = render_calculator_response(name, first.query)
    assert (again.query, again.summary, again.html) == (first.query, first.summary, first.html)


@pytest.mark.parametrize(("name", "state"), SHOWN)
def test_page_controls_have_unique_ids_and_labels(name: str, state: str) -> None:
    """Ids are unique, controls that can be filled in have labels, and descriptions exist."""
    QueryDice.seed = state
    soup = BeautifulSoup(render_calculator_response(name, STATES[name][state], rolls_dice=True).html, "html.parser")
    ids = [each["id"] for each in soup.select("[id]")]
    assert len(ids) == len(set(ids))
    for control in soup.select(":is(input:not([type=hidden]), select, textarea):not([aria-hidden])"):
        labels = soup.select(f"label[for='{control.get('id')}']") or control.find_parents("label")
        assert labels or control.get("aria-label") or control.get("aria-labelledby"), control
    for each in soup.select("[aria-describedby]"):
        assert set(each["aria-describedby"].split()) <= set(ids), each


@pytest.mark.needs_process
def test_light_calculators_do_not_import_heavy_ones() -> None:
    """Dice and characters import no map, fight, replay, turn system or odds: they answer sooner."""
    heavy = ("board", "fight", "replay", "rounds", "odds")
    code = (
        "import sys; from build_scripts.render import render_calculator_response;"
        "[render_calculator_response(*each) for each in (('dice', ''), ('character', 'toughness=2'))];"
        f"print([name for name in sys.modules if name.startswith('scratch_core') and any(w in name for w in {heavy})])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
