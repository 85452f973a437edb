"""Strokes over a drawing by mouse, touch and keys, with the script alone in a page of its own."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.script_page import fill_body, import_script, open_script_page

SIZE = "width=30 height=30"
SPACE_SIZE = 60
"""Pixels on the screen; a unit of the drawing is two of them."""


@pytest.fixture
def drawing(browser: Browser) -> Iterator[Page]:
    """Open a drawing of six spaces with a token and two tools.

    The token is on the first space, and one of the tools carries.
    """
    spaces = "".join(
        f'<rect data-space="{column},{row}" tabindex="-1" x="{30 * column}" y="{30 * row}" {SIZE}></rect>'
        for row in range(2)
        for column in range(3)
    )
    with open_script_page(browser, {"tools/dice/": "<!doctype html><body>"}, has_touch=True) as page:
        fill_body(
            page,
            f"""<style>body {{ margin: 0; height: 2000px }} svg {{ position: absolute; left: 0; top: 0 }}</style><form>
            <svg data-stroke-control="stroke" data-parts="space" data-tool="brush"
            width="180" height="120" viewBox="0 0 90 60">{spaces}<g data-drag-preview="0,0"></g></svg>
            <p style="padding-top: 150px"><input type="radio" name="brush" value="pick" data-drags checked>
            <input type="radio" name="brush" value="wall"></p></form>""",
        )
        then = """globalThis.gathered = []; globalThis.ended = new AbortController();
        const done = (control, text) => gathered.push(`${control}, ${text}`);
        script.trackStrokes(document.querySelector("form"), ended.signal, done);
        addEventListener("touchmove", (event) => (globalThis.isHeld = event.defaultPrevented));"""
        import_script(page, "calculator/pointer-strokes", then)
        yield page


def choose_tool(page: Page, tool: str) -> None:
    """Choose a tool."""
    page.check(f"[value={tool}]")


def compute_centre(column: int, row: int) -> tuple[int, int]:
    """Return the centre of a space on the screen."""
    return SPACE_SIZE * column + SPACE_SIZE // 2, SPACE_SIZE * row + SPACE_SIZE // 2


def list_passed(page: Page) -> list[str]:
    """Return the spaces that a stroke has passed so far."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('[data-in-stroke]')].map((each) => each.dataset.space)"
    )
    return found


def list_gathered(page: Page) -> list[str]:
    """Return the gathered strokes."""
    found: list[str] = page.evaluate("gathered")
    return found


def get_focus(page: Page) -> Any:
    """Return the focused space."""
    return page.evaluate("document.activeElement.dataset.space")


def send_pointer_event(page: Page, kind: str, column: int, row: int, **more: Any) -> None:
    """Dispatch a pointer event that the mouse can't send."""
    selector = f"[data-space='{column},{row}']"
    page.dispatch_event(
        selector, f"pointer{kind}", {"pointerId": 7, "button": 0, "isPrimary": True, "bubbles": True, **more}
    )


def test_press_gathers_one_space_and_stroke_gathers_each_once(drawing: Page) -> None:
    """The tool's name comes first, and the first space of a stroke has the focus."""
    choose_tool(drawing, "wall")
    drawing.mouse.click(*compute_centre(0, 0))
    drawing.mouse.move(*compute_centre(0, 0))
    drawing.mouse.down()
    drawing.mouse.move(*compute_centre(2, 0))
    drawing.mouse.move(*compute_centre(2, 1))
    assert list_passed(drawing) == ["0,0", "1,0", "2,0", "2,1"]
    assert drawing.locator("[data-stroking]").count() == 1
    drawing.mouse.up()
    assert list_gathered(drawing) == ["stroke, wall: 0,0", "stroke, wall: 0,0 1,0 2,0 2,1"]
    assert (list_passed(drawing), drawing.locator("[data-stroking]").count(), get_focus(drawing)) == ([], 0, "0,0")


