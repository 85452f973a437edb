"""Unicode normalization of typed text and of names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scratch_core.normalization import name_key, normalize_input, normalize_name, parse_whole_number


@pytest.mark.parametrize(
    ("typed", "parsed"),
    [
        ("d20–3", "d20-3"),
        ("d20−3", "d20-3"),
        ("２ｄ６", "2d6"),
        ("2\u00a0fighting", "2 fighting"),
        ("fight\u200bing", "fighting"),
        ("fight\u00ading", "fighting"),
        ("3 \ufb01ghting", "3 fighting"),
        ("a\n\tb", "a\n\tb"),
    ],
)
def test_normalize_input_folds_look_alikes(typed: str, parsed: str) -> None:
    """Look-alikes of digits, dashes, spaces and letters are read as the plain sign."""
    assert normalize_input(typed) == parsed


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("7", 7),
        (" +7 ", 7),
        ("−7", -7),
        ("７", 7),
        ("0" * 9, 0),
        ("0" * 10, None),
        ("", None),
        ("7.5", None),
        ("²", None),
    ],
)
def test_parse_whole_number_reads_digits_and_a_sign(typed: str, number: int | None) -> None:
    """Look-alikes of digits and signs are read, nothing else."""
    assert parse_whole_number(typed) == number


@pytest.mark.parametrize(
    "names",
    [("Jörgen", "Jo\u0308rgen"), ("ОЛЕНА", "Олена"), ("山  田", "山 田"), ("ｋｉｍ", "Kim"), ("O’Neil", "O'Neil")],
)
def test_name_key_of_two_spellings_is_equal(names: tuple[str, str]) -> None:
    """Two spellings of one name compare equal."""
    assert name_key(names[0]) == name_key(names[1])


@pytest.mark.parametrize("names", [("Jörgen", "Jürgen"), ("Олена", "Петро"), ("山田", "田中"), ("Zoë", "Zoé")])
def test_name_key_of_two_names_differs(names: tuple[str, str]) -> None:
    """Names that differ in letters outside a-z compare unequal."""
    assert name_key(names[0]) != name_key(names[1])


def test_clean_name_removes_direction_controls() -> None:
    """A name can't reverse the text after it.

    Joiners that letters and emoji need are preserved.
    """
    assert normalize_name("Kim\u202e \u2066X\u2069") == "Kim X"
    assert normalize_name("👩\u200d🚀") == "👩\u200d🚀"


@given(st.text())
def test_normalize_input_twice_changes_nothing(text: str) -> None:
    """Normalized text is already normal."""
    assert normalize_input(normalize_input(text)) == normalize_input(text)
