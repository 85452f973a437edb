"""The players' screen: a second window that follows the fight and hides the other side's numbers."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.axe import find_violations
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
    requested_urls: list[str] = []
    screen.on("request", lambda request: requested_urls.append(request.url))
    visit(screen, "tools/players-screen/")
    now = screen.locator(".players-screen__now")
    expect(now).to_contain_text("Vex")
    page.fill("[name=faces]", "1")
    tap(page, "[data-action=basic-attack][data-actor=vex]")
    expect(screen.locator(".players-screen__last")).to_have_text("Vex attacks Ann. Hit: 1 damage, 6 hit points left.")
    tap(page, "[data-action=end-turn]")
    expect(now).to_contain_text("Ann")
    screen.reload()
    expect(now).to_contain_text("Ann")
    page.reload()
    wait_for_answer(page)
    tap(page, "[data-action=end-turn]")
    expect(now).to_contain_text("Vex")
    assert not [address for address in requested_urls if "pyodide" in address or "app.zip" in address]
    assert "6 of 7" in screen.locator("scratch-screen").inner_text()
    held = page.evaluate(READ_STORED_SCREENS)
    assert len(held) == 1
    for text in (screen.locator("scratch-screen").inner_html(), screen.url.split("/", 3)[3], *held):
        assert not extract_numbers(text) & HIDDEN_NUMBERS
    assert "log" not in held[0]
    assert screen.locator("scratch-screen :is(button, a, input)").count() == 0
    tap(page, ".fight-screen button >> text=Stop the players’ screen")
    expect(screen.locator(".players-screen__waiting")).to_be_visible()
    screen.close()


def test_players_screen_of_a_closed_fight_shows_its_time(page: Page) -> None:
    """It follows again once the fight is open."""
    open_ready(page, FIGHT)
    write(page, sheets=SHEETS, initiative="ann 2, vex 15")
    tap(page, "button[name=log][value=begin]")
    tap(page, "[data-screen-on]")
    screen = page.context.new_page()
    visit(screen, "tools/players-screen/")
    expect(screen.locator(".players-screen__now")).to_contain_text("Vex")
    expect(screen.locator(".players-screen__age")).to_have_count(0)
    page.goto("about:blank")
    expect(screen.locator(".players-screen__age")).to_contain_text(re.compile(r"closed\. As of \d\d:\d\d\."))
    expect(screen.locator(".players-screen__now")).to_contain_text("Vex")
    page.go_back()
    wait_for_answer(page)
    expect(screen.locator(".players-screen__age")).to_have_count(0)
    screen.close()


SIX = "".join(
    f"{name}\nside: {side}\nturns: separate\n5 toughness\n3 fighting\n\n"
    for side, names in (("us", ("Sharpshooter", "Duellist", "Wrestler")), ("them", ("Bandit", "Thief", "Guard")))
    for name in names
)
READ_FONT_SIZES = """(parts) => Object.fromEntries(parts.map((part) => [part,
  Math.min(...[...document.querySelectorAll(part)].map((each) => parseFloat(getComputedStyle(each).fontSize)))]))"""
FIND_OVERFLOWING = """() => [...document.querySelectorAll("scratch-screen :not(.u-aloud, svg *)")].filter((each) => {
  const box = each.getBoundingClientRect();
  return box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
}).map((each) => `${each.className}: ${each.textContent}`)"""


def begin_six(page: Page) -> None:
    """Begin a fight of three against three, start the screen and roll once."""
    open_ready(page, FIGHT)
    write(page, sheets=SIX, initiative="sharpshooter 19, duellist 15, wrestler 13, bandit 11, thief 9, guard 5")
    tap(page, "button[name=log][value=begin]")
    tap(page, "[data-screen-on]")
    page.fill("[name=faces]", "14")
    tap(page, "[data-action=basic-attack][data-actor=sharpshooter]")


def test_screen_of_six_is_readable_across_a_room(page: Page) -> None:
    """It fills 1080 lines, and everything scales with the height and stays in view."""
    begin_six(page)
    screen = page.context.new_page()
    visit(screen, "tools/players-screen/")
    expect(screen.locator(".players-screen__dice .die__face")).to_have_text("14")
    expect(screen.locator(".players-screen__turn")).to_have_text("Sharpshooter’s turn")
    expect(screen.locator(".players-screen__next")).to_have_text("Next: Duellist, then Wrestler")
    expect(screen.locator(".md-header")).to_be_hidden()
    expect(screen.locator(".md-footer")).to_be_hidden()
    parts = [
        ".players-screen__name",
        ".players-screen__dice .die__face",
        ".person__name",
        ".players-screen__state",
        ".players-screen__last",
    ]
    sizes = {}
    for width, height in ((1920, 1080), (1280, 720), (3840, 2160), (1280, 800), (1024, 768)):
        screen.set_viewport_size({"width": width, "height": height})
        sizes[height] = screen.evaluate(READ_FONT_SIZES, parts)
        assert screen.evaluate(FIND_OVERFLOWING) == []
        assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight")
    name, die, *roster = sizes[1080].values()
    assert min(name, die) >= 100
    assert min(roster) >= 32
    assert [sizes[height][".players-screen__name"] / name for height in (720, 2160)] == pytest.approx(
        [2 / 3, 2], rel=0.01
    )
    cells = screen.locator(".players-screen__people .person").evaluate_all("all => all.map((each) => each.offsetWidth)")
    assert max(cells) - min(cells) <= 1
    screen.close()


def test_incapacitated_character_is_struck_through_after_its_mark(page: Page) -> None:
    """The stroke begins at the name, and the cell is dimmed."""
    open_ready(page, FIGHT)
    write(page, sheets=SHEETS.replace("31 toughness", "1 toughness"), initiative="ann 15, vex 2")
    tap(page, "button[name=log][value=begin]")
    tap(page, "[data-screen-on]")
    page.fill("[name=faces]", "20")
    tap(page, "[data-action=basic-attack][data-actor=ann]")
    screen = page.context.new_page()
    visit(screen, "tools/players-screen/")
    out = screen.locator(".person.is-out")
    expect(out.locator(".person__name")).to_have_css("opacity", "0.65")
    mark, name = (out.locator(part).bounding_box() for part in (".side-mark", ".person__name"))
    assert mark
    assert name
    assert mark["x"] + mark["width"] <= name["x"]
    expect(screen.locator(".players-screen__figures > div")).to_have_count(3)
    assert find_violations(screen, "article") == []
    expect(screen.locator(".players-screen__name")).to_contain_text("left in sight")
    screen.close()


def test_phone_shows_six_characters_without_scrolling(page: Page, new_context: Callable[..., BrowserContext]) -> None:
    """Name, sentence, rows and the time fit without the header."""
    begin_six(page)
    tap(page, "[data-screen-code]")
    address = str(page.locator(".fight-code").get_attribute("data-code"))
    phone = new_context(viewport={"width": 390, "height": 664}).new_page()
    visit(phone, address)
    expect(phone.locator(".person")).to_have_count(6)
    expect(phone.locator(".players-screen__name")).to_have_text("Sharpshooter's turn")
    assert phone.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert min(phone.locator(".person").evaluate_all("all => all.map((each) => each.offsetHeight)")) >= 52
    expect(phone.locator(".md-header")).to_be_hidden()
    assert find_violations(phone, "article") == []
    scanned = phone.locator(".players-screen__scanned").inner_text()
    phone.reload()
    expect(phone.locator(".players-screen__scanned")).to_have_text(scanned)


def test_empty_screen_starts_the_screen_of_the_open_fight(page: Page) -> None:
    """Without an open fight its button is a link to the fight page."""
    screen = page.context.new_page()
    visit(screen, "tools/players-screen/")
    start = screen.locator(".players-screen__waiting .button")
    expect(start).to_have_text("Start a fight")
    assert find_violations(screen, "article") == []
    open_ready(page, FIGHT)
    write(page, sheets=SHEETS, initiative="ann 2, vex 15")
    tap(page, "button[name=log][value=begin]")
    expect(start).to_have_text("Show the open fight")
    start.click()
    expect(screen.locator(".players-screen__name")).to_have_text("Vex")
    expect(page.locator("[data-screen-on]")).to_have_count(0)
    screen.close()


def test_screen_is_dark_until_it_is_switched_to_light(page: Page) -> None:
    """The switch changes this screen only, also after a reload."""
    begin_six(page)
    screen = page.context.new_page()
    visit(screen, "tools/players-screen/")
    root, switch = screen.locator(":root"), screen.locator(".players-screen__scheme")
    expect(root).to_have_css("color-scheme", "dark")
    assert find_violations(screen, "article") == []
    switch.click()
    expect(root).to_have_css("color-scheme", "light")
    assert find_violations(screen, "article") == []
    screen.reload()
    expect(root).to_have_css("color-scheme", "light")
    expect(switch).to_have_attribute("aria-pressed", "true")
    screen.emulate_media(color_scheme="dark")
    expect(root).to_have_css("color-scheme", "light")
    switch.click()
    expect(root).to_have_css("color-scheme", "dark")
    screen.close()


def test_screen_moves_only_if_motion_is_not_reduced(page: Page) -> None:
    """The die settles after a new roll, except for readers who have reduced motion."""
    begin_six(page)
    screen = page.context.new_page()
    visit(screen, "tools/players-screen/")
    die = screen.locator(".players-screen__dice .die")
    expect(die).to_have_css("animation-name", "none")
    page.locator("[data-action=end-turn]").first.click()
    expect(screen.locator(".players-screen__name")).to_have_text("Duellist")
    page.fill("[name=faces]", "3")
    tap(page, "[data-action=basic-attack][data-actor=duellist]")
    expect(screen.locator(".players-screen__dice .die__face")).to_have_text("3")
    expect(die).to_have_css("animation-name", "screen-settle")
    screen.emulate_media(reduced_motion="reduce")
    expect(die).to_have_css("animation-name", "none")
    screen.close()


FIND_HIDDEN_PARTS = """() => ["now", "last", "people", "board svg"].filter((part) => {
  const box = document.querySelector(`.players-screen__${part}`)?.getBoundingClientRect();
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
    screen.wait_for_selector(".players-screen__last")
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
    expect(page.locator(".fight-code")).to_contain_text("only this device can reach this copy")
    address = str(page.locator(".fight-code").get_attribute("data-code"))
    phone = new_context(viewport={"width": 390, "height": 664}).new_page()
    requested_urls: list[str] = []
    phone.on("request", lambda request: requested_urls.append(request.url))
    visit(phone, address)
    expect(phone.locator(".players-screen__scanned")).to_have_text(
        re.compile(r"Round 1, as of \d\d:\d\d\. Scan again for the next\.")
    )
    expect(phone.locator(".players-screen__people .person")).to_have_count(2)
    expect(phone.locator(".players-screen__people")).to_contain_text("<b>Ann</b>")
    assert not extract_numbers(phone.locator(".players-screen__people").inner_text()) & HIDDEN_NUMBERS
    assert not [url for url in requested_urls if url.endswith((".wasm", ".zip"))]
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
    expect(page.locator(".players-screen__waiting")).to_be_visible()
    expect(page.get_by_text("Scripts are off, or have not arrived")).to_have_count(0)
    page.get_by_role("link", name="fight", exact=True).click()
    page.wait_for_selector("scratch-calculator", state="attached")
    page.evaluate("window.isSame = true")
    page.evaluate(FOLLOW_ANCHOR)
    expect(page.locator(".md-content")).to_be_visible()
    assert page.evaluate("window.isSame === true")
