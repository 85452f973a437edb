"""The search answers players' questions: the rule comes first or second, built by MkDocs or by Zensical."""

import gzip
import json
import re
from collections.abc import Callable
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Page, expect

from build_scripts.dev.search_quality import list_missed_questions, run_search
from build_scripts.paths import BUILD
from build_scripts.search.index import BUILDER_PAGES, KINDS, NAMES_BY_RULE, SEPARATOR, STOP_WORDS, enrich_index, kind_of
from scratch_core.rulebook import RULES, get_rule, load_glossary
from tests.browser.questions import MISSED_BY_ZENSICAL, QUESTIONS

QUERY = "[data-md-component=search-query]"
INDEXES = {"mkdocs": ("search/search_index.json", "docs"), "zensical": ("search.json", "items")}


@pytest.fixture(scope="session", params=INDEXES)
def built(request: pytest.FixtureRequest, build_once: Callable[..., Path], site: Path) -> Path:
    """The site, built by each of the builders."""
    return site if request.param == "mkdocs" else build_once(BUILD / "zensical-site", builder="zensical")


def index_of(built: Path) -> list[dict[str, Any]]:
    """The entries of a built site's search."""
    file, name = next(each for each in INDEXES.values() if (built / each[0]).exists())
    return json.loads((built / file).read_text(encoding="utf-8"))[name]


def test_players_questions_lead_to_rules(built: Path) -> None:
    """Each question has a rule or a glossary entry among the first two hits; under Zensical all but those listed."""
    assert len(QUESTIONS) >= 40
    is_mkdocs = (built / INDEXES["mkdocs"][0]).exists()
    without = list_missed_questions(built, QUESTIONS)
    assert {*without} <= ({*()} if is_mkdocs else {*MISSED_BY_ZENSICAL}), without


def test_name_of_an_action_or_ability_leads_to_its_rule_first(site: Path) -> None:
    """Asked for by its name alone, the exact rule is the first hit: "hold" before "counter-hold"."""
    names = {name: [get_rule(rule_id).url] for rule_id, name in NAMES_BY_RULE.items()}
    assert len(names) > 20
    assert list_missed_questions(site, names, first=1) == {}
    assert list_missed_questions(site, {"counter-hold": [get_rule("act.wrestling.counter-hold").url]}, first=1) == {}


def test_excerpt_keeps_the_cells_of_a_table_apart(site: Path) -> None:
    """No entry runs the words of one cell into those of the next."""
    pages = {str(each["location"]).partition("#")[0] for each in index_of(site)}
    text = {
        page: " ".join(str(each["text"]) for each in index_of(site) if each["location"].partition("#")[0] == page)
        for page in pages
    }
    joined = []
    for page in pages:
        html = BeautifulSoup((site / page / "index.html").read_text(encoding="utf-8"), "html.parser")
        for row in html.select("article tr"):
            cells = [
                escape(" ".join(cell.get_text(" ").split())) for cell in row.find_all(["th", "td"], recursive=False)
            ]
            pairs = pairwise(cells)
            joined += [(page, one + two) for one, two in pairs if len(one) > 3 and two and one + two in text[page]]
    assert joined == []


def test_link_to_a_folded_ruling_opens_its_fold(page: Page) -> None:
    """A ruling whose source is plain is folded away, until a link leads to it."""
    page.goto("look-up/rulings/")
    expect(page.locator("[id='A04']")).to_be_hidden()
    page.goto("look-up/rulings/#A04")
    expect(page.locator("[id='A04']")).to_be_in_viewport()


def test_search_without_a_hit_suggests_names_and_lists(page: Page) -> None:
    """A slip of the finger is answered by the nearest name; whatever was typed, by the pages that list everything."""
    page.goto("look-up/")
    page.keyboard.press("/")
    page.keyboard.type("strenth")
    near = page.locator(".search-suggestions")
    expect(near).to_contain_text("Did you mean strength?")
    assert (
        page.locator(".search-suggestions a").first.get_attribute("href").endswith("/look-up/glossary/#term-strength")
    )
    page.fill(QUERY, "")
    page.locator(QUERY).press_sequentially("asdfghjk")
    expect(near).to_contain_text("Try one word, or look here: Glossary, Rule index, Can I …?.")
    expect(near).not_to_contain_text("Did you mean")
    page.fill(QUERY, "")
    page.locator(QUERY).press_sequentially("strength")
    expect(near).to_have_count(0)
    page.fill(QUERY, "")
    page.keyboard.press("Escape")


def test_what_must_be_found_is_no_ruling_and_no_index() -> None:
    """The questions' answers are rules, glossary entries and what a beginner reads."""
    places = [each for wanted in QUESTIONS.values() for each in wanted]
    assert [each for each in places if not each.startswith(("rules/", "look-up/glossary/#", "start-here/#"))] == []


