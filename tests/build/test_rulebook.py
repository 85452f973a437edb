"""The whole rulebook on one page: its chapters, and their ids, links, headings and calculators."""

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


def build_rulebook(**articles: str) -> Tag:
    """Return the rulebook's chapters with these articles.

    A page without an article has a title and one paragraph.
    """
    pages = {f"{each}index.html": "<article><h1>Title</h1><p>Words.</p></article>" for each in CHAPTERS}
    pages |= {f"{name.replace('_', '/')}/index.html": f"<article>{html}</article>" for name, html in articles.items()}
    return require(BeautifulSoup(fill_rulebook({RULEBOOK_PATH: EMPTY, **pages}), "html.parser").select_one(".rulebook"))


def list_pages(nav: Any) -> list[str]:
    """Return the pages of a part of the navigation, in its order."""
    if isinstance(nav, str):
        return [nav.removesuffix(".md").removesuffix("index").rstrip("/") + "/"]
    return [page for each in (nav.values() if isinstance(nav, dict) else nav) for page in list_pages(each)]


def test_rulebook_chapters_follow_the_navigation() -> None:
    """The chapters are Start here, the pages below Rules, and the quick reference."""
    (rules,) = (each["Rules"] for each in CONFIG["nav"] if "Rules" in each)
    assert list(CHAPTERS) == ["start-here/", *list_pages(rules), "look-up/quick-reference/"]


def test_navigation_lists_every_page_once_and_the_build_is_strict() -> None:
    """A broken link or a missing snippet fails the build."""
    assert sorted(list_pages(CONFIG["nav"])) == sorted(
        page for path in DOCS.rglob("*.md") for page in list_pages(path.relative_to(DOCS).as_posix())
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
def test_rulebook_link_leads_to_its_chapter_or_page(link: str, leads: str) -> None:
    """Links to chapters stay within the page."""
    found = build_rulebook(**{"rules_hit-points": f'<h1>Hit points</h1><p><a href="{link}">so</a></p>'})
    assert [each["href"] for each in found.select("#hit-points a")] == [leads]


def test_rulebook_ids_are_prefixed_with_their_chapter() -> None:
    """Two chapters may have the same id, and references lead to their own."""
    html = '<h1 id="a">T</h1><table><tr><th id="b">B</th><td headers="b">C</td></tr></table><svg fill="url(#a)"></svg>'
    found = build_rulebook(rules_rolls=html, rules_turns=html)
    ids = [str(each["id"]) for each in found.find_all(id=True)]
    assert len(ids) == len(set(ids))
    assert {"rolls-a", "rolls-b", "turns-a", "turns-b"} < set(ids)
    assert [each["headers"] for each in found.select("[headers]")] == [["rolls-b"], ["turns-b"]]
    assert [each["fill"] for each in found.select("svg")] == ["url(#rolls-a)", "url(#turns-a)"]


def test_rulebook_headings_are_one_level_deeper() -> None:
    """A page's title is a chapter of the contents, one level deeper.

    A stat block's headings are unchanged.
    """
    found = build_rulebook(
        rules_rolls="<h1>Rolls</h1><h2>One</h2><p>Words.</p><section class='sheet'><h2>A</h2><p>B</p></section>"
    )
    assert [each.name for each in found.select("#rolls")[0].find_all(["h1", "h2", "h3"])] == ["h2", "h3", "h2"]
    contents = found.select(".rulebook-contents a")
    assert [each["href"] for each in contents[:3]] == ["#start-here", "#rules", "#rolls"]
    assert contents[2].get_text() == "Rolls"


def test_rulebook_leaves_out_calculators_and_their_introductions() -> None:
    """Empty headings and links to the next page are left out, too."""
    found = build_rulebook(
        rules_rolls="<h1>Rolls</h1><p>One.</p><p>Try it:</p><div class='calculator-place'>x</div><p>Two.</p>"
        "<h2>Try it</h2><scratch-calculator>x</scratch-calculator><h2>Last</h2><p>Three.</p><p>Next: Turns.</p>"
    )
    assert found.select("#rolls")[0].get_text(" ").split() == ["Rolls", "One.", "Two.", "Last", "Three."]


def test_rulebook_page_without_a_placeholder_raises() -> None:
    """The message contains the expected element."""
    with pytest.raises(ValueError, match=r"expected <div class=.rulebook.></div> in look-up/rulebook"):
        fill_rulebook({RULEBOOK_PATH: "<article></article>"})
