"""Rule links, rule anchors, tooltips and the engine's tables in converted Markdown."""

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
from build_scripts.markdown_extensions.rule_links import make_rule_links_relative, render_rule_link
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


def convert_to_html(text: str) -> str:
    """Convert Markdown as the site does."""
    return markdown.markdown(text, extensions=EXTENSIONS, extension_configs=CONFIGS)


def parse_converted(text: str) -> BeautifulSoup:
    """Convert Markdown and parse the result."""
    return BeautifulSoup(convert_to_html(text), "html.parser")


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
def test_double_brackets_become_a_rule_link(text: str, href: str, words: str) -> None:
    """The link has the rule's title or the given words."""
    link = require(parse_converted(text).a)
    assert (link["href"], link.get_text()) == (href, words)


@pytest.mark.parametrize(
    "row",
    ["| [[act.cover|hide]] | b |", r"| [[act.cover\|hide]] | b |", "| [[ act.cover | hide ]] | b |"],
    ids=["bare", "escaped", "spaced"],
)
@pytest.mark.parametrize("around", ["{}", '<div markdown="1">\n\n{}\n\n</div>'], ids=["page", "html"])
def test_rule_link_with_a_bar_stays_in_its_table_cell(row: str, around: str) -> None:
    """The bar may be escaped or not, also within HTML."""
    cells = parse_converted(around.format(f"| A | B |\n|---|---|\n{row}")).select("td")
    assert [cell.get_text() for cell in cells] == ["hide", "b"]
    assert cells[0].a is not None
    assert cells[0].a["href"] == "rule:act.cover"


def test_double_brackets_in_code_are_unchanged() -> None:
    """Code is no link."""
    assert "<code>[[act.cover]]</code>" in convert_to_html("`[[act.cover]]`")


def test_link_to_an_unknown_rule_raises() -> None:
    """The message contains the id."""
    with pytest.raises(ScratchError, match=re.escape("'act.covr'")):
        convert_to_html("[[act.covr]]")


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
def test_rule_link_of_a_finished_page_is_relative(page: str, href: str) -> None:
    """Finishing the page again changes nothing, and code is unchanged."""
    shown = f"<code>{escape(render_rule_link('act.cover'), quote=False)}</code>"  # code that shows such a link stays
    finished = make_rule_links_relative(render_rule_link("act.cover") + shown, page)
    assert finished == f'<a class="rule-link" href="{href}">Take cover</a>{shown}'
    assert make_rule_links_relative(finished, page) == finished


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
def test_element_with_a_rule_id_has_one_anchor_link(text: str, tag: str) -> None:
    """An attribute list makes a rule's id the anchor of any element."""
    page = parse_converted(text)
    element = require(page.find(id="act.cover"))
    assert element.name == tag
    assert "rule" in element["class"]
    links = element.find_all("a")
    assert [(link["class"], link["href"], link["data-rule"], link["aria-label"]) for link in links] == [
        (["rule-anchor"], "#act.cover", "act.cover", "Link to this rule: Take cover")
    ]


def test_link_with_a_rule_id_gets_no_anchor_link() -> None:
    """A link may keep the id of a rule that has moved."""
    (link,) = parse_converted("[Cover](actions.md#act.cover){ #act.cover }").find_all("a")
    assert (link["id"], link.get_text()) == ("act.cover", "Cover")


def test_heading_without_a_rule_id_keeps_its_permalink() -> None:
    """A rule's heading has the rule's link instead."""
    page = parse_converted("## One\n\n## Two { #act.cover }")
    assert [link["class"] for link in page.find_all("a")] == [["headerlink"], ["rule-anchor"]]


def test_anchor_link_of_a_list_item_precedes_its_nested_list() -> None:
    """The link ends the item's own words."""
    item = require(parse_converted("- one\n  {: #act.cover }\n    - two\n").find(id="act.cover"))
    assert item.get_text().split() == ["one", "§", "two"]


def test_table_of_contents_has_no_anchor_sign() -> None:
    """The contents show a rule's title without §."""
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
def test_first_use_of_a_term_has_a_tooltip(text: str, explained: list[str]) -> None:
    """Headings, links and code have none."""
    abbreviations = parse_converted(text).find_all("abbr")
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
        "a possessive",
        "a command line",
        "the ability",
        "to fight",
        "to surprise",
    ],
)
def test_common_word_equal_to_a_term_has_no_tooltip(text: str, explained: list[str]) -> None:
    """A word has its tooltip only where the term is meant."""
    assert [each.get_text() for each in parse_converted(text).find_all("abbr")] == explained


