"""A query packed for a link: unpacking gives the same query, the link is short, and invalid packed text is reported."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from build_scripts.dev.bench.presses import build_endless_fight
from build_scripts.dev.bench.turns import build_long_fight
from build_scripts.render import (
    MAX_CODE_VERSION,
    answer_json_request,
    render_calculator_response,
    render_qr_code_with_caption,
)
from scratch_core.calculators.fight import MAX_QUERY_LENGTH, view
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.calculators.shared.share_links import pack_fields, pack_query, unpack_fields, unpack_query
from scratch_core.scenario import build_worked_combat
from tests.fuzz import packed_as_it_is
from tests.support.fights import view_begun_fight, view_next
from tests.support.sample_counts import count_examples

LONGEST_LINK = 4_000  # characters


def text(tree: object) -> str:
    """A file in as few characters as may be."""
    return json.dumps(tree, separators=(",", ":"), ensure_ascii=False)


CASES = [
    pytest.param({"log": text(build_long_fight()), "redo": ""}, id="a fight"),
    pytest.param({"log": text({"steps": []})}, id="no steps"),
    pytest.param(
        {"log": text({"steps": [{"a": 1}, {"b": [1.5, None, "é 力"], "a": {}}, {}]})}, id="steps of any shape"
    ),
    pytest.param({"log": json.dumps(build_long_fight(20), indent=1)}, id="a file with spaces"),
    pytest.param({"log": '{"steps": 3}', "note": "50% + 1 & more = é"}, id="signs"),
    pytest.param({"log": text({"steps": [{"n": n} for n in range(100)]})}, id="more values than letters"),
]


@pytest.mark.parametrize("fields", CASES)
def test_unpack_restores_packed_fields(fields: dict[str, str]) -> None:
    """Fields are restored exactly, empty ones omitted, through an address too."""
    packed = pack_fields(fields)
    kept = {name: value for name, value in fields.items() if value}
    assert unpack_fields(packed) == kept
    assert packed.replace("-", "").replace("_", "").isalnum()
    read = unpack_query(parse_query(f"title=x&packed={packed}", MAX_QUERY_LENGTH))
    assert {name: read.text(name) for name in kept} == kept


def test_fight_of_200_steps_fits_a_share_link() -> None:
    """A link of 200 steps has at most 4,000 characters with its title.

    It opens the same fight.
    """
    log = text(build_long_fight())
    seen = view(parse_query(format_query({"log": log, "act": "share"}), MAX_QUERY_LENGTH), None)
    assert len(f"https://somebody.example/scratch/tools/fight/#?{seen.share_query}") <= LONGEST_LINK
    assert seen.share_query.startswith("title=3%20crew%20against")
    opened = render_calculator_response("fight", seen.share_query)
    assert parse_query(opened.query, MAX_QUERY_LENGTH).text("log") == seen.fields["log"]
    assert len(pack_fields({"log": text(build_endless_fight(1000))})) <= LONGEST_LINK


DAMAGED = ["", "1", "2abc", "1!!!", "1AAAA", pack_fields({"log": "x" * 500})[:-4], "1" + "é" * 9]


@pytest.mark.parametrize("packed", DAMAGED)
def test_damaged_share_link_is_reported_and_preserved(packed: str) -> None:
    """A damaged link is reported at the log and can be saved unchanged."""
    rendered = render_calculator_response("fight", f"packed={packed}")
    if packed:
        assert "This link was cut off or changed" in rendered.html
        assert "data-refused" in rendered.html


def test_unpack_rejects_oversized_text() -> None:
    """A small text that would expand to many megabytes is rejected."""
    with pytest.raises(ValueError, match="goes on"):
        unpack_fields(pack_fields({"log": " " * 4_100_000}))


def test_unpack_rejects_deeply_nested_text() -> None:
    """Deep brackets crash Python in a browser: packed they are rejected, typed they are preserved."""
    deep = "[" * 3000
    with pytest.raises(ValueError, match="no packed text"):
        unpack_fields(packed_as_it_is(deep))
    assert unpack_fields(pack_fields({"note": deep})) == {"note": deep}


MISMADE = [
    pytest.param([["log", {"steps": [[[["a"]], "AA"], {"a": [[1], "A"]}]}]], "no packed text", id="a column too short"),
    pytest.param([["log", {"steps": [[[], ""], []]}]], "no packed text", id="columns without names"),
    pytest.param(
        [["log", {"steps": [[[["a"]], "A" * 3000], {"a": [["x" * 2000], "A" * 3000]}]}]],
        "swells",
        id="one long value often",
    ),
    pytest.param(
        [["log", {"steps": [[[["a"]], "A" * 999], {"a": [["x" * 999], "A" * 999]}]}]] * 5, "swells", id="many tables"
    ),
]


@pytest.mark.parametrize(("tree", "said"), MISMADE)
def test_columns_that_fit_no_rows_or_far_too_many_are_refused(tree: object, said: str) -> None:
    """Packed text that was never a fight is refused before it fills memory."""
    packed = packed_as_it_is(text(tree))
    with pytest.raises(ValueError, match=said):
        unpack_fields(packed)
    assert "packed" in unpack_query(parse_query(f"packed={packed}", MAX_QUERY_LENGTH))


def test_draw_code_explains_when_a_link_is_too_long() -> None:
    """A short address becomes a QR code, a longer one a text with its length."""
    drawn = render_qr_code_with_caption(
        "tools/fight/#?packed=1abc", "https://host.example/", "QR code of the whole fight."
    )
    assert drawn.count("<svg") == 1
    assert "<figcaption><strong>QR code of the whole fight.</strong> Scan it" in drawn
    for length in (1_750, 5_000):
        text = render_qr_code_with_caption("x" * length, "", "")
        assert f"The link has {length:,} characters" in text
        assert "<svg" not in text
    assert MAX_CODE_VERSION == 30


def test_carry_panel_shows_link_and_code_on_request() -> None:
    """One press shows link and code with the focus there.

    The next action hides them.
    """
    seen = view_begun_fight()
    assert "data-code" not in render_calculator_response("fight", format_query({"log": seen.fields["log"]})).html
    html = render_calculator_response("fight", format_query({"log": seen.fields["log"], "act": "share"})).html
    assert 'data-share href="#?title=' in html
    assert 'data-code="tools/fight/#?title=' in html
    assert 'data-focus="share"' in html
    assert view_next(seen, act="share").fields["log"] == seen.fields["log"]


PIECES = (
    "%41",
    "%",
    "%2B",
    "%25",
    "+",
    "&",
    "=",
    "\n",
    "\n\n",
    "#",
    "?",
    ";",
    '"',
    "\\n",
    "\\",
    "[[",
    "{}",
    "é",
    "力",
    "🎲",
    " ",
    "a",
)
RICH = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
"""Texts full of what an address, a form or a file reads as something else."""


@settings(deadline=None, max_examples=count_examples(200))
@given(RICH, RICH, st.booleans())
def test_any_text_survives_link_and_query(one: str, other: str, is_file: bool) -> None:
    """Any text is unchanged after packing and unpacking, a link and a query.

    This holds for text that looks like an escape.
    """
    steps = [{"do": "evade", "note": one}, {"do": other, "note": one}]
    fields = {"log": text({"title": other, "steps": steps}) if is_file else one, "note": other}
    kept = {name: value for name, value in fields.items() if value}
    packed = pack_fields(fields)
    assert unpack_fields(packed) == kept
    linked = unpack_query(parse_query(f"?title=x&packed={packed}", MAX_QUERY_LENGTH))
    written = parse_query(f"?{format_query(fields)}", MAX_QUERY_LENGTH)
    again = parse_query(format_query({name: linked.text(name) for name in kept}), MAX_QUERY_LENGTH)
    for read in (linked, written, again):
        assert {name: read.text(name) for name in kept} == kept


def test_packed_query_of_a_long_fight_opens_the_same_fight() -> None:
    """A packed long query opens the same fight with the same name.

    It is less than half as long.
    """
    query = fight_query()
    packed = pack_query(query, "The bay: Ann & Bo")
    assert len(packed) < len(query) / 2
    assert packed.startswith("title=The%20bay%3A%20Ann%20%26%20Bo&packed=")
    assert (
        render_calculator_response("fight", packed).query == render_calculator_response("fight", query).query == query
    )
    assert pack_query(packed) == packed


def test_link_request_returns_the_packed_query() -> None:
    """The browser's way in packs a query that is to be shared."""
    query = fight_query()
    told = json.loads(answer_json_request(json.dumps({"link": query, "title": ""})))
    assert told == {"link": pack_query(query)}
    assert render_calculator_response("fight", told["link"]).query == query


def fight_query() -> str:
    """The query of the worked combat as a fight."""
    log = json.dumps(build_worked_combat().tree)
    return render_calculator_response("fight", format_query({"log": log})).query


def test_packed_query_keeps_plus_and_percent_signs() -> None:
    """What would be read as something else in an address comes back as it was."""
    query = "roll=d20%2B3%5B100%25+a%2Bb%5D&faces=7"
    assert (
        render_calculator_response("dice", pack_query(query)).query == render_calculator_response("dice", query).query
    )
