"""An answer keeps the pressed control in its place, or scrolls its result into view."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from scratch_core.calculators.shared.query import format_query
from tests.browser.navigation import visit
from tests.browser.pages.builder import open_character, paste
from tests.browser.pages.calculator import FRAMES, PHONE, is_uncovered, open_ready, unfold, wait_for_answer
from tests.browser.pages.fight import ADD, FIGHT, RUNNING_FIGHT, SHEETS
from tests.browser.pages.saved_entries import choose, format_checkbox_selector, save_characters
from tests.browser.positions import DESK, LANDSCAPE, build_fight_address
from tests.support.states import STATES

ODDS = "tools/odds/?" + format_query(
    {
        "first_sheet": "Ida: small\n1 fighting\n2 toughness",
        "second_sheet": "Rook\nhp: 1\n1 fighting\n2 toughness",
        "begins": "second",
        "escape": "loss",
    }
)
ADA = "Ada\nside: us\nhp: 2\n4 toughness"
MAX_SHIFT = 25  # px
READ_POSITION = """(each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  const head = document.querySelector(".md-header").getBoundingClientRect().bottom;
  if (right <= 0 || left >= innerWidth || bottom <= head || top >= innerHeight) throw new Error("out of view");
  return [left, top];
}"""
SCROLL_TO_END = "(each) => { scrollTo(0, 0); each.scrollIntoView({ block: 'end', behavior: 'instant' }); }"
SCROLL_TO_CENTRE = "(each) => each.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })"

CHECK_UNCOVERED = """(each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  const [x, y] = [left + Math.min(width / 2, 40), top + Math.min(height / 2, 10)];
  const over = document.elementFromPoint(x, y);
  if (!each.contains(over)) throw new Error(`at ${x}, ${y} there is ${over?.outerHTML.slice(0, 100)}`);
}"""
"""Throws unless the beginning of an element is on the screen and uncovered."""

CHECK_WHOLE = """(each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  for (const y of [top + 2, top + height / 2, top + height - 2]) {
    const over = document.elementFromPoint(left + width / 2, y);
    if (!each.contains(over)) throw new Error(`at ${y} of ${innerHeight} there is ${over?.outerHTML.slice(0, 100)}`);
  }
}"""
"""Throws unless an element is on the screen and uncovered from beginning to end."""


def press_and_check_position(page: Page, selector: str) -> None:
    """Press an element in the middle of the screen, and check that it stays there."""
    pressed = page.locator(selector).first
    pressed.evaluate(SCROLL_TO_CENTRE)
    before = pressed.evaluate(READ_POSITION)
    pressed.click()
    wait_for_answer(page)
    page.evaluate(FRAMES)
    after = page.locator(selector).first.evaluate(READ_POSITION)
    assert after == pytest.approx(before, abs=MAX_SHIFT)


def test_saved_character_added_to_a_fight_is_announced_in_view(phone: Page) -> None:
    """A fight without characters can't begin, and the message has the focus.

    Ticking moves nothing in the chooser, which has the focus.
    """
    save_characters(phone, "Ria")
    open_ready(phone, FIGHT)
    phone.click("button[name=log][value=begin]")
    wait_for_answer(phone)
    expect(phone.locator(":focus")).to_contain_text(
        "The fight can’t begin yet. Fix this first: add a character to each side."
    )
    phone.locator(":focus").evaluate(READ_POSITION)
    for side, name in (("us", "Ria"), ("them", "Ria 2")):
        if not phone.locator(".chooser").count():
            phone.click(f"[data-choose={side}]")
        expect(phone.locator(":focus")).to_have_text("Add characters")
        press_and_check_position(phone, format_checkbox_selector("Ria"))
        phone.click(ADD)
        wait_for_answer(phone)
        assert name in phone.input_value("[name=sheets]")
    expect(phone.locator(":focus")).to_contain_text("Ria added: 2 in the fight.")
    phone.locator(":focus").evaluate(READ_POSITION)


def test_win_chances_of_a_fight_scroll_into_view(phone: Page) -> None:
    """The button that hides them has the focus."""
    open_ready(phone, RUNNING_FIGHT)
    ask = phone.locator("[name=act][value^=odds]")
    unfold(ask)
    ask.evaluate(SCROLL_TO_CENTRE)
    ask.click()
    wait_for_answer(phone)
    phone.locator(".fight-odds").evaluate(READ_POSITION)
    phone.locator(":focus").evaluate(READ_POSITION)
    expect(phone.locator(":focus")).to_have_text("Hide win chances")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_win_chances_of_a_set_up_appear_below_their_button(page: Page, size: ViewportSize) -> None:
    """They are above the bar that begins the fight."""
    page.set_viewport_size(size)
    open_ready(page, f"{FIGHT}?{format_query({'sheets': SHEETS})}")
    ask = page.get_by_role("button", name="Show win chances")
    ask.evaluate(SCROLL_TO_END)
    ask.click()
    wait_for_answer(page)
    page.locator(".fight-odds p").first.evaluate(CHECK_UNCOVERED)
    page.get_by_role("button", name="Hide win chances").evaluate(CHECK_UNCOVERED)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_set_up_with_an_error_shows_it_at_the_begin_button(page: Page, size: ViewportSize) -> None:
    """The message repeats the first problem."""
    page.set_viewport_size(size)
    open_ready(page, f"{FIGHT}?{format_query({'sheets': SHEETS, 'initiative': 'nobody 12'})}")
    begin = page.get_by_role("button", name="Begin the fight")
    begin.evaluate(SCROLL_TO_END)
    begin.click()
    wait_for_answer(page)
    problem = page.locator("[data-field=initiative]").inner_text()
    message = page.locator("[data-cannot-begin]")
    expect(message).to_contain_text("Fix this first: ")
    assert message.inner_text().partition("Fix this first: ")[2] in problem
    message.evaluate(CHECK_UNCOVERED)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_comparison_of_builds_scrolls_into_view(page: Page, size: ViewportSize) -> None:
    """Its table is uncovered."""
    page.set_viewport_size(size)
    open_ready(page, "tools/character/?name=Ann&toughness=3&shooting=2")
    page.locator(".builder__beside > summary").click()
    choose(page, "beside", "Ogre")
    page.locator("[data-builds] caption").evaluate(CHECK_UNCOVERED)
    expect(page.get_by_role("button", name="Update")).to_have_count(0)


@pytest.mark.parametrize(
    ("address", "which"),
    [("tools/board/?brush=pick&shape=square", 0), ("tools/odds/", 1), (FIGHT, 1), ("tools/character/", 0)],
    ids=["map", "odds", "fight", "builds"],
)
def test_closed_chooser_returns_the_focus_to_its_button_in_view(phone: Page, address: str, which: int) -> None:
    """Escape closes the chooser on a phone."""
    open_ready(phone, address)
    opener = phone.locator("[data-choose]").nth(which)
    unfold(opener)
    opener.evaluate(SCROLL_TO_CENTRE)
    opener.click()
    wait_for_answer(phone)
    phone.locator(".chooser [data-key=Escape]").click()
    expect(phone.locator(".chooser")).to_have_count(0)
    wait_for_answer(phone)
    expect(opener).to_be_focused()
    opener.evaluate(CHECK_UNCOVERED)


def test_replay_step_selected_in_a_long_log_stays_in_view(page: Page) -> None:
    """The log shows other steps around it."""
    page.set_viewport_size(DESK)
    open_ready(page, f"tools/replay/?{STATES['replay']['a long log']}")
    last = page.locator(".replay__log .replay__go").last
    step = last.get_attribute("value")
    last.evaluate(SCROLL_TO_CENTRE)
    last.click()
    wait_for_answer(page)
    page.evaluate(FRAMES)
    pressed = page.locator(f".replay__log .replay__go[value='{step}']")
    expect(pressed).to_be_focused()
    pressed.evaluate(CHECK_UNCOVERED)


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESK], ids=["phone", "on its side", "desk"])
def test_opened_fight_card_has_its_close_button_in_view(page: Page, size: ViewportSize) -> None:
    """No bar covers it, for any character."""
    page.set_viewport_size(size)
    open_ready(page, build_fight_address(6))
    for at in range(6):
        page.locator(".fight-people__look").nth(at).click()
        wait_for_answer(page)
        close = page.get_by_role("button", name="Close", exact=True)
        close.evaluate(CHECK_UNCOVERED)
        close.click()
        wait_for_answer(page)
        expect(page.locator(".fight-card")).to_have_count(0)


def test_long_fight_result_on_a_phone_is_not_cut(phone: Page) -> None:
    """Use long names."""
    names = ("Sir Galahad of the Northern Marches", "Lady Morgana of the Southern Reaches")
    sheets = "\n\n".join(f"{name}\nside: {name[:4]}\n2 fighting\n6 toughness" for name in names)
    open_ready(
        phone,
        f"{FIGHT}?" + format_query({"log": "begin", "sheets": sheets, "initiative": f"{names[0]} 15, {names[1]} 5"}),
    )
    phone.locator(".act-row > .act").first.click()
    wait_for_answer(phone)
    said = phone.locator("[data-last]")
    assert said.count() >= 1
    assert said.evaluate_all("(all) => all.every((each) => each.scrollHeight <= each.clientHeight + 1)")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_reinforcements_are_filtered_and_ticks_are_preserved(page: Page, size: ViewportSize) -> None:
    """Search in the chooser of a running fight."""
    page.set_viewport_size(size)
    open_ready(page, build_fight_address(4))
    button = page.locator("[data-choose=join]")
    unfold(button)
    button.click()
    wait_for_answer(page)
    page.click(format_checkbox_selector("Rat"))
    wait_for_answer(page)
    page.fill("[name=find]", "ogre")
    expect(page.locator(".chooser .name")).to_have_text(["Rat", "Ogre"])
    expect(page.locator("[name='tick.rat']")).to_be_checked()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_search_field_of_reinforcements_keeps_the_focus_while_typing(page: Page, size: ViewportSize) -> None:
    """It stays in view, and typing continues after an answer."""
    page.set_viewport_size(size)
    open_ready(page, build_fight_address(4))
    button = page.locator("[data-choose=join]")
    unfold(button)
    button.click()
    wait_for_answer(page)
    find = page.locator("[name=find]")
    find.click()
    page.keyboard.type("og")
    expect(page.locator(".chooser .name").filter(has_text="Rat")).to_have_count(0)
    wait_for_answer(page)
    page.evaluate(FRAMES)
    expect(find).to_be_focused()
    find.evaluate(CHECK_UNCOVERED)
    page.keyboard.type("re")
    expect(page.locator(".chooser .name")).to_have_text(["Ogre"])


def test_fight_bar_on_a_desktop_scrolls_behind_the_head(page: Page) -> None:
    """The name of the active character stays uncovered."""
    page.set_viewport_size(DESK)
    open_ready(page, build_fight_address(6))
    page.locator("details.fight-table").evaluate("(each) => (each.open = true)")
    page.evaluate("""() => {
      const top = (selector) => document.querySelector(selector).getBoundingClientRect().top;
      const head = document.querySelector(".md-header").getBoundingClientRect().bottom;
      scrollBy({ top: top(".fight-table") - head - 24, behavior: "instant" });
    }""")
    page.evaluate(FRAMES)
    foot, head = (page.locator(each).bounding_box() for each in (".fight-foot", ".fight-head"))
    assert foot["y"] + foot["height"] > head["y"], "the bar is behind the head"
    page.locator(".fight-now [data-active]").evaluate(CHECK_UNCOVERED)
    over = "([x, y]) => document.elementFromPoint(x, y).closest('.fight-head') !== null"
    assert page.evaluate(over, [head["x"] + head["width"] / 2, head["y"] + 4])


def test_win_chances_of_a_long_set_up_are_stopped_at_their_button(page: Page) -> None:
    """The calculation of win chances is stopped and continued at its button.

    A message stays on the page meanwhile.
    """
    page.set_viewport_size(DESK)
    guards = "\n\n".join(f"Guard {at}\n9 toughness\n1 fighting\n1 shooting" for at in range(1, 10))
    sheets = f"side: us\n\nAnn\n9 toughness\n2 fighting\n\nside: them\n\n{guards}"
    open_ready(page, f"{FIGHT}?" + format_query({"sheets": sheets}))
    page.locator("[name=act][value^='remove ']").last.click()
    wait_for_answer(page)
    expect(page.locator("[data-added]")).to_have_text("Guard 9 removed.")
    page.click("[value='odds on']")
    stop = page.locator("[data-stop-inline]")
    expect(stop).to_be_visible()
    expect(page.locator("[data-chances]")).to_be_visible()
    page.locator("[name=act][value^='remove ']").last.click()
    expect(page.locator("[data-added]")).to_have_text("Guard 8 removed.")
    expect(page.locator(".fight-odds .hint")).to_contain_text(re.compile("[2-9] simulated fights"))
    expect(page.locator("[data-added]")).to_have_text("Guard 8 removed.")
    stop.evaluate(CHECK_UNCOVERED)
    stop.click()
    wait_for_answer(page)
    expect(page.get_by_role("button", name="Keep calculating")).to_be_visible()
    expect(stop).to_be_hidden()


def test_long_option_of_a_select_is_cut_with_an_ellipsis(page: Page) -> None:
    """No text is below the arrow."""
    page.set_viewport_size(DESK)
    open_ready(page, FIGHT)
    styles = page.locator(".calculator select").evaluate_all("""(all) => all.map((each) => {
      const { textOverflow, paddingRight } = getComputedStyle(each);
      return [textOverflow, parseFloat(paddingRight) >= 20];
    })""")
    assert styles
    assert all(each == ["ellipsis", True] for each in styles)


@pytest.mark.parametrize("width", [390, 1280])
def test_choosing_a_target_moves_neither_mark_nor_actions(page: Page, width: int) -> None:
    """The pressed mark keeps the focus, and actions name the target."""
    page.set_viewport_size({"width": width, "height": 664})
    open_ready(page, build_fight_address(4))
    ring = page.locator(".fight-people__aim[aria-pressed=false]").last
    before, act = ring.bounding_box(), page.locator("[data-key='1']").bounding_box()
    ring.click()
    wait_for_answer(page)
    page.evaluate(FRAMES)
    pressed = page.locator(".fight-people__aim[aria-pressed=true]")
    expect(pressed).to_be_focused()
    assert (pressed.bounding_box(), page.locator("[data-key='1']").bounding_box()) == (before, act)
    expect(page.locator("[data-key='1']")).to_have_attribute("data-target", str(pressed.get_attribute("data-add")))


def test_continued_answer_keeps_the_pressed_button_in_place(page: Page) -> None:
    """A button disabled by its press passes the focus to its neighbour."""
    open_ready(page, ODDS)
    page.click("[data-levels] > summary")
    press_and_check_position(page, "[aria-label='Rook: +1 craftsmanship']")
    page.click("[aria-label='Rook: −1 craftsmanship']")
    wait_for_answer(page)
    page.evaluate(FRAMES)
    expect(page.locator("[aria-label='Rook: −1 craftsmanship']")).to_be_disabled()
    expect(page.locator(":focus")).to_have_attribute("aria-label", "Rook: +1 craftsmanship")


@pytest.mark.parametrize(
    ("address", "pressed"),
    [
        ("tools/replay/?scenario=worked-combat&step=3", ".replay__what-if button"),
        ("tools/dice/?roll=12d6", "scratch-calculator form [type=submit]"),
    ],
    ids=["another face in the replay", "dice"],
)
def test_pressed_button_stays_in_place_below_a_changed_answer(phone: Page, address: str, pressed: str) -> None:
    """Press on a phone."""
    open_ready(phone, address)
    press_and_check_position(phone, pressed)


def test_slow_press_next_to_a_focused_button_counts_once(page: Page) -> None:
    """“Empty” starts an empty character."""
    open_character(page)
    paste(page, "Ria\n3 shooting\n2 toughness")
    wait_for_answer(page)
    page.get_by_role("button", name="Convert to levels").click()
    wait_for_answer(page)
    page.keyboard.press("Tab")
    page.locator("form [type=submit]:visible").first.focus()
    page.locator(".start-from > summary").click()
    page.hover("[name=start][value=empty]")
    page.mouse.down()
    page.evaluate(FRAMES)
    page.mouse.up()
    page.wait_for_selector(".paper-blank", state="attached")
    assert page.input_value("[name=name]") == ""
    assert page.input_value("[name=shooting]") in ("", "0")


@pytest.mark.parametrize(
    ("address", "pressed", "result"),
    [
        ("tools/board/", "[data-map=cavern]", ".board-scroll, .board-problems"),
        ("tools/replay/?scenario=worked-combat&step=3", ".delete-step", ".replay-place"),
    ],
    ids=["another map", "a step deleted"],
)
def test_result_above_its_button_scrolls_into_view(phone: Page, address: str, pressed: str, result: str) -> None:
    """Choose a map or delete a replay step on a phone."""
    open_ready(phone, address)
    button = phone.locator(pressed)
    unfold(button)
    button.evaluate(SCROLL_TO_CENTRE)
    button.click()
    wait_for_answer(phone)
    phone.locator(result).first.evaluate(CHECK_UNCOVERED)


def test_pressed_surroundings_button_keeps_position_and_focus(phone: Page) -> None:
    """It is in a fold below a fight."""
    open_ready(phone, RUNNING_FIGHT)
    unfold(phone.locator("[data-surrounding=cover]"))
    press_and_check_position(phone, "[data-surrounding=cover]")
    expect(phone.locator("[data-surrounding=cover]")).to_be_focused()


def test_confirmed_house_rules_leave_the_focus_in_view(phone: Page) -> None:
    """The first control of the answer has the focus."""
    phone.goto("tools/house/?cp=14")  # by a link from elsewhere: one of this site asks nothing
    wait_for_answer(phone)
    phone.get_by_role("button", name="Use these house rules").click()
    expect(phone.locator(".calculator-body :focus")).to_be_in_viewport()


def test_roll_of_a_sheet_shows_its_whole_result_above_the_button(phone: Page) -> None:
    """Scroll to several positions of the sheet before the roll."""
    open_character(phone, "name=Ria&toughness=4&fighting=4&quickness=2&at=play")
    for count, top in enumerate((0, 60, 140), 1):
        phone.evaluate("(top) => scrollTo({ top, behavior: 'instant' })", top)
        box = phone.locator("[value=roll]").bounding_box()
        assert box
        phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        phone.wait_for_function(
            "(count) => document.querySelector('[name=play]').value.split('roll ').length > count", arg=count
        )
        wait_for_answer(phone)
        phone.locator(".play-last:not(.play-none)").evaluate(CHECK_WHOLE)


def test_qr_code_scrolls_into_view_whole(phone: Page) -> None:
    """Local addresses have no code, so a sentence of the same height replaces it."""
    open_ready(phone, RUNNING_FIGHT)
    phone.evaluate(
        """() => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(".fight-code { min-height: 300px }");
          document.adoptedStyleSheets.push(sheet);
        }"""
    )
    for button in ("[data-screen-on]", "[data-screen-code]"):
        pressed = phone.locator(button)
        unfold(pressed)
        pressed.evaluate(SCROLL_TO_END)
        pressed.click()
        wait_for_answer(phone)
    phone.locator(".fight-screen .fight-code").evaluate(CHECK_WHOLE)


def test_set_up_on_a_phone_shows_the_hit_points_left(phone: Page) -> None:
    """A row has boxes and hit points, also if some are lost."""
    open_ready(phone, f"{FIGHT}?{format_query({'sheets': ADA})}")
    expect(phone.locator("[data-ready] .person__figures").first).to_be_visible()
    expect(phone.locator("[data-ready] .person__figures").first).to_contain_text("2 of 4 HP")


def test_switch_of_the_colours_does_not_scroll_a_fight(phone: Page) -> None:
    """The hidden control that gets the focus is not at the end of the page."""
    open_ready(phone, RUNNING_FIGHT)
    phone.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    phone.locator("[data-md-component=palette] label:visible").tap()
    assert phone.evaluate("document.activeElement.className") == "md-option"
    assert phone.evaluate("scrollY") == 0


def test_link_to_the_latest_character_opens_its_sheet_at_the_top(phone: Page) -> None:
    """The position of the home page, which was scrolled, doesn't count."""
    save_characters(phone, "Mira")
    visit(phone, "")
    link = phone.locator(".home__begin .primary", has_text="Mira")
    link.evaluate("(link) => scrollBy({ top: link.getBoundingClientRect().top - 100, behavior: 'instant' })")
    link.tap()
    phone.wait_for_selector("[data-hp-left]")
    wait_for_answer(phone)
    phone.wait_for_function("() => scrollY === 0")


def test_own_roll_with_large_text_leaves_the_end_of_the_turn_uncovered(phone: Page) -> None:
    """The fields open above all rows of the bar."""
    open_ready(phone, RUNNING_FIGHT)
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    phone.click(".fight-foot__own-dice")
    expect(phone.locator("[name=faces]")).to_be_visible()
    assert is_uncovered(phone.locator("[name=faces]"))
    assert is_uncovered(phone.locator("[data-action=end-turn]"))
