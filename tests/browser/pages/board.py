"""The map tool: positions of spaces, and drags."""

from playwright.sync_api import Page

from tests.support.known import require


def middle(page: Page, space: str) -> tuple[float, float]:
    """Return the centre of a space in the window."""
    box = require(page.locator(f"[data-space='{space}']").bounding_box())
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, *spaces: str) -> None:
    """Press the mouse in the first space, pass the others and release it in the last."""
    page.locator(f"[data-space='{spaces[0]}']").scroll_into_view_if_needed()
    page.mouse.move(*middle(page, spaces[0]))
    page.mouse.down()
    for space in spaces[1:]:
        page.mouse.move(*middle(page, space), steps=3)
    page.mouse.up()
