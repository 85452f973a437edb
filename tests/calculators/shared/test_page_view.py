"""Common parts of all calculators: the base of every view, and parsing of typed numbers."""

import importlib
import pkgutil

import pytest

from scratch_core import calculators
from scratch_core.calculators.shared.page_view import PageView
from scratch_core.calculators.shared.query import parse_query


def test_every_view_extends_the_common_record() -> None:
    """Each calculator's view is a record on top of the common one."""
    names = [module.name for module in pkgutil.iter_modules(calculators.__path__)]
    modules = [importlib.import_module(f"{calculators.__name__}.{name}") for name in names]
    views = {module.__name__: module.View for module in modules if hasattr(module, "view")}
    assert len(views) >= 6
    assert [name for name, view in views.items() if not issubclass(view, PageView)] == []


TYPED_NUMBERS = {
    "house": "cp=１４ | cp=14",
    "character": "name=Kim&toughness=\u200e３&cp=１２ | name=Kim&toughness=3&cp=12",
    "dice": "roll=d20&against=１３&bonus=–2&faces=１１. | roll=d20&against=13&bonus=-2&faces=11",
    "initiative": "who=Ash: stealth ３%0ABo&example=ash 3,bo 4 | who=Ash: stealth 3%0ABo&example=ash 3,bo 4",
    "odds": "first_sheet=A%0A３ ﬁghting&second=guard | first_sheet=A%0A3 fighting&second=guard",
}


@pytest.mark.parametrize("name", TYPED_NUMBERS)
def test_look_alike_numbers_are_parsed_as_plain_ones(name: str) -> None:
    """Numbers in a form mean what they look like, whatever keyboard they come from."""
    module = importlib.import_module(f"scratch_core.calculators.{name}")
    seen, other = (module.view(parse_query(query), None) for query in TYPED_NUMBERS[name].split(" | "))
    assert other.summary
    assert not [each.message for each in seen.problems if each.severity == "error"]
    assert seen.summary == other.summary
