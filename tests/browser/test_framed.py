"""The site in a frame of another site: no data of the reader is shown, saved, replaced or deleted."""

from pathlib import Path

from playwright.sync_api import Browser

from build_scripts.browser_app import is_plain_build
from build_scripts.dev.serve import serve_site
from tests.browser.pages.calculator import READY
from tests.browser.pages.fight import RUNNING_FIGHT
from tests.browser.pages.memory import IS_SNAPSHOT_RECORDED
from tests.browser.patience import be_patient
from tests.browser.switchable_server import serve_plain

READ_STORAGE = """async () => {
  const names = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
  const opening = indexedDB.open("scratch-kept");
  await new Promise((done) => (opening.onsuccess = done));
  const entries = opening.result.transaction("entries").objectStore("entries").getAll();
  await new Promise((done) => (entries.onsuccess = done));
  opening.result.close();
  return JSON.stringify([Object.entries(localStorage).sort(), names.sort(), entries.result.sort()]);
}"""


def test_frame_of_another_site_neither_shows_nor_changes_saved_data(
    site: Path, browser: Browser, tmp_path: Path
) -> None:
    """A fight in another site's frame neither shows nor changes saved data.

    A link opens the fight in a tab.
    """
    with serve_plain(site) as plain_url:
        context = browser.new_context(base_url=plain_url)
        be_patient(context)
        own = context.new_page()
        own.goto(RUNNING_FIGHT)
        own.wait_for_selector(f"{READY} [data-action]")
        own.wait_for_selector("scratch-calculator[data-durably-saved]")
        if not is_plain_build():
            own.wait_for_function(f"() => {IS_SNAPSHOT_RECORDED}")
        before = own.evaluate(READ_STORAGE)
        assert "scratch-kept-fight" in before
        own.close()
        (tmp_path / "index.html").write_text(
            f'<iframe src="{plain_url}{RUNNING_FIGHT}&title=Theirs" width=900 height=900></iframe>'
        )
        with serve_site(tmp_path) as other_url:
            page = context.new_page()
            page.goto(other_url)
            frame = page.frame_locator("iframe")
            frame.locator(f"{READY} [data-action]").first.click()
            frame.locator(READY).wait_for()
            notice = frame.locator("[data-notice=framed]")
            notice.wait_for()
            link = notice.locator("a")
            assert link.get_attribute("target") == "_blank"
            assert (link.get_attribute("href") or "").startswith(f"{plain_url}tools/fight/?")
            assert frame.locator(".calculator-saved li").count() == 0
            page.frames[1].goto(f"{plain_url}tools/fight/")
            frame.locator("scratch-calculator[data-decided]").wait_for()
            assert frame.locator(".calculator-coming").count() == 0, "saved data is shown"
        after = context.new_page()
        after.goto("licences.txt")
        assert after.evaluate(READ_STORAGE) == before
        context.close()
