"""What a screen reader is told, in which order: the outline of each calculator's states, as files."""

import os
import re
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.following import visit
from tests.browser.pages.calculator import settled
from tests.browser.pages.fight import BEGUN, FIGHT
from tests.browser.pages.kept import LIST, forget

GOLDEN = Path(__file__).parent.parent / "golden" / "aloud"
STATES = {
    "board": "tools/board/?map=..../....",
    "character": "tools/character/?name=Ria&toughness=4&shooting=4",
    "character-wrong": "tools/character/?name=Ria&toughness=many",
    "dice": "tools/dice/?roll=2d6&faces=3,4",
    "dice-wrong": "tools/dice/?roll=a+lot",
    "fight": f"{FIGHT}?",
    "fight-begun": BEGUN,
    "house": "tools/house/?",
    "initiative": "tools/initiative/?",
    "odds": "tools/odds/?",
    "replay": "tools/replay/?",
}
"""A name for each state, and the address that brings it; no die falls by chance."""

ROLES = (
    *("alert", "button", "checkbox", "combobox", "dialog", "form", "grid", "group", "heading", "img", "link", "list"),
    *("navigation", "radio", "region", "searchbox", "slider", "spinbutton", "status", "table", "textbox"),
)
_LINE = re.compile(r"^ *- (?P<role>[a-z]+)(?P<more>.*)")


def outline(snapshot: str) -> str:
    """The roles of an accessibility tree in their order, a line each; of equal ones that follow each other the first.

    Words are left out: they change with every sentence that is made plainer, the order is what is held here.
    """
    kept: list[str] = []
    for line in snapshot.splitlines():
        found = _LINE.match(line)
        if not found or found["role"] not in ROLES:
            continue
        level = re.search(r"\[level=\d\]", found["more"])
        said = f"{found['role']} {level[0]}" if level else found["role"]
        if kept[-1:] != [said]:
            kept.append(said)
    return "\n".join(kept) + "\n"


def snapshots(page: Page) -> dict[str, str]:
    """Each state's outline, one after the other."""
    found = {}
    for name, address in STATES.items():
        visit(page, address)
        page.evaluate("document.querySelector('scratch-calculator :is(input, textarea, select, button)').focus()")
        settled(page)
        if name == "fight-begun":
            page.wait_for_selector(LIST)  # it is kept, and listed when the device says so
        found[name] = outline(page.locator("scratch-calculator").first.aria_snapshot())
        forget(page)
    return found


def test_a_screen_readers_order(page: Page) -> None:
    """Each state of a calculator is told by roles in tests/golden/aloud, in their order; `make aloud` writes them."""
    found = snapshots(page)
    if os.environ.get("ALOUD") == "write":
        GOLDEN.mkdir(exist_ok=True)
        for name, text in found.items():
            (GOLDEN / f"{name}.txt").write_text(text, encoding="utf-8")
    kept = {file.stem: file.read_text(encoding="utf-8") for file in GOLDEN.glob("*.txt")}
    assert found == kept
