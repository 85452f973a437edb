"""House rules: set once and used by every tool; those of links and files only after a confirmation."""

from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.browser.navigation import visit
from tests.browser.pages.builder import CHARACTER
from tests.browser.pages.calculator import (
    READY,
    open_ready,
    read_figure,
    read_share_link,
    save_download,
    tap,
    wait_for_answer,
)
from tests.browser.pages.fight import FIGHT, begin
from tests.browser.pages.saved_entries import IMPORT, LIST, open_saved_list, press
from tests.support.fights import view_begun_variant

HOUSE, ODDS, BOARD = "tools/house/", "tools/odds/", "tools/board/"
BREAKHELM = "Breakhelm X-19\n4 shooting\n4 fighting\n6 toughness"
"""Without wrestling or swimming: strength 7 + 6 by default, 8 + 6 by the other option of ruling K01."""
ONE_RULE = "1 house rule: untrained strength 8 + toughness."
BY_THE_BOOK = "Your table plays by the rulebook."
RESULT, CHIPS = "[data-answer] .answer__result", ".house-rules__chip"
DEFAULT_BASE, CHANGED_BASE = "[name=strength_base][value='']", "[name=strength_base][value='8']"
QUESTION, DIFFERENT_RULES = "[data-notice=table]", "[data-notice=rules]"


def set_strength_base(page: Page) -> None:
    """Set strength's base on the house rules page, and wait for its save."""
    open_ready(page, HOUSE)
    page.check(CHANGED_BASE)
    expect(page.locator(RESULT)).to_have_text("1 house rule")
    expect(page.locator(CHIPS)).to_have_text(["untrained strength 8 + toughness ×"])
    wait_for_answer(page)


def read_strength(page: Page) -> int:
    """Return Breakhelm's strength on the character page, after comparing print and text."""
    open_ready(page, f"{CHARACTER}?sheet={quote(BREAKHELM)}")
    strength = read_figure(page, "strength")
    assert f"{strength} strength" in str(page.text_content(".sheet-as-text .sheet-text"))
    assert f"strength{strength}" in "".join(str(page.text_content(".paper-figures")).split())
    return int(strength)


def delete_fights(page: Page) -> None:
    """Delete all saved fights."""
    open_ready(page, FIGHT)
    open_saved_list(page)
    press(page, "More: all fights")
    page.locator(LIST).get_by_role("menuitem", name="Delete all").click()
    expect(page.locator(f"{LIST} [data-saved-entry]")).to_have_count(0)


def test_house_rule_applies_in_every_tool_until_it_is_reset(page: Page) -> None:
    """Check sheet, print, text, set-up, fight, odds, map and replay."""
    set_strength_base(page)
    assert read_strength(page) == 14
    assert "strength_base=8" in page.url
    for place in (".rulings > summary", ".paper"):  # places of the number, on screen and on paper
        assert "untrained strength 8" in str(page.text_content(place))
    assert page.locator(".builder__figures a.rule[href$=K01]").count() == 1
    visit(page, ODDS)
    expect(page.locator("[data-person=second]")).to_contain_text("STR 12")  # Flipfire's toughness is 4
    assert page.locator("[data-rulings]").count() == 1
    open_ready(page, BOARD)
    page.click("a.board__to-fight")
    page.wait_for_selector(f"{READY} [data-side]")
    assert page.input_value("[name=strength_base]") == "8"
    delete_fights(page)
    begin(page)
    expect(page.locator("[data-card-button=breakhelm-x-19]")).to_contain_text("STR 14")
    assert page.locator(".fight-rulings").count() == 1
    assert "strength_base=8&" in str(page.get_attribute("form.calculator", "data-rules"))
    open_ready(page, f"tools/replay/?scenario={quote(page.input_value('[name=log]'))}")
    expect(page.locator("[name=strength_base] option").first).to_have_text(
        "as in the file (untrained strength 8 + toughness)"
    )
    visit(page, HOUSE)
    page.get_by_role("button", name="Reset to the rulebook").click()
    expect(page.locator(RESULT)).to_have_text(BY_THE_BOOK)
    assert read_strength(page) == 13
    assert "strength_base" not in page.url
    assert "untrained strength 8" not in str(page.text_content(".paper"))
    delete_fights(page)
    begin(page)
    expect(page.locator("[data-card-button=breakhelm-x-19]")).to_contain_text("STR 13")


def test_house_rules_of_a_link_or_file_apply_after_a_confirmation(page: Page, other: Page, tmp_path: Path) -> None:
    """Another device shows them before."""
    set_strength_base(page)
    link = read_share_link(page)
    assert link.endswith("tools/house/?strength_base=8")
    assert read_strength(page) == 14
    page.fill("[name=sheet]", f"{BREAKHELM}\n1 healing")
    wait_for_answer(page)
    open_saved_list(page)
    file = save_download(page, "[data-list-button=all]", tmp_path / "kept.json")
    other.goto(link)
    expect(other.locator(QUESTION)).to_contain_text("You have none yet.")
    expect(other.locator(CHIPS)).to_have_text(["untrained strength 8 + toughness ×"])
    other.locator(QUESTION).get_by_role("link", name="View your house rules").click()
    expect(other.locator(RESULT)).to_have_text(BY_THE_BOOK)
    assert read_strength(other) == 13
    other.locator("input[type=file]").first.set_input_files(file)
    expect(other.locator(IMPORT)).to_contain_text(f"File: {ONE_RULE}")
    other.locator(IMPORT).get_by_label("House rules").select_option("mine")
    other.locator(IMPORT).get_by_role("button", name="Import", exact=True).click()
    expect(other.locator(IMPORT)).to_contain_text("Kept 1 of yours.")
    other.goto(link)
    other.locator(QUESTION).get_by_role("button", name="Use these house rules").click()
    expect(other.locator(QUESTION)).to_have_count(0)
    assert read_strength(other) == 14


