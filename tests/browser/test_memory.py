"""The snapshot of Python's memory: faster starts, never stale, without data of the reader."""

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page

from build_scripts.browser_app.build import build_warm_up_queries, list_calculator_modules
from tests.browser.pages.calculator import press_and_wait, roll, tap, unfold, wait_for_answer
from tests.browser.pages.memory import evaluate_snapshots, is_started_from_snapshot, wait_for_snapshot
from tests.support.plain import TRIMMED_ONLY

pytestmark = TRIMMED_ONLY

READ_FACES = "[...document.querySelectorAll('scratch-calculator [data-face]')].map((face) => face.dataset.face).join()"


def roll_faces(page: Page, query: str = "roll=12d20") -> str:
    """Open the dice page, roll, and return the faces."""
    page.goto(f"tools/dice/?{query}")
    wait_for_answer(page)
    roll(page)
    return str(page.evaluate(READ_FACES))


def test_reload_starts_python_from_the_snapshot_with_new_dice(fresh_page: Page) -> None:
    """Every calculator starts from the snapshot.

    The snapshot contains all calculators, and no text that was typed or linked.
    """
    page = fresh_page
    faces = [roll_faces(page, "roll=12d20[Quetzalfrost]")]
    assert not is_started_from_snapshot(page)
    wait_for_snapshot(page)
    for _ in range(2):
        faces.append(roll_faces(page))
        assert is_started_from_snapshot(page)
    assert len(set(faces)) == len(faces), faces
    held = evaluate_snapshots(
        page,
        """async (found) => {
          const text = new TextDecoder("latin1").decode(await found[0][1].arrayBuffer());
          const names = NAMES.filter((name) => text.includes(name));
          return [text.includes("Quetzalfrost"), names, found.length];
        }""".replace("NAMES", json.dumps(list_calculator_modules())),
    )
    assert held == [False, list_calculator_modules(), 1], "expected every calculator imported, and nothing else"
    for path in ("tools/character/", "tools/fight/", "tools/replay/", "rules/rolls/"):
        page.goto(path)
        page.evaluate("document.querySelector('scratch-calculator').scrollIntoView()")
        page.focus("scratch-calculator :is(input, textarea, select) >> nth=0")
        wait_for_answer(page)
        assert is_started_from_snapshot(page), path


DAMAGES = {
    "cut short": "(found) => found[0][0].createWritable({ keepExistingData: true })"
    ".then(async (w) => { await w.truncate(3_000_000); await w.close(); })",
    "one bit": "async (found) => { const [[handle, file]] = found;"
    " const [byte] = new Uint8Array(await file.slice(5_000_000, 5_000_001).arrayBuffer());"
    " const w = await handle.createWritable({ keepExistingData: true });"
    " await w.write({ type: 'write', position: 5_000_000, data: new Uint8Array([byte ^ 1]) }); await w.close(); }",
}


def test_damaged_or_foreign_snapshot_is_replaced(fresh_page: Page) -> None:
    """Python restarts, and a new snapshot is saved.

    Snapshots of another build are never used. Each start has its own dice.
    """
    page = fresh_page
    faces = [roll_faces(page)]
    for how, damage in DAMAGES.items():
        wait_for_snapshot(page)
        evaluate_snapshots(page, damage)
        faces.append(roll_faces(page))
        assert not is_started_from_snapshot(page), how
    assert len(set(faces)) == len(faces), faces  # equal by chance once in 20^12
    wait_for_snapshot(page)
    evaluate_snapshots(page, "(found) => found[0][0].move('engine-of-another-build')")
    roll_faces(page)
    assert not is_started_from_snapshot(page)
    page.wait_for_function(
        """async () => {
          const root = await navigator.storage.getDirectory();
          const names = [];
          for await (const name of (await root.getDirectoryHandle("scratch-engine")).keys()) names.push(name);
          return names.length === 1 && names[0] !== "engine-of-another-build";
        }"""
    )


BEGUN = "tools/fight/?" + build_warm_up_queries()["fight"]
CODE_BUTTON = "button[data-share-fight] >> nth=0"  # its answer draws a code with a module that is in no snapshot
CODE_DRAWING = ".fight-code figcaption"
ARCHIVES = "**/{app,stdlib}.zip.zst"


def test_module_missing_in_the_snapshot_loads_the_archives(fresh_page: Page) -> None:
    """Calculators answer from the snapshot while the archives are held back.

    Archives that fail to load show an error, and a retry loads them.
    """
    page = fresh_page
    roll_faces(page)
    wait_for_snapshot(page)
    page.context.route(ARCHIVES, lambda route: None)
    mano = f"{BEGUN}&system=mano&order=ash%0Abirch"
    for path in ("tools/dice/?roll=2d6", "tools/character/?name=Ria&toughness=4", "tools/replay/?at=1", mano, BEGUN):
        page.goto(path)
        wait_for_answer(page)
        assert is_started_from_snapshot(page), path
    unfold(page.locator(CODE_BUTTON))
    press_and_wait(page, lambda: page.click(CODE_BUTTON))
    assert not page.locator(CODE_DRAWING).count()
    page.context.unroute(ARCHIVES)  # releases the held requests
    page.wait_for_selector(CODE_DRAWING)
    assert is_started_from_snapshot(page), "expected the same Python, not a restarted one"
    page.context.route(ARCHIVES, lambda route: route.abort())
    page.goto(BEGUN)
    wait_for_answer(page)
    unfold(page.locator(CODE_BUTTON))
    page.click(CODE_BUTTON)
    page.wait_for_selector("scratch-calculator[data-state=failed]")
    assert "app.zip.zst could not be loaded" in page.inner_text(".calculator-status")
    page.context.unroute(ARCHIVES)
    tap(page, "[data-retry]")
    page.click(CODE_BUTTON)
    page.wait_for_selector(CODE_DRAWING)


def test_browser_without_file_storage_starts_python_each_time(
    new_context: Callable[..., BrowserContext], site: Path
) -> None:
    """No snapshot is used on the second start."""
    script = next(site.glob("assets/engine-*/worker.mjs")).read_text(encoding="utf-8")
    elsewhere = script.replace("navigator.storage", "navigator.nowhere")
    assert elsewhere != script
    page = new_context().new_page()
    page.route("**/worker.mjs", lambda route: route.fulfill(body=elsewhere, content_type="text/javascript"))
    for _ in range(2):
        roll_faces(page)
    assert not is_started_from_snapshot(page)
