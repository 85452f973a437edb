"""Answers held back: what is asked waits at the worker's door until a test lets it go."""

import contextlib
from collections.abc import Iterator

from playwright.sync_api import Page

HOLD = """() => {
  const { postMessage } = Worker.prototype;
  const held = [];
  Worker.prototype.postMessage = function (message, ...more) {
    const send = () => postMessage.call(this, message, ...more);
    if (message.request) held.push(send);
    else send();
  };
  window.heldBack = () => held.length;
  window.letOne = () => held.shift()();
  window.letGo = () => {
    Worker.prototype.postMessage = postMessage;
    for (const send of held.splice(0)) send();
  };
}"""
"""Holds every request back; `letOne()` sends the first, `letGo()` all and holds no more."""


@contextlib.contextmanager
def held_back(page: Page) -> Iterator[None]:
    """Hold answers back, and let them go at the end."""
    page.evaluate(HOLD)
    try:
        yield
    finally:
        page.evaluate("letGo()")


def let_one(page: Page) -> None:
    """Let the first request that is held back go, as soon as there is one."""
    page.wait_for_function("() => heldBack() > 0")
    page.evaluate("letOne()")
