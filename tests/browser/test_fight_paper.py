"""A printed fight: its pages, what is on them, and what is not."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from scratch_core.calculators.shared.query import format_query
from scratch_core.calculators.shared.share_links import PACKED_CONTROL, pack_fields
from tests.browser.pages.calculator import open_ready
from tests.browser.pages.fight import FIGHT, format_sheets_of_four
from tests.browser.pdf import list_page_texts
from tests.support.fights import view_begun_fight
from tests.support.known import require

GUARDS = ("sharpshooter", "duellist", "wrestler", "shadow")
INITIATIVE = "sharpshooter 20, shadow 12, guard 9, duellist 17, assassin 6, wrestler 15, bandit 10, thief 9"
"""Die rolls without a tie, in turn order."""

NOTE = "over the wall of the garden, past the well and the shed"
OMITTED = ("Start a fight", "Your fights", "The log", "More", "Undo", "End turn", "Export", "Aim", "%", "Take a turn")
"""Words of the page that are not part of the printed fight."""


def format_fight(rounds: int) -> str:
    """Return the address of a fight of four against four.

    Each turn has a missed attack with a note. The first character is injured.
    """
    begun = view_begun_fight(format_sheets_of_four(), INITIATIVE)
    tree = json.loads(begun.fields["log"])
    tree["characters"][0]["hp"] = 1
    order = [row.fighter.id for row in require(begun.fight_view).ordered_rows]
    for who in order * rounds:
        foe = next(each for each in order if (each in GUARDS) != (who in GUARDS))
        attack = {"actor": who, "do": "basic-attack", "target": foe, "faces": [2], "note": NOTE}
        tree["steps"] += [attack, {"actor": who, "do": "end-turn"}]
    return f"{FIGHT}#?{format_query({'title': 'x'})}&{PACKED_CONTROL}={pack_fields({'log': json.dumps(tree)})}"


def print_fight(page: Page, address: str, size: str = "A4") -> list[str]:
    """Open a fight, and return the texts of its printed pages."""
    open_ready(page, address)
    page.wait_for_selector("[data-active]")
    return list_page_texts(page.pdf(format=size))


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_long_fight_prints_on_two_pages(page: Page, size: str) -> None:
    """Print the most entries that the page's log has, each with a note."""
    pages = print_fight(page, format_fight(8), size)
    assert len(pages) == 2
    heads = "Character Hit points Agility Intelligence Strength"
    assert pages[0].startswith(f"Round 9, Sharpshooter’s turn ● guards ■ pirates {heads}")
    text = " ".join(pages)
    assert "16 earlier steps are not printed." in text
    rounds = re.findall(r"Round (\d+) \d+ ", text)
    assert rounds == ["3", "4", "5", "6", "7", "8"]
    assert text.count(NOTE) == 48


def test_paper_has_nothing_else_of_the_page(page: Page) -> None:
    """Only the roster, the turn order and the log are printed."""
    (text,) = print_fight(page, format_fight(1))
    assert text.startswith("Round 2, Sharpshooter’s turn")
    for part in (
        "● Sharpshooter 1 of 3 11 12 10 injured",
        "■ Bandit",
        "Turn order: Sharpshooter",
        "Round 1 1 Sharpshooter",
    ):
        assert part in text
    assert [each for each in OMITTED if each in text] == []
    page.emulate_media(media="print")
    assert page.locator("body").inner_text().split() == page.locator(".fight-paper").inner_text().split()
    page.emulate_media(media="null")
    assert page.locator(".fight-paper").is_hidden()


def test_lost_hit_points_are_crossed_out_in_boxes_of_five_millimetres(page: Page) -> None:
    """Each box is 5 mm wide, and a printed stroke crosses out the lost ones."""
    print_fight(page, format_fight(1))
    page.emulate_media(media="print")
    boxes = page.locator(".fight-paper__track").first.locator("i")
    sizes = boxes.evaluate_all("(all) => all.map((each) => Math.round(each.getBoundingClientRect().width * 10))")
    assert sizes == [189, 189, 189]  # 5 mm are 18.9 px
    stroke = """() => getComputedStyle(document.querySelector(".fight-paper .is-lost"), "::after")"""
    expect(page.locator(".fight-paper .is-lost")).to_have_count(2)
    assert page.evaluate(f"({stroke})().printColorAdjust") == "exact"
    page.emulate_media(media="null")


def test_paper_is_black_on_white_in_dark_mode(new_context: Callable[..., BrowserContext]) -> None:
    """A reader in dark mode gets black text on white paper."""
    page = new_context(color_scheme="dark").new_page()
    print_fight(page, format_fight(1))
    ink = """(place) => getComputedStyle(document.querySelector(place)).color"""
    ground = """() => getComputedStyle(document.body).backgroundColor"""
    assert page.evaluate(ink, ".person__name") != "rgb(0, 0, 0)"
    page.emulate_media(media="print")
    for place in (".fight-paper__title", ".fight-paper tbody th", ".fight-paper .side-mark", ".fight-paper li"):
        assert page.evaluate(ink, place) == "rgb(0, 0, 0)", place
    assert page.evaluate(ground) in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)")
