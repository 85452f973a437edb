"""Labels of controls agree with what the controls do, in every calculator's HTML."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from build_scripts.browser_app import list_example_queries
from build_scripts.dev.query_corpus import build_press_query
from build_scripts.paths import ROOT
from build_scripts.render import render_calculator_response
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.rulebook import RULES, load_rulings
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.fuzz import calculators
from tests.fuzz.other_controls import COMPANY
from tests.support.known import require
from tests.support.states import build_fight_query

DOWN = re.compile(r"\b(back|lower|previous|before|beginning|earlier|delete)\b|−1 ", re.IGNORECASE)
UP = re.compile(r"\b(forward|raise|next|after|end|later|insert)\b|\+1 ", re.IGNORECASE)
LOG = SAMPLE_SCENARIOS["worked-combat"]
STATES = [
    *((name, "") for name in calculators()),
    *((name.partition("-")[0], query) for name, query in COMPANY.items()),
    *((name, query) for name, query in list_example_queries() if query),
    ("character", format_query({"name": "Eve", "toughness": "2", "at": "play", "play": "hp 1"})),
    ("fight", format_query({"log": LOG, "screen": "on", "screen_sides": json.dumps(["hunters"])})),
    ("fight", format_query({"log": LOG, "act": "undo", "screen": "on"})),
    ("fight", format_query({"log": LOG, "act": "gm-card breakhelm"})),
    ("fight", format_query({"log": LOG, "act": "share"})),
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
def render_page(name: str, query: str) -> BeautifulSoup:
    """Render a state and parse its HTML."""
    return BeautifulSoup(render_calculator_response(name, query, rolls_dice=True).html, "html.parser")


def get_accessible_name(tag: Tag) -> str:
    """Return the accessible name of a control."""
    return str(tag.get("aria-label") or tag.get_text(" ", strip=True))


@pytest.mark.parametrize(("name", "query"), STATES, ids=IDS)
def test_step_button_says_its_direction(name: str, query: str) -> None:
    """Steps down say −1, lower or back, and steps up say +1, raise or next."""
    for each in render_page(name, query).select("button[data-step]"):
        is_down = str(each["data-step"]).startswith("-")
        says, not_this = (DOWN, UP) if is_down else (UP, DOWN)
        assert says.search(get_accessible_name(each)), each
        assert not not_this.search(get_accessible_name(each)), each


@pytest.mark.parametrize(("name", "query"), STATES, ids=IDS)
def test_step_button_is_disabled_at_its_limit(name: str, query: str) -> None:
    """A button that lowers a value is disabled at 0.

    Redo is disabled if there is nothing to redo.
    """
    soup = render_page(name, query)
    for each in soup.select("[data-step^='-'][disabled]"):
        (control,) = soup.select(f"input[name='{each['data-control']}']")
        assert str(control.get("value") or "0") == "0", each
    for each in soup.select("[data-redo]"):
        assert each.has_attr("disabled") == (not re.search(r"\([1-9]\d*\)", each.get_text())), each


@pytest.mark.parametrize(("name", "query"), STATES, ids=IDS)
def test_link_to_a_calculator_carries_an_escaped_query(name: str, query: str) -> None:
    """A replay link contains the whole log."""
    for link in render_page(name, query).select("a[href*='?']"):
        path, _, carried = str(link["href"]).partition("?")
        if not path.startswith(("http", "../../")):
            assert re.fullmatch(r"[\w.~%=&*!'()/:,;@$?-]*", carried), link
    for link in render_page(name, query).select("a.fight-replay"):
        (log,) = render_page(name, query).select("[name=log]")
        assert parse_query(str(link["href"]).partition("?")[2]).text("scenario") == log.get_text().strip()


@pytest.mark.parametrize(("name", "query"), [each for each in STATES if each[0] == "fight"])
def test_turn_strip_agrees_with_the_sentence_and_its_spoken_text(name: str, query: str) -> None:
    """The active character, incapacitated ones and hit points are the same in all three."""
    soup = render_page(name, query)
    named = [each["data-active"] for each in soup.select("[data-active]")[:1]]
    for chip in soup.select("[data-chip]"):
        assert chip.has_attr("aria-current") == (chip["data-chip"] in named), chip
        aloud, seen = (chip.select_one(each) for each in (".u-aloud", "[data-hp]"))
        spoken = require(aloud).get_text()
        is_out = re.search(r"\b(incapacitated|down|escaped|removed|left the fight)\b", spoken)
        assert bool(chip.select(".is-out")) == bool(is_out), chip
        assert seen is None or re.search(rf"\b{seen.get_text()}(?: of \d+)? hit point", spoken), chip


@pytest.mark.parametrize(("name", "query"), STATES, ids=IDS)
def test_toggle_button_is_shown_as_pressed_after_a_press(name: str, query: str) -> None:
    """Press each unpressed toggle button, and find it pressed in the answer."""
    soup = render_page(name, query)
    for button in soup.select("button[name][aria-pressed=false]")[:4]:
        after = render_page(name, build_press_query(soup, button))
        group = [
            each for each in after.select("[aria-pressed]") if get_accessible_name(each) == get_accessible_name(button)
        ]
        assert "true" in {each["aria-pressed"] for each in group}, button


@pytest.mark.parametrize(("name", "query"), [each for each in STATES if each[0] in ("fight", "replay")])
def test_share_link_of_a_fight_says_that_it_holds_the_whole_fight(name: str, query: str) -> None:
    """The hint is next to links, codes, saved fights and the players' screen."""
    soup = render_page(name, query)
    links = soup.select("a[data-share], [data-code]")
    neighbours = [each.find_parent(class_="fight-carried") or each.find_parent("p") for each in links]
    neighbours += soup.select(".fight-screen:has(.to-screen)")
    hints = [each.get_text() for each in neighbours if each] + [
        str(each["data-shared-content"]) for each in soup.select("[data-saved-as]")
    ]
    for words in hints:
        assert re.search(r"holds? (the whole fight|all of it)", words), words
    assert hints or name == "replay"


