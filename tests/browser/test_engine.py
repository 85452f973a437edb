"""Python in the page: starting, fallbacks, visible failures, recovery and reuse across pages."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.navigation import follow
from tests.browser.pages.calculator import READY, find_engine_worker, roll, tap, wait_for_answer
from tests.support.plain import TRIMMED_ONLY
from tests.support.zstandard import compress, decompress

DICE = "tools/dice/"
SHEETS = "Ash%0Aside:+x%0A1+fighting%0A%0AElm%0Aside:+y%0A1+fighting"
FIGHT_BEGUN = f"/tools/fight/?sheets={SHEETS}&log=begin&initiative=ash+9,+elm+4"


def test_worker_loads_the_trimmed_library_and_survives_navigation(fresh_page: Page) -> None:
    """The full library and Pyodide's lock file are not requested.

    A killed worker is replaced.
    """
    page = fresh_page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    page.goto(DICE)
    wait_for_answer(page)
    assert "stdlib.zip.zst" in asked
    assert not {"python_stdlib.zip.zst", "pyodide-lock.json"} & set(asked)
    asked.clear()
    page.evaluate("window.stillHere = true")
    follow(page, "/tools/character/")
    wait_for_answer(page)
    follow(page, f"/{DICE}")
    wait_for_answer(page)
    assert page.evaluate("window.stillHere") is True
    assert not {"app.zip.zst", "stdlib.zip.zst", "pyodide.asm.wasm.zst"} & set(asked)
    find_engine_worker(page).evaluate("self.close()")
    roll(page)


@TRIMMED_ONLY
def test_dice_and_characters_need_only_the_first_archive(new_context: Callable[..., BrowserContext]) -> None:
    """A fight reports that the second one can't be loaded, and a retry loads it."""
    context = new_context()
    context.route("**/more.zip.zst", lambda route: route.abort())
    page = context.new_page()
    page.goto(DICE)
    roll(page)
    for path in ("/tools/character/", "/tools/house/"):
        follow(page, path)
        wait_for_answer(page)
    follow(page, FIGHT_BEGUN)
    page.wait_for_selector("scratch-calculator[data-state=failed]")
    assert "more.zip.zst could not be loaded" in page.inner_text(".calculator-status")
    context.unroute("**/more.zip.zst")
    page.click("[data-retry]")
    page.wait_for_selector(f"{READY} [data-action]", state="attached")


@pytest.mark.parametrize(
    "how",
    [
        {"status": 404, "body": "gone"},
        {"status": 200, "body": "<html>not a zip</html>"},
        {"status": 200, "body": compress(b"no archive")},
        {"status": 200, "body": compress(b"PK and more")[:-4]},
    ],
    ids=["missing", "page", "altered", "truncated"],
)
def test_full_library_replaces_a_missing_or_invalid_trimmed_one(
    new_context: Callable[..., BrowserContext], how: dict[str, Any]
) -> None:
    """Dice roll as usual."""
    context = new_context()
    context.route("**/stdlib.zip.zst", lambda route: route.fulfill(**how))
    page = context.new_page()
    page.goto(DICE)
    wait_for_answer(page)
    roll(page)


@TRIMMED_ONLY
def test_module_missing_in_the_trimmed_library_loads_the_full_one(
    new_context: Callable[..., BrowserContext], site: Path
) -> None:
    """Rename a needed module in the trimmed library."""
    trimmed = next(site.glob("assets/engine-*/stdlib.zip.zst"))
    library = decompress(trimmed)
    index = library[: library.index(b"whole_traceback")]  # where each module lies: the last name but a few
    smaller = index.replace(b"urllib/parse", b"urllib/barse") + library[len(index) :]
    assert len(smaller) == len(library)
    assert hash(smaller) != hash(library)
    context = new_context()
    context.route("**/stdlib.zip.zst", lambda route: route.fulfill(body=smaller, content_type="application/zip"))
    page = context.new_page()
    with page.expect_request("**/python_stdlib.zip.zst"):
        page.goto(DICE)
    wait_for_answer(page)


@TRIMMED_ONLY
@pytest.mark.parametrize("is_idle", [False, True], ids=["on-request", "when-idle"])
def test_function_missing_in_the_trimmed_interpreter_loads_the_full_one(
    new_context: Callable[..., BrowserContext], site: Path, is_idle: bool
) -> None:
    """Pyodide's own interpreter takes over, and dice roll.

    The worker is changed to call a complex cosine, for a page or while it is idle.
    """
    worker = next(site.glob("assets/engine-*/worker.mjs")).read_text(encoding="utf-8")
    taken = re.search(r'(\w+)=(\w+)\.globals\.get\("answer_json_request"\)', worker)
    assert taken
    is_quiet = 'JSON.parse(request).root === ""'
    needing = f"""(() => {{
      const [python, plain] = [{taken[2]}, {taken[2]}.globals.get("answer_json_request")];
      return (request) => {{
        if (({is_quiet}) === {str(is_idle).lower()}) python.runPython("import cmath; cmath.cosh(1j)");
        return plain(request);
      }};
    }})()"""
    changed = worker.replace(taken[0], f"{taken[1]}={needing}")
    context = new_context()
    context.route("**/worker.mjs", lambda route: route.fulfill(body=changed, content_type="text/javascript"))
    page = context.new_page()
    with page.expect_request("**/python_stdlib.zip.zst"):
        page.goto(DICE)
        roll(page)


