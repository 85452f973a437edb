"""Texts, accessible names and announcements of the calculators contain no id, no key and no listed word."""

import pytest

from build_scripts.dev.words import (
    WordFinding,
    format_findings,
    list_announcements,
    list_findings_in_answers,
    list_findings_in_snapshots,
    list_forbidden_words_in_line,
    list_ids_unlike_names,
    list_text_lines,
)
from scratch_core.calculators.shared.query import format_query
from tests.support.states import STATES


@pytest.mark.heavy
@pytest.mark.parametrize("name", STATES)
def test_answers_have_no_ids_and_keys(name: str) -> None:
    """Every state of every calculator, in text and in accessible names."""
    found = list(list_findings_in_answers((name,)))
    assert not found, format_findings(found)


def test_presses_announce_no_ids_and_keys() -> None:
    """What a press announces, as the snapshots have it."""
    found = list(list_findings_in_snapshots())
    assert not found, format_findings(found)


@pytest.mark.parametrize(
    ("html", "kinds"),
    [
        ("<p>Nobody <b>is</b> on turn.</p>", ["nobody", "is on turn"]),
        ('<button aria-label="Remove sir-galahad 2">×</button>', ["a character's id"]),
        ("<label>strength_base</label>", ["key with _"]),
        ("<label>strength base</label>", ["a setting's key"]),
        ('<a title="act.cover" href="x.html">§</a>', ["key with a dot"]),
        ("<p>Expected an actor in cover, got Wren.</p>", ["Expected … got"]),
        ('<details class="problem-details"><summary>Details</summary>Expected 3, got 4.</details>', []),
        ("<p>Write <code>initiative.ada = 3</code> or fight.json.</p>", []),
        ('<input name="strength_base" value="sir-galahad 2"><textarea>whom_ever</textarea>', []),
        (
            '<p data-shared-content="Nobody sees this.">Everyone</p><p data-history="Whoever rolls, is here."></p>',
            ["whoever"],
        ),
    ],
    ids=["words", "id", "key", "setting", "dot", "expected", "details", "code", "values", "data"],
)
def test_find_in_line_searches_text_names_and_announcements(html: str, kinds: list[str]) -> None:
    """Code, typed values and folded details are left out."""
    found = [kind for line in list_text_lines(html) for kind, _ in list_forbidden_words_in_line(line, {"sir-galahad"})]
    assert found == kinds


def test_list_ids_leaves_out_ids_that_are_names() -> None:
    """An id without a name is the character's name."""
    log = '{"characters": [{"id": "sir-galahad", "name": "Sir Galahad"}, {"id": "ida"}]}'
    assert list_ids_unlike_names(format_query({"log": log, "note": "[1, 2"})) == {"sir-galahad"}


def test_list_announcements_leaves_out_changes_of_the_query() -> None:
    """A press's line has announcements, changes of the query, the focus and folds."""
    line = "  - press: 4 characters are ready. | sheets − +Rook | focus log | opens fight-ground | Check this."
    assert list_announcements(line) == ["4 characters are ready.", "Check this."]
    assert list_announcements("  - press: no change") == []


def test_format_table_counts_each_kind() -> None:
    """A line for each kind, then what was found, once."""
    table = format_findings([WordFinding("nobody", "dice: empty", "Nobody rolls.")] * 2)
    assert table.splitlines()[1].split() == ["nobody", "2"]
    assert table.splitlines()[-1] == "nobody, dice: empty: Nobody rolls."
