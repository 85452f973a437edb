"""The marks of rulings, as Python-Markdown makes them and as the finished page has them."""

import re
from typing import Any
from urllib.parse import parse_qs

import markdown
import pytest
from bs4 import BeautifulSoup, Tag

from build_scripts.markdown_extensions.engine_numbers import fill_numbers
from build_scripts.markdown_extensions.ruling_notes import TABLE_VALUES, fill_ruling_marks
from build_scripts.pages.finish import PageAssets, finish_page
from build_scripts.paths import DOCS
from scratch_core.errors import ScratchError
from scratch_core.rulebook import RULE_OPTIONS, get_ruling, load_rulings
from tests.support.known import require

EXTENSIONS = ["attr_list", "md_in_html", "tables", "toc", "build_scripts.markdown_extensions.rule_links"]


def html(text: str) -> str:
    """Convert Markdown and write the notes, in an article as a builder makes it."""
    return fill_ruling_marks(f"<article>{markdown.markdown(text, extensions=EXTENSIONS)}</article>")


def one(text: str, selector: str) -> Tag:
    """The single element of a converted text that a selector finds."""
    (found,) = BeautifulSoup(html(text), "html.parser").select(selector)
    return found


def test_a_mark_opens_the_ruling() -> None:
    """`[[A03]]` opens without scripts: the question, the default first, the other, why, the setting, the way to it."""
    note = one("You get one try. [[A03]]", "details.ruling-mark .ruling-note")
    told = get_ruling("A03")
    words = " ".join(note.get_text(" ").split())
    assert f"{told.title} {told.question} Default: {told.readings[0]} Or: {told.readings[1]} {told.why}" in words
    assert "Your table may choose: once per encounter (default) or once per target." in words
    assert [link["href"] for link in note.select("a")] == ["rule:A03"]


@pytest.mark.parametrize("each", load_rulings().values(), ids=lambda each: each.id)
def test_every_ruling_can_be_marked(each: Any) -> None:
    """Each ruling's note has all its readings, and its setting's options just where it has one, never a key."""
    note = one(f"Words. [[{each.id}]]", ".ruling-note")
    assert len(note.select(".readings li")) == len(each.readings)
    assert ("Your table may choose:" in note.get_text()) == (each.id in {switch.ruling for switch in RULE_OPTIONS})
    assert not note.select("code")


def test_two_rulings_share_a_mark() -> None:
    """`[[A18 K13]]` is one mark with both notes."""
    mark = one("Words. [[A18 K13]]", "details")
    assert [title.get_text() for title in mark.select(".ruling-title")] == [
        get_ruling("A18").title,
        get_ruling("K13").title,
    ]


def test_a_mark_says_what_it_opens() -> None:
    """Read aloud, the sign is the ruling's title."""
    summary = one("Words. [[A03]]", "summary")
    assert [part.get_text() for part in summary.select(":not([aria-hidden])")] == [
        "Ruling: Once per encounter, or once per target"
    ]


@pytest.mark.parametrize(
    ("text", "parent"),
    [("Words. [[A03]] More.", "div"), ("- Words. [[A03]]", "li"), ("> Words **so. [[A03]]**", "strong")],
    ids=["paragraph", "item", "strong"],
)
def test_a_paragraph_may_hold_a_mark(text: str, parent: str) -> None:
    """No `<p>` is open where a mark stands, since it would end there."""
    mark = one(text, "details")
    assert require(mark.parent).name == parent
    assert mark.find_parent("p") is None


def test_a_paragraph_with_a_mark_keeps_its_name() -> None:
    """A paragraph's id and class stay, its § stands behind the mark, and no space lets the mark begin a line."""
    paragraph = one("You get one try. [[A03]]\n{: #act.unrepeatable .lede }", "#act\\.unrepeatable")
    assert paragraph["role"] == "paragraph"
    assert set(paragraph["class"]) == {"paragraph", "lede", "rule"}
    assert [child.name for child in paragraph.find_all(recursive=False)] == ["details", "a"]
    assert "try.<details" in str(paragraph)
    assert "Words.<details" in html("Words. [[A03]] More.")