@pytest.mark.parametrize(
    ("file", "how", "words", "is_retried"),
    [
        ("*.wasm.zst", {"status": 404, "body": "gone"}, "404", False),
        ("*.wasm.zst", {"status": 200, "content_type": "text/html", "body": "<html>"}, "text/html", False),
        ("*.wasm.zst", {"status": 200, "body": compress(b"no interpreter")}, "came damaged", True),
        ("*.wasm.zst", None, "could not be loaded", True),
        ("zstddec.wasm", None, "could not be loaded", True),
        ("app.zip.zst", {"status": 200, "content_type": "text/html", "body": "<html>"}, "came as text/html", True),
        ("app.zip.zst", {"status": 200, "body": compress(b"PK and more")[:-4]}, "came damaged", True),
    ],
    ids=["missing", "page", "altered", "blocked", "no decoder", "application as a page", "application truncated"],
)
def test_failed_start_shows_its_reason_and_can_be_retried(
    new_context: Callable[..., BrowserContext], file: str, how: dict[str, Any] | None, words: str, is_retried: bool
) -> None:
    """A file is missing, blocked or of a wrong type."""
    context = new_context()
    context.route(f"**/{file}", lambda route: route.abort() if how is None else route.fulfill(**how))
    page = context.new_page()
    page.goto(DICE)
    page.wait_for_selector("scratch-calculator[data-state=failed]")
    status = page.inner_text(".calculator-status")
    assert words in status
    assert not re.search(r"Traceback|\?\.", status)
    if not is_retried:  # the next start depends on which file failed, not on how
        return
    context.unroute(f"**/{file}")
    tap(page, "[data-retry]")
    roll(page)


CONTROLS = "button, input, select, textarea, .open-file, [data-share], a[href^='?']"


def test_calculators_without_javascript_show_a_prerendered_answer(
    new_context: Callable[..., BrowserContext], site: Path
) -> None:
    """Each one says what needs JavaScript, and shows no control that can't act."""
    context = new_context(java_script_enabled=False)
    page = context.new_page()
    seen = 0
    for path in sorted(site.rglob("index.html")):
        if "<scratch-calculator" not in path.read_text(encoding="utf-8"):
            continue
        page.goto(path.relative_to(site).parent.as_posix() + "/")
        for calculator in page.locator("scratch-calculator").all():
            seen += 1
            assert calculator.get_attribute("data-state") == "prerendered"
            assert calculator.locator("[data-answer]").first.is_visible()
            assert calculator.locator(".calculator-noscript").is_visible()
            assert calculator.locator(CONTROLS).filter(visible=True).all_inner_texts() == []
    assert seen >= 6


def test_stop_restores_the_previous_answer_of_a_hanging_calculation(
    new_context: Callable[..., BrowserContext], site: Path
) -> None:
    """The next press is answered.

    The worker hangs on a request that contains `12d12`.
    """
    context = new_context()
    script = next(site.glob("assets/engine-*/worker.mjs")).read_text(encoding="utf-8")
    hang = "self.addEventListener('message', (event) => { if (event.data.request?.includes('12d12')) for (;;); });\n"
    context.route("**/worker.mjs", lambda route: route.fulfill(body=hang + script, content_type="text/javascript"))
    page = context.new_page()
    page.goto(f"{DICE}?roll=2d6&faces=3,4")
    wait_for_answer(page)
    shown = page.inner_text("[data-answer]")
    page.fill("[name=roll]", "12d12")
    page.evaluate("document.querySelector('[name=faces]').value = ''")
    page.press("[name=roll]", "Enter")
    page.wait_for_selector("[data-stop]:visible")
    is_stale = page.evaluate(
        """() => {
          document.querySelector("[data-stop]").click();
          return document.querySelector("scratch-calculator").hasAttribute("stale");
        }"""
    )
    assert not is_stale
    assert page.inner_text("[data-answer]") == shown
    assert not page.locator(".calculator-status").is_visible()
    page.fill("[name=roll]", "5d6")
    page.press("[name=roll]", "Enter")
    page.wait_for_selector(f"{READY} .die:nth-child(5)")
