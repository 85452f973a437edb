"""House rules: set once, found wherever something is begun; from elsewhere they are asked for, never taken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Reader, reading
from tests.browser.following import visit
from tests.browser.pages.builder import CHARACTER
from tests.browser.pages.calculator import KNOWN, READY, figure, saved, settled, shared, tap
from tests.browser.pages.fight import FIGHT, begin
from tests.browser.pages.kept import LIST, unfold

HOUSE, ODDS, BOARD = "tools/house/", "tools/odds/", "tools/board/"
BREAKHELM = "Breakhelm X-19\n4 shooting\n4 fighting\n6 toughness"
"""Without wrestling or swimming: strength 7 + 6 by the rule, 8 + 6 by the other reading of ruling K01."""
TOLD = "1 house rule: untrained strength 8 + toughness."
BY_THE_BOOK = "Your table plays by the rulebook."
LINE = "[data-answer] .result-line"
ASKED, OTHER, TAKEN = "[data-notice=table]", "[data-notice=rules]", "[data-notice=taken]"
TAKE = "Take these as your table's"


@pytest.fixture
def stranger(others: Reader) -> Iterator[Page]:
    """The tab of somebody with another device, who keeps nothing."""
    with reading(others) as tab:
        yield tab


def set_base(page: Page, value: str = "8", told: str = TOLD) -> None:
    """Set strength's base on the page of house rules, and wait until that is kept."""
    visit(page, HOUSE)
    page.wait_for_selector(KNOWN)
    page.select_option("[name=strength_base]", value)
    expect(page.locator(LINE)).to_have_text(told)
    settled(page)


def breakhelm(page: Page) -> int:
    """The strength of Breakhelm on the character's page, opened by a link of the site; on paper and as text too."""
    visit(page, f"{CHARACTER}?sheet={quote(BREAKHELM)}")
    page.wait_for_selector(READY)
    strength = figure(page, "strength")
    assert f"{strength} strength" in str(page.text_content(".sheet-as-text .sheet-text"))
    assert f"strength{strength}" in "".join(str(page.text_content(".paper-figures")).split())
    return int(strength)


def clear_fights(page: Page) -> None:
    """Delete all fights in the list."""
    visit(page, FIGHT)
    page.wait_for_selector(READY)
    unfold(page)
    for _ in range(page.locator(f"{LIST} [data-kept]").count()):
        page.locator(LIST).get_by_role("button", name="Delete:").first.click()


@pytest.mark.parametrize("base", [8, 7], ids=["set", "taken back"])
def test_strength_s_base_is_set_once_and_found_everywhere(page: Page, base: int) -> None:
    """On sheet, print, text, set-up, fight, odds and board's fight, and in a new fight's replay; 7 as before."""
    is_set = base == 8
    set_base(page)
    if not is_set:
        page.get_by_role("button", name="Back to the rulebook").click()
    visit(page, HOUSE)
    expect(page.locator(LINE)).to_have_text(TOLD if is_set else BY_THE_BOOK)
    assert breakhelm(page) == base + 6
    assert ("strength_base=8" in page.url) == is_set
    for place in (".rulings > summary", ".paper"):  # where the number stands, on the screen and on paper
        assert ("untrained strength 8" in str(page.text_content(place))) == is_set
    assert page.locator(".figures a.rule[title=K01]").count() == is_set
    visit(page, ODDS)
    page.wait_for_selector(READY if is_set else KNOWN)
    expect(page.locator("[data-person=second]")).to_contain_text(f"STR {base + 4}")  # Flipfire's toughness is 4
    assert page.locator("[data-rulings]").count() == is_set
    visit(page, BOARD)
    page.wait_for_selector(KNOWN)
    page.click("a.to-fight")
    page.wait_for_selector(f"{READY} [data-side]")
    assert page.input_value("[name=strength_base]") == ("8" if is_set else "")
    clear_fights(page)
    begin(page)
    expect(page.locator("[data-hand-who=breakhelm-x-19]")).to_contain_text(f"STR {base + 6}")
    assert page.locator(".fight-rulings").count() == is_set
    assert f"strength_base={base}&" in str(page.get_attribute("form.calculator", "data-rules"))
    visit(page, f"tools/replay/?scenario={quote(page.input_value('[name=log]'))}")
    settled(page)
    expect(page.locator("[name=strength_base] option").first).to_have_text(f"as it stands ({base})")


