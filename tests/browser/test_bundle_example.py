"""The example of `build_scripts/bundle`: another application, its bundle and its page."""

from pathlib import Path

from playwright.sync_api import Browser

from build_scripts.browser_app.build import HERE, install_browser_files
from build_scripts.bundle.example.build import build_example
from tests.browser.patience import be_patient
from tests.browser.switchable_server import serve_plain


def test_page_of_the_example_answers_from_its_own_bundle(browser: Browser, tmp_path: Path) -> None:
    """The bundle contains the application, the modules that it imports, and no other."""
    install_browser_files()
    site = tmp_path / "site"
    build_example(site, HERE / "used_functions.json")
    assert (site / "stdlib.zip").stat().st_size < 1_500_000
    with serve_plain(site) as url:
        context = browser.new_context(base_url=url)
        be_patient(context)
        page = context.new_page()
        page.goto("")
        page.wait_for_selector("output:text-is('5/6')")
        context.close()
