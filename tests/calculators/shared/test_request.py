"""The parser of controls, and the problem of a cut query."""

from scratch_core.calculators.shared.query import parse_query
from scratch_core.calculators.shared.request import FieldParser, list_cut_query_problems
from scratch_core.errors import Problem


def test_field_parser_lists_problems_at_their_controls() -> None:
    """An error and a problem are listed at their controls.

    Advice is no error.
    """
    parser = FieldParser({"name": "x"})
    parser.problems.append(Problem("some.code", "this", "that", "name", severity="advice"))
    assert not parser.has_errors
    parser.problems.extend_moved_to("faces", [Problem("some.code", "this", f"that {n}", f"c{n}") for n in range(2)])
    parser.problems.report("some.code", "this", "that", "who", "turn.group")
    assert [(each.where, each.expected) for each in parser.problems] == [
        ("name", "this"),
        ("faces", "this"),
        ("faces", "this"),
        ("who", "this"),
    ]
    assert parser.has_errors


def test_list_cut_problems_reports_only_a_truncated_query() -> None:
    """Only a truncated query is an error at the given control."""
    problems = list_cut_query_problems(parse_query("name=" + "x" * 60, 50), "name", 50)
    assert [(each.where, each.expected, each.severity) for each in problems] == [
        ("name", "at most 50 characters in all", "error")
    ]
    assert list_cut_query_problems(parse_query("name=x"), "name") == ()
