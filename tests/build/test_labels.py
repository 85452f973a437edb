"""What a control is called agrees with what it does and how it stands, in every calculator's HTML."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from build_scripts.browser_app import list_examples
from build_scripts.dev.query_corpus import build_press_query
from build_scripts.paths import ROOT
from build_scripts.render import render
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.rulebook import RULES, load_rulings
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.fuzz import calculators
from tests.fuzz.other_controls import COMPANY
from tests.support.known import require
from tests.support.states import build_fight_query

DOWN = re.compile(r"\b(back|less|fewer|lower|previous|before|beginning|earlier|delete)\b", re.IGNORECASE)
UP = re.compile(r"\b(forward|more|raise|next|after|end|later|insert)\b", re.IGNORECASE)
LOG = SAMPLE_SCENARIOS["worked-combat"]
STATES = [
    *((name, "") for name in calculators()),
    *((name.partition("-")[0], query) for name, query in COMPANY.items()),
    *((name, query) for name, query in list_examples() if query),
    ("character", format_query({"name": "Eve", "toughness": "2", "at": "play", "play": "hp 1"})),
    ("fight", format_query({"log": LOG, "screen": "on", "screen_sides": json.dumps(["hunters"])})),
    ("fight", format_query({"log": LOG, "act": "undo", "screen": "on"})),
    ("fight", format_query({"log": LOG, "act": "hand-look breakhelm"})),
    ("fight", format_query({"log": LOG, "act": "carry"})),
    (
        "fight",
        build_fight_query(
            "first-fight", title="Ash & Bo + “#1” = 100 %?", more='{ do = "leave", target = "wren", note = "a&b+c#d" }'
        ),
    ),
    *(("fight", format_query({"system": system})) for system in ("mano", "mano-old", "seize")),
]
IDS = [f"{name} {number}" for number, (name, _) in enumerate(STATES)]


@cache
def page(name: str, query: str) -> BeautifulSoup:
    """The HTML of a state."""
    return BeautifulSoup(render(name, query, ask=True).html, "html.parser")


def called(tag: Tag) -> str:
    """What a control is called aloud."""
    return str(tag.get("aria-label") or tag.get_text(" ", strip=True))


@pytest.mark.parametrize(("name", "query"), STATES, ids=IDS)
def test_a_step_down_says_less_and_a_step_up_more(name: str, query: str) -> None:
    """A step to a smaller number says less, lower, back or previous; a step up says more, raise or next."""
    for each in page(name, query).select("button[data-step]"):
        is_down = str(each["data-step"]).startswith("-")
        says, not_this = (DOWN, UP) if is_down else (UP, DOWN)
        assert says.search(called(each)), each
        assert not not_this.search(called(each)), each


@pytest.mark.parametrize(("name", "query"), STATES, ids=IDS)
def test_a_step_that_is_shut_has_nowhere_to_go(name: str, query: str) -> None:
    """No less of nothing, no redoing without a number behind it; what is open has somewhere to go."""
    soup = page(name, query)
    for each in soup.select("[data-step^='-'][disabled]"):
        (control,) = soup.select(f"input[name='{each['data-control']}']")
        assert str(control.get("value") or "0") == "0", each
    for each in soup.select("[data-redo]"):
        assert each.has_attr("disabled") == (not re.search(r"\([1-9]\d*\)", each.get_text())), each


@pytest.mark.parametrize(("name", "query"), STATES, ids=IDS)
def test_a_link_to_a_calculator_opens_what_it_names(name: str, query: str) -> None:
    """Its address has nothing in it that ends a query early, and the fight or people it carries arrive as they are."""
    for link in page(name, query).select("a[href*='?']"):
        path, _, carried = str(link["href"]).partition("?")
        if not path.startswith(("http", "../../")):
            assert re.fullmatch(r"[\w.~%=&*!'()/:,;@$?-]*", carried), link
    for link in page(name, query).select("a.fight-replay"):
        (log,) = page(name, query).select("[name=log]")
        assert parse_query(str(link["href"]).partition("?")[2]).text("scenario") == log.get_text().strip()


@pytest.mark.parametrize(("name", "query"), [each for each in STATES if each[0] == "fight"])
def test_the_strip_marks_whoever_the_sentence_names(name: str, query: str) -> None:
    """Who is on turn, who is out and what someone has left: the same for the eye, for the ear and in the sentence."""
    soup = page(name, query)
    named = [each["data-active"] for each in soup.select("[data-active]")[:1]]
    for chip in soup.select("[data-chip]"):
        assert chip.has_attr("aria-current") == (chip["data-chip"] in named), chip
        aloud, seen = (chip.select_one(each) for each in (".aloud", "[data-hp]"))
        told = require(aloud).get_text()
        is_out = re.search(r"\b(incapacitated|down|escaped|removed|left the fight)\b", told)
        assert bool(chip.select(".is-out")) == bool(is_out), chip
        assert seen is None or re.search(rf"\b{seen.get_text()}(?: of \d+)? hit point", told), chip


@pytest.mark.parametrize(("name", "query"), STATES, ids=IDS)
def test_what_is_pressed_is_shown_as_pressed(name: str, query: str) -> None:
    """A press on what is not pressed leaves that pressed; of what was pressed nothing is called so that is not."""
    soup = page(name, query)
    for button in soup.select("button[name][aria-pressed=false]")[:4]:
        after = page(name, build_press_query(soup, button))
        group = [each for each in after.select("[aria-pressed]") if called(each) == called(button)]
        assert "true" in {each["aria-pressed"] for each in group}, button


@pytest.mark.parametrize(("name", "query"), [each for each in STATES if each[0] in ("fight", "replay")])
def test_whoever_hands_a_fight_over_is_told_that_it_is_the_whole(name: str, query: str) -> None:
    """Beside each link and code of a fight, for the kept ones and where the players' screen is ruled."""
    soup = page(name, query)
    links = soup.select("a[data-share], [data-code]")
    beside = [each.find_parent(class_="fight-carried") or each.find_parent("p") for each in links]
    beside += soup.select(".fight-screen:has(.to-screen)")
    told = [each.get_text() for each in beside if each] + [
        str(each["data-kept-shared"]) for each in soup.select("[data-keep]")
    ]
    for words in told:
        assert re.search(r"holds? (the whole fight|all of it)", words), words
    assert told or name == "replay"


