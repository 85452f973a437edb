"""The marks of rulings in converted Markdown and in finished pages."""

import re
from typing import Any
from urllib.parse import parse_qs

import markdown
import pytest
from bs4 import BeautifulSoup, Tag

from build_scripts.markdown_extensions.engine_numbers import fill_in_engine_numbers
from build_scripts.markdown_extensions.ruling_notes import TABLE_VALUES, render_ruling_notes
from build_scripts.pages.finish import PageAssets, complete_built_page
from build_scripts.paths import DOCS
from scratch_core.errors import ScratchError
from scratch_core.rulebook import RULE_OPTIONS, get_ruling, load_rulings
from tests.support.known import require

EXTENSIONS = ["attr_list", "md_in_html", "tables", "toc", "build_scripts.markdown_extensions.rule_links"]


def convert_to_html(text: str) -> str:
    """Convert Markdown and fill in the notes, in an article."""
    return render_ruling_notes(f"<article>{markdown.markdown(text, extensions=EXTENSIONS)}</article>")


def select_one(text: str, selector: str) -> Tag:
    """Return the only element of a converted text that matches a selector."""
    (found,) = BeautifulSoup(convert_to_html(text), "html.parser").select(selector)
    return found


def test_ruling_mark_opens_a_note_with_question_options_and_setting() -> None:
    """`[[A03]]` opens without scripts and links to the ruling."""
    note = select_one("You get one try. [[A03]]", "details.ruling-mark .ruling-note")
    ruling = get_ruling("A03")
    words = " ".join(note.get_text(" ").split())
    assert (
        f"{ruling.title} {ruling.question} Default: {ruling.readings[0]} Or: {ruling.readings[1]} {ruling.why}" in words
    )
    assert "Your table may choose: once per encounter (default) or once per target." in words
    assert [link["href"] for link in note.select("a")] == ["rule:A03"]


@pytest.mark.parametrize("each", load_rulings().values(), ids=lambda each: each.id)
def test_note_of_each_ruling_has_all_options_and_no_key(each: Any) -> None:
    """It names a setting only where the ruling has one."""
    note = select_one(f"Words. [[{each.id}]]", ".ruling-note")
    assert len(note.select(".readings li")) == len(each.readings)
    assert ("Your table may choose:" in note.get_text()) == (each.id in {switch.ruling for switch in RULE_OPTIONS})
    assert not note.select("code")


def test_mark_of_two_rulings_has_both_notes() -> None:
    """`[[A18 K13]]` is one mark."""
    mark = select_one("Words. [[A18 K13]]", "details")
    assert [title.get_text() for title in mark.select(".ruling-title")] == [
        get_ruling("A18").title,
        get_ruling("K13").title,
    ]


def test_ruling_mark_has_the_title_as_its_accessible_name() -> None:
    """The sign itself is hidden from screen readers."""
    summary = select_one("Words. [[A03]]", "summary")
    assert [part.get_text() for part in summary.select(":not([aria-hidden])")] == [
        "Ruling: Once per encounter, or once per target"
    ]


@pytest.mark.parametrize(
    ("text", "parent"),
    [("Words. [[A03]] More.", "div"), ("- Words. [[A03]]", "li"), ("> Words **so. [[A03]]**", "strong")],
    ids=["paragraph", "item", "strong"],
)
def test_paragraph_with_a_ruling_mark_is_no_p_element(text: str, parent: str) -> None:
    """A `<p>` would end before the mark's `<details>`."""
    mark = select_one(text, "details")
    assert require(mark.parent).name == parent
    assert mark.find_parent("p") is None


def test_paragraph_with_a_ruling_mark_keeps_id_class_and_role() -> None:
    """Its § follows the mark, and no space lets the mark begin a line."""
    paragraph = select_one("You get one try. [[A03]]\n{: #act.unrepeatable .home__lede }", "#act\\.unrepeatable")
    assert paragraph["role"] == "paragraph"
    assert set(paragraph["class"]) == {"paragraph", "home__lede", "rule"}
    assert [child.name for child in paragraph.find_all(recursive=False)] == ["details", "a"]
    assert "try.<details" in str(paragraph)
    assert "Words.<details" in convert_to_html("Words. [[A03]] More.")


def test_printed_page_has_numbered_marks_and_footnotes() -> None:
    """Rulings are numbered by their first mark."""
    page = BeautifulSoup(convert_to_html("One. [[A03]] Two. [[K01]]\n\nThree. [[A03 A04]]"), "html.parser")
    assert [number.get_text() for number in page.select(".ruling-number")] == ["1", "2", "1, 3"]
    notes = page.select("article > .ruling-footnotes:last-child li")
    assert [re.search(r"\(([A-Z]\d\d)\)", note.get_text())[1] for note in notes] == ["A03", "K01", "A04"]