def test_carrying_tool_gathers_first_and_last_space(drawing: Page) -> None:
    """The token follows the pointer and returns at the end."""
    drawing.mouse.move(*compute_centre(0, 0))
    drawing.mouse.down()
    drawing.mouse.move(*compute_centre(1, 0))
    drawing.mouse.move(compute_centre(2, 0)[0], compute_centre(2, 0)[1] + 20)
    assert list_passed(drawing) == ["0,0", "2,0"]
    assert drawing.get_attribute("g", "transform") == "translate(30 10)"
    drawing.mouse.up()
    assert (list_gathered(drawing), drawing.get_attribute("g", "transform")) == (["stroke, pick: 0,0 2,0"], None)
    drawing.mouse.move(*compute_centre(0, 0))
    drawing.mouse.down()
    drawing.mouse.move(*compute_centre(1, 0))
    drawing.mouse.move(*compute_centre(0, 0))
    drawing.mouse.up()
    assert list_gathered(drawing)[1:] == ["stroke, pick: 0,0"]


def test_other_buttons_and_second_fingers_begin_no_stroke(drawing: Page) -> None:
    """A press outside of the drawing begins none, and a cancelled stroke gathers nothing."""
    drawing.mouse.click(*compute_centre(0, 0), button="right")
    send_pointer_event(drawing, "down", 0, 0, isPrimary=False)
    assert list_passed(drawing) == []
    drawing.mouse.click(300, 20)
    drawing.mouse.move(*compute_centre(0, 0))
    drawing.mouse.down()
    send_pointer_event(drawing, "up", 0, 0)
    assert (list_gathered(drawing), list_passed(drawing)) == ([], ["0,0"])
    drawing.dispatch_event("[data-space='0,0']", "pointercancel", {"bubbles": True})
    drawing.mouse.up()
    assert (list_gathered(drawing), list_passed(drawing)) == ([], [])


def is_scroll_prevented(page: Page, column: int) -> bool:
    """Draw down from a space by touch, and return whether scrolling was prevented."""
    session = page.context.new_cdp_session(page)
    x, y = compute_centre(column, 0)
    for kind, way in (("touchStart", 0), ("touchMove", 20), ("touchMove", 40)):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y + way}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()
    return bool(page.evaluate("isHeld"))


def test_touch_scrolls_the_page_where_the_tool_carries_nothing(drawing: Page) -> None:
    """A painting tool prevents scrolling everywhere, also after an answer."""
    assert is_scroll_prevented(drawing, 0)
    assert not is_scroll_prevented(drawing, 1)
    drawing.evaluate("scrollTo(0, 0)")
    choose_tool(drawing, "wall")
    assert is_scroll_prevented(drawing, 1)
    drawing.evaluate("const old = document.querySelector('svg'); old.replaceWith(old.cloneNode(true))")
    assert is_scroll_prevented(drawing, 1)


def test_keys_move_the_focus_press_and_draw_strokes(drawing: Page) -> None:
    """Arrows move, Enter presses, Space begins and ends a stroke, and Escape drops it."""
    choose_tool(drawing, "wall")
    drawing.focus("[data-space='0,0']")
    for key, space in [("Right", "1,0"), ("Down", "1,1"), ("Left", "0,1"), ("Left", "0,1"), ("Up", "0,0")]:
        drawing.keyboard.press(f"Arrow{key}")
        assert get_focus(drawing) == space
    assert drawing.eval_on_selector_all("[tabindex='0']", "(all) => all.map((each) => each.dataset.space)") == ["0,0"]
    for key in ("Enter", "Space", "ArrowRight", "Space", "Space", "ArrowRight", "Escape"):
        drawing.keyboard.press(key)
    assert list_gathered(drawing) == ["stroke, wall: 0,0", "stroke, wall: 0,0 1,0"]
    drawing.evaluate("addEventListener('keydown', (event) => (globalThis.isTaken = event.defaultPrevented))")
    for key in ("Escape", "x", "Control+Enter"):
        drawing.keyboard.press(key)
        assert (drawing.evaluate("isTaken"), list_passed(drawing)) == (False, [])
