"""The whole rulebook on one page: its pages, and what becomes of their ids, links, headings and calculators."""

from typing import Any

import pytest
import yaml
from bs4 import BeautifulSoup, Tag

from build_scripts.pages.rulebook import CHAPTERS, RULEBOOK_PATH, fill_rulebook
from build_scripts.paths import DOCS, ROOT
from tests.support.known import require

EMPTY = '<article><h1 id="book">All</h1><div class="rulebook"></div></article>'


class _Nav(yaml.SafeLoader):
    """Reads mkdocs.yml without what its tags mean."""


_Nav.add_multi_constructor("", lambda loader, tag, node: None)
CONFIG = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), _Nav)


def made(**articles: str) -> Tag:
    """The rulebook's chapters of built pages; those not given have a heading alone, with a word."""
    pages = {f"{each}index.html": "<article><h1>Title</h1><p>Words.</p></article>" for each in CHAPTERS}
    pages |= {f"{name.replace('_', '/')}/index.html": f"<article>{html}</article>" for name, html in articles.items()}
    return require(BeautifulSoup(fill_rulebook({RULEBOOK_PATH: EMPTY, **pages}), "html.parser").select_one(".rulebook"))


def pages_of(nav: Any) -> list[str]:
    """The pages of a part of the navigation, in its order."""
    if isinstance(nav, str):
        return [nav.removesuffix(".md").removesuffix("index").rstrip("/") + "/"]
    return [page for each in (nav.values() if isinstance(nav, dict) else nav) for page in pages_of(each)]


def test_the_chapters_are_those_of_the_navigation() -> None:
    """Start here, all that stands under Rules, and the quick reference, in the site's order."""
    (rules,) = (each["Rules"] for each in CONFIG["nav"] if "Rules" in each)
    assert list(CHAPTERS) == ["start-here/", *pages_of(rules), "look-up/quick-reference/"]


def test_each_page_is_led_to_and_what_is_wrong_stops_the_build() -> None:
    """Every page stands in the navigation, once; a broken link or a missing snippet is no warning."""
    assert sorted(pages_of(CONFIG["nav"])) == sorted(
        page for path in DOCS.rglob("*.md") for page in pages_of(path.relative_to(DOCS).as_posix())
    )
    assert (CONFIG["strict"], {"pymdownx.snippets": {"check_paths": True}} in CONFIG["markdown_extensions"]) == (
        True,
        True,
    )


@pytest.mark.parametrize(
    ("link", "leads"),
    [
        ("#hp.max", "#hit-points-hp.max"),
        ("rule:act.cover", "#actions-act.cover"),
        ("rule:K01", "rule:K01"),
        ("../turns/", "#turns"),
        ("../turns/#turn.tie", "#turns-turn.tie"),
        ("../../start-here/#a-check", "#start-here-a-check"),
        ("../../look-up/rulings/#K01", "../rulings/#K01"),
        ("../../tools/dice/", "../../tools/dice/"),
        ("../../assets/favicon.svg", "../../assets/favicon.svg"),
        ("https://example.org/#x", "https://example.org/#x"),
    ],
)
def test_a_link_leads_to_where_it_is_now(link: str, leads: str) -> None:
    """Within the page where a chapter has it, else to the page that it led to."""
    found = made(**{"rules_hit-points": f'<h1>Hit points</h1><p><a href="{link}">so</a></p>'})
    assert [each["href"] for each in found.select("#hit-points a")] == [leads]


def test_ids_have_their_chapter_before_them() -> None:
    """Two chapters may have the same id, and what names one names its own."""
    html = '<h1 id="a">T</h1><table><tr><th id="b">B</th><td headers="b">C</td></tr></table><svg fill="url(#a)"></svg>'
    found = made(rules_rolls=html, rules_turns=html)
    ids = [str(each["id"]) for each in found.find_all(id=True)]
    assert len(ids) == len(set(ids))
    assert {"rolls-a", "rolls-b", "turns-a", "turns-b"} < set(ids)
    assert [each["headers"] for each in found.select("[headers]")] == [["rolls-b"], ["turns-b"]]
    assert [each["fill"] for each in found.select("svg")] == ["url(#rolls-a)", "url(#turns-a)"]


def test_headings_stand_one_deeper_below_the_page_s_own() -> None:
    """A page's title is a chapter's, and the contents lead there; a sheet's headings stay."""
    found = made(
        rules_rolls="<h1>Rolls</h1><h2>One</h2><p>Words.</p><section class='sheet'><h2>A</h2><p>B</p></section>"
    )
    assert [each.name for each in found.select("#rolls")[0].find_all(["h1", "h2", "h3"])] == ["h2", "h3", "h2"]
    contents = found.select(".rulebook-contents a")
    assert [each["href"] for each in contents[:3]] == ["#start-here", "#rules", "#rolls"]
    assert contents[2].get_text() == "Rolls"


def test_calculators_stay_on_their_pages() -> None:
    """With one go the words that lead to it, a heading with nothing below, and the way to the next page."""
    found = made(
        rules_rolls="<h1>Rolls</h1><p>One.</p><p>Try it:</p><div class='calculator-place'>x</div><p>Two.</p>"
        "<h2>Try it</h2><scratch-calculator>x</scratch-calculator><h2>Last</h2><p>Three.</p><p>Next: Turns.</p>"
    )
    assert found.select("#rolls")[0].get_text(" ").split() == ["Rolls", "One.", "Two.", "Last", "Three."]


def test_a_page_without_its_place_stops_the_build() -> None:
    """The page has one empty place for the chapters."""
    with pytest.raises(ValueError, match=r"expected <div class=.rulebook.></div> in look-up/rulebook"):
        fill_rulebook({RULEBOOK_PATH: "<article></article>"})