def test_tooltips_change_no_other_text() -> None:
    """Escapes and entities are unchanged."""
    text = r"You \*keep\* your stamina & hit points; **an injured** character < a healthy one."
    assert parse_converted(text).get_text().strip() == (
        "You *keep* your stamina & hit points; an injured character < a healthy one."
    )


def test_page_with_own_words_has_no_tooltips() -> None:
    """The heading's class `own-words` turns them off."""
    assert "<abbr" in convert_to_html("# Fights\n\nYou may evade.")
    assert "<abbr" not in convert_to_html("# Fights { .own-words }\n\nYou may evade.")


@pytest.mark.parametrize("name", ABILITY_NAMES)
def test_ability_meaning_is_filled_in_from_the_engine(name: str) -> None:
    """`[[is stealth]]` becomes the engine's sentences."""
    assert parse_converted(f"[[is {name}]]").get_text() == ABILITIES_BY_NAME[name].meaning


def test_meaning_of_an_unknown_ability_raises() -> None:
    """The message contains the name."""
    with pytest.raises(ScratchError, match="'stealt'"):
        convert_to_html("[[is stealt]]")


# The engine's tables


@pytest.mark.parametrize("name", sorted(TABLE_RENDERERS))
def test_engine_table_has_a_caption_scopes_and_full_rows(name: str) -> None:
    """Each row has as many columns as the head.

    A fence inserts the table without a paragraph around it.
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
    page = convert_to_html(f'Before.\n\n```engine-table name="{name}"\n```\n\nAfter.')
    assert text in page
    assert "<p><div" not in page


def test_unknown_engine_table_raises_and_lists_the_names() -> None:
    """The message contains the unknown name."""
    with pytest.raises(SuperFencesException, match=r"expected one of abilities, actions, can-i, carry, .*, got 'cary'"):
        convert_to_html('```engine-table name="cary"\n```')


def test_rulings_table_marks_the_default_option() -> None:
    """Each ruling is a heading with its id, its options and its setting."""
    page = BeautifulSoup("".join(render_table(f"rulings-{part}") for part in get_args(RulingPart)), "html.parser")
    sections = page.find_all("section")
    assert sorted(str(section.h3["id"]) for section in sections) == sorted(load_rulings())
    for section in sections:
        each = load_rulings()[str(section.h3["id"])]
        readings = [item.get_text() for item in section.ul.find_all("li")]
        assert readings == [f"{each.default_option} Default", *each.readings[1:]]
    assert len(page.select(".ruling-switch")) == len(RULE_OPTIONS)


@pytest.mark.parametrize("part", get_args(RulingPart))
def test_rulings_with_plain_sources_are_in_a_closed_fold(part: RulingPart) -> None:
    """The other rulings come first, and each keeps its id."""
    page = BeautifulSoup(render_table(f"rulings-{part}"), "html.parser")
    mine = [each for each in load_rulings().values() if each.part == part]
    plain = [each.id for each in mine if each.is_plain]
    open_ = [str(heading["id"]) for heading in page.find_all("h3") if not heading.find_parent("details")]
    assert open_ == [each.id for each in mine if not each.is_plain]
    assert [heading["id"] for heading in page.select("details:not([open]) h3")] == plain
    assert [str(each.get_text()) for each in page.select("summary")] == (
        [f"Where the sources are plain ({len(plain)})"] if plain else []
    )


def test_rule_index_counts_the_places_it_leaves_out() -> None:
    """Listed and counted places together are all public ones."""
    soup = BeautifulSoup(render_table("rule-index"), "html.parser")
    rows = {row.th.get_text(): row.select("td") for row in soup.select("details tbody tr")}
    for standing in list_rule_coverage():
        cells = rows[standing.rule.id]
        for cell, places in zip(cells, (standing.code, standing.tests), strict=True):
            callable_ = [place for place in places if "._" not in place] or places
            more = re.search(r"and (\d+) more", cell.get_text())
            assert len(cell.select("code")) + (int(more[1]) if more else 0) == len(callable_), standing.rule.id