def test_rules_pages_show_the_house_rules_next_to_the_defaults(page: Page) -> None:
    """A note follows rulings and each number that a house rule changes.

    The text keeps the default, and the notes disappear with the house rule.
    """
    notes = page.locator(".at-your-table")
    set_strength_base(page)
    for address in ("rules/defences/", "look-up/rulings/", "look-up/quick-reference/"):
        visit(page, address)
        expect(notes.first).to_have_text(" At your table: untrained strength 8 + toughness.")
    expect(page.locator(".sheet-fight td", has=notes)).to_contain_text("with neither 7 + toughness At your table: ")
    visit(page, "look-up/rulings/")
    expect(page.locator("[aria-labelledby=K01] .default")).to_contain_text("7")
    open_ready(page, HOUSE)
    page.check(f"{DEFAULT_BASE}[type=radio]")
    page.fill("[name=cp]", "14")
    expect(page.locator(CHIPS)).to_have_text(["14 character points ×"])
    wait_for_answer(page)
    visit(page, "look-up/quick-reference/")
    expect(notes).to_have_text(" At your table: 14 character points.")
    visit(page, "rules/making-a-character/")
    expect(notes).to_have_text([" At your table: 14 character points."] * 3)
    expect(page.locator("[id='create.cp'] .at-your-table")).to_have_count(1)
    expect(page.locator("[id='create.cp']")).to_contain_text("One character point buys one level")
    visit(page, "rules/defences/")
    page.wait_for_selector(".ruling-mark")
    expect(notes).to_have_count(0)


def test_running_fight_keeps_its_rules_and_links_what_would_change(page: Page) -> None:
    """The replay with the house rules shows the first different step.

    A new set-up asks again before it uses them.
    """
    begin(page)
    for _ in range(3):
        tap(page, "[data-action=end-turn]")
    set_strength_base(page)
    visit(page, FIGHT)
    notice = page.locator(DIFFERENT_RULES)
    expect(notice).to_contain_text(
        "This fight uses different rules from your table's: "
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
    expect(notice).to_contain_text("Made with different rules from your table's: ")
    assert page.input_value("[name=strength_base]") == ""
    notice.get_by_role("button", name="Use your house rules").click()
    wait_for_answer(page)
    assert page.input_value("[name=strength_base]") == "8"


def test_new_fight_after_another_turn_system_uses_the_house_rules(page: Page) -> None:
    """Mano a Mano has no strength, so its fight does not know the rule."""
    set_strength_base(page)
    open_ready(page, f"{FIGHT}?log={quote(view_begun_variant('mano').fields['log'])}")
    tap(page, "[name=act][value=setup]")
    open_saved_list(page)
    press(page, "New fight")
    expect(page.locator("input[name=strength_base]")).to_have_value("8")
    expect(page.locator(DIFFERENT_RULES)).to_have_count(0)


def test_house_rule_changes_by_keys_and_chips(page: Page) -> None:
    """Arrow keys change an answer, and × of its chip resets it.

    The change is saved at once.
    """
    open_ready(page, HOUSE)
    page.focus(DEFAULT_BASE)
    page.keyboard.press("ArrowRight")
    expect(page.locator(CHANGED_BASE)).to_be_focused()
    expect(page.locator(".house-rules__row.is-changed")).to_contain_text("How strong is an untrained character?")
    expect(page.locator("[aria-labelledby$=characters] h2")).to_have_text("Characters · 1 changed")
    page.get_by_role("button", name="+1 character points").click()
    expect(page.locator(CHIPS)).to_have_text(["11 character points ×", "untrained strength 8 + toughness ×"])
    wait_for_answer(page)
    page.get_by_role("button", name="Remove: untrained strength 8 + toughness").click()
    expect(page.locator(CHIPS)).to_have_text(["11 character points ×"])
    expect(page.locator(DEFAULT_BASE)).to_be_checked()
    wait_for_answer(page)
    visit(page, "tools/")
    open_ready(page, HOUSE)
    expect(page.locator(CHIPS)).to_have_text(["11 character points ×"])


def test_fight_lists_changed_rules_and_drops_one_for_itself(page: Page) -> None:
    """The × of a house rule in a set-up removes it for that fight only."""
    set_strength_base(page)
    open_ready(page, FIGHT)
    page.locator(".fight-rules > summary").click()
    expect(page.locator(f".rule-changes {CHIPS}")).to_have_text(["untrained strength 8 + toughness ×"])
    page.get_by_role("button", name="Remove: untrained strength 8 + toughness").click()
    expect(page.locator(CHIPS)).to_have_count(0)
    wait_for_answer(page)
    page.get_by_role("link", name="Change the house rules").click()
    expect(page.locator(CHIPS)).to_have_text(["untrained strength 8 + toughness ×"])


def test_new_fight_of_the_list_has_the_house_rules_and_is_unsaved(page: Page) -> None:
    """Its first characters are saved with the rules, without a question."""
    set_strength_base(page)
    open_ready(page, f"{FIGHT}?sheets=Ash%0A1%20fighting")
    open_saved_list(page)
    press(page, "New fight")
    wait_for_answer(page)
    expect(page.locator(f"{LIST} [data-saved-entry]")).to_have_count(1)
    page.click("text=Two of each")
    wait_for_answer(page)
    expect(page.locator(DIFFERENT_RULES)).to_have_count(0)
    expect(page.locator("input[name=strength_base]")).to_have_value("8")
    expect(page.locator(f"{LIST} [data-saved-entry]")).to_have_count(2)
