"""The focus and the scroll position after an answer, with the script alone in a page of its own."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.script_page import fill_body, import_script, open_script_page

ANSWER_OPTIONS = {"isPress": True, "isFromForm": True, "isContinuation": False}
BUTTONS = "".join(f"<button id={each} value={each}>{each}</button>" for each in "abcd")
STYLES = """<style>
  body { margin: 0; height: 3000px; padding-top: 1000px }
  form { position: relative; height: 1000px; padding: 0 }
  form > button, form > summary { position: absolute; left: 0; height: 20px }
  .md-header { position: fixed; top: 0; left: 0; right: 0; height: 48px }
</style>"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Load the script in a page.

    A calculator begins at the top of the 300 visible pixels.
    """
    with open_script_page(browser, {"tools/dice/": "<!doctype html><body>"}) as page:
        import_script(page, "calculator/focus-and-scroll")
        yield page


def show_answer(page: Page, inside: str, **tops: int) -> None:
    """Show an answer whose elements have these distances from the screen's top.

    Nothing has the focus.
    """
    shown = f"<div class='calculator calculator-body'><form>{inside}</form></div>"
    fill_body(page, f"{STYLES}<scratch-calculator name=dice>{shown}</scratch-calculator>")
    page.evaluate("scrollTo(0, 1000)")
    move_elements(page, **tops)


def move_elements(page: Page, **tops: int) -> None:
    """Move elements to these distances from the top of the form."""
    for name, top in tops.items():
        page.evaluate(f"document.getElementById('{name}').style.top = '{top}px'")


def capture_anchors(page: Page, pressed: str) -> list[str]:
    """Capture the elements around a press, and return their ids.

    Ids of elements out of view are in parentheses.
    """
    found = f"""(() => {{
      const host = document.querySelector("scratch-calculator");
      const pressed = document.querySelector({json.dumps(pressed)});
      globalThis.around = script.captureScrollAnchors(host, pressed);
      globalThis.destination = script.focusDestinationOfPress(pressed);
      return around.map(([each, box]) => (box ? each.id : `(${{each.id}})`));
    }})()"""
    ids: list[str] = page.evaluate(found)
    return ids


def apply_answer(page: Page, **how: bool) -> str:
    """Apply focus and scroll position, and return the id of the focused element."""
    called = json.dumps({**ANSWER_OPTIONS, **how})
    host = "document.querySelector('scratch-calculator')"
    page.evaluate(f"script.applyFocusAndScroll({host}, {called}, globalThis.around ?? [], globalThis.destination)")
    page.clock.run_for(20)  # a frame
    return get_focus(page)


def get_focus(page: Page) -> str:
    """Return the id of the focused element."""
    return str(page.evaluate("document.activeElement.id || document.activeElement.tagName"))


def measure_top(page: Page, selector: str) -> int:
    """Return an element's distance from the top of the screen."""
    return round(page.locator(selector).first.evaluate("each => each.getBoundingClientRect().top"))


def test_press_focuses_the_element_of_the_answer_with_its_frame_in_view(page: Page) -> None:
    """After typing only a changed element, and never for a continued answer."""
    show_answer(
        page, "<div style='height: 700px'></div><div data-frame><p id=answer tabindex=-1 data-focus=1>x</p></div>"
    )
    assert apply_answer(page) == "answer"
    assert measure_top(page, "[data-frame]") == 0
    page.evaluate("document.activeElement.blur()")
    assert apply_answer(page, isPress=False) == "BODY"
    page.evaluate("answer.dataset.focus = 2")
    assert apply_answer(page, isPress=False, isContinuation=True) == "BODY"
    page.evaluate("answer.dataset.focus = 3")
    assert apply_answer(page, isPress=False) == "answer"


