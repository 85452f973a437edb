"""The character builder on a phone and a desktop: counted taps, stable layout, printing."""

import re

from playwright.sync_api import Page, expect

from scratch_core.calculators.character import view
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.cast import CAST
from scratch_core.rulebook.abilities import ABILITY_NAMES
from tests.browser.navigation import visit
from tests.browser.pages.builder import CHARACTER, Taps, open_character, paste
from tests.browser.pages.calculator import open_ready, read_figure, read_share_link, tap, wait_for_answer
from tests.browser.pages.saved_entries import choose, read_saved_characters, save_characters
from tests.browser.pdf import list_page_texts
from tests.support.states import STATES

FIFTEEN = format_query({"name": "Everything", **dict.fromkeys(ABILITY_NAMES, "4"), "cp": "60"})


def test_new_character_with_ten_points_takes_at_most_20_taps(phone: Page) -> None:
    """A new character takes at most 20 taps from the home page.

    It is saved under a suggested name.
    """
    tap = start_character(phone, "empty")
    for name, level in {"toughness": 4, "shooting": 3, "detection": 2, "stealth": 1}.items():
        for _ in range(level):
            tap(f"[data-step='1'][data-control={name}]")
    expect(phone.locator(".builder__points")).to_have_text("0 points left")
    wait_for_answer(phone)
    assert phone.locator("[data-problem].problem-error").count() == 0
    assert tap.count <= 20
    assert phone.get_attribute("[name=name]", "placeholder") == "Sturdy archer"
    expect(phone.locator(".calculator-saved__now")).to_have_text("Sturdy archer")
    expect(phone.locator(".is-saved")).to_have_text("Saved on this device")
    expect(phone.locator(".is-saved")).to_be_visible()
    ((name, query),) = read_saved_characters(phone).items()
    assert name == "Sturdy archer"
    assert phone.url.endswith(query)


def test_archetype_takes_at_most_8_taps_and_a_fight_4_more(phone: Page) -> None:
    """Move one level, and begin a fight with a rat."""
    tap = start_character(phone, "duellist")
    assert not phone.locator(".start-from").evaluate("(details) => details.open")
    tap("[data-step='-1'][data-control=acrobatics]")
    tap("[data-step='1'][data-control=detection]")
    expect(phone).to_have_url(re.compile(r"(?=.*detection=1)(?=.*acrobatics=1)"))
    wait_for_answer(phone)
    assert read_figure(phone, "cp") == "10"
    assert tap.count <= 8
    assert list(read_saved_characters(phone)) == ["Duellist"]
    before = tap.count
    tap(".play__opponent > summary")
    tap("a[data-opponent=rat]")
    phone.wait_for_url("**/tools/fight/**")
    wait_for_answer(phone)
    expect(phone.get_by_role("button", name="Begin the fight")).to_be_in_viewport(ratio=0.99)
    tap("role=button[name='Begin the fight']")
    expect(phone.locator("[data-hp]").first).to_be_visible()
    assert tap.count - before <= 4
    assert {"Duellist", "Rat"} <= {
        each.strip() for each in phone.locator("[data-fighter] .person__name").all_inner_texts()
    }


def start_character(phone: Page, kind: str) -> Taps:
    """Start a character from the home page, and return the tap counter.

    It starts as an archetype or empty.
    """
    visit(phone, "")
    tap = Taps(phone)
    tap("a.home__door[href*='tools/character']")
    wait_for_answer(phone)
    tap(".start-from > summary")
    tap(f"button[name=start][value={kind}]")
    wait_for_answer(phone)
    return tap


COUNT_VISIBLE_ROWS = """(bar) => {
  document.querySelector(".group-attack").scrollIntoView({ block: "start", behavior: "instant" });
  scrollBy({ top: -bar.getBoundingClientRect().bottom, behavior: "instant" });
  const top = bar.getBoundingClientRect().bottom;
  const isSeen = ({ top: from, bottom: to }) => from >= top - 1 && to <= innerHeight;
  return [...document.querySelectorAll(".field-level")].filter((row) => isSeen(row.getBoundingClientRect())).length;
}"""


READ_ROW_POSITIONS = (
    "[...document.querySelectorAll('.field-level')].map((row) => Math.round(row.getBoundingClientRect().top + scrollY))"
)
"""The positions of the rows of abilities."""


