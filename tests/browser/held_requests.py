"""Requests to the worker that wait until a test releases them."""

import contextlib
from collections.abc import Iterator

from playwright.sync_api import Page

HOLD_REQUESTS = """() => {
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
"""Holds every request back; `letOne()` sends the first, and `letGo()` sends all and holds no more."""


@contextlib.contextmanager
def hold_requests(page: Page) -> Iterator[None]:
    """Hold requests back, and release them at the end."""
    page.evaluate(HOLD_REQUESTS)
    try:
        yield
    finally:
        page.evaluate("letGo()")


def release_request(page: Page) -> None:
    """Release the first held request, as soon as there is one."""
    page.wait_for_function("() => heldBack() > 0")
    page.evaluate("letOne()")
