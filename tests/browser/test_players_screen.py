"""The players' screen: a second window that follows the fight and hides the other side's numbers."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.navigation import visit
from tests.browser.pages.calculator import open_ready, tap, wait_for_answer
from tests.browser.pages.fight import FIGHT, ON_HEXES, write

SHEETS = """Ann
side: heroes
7 toughness
3 fighting

Vex
side: foes
31 toughness
23 fighting
17 quickness
"""
HIDDEN_NUMBERS = {"31", "23", "17", "38", "46", "27"}
READ_STORED_SCREENS = (
    "() => Object.entries(localStorage).filter(([n]) => n.endsWith('scratch-screen')).map((each) => each.join(' '))"
)


def extract_numbers(text: str) -> set[str]:
    """Return all numbers in a text."""
    return set(re.findall(r"[0-9]+", text))


def test_players_screen_follows_the_fight_and_hides_the_other_side(page: Page) -> None:
    """It survives reloads of both windows and starts no Python."""
    open_ready(page, FIGHT)
    write(page, sheets=SHEETS, initiative="ann 2, vex 15")
    tap(page, "button[name=log][value=begin]")
    tap(page, "[data-screen-on]")
    tap(page, ".fight-screen [aria-pressed=false] >> text=heroes")
    screen = page.context.new_page()
    asked: list[str] = []
    screen.on("request", lambda request: asked.append(request.url))
    visit(screen, "tools/players-screen/")
    now = screen.locator(".screen-now")
    expect(now).to_contain_text("Vex")
    page.fill("[name=faces]", "1")
    tap(page, "[data-action=basic-attack][data-actor=vex]")
    expect(screen.locator(".screen-last")).to_have_text("Vex hits Ann with a basic attack: 1 damage.")
    tap(page, "[data-action=end-turn]")
    expect(now).to_contain_text("Ann")
    screen.reload()
    expect(now).to_contain_text("Ann")
    page.reload()
    wait_for_answer(page)
    tap(page, "[data-action=end-turn]")
    expect(now).to_contain_text("Vex")
    assert not [address for address in asked if "pyodide" in address or "app.zip" in address]
    assert "6 of 7" in screen.locator("scratch-screen").inner_text()
    held = page.evaluate(READ_STORED_SCREENS)
    assert len(held) == 1
    for text in (screen.locator("scratch-screen").inner_html(), screen.url.split("/", 3)[3], *held):
        assert not extract_numbers(text) & HIDDEN_NUMBERS
    assert "log" not in held[0]
    assert screen.locator("scratch-screen :is(button, a, input)").count() == 0
    tap(page, ".fight-screen button >> text=Stop the players' screen")
    expect(screen.locator(".screen-waiting")).to_be_visible()
    screen.close()


def test_players_screen_of_a_closed_fight_shows_its_time(page: Page) -> None:
    """It follows again once the fight is open."""
    open_ready(page, FIGHT)
    write(page, sheets=SHEETS, initiative="ann 2, vex 15")
    tap(page, "button[name=log][value=begin]")
    tap(page, "[data-screen-on]")
    screen = page.context.new_page()
    visit(screen, "tools/players-screen/")
    expect(screen.locator(".screen-now")).to_contain_text("Vex")
    expect(screen.locator(".screen-age")).to_have_count(0)
    page.goto("about:blank")
    expect(screen.locator(".screen-age")).to_contain_text(re.compile(r"closed\. As of \d\d:\d\d\."))
    expect(screen.locator(".screen-now")).to_contain_text("Vex")
    page.go_back()
    wait_for_answer(page)
    expect(screen.locator(".screen-age")).to_have_count(0)
    screen.close()


FIND_HIDDEN_PARTS = """() => [".screen-now", ".screen-last", ".screen-people", ".screen-board svg"].filter((part) => {
  const box = document.querySelector(part)?.getBoundingClientRect();
  const top = document.querySelector(".md-header").getBoundingClientRect().bottom;
  return !box?.width || box.top < top || box.bottom > innerHeight || box.right > innerWidth;
})"""


def test_players_screen_with_a_map_fits_laptop_and_television(page: Page) -> None:
    """Turn, last action, characters and map are in view."""
    open_ready(page, ON_HEXES)
    tap(page, "button[name=log][value=begin]")
    tap(page, "[data-screen-on]")
    page.locator("[data-action=evade]").first.click()
    screen = page.context.new_page()
    visit(screen, "tools/players-screen/")
    screen.wait_for_selector(".screen-last")
    for width, height in ((1280, 800), (1920, 1080)):
        screen.set_viewport_size({"width": width, "height": height})
        assert screen.evaluate(FIND_HIDDEN_PARTS) == []
    screen.close()


def test_players_screen_on_another_device_shows_a_single_state(
    page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    """It starts no Python, escapes text and saves nothing."""
    open_ready(page, FIGHT)
    write(page, sheets=SHEETS.replace("Ann", "<b>Ann</b>"), initiative="")
    tap(page, "button[name=log][value=begin]")
    tap(page, "[data-screen-on]")
    tap(page, "[data-screen-code]")
    expect(page.locator(".fight-code")).to_contain_text("from this device alone")
    address = str(page.locator(".fight-code").get_attribute("data-code"))
    phone = new_context(viewport={"width": 390, "height": 664}).new_page()
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    visit(phone, address)
    expect(phone.locator(".screen-now")).to_contain_text("Round 1, step 0")
    expect(phone.locator(".screen-people .person")).to_have_count(2)
    expect(phone.locator(".screen-people")).to_contain_text("<b>Ann</b>")
    expect(phone.locator("scratch-screen")).to_contain_text("doesn't update")
    assert not extract_numbers(phone.locator(".screen-people").inner_text()) & HIDDEN_NUMBERS
    assert not [url for url in asked if url.endswith((".wasm", ".zip"))]
    assert phone.evaluate(READ_STORED_SCREENS) == []
    visit(phone, f"{address[:-9]}")
    expect(phone.locator("scratch-screen")).to_contain_text("Scan it again")


FOLLOW_ANCHOR = """() => new Promise((done) => {
  addEventListener("hashchange", () => requestAnimationFrame(() => requestAnimationFrame(done)));
  location.hash = "#who-fights";
})"""


def test_page_opened_from_the_players_screen_does_not_reload(page: Page) -> None:
    """Select an anchor there.

    The message about missing scripts is removed once they run.
    """
    visit(page, "tools/players-screen/")
    expect(page.locator(".screen-waiting")).to_be_visible()
    expect(page.get_by_text("Scripts are off, or have not arrived")).to_have_count(0)
    page.get_by_role("link", name="fight", exact=True).click()
    page.wait_for_selector("scratch-calculator", state="attached")
    page.evaluate("window.isSame = true")
    page.evaluate(FOLLOW_ANCHOR)
    expect(page.locator(".md-content")).to_be_visible()
    assert page.evaluate("window.isSame === true")
