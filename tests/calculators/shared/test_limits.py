"""Truncated lines, and as many problems as a page shows."""

import pytest

from scratch_core.calculators.shared.limits import limit_problems, truncate_line
from scratch_core.errors import Problem


def problems(count: int) -> list[Problem]:
    """Return this number of problems, the n-th at the control `c<n>`."""
    return [Problem("some.code", "this", f"that {n}", f"c{n}") for n in range(count)]


@pytest.mark.parametrize(("count", "most", "said"), [(0, 2, 0), (2, 2, 2), (5, 2, 3)], ids=["none", "all", "some"])
def test_problems_beyond_the_limit_become_one_line(count: int, most: int, said: int) -> None:
    """Problems beyond the limit become one line of advice with their number.

    It is at the control of the first one.
    """
    shown = limit_problems(problems(count), most, "some.more")
    assert len(shown) == said
    if count > most:
        assert (shown[-1].code, shown[-1].got, shown[-1].where) == ("some.more", "3 more problems", "c0")
        assert shown[-1].severity == "advice"


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
