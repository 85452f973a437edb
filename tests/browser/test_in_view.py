"""An answer leaves what was pressed where it was, or brings what it has to say into view."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from scratch_core.calculators.shared.query import format_query
from tests.browser.pages.builder import open_character, paste
from tests.browser.pages.calculator import FRAMES, PHONE, open_ready, settled, unfold
from tests.browser.pages.fight import ADD, BEGUN, FIGHT, SHEETS
from tests.browser.pages.kept import choose, keep, ticked
from tests.browser.positions import DESK, LANDSCAPE, fight_of
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
STILL = 25  # px
PLACE = """(each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  const head = document.querySelector(".md-header").getBoundingClientRect().bottom;
  if (right <= 0 || left >= innerWidth || bottom <= head || top >= innerHeight) throw new Error("out of view");
  return [left, top];
}"""
AT_THE_END = "(each) => { scrollTo(0, 0); each.scrollIntoView({ block: 'end', behavior: 'instant' }); }"
CENTRED = "(each) => each.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })"

READ = """(each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  const [x, y] = [left + Math.min(width / 2, 40), top + Math.min(height / 2, 10)];
  const over = document.elementFromPoint(x, y);
  if (!each.contains(over)) throw new Error(`at ${x}, ${y} there is ${over?.outerHTML.slice(0, 100)}`);
}"""
"""Fails unless the beginning of an element is on the screen, covered by nothing."""

READ_WHOLE = """(each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  for (const y of [top + 2, top + height / 2, top + height - 2]) {
    const over = document.elementFromPoint(left + width / 2, y);
    if (!each.contains(over)) throw new Error(`at ${y} of ${innerHeight} there is ${over?.outerHTML.slice(0, 100)}`);
  }
}"""
"""Fails unless an element is on the screen from its beginning to its end, covered by nothing."""


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
    """With no one in it a fight is turned back, and the sentence has the focus, not covered by anything.

    The chooser is in view and has the focus, ticking moves nothing, and who came in is said there.
    """
    keep(phone, "Ria")
    open_ready(phone, FIGHT)
    phone.click("button[name=log][value=begin]")
    settled(phone)
    expect(phone.locator(":focus")).to_contain_text(
        "The fight can’t begin yet. Fix this first: add a character to each side."
    )
    phone.locator(":focus").evaluate(PLACE)
    for side, name in (("us", "Ria"), ("them", "Ria 2")):
        if not phone.locator(".chooser").count():
            phone.click(f"[data-choose={side}]")
        expect(phone.locator(":focus")).to_have_text("Add characters")
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
    expect(phone.locator(":focus")).to_have_text("Hide win chances")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_set_up_asked_how_hard_it_is_answers_at_the_button(page: Page, size: ViewportSize) -> None:
    """The chances stand right below the button that asked for them, above the bar that begins the fight."""
    page.set_viewport_size(size)
    open_ready(page, f"{FIGHT}?{format_query({'sheets': SHEETS})}")
    ask = page.get_by_role("button", name="Show win chances")
    ask.evaluate(AT_THE_END)
    ask.click()
    settled(page)
    page.locator(".fight-odds p").first.evaluate(READ)
    page.get_by_role("button", name="Hide win chances").evaluate(READ)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_set_up_with_an_error_begun_tells_it_at_the_button(page: Page, size: ViewportSize) -> None:
    """What is to be fixed first is said where *Begin the fight* was pressed."""
    page.set_viewport_size(size)
    open_ready(page, f"{FIGHT}?{format_query({'sheets': SHEETS, 'initiative': 'nobody 12'})}")
    begin = page.get_by_role("button", name="Begin the fight")
    begin.evaluate(AT_THE_END)
    begin.click()
    settled(page)
    problem = page.locator("[data-field=initiative]").inner_text()
    told = page.locator("[data-turned-back]")
    expect(told).to_contain_text("Fix this first: ")
    assert told.inner_text().partition("Fix this first: ")[2] in problem
    told.evaluate(READ)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_builds_compared_what_differs_is_in_view(page: Page, size: ViewportSize) -> None:
    """*Compare* shows the table, and nothing that is hidden otherwise."""
    page.set_viewport_size(size)
    open_ready(page, "tools/character/?name=Ann&toughness=3&shooting=2")
    page.locator(".beside > summary").click()
    choose(page, "beside", "Ogre")
    page.locator("[data-builds] caption").evaluate(READ)
    expect(page.get_by_role("button", name="Update")).to_have_count(0)


@pytest.mark.parametrize(
    ("address", "which"),
    [("tools/board/?brush=pick&shape=square", 0), ("tools/odds/", 1), (FIGHT, 1), ("tools/character/", 0)],
    ids=["map", "odds", "fight", "builds"],
)
def test_chooser_closed_gives_the_focus_back_in_view(phone: Page, address: str, which: int) -> None:
    """On a phone the button that opened the sheet has the focus again, covered by nothing."""
    open_ready(phone, address)
    opener = phone.locator("[data-choose]").nth(which)
    unfold(opener)
    opener.evaluate(CENTRED)
    opener.click()
    settled(phone)
    phone.locator(".chooser [data-key=Escape]").click()
    expect(phone.locator(".chooser")).to_have_count(0)
    settled(phone)
    expect(opener).to_be_focused()
    opener.evaluate(READ)


def test_replay_step_far_down_a_long_log_stays_in_view(page: Page) -> None:
    """The step that is pressed keeps the focus, though the log then shows other steps around it."""
    page.set_viewport_size(DESK)
    open_ready(page, f"tools/replay/?{STATES['replay']['a long log']}")
    last = page.locator(".log .go").last
    step = last.get_attribute("value")
    last.evaluate(CENTRED)
    last.click()
    settled(page)
    page.evaluate(FRAMES)
    pressed = page.locator(f".log .go[value='{step}']")
    expect(pressed).to_be_focused()
    pressed.evaluate(READ)


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESK], ids=["phone", "on its side", "desk"])
def test_fight_card_opened_is_closed_without_scrolling(page: Page, size: ViewportSize) -> None:
    """Beside the name of everyone's card its own *Close* is in view, and no bar lies over it."""
    page.set_viewport_size(size)
    open_ready(page, fight_of(6))
    for at in range(6):
        page.locator(".look").nth(at).click()
        settled(page)
        close = page.get_by_role("button", name="Close", exact=True)
        close.evaluate(READ)
        close.click()
        settled(page)
        expect(page.locator(".fight-card")).to_have_count(0)