def test_pressed_button_keeps_its_position_and_focus(page: Page) -> None:
    """The pressed button keeps its position and its focus.

    If it is disabled or removed, its nearest neighbour or the first control has the focus.
    """
    show_answer(
        page,
        "<button id=a type=button>A</button><button id=b name=act value=x>B</button><p hidden><a href='?d'>D</a></p>",
        a=20,
        b=40,
    )
    assert capture_anchors(page, "#b") == ["b", "a"]
    move_elements(page, b=65, a=45)
    assert apply_answer(page) == "b"
    assert measure_top(page, "#b") == 40
    page.evaluate("b.disabled = true")
    assert apply_answer(page) == "a"
    page.evaluate("document.forms[0].innerHTML = '<input id=e>'")
    assert apply_answer(page) == "e"


def test_opened_fold_keeps_its_position_once(page: Page) -> None:
    """Closing it later may move it."""
    show_answer(page, "<details id=fold><summary>F</summary>x</details>")
    page.evaluate("script.keepFoldInPlaceAtNextToggle(document.querySelector('summary'))")
    page.evaluate("""new Promise((done) => {
      fold.addEventListener("toggle", done, { once: true });
      fold.style.marginTop = "30px";
      fold.open = true;
    })""")
    assert measure_top(page, "summary") == 0
    page.evaluate("""new Promise((done) => {
      fold.addEventListener("toggle", done, { once: true });
      fold.style.marginTop = "50px";
      fold.open = false;
    })""")
    assert measure_top(page, "summary") == 20


def test_visible_elements_are_anchors_and_other_focus_is_preserved(page: Page) -> None:
    """An element that only touches the edge of the screen is out of view."""
    show_answer(page, BUTTONS, a=-20, b=100, c=120, d=300)
    assert capture_anchors(page, "#b") == ["b", "c", "(a)", "(d)"]
    move_elements(page, a=-19, d=299)
    assert capture_anchors(page, "#b") == ["b", "c", "a", "d"]
    page.focus("#c")
    assert capture_anchors(page, "#none")[0] == "c"
    assert apply_answer(page) == "c"
    page.evaluate("document.activeElement.blur()")
    assert capture_anchors(page, "#none") == []
    assert apply_answer(page, isPress=False) == "BODY"
    assert apply_answer(page) == "a"


@pytest.mark.parametrize("head", ["", "<header class=md-header></header>"], ids=["nothing in view", "head of the page"])
def test_removed_button_gives_focus_to_the_nearest_one(page: Page, head: str) -> None:
    """Visible ones below the header come first."""
    show_answer(
        page,
        BUTTONS + head,
        **({"a": 60, "b": 20, "c": -40, "d": 100} if head else {"a": -80, "b": -40, "c": 100, "d": 130}),
    )
    capture_anchors(page, "#d")
    page.evaluate("d.remove()")
    if not head:
        page.evaluate("c.remove()")
    assert apply_answer(page) == ("a" if head else "b")


def test_press_in_a_frame_scrolls_the_frame_before_the_page(page: Page) -> None:
    """The page scrolls the remaining distance."""
    frame = "<div data-pans style='height: 100px; overflow: auto; position: relative'><div style='height: 400px'></div>"
    show_answer(page, f"{frame}<button id=a style='position: absolute; top: 40px'>A</button></div>")
    capture_anchors(page, "#a")
    move_elements(page, a=65)
    assert apply_answer(page) == "a"
    assert (measure_top(page, "#a"), page.evaluate("document.querySelector('[data-pans]').scrollTop")) == (40, 25)
    move_elements(page, a=425)
    assert apply_answer(page) == "a"
    assert measure_top(page, "#a") == 40
    assert page.evaluate("scrollY") > 1000


OPENER = "<button id=opener name=act value='open a' style='top: 700px'>Open</button>"
CLOSING = (
    "<p id=answer tabindex=-1 data-focus=closed>x</p><button id=other name=act value='open b'>Other</button>"
    "<button id=close name=act value='' data-return-focus-to='open a' style='top: 100px'>Close</button>"
)


