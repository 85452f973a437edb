"""The first impression: home's first screen and first roll, titles, and link previews."""

import struct
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import BrowserContext, Page, expect

from build_scripts.site_url import get_normalized_site_url
from scratch_core.calculators.fight import view
from scratch_core.calculators.shared.query import parse_query
from scratch_core.calculators.shared.share_links import unpack_query
from scratch_core.scenario import SAMPLE_SCENARIOS, parse_scenario, play
from tests.browser.navigation import visit
from tests.browser.pages.calculator import READY, open_ready, roll, wait_for_answer
from tests.support.known import require

FIRST_SCREEN_PARTS = {
    "the picture": ".home__opening .net",
    "the sentence": ".home__opening .home__lede",
    "the way to Start here": ".home__opening a.primary",
    "the number": ".home__opening [name=against]",
    "the roll": ".home__opening [type=submit]",
}
FIND_HIDDEN_PARTS = """(places) => Object.entries(places)
    .map(([name, place]) => [name, document.querySelector(place).getBoundingClientRect()])
    .filter(([, box]) => !box.width || box.left < 0 || box.right > innerWidth || box.bottom > innerHeight)
    .map(([name]) => name)"""
"""Returns the names of parts that are outside of the window."""
SIZES = {"phone": (390, 664), "desk": (1280, 800)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_first_screen_of_home_has_picture_sentence_and_roll(
    new_context: Callable[..., BrowserContext], size: str, *, scripts: bool
) -> None:
    """Without scripts it shows a prerendered result."""
    width, height = SIZES[size]
    page = new_context(viewport={"width": width, "height": height}, java_script_enabled=scripts).new_page()
    page.goto("")
    if not scripts:  # the prerendered result is compared as text, because nothing can be measured without scripts
        assert page.locator(".net .strip__rolled").text_content() == page.text_content("[data-total]")
        return
    page.evaluate("document.fonts.ready.then(() => undefined)")
    assert page.evaluate(FIND_HIDDEN_PARTS, FIRST_SCREEN_PARTS) == []
    doors = require(page.locator(".home__doors").bounding_box())
    assert doors["y"] < height
    assert doors["y"] + doors["height"] < 2 * height


def test_roll_at_home_marks_its_face_and_successes(page: Page) -> None:
    """The button keeps its position and the focus."""
    open_ready(page, "")
    place = "() => document.querySelector('.home__opening [type=submit]').getBoundingClientRect().top"
    before = page.evaluate(place)
    for more in (14, 15):
        page.click(".stepper [data-step='1']")
        expect(page.locator(".home__opening .answer__percent")).to_have_text(f"{(21 - more) * 5}%")
    for _ in range(4):
        roll(page)
        face = int(page.inner_text(".home__opening [data-total]"))
        expect(page.locator(".net .strip__rolled")).to_have_attribute("data-net", str(face))
        filled = page.locator(".net .strip__success").evaluate_all(
            "(all) => all.map((each) => Number(each.dataset.net))"
        )
        assert sorted(filled) == [each for each in range(15, 21) if each != face]
        assert page.get_attribute(".home__opening .dice__verdict", "data-success") == str(face >= 15).lower()
        assert f"; rolled {face}" in str(page.get_attribute(".net", "aria-label"))
        assert page.evaluate("document.activeElement.textContent") == "Roll"
        assert page.evaluate(place) == pytest.approx(before, abs=1)
    assert urlsplit(page.url).query == ""
    page.click(".stepper [data-step='-1']")  # the same face is compared with another number
    expect(page.locator(".home__opening .answer__percent")).to_have_text("35%")
    wait_for_answer(page)
    assert page.inner_text(".home__opening [data-total]") == str(face)
    assert page.evaluate(place) == pytest.approx(before, abs=1)


def test_home_links_the_first_fight_of_the_story(site: Path) -> None:
    """Its three characters are ready, and it is Tolk's turn."""
    home = BeautifulSoup((site / "index.html").read_text(encoding="utf-8"), "html.parser")
    (link,) = home.select(".home__begin a:not(.button)")
    path, query = str(link["href"]).split("?")
    seen = view(unpack_query(parse_query(query)), None)
    assert (path, seen.summary, seen.problems) == ("tools/fight/", "Round 1, Tolk's turn.", ())
    linked_fight = play(parse_scenario(unpack_query(parse_query(query)).text("log")))
    sample_fight = play(parse_scenario(SAMPLE_SCENARIOS["first-fight"]))
    sheets = [
        [(who.id, who.name, who.side, who.character) for who in each.states[0].fighters]
        for each in (linked_fight, sample_fight)
    ]
    assert sheets[0] == sheets[1]


def test_every_page_has_the_title_suffix_and_a_link_preview(site: Path) -> None:
    """Title, description and picture have absolute addresses."""
    address = get_normalized_site_url()
    for file in sorted(site.rglob("*.html")):
        page = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
        assert require(page.title).text.endswith(" - Scratch"), file
        assert require(page.select_one(".md-header__topic")).get_text(strip=True) == "Scratch"
        properties = {str(tag["property"]): str(tag["content"]) for tag in page.select("meta[property^='og:']")}
        if file.name == "404.html":
            continue
        assert properties["og:title"].endswith(" - Scratch"), file
        assert len(properties["og:description"]) > 20, file
        assert properties["og:image"] == f"{address}assets/preview.png"
        assert properties["og:url"].startswith(address)
        assert page.select("meta[name='twitter:card'][content=summary_large_image]")
    picture = (site / "assets" / "preview.png").read_bytes()
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert len(picture) < 60_000


def test_window_title_names_the_result_of_a_roll(page: Page) -> None:
    """Without a result it is the page's own title."""
    open_ready(page, "tools/dice/?roll=d20&against=13&faces=18")
    assert page.title() == "18 against 13: a success — Dice"
    page.fill("[name=roll]", "d20-14")
    page.press("[name=roll]", "Enter")
    expect(page).to_have_title("4 against 13: a failure — Dice")
    assert parse_qs(urlsplit(page.url).query)["roll"] == ["d20-14"]
    page.fill("[name=roll]", "")
    page.fill("[name=against]", "")
    page.press("[name=roll]", "Enter")
    expect(page).to_have_title("Dice - Scratch")
    open_ready(page, "")
    roll(page)
    assert page.title() == "A small d20 role-playing game - Scratch"


def test_home_links_the_latest_saved_character(page: Page) -> None:
    """The link replaces the introduction for beginners."""
    visit(page, "")
    ways = page.locator(".home__begin")
    expect(ways).to_contain_text("Never played?")
    visit(page, "tools/character/?name=Mira&toughness=4&fighting=2&at=play&play=hp%203")
    page.wait_for_selector(READY)
    page.locator("[name=do][value='hp 2']").first.click()
    page.wait_for_selector("scratch-calculator[data-durably-saved]")
    visit(page, "")
    expect(ways.locator(".primary")).to_have_text("Continue: Mira, 2 of 4 hit points")
    expect(ways).not_to_contain_text("Never played?")
    ways.get_by_role("link", name="Mira").click()
    expect(page.locator("[data-hp-left]")).to_have_text("2")