def test_fight_result_of_many_words_is_read_whole(phone: Page) -> None:
    """On a phone the last result is all there, however long the names are."""
    names = ("Sir Galahad of the Northern Marches", "Lady Morgana of the Southern Reaches")
    sheets = "\n\n".join(f"{name}\nside: {name[:4]}\n2 fighting\n6 toughness" for name in names)
    open_ready(
        phone,
        f"{FIGHT}?" + format_query({"log": "begin", "sheets": sheets, "initiative": f"{names[0]} 15, {names[1]} 5"}),
    )
    phone.locator(".act-row > .act").first.click()
    settled(phone)
    said = phone.locator("[data-last]")
    assert said.count() >= 1
    assert said.evaluate_all("(all) => all.every((each) => each.scrollHeight <= each.clientHeight + 1)")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_reinforcements_looked_for_are_filtered(page: Page, size: ViewportSize) -> None:
    """*Find* among those who may join a running fight leaves those with that name, and keeps what is ticked."""
    page.set_viewport_size(size)
    open_ready(page, fight_of(4))
    button = page.locator("[data-choose=join]")
    unfold(button)
    button.click()
    settled(page)
    page.click(ticked("Rat"))
    settled(page)
    page.fill("[name=find]", "ogre")
    expect(page.locator(".chooser .name")).to_have_text(["Rat", "Ogre"])
    expect(page.locator("[name='tick.rat']")).to_be_checked()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_typing_a_reinforcements_name_keeps_the_field(page: Page, size: ViewportSize) -> None:
    """The answer to what is typed in *Find* leaves it in view with the focus, and more is typed there."""
    page.set_viewport_size(size)
    open_ready(page, fight_of(4))
    button = page.locator("[data-choose=join]")
    unfold(button)
    button.click()
    settled(page)
    find = page.locator("[name=find]")
    find.click()
    page.keyboard.type("og")
    expect(page.locator(".chooser .name").filter(has_text="Rat")).to_have_count(0)
    settled(page)
    page.evaluate(FRAMES)
    expect(find).to_be_focused()
    find.evaluate(READ)
    page.keyboard.type("re")
    expect(page.locator(".chooser .name")).to_have_text(["Ogre"])


def test_the_bar_of_a_fight_goes_by_below_its_head(page: Page) -> None:
    """On a desk, scrolled to what is below the bar with *Undo*, the name of whose turn it is is read whole."""
    page.set_viewport_size(DESK)
    open_ready(page, fight_of(6))
    page.locator("details.fight-table").evaluate("(each) => (each.open = true)")
    page.evaluate("""() => {
      const top = (selector) => document.querySelector(selector).getBoundingClientRect().top;
      const head = document.querySelector(".md-header").getBoundingClientRect().bottom;
      scrollBy({ top: top(".fight-table") - head - 24, behavior: "instant" });
    }""")
    page.evaluate(FRAMES)
    foot, head = (page.locator(each).bounding_box() for each in (".fight-foot", ".fight-head"))
    assert foot["y"] + foot["height"] > head["y"], "the bar is behind the head"
    page.locator(".fight-now [data-active]").evaluate(READ)
    over = "([x, y]) => document.elementFromPoint(x, y).closest('.fight-head') !== null"
    assert page.evaluate(over, [head["x"] + head["width"] / 2, head["y"] + 4])


