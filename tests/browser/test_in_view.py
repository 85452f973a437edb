"""An answer leaves what was pressed where it was, or brings what it has to say into view."""

import pytest
from playwright.sync_api import Page, expect

from scratch_core.calculators.query import query_string
from tests.browser.pages.builder import open_character, paste
from tests.browser.pages.calculator import FRAMES, open_ready, settled, unfold
from tests.browser.pages.fight import ADD, BEGUN, FIGHT
from tests.browser.pages.kept import keep, ticked
from tests.browser.positions import fight_of

ODDS = "tools/odds/?" + query_string(
    {
        "first_sheet": "Ida: small\n1 fighting\n2 toughness",
        "second_sheet": "Rook\nhp: 1\n1 fighting\n2 toughness",
        "begins": "second",
        "escape": "loss",
    }
)
STILL = 25  # px
PLACE = """(each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  const head = document.querySelector(".md-header").getBoundingClientRect().bottom;
  if (right <= 0 || left >= innerWidth || bottom <= head || top >= innerHeight) throw new Error("out of view");
  return [left, top];
}"""
CENTRED = "(each) => each.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })"


def press(page: Page, selector: str) -> None:
    """Press what is in the middle of the screen; its answer leaves it there."""
    pressed = page.locator(selector).first
    pressed.evaluate(CENTRED)
    before = pressed.evaluate(PLACE)
    pressed.click()
    settled(page)
    page.evaluate(FRAMES)
    after = page.locator(selector).first.evaluate(PLACE)
    assert after == pytest.approx(before, abs=STILL)


def test_one_of_yours_added_is_told_where_it_was_pressed(phone: Page) -> None:
    """With nobody in it a fight is turned back, and the sentence has the focus, not covered by anything.

    The chooser is in view and has the focus, ticking moves nothing, and who came in is said there.
    """
    keep(phone, "Ria")
    open_ready(phone, FIGHT)
    phone.click("button[name=log][value=begin]")
    settled(phone)
    expect(phone.locator(":focus")).to_contain_text("The fight does not begin yet.")
    phone.locator(":focus").evaluate(PLACE)
    for side, name in (("us", "Ria"), ("them", "Ria 2")):
        if not phone.locator(".chooser").count():
            phone.click(f"[data-choose={side}]")
        expect(phone.locator(":focus")).to_have_text("Who comes in?")
        press(phone, ticked("Ria"))
        phone.click(ADD)
        settled(phone)
        assert name in phone.input_value("[name=sheets]")
    expect(phone.locator(":focus")).to_contain_text("Ria added: 2 in the fight.")
    phone.locator(":focus").evaluate(PLACE)


def test_the_chances_of_a_fight_are_brought_into_view(phone: Page) -> None:
    """“Who will win?” is answered where it was asked: the chances are seen, and what hides them has the focus."""
    open_ready(phone, BEGUN)
    ask = phone.locator("[name=act][value^=odds]")
    unfold(ask)
    ask.evaluate(CENTRED)
    ask.click()
    settled(phone)
    phone.locator(".fight-odds").evaluate(PLACE)
    phone.locator(":focus").evaluate(PLACE)
    expect(phone.locator(":focus")).to_have_text("Hide the chances")


@pytest.mark.parametrize("width", [390, 1280])
def test_whom_acts_are_aimed_at_is_chosen_without_a_move(page: Page, width: int) -> None:
    """The mark that was pressed stays under the finger with the focus; so do the acts, which say the other's name."""
    page.set_viewport_size({"width": width, "height": 664})
    open_ready(page, fight_of(4))
    ring = page.locator(".aim[aria-pressed=false]").last
    before, act = ring.bounding_box(), page.locator("[data-key='1']").bounding_box()
    ring.click()
    settled(page)
    page.evaluate(FRAMES)
    pressed = page.locator(".aim[aria-pressed=true]")
    expect(pressed).to_be_focused()
    assert (pressed.bounding_box(), page.locator("[data-key='1']").bounding_box()) == (before, act)
    expect(page.locator("[data-key='1']")).to_have_attribute("data-target", str(pressed.get_attribute("data-add")))


def test_more_of_an_unfinished_answer_moves_nothing(page: Page) -> None:
    """One level more, then the rest of the chances: the button stays, whatever comes above it.

    Where its own press disables it, as the last level taken away does, the focus is beside it, and not lost.
    """
    open_ready(page, ODDS)
    page.click("[data-levels] > summary")
    press(page, "[aria-label='Rook: more craftsmanship']")
    page.click("[aria-label='Rook: less craftsmanship']")
    settled(page)
    page.evaluate(FRAMES)
    expect(page.locator("[aria-label='Rook: less craftsmanship']")).to_be_disabled()
    expect(page.locator(":focus")).to_have_attribute("aria-label", "Rook: more craftsmanship")


@pytest.mark.parametrize(
    ("address", "pressed"),
    [
        ("tools/replay/?scenario=worked-combat&step=3", ".what-if button"),
        ("tools/dice/?roll=12d6", "scratch-calculator form [type=submit]"),
    ],
    ids=["another face in the replay", "dice"],
)
def test_what_was_pressed_stays_where_it_was(phone: Page, address: str, pressed: str) -> None:
    """However much the answer lays out anew above it, on a phone."""
    open_ready(phone, address)
    press(phone, pressed)


def test_a_slow_press_beside_a_focused_button_is_one(page: Page) -> None:
    """A stat block, its levels changed here, then “Empty”: what is typed next goes into an empty character."""
    open_character(page)
    paste(page, "Ria\n3 shooting\n2 toughness")
    settled(page)
    page.get_by_role("button", name="Change its levels here").click()
    settled(page)
    page.keyboard.press("Tab")
    page.locator("form [type=submit]").first.focus()
    page.locator(".start-from > summary").click()
    page.hover("[name=start][value=empty]")
    page.mouse.down()
    page.evaluate(FRAMES)
    page.mouse.up()
    page.wait_for_selector(".paper-blank", state="attached")
    assert page.input_value("[name=name]") == ""
    assert page.input_value("[name=shooting]") in ("", "0")
