"""How many taps common tasks take on a phone of 390 × 664 pixels.

Each limit is what a player would put up with at the table; where a task needs more, the page is to change.
"""

from playwright.sync_api import Page, expect

from scratch_core.calculators.shared.query import format_query
from tests.browser.navigation import visit
from tests.browser.pages.builder import Taps
from tests.browser.pages.calculator import is_uncovered, open_ready, wait_for_answer
from tests.browser.pages.fight import ADD, BEGIN, FIGHT, SHEETS, list_log_entries, read_hit_points
from tests.browser.pages.saved_entries import format_checkbox_selector, save_characters
from tests.support.states import build_fight_query


def test_fight_of_two_saved_and_three_cast_characters_takes_nine_taps(phone: Page) -> None:
    """The chooser continues with the other side and counts the selection."""
    save_characters(phone, "Ria", "Bo")
    open_ready(phone, FIGHT)
    tap = Taps(phone)

    def tap_and_check(place: str, button: str = "") -> None:
        tap(place)
        if button:
            expect(phone.locator(ADD)).to_have_text(button)
        wait_for_answer(phone)

    tap_and_check("[data-choose=us]", "Add to us")
    assert is_uncovered(phone.locator(ADD))
    tap_and_check(format_checkbox_selector("Ria"), "Add 1 to us")
    tap_and_check(format_checkbox_selector("Bo"), "Add 2 to us")
    tap_and_check(ADD, "Add to them")
    for count, name in enumerate(("Rat", "Thief", "Guard"), 1):
        tap_and_check(format_checkbox_selector(name), f"Add {count} to them")
    tap_and_check(ADD)
    expect(phone.locator(".chooser")).to_have_count(0)
    expect(phone.locator("[data-added]")).to_have_text("Rat, Thief and Guard added: 5 in the fight.")
    assert is_uncovered(phone.locator("[data-added]"))
    tap_and_check(BEGIN)
    assert set(read_hit_points(phone)) == {"ria", "bo", "guard", "rat", "thief"}
    assert tap.count <= 9


def test_ready_fight_begins_with_two_taps(phone: Page) -> None:
    """The set-up shows at most twelve controls on arrival."""
    open_ready(phone, FIGHT)
    controls = phone.locator("scratch-calculator :is(button, summary, a[href], input, select, textarea)")
    assert len([each for each in controls.all() if each.is_visible()]) <= 12
    tap = Taps(phone)
    tap("[name=act][value^=load]")
    wait_for_answer(phone)
    assert is_uncovered(phone.locator(BEGIN))
    tap(BEGIN)
    phone.wait_for_selector("[data-active]")
    assert tap.count == 2


def test_cover_takes_two_taps_in_a_fight_and_one_in_the_set_up(phone: Page) -> None:
    """Undo removes it."""
    open_ready(phone, f"{FIGHT}?{format_query({'sheets': SHEETS})}")
    tap = Taps(phone)
    tap("[data-surrounding=throwable]")
    wait_for_answer(phone)
    expect(phone.locator("[data-surrounding=throwable]")).to_have_attribute("aria-pressed", "true")
    assert tap.count == 1
    phone.click(BEGIN)
    phone.wait_for_selector("[data-active]")
    assert is_uncovered(phone.locator("[data-rolled]"))
    tap = Taps(phone)
    tap(".fight-table > summary")
    tap("[data-surrounding=cover]")
    wait_for_answer(phone)
    expect(phone.locator("[data-surrounding=cover]")).to_have_attribute("aria-pressed", "true")
    assert tap.count == 2
    phone.click("[data-undo]")
    expect(phone.locator("[data-surrounding=cover]")).to_have_attribute("aria-pressed", "false")


def test_roll_three_steps_back_is_changed_in_four_taps(phone: Page) -> None:
    """The taps are the line of the log, *Change roll* and *Apply*.

    The old version can be restored.
    """
    open_ready(phone, f"{FIGHT}#?{build_fight_query('first-fight', 6)}")
    tap = Taps(phone)
    tap("[data-entry='2'] .fight-log__line > summary")
    tap("[data-entry='2'] [data-change-roll]")
    expect(phone.locator("[name=changed_faces]")).to_be_focused()
    phone.fill("[name=changed_faces]", "1")
    tap("[data-entry='2'] [value='change-roll 2']")
    expect(phone.locator("[data-saved-versions]")).to_contain_text(
        "The fight from before you changed the roll is saved."
    )
    expect(phone.locator("[data-saved-versions]").get_by_role("button", name="Restore it")).to_be_visible()
    assert tap.count <= 4
    assert "fails to hold" in list_log_entries(phone)[1]


def test_initiative_is_seen_without_a_tap_when_a_fight_begins(phone: Page) -> None:
    """Who rolled what, and who goes first, is in view and uncovered."""
    open_ready(phone, f"{FIGHT}?{format_query({'sheets': SHEETS})}")
    phone.click(BEGIN)
    phone.wait_for_selector("[data-active]")
    rolled = phone.locator("[data-rolled]")
    expect(rolled).to_contain_text("goes first")
    expect(rolled).to_be_in_viewport(ratio=1)
    assert is_uncovered(phone.locator("[data-rolled]"))


def test_wounded_character_is_one_tap_from_home(phone: Page) -> None:
    """The sheet opens in play, also if a fight was saved later."""
    open_ready(phone, "tools/character/?name=Mira&toughness=4&fighting=2&at=play&play=hp%203")
    phone.locator("[name=do][value='hp 2']").first.tap()
    phone.wait_for_selector("scratch-calculator[data-durably-saved]")
    open_ready(phone, f"{FIGHT}?{format_query({'sheets': SHEETS})}")
    phone.click(BEGIN)
    phone.wait_for_selector("[data-active]")
    visit(phone, "")
    tap = Taps(phone)
    expect(phone.locator(".home__begin a", has_text="Mira, 2 of 4 hit points")).to_be_in_viewport(ratio=1)
    tap(".home__begin a:has-text('Mira')")
    expect(phone.locator("[data-hp-left]")).to_have_text("2")
    assert tap.count == 1
