"""The dice tool in the browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.pages.calculator import PHONE, ROLLED, open_ready, read_share_link, wait_for_answer
from tests.support.known import require

DICE = "tools/dice/"


def read_faces(page: Page) -> list[str]:
    """Return the shown faces in order."""
    return [str(face.get_attribute("data-face")) for face in page.locator("[data-answer] [data-face]").all()]


def roll_notation(page: Page, notation: str) -> list[str]:
    """Type a notation, press Enter and wait for the answer."""
    page.fill("[name=roll]", notation)
    page.press("[name=roll]", "Enter")
    wait_for_answer(page)
    return read_faces(page)


def test_roll_shows_faces_sum_and_chance_and_joins_the_history(page: Page, other: Page) -> None:
    """A wrong field keeps its text and shows a problem.

    The history survives a reload and can be deleted; address and link open a roll in another profile.
    """
    open_ready(page, DICE)
    page.fill("[name=against]", "13")
    shown = roll_notation(page, "2d20kh1+3")
    assert len(shown) == 2
    assert int(page.inner_text("[data-total]")) == max(map(int, shown)) + 3
    assert page.inner_text("[data-chance]") == "319/400"  # 1 - (9/20)^2: both faces are 9 or less
    page.fill("[name=against]", "a lot")
    assert len(roll_notation(page, "d20+3")) == 1
    expect(page.locator("[data-problem][data-field=against]")).to_contain_text("Enter a difficulty")
    assert page.input_value("[name=against]") == "a lot"
    assert page.get_attribute("[name=against]", "aria-invalid") == "true"
    page.fill("[name=against]", "")
    shown = roll_notation(page, "5d20")
    for address in (page.url, read_share_link(page)):
        open_ready(other, address)
        assert read_faces(other) == shown
        assert other.inner_text("[data-total]") == page.inner_text("[data-total]")
    expect(other.get_by_text("Someone sent you this roll.")).to_be_visible()
    other.reload()
    wait_for_answer(other)
    expect(other.get_by_text("Someone sent you this roll.")).to_have_count(0)
    page.reload()
    wait_for_answer(page)
    items = page.locator(".calculator-history li")
    expect(items).to_have_count(3)
    assert "faces=" in str(items.first.locator("a").get_attribute("href"))
    expect(items.first.locator(".list-row__total")).to_have_text(page.inner_text("[data-total]"))
    copies = items.first.get_by_role("button")
    copies.click()
    expect(copies).to_have_text("Copied")
    page.click(".calculator-history .list-row__more")
    page.click("[data-forget]")
    assert items.count() == 0


def test_given_faces_are_used_until_new_dice_are_rolled(page: Page) -> None:
    """Faces come from the address or are typed."""
    open_ready(page, f"{DICE}?roll=d20+3&faces=7")  # a plus in an address is one
    assert (page.inner_text("[data-total]"), page.input_value("[name=roll]")) == ("10", "d20+3")
    page.click(".dice-own > summary")
    page.fill("[name=faces]", "6, 6")
    assert roll_notation(page, "2d6") == ["6", "6"]
    assert page.inner_text("[data-total]") == "12"
    assert page.input_value("[name=faces]") == "6, 6"
    page.fill("[name=faces]", "5, 5")
    page.press("[name=faces]", "Enter")
    expect(page.locator("[data-total]")).to_have_text("10")
    page.click("button[name=faces]")
    wait_for_answer(page)
    assert page.input_value("[name=faces]") == ""
    assert len(read_faces(page)) == 2


def test_refused_rolls_join_no_history_and_an_edit_hides_their_problem(page: Page) -> None:
    """The room of the problem stays, so that nothing moves while typing."""
    open_ready(page, f"{DICE}?roll=d20%2B5&against=13")
    page.click(".dice-own > summary")
    page.fill("[name=faces]", "25")
    page.press("[name=faces]", "Enter")
    problem = page.locator(".dice-own [data-problem]")
    expect(problem).to_be_visible()
    assert page.get_attribute("[name=faces]", "aria-invalid") == "true"
    page.fill("[name=faces]", "12")
    expect(problem).to_be_hidden()
    assert page.get_attribute("[name=faces]", "aria-invalid") is None
    assert page.locator(".calculator-history li").count() == 0
    page.press("[name=faces]", "Enter")
    expect(page.locator(".calculator-history li")).to_have_count(1)
    page.fill("[name=faces]", "26")
    page.press("[name=faces]", "Enter")
    expect(problem).to_be_visible()


def test_text_typed_before_the_answer_is_preserved(page: Page) -> None:
    """The field keeps the focus, and the result is announced once."""
    page.goto(DICE)
    page.click("scratch-calculator [type=submit] >> nth=0")  # waits for Python
    page.fill("[name=roll]", "d6")
    wait_for_answer(page)
    assert page.input_value("[name=roll]") == "d6"
    assert page.evaluate("document.activeElement.name") == "roll"
    page.keyboard.press("Enter")
    wait_for_answer(page)
    assert len(read_faces(page)) == 1
    assert page.evaluate("document.activeElement.name") == "roll"
    said = page.locator("[role=status]").all_inner_texts()
    assert sum("d6" in words for words in said) == 1


def test_dice_buttons_tapped_while_python_starts_all_count(new_context: Callable[..., BrowserContext]) -> None:
    """The result is visible next to the button, here and at home."""
    phone = new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    phone.route("**/*.wasm", lambda route: None)
    phone.goto(f"{DICE}?roll=3d8&against=12", wait_until="commit")
    phone.wait_for_selector("scratch-calculator[data-state=starting]")
    for key in ("d6", "d6", "d20", "+1", "+1", "+1"):
        phone.locator(f"[data-add='{key}']").tap()
    phone.unroute("**/*.wasm")  # releases the held requests
    wait_for_answer(phone)
    assert (phone.input_value("[name=roll]"), phone.input_value("[name=against]")) == ("3d8+2d6+d20+3", "12")
    for where, button_selector in ((DICE, ".dice-roll button"), ("", ".home__opening [type=submit]")):
        open_ready(phone, where)
        button = phone.locator(button_selector)
        button.tap()
        phone.wait_for_selector(ROLLED)
        expect(button).to_be_in_viewport(ratio=0.99)
        expect(phone.locator("[data-total]")).to_be_in_viewport(ratio=0.99)
    open_ready(phone, DICE)
    phone.locator("[data-add='d6']").tap()
    expect(phone.locator("[name=roll]")).to_have_value("d6")


READ_POSITIONS = """() => ["button.primary", "[data-total]"].map((place) => {
  const { left, top, bottom } = document.querySelector(`.calculator-dice ${place}`).getBoundingClientRect();
  return [left, top, bottom <= innerHeight];
})"""
"""The positions of Roll and the total, and whether they are on the screen."""


@pytest.mark.parametrize(("width", "height"), [(390, 664), (1280, 800), (1920, 1080)])
def test_roll_button_and_total_keep_their_position(page: Page, width: int, height: int) -> None:
    """Roll repeatedly while the history grows."""
    page.set_viewport_size({"width": width, "height": height})
    open_ready(page, DICE)
    before = page.evaluate(READ_POSITIONS)
    assert [each[2] for each in before] == [True, True]
    for number, notation in enumerate(("d20+5", "d20+5", "2d6", "12d6"), 1):
        roll_notation(page, notation)
        expect(page.locator(".calculator-history li")).to_have_count(number)
        after = page.evaluate(READ_POSITIONS)
        assert after[0] == pytest.approx(before[0], abs=1), notation  # px, of which scrolling has whole ones
        assert after[1][2], notation


def test_roll_in_a_rules_page_is_rolled_in_place_and_opens_in_dice(page: Page) -> None:
    """The page's roll has a button and a link, and no field."""
    open_ready(page, "rules/rolls/")
    place = page.locator("scratch-calculator").first
    assert place.get_by_role("textbox").count() == 0
    for _ in range(2):
        place.get_by_role("button", name="Mend the engine").click()
        wait_for_answer(page)
        expect(place.locator("[data-face]")).to_have_count(1)
    face = place.locator("[data-face]").get_attribute("data-face")
    page.goto(str(place.locator("a[data-share]").get_attribute("href")))
    wait_for_answer(page)
    assert read_faces(page) == [face]
    assert page.input_value("[name=roll]") == "d20+3[craftsmanship]"


def test_result_and_roll_button_share_the_screen_of_a_landscape_phone(page: Page) -> None:
    """Measure at 664 × 390 pixels."""
    page.set_viewport_size({"width": 664, "height": 390})
    open_ready(page, "tools/dice/?roll=d20%2B5&against=13")
    page.click(".dice-roll button")
    wait_for_answer(page)
    for place in (".dice-roll button", "[data-total]", ".dice__verdict", ".strip"):
        expect(page.locator(f"scratch-calculator {place}").first).to_be_in_viewport(ratio=0.98)  # scrolling is whole
    strip, field = (require(page.locator(place).first.bounding_box()) for place in (".strip", "[name=roll]"))
    assert strip["x"] + strip["width"] <= field["x"]
