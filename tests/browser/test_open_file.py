""" "Open a file" on every tool's page takes every file of ours, or says where it goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scratch_core.calculators.query import query_string
from scratch_core.scenario import SHIPPED
from tests.browser.following import visit
from tests.browser.pages.calculator import KNOWN
from tests.browser.pages.kept import FORBIDDEN

OPEN = ".calculator-file input[type=file]"
NOTICE = "[data-notice=opened]"
RAT = "Rat\n1 toughness\n1 fighting: teeth"


@pytest.mark.parametrize("tool", ["dice", "fight"])
def test_a_file_that_comes_in_not_at_all_or_in_part_is_told(loaded: Page, tool: str, tmp_path: Path) -> None:
    """Empty, of null bytes, unreadable, without room, in part, of other versions: each is said, and nothing fails."""
    page = loaded
    file, notice, taken = tmp_path / "file.json", page.locator(NOTICE), page.locator("[data-notice=taken]")
    visit(page, f"tools/{tool}/")
    page.wait_for_selector(KNOWN)
    opens = page.locator("input[type=file]").first
    for text in ("", "\0\0\0\0"):
        file.write_text(text)
        opens.set_input_files(file)
        expect(notice).to_contain_text("There is nothing in this file.")
    page.evaluate("void (File.prototype.text = () => Promise.reject(new DOMException('gone', 'NotFoundError')))")
    opens.set_input_files(file)
    expect(notice).to_contain_text("This file can't be read")
    page.evaluate("void (File.prototype.text = Blob.prototype.text)")
    sizes = {"Small": 10, "Large": 6_000_000}
    entries = [{"version": "fight/1", "name": name, "query": "x" * size} for name, size in sizes.items()]
    later = {"version": "fight/2", "name": "Later", "query": "log=x"}
    file.write_text(json.dumps({"format": "scratch-kept/1", "entries": [*entries, later]}))
    opens.set_input_files(file)
    expect(taken).to_contain_text("Taken in from the file: 1 of 2.")
    expect(taken).to_contain_text("there was no room for “Large”")
    expect(taken).to_contain_text("left out: “Later”")
    expect(page.locator("[data-notice=unkept]")).to_have_count(0)
    page.evaluate(f"() => {{ {FORBIDDEN} }}")
    opens.set_input_files(file)
    expect(taken).to_contain_text("lets the site keep nothing: there was no room for “Large”")


def test_every_tool_opens_every_file_of_ours(page: Page, tmp_path: Path) -> None:
    """The dice page leads a fight, kept entries and a stat block on; a fight's set-up takes a stat block in."""
    scenario, kept, block = tmp_path / "fight.toml", tmp_path / "kept.json", tmp_path / "rat.txt"
    scenario.write_text(SHIPPED["worked-combat"])
    entry = {"version": "character/1", "name": "Ria", "query": query_string({"name": "Ria", "toughness": "4"})}
    kept.write_text(json.dumps({"format": "scratch-kept/1", "entries": [entry]}))
    block.write_text(RAT)
    for tool in ("board", "initiative", "odds", "dice"):
        visit(page, f"tools/{tool}/")
        expect(page.locator(OPEN)).to_have_count(1)
    page.set_input_files(OPEN, kept)
    expect(page.locator("[data-notice=taken]")).to_contain_text("Taken in from the file: 1.")
    page.set_input_files(OPEN, scenario)
    expect(page.locator(NOTICE)).to_contain_text("This is a fight’s file.")
    expect(page.locator(f"{NOTICE} a")).to_have_text(["Go on with it as a fight", "Watch it in the replay"])
    page.set_input_files(OPEN, block)
    expect(page.locator(NOTICE)).to_contain_text("This is a stat block.")
    page.get_by_role("link", name="Bring it into a fight").click()
    expect(page.locator("[name=sheets]")).to_have_value(RAT)
    page.set_input_files(".fight-begin [data-into=log]", block)
    expect(page.locator("[data-taken-in]")).to_be_visible()
    expect(page.locator("[name=sheets]")).to_have_value(f"{RAT}\n\n{RAT}")
    visit(page, "")
    page.wait_for_selector("scratch-calculator[data-decided]")
    expect(page.locator(OPEN)).to_have_count(0)  # home has a die, and no tool of its own
