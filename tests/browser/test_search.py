"""The search answers players' questions: the rule is the first or second hit, with MkDocs and Zensical."""

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

from build_scripts.dev.search_quality import map_missed_questions_to_hits, run_search
from build_scripts.paths import BUILD
from build_scripts.search.index import (
    BUILDER_PAGES,
    KINDS,
    NAMES_BY_RULE,
    SEPARATOR,
    STOP_WORDS,
    add_words_to_search_index,
    kind_of,
)
from scratch_core.rulebook import RULES, get_rule, load_glossary
from tests.browser.questions import MISSED_BY_ZENSICAL, QUESTIONS

QUERY = "[data-md-component=search-query]"
INDEXES = {"mkdocs": ("search/search_index.json", "docs"), "zensical": ("search.json", "items")}


@pytest.fixture(scope="session", params=INDEXES)
def built(request: pytest.FixtureRequest, build_once: Callable[..., Path], site: Path) -> Path:
    """Build the site by each of the builders."""
    return site if request.param == "mkdocs" else build_once(BUILD / "zensical-site", builder_name="zensical")


def load_index(built: Path) -> list[dict[str, Any]]:
    """Return the entries of a built site's search index."""
    file, name = next(each for each in INDEXES.values() if (built / each[0]).exists())
    return json.loads((built / file).read_text(encoding="utf-8"))[name]


def test_questions_of_players_find_a_rule_among_two_hits(built: Path) -> None:
    """A player's question finds its rule among the first two hits.

    Glossary entries count. Zensical misses the questions that are listed.
    """
    assert len(QUESTIONS) >= 40
    is_mkdocs = (built / INDEXES["mkdocs"][0]).exists()
    without = map_missed_questions_to_hits(built, QUESTIONS)
    assert {*without} <= ({*()} if is_mkdocs else {*MISSED_BY_ZENSICAL}), without


def test_name_of_an_action_or_ability_finds_its_rule_first(site: Path) -> None:
    """ "hold" finds hold before "counter-hold"."""
    names = {name: [get_rule(rule_id).url] for rule_id, name in NAMES_BY_RULE.items()}
    assert len(names) > 20
    assert map_missed_questions_to_hits(site, names, max_hits=1) == {}
    assert (
        map_missed_questions_to_hits(site, {"counter-hold": [get_rule("act.wrestling.counter-hold").url]}, max_hits=1)
        == {}
    )


