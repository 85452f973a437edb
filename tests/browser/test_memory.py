"""Python's memory, kept in the browser from start to start: faster, never stale, nothing of the reader's in it."""

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page

from build_scripts.browser_app.build import build_sample_queries, list_modules
from tests.browser.pages.calculator import roll, settled, tap, unfold, worked
from tests.browser.pages.memory import memories, wait_for_memory
from tests.support.plain import TRIMMED_ONLY

pytestmark = TRIMMED_ONLY

FACES = "[...document.querySelectorAll('scratch-calculator [data-face]')].map((face) => face.dataset.face).join()"


def is_recalled(page: Page) -> bool:
    """Whether the page's Python began with a kept memory."""
    started = "performance.getEntriesByName('scratch-engine-start')"
    page.wait_for_function(f"() => {started}.length")
    return bool(page.evaluate(f"{started}.at(-1).detail.isFromSnapshot"))


def rolled(page: Page, query: str = "roll=12d20") -> str:
    """Open the dice page, roll, and give the faces."""
    page.goto(f"tools/dice/?{query}")
    settled(page)
    roll(page)
    return str(page.evaluate(FACES))


def test_next_starts_begin_with_the_memory_and_roll_anew(fresh_page: Page) -> None:
    """A reload begins where Python was, its dice still fall as they like, and every calculator works from there.

    All calculators are imported in the kept memory; what a reader typed or was sent by a link isn't in it.
    """
    page = fresh_page
    faces = [rolled(page, "roll=12d20[Quetzalfrost]")]
    assert not is_recalled(page)
    wait_for_memory(page)
    for _ in range(2):
        faces.append(rolled(page))
        assert is_recalled(page)
    assert len(set(faces)) == len(faces), faces
    held = memories(
        page,
        """async (found) => {
          const text = new TextDecoder("latin1").decode(await found[0][1].arrayBuffer());
          const names = NAMES.filter((name) => text.includes(name));
          return [text.includes("Quetzalfrost"), names, found.length];
        }""".replace("NAMES", json.dumps(list_modules())),
    )
    assert held == [False, list_modules(), 1], "expected every calculator imported, and nothing else"
    for path in ("tools/character/", "tools/fight/", "tools/replay/", "rules/rolls/"):
        page.goto(path)
        page.evaluate("document.querySelector('scratch-calculator').scrollIntoView()")
        page.focus("scratch-calculator :is(input, textarea, select) >> nth=0")
        settled(page)
        assert is_recalled(page), path


DAMAGES = {
    "cut short": "(found) => found[0][0].createWritable({ keepExistingData: true })"
    ".then(async (w) => { await w.truncate(3_000_000); await w.close(); })",
    "one bit": "async (found) => { const [[handle, file]] = found;"
    " const [byte] = new Uint8Array(await file.slice(5_000_000, 5_000_001).arrayBuffer());"
    " const w = await handle.createWritable({ keepExistingData: true });"
    " await w.write({ type: 'write', position: 5_000_000, data: new Uint8Array([byte ^ 1]) }); await w.close(); }",
}


def test_damaged_memory_is_put_aside(fresh_page: Page) -> None:
    """With its memory damaged, be it by a bit, Python starts anew, the dice roll, and a whole memory is kept again.

    So it is with a memory of another build's files: it is never begun with, and makes room for the new one. Nothing
    about chance is frozen into the bundle: each start of Python has dice of its own.
    """
    page = fresh_page
    faces = [rolled(page)]
    for how, damage in DAMAGES.items():
        wait_for_memory(page)
        memories(page, damage)
        faces.append(rolled(page))
        assert not is_recalled(page), how
    assert len(set(faces)) == len(faces), faces  # equal by chance once in 20^12
    wait_for_memory(page)
    memories(page, "(found) => found[0][0].move('engine-of-another-build')")
    rolled(page)
    assert not is_recalled(page)
    page.wait_for_function(
        """async () => {
          const root = await navigator.storage.getDirectory();
          const names = [];
          for await (const name of (await root.getDirectoryHandle("scratch-engine")).keys()) names.push(name);
          return names.length === 1 && names[0] !== "engine-of-another-build";
        }"""
    )


BEGUN = "tools/fight/?" + build_sample_queries()["fight"]
CARRY = "button[data-carry] >> nth=0"  # its answer draws a code, with a module that no memory has
DRAWN = ".fight-code svg"
ARCHIVES = "**/{app,stdlib}.zip.gz"


def test_what_the_memory_lacks_comes_with_the_archives(fresh_page: Page) -> None:
    """With the archives held back every calculator answers from the memory; what needs more waits for them.

    Archives that can't be had are told, and come when they are asked for again.
    """
    page = fresh_page
    rolled(page)
    wait_for_memory(page)
    page.context.route(ARCHIVES, lambda route: None)
    mano = f"{BEGUN}&system=mano&order=ash%0Abirch"
    for path in ("tools/dice/?roll=2d6", "tools/character/?name=Ria&toughness=4", "tools/replay/?at=1", mano, BEGUN):
        page.goto(path)
        settled(page)
        assert is_recalled(page), path
    unfold(page.locator(CARRY))
    worked(page, lambda: page.click(CARRY))
    assert not page.locator(DRAWN).count()
    page.context.unroute(ARCHIVES)  # lets go what was held
    page.wait_for_selector(DRAWN)
    assert is_recalled(page), "expected the same Python, not one begun anew"
    page.context.route(ARCHIVES, lambda route: route.abort())
    page.goto(BEGUN)
    settled(page)
    unfold(page.locator(CARRY))
    page.click(CARRY)
    page.wait_for_selector("scratch-calculator[data-state=failed]")
    assert "app.zip.gz could not be loaded" in page.inner_text(".calculator-status")
    page.context.unroute(ARCHIVES)
    tap(page, "[data-retry]")
    page.click(CARRY)
    page.wait_for_selector(DRAWN)


def test_without_a_place_to_keep_it_nothing_is_lost(new_context: Callable[..., BrowserContext], site: Path) -> None:
    """In a browser without a private file system every start is a first one."""
    script = next(site.glob("assets/engine-*/worker.mjs")).read_text(encoding="utf-8")
    elsewhere = script.replace("navigator.storage", "navigator.nowhere")
    assert elsewhere != script
    page = new_context().new_page()
    page.route("**/worker.mjs", lambda route: route.fulfill(body=elsewhere, content_type="text/javascript"))
    for _ in range(2):
        rolled(page)
    assert not is_recalled(page)
