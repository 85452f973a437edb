"""The alternative builder: Zensical builds a working site from the same mkdocs.yml."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser

from build_scripts.checks.rule_traceability import check_rule_anchors
from build_scripts.dev.serve import serve_site
from build_scripts.paths import BUILD
from tests.browser.pages.calculator import roll, wait_for_answer
from tests.browser.patience import be_patient
from tests.browser.rulebook_faults import find_rulebook_faults


def test_zensical_builds_a_working_site(browser: Browser, build_once: Callable[..., Path]) -> None:
    """Rules have their anchors, and calculators answer under the same security policy."""
    site = build_once(BUILD / "zensical-site", builder_name="zensical")
    assert check_rule_anchors(site) == []
    assert find_rulebook_faults(site) == []
    with serve_site(site) as url:
        page = browser.new_page(base_url=url)
        be_patient(page)
        breaches: list[str] = []
        page.on("console", lambda message: breaches.append(message.text) if "Security Policy" in message.text else None)
        page.goto("tools/dice/")
        wait_for_answer(page)
        roll(page)
        page.goto("tools/character/?toughness=7")
        wait_for_answer(page)
        assert page.inner_text("[data-figure=stamina]") == "3"
        page.close()
    assert not breaches