@pytest.mark.parametrize(
    ("opener", "how", "has_focus"),
    [
        (OPENER, {}, "opener"),
        (OPENER, {"isContinuation": True}, "opener"),
        ("<p hidden><button name=act value='open a'>Open</button></p>", {}, "answer"),
    ],
    ids=["reached", "more", "hidden"],
)
def test_closing_press_returns_focus_to_the_opener_in_view(
    page: Page, opener: str, how: dict[str, Any], has_focus: str
) -> None:
    """An opener that can't be reached leaves the focus to the answer."""
    show_answer(page, opener + CLOSING)
    capture_anchors(page, "#close")
    page.evaluate("document.getElementById('close').remove()")
    if how:
        assert apply_answer(page, **how) != has_focus
    assert apply_answer(page) == has_focus
    assert 0 <= measure_top(page, f"#{has_focus}") <= 280


@pytest.mark.parametrize(("ticked", "has_focus"), [("checked", "answer"), ("", "opener")])
def test_closing_press_with_ticks_leaves_focus_to_the_answer(page: Page, ticked: str, has_focus: str) -> None:
    """A tick counts before its own answer has come."""
    tick = f"<input type=checkbox class=one {ticked}>"
    closing = CLOSING.replace("data-return-focus-to", "data-return-focus-unless='.one:checked' data-return-focus-to")
    show_answer(page, OPENER + tick + closing)
    capture_anchors(page, "#close")
    page.evaluate("document.getElementById('close').remove()")
    assert apply_answer(page) == has_focus


def test_result_of_a_press_scrolls_into_view_by_the_least_distance(page: Page) -> None:
    """Continued answers, typing and other presses don't scroll."""
    answer = "<p id=answer style='position: absolute; top: 600px; height: 20px; margin: 0'>x</p>"
    show_answer(
        page, f"{answer}<div data-into-view='#answer'><button id=a>A</button></div><button id=b>B</button>", a=20, b=60
    )
    capture_anchors(page, "#a")
    for how in ({"isContinuation": True}, {"isPress": False}):
        apply_answer(page, **how)
        assert page.evaluate("scrollY") == 1000
    capture_anchors(page, "#b")
    apply_answer(page)
    assert page.evaluate("scrollY") == 1000
    capture_anchors(page, "#a")
    apply_answer(page)
    assert measure_top(page, "#answer") == 280


@pytest.mark.parametrize(
    ("left", "up", "is_moved"),
    [(0, 0, False), (80, 80, False), (-1, 0, True), (81, 0, True), (0, -1, True), (0, 81, True)],
)
def test_part_outside_its_frame_is_scrolled_to_the_middle(page: Page, left: int, up: int, is_moved: bool) -> None:
    """The frame is 100 pixels wide and high, and the part 20."""
    place = f"position: absolute; width: 20px; height: 20px; left: {100 + left}px; top: {100 + up}px"
    part = f"<b data-in-view style='{place}'></b>"
    inside = f"<p style='margin: 0; width: 400px; height: 400px'>{part}</p>"
    look = "position: relative; overflow: auto; scrollbar-width: none; width: 100px; height: 100px"
    show_answer(page, f"<div id=pans data-pans style='{look}'>{inside}</div>")
    page.evaluate("pans.scrollTo(100, 100)")
    apply_answer(page)
    moved = page.evaluate("[pans.scrollLeft, pans.scrollTop]")
    assert moved == ([60 + left, 60 + up] if is_moved else [100, 100])


def test_part_in_a_row_is_scrolled_to_the_middle(page: Page) -> None:
    """It scrolls along the row only, even if it is visible."""
    part = "<i data-in-view style='display: inline-block; width: 20px; margin-left: 200px'>i</i>"
    show_answer(page, f"<div id=row style='width: 100px; overflow: auto'><p style='width: 500px'></p>{part}</div>")
    apply_answer(page)
    assert page.evaluate("row.scrollLeft") == 160
