"""House rules: set once, found wherever something is begun; from elsewhere they are asked for, never taken."""

from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.browser.following import visit
from tests.browser.pages.builder import CHARACTER
from tests.browser.pages.calculator import READY, figure, open_ready, saved, settled, shared, tap
from tests.browser.pages.fight import FIGHT, begin
from tests.browser.pages.kept import LIST, press, unfold

HOUSE, ODDS, BOARD = "tools/house/", "tools/odds/", "tools/board/"
BREAKHELM = "Breakhelm X-19\n4 shooting\n4 fighting\n6 toughness"
"""Without wrestling or swimming: strength 7 + 6 by the rule, 8 + 6 by the other reading of ruling K01."""
TOLD = "1 house rule: untrained strength 8 + toughness."
BY_THE_BOOK = "Your table plays by the rulebook."
LINE = "[data-answer] .result-line"
ASKED, OTHER = "[data-notice=table]", "[data-notice=rules]"


def set_base(page: Page) -> None:
    """Set strength's base on the page of house rules, and wait until that is kept."""
    open_ready(page, HOUSE)
    page.select_option("[name=strength_base]", "8")
    expect(page.locator(LINE)).to_have_text(TOLD)
    settled(page)


def breakhelm(page: Page) -> int:
    """The strength of Breakhelm on the character's page, opened by a link of the site; on paper and as text too."""
    open_ready(page, f"{CHARACTER}?sheet={quote(BREAKHELM)}")
    strength = figure(page, "strength")
    assert f"{strength} strength" in str(page.text_content(".sheet-as-text .sheet-text"))
    assert f"strength{strength}" in "".join(str(page.text_content(".paper-figures")).split())
    return int(strength)


def clear_fights(page: Page) -> None:
    """Delete all fights in the list."""
    open_ready(page, FIGHT)
    unfold(page)
    for _ in page.locator(f"{LIST} [data-kept]").all():
        press(page, "Delete:")


def test_strength_s_base_is_set_once_and_found_everywhere(page: Page) -> None:
    """On sheet, print, text, set-up, fight, odds, board's fight, and in a new fight's replay; taken back, nowhere."""
    set_base(page)
    assert breakhelm(page) == 14
    assert "strength_base=8" in page.url
    for place in (".rulings > summary", ".paper"):  # where the number stands, on the screen and on paper
        assert "untrained strength 8" in str(page.text_content(place))
    assert page.locator(".figures a.rule[href$=K01]").count() == 1
    visit(page, ODDS)
    expect(page.locator("[data-person=second]")).to_contain_text("STR 12")  # Flipfire's toughness is 4
    assert page.locator("[data-rulings]").count() == 1
    open_ready(page, BOARD)
    page.click("a.to-fight")
    page.wait_for_selector(f"{READY} [data-side]")
    assert page.input_value("[name=strength_base]") == "8"
    clear_fights(page)
    begin(page)
    expect(page.locator("[data-hand-who=breakhelm-x-19]")).to_contain_text("STR 14")
    assert page.locator(".fight-rulings").count() == 1
    assert "strength_base=8&" in str(page.get_attribute("form.calculator", "data-rules"))
    open_ready(page, f"tools/replay/?scenario={quote(page.input_value('[name=log]'))}")
    expect(page.locator("[name=strength_base] option").first).to_have_text(
        "as in the file (untrained strength 8 + toughness)"
    )
    visit(page, HOUSE)
    page.get_by_role("button", name="Reset to the rulebook").click()
    expect(page.locator(LINE)).to_have_text(BY_THE_BOOK)
    assert breakhelm(page) == 13
    assert "strength_base" not in page.url
    assert "untrained strength 8" not in str(page.text_content(".paper"))
    clear_fights(page)
    begin(page)
    expect(page.locator("[data-hand-who=breakhelm-x-19]")).to_contain_text("STR 13")