def test_paper_has_numbers_and_notes() -> None:
    """The marks are numbered by ruling as they come, and the notes stand at the article's end in that order."""
    page = BeautifulSoup(html("One. [[A03]] Two. [[K01]]\n\nThree. [[A03 A04]]"), "html.parser")
    assert [number.get_text() for number in page.select(".ruling-number")] == ["1", "2", "1, 3"]
    notes = page.select("article > .ruling-footnotes:last-child li")
    assert [re.search(r"\(([A-Z]\d\d)\)", note.get_text())[1] for note in notes] == ["A03", "K01", "A04"]


def test_the_index_has_no_note() -> None:
    """Before the page is finished, which is what a search index is made of, a mark holds no words."""
    page = BeautifulSoup(markdown.markdown("Words. [[A03]]", extensions=EXTENSIONS), "html.parser")
    assert page.get_text().split() == ["Words."]


def test_a_finished_page_links_to_the_rulings() -> None:
    """Finishing a page writes the notes with links that lead there, and finishing it again changes nothing."""
    built = f"<article>{markdown.markdown('Words. [[A03]]', extensions=EXTENSIONS)}</article>"
    finished = finish_page(built, "rules/turns/index.html", PageAssets("engine-1", "", "/"))
    assert 'href="../../look-up/rulings/#A03"' in finished
    assert fill_ruling_marks(finished) == finished


def test_a_page_without_marks_stays() -> None:
    """Nothing is put onto a page that has no mark."""
    assert html("Words.") == "<article><p>Words.</p></article>"


def test_a_mark_of_no_ruling_stops_the_build() -> None:
    """An id that no ruling has is an error with that id in it."""
    with pytest.raises(ScratchError, match="'A99'"):
        html("Words. [[A99]]")


@pytest.mark.parametrize("name", TABLE_VALUES)
def test_table_value_is_empty_and_names_its_house_rule(name: str) -> None:
    """`[[at K01]]` and `[[at cp]]` print nothing, and hold the words of every value but the rulebook's."""
    place = one(f"Words 7.[[at {name}]] More.", "p > span[data-switch]")
    assert (place["data-switch"], place.get_text()) == (TABLE_VALUES[name][0], "")
    assert parse_qs(str(place["data-told"]))
    if name in load_rulings():
        note = one(f"Words. [[{name}]]", ".ruling-switch")
        assert note["data-told"] == place["data-told"]


def test_table_value_of_no_house_rule_stops_the_build() -> None:
    """A ruling without a switch, and a name that no limit has, are errors with the name in them."""
    with pytest.raises(ValueError, match="got 'A04'"):
        html("Words. [[at A04]]")


PRINTED = {
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
"""What the text prints of each house rule: where it does, the table's own value is shown as well."""


@pytest.mark.parametrize("name", PRINTED)
def test_printed_number_of_a_house_rule_has_its_mark(name: str) -> None:
    """Each line of the rules and the quick reference that prints it has the ruling's mark, or `[[at …]]`."""
    pages = [*(DOCS / "rules").rglob("*.md"), DOCS / "look-up" / "quick-reference.md", DOCS / "start-here.md"]
    lines = [(path.name, line) for path in pages for line in fill_numbers(path.read_text("utf-8")).splitlines()]
    found = [(page, line) for page, line in lines if re.search(PRINTED[name], line)]
    mark = rf"\[\[[^\]|]*\b{name}\b[^\]|]*\]\]|data-switch=.{name}"
    assert "quick-reference.md" in {page for page, _ in found}
    assert [each for each in found if not re.search(mark, each[1])] == []


def test_quick_reference_has_a_place_for_every_house_rule() -> None:
    """Each switch and each limit may be told there."""
    text = (DOCS / "look-up" / "quick-reference.md").read_text("utf-8")
    assert [name for name in TABLE_VALUES if f"[[at {name}]]" not in text] == []


def test_a_mark_in_a_heading_stops_the_build() -> None:
    """A heading's words stand in the contents too, so a mark belongs below it."""
    with pytest.raises(ValueError, match=r"below the heading, got one in 'Words\.'"):
        html("## Words. [[A03]]")