def test_points_and_figures_stay_in_view_and_rows_keep_their_position(phone: Page) -> None:
    """The bar is sticky and leaves six rows visible, except on low screens.

    A row shows what its next level brings when it is pressed. Problems have reserved space.
    """
    open_character(phone, "toughness=4&healing=2")
    before = phone.evaluate(READ_ROW_POSITIONS)
    expect(phone.locator(".builder__gain:visible")).to_have_count(0)
    phone.tap("[data-step='1'][data-control=shooting]")
    expect(phone.locator(".builder__gain:visible")).to_have_text(["+1: shooting +2."])
    assert phone.evaluate(READ_ROW_POSITIONS) == before
    phone.fill("[name=shooting]", "5")
    expect(phone.locator("[data-problem][data-field=shooting]")).to_contain_text("maximum level, 4")
    expect(phone.locator("[data-problem][data-field=cp]").first).to_contain_text("1 point over")
    assert phone.evaluate(READ_ROW_POSITIONS) == before
    bar = phone.locator(".builder__bar")
    for name in ("toughness", "swimming", "command"):
        phone.locator(f".field-{name}").scroll_into_view_if_needed()
        expect(bar).to_be_in_viewport(ratio=0.99)
    assert bar.evaluate(COUNT_VISIBLE_ROWS) >= 6
    phone.set_viewport_size({"width": 664, "height": 390})
    assert bar.evaluate("(bar) => getComputedStyle(bar).position") == "static"


def test_random_character_is_legal_and_undone_and_quick_taps_all_count(page: Page) -> None:
    """Press several buttons while an answer is pending."""
    open_character(page, "toughness=3&name=Ria")
    for _ in range(2):
        tap(page, "button[name=start][value=chance]")
        expect(page.locator(".builder__points")).to_have_text("0 points left")
        assert page.input_value("[name=name]") != "Ria"
    for _ in range(2):
        tap(page, "[data-back]")
    assert (page.input_value("[name=name]"), page.input_value("[name=toughness]")) == ("Ria", "3")
    page.evaluate(
        """() => {
          const button = (by) => document.querySelector(`[data-step="${by}"][data-control=shooting]`);
          for (const by of [1, 1, 1, -1]) button(by).click();
        }"""
    )
    expect(page.locator(".builder__points")).to_have_text("5 points left")
    assert page.input_value("[name=shooting]") == "2"


def build_member_query(own_id: str) -> str:
    """Return the query that opens a member of the cast as levels."""
    return view(parse_query(f"start={own_id}")).query


FILL_FORM = """(query) => {
  const [form, params] = [document.querySelector("form.calculator"), new URLSearchParams(query)];
  for (const control of form.querySelectorAll("input:not([type=checkbox]), textarea")) {
    control.value = params.get(control.name) ?? "";
  }
  form.requestSubmit();
}"""
A4_WIDTH = 794
"""CSS pixels; a printed page is narrower by its margins, for every sheet alike."""


def is_sheet_alone(page: Page) -> bool:
    """Return whether the sheet is the only visible part in print."""
    gone = (".md-header", ".builder__starts", ".builder__bar", ".calculator-fields", ".play__opponent", ".md-footer")
    return page.locator("[data-paper]").is_visible() and all(page.locator(each).first.is_hidden() for each in gone)


def print_pages(page: Page) -> list[list[str]]:
    """Return the texts of the printed pages on A4 and on Letter."""
    return [list_page_texts(page.pdf(format=size)) for size in ("A4", "Letter")]


MEASURE_FILLED_PART = """() => [...document.querySelectorAll("[data-paper] > :not(.paper-notes)")]
  .reduce((sum, each) => sum + each.getBoundingClientRect().height, 0)"""
"""Returns the height of all parts of the sheet but the notes, which take the rest of the page."""


def test_character_sheet_fills_one_page(page: Page) -> None:
    """Check the cast, all fifteen abilities and a blank sheet, on A4 and Letter.

    All are measured in the print layout, and the shortest and the tallest ones are printed.
    """
    page.set_viewport_size({"width": A4_WIDTH, "height": 1000})
    open_character(page)
    sheets = {**{member.id: build_member_query(member.id) for member in CAST}, "all-fifteen": FIFTEEN}
    high: dict[str, float] = {}
    page.emulate_media(media="print")
    for name, query in sheets.items():
        page.evaluate(FILL_FORM, query)
        wait_for_answer(page)
        assert is_sheet_alone(page), name
        assert page.locator("[data-paper]").bounding_box()["height"] >= 990, name
        high[name] = page.evaluate(MEASURE_FILLED_PART)
    assert len(set(high.values())) > 5, "sheets of many heights"
    shortest, *_, third, second, tallest = sorted(high, key=high.__getitem__)
    for name in (shortest, third, second, tallest):
        page.evaluate(FILL_FORM, sheets[name])
        wait_for_answer(page)
        for pages in print_pages(page):
            (text,) = pages
            assert text.startswith(page.inner_text(".paper-name")), name
            assert re.search("Abilities .* You carry .* What you can do .* Nothing free", text), (name, text)
            assert "Notes" in text, name
            assert "Start from" not in text, name
    page.emulate_media(media="null")
    open_character(page, "cp=10")
    tap(page, "button[name=start][value=empty]")
    page.wait_for_selector(".paper-blank", state="attached")
    wait_for_answer(page)
    for pages in print_pages(page):
        (text,) = pages
        assert re.search("^Name Points .* Abilities .* Notes$", text), text