def test_ruling_mark_is_empty_before_the_page_is_finished() -> None:
    """The search index is built from unfinished pages."""
    page = BeautifulSoup(markdown.markdown("Words. [[A03]]", extensions=EXTENSIONS), "html.parser")
    assert page.get_text().split() == ["Words."]


def test_finished_page_has_notes_with_links_to_the_rulings() -> None:
    """Filling in the notes again changes nothing."""
    built = f"<article>{markdown.markdown('Words. [[A03]]', extensions=EXTENSIONS)}</article>"
    finished = complete_built_page(built, "rules/turns/index.html", PageAssets("engine-1", "", "/"))
    assert 'href="../../look-up/rulings/#A03"' in finished
    assert render_ruling_notes(finished) == finished


def test_page_without_ruling_marks_is_unchanged() -> None:
    """Nothing is added to it."""
    assert convert_to_html("Words.") == "<article><p>Words.</p></article>"


def test_mark_of_an_unknown_ruling_raises() -> None:
    """The message contains the id."""
    with pytest.raises(ScratchError, match="'A99'"):
        convert_to_html("Words. [[A99]]")


@pytest.mark.parametrize("name", TABLE_VALUES)
def test_table_value_is_empty_and_names_its_house_rule(name: str) -> None:
    """`[[at K01]]` and `[[at cp]]` print nothing and contain the words of other values.

    That is every value except the rulebook's.
    """
    place = select_one(f"Words 7.[[at {name}]] More.", "p > span[data-house-rule]")
    assert (place["data-house-rule"], place.get_text()) == (TABLE_VALUES[name][0], "")
    assert parse_qs(str(place["data-words"]))
    if name in load_rulings():
        note = select_one(f"Words. [[{name}]]", ".ruling-switch")
        assert note["data-words"] == place["data-words"]


def test_table_value_of_no_house_rule_stops_the_build() -> None:
    """A ruling without a switch and an unknown limit are errors.

    The message has the name.
    """
    with pytest.raises(ValueError, match="got 'A04'"):
        convert_to_html("Words. [[at A04]]")


HOUSE_RULE_TEXTS = {
    "K01": r"7 \+ (\[\[hp\.max\|)?toughness",
    "K21": r"10 × (its )?highest",
    "A03": r"act\.unrepeatable\|Once per encounter\]\]: distract|can't use it again, on anyone",
    "A11": r"swimming to agility and close attacks|hold or distraction with swimming",
    "A12": r"close attacks only by flyers",
    "A37": r"one bonus (less|fewer)",
    "cp": r"\b10 (points|of them)\b|add up to 10",
    "max_level": r"level 4 at most|no ability above level 4|maximum level of 4|none is above 4",
    "G01": r"opponents next to (where you start|the space you start in)",
    "G09": r"more than 1 space away.*\| opponents",
    "G11": r"space next to you\]\], diagonals too|two walls that meet at a corner\.",
    "S01": r"A natural 1\]\]: no turn in the first|number on the die counts",
}
"""The text that prints each house rule; the table's own value is shown next to it."""


@pytest.mark.parametrize("name", HOUSE_RULE_TEXTS)
def test_printed_number_of_a_house_rule_has_its_mark(name: str) -> None:
    """Each line that prints a house rule's number has the ruling's mark or `[[at …]]`.

    The rules, the first steps and the quick reference are searched.
    """
    pages = [*(DOCS / "rules").rglob("*.md"), DOCS / "look-up" / "quick-reference.md", DOCS / "start-here.md"]
    lines = [
        (path.name, line) for path in pages for line in fill_in_engine_numbers(path.read_text("utf-8")).splitlines()
    ]
    found = [(page, line) for page, line in lines if re.search(HOUSE_RULE_TEXTS[name], line)]
    mark = rf"\[\[[^\]|]*\b{name}\b[^\]|]*\]\]|data-house-rule=.{name}"
    assert "quick-reference.md" in {page for page, _ in found}
    assert [each for each in found if not re.search(mark, each[1])] == []


def test_quick_reference_has_a_place_for_every_house_rule() -> None:
    """Each switch and each limit has a place there."""
    text = (DOCS / "look-up" / "quick-reference.md").read_text("utf-8")
    assert [name for name in TABLE_VALUES if f"[[at {name}]]" not in text] == []


def test_ruling_mark_in_a_heading_raises() -> None:
    """A heading's words are repeated in the contents."""
    with pytest.raises(ValueError, match=r"below the heading, got one in 'Words\.'"):
        convert_to_html("## Words. [[A03]]")
