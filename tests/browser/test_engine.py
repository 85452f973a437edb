"""The engine in the page: it starts, falls back, fails visibly, recovers, and is kept from page to page."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.following import follow
from tests.browser.pages.calculator import READY, engine_worker, roll, settled, tap
from tests.support.plain import TRIMMED_ONLY

DICE = "tools/dice/"


def test_one_worker_from_page_to_page_takes_the_trimmed_library_alone(fresh_page: Page) -> None:
    """An ordinary start asks neither for the full standard library nor for the lock file of Pyodide's packages.

    Instant navigation keeps the worker: the next page is ready without a new start. One that is killed is replaced.
    """
    page = fresh_page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    page.goto(DICE)
    settled(page)
    assert "stdlib.zip.gz" in asked
    assert not {"python_stdlib.zip", "pyodide-lock.json"} & set(asked)
    asked.clear()
    page.evaluate("window.stillHere = true")
    follow(page, "/tools/character/")
    settled(page)
    follow(page, f"/{DICE}")
    settled(page)
    assert page.evaluate("window.stillHere") is True
    assert not [name for name in asked if name.endswith(".wasm")]
    engine_worker(page).evaluate("self.close()")
    roll(page)


@pytest.mark.parametrize("how", [{"status": 404, "body": "gone"}, {"status": 200, "body": "<html>not a zip</html>"}])
def test_full_library_steps_in(new_context: Callable[..., BrowserContext], how: dict[str, Any]) -> None:
    """Where the trimmed library is missing or no archive, the full one is taken and dice roll."""
    context = new_context()
    context.route("**/stdlib.zip.gz", lambda route: route.fulfill(**how))
    page = context.new_page()
    page.goto(DICE)
    settled(page)
    roll(page)


@TRIMMED_ONLY
def test_missing_module_brings_the_full_library(new_context: Callable[..., BrowserContext], site: Path) -> None:
    """Where the trimmed library lacks a module that is needed after all, the engine starts again with the full one."""
    trimmed = next(site.glob("assets/engine-*/stdlib.zip.gz"))
    library = gzip.decompress(trimmed.read_bytes())
    index = library[: library.index(b"whole_traceback")]  # where each module lies: the last name but a few
    smaller = index.replace(b"urllib/parse", b"urllib/barse") + library[len(index) :]
    assert len(smaller) == len(library)
    assert hash(smaller) != hash(library)
    context = new_context()
    context.route("**/stdlib.zip.gz", lambda route: route.fulfill(body=smaller, content_type="application/zip"))
    page = context.new_page()
    with page.expect_request("**/python_stdlib.zip"):
        page.goto(DICE)
    settled(page)


@TRIMMED_ONLY
@pytest.mark.parametrize("in_quiet", [False, True], ids=["asked", "in-a-quiet-moment"])
def test_a_function_left_out_brings_the_whole_interpreter(
    new_context: Callable[..., BrowserContext], site: Path, in_quiet: bool
) -> None:
    """Where Python needs a function that was left out of the interpreter, Pyodide's own takes over and dice roll.

    The worker is changed to need one, a complex cosine: before it answers the page, or before it answers for no one.
    """
    worker = next(site.glob("assets/engine-*/worker.mjs")).read_text(encoding="utf-8")
    taken = re.search(r'(\w+)=(\w+)\.globals\.get\("answer"\)', worker)
    assert taken
    is_quiet = 'JSON.parse(request).root === ""'
    needing = f"""(() => {{
      const [python, plain] = [{taken[2]}, {taken[2]}.globals.get("answer")];
      return (request) => {{
        if (({is_quiet}) === {str(in_quiet).lower()}) python.runPython("import cmath; cmath.cosh(1j)");
        return plain(request);
      }};
    }})()"""
    changed = worker.replace(taken[0], f"{taken[1]}={needing}")
    context = new_context()
    context.route("**/worker.mjs", lambda route: route.fulfill(body=changed, content_type="text/javascript"))
    page = context.new_page()
    with page.expect_request("**/python_stdlib.zip"):
        page.goto(DICE)
        roll(page)


@pytest.mark.parametrize(
    ("file", "how", "words", "is_retried"),
    [
        ("*.wasm", {"status": 404, "body": "gone"}, "404", False),
        ("*.wasm", {"status": 200, "content_type": "text/html", "body": "<html>"}, "text/html", False),
        ("*.wasm", None, "could not be loaded", True),
        ("app.zip.gz", {"status": 200, "content_type": "text/html", "body": "<html>"}, "came as something else", True),
    ],
    ids=["missing", "wrong-type", "blocked", "application-as-a-page"],
)
def test_failed_start_is_told_and_can_be_retried(
    new_context: Callable[..., BrowserContext], file: str, how: dict[str, Any] | None, words: str, is_retried: bool
) -> None:
    """With a file missing, of a wrong type or blocked the reader is told why, in words, and can retry."""
    context = new_context()
    context.route(f"**/{file}", lambda route: route.abort() if how is None else route.fulfill(**how))
    page = context.new_page()
    page.goto(DICE)
    page.wait_for_selector("scratch-calculator[data-state=failed]")
    told = page.inner_text(".calculator-status")
    assert words in told
    assert not re.search(r"Traceback|\?\.", told)
    if not is_retried:  # how a file failed to come is nothing to the start that follows, but what failed may be
        return
    context.unroute(f"**/{file}")
    tap(page, "[data-retry]")
    roll(page)


def test_worked_answers_stand_without_scripts(new_context: Callable[..., BrowserContext], site: Path) -> None:
    """With JavaScript off every calculator of every page shows its worked answer and says why it does not move."""
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
    assert seen >= 6


def test_what_takes_long_can_be_stopped(new_context: Callable[..., BrowserContext], site: Path) -> None:
    """Stop brings back what was there before it returns, whatever the worker does; the next press is answered.

    The worker never comes back from a request that has the words `12d12` in it.
    """
    context = new_context()
    script = next(site.glob("assets/engine-*/worker.mjs")).read_text(encoding="utf-8")
    hang = "self.addEventListener('message', (event) => { if (event.data.request?.includes('12d12')) for (;;); });\n"
    context.route("**/worker.mjs", lambda route: route.fulfill(body=hang + script, content_type="text/javascript"))
    page = context.new_page()
    page.goto(f"{DICE}?roll=2d6&faces=3,4")
    settled(page)
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