def test_compared_builds_show_their_differences(page: Page) -> None:
    """Differences follow changes, and the comparison can be removed."""
    save_characters(page, "Bo", toughness="3")
    open_ready(page, f"{CHARACTER}?name=Ann&toughness=3&shooting=2")
    choose(page, "beside", "Bo")
    expect(page.locator("[data-differs]")).to_have_count(2)
    expect(page.locator("[data-differs=shooting]")).to_contain_text("2")
    page.click("[data-step='1'][data-control=shooting]")
    expect(page.locator("[data-differs=points] td").first).to_have_text("6")
    tap(page, "button[name=beside]")
    expect(page.locator("[data-builds]")).to_have_count(0)


# On a desktop, and in the rules

FLIPFIRE = """Flipfire (11 agility, 11 intelligence, 12 strength, 2 stamina): medic
2 shooting: carbine
1 healing
2 fighting
1 acrobatics
4 toughness"""


def test_typed_and_stepped_levels_update_figures_without_a_submit(page: Page) -> None:
    """The address follows, too."""
    open_ready(page, CHARACTER)
    for ability in ("shooting", "healing", "detection", "toughness"):
        page.fill(f"[name={ability}]", "")
    for ability, level in {"acrobatics": "2", "quickness": "3", "toughness": "4"}.items():
        page.fill(f"[name={ability}]", level)
    expect(page.locator("[data-figure=agility]")).to_have_text("13")  # def.agility.illustration
    expect(page.locator("[data-figure=strength]")).to_have_text("11")  # 7 + toughness 4
    expect(page.locator("[data-figure=cp]")).to_have_text("9")
    assert "quickness=3" in page.url
    for step in ("1", "1", "1", "-1"):
        page.click(f"[data-step='{step}'][data-control=shooting]")
    expect(page.locator("[data-figure=cp]")).to_have_text("11")
    assert page.input_value("[name=shooting]") == "2"


def test_pasted_stat_block_shows_figures_and_the_printed_error(page: Page) -> None:
    """The figures are computed by the rules."""
    open_ready(page, CHARACTER)
    paste(page, FLIPFIRE)
    expect(page.locator("[data-figure=agility]")).to_have_text("11")
    assert {name: read_figure(page, name) for name in ("strength", "cp")} == {"strength": "11", "cp": "10"}
    expect(page.locator("[data-audit=strength]")).to_contain_text("12")
    assert page.locator("[data-problem].problem-error").count() == 0


def test_share_link_opens_the_same_character_in_another_profile(page: Page, other: Page) -> None:
    """Minions and command are part of the link, which opens the sheet in play."""
    open_ready(page, f"{CHARACTER}?name=The%20Boss&command=4&detection=1&shooting=2&toughness=3&minions=2%20toughness")
    assert read_figure(page, "intelligence") == "14"  # K02: command counts
    open_ready(other, read_share_link(page))
    tap(other, "[name=do][value=build]")
    assert read_figure(other, "intelligence") == "14"
    assert read_share_link(other).startswith(read_share_link(page))  # the sheet in play adds the roll that it suggests


def test_calculator_in_the_rules_answers_and_keeps_the_address(page: Page) -> None:
    """Use the defences preset."""
    visit(page, "rules/defences/")
    calculator = page.locator("scratch-calculator").first
    calculator.scroll_into_view_if_needed()
    expect(calculator).to_have_attribute("data-state", "ready")
    calculator.locator(".builder__levels-aside > summary").click()
    calculator.locator("input:visible").first.press("Enter")
    expect(calculator.locator("[data-figure=strength]")).to_be_visible()
    assert page.url.split("#")[0].endswith("/rules/defences/")


def test_sheet_with_offers_of_fights_fills_one_page(page: Page) -> None:
    """The offers are not printed."""
    open_ready(page, f"{CHARACTER}?{STATES['character']['in play, hit points of two fights']}")
    for pages in print_pages(page):
        assert ["From the fight" in text for text in pages] == [False]