def test_a_link_and_a_file_ask_before_anything_is_kept(page: Page, other: Page, tmp_path: Path) -> None:
    """On another device the rules of a link and of a file are seen, and the table's once someone takes them."""
    set_base(page)
    link = shared(page)
    assert link.endswith("tools/house/?strength_base=8")
    assert breakhelm(page) == 14
    page.fill("[name=sheet]", f"{BREAKHELM}\n1 healing")
    settled(page)
    unfold(page)
    file = saved(page, "[data-kept-button=all]", tmp_path / "kept.json")
    other.goto(link)
    expect(other.locator(ASKED)).to_contain_text("You have none yet.")
    expect(other.locator(LINE)).to_have_text(TOLD)
    other.locator(ASKED).get_by_role("link", name="View your house rules").click()
    expect(other.locator(LINE)).to_have_text(BY_THE_BOOK)
    assert breakhelm(other) == 13
    other.locator("input[type=file]").first.set_input_files(file)
    expect(other.locator("[data-notice=taken]")).to_contain_text(f"house rules that you don’t use yet. {TOLD}")
    other.goto(link)
    other.locator(ASKED).get_by_role("button", name="Use these house rules").click()
    expect(other.locator(ASKED)).to_have_count(0)
    assert breakhelm(other) == 14


def test_the_rules_text_tells_what_the_table_has_otherwise(page: Page) -> None:
    """Beside a ruling's mark, in the list of rulings, and after each number that a house rule changes.

    The text keeps the default, and has that alone again where the table goes back to the rulebook.
    """
    told = page.locator(".at-your-table")
    set_base(page)
    for address in ("rules/defences/", "look-up/rulings/", "look-up/quick-reference/"):
        visit(page, address)
        expect(told.first).to_have_text(" At your table: untrained strength 8 + toughness.")
    expect(page.locator(".sheet-fight td", has=told)).to_contain_text("with neither 7 + toughness At your table: ")
    visit(page, "look-up/rulings/")
    expect(page.locator("[aria-labelledby=K01] .default")).to_contain_text("7")
    open_ready(page, HOUSE)
    page.select_option("[name=strength_base]", "")
    page.fill("[name=cp]", "14")
    expect(page.locator(LINE)).to_have_text("1 house rule: 14 character points.")
    settled(page)
    visit(page, "look-up/quick-reference/")
    expect(told).to_have_text(" At your table: 14 character points.")
    visit(page, "rules/making-a-character/")
    expect(told).to_have_text([" At your table: 14 character points."] * 3)
    expect(page.locator("[id='create.cp'] .at-your-table")).to_have_count(1)
    expect(page.locator("[id='create.cp']")).to_contain_text("One character point buys one level")
    visit(page, "rules/defences/")
    page.wait_for_selector(".ruling-mark")
    expect(told).to_have_count(0)


def test_a_running_fight_keeps_its_rules_and_shows_where_others_would_change_it(page: Page) -> None:
    """Its notice leads to the replay with the table's rules, where the first step that differs is told.

    Rules that were left as they are come into a new set-up only with the question once more.
    """
    begin(page)
    for _ in range(3):
        tap(page, "[data-action=end-turn]")
    set_base(page)
    visit(page, FIGHT)
    notice = page.locator(OTHER)
    expect(notice).to_contain_text(
        "This fight uses different rules from your table’s: "
        "untrained strength 7 + toughness, yours: untrained strength 8 + toughness."
    )
    assert page.locator(".fight-rulings").count() == 0
    notice.get_by_role("link", name="Show what your rules would change").click()
    page.wait_for_selector("[data-first-difference]", state="attached")
    assert page.input_value("[name=strength_base]") == "8"
    visit(page, FIGHT)
    notice.get_by_role("button", name="Keep as is").click()
    expect(notice).to_have_count(0)
    tap(page, "[data-action=end-turn]")
    expect(notice).to_have_count(0)
    tap(page, "[name=act][value=setup]")
    expect(notice).to_contain_text("Made with different rules from your table’s: ")
    assert page.input_value("[name=strength_base]") == ""
    notice.get_by_role("button", name="Use your house rules").click()
    settled(page)
    assert page.input_value("[name=strength_base]") == "8"
