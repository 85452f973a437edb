"""Branch coverage of the calculators' templates: a branch that no snapshot state renders can change unnoticed."""

from collections.abc import Iterator, Mapping

import jinja2
import pytest

from build_scripts.dev.query_corpus import QueryDice
from build_scripts.render import TEMPLATES, set_template_loader
from tests.support.snapshots import render_state
from tests.support.states import STATES
from tests.support.template_branches import Branches

pytestmark = pytest.mark.heavy

PARTS = "for the page of the parts, which a browser test compares"
PICTURES = "for the drawings in the text, which the build renders"
MISSING_PAGE = "for the page of an address that is not found, which the build renders"
UNRENDERED: Mapping[str, Mapping[str, str]] = {
    "components/board.html": {
        "if numbered: else": PICTURES,
        "if words: true": PICTURES,
    },
    "components/buttons.html": {
        "macro plain_button": PARTS,
        "if kind: true": PARTS,
        "if more: true": PARTS,
    },
    "components/cast_odds.html": {
        "if not .is_incomplete odds: true": "the duels too large to be solved take minutes",
    },
    "components/dice.html": {
        "if least 20: true": PARTS,
        "if missing: true": MISSING_PAGE,
        "if face missing: true": MISSING_PAGE,
    },
    "components/fields.html": {
        "if kind: true": PARTS,
        "macro radio_group": PARTS,
        "for options: loop": PARTS,
        "if value typed: true": PARTS,
        "if state: true": PARTS,
    },
    "components/fight_actions.html": {
        "if .kind choice 'regular' 'outside turns': true": "no action of several ways has another kind yet",
    },
    "components/fight_board.html": {
        "if .rolled_faces asked: true": "needs dice from a file, for an action that waits for interrupts",
        "if .is_in_cover each: true": "needs a character that leaves cover late on the way",
    },
    "components/folds.html": {
        "if is_open: true": PARTS,
        "if state: true": PARTS,
        "if kind: true": PARTS,
        "macro notice": PARTS,
    },
    "components/stepper.html": {
        "if state: true": PARTS,
    },
    "components/switch.html": {
        "if state: true": PARTS,
    },
}
"""Branches that no state renders, with the reason. A state that renders one takes it off the list."""


@pytest.fixture
def branches(monkeypatch: pytest.MonkeyPatch) -> Iterator[Branches]:
    """Return a recorder of the branches that templates render in a test."""
    found = Branches()
    monkeypatch.setattr("scratch_core.dice.SystemRoller", QueryDice)
    with monkeypatch.context() as patch:
        patch.setattr(jinja2.Environment, "code_generator_class", found.code_generator())
        set_template_loader(jinja2.FileSystemLoader(TEMPLATES))
        yield found
    set_template_loader(jinja2.FileSystemLoader(TEMPLATES))


def test_template_branches_are_rendered_by_states(branches: Branches) -> None:
    """Every branch of a template is rendered by a state of tests/support/states.py.

    The exceptions are in `UNRENDERED`.
    """
    for name, states in STATES.items():
        for state in states:
            render_state(name, state, "c1")
    missed = {(each.template, each.what): str(each) for each in branches.missed_branches}
    listed = {(template, what) for template, reasons in UNRENDERED.items() for what in reasons}
    assert [words for key, words in missed.items() if key not in listed] == []
    assert listed - missed.keys() == set(), "rendered by now: take them off the list"


def test_branches_records_conditions_loops_and_macros() -> None:
    """A branch is known when its template is compiled, and recorded when it is rendered."""
    found = Branches()
    environment = jinja2.Environment(loader=jinja2.DictLoader({"page": PAGE}))
    environment.code_generator_class = found.code_generator()
    page = environment.get_template("page")
    assert page.render(kind=1, few=[]) == "one none no"
    assert [branch.what for branch in found.missed_branches] == [
        "macro never",
        "if kind 2: true",
        "if kind 1: else",
        "for few: loop",
        "inline if few: true",
    ]
    assert page.render(kind=2, few=[3]) == "two 3 yes"
    assert [branch.what for branch in found.missed_branches] == ["macro never", "if kind 1: else"]


PAGE = (
    "{% macro never() %}never{% endmacro %}"
    "{% if kind == 1 %}one{% elif kind == 2 %}two{% else %}more{% endif %} "
    "{% for each in few %}{{ each }}{% else %}none{% endfor %} {{ 'yes' if few else 'no' }}"
)
