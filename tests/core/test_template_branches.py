"""Branch coverage of the calculators' templates: what no snapshot state renders can change unseen."""

from collections import Counter
from collections.abc import Callable, Iterator

import jinja2
import pytest

from build_scripts.calculator_html import TEMPLATES, render, use_templates
from dev.answering import Dice
from scratch_core.calculators import chances
from scratch_core.calculators.odds.working import forget
from tests.branches import Branches
from tests.states import STATES, UNASKED, UNFINISHED

pytestmark = pytest.mark.heavy

MISSED = {
    "_board.html": 3,
    "_cast_odds.html": 4,
    "_chances.html": 2,
    "_chooser.html": 2,
    "_fight_board.html": 3,
    "_fight_hand.html": 4,
    "_fight_parts.html": 10,
    "_fight_screen.html": 1,
    "_fight_setup.html": 6,
    "_macros.html": 15,
    "_net.html": 2,
    "_paper.html": 1,
    "_play.html": 4,
    "board.html": 3,
    "character.html": 2,
    "dice.html": 3,
    "fight.html": 13,
    "odds.html": 4,
    "replay.html": 7,
}
"""How many branches of a template no state renders; a state that renders one lowers its number here, never raises it.

Those of `_board.html` and most of `_macros.html` are for drawings and parts that the build renders, not a calculator.
"""


def for_pieces(pieces: int) -> Callable[[], bool]:
    """Return whether there is time for more, for so many pieces of work."""
    left = iter(range(pieces))
    return lambda: next(left, None) is not None


@pytest.fixture
def branches(monkeypatch: pytest.MonkeyPatch) -> Iterator[Branches]:
    """Return what notes the branches of all templates that are rendered in a test."""
    found = Branches()
    monkeypatch.setattr("scratch_core.dice.SystemRoller", Dice)
    with monkeypatch.context() as patch:
        patch.setattr(jinja2.Environment, "code_generator_class", found.code_generator())
        use_templates(jinja2.FileSystemLoader(TEMPLATES))
        yield found
    use_templates(jinja2.FileSystemLoader(TEMPLATES))


def test_template_branches_are_rendered_by_states(branches: Branches) -> None:
    """Every branch of a template is rendered by a state of tests/states.py, but for those counted in `MISSED`."""
    for name, states in STATES.items():
        for state, query in states.items():
            Dice.seed = query
            forget()
            chances.forget()
            pieces = for_pieces(UNFINISHED.get((name, state), 1_000_000))
            render(name, query, ask=(name, state) not in UNASKED, go_on=pieces)
    missed = Counter(branch.template for branch in branches.missed)
    other = [each for each in branches.missed if missed[each.template] != MISSED.get(each.template, 0)]
    assert missed == MISSED, "\n".join(map(str, other))


def test_branches_notes_arms_loops_and_macros() -> None:
    """A branch is noted when it is rendered, and known when its template is compiled."""
    found = Branches()
    environment = jinja2.Environment(loader=jinja2.DictLoader({"page": PAGE}))
    environment.code_generator_class = found.code_generator()
    page = environment.get_template("page")
    assert page.render(kind=1, few=[]) == "one none no"
    assert [branch.what for branch in found.missed] == ["macro never", "true", "false", "loop", "true, inline"]
    assert page.render(kind=2, few=[3]) == "two 3 yes"
    assert [branch.what for branch in found.missed] == ["macro never", "false"]


PAGE = (
    "{% macro never() %}never{% endmacro %}"
    "{% if kind == 1 %}one{% elif kind == 2 %}two{% else %}more{% endif %} "
    "{% for each in few %}{{ each }}{% else %}none{% endfor %} {{ 'yes' if few else 'no' }}"
)
