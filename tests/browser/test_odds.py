"""The odds tool: a prerendered answer, steppers, and long calculations in slices."""

import re
from collections.abc import Callable
from urllib.parse import quote

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.navigation import visit
from tests.browser.pages.calculator import open_ready, tap, unfold, wait_for_answer

ODDS = "tools/odds/"
WEAK_SHEET = "A\n1 fighting\n1 toughness"
STRONG_SHEET = "A\n3 fighting\n2 healing\n10 toughness"
LONG_DUEL = (
    f"{ODDS}?first_sheet={quote(STRONG_SHEET)}&second_sheet={quote(STRONG_SHEET)}&here=level,cover,throwable,climbable"
)


def test_odds_page_without_scripts_shows_a_prerendered_duel(new_context: Callable[..., BrowserContext]) -> None:
    """It has chances, a described chart, levels and attacks."""
    page = new_context(java_script_enabled=False).new_page()
    visit(page, ODDS)
    expect(page.locator("[data-sentence]")).to_contain_text("Chokestar wins about")
    assert re.fullmatch(r"\d+\.\d%", str(page.text_content("[data-order=first] [data-chance=first]")))
    expect(page.locator(".odds-chart")).to_have_attribute(
        "aria-label", re.compile("^Initiative rolled: Chokestar wins")
    )
    assert page.locator("[data-person]").all_inner_texts()[0].startswith("Chokestar")
    assert page.locator("[data-build]").count() == 30
    assert page.locator("[data-attacks] tbody tr").count() > 1


def test_level_stepper_changes_the_stat_block_and_the_chances(page: Page) -> None:
    """Pressing the other stepper restores the chances."""
    visit(page, ODDS)
    before = str(page.text_content("[data-order=first] [data-chance=first]"))
    page.click("[data-levels] > summary")
    page.click("[aria-label='Chokestar: +1 toughness']")
    expect(page.locator("[data-order=first] [data-chance=first]")).not_to_have_text(before)
    wait_for_answer(page)
    assert "4 toughness" in page.input_value("[name=first_sheet]")
    assert page.input_value("[name=first]") == ""
    after = str(page.text_content("[data-order=first] [data-chance=first]"))
    assert float(after.rstrip("%")) > float(before.rstrip("%"))
    assert "4%20toughness" in page.url
    page.click("[aria-label='Chokestar: −1 toughness']")
    expect(page.locator("[data-order=first] [data-chance=first]")).to_have_text(before)


FIND_PROBLEMS = """(block) => {
  const box = (place) => document.querySelector(place).getBoundingClientRect();
  const focus = document.activeElement;
  const wrong = [];
  const { top, bottom } = focus.getBoundingClientRect();
  if (!focus.closest(block)) wrong.push(`the focus is on ${focus.outerHTML.slice(0, 80)}`);
  if (top < 44 || bottom > innerHeight / 2) wrong.push(`the focus lies at ${top} to ${bottom}`);
  const stop = document.querySelector("[data-stop]");
  if (!stop.hidden && box("[data-stop]").bottom > innerHeight) wrong.push("Stop is out of view");
  for (const fold of document.querySelectorAll("details:has([data-attacks])")) fold.open = true;
  const wide = [...document.querySelectorAll(".odds-levels, [data-attacks]")].map((table) => table.parentElement);
  if (wide.some((each) => each.scrollWidth > each.clientWidth + 1)) wrong.push("a table is cut off");
  const names = [...document.querySelectorAll(".odds-levels tbody th a")];
  if (names.some((name) => name.getClientRects().length > 1)) wrong.push("a name is broken");
  const heads = [...document.querySelectorAll("[data-attacks] thead th")];
  if (heads.some((head) => head.scrollWidth > head.clientWidth + 1)) wrong.push("a head is cut off");
  return wrong;
}"""
"""Returns what is wrong after a press: focus in the lower half, Stop out of view, or cut tables."""