@pytest.mark.parametrize(("name", "query"), [each for each in STATES if "screen=on" in each[1]])
def test_pressed_switch_removes_its_own_name(name: str, query: str) -> None:
    """An unpressed switch adds its name."""
    soup = render_page(name, query)
    for button in soup.select("button[aria-pressed][value^='screen {']"):
        ((control, written),) = json.loads(str(button["value"]).removeprefix("screen ")).items()
        (carried,) = soup.select(f"input[name={control}]")
        is_shorter = len(json.loads(written)) < len(json.loads(str(carried["value"]) or "[]"))
        assert is_shorter == (button["aria-pressed"] == "true"), button


FAMILIES = {rule.id.split(".")[1][:5] for rule in RULES if rule.id.startswith("act.")} - {"bonus", "fight"}
ACTION_WORD = re.compile(rf"\b({'|'.join(sorted(FAMILIES))})")
"""The beginning of a word that names an action with rules of its own."""


@pytest.mark.parametrize("text", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_link_text_that_names_an_action_leads_to_its_rule(text: Path) -> None:
    """Links with an action's name lead to no other action's rule."""
    titles = {rule.id: rule.title for rule in RULES}
    for rule, words in re.findall(r"\[\[([a-z][\w.-]*)\|([^\]]+)\]\]", text.read_text(encoding="utf-8")):
        about = set(ACTION_WORD.findall(f"{re.sub('[.-]', ' ', rule)} {titles.get(rule, '').lower()}"))
        named = set(ACTION_WORD.findall(words.lower()))
        assert not (named and about) or named & about, (rule, words)


QUOTED = re.compile(r"\*\*([^*\[\]]+)\*\*")


@cache
def read_sources() -> str:
    """Return the text of everything that names controls, `label` elements of pages included."""
    folders = (
        ("site_overrides/calculators", "*.html"),
        ("site_overrides/javascripts", "*.mjs"),
        ("scratch_core", "*.py"),
    )
    paths = (path for folder, ending in folders for path in sorted((ROOT / folder).rglob(ending)))
    pages = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md")))
    texts = [
        *(path.read_text(encoding="utf-8") for path in paths),
        *re.findall(r"^<label>.*</label>$", pages, re.MULTILINE),
    ]
    return "\n".join(texts).replace("’", "'")


@pytest.mark.parametrize("text", sorted((ROOT / "docs/tools").glob("*.md")), ids=lambda path: path.stem)
def test_labels_that_a_tool_page_quotes_are_on_the_site(text: Path) -> None:
    """Each label that a tool page prints in bold is on the site.

    Bold words that begin a list item, or a link there, are no labels. "…" replaces what differs.
    """
    words = "\n".join(
        re.sub(r"^- \[?\*\*[^*]+\*\*", "", line) for line in text.read_text(encoding="utf-8").splitlines()
    )
    pieces = [piece.strip() for label in QUOTED.findall(words) for piece in re.split(r"[….]", label.replace("’", "'"))]
    assert not [piece for piece in pieces if piece not in read_sources()]


@pytest.mark.parametrize("text", sorted((ROOT / "docs/tools").glob("*.md")), ids=lambda path: path.stem)
def test_tool_page_has_at_most_600_words(text: Path) -> None:
    """A tool page has at most 600 words, with formats and tables.

    Longer formats have a page of their own below docs/build-on-it.
    """
    assert len(text.read_text(encoding="utf-8").split()) <= 600


COMMON_STEMS = frozenset(
    ("afte", "ever", "from", "have", "mano", "more", "only", "othe", "roll", "some", "than", "that", "thei", "them")
)
COMMON_STEMS |= frozenset(
    ("ther", "they", "this", "turn", "what", "when", "whic", "with", "rule", "ruli", "your", "take", "does", "inte")
)


def extract_stems(words: str) -> set[str]:
    """Return the first four letters of each word, without common ones."""
    return {word[:4] for word in re.findall(r"[a-z]{4,}", words.lower())} - COMMON_STEMS


@pytest.mark.parametrize("text", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_ruling_mark_is_on_a_line_about_the_ruling(text: Path) -> None:
    """The line or the line before it shares a word with the ruling."""
    ours, before = dict(load_rulings()), ""
    for line in filter(None, text.read_text(encoding="utf-8").splitlines()):
        marks = re.findall(r"rulings\.md#([A-Z]\d+)|\[\[([A-Z]\d+)(?: ([A-Z]\d+))*[\]|]", line)
        for each in filter(None, (mark for found in marks for mark in found)):
            ruling = ours[each]
            about = extract_stems(" ".join((ruling.title, ruling.question, *ruling.readings, ruling.why)))
            assert extract_stems(f"{before} {line}") & about, (each, line)
        before = line
