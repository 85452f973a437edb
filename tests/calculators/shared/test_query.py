"""The query string, read and written."""

from urllib.parse import quote, unquote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scratch_core.calculators.shared.query import DEFAULT_MAX_QUERY_LENGTH, format_query, parse_query

NAMES = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12)
VALUES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)


@pytest.mark.parametrize(
    ("query", "notation"),
    [
        ("roll=d20+3", "d20+3"),
        ("roll=d20%2B3", "d20+3"),
        ("?roll=d20+%2B+3", "d20 + 3"),
        ("roll=d20%20vs%2013", "d20 vs 13"),
        ("roll=d20+3+vs+13", "d20+3 vs 13"),
        ("roll=d20+3%20[my%20sword]", "d20+3 [my sword]"),
        ("roll=d20+vs+13", "d20 vs 13"),
        ("roll=d20+%5Bshort+sword%5D+3", "d20 [short sword]+3"),
        ("roll=d20+3[short+sword]+1", "d20+3[short sword]+1"),
        ("roll=d20%2B4+vs+13", "d20+4 vs 13"),
        ("roll=d%", "d%"),
        ("roll=d%zz+1", "d%zz+1"),
        ("roll=1&roll=2", "2"),
        ("faces=3\nroll=d6", "d6"),
        ("", ""),
    ],
)
def test_plus_sign_is_arithmetic_or_an_encoded_space(query: str, notation: str) -> None:
    """A plus sign is arithmetic, or a space if a form encoded it."""
    assert parse_query(query).notation("roll") == notation


@given(st.dictionaries(NAMES, VALUES.filter(bool), max_size=6))
def test_formatted_query_parses_to_the_same_fields(fields: dict[str, str]) -> None:
    """A query from `format_query` is parsed back by `parse_query`."""
    read = parse_query(format_query(fields))
    assert {name: read.text(name) for name in fields} == fields


@pytest.mark.no_cover
@given(st.text(max_size=300))
def test_parse_query_accepts_any_text(text: str) -> None:
    """No text makes the reader of queries stumble."""
    query = parse_query(text)
    assert all(isinstance(query.text(name), str) for name in query.raw)


ESCAPES = st.lists(
    st.one_of(st.sampled_from(["%", "%2", "%zz", "%E4%BD", "%c3%a9", "%ff", "+", "é", "a"]), VALUES.map(quote))
)


@given(ESCAPES.map("".join))
def test_escapes_are_decoded_like_urllib(text: str) -> None:
    """Whole, broken and partial escapes are decoded as by `urllib.parse`."""
    text = text.replace("&", "")
    read = parse_query(f"note={text}").text("note")
    assert read == "".join(
        " " if (c < " " and c not in "\n\t") or c == "\x7f" else c for c in unquote_plus(text, errors="replace")
    )


@pytest.mark.parametrize("piece", ['{"a": [1, 2],\n "b": "%22 + %"}', "100 % é 力", "%2522%%32%", "plain"])
def test_long_query_value_is_encoded_like_urllib(piece: str) -> None:
    """The encoding of a whole file equals that of `urllib.parse`, sign by sign."""
    value = piece * 400
    written = format_query({"log": value})
    assert written == f"log={quote(value, safe=',')}"
    assert parse_query(written, 2 * len(written)).text("log") == value
    raw = value.replace("&", "").replace("=", "").replace("\n", "")
    assert parse_query(f"log={raw}", 2 * len(raw)).text("log") == unquote_plus(raw, errors="replace")


def test_control_characters_become_spaces() -> None:
    """Control characters other than line ends and tabs are read as spaces."""
    assert parse_query("name=a%00b%1Bc%0Ad").text("name") == "a b c\nd"


def test_too_long_query_is_truncated_and_marked() -> None:
    """A query over the limit is cut there and says so."""
    query = parse_query("name=" + "x" * DEFAULT_MAX_QUERY_LENGTH)
    assert query.is_cut
    assert len(query.text("name")) == DEFAULT_MAX_QUERY_LENGTH - len("name=")


def test_query_length_counts_decoded_characters() -> None:
    """A letter that is encoded as nine signs counts as one.

    So 2,300 Chinese letters are not truncated, and 20,001 are.
    """
    query = parse_query("sheet=" + quote("力" * 2_300))
    assert not query.is_cut
    assert query.text("sheet") == "力" * 2_300
    assert parse_query("sheet=" + quote("力" * DEFAULT_MAX_QUERY_LENGTH)).is_cut


def test_long_query_value_is_escaped_across_chunk_borders() -> None:
    """A value of several chunks is escaped as by the standard library.

    The letters at the borders of the chunks are of all kinds.
    """
    for text in ('{"do":"end-turn","note":"50 %"},' * 400, "ä🎲%x" * 3000, "".join(map(chr, range(32, 128))) * 120):
        assert format_query({"log": text}) == f"log={quote(text, safe=',')}"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_saved_entries_do_not_count_wherever_they_are_in_the_query(place: int) -> None:
    """A form may send them first."""
    pairs = ["name=Oda", "do=fight 3"]
    pairs.insert(place, "kept=" + "%5B" * 30_000)
    for text in ("&".join(pairs), "?" + "&".join(pairs)):
        query = parse_query(text)
        assert not query.is_cut
        assert (query.text("name"), query.text("do"), len(query.text("kept"))) == ("Oda", "fight 3", 30_000)
