"""The builder as somebody with a phone uses it: taps counted, nothing jumps, and a sheet on one page."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from scratch_core.abilities import NAMES
from scratch_core.calculators.character import view
from scratch_core.calculators.query import parse_query, query_string
from scratch_core.cast import CAST
from tests.browser.following import visit
from tests.browser.pages.builder import CHARACTER, Taps, open_character
from tests.browser.pages.calculator import figure, open_ready, settled, tap
from tests.browser.pages.kept import choose, keep

KEPT = """() => Object.keys(localStorage).filter((name) => name.startsWith("scratch-kept-character/"))
  .map((name) => JSON.parse(localStorage.getItem(name)))"""
FIFTEEN = query_string({"name": "Everything", **dict.fromkeys(NAMES, "4"), "cp": "60"})


def test_from_nothing_to_ten_points_in_few_taps(phone: Page) -> None:
    """From home, starting empty, to ten points on four abilities, kept under a suggested name: twenty taps at most."""
    visit(phone, "")
    tap = Taps(phone)
    tap("a.door[href*='tools/character']")
    settled(phone)
    tap(".start-from > summary")
    tap("button[name=start][value=empty]")
    settled(phone)
    for name, level in {"toughness": 4, "shooting": 3, "detection": 2, "stealth": 1}.items():
        for _ in range(level):
            tap(f"[data-step='1'][data-control={name}]")
    expect(phone.locator(".points-left")).to_have_text("0 points left")
    settled(phone)
    assert phone.locator("[data-problem].problem-error").count() == 0
    assert tap.count <= 20
    assert phone.get_attribute("[name=name]", "placeholder") == "Sturdy archer"
    expect(phone.locator(".kept-now")).to_have_text("Sturdy archer")
    expect(phone.locator(".is-kept")).to_have_text("Kept on this device")
    expect(phone.locator(".is-kept")).to_be_visible()
    kept = phone.evaluate(KEPT)
    assert [entry["name"] for entry in kept] == ["Sturdy archer"]
    assert phone.url.endswith(kept[0]["query"])


def test_from_an_archetype_into_a_fight_in_few_taps(phone: Page) -> None:
    """An archetype with one level moved takes at most eight taps from home and is kept; four more begin a fight."""
    visit(phone, "")
    tap = Taps(phone)
    tap("a.door[href*='tools/character']")
    settled(phone)
    tap(".start-from > summary")
    tap("button[name=start][value=duellist]")
    settled(phone)
    assert not phone.locator(".start-from").evaluate("(details) => details.open")
    tap("[data-step='-1'][data-control=acrobatics]")
    tap("[data-step='1'][data-control=detection]")
    expect(phone).to_have_url(re.compile(r"(?=.*detection=1)(?=.*acrobatics=1)"))
    settled(phone)
    assert figure(phone, "cp") == "10"
    assert "acrobatics=1" in phone.url
    assert tap.count <= 8
    assert [entry["name"] for entry in phone.evaluate(KEPT)] == ["Duellist"]
    before = tap.count
    tap(".against > summary")
    tap("a[data-opponent=rat]")
    phone.wait_for_url("**/tools/fight/**")
    settled(phone)
    expect(phone.get_by_role("button", name="Begin the fight")).to_be_in_viewport(ratio=0.99)
    phone.get_by_role("button", name="Begin the fight").tap()
    tap.count += 1
    expect(phone.locator("[data-hp]").first).to_be_visible()
    assert tap.count - before <= 4
    assert {each.inner_text().strip() for each in phone.locator("[data-fighter] .person-name").all()} >= {
        "Duellist",
        "Rat",
    }


ROWS_IN_VIEW = """(bar) => {
  document.querySelector(".group-attack").scrollIntoView({ block: "start", behavior: "instant" });
  scrollBy({ top: -bar.getBoundingClientRect().bottom, behavior: "instant" });
  const top = bar.getBoundingClientRect().bottom;
  const isSeen = ({ top: from, bottom: to }) => from >= top - 1 && to <= innerHeight;
  return [...document.querySelectorAll(".field-level")].filter((row) => isSeen(row.getBoundingClientRect())).length;
}"""


def test_points_and_figures_stay_in_view(phone: Page) -> None:
    """Wherever one scrolls in the builder, the bar is on the screen with six rows; below 400 px nothing sticks."""
    open_character(phone)
    bar = phone.locator(".character-bar")
    for name in ("toughness", "swimming", "command"):
        phone.locator(f".field-{name}").scroll_into_view_if_needed()
        expect(bar).to_be_in_viewport(ratio=0.99)
    assert bar.evaluate(ROWS_IN_VIEW) >= 6
    phone.set_viewport_size({"width": 664, "height": 390})
    assert bar.evaluate("(bar) => getComputedStyle(bar).position") == "static"


def test_what_one_more_level_brings_is_seen_while_one_presses(phone: Page) -> None:
    """In the line of the ability that is pressed, and nowhere else; no row moves."""
    open_character(phone, "toughness=3")
    rows = "[...document.querySelectorAll('.field-level')].map((row) => Math.round(row.getBoundingClientRect().height))"
    before = phone.evaluate(rows)
    expect(phone.locator(".gain:visible")).to_have_count(0)
    phone.tap("[data-step='1'][data-control=shooting]")
    expect(phone.locator(".gain:visible")).to_have_text(["One more: +2 to shooting."])
    assert phone.evaluate(rows) == before


def test_a_problem_moves_no_row(phone: Page) -> None:
    """A level above the highest and points too many are said where a place is kept, and every row stays in place."""
    open_character(phone, "toughness=4&shooting=4&healing=2")
    rows = "[...document.querySelectorAll('.field-level')]"
    places = f"{rows}.map((row) => Math.round(row.getBoundingClientRect().top + scrollY))"
    before = phone.evaluate(places)
    phone.fill("[name=shooting]", "5")
    expect(phone.locator("[data-problem][data-field=shooting]")).to_contain_text(
        "above this campaign's highest level, 4"
    )
    expect(phone.locator("[data-problem][data-field=cp]").first).to_contain_text("One point too many")
    assert phone.evaluate(places) == before


def test_chance_undo_and_quick_taps(page: Page) -> None:
    """Chance makes somebody legal, undo brings back who was there, and taps made while an answer waits all count."""
    open_character(page, "toughness=3&name=Ria")
    for _ in range(3):
        tap(page, "button[name=start][value=chance]")
        expect(page.locator(".points-left")).to_have_text("0 points left")
        assert page.locator("[data-problem].problem-error").count() == 0
        assert page.input_value("[name=name]") != "Ria"
    for _ in range(3):
        tap(page, "[data-back]")
    assert page.input_value("[name=name]") == "Ria"
    assert page.input_value("[name=toughness]") == "3"
    page.evaluate(
        """() => {
          const button = (by) => document.querySelector(`[data-step="${by}"][data-control=shooting]`);
          for (const by of [1, 1, 1, -1]) button(by).click();
        }"""
    )
    expect(page.locator(".points-left")).to_have_text("5 points left")
    assert page.input_value("[name=shooting]") == "2"


def cast_query(own_id: str) -> str:
    """The query that opens somebody of the cast as levels."""
    return view(parse_query(f"start={own_id}")).query


TYPE_IN = """(query) => {
  const [form, asked] = [document.querySelector("form.calculator"), new URLSearchParams(query)];
  for (const control of form.querySelectorAll("input:not([type=checkbox]), textarea")) {
    control.value = asked.get(control.name) ?? "";
  }
  form.requestSubmit();
}"""
A4_WIDE = 794
"""Pixels of the style sheet; a printed page is less wide by its margins, for every sheet alike."""


def is_the_sheet_alone(page: Page) -> bool:
    """Whether, on paper, the sheet is all that is to be seen."""
    gone = (".md-header", ".starts", ".character-bar", ".calculator-fields", ".against", ".md-footer")
    return page.locator("[data-paper]").is_visible() and all(page.locator(each).first.is_hidden() for each in gone)


def pages(page: Page, size: str) -> int:
    """How many pages are printed."""
    return len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format=size)))


def test_a_sheet_prints_on_one_page(page: Page) -> None:
    """The cast, one with all fifteen abilities and a blank one take one page of A4 or Letter, the sheet alone.

    All are typed in and measured as they stand on paper; those that need the most of it are printed.
    """
    page.set_viewport_size({"width": A4_WIDE, "height": 1000})
    open_character(page)
    sheets = {**{member.id: cast_query(member.id) for member in CAST}, "all-fifteen": FIFTEEN}
    high: dict[str, float] = {}
    page.emulate_media(media="print")
    for name, query in sheets.items():
        page.evaluate(TYPE_IN, query)
        settled(page)
        assert is_the_sheet_alone(page), name
        high[name] = page.locator("[data-paper]").bounding_box()["height"]
    assert len(set(high.values())) > 5, "sheets of many heights"
    for name in sorted(high, key=high.__getitem__)[-3:]:
        page.evaluate(TYPE_IN, sheets[name])
        settled(page)
        assert [pages(page, size) for size in ("A4", "Letter")] == [1, 1], name
    page.emulate_media(media="null")
    open_character(page, "cp=10")
    tap(page, "button[name=start][value=empty]")
    page.wait_for_selector(".paper-blank", state="attached")
    settled(page)
    assert [pages(page, size) for size in ("A4", "Letter")] == [1, 1], "blank"


def test_two_builds_stand_side_by_side(page: Page) -> None:
    """A kept one, chosen from the list, tells what differs, which follows what is changed; it is left out again."""
    keep(page, "Bo", toughness="3")
    open_ready(page, f"{CHARACTER}?name=Ann&toughness=3&shooting=2")
    choose(page, "beside", "Bo")
    expect(page.locator("[data-differs]")).to_have_count(2)
    expect(page.locator("[data-differs=shooting]")).to_contain_text("2")
    page.click("[data-step='1'][data-control=shooting]")
    expect(page.locator("[data-differs=points] td").first).to_have_text("6")
    tap(page, "button[name=beside]")
    expect(page.locator("[data-builds]")).to_have_count(0)