def test_small_words_weigh_nothing(built: Path) -> None:
    """What is asked in a sentence finds just what its words find; small words alone find nothing."""
    asked = {
        "Can I hide?": "hide",
        "can't I be hitting them": "hit",
        "What is the stamina": "stamina",
        "how do I, then, evade": "evade",
    }
    given = run_search(built, [*asked, *asked.values(), "can I do that"])
    assert {question: given[question] for question in asked} == {each: given[words] for each, words in asked.items()}
    assert all(given[words] for words in asked.values())
    assert given["can I do that"] == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("hit hits hitting", "hit"),
        ("stun stuns stunned stunning", "stun"),
        ("enemy enemies", "enem"),
        ("evade evades evaded evading evad evadi", "evad"),
        ("attack attacks attacked attacking attacker attacki", "attack"),
        ("friend friends friendly", "friend"),
        ("detect detection detecting", "detect"),
        ("nat20 nat", "nat"),
        ("need king bus three", None),
    ],
)
def test_endings_weigh_nothing(words: str, expected: str | None) -> None:
    """The forms of a word begin alike; what only looks like an ending stays."""
    begins = {next(filter(None, re.split(SEPARATOR, word)), "") for word in words.split() if word not in STOP_WORDS}
    assert begins == ({expected} if expected else {*words.split()} - STOP_WORDS)


def test_each_hit_says_what_it_is(built: Path) -> None:
    """Each entry is of one kind, by its place; rules, terms, rulings and tools are told apart.

    A site that is finished again keeps the index that it has.
    """
    entries = index_of(built)
    assert {str(each["location"]): each["tags"] for each in entries} == {
        str(each["location"]): [kind_of(str(each["location"])).name] for each in entries
    }
    kinds = ("rules/turns/", "look-up/glossary/", "look-up/rulings/", "tools/dice/")
    assert [kind_of(each).name for each in kinds] == ["Rule", "Term", "Ruling", "Tool"]
    assert {kind.name for kind in KINDS} == {name for each in entries for name in each["tags"]}
    enrich_index(built)
    assert index_of(built) == entries


def test_on_a_phone_a_hit_leads_to_its_rule(phone: Page) -> None:
    """The search lets go of the page before the rule is gone to: it is seen, not the page's beginning."""
    phone.goto("look-up/")  # a page come to by a link shuts the search once it is there
    phone.tap("label.md-header__button[for=__search]")
    phone.locator(QUERY).press_sequentially("panicked")
    phone.locator(".md-search-result__item a[href$='#cond.panicked']").tap()
    expect(phone.locator("[id='cond.panicked']")).to_be_in_viewport()


def test_the_changelog_stands_below_rules_and_tools(built: Path) -> None:
    """Whatever a rule or a term is called, nothing for builders comes before anything else.

    Zensical, which knows no weights, puts two other hits before it at least.
    """
    names = [
        *(each.title for each in RULES),
        *(each.name for each in load_glossary()),
        "dice",
        "fight",
        "changes",
        "character",
    ]
    is_mkdocs = (built / INDEXES["mkdocs"][0]).exists()
    late = {}
    for question, found in run_search(built, names).items():
        others = [place for place in found if kind_of(place) is not BUILDER_PAGES]
        first = len(others) if is_mkdocs else min(2, len(others))
        if found[:first] != others[:first]:
            late[question] = found
    assert late == {}


ASKING = re.compile(r"\?|\b(who|whose|what|when|where|which|why|how|can|may|do|does|is|are|if)\b", re.IGNORECASE)


def test_no_term_is_worded_as_a_question() -> None:
    """A term is a word or a name: what players ask belongs to the rules, in synonyms.toml."""
    assert [each.name for each in load_glossary() if ASKING.search(each.name)] == []


def test_the_index_stays_small(site: Path) -> None:
    """It is asked for when someone searches: at most 112 kB over the line, and nothing that a calculator prints.

    What stands in the whole rulebook too is found on the rules' own pages.
    """
    data = (site / INDEXES["mkdocs"][0]).read_bytes()
    assert len(gzip.compress(data, 9)) / 1000 <= 112
    words = ("the difficulty, if there is one", "Chances of each total", "from your own dice, in order")
    entries = index_of(site)
    assert [each["location"] for each in entries for word in words if word in each["text"]] == []
    assert [each["location"] for each in entries if each["location"].startswith("look-up/rulebook")] == []


def test_the_index_waits_until_somebody_turns_to_the_search(page: Page) -> None:
    """A page asks for no index; one key brings the search, and what is typed at once is found.

    The list shows what a hit is, and a screen reader is led to no part of the page by it.
    """
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto("look-up/", wait_until="networkidle")
    assert "search_index.json" not in asked
    page.keyboard.press("/")
    page.keyboard.insert_text("can I hid")  # part of a query may have no hits, and the suggestions load the index again
    page.keyboard.type("e")
    page.wait_for_selector(".md-search-result__item [href*='#act.cover'] .md-tags[role=presentation]")
    assert page.inner_text(".md-search-result__item [href*='#act.cover'] .md-tag") == "Rule"
    page.wait_for_selector(".md-search-result__item [href*='#term-hide'] .md-tag:text-is('Term')")
    assert asked.count("search_index.json") == 1
    page.fill(QUERY, "")  # the tab goes on to other tests, and the theme keeps what was asked
    page.keyboard.press("Escape")
