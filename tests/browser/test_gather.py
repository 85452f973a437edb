"""Strokes over a drawing, by mouse, finger and keys, with the script alone in a page of its own."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.lone import fill_body, import_script, lone_page

SIZE = "width=30 height=30"
SPACE = 60
"""Pixels; the drawing's own measure is half as fine."""


@pytest.fixture
def drawing(browser: Browser) -> Iterator[Page]:
    """Three columns and two rows of spaces, something to carry on the first; two tools, of which one carries."""
    spaces = "".join(
        f'<rect data-space="{column},{row}" tabindex="-1" x="{30 * column}" y="{30 * row}" {SIZE}></rect>'
        for row in range(2)
        for column in range(3)
    )
    with lone_page(browser, {"tools/dice/": "<!doctype html><body>"}, has_touch=True) as page:
        fill_body(
            page,
            f"""<style>body {{ margin: 0; height: 2000px }} svg {{ position: absolute; left: 0; top: 0 }}</style><form>
            <svg data-gather="stroke" data-parts="space" data-tool="brush" width="180" height="120" viewBox="0 0 90 60"
            >{spaces}<g data-rides="0,0"></g></svg>
            <p style="padding-top: 150px"><input type="radio" name="brush" value="pick" data-carries checked>
            <input type="radio" name="brush" value="wall"></p></form>""",
        )
        then = """globalThis.gathered = []; globalThis.ended = new AbortController();
        const done = (control, text) => gathered.push(`${control}, ${text}`);
        script.trackStrokes(document.querySelector("form"), ended.signal, done);
        addEventListener("touchmove", (event) => (globalThis.isHeld = event.defaultPrevented));"""
        import_script(page, "calculator/pointer-strokes", then)
        yield page


def choose(page: Page, tool: str) -> None:
    """Take a tool."""
    page.check(f"[value={tool}]")


def centre(column: int, row: int) -> tuple[int, int]:
    """The middle of a space on the screen."""
    return SPACE * column + SPACE // 2, SPACE * row + SPACE // 2


def passed(page: Page) -> list[str]:
    """The spaces that a stroke has passed so far."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('[data-passed]')].map((each) => each.dataset.space)"
    )
    return found


def gathered(page: Page) -> list[str]:
    """What has been gathered."""
    found: list[str] = page.evaluate("gathered")
    return found


def focused(page: Page) -> Any:
    """The space that has the focus."""
    return page.evaluate("document.activeElement.dataset.space")


def send(page: Page, kind: str, column: int, row: int, **more: Any) -> None:
    """Send a pointer's event that no mouse of ours sends."""
    selector = f"[data-space='{column},{row}']"
    page.dispatch_event(
        selector, f"pointer{kind}", {"pointerId": 7, "button": 0, "isPrimary": True, "bubbles": True, **more}
    )


def test_press_gathers_one_space_and_stroke_gathers_each_once(drawing: Page) -> None:
    """What is gathered is behind the tool's name; the first space of a stroke has the focus."""
    choose(drawing, "wall")
    drawing.mouse.click(*centre(0, 0))
    drawing.mouse.move(*centre(0, 0))
    drawing.mouse.down()
    drawing.mouse.move(*centre(2, 0))
    drawing.mouse.move(*centre(2, 1))
    assert passed(drawing) == ["0,0", "1,0", "2,0", "2,1"]
    assert drawing.locator("[data-gathering]").count() == 1
    drawing.mouse.up()
    assert gathered(drawing) == ["stroke, wall: 0,0", "stroke, wall: 0,0 1,0 2,0 2,1"]
    assert (passed(drawing), drawing.locator("[data-gathering]").count(), focused(drawing)) == ([], 0, "0,0")


def test_carrying_tool_gathers_first_and_last_space(drawing: Page) -> None:
    """What is in the first space rides along with the pointer, in the drawing's own measure, and is back at the end."""
    drawing.mouse.move(*centre(0, 0))
    drawing.mouse.down()
    drawing.mouse.move(*centre(1, 0))
    drawing.mouse.move(centre(2, 0)[0], centre(2, 0)[1] + 20)
    assert passed(drawing) == ["0,0", "2,0"]
    assert drawing.get_attribute("g", "transform") == "translate(30 10)"
    drawing.mouse.up()
    assert (gathered(drawing), drawing.get_attribute("g", "transform")) == (["stroke, pick: 0,0 2,0"], None)
    drawing.mouse.move(*centre(0, 0))
    drawing.mouse.down()
    drawing.mouse.move(*centre(1, 0))
    drawing.mouse.move(*centre(0, 0))
    drawing.mouse.up()
    assert gathered(drawing)[1:] == ["stroke, pick: 0,0"]


def test_other_buttons_and_fingers_begin_no_stroke(drawing: Page) -> None:
    """Neither does a press beside the drawing; a stroke that the browser takes away gathers nothing."""
    drawing.mouse.click(*centre(0, 0), button="right")
    send(drawing, "down", 0, 0, isPrimary=False)
    assert passed(drawing) == []
    drawing.mouse.click(300, 20)
    drawing.mouse.move(*centre(0, 0))
    drawing.mouse.down()
    send(drawing, "up", 0, 0)
    assert (gathered(drawing), passed(drawing)) == ([], ["0,0"])
    drawing.dispatch_event("[data-space='0,0']", "pointercancel", {"bubbles": True})
    drawing.mouse.up()
    assert (gathered(drawing), passed(drawing)) == ([], [])


def is_held(page: Page, column: int) -> bool:
    """Draw down from a space with a finger, and return whether the page was kept from scrolling."""
    session = page.context.new_cdp_session(page)
    x, y = centre(column, 0)
    for kind, way in (("touchStart", 0), ("touchMove", 20), ("touchMove", 40)):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y + way}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()
    return bool(page.evaluate("isHeld"))


def test_finger_scrolls_page_where_nothing_is_carried(drawing: Page) -> None:
    """A tool that paints holds the page everywhere; so does a drawing that came with an answer."""
    assert is_held(drawing, 0)
    assert not is_held(drawing, 1)
    drawing.evaluate("scrollTo(0, 0)")
    choose(drawing, "wall")
    assert is_held(drawing, 1)
    drawing.evaluate("const old = document.querySelector('svg'); old.replaceWith(old.cloneNode(true))")
    assert is_held(drawing, 1)


def test_keys_move_press_and_draw(drawing: Page) -> None:
    """Arrows go to the next space that way, Enter presses, Space begins and ends a stroke, Escape drops it."""
    choose(drawing, "wall")
    drawing.focus("[data-space='0,0']")
    for key, space in [("Right", "1,0"), ("Down", "1,1"), ("Left", "0,1"), ("Left", "0,1"), ("Up", "0,0")]:
        drawing.keyboard.press(f"Arrow{key}")
        assert focused(drawing) == space
    assert drawing.eval_on_selector_all("[tabindex='0']", "(all) => all.map((each) => each.dataset.space)") == ["0,0"]
    for key in ("Enter", "Space", "ArrowRight", "Space", "Space", "ArrowRight", "Escape"):
        drawing.keyboard.press(key)
    assert gathered(drawing) == ["stroke, wall: 0,0", "stroke, wall: 0,0 1,0"]
    drawing.evaluate("addEventListener('keydown', (event) => (globalThis.isTaken = event.defaultPrevented))")
    for key in ("Escape", "x", "Control+Enter"):
        drawing.keyboard.press(key)
        assert (drawing.evaluate("isTaken"), passed(drawing)) == (False, [])
