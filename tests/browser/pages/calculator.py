"""Common parts of calculators' pages: answers, buttons in folds, links and files."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, ViewportSize

from tests.browser.navigation import visit

KNOWN = "scratch-calculator[data-state]"
READY = "scratch-calculator[data-state=ready]:not([stale], [data-unsent])"
SUBMIT = "scratch-calculator form [type=submit] >> nth=0"
ROLLED = f"{READY} [data-total]"
FRAMES = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"""
"""Waits until pending changes are laid out and painted."""
PHONE: ViewportSize = {"width": 390, "height": 664}
"""A phone's screen with its bars."""
TARGET_OF_SELECTOR = re.compile(r"\[data-target='?([\w-]+)")
"""The target in a button's selector."""
TAP = """(key) => {
  const button = document.querySelector(`[data-key='${key}']`);
  const box = button.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const hit = document.elementFromPoint(x, y);
  if (!button.contains(hit)) throw new Error(`${key} is covered by ${hit?.outerHTML.slice(0, 80)}`);
  button.click();
}"""
"""Taps a button where it is, without scrolling; fails if it is covered."""


def is_uncovered(control: Locator) -> bool:
    """Return whether a control is in view with nothing over its centre."""
    return bool(
        control.evaluate(
            """(control) => {
              const box = control.getBoundingClientRect();
              return control.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
            }"""
        )
    )


def wait_for_answer(page: Page) -> None:
    """Wait until the answer is shown and no request is pending."""
    page.wait_for_selector(READY)


def open_ready(page: Page, address: str) -> None:
    """Open a page by a link, and wait for its calculator's answer."""
    visit(page, address)
    wait_for_answer(page)


def aim(page: Page, who: str) -> None:
    """Choose a target, if it is offered and not chosen already."""
    ring = page.locator(f".fight-people__aim[data-add='{who}'][aria-pressed=false]")
    if ring.count():
        ring.click()
        wait_for_answer(page)


def type_into_field(page: Page, name: str, text: str) -> None:
    """Type faces or a note, whose fields are behind a button on a phone."""
    if not page.locator(f"[name={name}]").is_visible():
        page.click(".fight-foot__own-dice")
    page.fill(f"[name={name}]", text)


def tap(page: Page, selector: str, faces: str = "") -> None:
    """Press a button, and wait for the answer.

    Its target is chosen and its folds are opened first. Faces are typed before, if there are any.
    """
    target = TARGET_OF_SELECTOR.search(selector)
    if target and not page.locator(selector).count():
        aim(page, target[1])
    if faces:
        type_into_field(page, "faces", faces)
    button = page.locator(selector).first
    unfold(button)
    button.click()
    wait_for_answer(page)


def unfold(control: Locator) -> None:
    """Open the folds around a control."""
    folds = control.locator("xpath=ancestor::details[not(@open)]")
    while folds.count():
        folds.first.locator("> summary").click()


def roll(page: Page) -> None:
    """Press the first roll button, and wait for the dice."""
    page.click(SUBMIT)
    page.wait_for_selector(ROLLED)


def read_figure(page: Page, name: str) -> str:
    """Return a figure of the answer."""
    return page.inner_text(f"[data-answer] [data-figure={name}]")


def read_share_link(page: Page) -> str:
    """Return the share link of the answer."""
    return str(page.locator("a[data-share]").first.get_attribute("href"))


def save_download(page: Page, button: str, file: Path) -> Path:
    """Press a button that exports a file, and save the file."""
    with page.expect_download() as saving:
        page.click(button)
    saving.value.save_as(file)
    return file


def find_engine_worker(page: Page) -> Any:
    """Return the page's worker that runs Python.

    The search has a worker of its own.
    """
    return next(worker for worker in page.workers if "/worker.mjs" in worker.url)


def press_and_wait(page: Page, press: Callable[[], None]) -> None:
    """Press, and wait until Python has answered and the page had time to show it."""
    worker = find_engine_worker(page)
    worker.evaluate("void (self.heard = new Promise((done) => self.addEventListener('message', done, { once: true })))")
    press()
    worker.evaluate("self.heard.then(() => undefined)")
    worker.evaluate("0")  # answered when Python is at rest
    page.evaluate(FRAMES)