def test_win_chances_of_a_long_set_up_are_stopped_where_they_are_asked_for(page: Page) -> None:
    """*Stop* is beside *Hide win chances* while they are worked out, and then what goes on with it; a message stays."""
    page.set_viewport_size(DESK)
    guards = "\n\n".join(f"Guard {at}\n9 toughness\n1 fighting\n1 shooting" for at in range(1, 10))
    sheets = f"side: us\n\nAnn\n9 toughness\n2 fighting\n\nside: them\n\n{guards}"
    open_ready(page, f"{FIGHT}?" + format_query({"sheets": sheets}))
    page.locator("[name=act][value^='remove']").last.click()
    settled(page)
    expect(page.locator("[data-added]")).to_have_text("Guard 9 removed.")
    page.click("[value='odds on']")
    stop = page.locator("[data-rests]")
    expect(stop).to_be_visible()
    expect(page.locator("[data-chances]")).to_be_visible()
    page.locator("[name=act][value^='remove']").last.click()
    expect(page.locator("[data-added]")).to_have_text("Guard 8 removed.")
    expect(page.locator(".fight-odds .hint")).to_contain_text(re.compile("[2-9] simulated fights"))
    expect(page.locator("[data-added]")).to_have_text("Guard 8 removed.")
    stop.evaluate(READ)
    stop.click()
    settled(page)
    expect(page.get_by_role("button", name="Keep calculating")).to_be_visible()
    expect(stop).to_be_hidden()


def test_a_choice_of_many_words_ends_before_its_arrow(page: Page) -> None:
    """What is too long for a list of choices is cut with an ellipsis, and none of it is under the arrow."""
    page.set_viewport_size(DESK)
    open_ready(page, "tools/character/")
    styles = page.locator(".calculator select").evaluate_all("""(all) => all.map((each) => {
      const { textOverflow, paddingRight } = getComputedStyle(each);
      return [textOverflow, parseFloat(paddingRight) >= 20];
    })""")
    assert styles
    assert all(each == ["ellipsis", True] for each in styles)


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
    page.get_by_role("button", name="Convert to levels").click()
    settled(page)
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
def test_result_above_the_button_comes_into_view(phone: Page, address: str, pressed: str, result: str) -> None:
    """On a phone the map that was chosen is seen, and the step that is shown after one is deleted."""
    open_ready(phone, address)
    button = phone.locator(pressed)
    unfold(button)
    button.evaluate(CENTRED)
    button.click()
    settled(phone)
    phone.locator(result).first.evaluate(READ)


def test_surroundings_pressed_stay_where_they_were(phone: Page) -> None:
    """Pressed in the fold below a fight, the button stays under the finger, with the focus."""
    open_ready(phone, BEGUN)
    unfold(phone.locator("[data-surrounding=cover]"))
    press(phone, "[data-surrounding=cover]")
    expect(phone.locator("[data-surrounding=cover]")).to_be_focused()


def test_house_rules_of_a_link_taken_leave_the_focus_in_view(phone: Page) -> None:
    """When the question has gone, the focus is on the first control of the answer."""
    phone.goto("tools/house/?cp=14")  # by a link from elsewhere: one of this site asks nothing
    settled(phone)
    phone.get_by_role("button", name="Use these house rules").click()
    expect(phone.locator(".calculator-body :focus")).to_be_in_viewport()


def test_result_of_a_roll_is_read_whole_above_the_button_of_a_phone(phone: Page) -> None:
    """However far the sheet is scrolled when the roll under the thumb is pressed, no line of the result is covered."""
    open_character(phone, "name=Ria&toughness=4&fighting=4&quickness=2&at=play")
    for count, top in enumerate((0, 60, 140), 1):
        phone.evaluate("(top) => scrollTo({ top, behavior: 'instant' })", top)
        box = phone.locator("[value=roll]").bounding_box()
        assert box
        phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        phone.wait_for_function(
            "(count) => document.querySelector('[name=play]').value.split('roll ').length > count", arg=count
        )
        settled(phone)
        phone.locator(".play-last:not(.play-none)").evaluate(READ_WHOLE)


def test_code_for_phones_comes_into_view_whole(phone: Page) -> None:
    """*Show QR code for phones* brings the code between the bars of the screen.

    No code is drawn at an address of this device alone, so the sentence in its place is made as high as one.
    """
    open_ready(phone, BEGUN)
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
        pressed.evaluate(AT_THE_END)
        pressed.click()
        settled(phone)
    phone.locator(".fight-screen .fight-code").evaluate(READ_WHOLE)


def test_set_up_on_a_phone_shows_the_hit_points_left(phone: Page) -> None:
    """A row of the set-up has its boxes and its hit points, also where some are lost."""
    open_ready(phone, f"{FIGHT}?{format_query({'sheets': ADA})}")
    expect(phone.locator("[data-ready] .person-figures").first).to_be_visible()
    expect(phone.locator("[data-ready] .person-figures").first).to_contain_text("2 of 4 HP")
