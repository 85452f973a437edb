"""axe finds nothing on the pages of a character, of dice and at home, whatever state they are in."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page

from scratch_core.calculators.shared.query import format_query
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.browser.axe import violations
from tests.browser.following import visit
from tests.browser.pages.builder import CHARACTER, open_character
from tests.browser.pages.calculator import PHONE, open_ready, settled, tap
from tests.browser.pages.fight import FIGHT, HOLD, begin, write
from tests.browser.pages.kept import forget

SCREENS = ((390, 664, "dark"), (1280, 800, "light"))


def on_both(page: Page) -> list[str]:
    """What axe objects to in the article, on a phone's screen in the dark and on a desk's in the light.

    What stands around it is the same in every state, and held by the pages as they open.
    """
    found = []
    for width, height, scheme in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of the words that it takes
        found += [f"{width}, {scheme}: {each}" for each in violations(page, "article")]
    return found


def test_axe_finds_nothing_on_a_character_in_any_state(page: Page) -> None:
    """Empty, filled, wrong, kept and unfolded, and in play with a roll, a wound and a condition."""
    open_character(page, "name=Ria&toughness=4&shooting=4&detection=2")
    found = {"filled": on_both(page)}
    page.fill("[name=shooting]", "many")
    page.wait_for_selector("[data-problem]")
    settled(page)
    page.click(".calculator-kept > summary")
    found["wrong, the list unfolded"] = on_both(page)
    tap(page, "button[name=start][value=empty]")
    page.wait_for_selector(".paper-blank", state="attached")
    settled(page)
    found["empty"] = on_both(page)
    open_character(page, "name=Ria&toughness=4&shooting=4&at=play&whom=rat&play=hp%201%0Anote%20delayed")
    page.click("[value='roll agility']")
    page.wait_for_selector(".play-last [data-face]")
    settled(page)
    found["in play"] = on_both(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


def test_axe_finds_nothing_on_a_fight_in_any_state(page: Page) -> None:
    """Before it begins, wrongly set up, begun, an act refused, in the middle, asked for an interrupt, over, painted."""
    open_ready(page, FIGHT)
    found = {"before": on_both(page)}
    write(page, sheets="Rook\n2 fihgting")
    page.wait_for_selector("[data-problem]")
    settled(page)
    found["wrong"] = on_both(page)
    page.click("[data-choose=us]")
    page.wait_for_selector(".chooser")
    settled(page)
    found["choosing"] = on_both(page)
    forget(page)
    begin(page)
    found["begun"] = on_both(page)
    tap(page, HOLD, "eleven")
    found["refused"] = on_both(page)
    tap(page, HOLD, "11")
    found["in the middle"] = on_both(page)
    visit(page, f"{FIGHT}?{format_query({'log': SAMPLE_SCENARIOS['worked-combat']})}")
    page.wait_for_selector("[data-winner]")
    settled(page)
    found["over"] = on_both(page)
    open_ready(page, f"{FIGHT}?{format_query({'log': SAMPLE_SCENARIOS['harbour']})}")
    while not page.locator("[data-question]").count():
        tap(page, "[data-undo]")
    found["interrupt"] = on_both(page)
    board = "map=....%23./...^../......&tokens=kim@0,0,a%20bo@4,1,b&selected=kim&space=2,1&brush=^"
    open_ready(page, f"tools/board/?{board}")
    found["its board painted"] = on_both(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


def test_axe_finds_nothing_while_python_starts_or_fails(new_context: Callable[..., BrowserContext]) -> None:
    """What stands there while Python loads, and what is said when it can't come, for a link on a phone."""
    phone = new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    phone.route("**/*.wasm", lambda route: None)
    phone.goto(f"{CHARACTER}?toughness=4&shooting=2")
    phone.wait_for_selector(".calculator-coming")
    found = {"loading": violations(phone)}
    phone.unroute("**/*.wasm")
    phone.route("**/*.wasm", lambda route: route.abort())
    phone.reload()
    phone.wait_for_selector("scratch-calculator[data-state=failed]")
    found["failed"] = violations(phone)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


SHOWN = """() => {
  const focused = getComputedStyle(document.querySelector(":focus-visible"));
  const bar = getComputedStyle(document.querySelector("scratch-calculator .strip .reaches"));
  const ground = getComputedStyle(document.body).backgroundColor;
  return {
    focus: [focused.outlineStyle, focused.outlineWidth],
    chart: bar.fill !== ground,
    moving: document.getAnimations().filter((each) => each.effect.getComputedTiming().duration > 1).length,
  };
}"""
"""With forced colours and reduced motion: how the focus is drawn, whether bars differ from the ground, what moves."""


def test_axe_finds_nothing_on_dice_and_at_home(page: Page) -> None:
    """A roll with its earlier ones, a wrong roll with the real dice unfolded, home, and the cast.

    With forced colours the focus and the chart are seen; with reduced motion nothing moves.
    """
    found = {}
    for where in ("", "tools/cast/", "tools/dice/"):
        visit(page, where)
        found[where or "home"] = violations(page)
    settled(page)
    page.click(".dice-roll button")
    page.wait_for_selector(".calculator-history li")
    page.click(".dice-own > summary")
    found["rolled"] = violations(page)
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    page.focus("[name=roll]")
    page.keyboard.press("Tab")
    assert page.evaluate(SHOWN) == {"focus": ["solid", "2px"], "chart": True, "moving": 0}
    page.emulate_media(forced_colors="none", reduced_motion="no-preference")
    page.fill("[name=roll]", "a lot of dice")
    page.press("[name=roll]", "Enter")
    page.wait_for_selector("[data-problem]")
    found["wrong"] = violations(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


CODE = "build-on-it/scenario-file/"


def test_axe_finds_nothing_where_a_phone_reads_and_where_code_is_wide(phone: Page, page: Page) -> None:
    """The menu's parts have names of their own, and wide code is reached by keys: on a phone and on a desk.

    Nothing either while the menu, a tooltip or the search is open.
    """
    found = {}
    for where in ("", "tools/cast/", "tools/dice/", CODE):
        visit(phone, where)
        found[f"{where or 'home'} on a phone"] = violations(phone)
    phone.click(".md-header__button[for=__drawer]")
    phone.wait_for_selector(".md-sidebar--primary .md-nav__title", state="visible")
    found["the menu open"] = violations(phone)
    visit(page, CODE)
    found[CODE] = violations(page)
    visit(page, "rules/rolls/")
    page.locator("main abbr[role=button]").first.hover()
    page.wait_for_selector(".explainer:popover-open")
    found["a term explained"] = violations(page)
    search = page.locator("[data-md-component=search-query]")
    search.fill("")  # the theme keeps what the tab's last reader looked for
    search.press_sequentially("evade")
    page.wait_for_selector(".md-search-result__item >> nth=2")
    found["the search open"] = violations(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}
