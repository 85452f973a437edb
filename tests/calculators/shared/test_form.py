"""What all calculators have in common: the form that is read, its problems, and the base of every view."""

import importlib
import pkgutil

import pytest

from scratch_core import calculators
from scratch_core.calculators.shared.form import Form, View, limit_problems, slugify, truncate_line
from scratch_core.calculators.shared.query import parse_query
from scratch_core.errors import Problem


def problems(count: int) -> list[Problem]:
    """So many problems, the n-th at the control `c<n>`."""
    return [Problem("some.code", "this", f"that {n}", f"c{n}") for n in range(count)]


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Chokestar", "chokestar"),
        ("  X-19 the 2nd! ", "x-19-the-2nd"),
        ("Ö & Ü", ""),
        ("a" * 100, "a" * 60),
    ],
    ids=["capital", "signs between", "nothing left", "long"],
)
def test_slugify_makes_an_id_of_a_name(name: str, made: str) -> None:
    """An id has small letters, digits and hyphens between them, 60 at most."""
    assert slugify(name) == made


@pytest.mark.parametrize(("count", "most", "said"), [(0, 2, 0), (2, 2, 2), (5, 2, 3)], ids=["none", "all", "some"])
def test_as_many_problems_as_a_page_holds(count: int, most: int, said: int) -> None:
    """Problems beyond the limit become one line of advice with their number.

    It is at the control of the first one.
    """
    shown = limit_problems(problems(count), most, "some.more")
    assert len(shown) == said
    if count > most:
        assert (shown[-1].code, shown[-1].got, shown[-1].where) == ("some.more", "3 more problems", "c0")
        assert shown[-1].severity == "advice"


def test_form_lists_problems_at_their_controls() -> None:
    """A truncated query, an error and a problem are listed at their controls.

    Advice is no error.
    """
    form = Form(parse_query("name=" + "x" * 60, 50), {"name": "x"})
    assert not form.has_errors
    form.add_cut_problem("name", 50)
    form.problems.extend_at("faces", problems(2))
    form.problems.report("some.code", "this", "that", "who", "turn.group")
    assert [(each.where, each.expected) for each in form.problems] == [
        ("name", "at most 50 characters in all"),
        ("faces", "this"),
        ("faces", "this"),
        ("who", "this"),
    ]
    assert form.has_errors
    whole = Form(parse_query("name=x"), {"name": "x"})
    whole.add_cut_problem("name")
    assert not whole.problems
    whole.problems.append(Problem("some.code", "this", "that", "name", severity="advice"))
    assert not whole.has_errors


def test_every_view_stands_on_the_same_record() -> None:
    """Each calculator's view is a record on top of the common one."""
    names = [module.name for module in pkgutil.iter_modules(calculators.__path__)]
    modules = [importlib.import_module(f"{calculators.__name__}.{name}") for name in names]
    views = {module.__name__: module.View for module in modules if hasattr(module, "view")}
    assert len(views) >= 6
    assert [name for name, view in views.items() if not issubclass(view, View)] == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Guard dog 2", "Guard dog 2"),
        ("Guard dogs of the north 12", "Guard dog… 12"),
        ("Guard dogs of the north", "Guard dogs o…"),
        ("a\nlong line of words 7", "a long lin… 7"),
    ],
)
def test_truncate_line_preserves_the_number_of_a_name(text: str, line: str) -> None:
    """Two of a kind have different names."""
    assert truncate_line(text, 13) == line


TYPED_NUMBERS = {
    "house": "cp=１４ | cp=14",
    "character": "name=Kim&toughness=\u200e３&cp=１２ | name=Kim&toughness=3&cp=12",
    "dice": "roll=d20&against=１３&bonus=–2&faces=１１. | roll=d20&against=13&bonus=-2&faces=11",
    "initiative": "who=Ash: stealth ３%0ABo&example=ash 3,bo 4 | who=Ash: stealth 3%0ABo&example=ash 3,bo 4",
    "odds": "first_sheet=A%0A３ ﬁghting&second=guard | first_sheet=A%0A3 fighting&second=guard",
}


@pytest.mark.parametrize("name", TYPED_NUMBERS)
def test_view_of_look_alike_numbers_answers_as_of_plain_ones(name: str) -> None:
    """Numbers in a form mean what they look like, whatever keyboard they come from."""
    module = importlib.import_module(f"scratch_core.calculators.{name}")
    seen, other = (module.view(parse_query(query), None) for query in TYPED_NUMBERS[name].split(" | "))
    assert other.summary
    assert not [each.message for each in seen.problems if each.severity == "error"]
    assert seen.summary == other.summary