def test_a_link_and_a_file_ask_before_anything_is_kept(page: Page, stranger: Page, tmp_path: Path) -> None:
    """On another device the rules of a link and of a file are seen, and the table's once somebody takes them."""
    set_base(page)
    link = shared(page)
    assert link.endswith("tools/house/?strength_base=8")
    assert breakhelm(page) == 14
    page.fill("[name=sheet]", f"{BREAKHELM}\n1 healing")
    settled(page)
    unfold(page)
    file = saved(page, "[data-kept-button=all]", tmp_path / "kept.json")
    stranger.goto(link)
    expect(stranger.locator(ASKED)).to_contain_text("You keep none yet.")
    expect(stranger.locator(LINE)).to_have_text(TOLD)
    stranger.locator(ASKED).get_by_role("link", name="See your own").click()
    expect(stranger.locator(LINE)).to_have_text(BY_THE_BOOK)
    assert breakhelm(stranger) == 13
    stranger.locator("input[type=file]").first.set_input_files(file)
    expect(stranger.locator(TAKEN)).to_contain_text(f"house rules, which are not taken yet. {TOLD}")
    visit(stranger, HOUSE)
    expect(stranger.locator(LINE)).to_have_text(BY_THE_BOOK)
    stranger.goto(link)
    stranger.locator(ASKED).get_by_role("button", name=TAKE).click()
    expect(stranger.locator(ASKED)).to_have_count(0)
    assert breakhelm(stranger) == 14


def test_a_character_by_other_rules_asks_once(page: Page) -> None:
    """A link from elsewhere goes by its own rules and says so; the table's are a press away, and undone by another."""
    address = f"{CHARACTER}?sheet={quote(BREAKHELM)}"
    set_base(page)
    page.goto(address)
    notice = page.locator(OTHER)
    expect(notice).to_contain_text("yours untrained strength 8 + toughness")
    assert figure(page, "strength") == "13"
    notice.get_by_role("button", name="Leave it").click()
    page.goto(address)
    settled(page)
    expect(page.locator("[data-figure=strength]")).to_have_text("13")
    expect(notice).to_have_count(0)
    page.goto(f"{address}%0A1%20healing")
    notice.get_by_role("button", name="Take your table's").click()
    expect(page.locator("[data-figure=strength]")).to_have_text("14")
    expect(notice).to_have_count(0)
    page.click("[data-back]")
    expect(page.locator("[data-figure=strength]")).to_have_text("13")


def test_the_rules_text_tells_the_table_s_reading_beside_the_mark(page: Page) -> None:
    """Beside a mark of that ruling and in the list of rulings; the text keeps the default, and has it alone again."""
    told = page.locator(".at-your-table")
    set_base(page)
    for address in ("rules/defences/", "look-up/rulings/"):
        visit(page, address)
        expect(told.first).to_have_text(" At your table: untrained strength 8 + toughness.")
    expect(page.locator("[aria-labelledby=K01] .default")).to_contain_text("7")
    set_base(page, "", BY_THE_BOOK)
    visit(page, "rules/defences/")
    page.wait_for_selector(".ruling-mark")
    expect(told).to_have_count(0)


def test_the_rules_text_tells_the_table_s_points_and_highest_level(page: Page) -> None:
    """Where they are told, in the words of the page of house rules; what the rulebook has too is not told."""
    visit(page, HOUSE)
    page.wait_for_selector(KNOWN)
    page.fill("[name=cp]", "14")
    expect(page.locator(LINE)).to_have_text("1 house rule: 14 character points.")
    settled(page)
    visit(page, "rules/making-a-character/")
    expect(page.locator(".at-your-table")).to_have_text(" At your table: 14 character points.")
    expect(page.locator("[id='create.cp'] .at-your-table")).to_have_count(1)
    expect(page.locator("[id='create.cp']")).to_contain_text("One character point buys one level")


def test_a_running_fight_keeps_its_rules_and_shows_where_others_would_change_it(page: Page) -> None:
    """Its notice leads to the replay with the table's rules, where the first step that differs is told."""
    begin(page)
    for _ in range(3):
        tap(page, "[data-action=end-turn]")
    set_base(page)
    visit(page, FIGHT)
    expect(page.locator(OTHER)).to_contain_text("Goes on by other rules than your table's: strength base 7, yours 8.")
    assert page.locator(".fight-rulings").count() == 0
    page.locator(OTHER).get_by_role("link", name="See where it would change").click()
    page.wait_for_selector("[data-first-difference]", state="attached")
    assert page.input_value("[name=strength_base]") == "8"


def test_what_was_left_is_asked_about_in_the_next_set_up(page: Page) -> None:
    """A fight's rules that were left as they are come into a new set-up only with the question once more."""
    begin(page)
    set_base(page)
    visit(page, FIGHT)
    notice = page.locator(OTHER)
    notice.get_by_role("button", name="Leave it").click()
    expect(notice).to_have_count(0)
    tap(page, "[data-action=end-turn]")
    expect(notice).to_have_count(0)
    tap(page, "[name=act][value=setup]")
    expect(notice).to_contain_text("Made by other rules than your table's: ")
    assert page.input_value("[name=strength_base]") == ""
    notice.get_by_role("button", name="Take your table's").click()
    settled(page)
    assert page.input_value("[name=strength_base]") == "8"
