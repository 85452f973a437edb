"""The dice calculator as its readers use it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.pages.calculator import PHONE, ROLLED, open_ready, settled, shared
from tests.support.known import require

DICE = "tools/dice/"


def faces(page: Page) -> list[str]:
    """The faces shown, in order."""
    return [str(face.get_attribute("data-face")) for face in page.locator("[data-answer] [data-face]").all()]


def roll(page: Page, notation: str) -> list[str]:
    """Type dice, press Enter, wait for the answer."""
    page.fill("[name=roll]", notation)
    page.press("[name=roll]", "Enter")
    settled(page)
    return faces(page)


def test_dice_roll_in_the_page(page: Page, other: Page) -> None:
    """A roll shows one face a die, their sum, and the exact chance when there is something to beat.

    A wrong field keeps what was typed, is marked, and says what was expected; the rest answers all the same. Each roll
    joins a list that survives a reload, can be forgotten, and is opened in another profile by address and link.
    """
    open_ready(page, DICE)
    page.fill("[name=against]", "13")
    shown = roll(page, "2d20kh1+3")
    assert len(shown) == 2
    assert int(page.inner_text("[data-total]")) == max(map(int, shown)) + 3
    assert page.inner_text("[data-chance]") == "319/400"  # 1 - (9/20)^2: both faces are 9 or less
    page.fill("[name=against]", "a lot")
    assert len(roll(page, "d20+3")) == 1
    expect(page.locator("[data-problem][data-field=against]")).to_contain_text("Enter a difficulty")
    assert page.input_value("[name=against]") == "a lot"
    assert page.get_attribute("[name=against]", "aria-invalid") == "true"
    page.fill("[name=against]", "")
    shown = roll(page, "5d20")
    for address in (page.url, shared(page)):
        open_ready(other, address)
        assert faces(other) == shown
        assert other.inner_text("[data-total]") == page.inner_text("[data-total]")
    page.reload()
    settled(page)
    items = page.locator(".calculator-history li")
    expect(items).to_have_count(3)
    assert "faces=" in str(items.first.locator("a").get_attribute("href"))
    page.click("[data-forget]")
    assert items.count() == 0


def test_faces_given_are_replayed_until_new_dice_are_asked_for(page: Page) -> None:
    """With faces in the address or typed, the form replays them; the other button throws new dice and empties them."""
    open_ready(page, f"{DICE}?roll=d20+3&faces=7")  # a plus in an address is one
    assert (page.inner_text("[data-total]"), page.input_value("[name=roll]")) == ("10", "d20+3")
    page.click(".dice-own > summary")
    page.fill("[name=faces]", "6, 6")
    assert roll(page, "2d6") == ["6", "6"]
    assert page.inner_text("[data-total]") == "12"
    assert page.input_value("[name=faces]") == "6, 6"
    page.fill("[name=faces]", "5, 5")
    page.press("[name=faces]", "Enter")
    expect(page.locator("[data-total]")).to_have_text("10")
    page.click("button[name=faces]")
    settled(page)
    assert page.input_value("[name=faces]") == ""
    assert len(faces(page)) == 2


def test_what_is_typed_meanwhile_is_not_lost(page: Page) -> None:
    """An answer that arrives while the reader types leaves field and focus alone; Enter rolls, and it is said once."""
    page.goto(DICE)
    page.click("scratch-calculator [type=submit] >> nth=0")  # waits for Python
    page.fill("[name=roll]", "d6")
    settled(page)
    assert page.input_value("[name=roll]") == "d6"
    assert page.evaluate("document.activeElement.name") == "roll"
    page.keyboard.press("Enter")
    settled(page)
    assert len(faces(page)) == 1
    assert page.evaluate("document.activeElement.name") == "roll"
    said = page.locator("[role=status]").all_inner_texts()
    assert sum("d6" in words for words in said) == 1


def test_keys_add_up_and_taps_while_python_starts_count(new_context: Callable[..., BrowserContext]) -> None:
    """Six taps before Python has come are six taps on the link's roll, which stays what it was beside them.

    The roll stands in view of the button, here and at home.
    """
    phone = new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    phone.route("**/*.wasm", lambda route: None)
    phone.goto(f"{DICE}?roll=3d8&against=12", wait_until="commit")
    phone.wait_for_selector("scratch-calculator[data-state=starting]")
    for key in ("d6", "d6", "d20", "+1", "+1", "+1"):
        phone.locator(f"[data-add='{key}']").tap()
    phone.unroute("**/*.wasm")  # lets go what was held
    settled(phone)
    assert (phone.input_value("[name=roll]"), phone.input_value("[name=against]")) == ("3d8+2d6+d20+3", "12")
    for where, roll in ((DICE, ".dice-roll button"), ("", ".opening [type=submit]")):
        open_ready(phone, where)
        button = phone.locator(roll)
        button.tap()
        phone.wait_for_selector(ROLLED)
        expect(button).to_be_in_viewport(ratio=0.99)
        expect(phone.locator("[data-total]")).to_be_in_viewport(ratio=0.99)
    open_ready(phone, DICE)
    phone.locator("[data-add='d6']").tap()
    expect(phone.locator("[name=roll]")).to_have_value("d6")


ROLL_AND_TOTAL = """() => ["button.primary", "[data-total]"].map((place) => {
  const { left, top, bottom } = document.querySelector(`.calculator-dice ${place}`).getBoundingClientRect();
  return [left, top, bottom <= innerHeight];
})"""
"""Where Roll and the total stand, and whether they are on the screen."""


@pytest.mark.parametrize(("width", "height"), [(390, 664), (1280, 800), (1920, 1080)])
def test_roll_stays_where_it_is(page: Page, width: int, height: int) -> None:
    """Pressed again and again it is in the same place, with the result on the screen, while the list of rolls grows."""
    page.set_viewport_size({"width": width, "height": height})
    open_ready(page, DICE)
    before = page.evaluate(ROLL_AND_TOTAL)
    assert [each[2] for each in before] == [True, True]
    for number, notation in enumerate(("d20+5", "d20+5", "2d6", "12d6"), 1):
        roll(page, notation)
        expect(page.locator(".calculator-history li")).to_have_count(number)
        after = page.evaluate(ROLL_AND_TOTAL)
        assert after[0] == pytest.approx(before[0], abs=1), notation  # px, of which scrolling has whole ones
        assert after[1][2], notation


def test_a_roll_of_a_page_is_rolled_there_and_opens_in_dice(page: Page) -> None:
    """In the rules nothing but the roll stands: its button throws, and its link opens it where all can be changed."""
    open_ready(page, "rules/rolls/")
    place = page.locator("scratch-calculator").first
    assert place.get_by_role("textbox").count() == 0
    for _ in range(2):
        place.get_by_role("button", name="Mend the engine").click()
        settled(page)
        expect(place.locator("[data-face]")).to_have_count(1)
    face = place.locator("[data-face]").get_attribute("data-face")
    page.goto(str(place.locator("a[data-share]").get_attribute("href")))
    settled(page)
    assert faces(page) == [face]
    assert page.input_value("[name=roll]") == "d20+3[craftsmanship]"


def test_on_a_phone_on_its_side_result_and_roll_are_on_one_screen(page: Page) -> None:
    """664 × 390: what fell stands beside what is rolled, apart from it, and Roll is under the thumb."""
    page.set_viewport_size({"width": 664, "height": 390})
    open_ready(page, "tools/dice/?roll=d20%2B5&against=13")
    page.click(".dice-roll button")
    settled(page)
    for place in (".dice-roll button", "[data-total]", ".verdict", ".strip"):
        expect(page.locator(f"scratch-calculator {place}").first).to_be_in_viewport(ratio=0.98)  # scrolling is whole
    strip, field = (require(page.locator(place).first.bounding_box()) for place in (".strip", "[name=roll]"))
    assert strip["x"] + strip["width"] <= field["x"]
