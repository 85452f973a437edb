"""The map tool: positions of spaces, and drags."""

from playwright.sync_api import Page

from tests.support.known import require


def find_centre(page: Page, space: str) -> tuple[float, float]:
    """Return the centre of a space in the window."""
    box = require(page.locator(f"[data-space='{space}']").bounding_box())
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, *spaces: str) -> None:
    """Drag the mouse from the first space through the others to the last."""
    page.locator(f"[data-space='{spaces[0]}']").scroll_into_view_if_needed()
    page.mouse.move(*find_centre(page, spaces[0]))
    page.mouse.down()
    for space in spaces[1:]:
        page.mouse.move(*find_centre(page, space), steps=3)
    page.mouse.up()
