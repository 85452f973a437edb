"""axe finds no violation on the pages of characters, fights and dice and at home, in any of their states."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page

from scratch_core.calculators.shared.query import format_query
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.browser.axe import find_violations
from tests.browser.navigation import visit
from tests.browser.pages.builder import CHARACTER, open_character
from tests.browser.pages.calculator import PHONE, open_ready, tap, wait_for_answer
from tests.browser.pages.fight import FIGHT, HOLD, begin, write
from tests.browser.pages.saved_entries import clear_saved_data

SCREENS = ((390, 664, "dark"), (1280, 800, "light"))


def check_both_screens(page: Page) -> list[str]:
    """Return axe's violations in the article, on a dark phone and on a light desktop.

    The page around it is the same in every state and checked elsewhere.
    """
    found = []
    for width, height, scheme in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of the words that it takes
        found += [f"{width}, {scheme}: {each}" for each in find_violations(page, "article")]
    return found


def test_axe_finds_nothing_on_a_character_in_any_state(page: Page) -> None:
    """Check it filled, wrong, empty and in play."""
    open_character(page, "name=Ria&toughness=4&shooting=4&detection=2")
    found = {"filled": check_both_screens(page)}
    page.fill("[name=shooting]", "many")
    page.wait_for_selector("[data-problem]")
    wait_for_answer(page)
    page.click(".calculator-saved > summary")
    found["wrong, the list unfolded"] = check_both_screens(page)
    tap(page, "button[name=start][value=empty]")
    page.wait_for_selector(".paper-blank", state="attached")
    wait_for_answer(page)
    found["empty"] = check_both_screens(page)
    open_character(page, "name=Ria&toughness=4&shooting=4&at=play&whom=rat&play=hp%201%0Anote%20delayed")
    page.click("[value='roll agility']")
    page.wait_for_selector(".play-last [data-face]")
    wait_for_answer(page)
    found["in play"] = check_both_screens(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


def test_axe_finds_nothing_on_a_fight_in_any_state(page: Page) -> None:
    """Check the set-up, refused actions, an interrupt, the end and the painted map."""
    open_ready(page, FIGHT)
    found = {"before": check_both_screens(page)}
    write(page, sheets="Rook\n2 fihgting")
    page.wait_for_selector("[data-problem]")
    wait_for_answer(page)
    found["wrong"] = check_both_screens(page)
    page.click("[data-choose=us]")
    page.wait_for_selector(".chooser")
    wait_for_answer(page)
    found["choosing"] = check_both_screens(page)
    clear_saved_data(page)
    begin(page)
    found["begun"] = check_both_screens(page)
    tap(page, HOLD, "eleven")
    found["refused"] = check_both_screens(page)
    tap(page, HOLD, "11")
    found["in the middle"] = check_both_screens(page)
    visit(page, f"{FIGHT}?{format_query({'log': SAMPLE_SCENARIOS['worked-combat']})}")
    page.wait_for_selector("[data-winner]")
    wait_for_answer(page)
    found["over"] = check_both_screens(page)
    open_ready(page, f"{FIGHT}?{format_query({'log': SAMPLE_SCENARIOS['harbour']})}")
    while not page.locator("[data-question]").count():
        tap(page, "[data-undo]")
    found["interrupt"] = check_both_screens(page)
    board = "map=....%23./...^../......&tokens=kim@0,0,a%20bo@4,1,b&selected=kim&space=2,1&brush=^"
    open_ready(page, f"tools/board/?{board}")
    found["its board painted"] = check_both_screens(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


def test_axe_finds_nothing_while_python_starts_or_fails(new_context: Callable[..., BrowserContext]) -> None:
    """Open a link on a phone."""
    phone = new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    phone.route("**/*.wasm", lambda route: None)
    phone.goto(f"{CHARACTER}?toughness=4&shooting=2")
    phone.wait_for_selector(".calculator-coming")
    found = {"loading": find_violations(phone)}
    phone.unroute("**/*.wasm")
    phone.route("**/*.wasm", lambda route: route.abort())
    phone.reload()
    phone.wait_for_selector("scratch-calculator[data-state=failed]")
    found["failed"] = find_violations(phone)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


READ_MEDIA_STYLES = """() => {
  const focused = getComputedStyle(document.querySelector(":focus-visible"));
  const bar = getComputedStyle(document.querySelector("scratch-calculator .strip .strip__success"));
  const ground = getComputedStyle(document.body).backgroundColor;
  return {
    focus: [focused.outlineStyle, focused.outlineWidth],
    chart: bar.fill !== ground,
    moving: document.getAnimations().filter((each) => each.effect.getComputedTiming().duration > 1).length,
  };
}"""
"""With forced colours and reduced motion: the focus outline, the chart's contrast and running animations."""


def test_axe_finds_nothing_on_dice_and_at_home(page: Page) -> None:
    """Check a roll with history, a wrong roll, home and the cast.

    Forced colours keep the focus and the chart visible; reduced motion stops all animations.
    """
    found = {}
    for where in ("", "tools/cast/", "tools/dice/"):
        visit(page, where)
        found[where or "home"] = find_violations(page)
    wait_for_answer(page)
    page.click(".dice-roll button")
    page.wait_for_selector(".calculator-history li")
    page.click(".dice-own > summary")
    found["rolled"] = find_violations(page)
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    page.focus("[name=roll]")
    page.keyboard.press("Tab")
    assert page.evaluate(READ_MEDIA_STYLES) == {"focus": ["solid", "2px"], "chart": True, "moving": 0}
    page.emulate_media(forced_colors="none", reduced_motion="no-preference")
    page.fill("[name=roll]", "a lot of dice")
    page.press("[name=roll]", "Enter")
    page.wait_for_selector("[data-problem]")
    found["wrong"] = find_violations(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


CODE = "build-on-it/scenario-file/"


def test_axe_finds_nothing_with_menu_search_tooltip_or_wide_code(phone: Page, page: Page) -> None:
    """Check a phone and a desktop."""
    found = {}
    for where in ("", "tools/cast/", "tools/dice/", CODE):
        visit(phone, where)
        found[f"{where or 'home'} on a phone"] = find_violations(phone)
    phone.click(".md-header__button[for=__drawer]")
    phone.wait_for_selector(".md-sidebar--primary .md-nav__title", state="visible")
    found["the menu open"] = find_violations(phone)
    visit(page, CODE)
    found[CODE] = find_violations(page)
    visit(page, "rules/rolls/")
    page.locator("main abbr[role=button]").first.hover()
    page.wait_for_selector(".explainer:popover-open")
    found["a term explained"] = find_violations(page)
    search = page.locator("[data-md-component=search-query]")
    search.fill("")  # the theme remembers the tab's last query
    search.press_sequentially("evade")
    page.wait_for_selector(".md-search-result__item >> nth=2")
    found["the search open"] = find_violations(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}
