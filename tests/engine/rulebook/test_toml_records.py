"""Content: TOML tables are parsed into records, and a problem has its file and line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from scratch_core.errors import ScratchError
from scratch_core.rulebook import toml_records


@dataclass(frozen=True, slots=True)
class Pet:
    """A record of the test's file."""

    name: str
    """Its name."""
    kind: str
    """Its species: cat or dog."""
    legs: int
    """The number of its legs."""
    words: tuple[str, ...] = ()
    """The sounds that it makes."""
    shy: bool = False
    """Whether it hides from strangers."""
    calls: Mapping[str, str] = field(default_factory=dict)
    """A sound by language."""


def read(monkeypatch: pytest.MonkeyPatch, toml: str) -> tuple[Pet, ...]:
    """Return the pets of a file's text."""
    monkeypatch.setattr(toml_records, "load_toml_text", lambda _: toml)
    toml_records.load_table.cache_clear()
    try:
        return toml_records.load_records("pets", Pet, kind=("cat", "dog"))
    finally:
        toml_records.load_table.cache_clear()


REX = '[[pets]]\nname = "Rex"\nkind = "dog"\nlegs = 4\n'


def test_tables_become_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each table is a record, in the file's order.

    A list is a tuple, and a missing key has its default.
    """
    mia = '[[pets]]\nname = "Mia"\nkind = "cat"\nlegs = 3\nwords = ["miaow"]\nshy = true\ncalls = { de = "miau" }\n'
    found = read(monkeypatch, REX + mia)
    assert found == (Pet("Rex", "dog", 4), Pet("Mia", "cat", 3, ("miaow",), True, {"de": "miau"}))


@pytest.mark.parametrize(
    ("toml", "code", "said"),
    [
        (REX + 'name "', "content.syntax", "expected TOML, got Expected '=' after a key"),
        (REX + 'colour = "red"', "content.key", "name, kind, legs, words, shy, calls, got colour in pets[0]"),
        (REX + 'colour = "red"', "content.key", "in pets[0].colour (pets.toml, line 5)"),
        (
            REX + '[[pets]]\nname = "Mia"\nlegs = 3',
            "content.key-missing",
            "kind, got none in pets[1].kind (pets.toml, line 5)"),
        (REX.replace("dog", "fish"), "content.value", "cat, dog, got 'fish' in pets[0].kind (pets.toml, line 3)"),
        (REX.replace("4", '"four"'), "content.value", "a whole number, got 'four' in pets[0].legs (pets.toml, line 4)"),
        (REX.replace("4", "true"), "content.value", "a whole number, got True"),
        (REX + 'words = "miaow"', "content.value", "a list of texts, got 'miaow'"),
        (REX + "words = [1]", "content.value", "a list of texts, got [1]"),
        (REX + "shy = 1", "content.value", "true or false, got 1"),
        (REX + "calls.de = 1", "content.value", "texts by name, got {'de': 1}"),
    ],
)  # fmt: skip
def test_invalid_record_problem_names_file_and_line(
    monkeypatch: pytest.MonkeyPatch, toml: str, code: str, said: str
) -> None:
    """The problem of an invalid record names the file and the line.

    Invalid are unknown keys, missing keys and values of the wrong type.
    """
    with pytest.raises(ScratchError) as refused:
        read(monkeypatch, toml)
    assert refused.value.code == code
    assert said in str(refused.value)


def test_all_problems_of_all_tables_are_in_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """One error has all problems of all tables."""
    with pytest.raises(ScratchError) as refused:
        read(monkeypatch, f'{REX.replace("4", "[]")}\n[[pets]]\nkind = "cow"\nlegs = 4')
    assert [each.where.partition(" ")[0] for each in refused.value.problems] == [
        "pets[0].legs",
        "pets[1].name",
        "pets[1].kind",
    ]
