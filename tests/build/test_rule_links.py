"""Rule links, rule anchors, tooltips and the engine's tables, as Python-Markdown makes them."""

import re
from html import escape
from typing import get_args

import markdown
import pytest
from bs4 import BeautifulSoup
from pymdownx.superfences import SuperFencesException

from build_scripts.checks.rule_traceability import list_rule_coverage
from build_scripts.fences.registry import accept_options, render_page_fence
from build_scripts.fences.table import TABLE_RENDERERS, render_table
from build_scripts.markdown_extensions.rule_links import complete_rule_links, render_rule_link
from scratch_core.errors import ScratchError
from scratch_core.rulebook import RULE_OPTIONS, load_rulings
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME, ABILITY_NAMES
from scratch_core.rulebook.records import RulingPart
from tests.support.known import require

EXTENSIONS = [
    "attr_list",
    "md_in_html",
    "tables",
    "toc",
    "pymdownx.superfences",
    "build_scripts.markdown_extensions.rule_links",
]
CONFIGS = {
    "toc": {"permalink": True},
    "pymdownx.superfences": {
        "custom_fences": [
            {
                "name": "engine-table",
                "class": "engine-table",
                "format": render_page_fence,
                "validator": accept_options,
            }
        ]
    },
}


def html(text: str) -> str:
    """Convert Markdown as the site does."""
    return markdown.markdown(text, extensions=EXTENSIONS, extension_configs=CONFIGS)


def soup(text: str) -> BeautifulSoup:
    """Convert Markdown and read the result."""
    return BeautifulSoup(html(text), "html.parser")


@pytest.mark.parametrize(
    ("text", "href", "words"),
    [
        ("[[act.cover]]", "rule:act.cover", "Take cover"),
        ("[[act.cover|hide *well*]]", "rule:act.cover", "hide well"),
        ("[[ K01 | seven ]]", "rule:K01", "seven"),
        ("**[[roll.success|so]]**", "rule:roll.success", "so"),
    ],
    ids=["title", "words", "ruling", "nested"],
)
def test_double_brackets_link_to_a_rule(text: str, href: str, words: str) -> None:
    """A rule's id in double brackets is a link with its title or other words."""
    link = require(soup(text).a)
    assert (link["href"], link.get_text()) == (href, words)


@pytest.mark.parametrize(
    "row",
    ["| [[act.cover|hide]] | b |", r"| [[act.cover\|hide]] | b |", "| [[ act.cover | hide ]] | b |"],
    ids=["bare", "escaped", "spaced"],
)
@pytest.mark.parametrize("around", ["{}", '<div markdown="1">\n\n{}\n\n</div>'], ids=["page", "html"])
def test_a_link_s_bar_ends_no_cell(row: str, around: str) -> None:
    """In a table a link's words stand in its own cell, whether its bar is escaped or not, also within HTML."""
    cells = soup(around.format(f"| A | B |\n|---|---|\n{row}")).select("td")
    assert [cell.get_text() for cell in cells] == ["hide", "b"]
    assert cells[0].a is not None
    assert cells[0].a["href"] == "rule:act.cover"


def test_double_brackets_in_code_stay() -> None:
    """Code shows double brackets as they are."""
    assert "<code>[[act.cover]]</code>" in html("`[[act.cover]]`")


def test_a_link_to_no_rule_stops_the_build() -> None:
    """An id that no rule has is an error with that id in it."""
    with pytest.raises(ScratchError, match=re.escape("'act.covr'")):
        html("[[act.covr]]")


