""" "Import file" on every tool's page accepts all our files, or links the tool that does."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from scratch_core.calculators.shared.query import format_query
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.browser.navigation import visit

OPEN = ".calculator-file input[type=file]"
NOTICE = "[data-notice=opened]"
RAT = "Rat\n1 toughness\n1 fighting: teeth"


def test_every_tool_imports_fights_saved_entries_and_stat_blocks(page: Page, tmp_path: Path) -> None:
    """The dice page links other tools, and a set-up adds the stat block."""
    scenario, export_file, block = tmp_path / "fight.toml", tmp_path / "saved.json", tmp_path / "rat.txt"
    scenario.write_text(SAMPLE_SCENARIOS["worked-combat"])
    entry = {"version": "character/1", "name": "Ria", "query": format_query({"name": "Ria", "toughness": "4"})}
    export_file.write_text(json.dumps({"format": "scratch-kept/1", "entries": [entry]}))
    block.write_text(RAT)
    for tool in ("board", "initiative", "odds", "dice"):
        visit(page, f"tools/{tool}/")
        expect(page.locator(OPEN)).to_have_count(1)
    page.set_input_files(OPEN, export_file)
    expect(page.locator("[data-notice=import]")).to_contain_text("Imported 1.")
    page.set_input_files(OPEN, scenario)
    expect(page.locator(NOTICE)).to_contain_text("This file is a fight.")
    expect(page.locator(f"{NOTICE} a")).to_have_text(["Open in the fight tracker", "Watch the replay"])
    page.set_input_files(OPEN, block)
    expect(page.locator(NOTICE)).to_contain_text("This file is a stat block.")
    page.get_by_role("link", name="Add to a fight").click()
    expect(page.locator("[name=sheets]")).to_have_value(RAT)
    page.set_input_files(".fight-begin [data-into=log]", block)
    expect(page.locator("[data-imported]")).to_be_visible()
    expect(page.locator("[name=sheets]")).to_have_value(f"{RAT}\n\n{RAT}")
    visit(page, "")
    page.wait_for_selector("scratch-calculator[data-decided]")
    expect(page.locator(OPEN)).to_have_count(0)  # the home page has a die, but is no tool's page