def test_press_on_a_phone_shows_its_answer_and_stop_in_view(phone: Page) -> None:
    """No table is wider than the phone."""
    visit(phone, ODDS)
    phone.tap("summary:has-text('Stat blocks')")
    phone.tap("button.primary")
    wait_for_answer(phone)
    assert phone.evaluate(FIND_PROBLEMS, "[data-sentence]") == []
    phone.tap("button[name=everybody]")
    expect(phone.locator("[data-all-opponents]")).to_be_visible()
    expect(phone.locator("[data-stop]")).to_be_visible()
    assert phone.evaluate(FIND_PROBLEMS, ".odds-everybody") == []
    phone.tap("[data-stop]")
    wait_for_answer(phone)
    phone.tap("button[name=everybody]")
    expect(phone.locator("button[name=everybody][value=show]")).to_be_focused()
    assert phone.evaluate(FIND_PROBLEMS, ".odds-ask") == []
    phone.tap("[data-levels] > summary")
    phone.tap("button[name=worth]")
    expect(phone.locator(".odds-start")).to_be_focused()
    assert phone.evaluate(FIND_PROBLEMS, ".odds-ask") == []
    phone.tap("[data-stop]")


def test_long_calculation_shows_bounds_and_can_be_stopped(page: Page) -> None:
    """Stop leaves the bounds, and the next press is answered."""
    visit(page, LONG_DUEL)
    expect(page.locator("[data-sentence]")).to_contain_text("So far")
    expect(page.locator(".odds-done progress")).to_be_visible()
    assert not page.locator("scratch-calculator[stale]").count()
    page.evaluate("document.querySelector('[data-stop]').click()")
    assert page.get_attribute("scratch-calculator", "data-state") == "ready"  # at once, even during another calculation
    expect(page.locator(".calculator-announcement")).to_contain_text("Stopped")
    expect(page.locator("[data-sentence]")).to_contain_text("So far")
    page.click("summary:has-text('Stat blocks')")
    page.fill("[name=first_sheet]", "A\n1 fighting\n1 toughness")
    page.fill("[name=second_sheet]", "B\n1 toughness")
    page.click("button.primary")
    expect(page.locator("[data-sentence]")).to_contain_text("With initiative rolled, A wins")
    wait_for_answer(page)


def test_replay_loads_its_table_of_chances_on_request(page: Page) -> None:
    """The chances follow the steps."""
    requested_urls: list[str] = []
    page.on("request", lambda request: requested_urls.append(request.url) if "chances" in request.url else None)
    open_ready(page, "tools/replay/?scenario=worked-combat&step=0")
    assert requested_urls == []
    page.click("text=Show win chances")
    expect(page.locator("[data-chances]")).to_contain_text("hunters 95.7%")
    assert len(requested_urls) == 1
    page.press("body", "ArrowRight")
    expect(page.locator("[data-chances]")).to_contain_text("hunters 99.7%")
    assert len(requested_urls) == 1


def test_win_chances_against_the_cast_appear_row_by_row(page: Page) -> None:
    """Stop leaves the rows, and a name links its duel."""
    open_ready(page, "tools/character/?name=Ash&fighting=1&toughness=1")
    page.click("text=Show win chances against the cast")
    expect(page.locator("[data-against=rat]")).to_contain_text("%")
    tap(page, "[data-stop]")
    expect(page.locator("[data-against=elephant]")).to_have_text("…")
    figure = page.inner_text("[data-against=rat]")
    page.click("[data-cast-odds] a:text-is('Rat')")
    expect(page.locator("[data-order=initiative] [data-chance=first]")).to_have_text(figure)


FIGHT_OF_THREE = """format = "scratch-scenario/1"
system = "scratch"
characters = [
  { id = "ada", abilities = { fighting = 4, toughness = 4 } },
  { id = "bo", side = "bo", abilities = { fighting = 4, toughness = 4 } },
  { id = "cy", side = "bo", abilities = { fighting = 1, toughness = 2 } },
]
initiative = { ada = [20], bo = [1], cy = [2] }
"""


def test_win_chances_of_a_fight_keep_text_typed_during_the_calculation(page: Page) -> None:
    """Bounds narrow while faces are typed."""
    open_ready(page, f"tools/fight/?log={quote(FIGHT_OF_THREE)}")
    assert not page.locator("[data-chances]").count()
    unfold(page.locator("text=Show win chances"))
    page.click("text=Show win chances")
    expect(page.locator("[data-chances]")).to_contain_text(" to ")
    page.fill("[name=faces]", "14")
    expect(page.locator("scratch-calculator .calculator-status")).to_contain_text("Still working")
    wait_for_answer(page)
    assert page.input_value("[name=faces]") == "14"
    expect(page.locator(".calculator-announcement")).to_contain_text("To win: ada")
    page.click("text=Hide win chances")
    expect(page.locator("[data-chances]")).to_have_count(0)