@pytest.mark.parametrize(
    ("page", "href"),
    [
        ("index.html", "rules/actions/#act.cover"),
        ("rules/rolls/index.html", "../../rules/actions/#act.cover"),
        ("rules/rolls/", "../../rules/actions/#act.cover"),
        ("rules/actions/index.html", "#act.cover"),
        ("404.html", "/rules/actions/#act.cover"),
    ],
)
def test_links_become_relative(page: str, href: str) -> None:
    """A finished page's links lead to the rule from where the page lies, within it when the rule is there."""
    shown = f"<code>{escape(render_rule_link('act.cover'), quote=False)}</code>"  # code that shows such a link stays
    finished = complete_rule_links(render_rule_link("act.cover") + shown, page)
    assert finished == f'<a class="rule-link" href="{href}">Take cover</a>{shown}'
    assert complete_rule_links(finished, page) == finished


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("## Take cover { #act.cover }", "h2"),
        ("Words.\n{: #act.cover }", "p"),
        ("- one\n{: #act.cover }\n- two", "li"),
        ("- one\n    - two\n    {: #act.cover }\n", "li"),
        ("1.  one\n\n    two\n    {: #act.cover }\n", "p"),
        ("| a |\n|---|\n| b { #act.cover } |", "td"),
        ("> Words.\n> {: #act.cover }", "p"),
        ('<div id="act.cover" markdown>\n\nWords.\n\n</div>', "div"),
    ],
    ids=["heading", "paragraph", "item", "nested item", "paragraph in item", "cell", "quote", "div"],
)
def test_dotted_ids_are_anchors(text: str, tag: str) -> None:
    """An attribute list gives a rule's dotted id to whatever it stands on, with one link to itself and no other."""
    page = soup(text)
    element = require(page.find(id="act.cover"))
    assert element.name == tag
    assert "rule" in element["class"]
    links = element.find_all("a")
    assert [(link["class"], link["href"], link["data-rule"], link["aria-label"]) for link in links] == [
        (["rule-anchor"], "#act.cover", "act.cover", "Link to this rule: Take cover")
    ]


def test_a_link_with_a_rule_s_id_stays_a_link() -> None:
    """Where a rule stood before, a link with its id leads on, and has no link within."""
    (link,) = soup("[Cover](actions.md#act.cover){ #act.cover }").find_all("a")
    assert (link["id"], link.get_text()) == ("act.cover", "Cover")


def test_other_headings_keep_their_permalink() -> None:
    """Only a rule's heading trades its permalink for the rule's own."""
    page = soup("## One\n\n## Two { #act.cover }")
    assert [link["class"] for link in page.find_all("a")] == [["headerlink"], ["rule-anchor"]]


def test_an_anchor_stands_before_a_nested_list() -> None:
    """The link to a rule ends the item's own words, not the list below them."""
    item = require(soup("- one\n  {: #act.cover }\n    - two\n").find(id="act.cover"))
    assert item.get_text().split() == ["one", "§", "two"]


def test_the_contents_have_no_sign() -> None:
    """The table of contents shows a rule's title without the § behind it."""
    md = markdown.Markdown(extensions=EXTENSIONS, extension_configs=CONFIGS)
    md.convert("## Take cover { #act.cover }")
    assert [(token["id"], token["name"]) for token in md.toc_tokens] == [("act.cover", "Take cover")]


@pytest.mark.parametrize(
    ("text", "explained"),
    [
        ("Stamina, then stamina.", ["Stamina"]),
        ("Two hit points, one hit point.", ["hit points"]),
        ("A bonus\naction.", ["bonus\naction"]),
        ("*Injured* or healthy.", ["Injured", "healthy"]),
        ("healthy *healthy* healthy", ["healthy"]),
        ("# Stamina\n\n`stamina` [stamina](x) [[hp.stamina|stamina]]", []),
        ("Unhealthy, stamina-like, staminate.", []),
        ("Abilities matter.", ["Abilities"]),
        ("One.\n\n- stamina\n\nstamina", ["stamina"]),
    ],
    ids=["once", "plural", "line end", "order", "first", "not there", "whole words", "ies", "list first"],
)
def test_terms_are_explained_once(text: str, explained: list[str]) -> None:
    """The first occurrence of a term on a page has its meaning, but not in headings, links and code."""
    abbreviations = soup(text).find_all("abbr")
    assert [each.get_text() for each in abbreviations] == explained
    assert all(each["title"].endswith(".") for each in abbreviations)


@pytest.mark.parametrize(
    ("text", "explained"),
    [
        ("A file holds a fight, and you take hold of it.", []),
        ("Such a hold delays.", ["hold"]),
        ("Hold on. After the hold it goes on.", ["hold"]),
        ("The wrestler's hold hurts.", ["hold"]),
        ("Run the command `roll`.", []),
        ("With command you have minions.", ["command", "minions"]),
        ("Two are fighting; add fighting to the roll.", ["fighting"]),
        ("They can surprise; a surprise panics.", ["surprise"]),
    ],
    ids=[
        "a verb",
        "a noun",
        "the verb first",
        "somebody's",
        "a command line",
        "the ability",
        "to fight",
        "to surprise",
    ],
)
def test_a_plain_word_is_not_explained_as_a_term(text: str, explained: list[str]) -> None:
    """A word that is a game's term and a plain one has its meaning only where the term is meant."""
    assert [each.get_text() for each in soup(text).find_all("abbr")] == explained