def test_search_text_separates_the_cells_of_a_table(site: Path) -> None:
    """No entry joins the words of two cells."""
    pages = {str(each["location"]).partition("#")[0] for each in load_index(site)}
    text = {
        page: " ".join(str(each["text"]) for each in load_index(site) if each["location"].partition("#")[0] == page)
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


def test_hits_of_search_show_placeholders_of_code_as_text(site: Path) -> None:
    """The theme inserts the texts as HTML, so "<date>" must be escaped there."""
    texts = {str(each["location"]): BeautifulSoup(str(each["text"]), "html.parser") for each in load_index(site)}
    used = {element.name for text in texts.values() for element in text.find_all(True)}
    assert used <= {"p", "ol", "ul", "li", "code", "pre"}
    assert "scratch-<campaign>-<date>.json" in texts["build-on-it/kept-file/"].get_text()


def test_link_to_a_folded_ruling_opens_its_fold(page: Page) -> None:
    """Rulings with a plain source are folded."""
    page.goto("look-up/rulings/")
    expect(page.locator("[id='A04']")).to_be_hidden()
    page.goto("look-up/rulings/#A04")
    expect(page.locator("[id='A04']")).to_be_in_viewport()


def test_search_without_a_hit_suggests_similar_names_and_lists(page: Page) -> None:
    """A misspelt word has a similar name."""
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
    expect(near).to_contain_text("Try one word, or look here: Glossary, Can I …?, Rule index.")
    expect(near).not_to_contain_text("Did you mean")
    page.fill(QUERY, "")
    page.locator(QUERY).press_sequentially("strength")
    expect(near).to_have_count(0)
    page.fill(QUERY, "")
    page.keyboard.press("Escape")


def test_expected_hits_are_rules_glossary_entries_and_start_here() -> None:
    """Neither rulings nor indexes answer a question."""
    places = [each for wanted in QUESTIONS.values() for each in wanted]
    assert [each for each in places if not each.startswith(("rules/", "look-up/glossary/#", "start-here/#"))] == []


def test_stop_words_change_no_hits(built: Path) -> None:
    """A question has the same hits as its keywords.

    Stop words alone have none.
    """
    keywords = {
        "Can I hide?": "hide",
        "can't I be hitting them": "hit",
        "What is the stamina": "stamina",
        "how do I, then, evade": "evade",
    }
    given = run_search(built, [*keywords, *keywords.values(), "can I do that"])
    assert {question: given[question] for question in keywords} == {
        each: given[words] for each, words in keywords.items()
    }
    assert all(given[words] for words in keywords.values())
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
def test_forms_of_a_word_have_the_same_stem(words: str, expected: str | None) -> None:
    """A word that only looks inflected is unchanged."""
    begins = {next(filter(None, re.split(SEPARATOR, word)), "") for word in words.split() if word not in STOP_WORDS}
    assert begins == ({expected} if expected else {*words.split()} - STOP_WORDS)


def test_search_entries_are_tagged_with_their_kind(built: Path) -> None:
    """Rules, terms, rulings and tools have different kinds.

    Enriching an index again changes nothing.
    """
    entries = load_index(built)
    assert {str(each["location"]): each["tags"] for each in entries} == {
        str(each["location"]): [kind_of(str(each["location"])).name] for each in entries
    }
    kinds = ("rules/turns/", "look-up/glossary/", "look-up/rulings/", "tools/dice/")
    assert [kind_of(each).name for each in kinds] == ["Rule", "Term", "Ruling", "Tool"]
    assert {kind.name for kind in KINDS} == {name for each in entries for name in each["tags"]}
    add_words_to_search_index(built)
    assert load_index(built) == entries


def test_hit_selected_on_a_phone_opens_its_rule(phone: Page) -> None:
    """The search closes, and the rule is in view."""
    phone.goto("look-up/")  # the search closes when the linked page is loaded
    phone.tap("label.md-header__button[for=__search]")
    phone.locator(QUERY).press_sequentially("panicked")
    phone.locator(".md-search-result__item a[href$='#cond.panicked']").tap()
    expect(phone.locator("[id='cond.panicked']")).to_be_in_viewport()


def test_pages_for_developers_are_the_last_hits(built: Path) -> None:
    """Search for names of rules, terms and tools.

    Zensical has no weights and puts at least two other hits before them.
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


QUESTION_WORDS = re.compile(
    r"\?|\b(who|whose|what|when|where|which|why|how|can|may|do|does|is|are|if)\b", re.IGNORECASE
)


def test_glossary_terms_are_not_questions() -> None:
    """Questions of players are in synonyms.toml."""
    assert [each.name for each in load_glossary() if QUESTION_WORDS.search(each.name)] == []


def test_search_index_is_small_and_leaves_out_calculators(site: Path) -> None:
    """It has at most 112 kB compressed.

    The page with the whole rulebook is left out, too.
    """
    data = (site / INDEXES["mkdocs"][0]).read_bytes()
    assert len(gzip.compress(data, 9)) / 1000 <= 112
    words = ("the difficulty, if there is one", "Chances of each total", "from your own dice, in order")
    entries = load_index(site)
    assert [each["location"] for each in entries for word in words if word in each["text"]] == []
    assert [each["location"] for each in entries if each["location"].startswith("look-up/rulebook")] == []


def test_search_index_is_loaded_when_the_search_opens(page: Page) -> None:
    """Text typed at once finds its hits.

    Hits show their kind, which is no landmark for screen readers.
    """
    requested_files: list[str] = []
    page.on("request", lambda request: requested_files.append(request.url.rpartition("/")[2]))
    page.goto("look-up/", wait_until="networkidle")
    assert "search_index.json" not in requested_files
    page.keyboard.press("/")
    page.keyboard.insert_text("can I hid")  # part of a query may have no hits, and the suggestions load the index again
    page.keyboard.type("e")
    page.wait_for_selector(".md-search-result__item [href*='#act.cover'] .md-tags[role=presentation]")
    assert page.inner_text(".md-search-result__item [href*='#act.cover'] .md-tag") == "Rule"
    page.wait_for_selector(".md-search-result__item [href*='#term-hide'] .md-tag:text-is('Term')")
    assert requested_files.count("search_index.json") == 1
    page.fill(QUERY, "")  # the tab goes on to other tests, and the theme remembers the query
    page.keyboard.press("Escape")