@pytest.mark.parametrize(("name", "query"), [each for each in STATES if "screen=on" in each[1]])
def test_a_switch_that_is_on_switches_off(name: str, query: str) -> None:
    """What the press of a switch writes is without its own name where it is on, and with it where it is not."""
    soup = page(name, query)
    for button in soup.select("button[aria-pressed][value^='screen {']"):
        ((control, written),) = json.loads(str(button["value"]).removeprefix("screen ")).items()
        (carried,) = soup.select(f"input[name={control}]")
        is_shorter = len(json.loads(written)) < len(json.loads(str(carried["value"]) or "[]"))
        assert is_shorter == (button["aria-pressed"] == "true"), button


FAMILIES = {rule.id.split(".")[1][:5] for rule in RULES if rule.id.startswith("act.")} - {"bonus", "fight"}
ACT = re.compile(rf"\b({'|'.join(sorted(FAMILIES))})")
"""The beginning of a word that names an action with rules of its own."""


@pytest.mark.parametrize("text", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_a_link_to_a_rule_names_what_the_rule_is_about(text: Path) -> None:
    """Words that name an action never lead to a rule of another one alone."""
    titles = {rule.id: rule.title for rule in RULES}
    for rule, words in re.findall(r"\[\[([a-z][\w.-]*)\|([^\]]+)\]\]", text.read_text(encoding="utf-8")):
        about = set(ACT.findall(f"{re.sub('[.-]', ' ', rule)} {titles.get(rule, '').lower()}"))
        named = set(ACT.findall(words.lower()))
        assert not (named and about) or named & about, (rule, words)


QUOTED = re.compile(r"\*\*([^*\[\]]+)\*\*")


@cache
def sources() -> str:
    """Return the text of everything that names controls."""
    folders = (
        ("site_overrides/calculators", "*.html"),
        ("site_overrides/javascripts", "*.mjs"),
        ("scratch_core", "*.py"),
    )
    paths = (path for folder, ending in folders for path in sorted((ROOT / folder).rglob(ending)))
    return "\n".join(path.read_text(encoding="utf-8") for path in paths).replace("’", "'")


@pytest.mark.parametrize("text", sorted((ROOT / "docs/tools").glob("*.md")), ids=lambda path: path.stem)
def test_labels_that_a_tool_page_quotes_are_on_the_site(text: Path) -> None:
    """Bold words are labels, except where they begin a list item; "…" replaces what differs."""
    words = "\n".join(re.sub(r"^- \*\*[^*]+\*\*", "", line) for line in text.read_text(encoding="utf-8").splitlines())
    pieces = [piece.strip() for label in QUOTED.findall(words) for piece in re.split(r"[….]", label.replace("’", "'"))]
    assert not [piece for piece in pieces if piece not in sources()]


@pytest.mark.parametrize("text", sorted((ROOT / "docs/tools").glob("*.md")), ids=lambda path: path.stem)
def test_tool_page_has_at_most_600_words(text: Path) -> None:
    """Formats and tables count; longer ones have a page of their own below docs/build-on-it."""
    assert len(text.read_text(encoding="utf-8").split()) <= 600


COMMON = frozenset(
    ("afte", "ever", "from", "have", "mano", "more", "only", "othe", "roll", "some", "than", "that", "thei", "them")
)
COMMON |= frozenset(
    ("ther", "they", "this", "turn", "what", "when", "whic", "with", "rule", "ruli", "your", "take", "does", "inte")
)


def stems(words: str) -> set[str]:
    """The beginnings of the words that say what something is about."""
    return {word[:4] for word in re.findall(r"[a-z]{4,}", words.lower())} - COMMON


@pytest.mark.parametrize("text", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_a_mark_of_a_ruling_stands_where_its_question_comes_up(text: Path) -> None:
    """The line with the mark or the link, or the one before it, has a word of the ruling's."""
    ours, before = dict(load_rulings()), ""
    for line in filter(None, text.read_text(encoding="utf-8").splitlines()):
        marks = re.findall(r"rulings\.md#([A-Z]\d+)|\[\[([A-Z]\d+)(?: ([A-Z]\d+))*[\]|]", line)
        for each in filter(None, (mark for found in marks for mark in found)):
            ruling = ours[each]
            about = stems(" ".join((ruling.title, ruling.question, *ruling.readings, ruling.why)))
            assert stems(f"{before} {line}") & about, (each, line)
        before = line