def test_words_around_terms_stay() -> None:
    """Explaining terms changes no word, escape or entity of the text."""
    text = r"You \*keep\* your stamina & hit points; **an injured** character < a healthy one."
    assert soup(text).get_text().strip() == (
        "You *keep* your stamina & hit points; an injured character < a healthy one."
    )


def test_a_page_with_words_of_its_own_has_no_tooltips() -> None:
    """Where a heading says that the words are the page's own, the glossary explains none of them."""
    assert "<abbr" in html("# Fights\n\nYou may evade.")
    assert "<abbr" not in html("# Fights { .own-words }\n\nYou may evade.")


@pytest.mark.parametrize("name", ABILITY_NAMES)
def test_an_abilitys_meaning_is_the_engines(name: str) -> None:
    """`[[is stealth]]` stands for the sentences that the engine has of it."""
    assert soup(f"[[is {name}]]").get_text() == ABILITIES_BY_NAME[name].meaning


def test_the_meaning_of_no_ability_stops_the_build() -> None:
    """A name that no ability has is an error with that name in it."""
    with pytest.raises(ScratchError, match="'stealt'"):
        html("[[is stealt]]")


# The engine's tables


@pytest.mark.parametrize("name", sorted(TABLE_RENDERERS))
def test_a_table_is_sound(name: str) -> None:
    """Each table begins with a block, its rows are as long as its head, its heads say what they head.

    A fence puts it into the page, unwrapped.
    """
    text = render_table(name)
    assert re.match(r"<(div|section|nav|h2)\b", text)
    assert ">None<" not in text
    for table in BeautifulSoup(text, "html.parser").find_all("table"):
        assert table.caption is not None
        assert "engine-table" in table.parent["class"]
        columns = len(table.thead.find_all("th", scope="col"))
        for row in table.tbody.find_all("tr"):
            heads = row.find_all("th")
            assert [head["scope"] for head in heads] in (["row"], ["rowgroup"])
            assert sum(int(str(cell.get("colspan") or 1)) for cell in row.find_all(["th", "td"])) == columns
    page = html(f'Before.\n\n```engine-table name="{name}"\n```\n\nAfter.')
    assert text in page
    assert "<p><div" not in page


def test_an_unknown_table_stops_the_build() -> None:
    """A name that no table has is an error that lists the names."""
    with pytest.raises(SuperFencesException, match=r"expected one of abilities, actions, can-i, carry, .*, got 'cary'"):
        html('```engine-table name="cary"\n```')


def test_rulings_mark_the_default() -> None:
    """Each ruling is a heading under its id, its readings listed with ours marked, its switch with our choice."""
    page = BeautifulSoup("".join(render_table(f"rulings-{part}") for part in get_args(RulingPart)), "html.parser")
    sections = page.find_all("section")
    assert sorted(str(section.h3["id"]) for section in sections) == sorted(load_rulings())
    for section in sections:
        each = load_rulings()[str(section.h3["id"])]
        readings = [item.get_text() for item in section.ul.find_all("li")]
        assert readings == [f"{each.default} Default", *each.readings[1:]]
    assert len(page.select(".ruling-switch")) == len(RULE_OPTIONS)


@pytest.mark.parametrize("part", get_args(RulingPart))
def test_rulings_of_plain_sources_are_folded_behind_the_others(part: RulingPart) -> None:
    """The list to read has the others alone; every ruling keeps its id."""
    page = BeautifulSoup(render_table(f"rulings-{part}"), "html.parser")
    mine = [each for each in load_rulings().values() if each.part == part]
    plain = [each.id for each in mine if each.is_plain]
    open_ = [str(heading["id"]) for heading in page.find_all("h3") if not heading.find_parent("details")]
    assert open_ == [each.id for each in mine if not each.is_plain]
    assert [heading["id"] for heading in page.select("details:not([open]) h3")] == plain
    assert [str(each.get_text()) for each in page.select("summary")] == (
        [f"Where the sources are plain ({len(plain)})"] if plain else []
    )


def test_the_rule_index_counts_what_it_leaves_out() -> None:
    """What stands there and what is only counted are together all places that anyone may call."""
    soup = BeautifulSoup(render_table("rule-index"), "html.parser")
    rows = {row.th.get_text(): row.select("td") for row in soup.select("details tbody tr")}
    for standing in list_rule_coverage():
        cells = rows[standing.rule.id]
        for cell, places in zip(cells, (standing.code, standing.tests), strict=True):
            callable_ = [place for place in places if "._" not in place] or places
            more = re.search(r"and (\d+) more", cell.get_text())
            assert len(cell.select("code")) + (int(more[1]) if more else 0) == len(callable_), standing.rule.id
