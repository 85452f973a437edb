"""Where the focus and the screen go after an answer, with the script alone in a page of its own."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.lone import fill_body, import_script, lone_page

ASKED = {"ask": True, "typed": True, "isMore": False}
BUTTONS = "".join(f"<button id={each} value={each}>{each}</button>" for each in "abcd")
LOOK = """<style>
  body { margin: 0; height: 3000px; padding-top: 1000px }
  form { position: relative; height: 1000px; padding: 0 }
  form > button, form > summary { position: absolute; left: 0; height: 20px }
  .md-header { position: fixed; top: 0; left: 0; right: 0; height: 48px }
</style>"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page, scrolled to where a calculator begins; 300 pixels of it are in view."""
    with lone_page(browser, {"tools/dice/": "<!doctype html><body>"}) as page:
        import_script(page, "calculator/focus-and-scroll")
        yield page


def answer(page: Page, inside: str, **tops: int) -> None:
    """Show an answer, elements by their ids so far below the top of the screen; nothing has the focus."""
    shown = f"<div class='calculator calculator-body'><form>{inside}</form></div>"
    fill_body(page, f"{LOOK}<scratch-calculator name=dice>{shown}</scratch-calculator>")
    page.evaluate("scrollTo(0, 1000)")
    place(page, **tops)


def place(page: Page, **tops: int) -> None:
    """Lay elements out anew, so far down in the form."""
    for name, top in tops.items():
        page.evaluate(f"document.getElementById('{name}').style.top = '{top}px'")


def remember(page: Page, pressed: str) -> list[str]:
    """Remember what is around a press; return it by id, in parentheses what is out of view."""
    found = f"""(() => {{
      const host = document.querySelector("scratch-calculator");
      const pressed = document.querySelector({json.dumps(pressed)});
      globalThis.around = script.captureScrollAnchors(host, pressed);
      globalThis.destination = script.destinationOf(pressed);
      return around.map(([each, box]) => (box ? each.id : `(${{each.id}})`));
    }})()"""
    ids: list[str] = page.evaluate(found)
    return ids


def attend(page: Page, **how: bool) -> str:
    """Attend to the answer as after a press, or as said; return the id of what has the focus then."""
    called = json.dumps({**ASKED, **how})
    host = "document.querySelector('scratch-calculator')"
    page.evaluate(f"script.applyFocusAndScroll({host}, {called}, globalThis.around ?? [], globalThis.destination)")
    page.clock.run_for(20)  # a frame
    return focused(page)


def focused(page: Page) -> str:
    """The id of what has the focus."""
    return str(page.evaluate("document.activeElement.id || document.activeElement.tagName"))


def top(page: Page, selector: str) -> int:
    """How far below the top of the screen something is."""
    return round(page.locator(selector).first.evaluate("each => each.getBoundingClientRect().top"))


def test_press_gives_focus_to_what_answer_names_with_its_frame_in_view(page: Page) -> None:
    """After typing only where it is another than before, and never for more of the same answer."""
    answer(page, "<div style='height: 700px'></div><div data-frame><p id=told tabindex=-1 data-focus=1>x</p></div>")
    assert attend(page) == "told"
    assert top(page, "[data-frame]") == 0
    page.evaluate("document.activeElement.blur()")
    assert attend(page, ask=False) == "BODY"
    page.evaluate("told.dataset.focus = 2")
    assert attend(page, ask=False, isMore=True) == "BODY"
    page.evaluate("told.dataset.focus = 3")
    assert attend(page, ask=False) == "told"


def test_pressed_button_stays_where_it_was_with_focus(page: Page) -> None:
    """Disabled or gone, its nearest neighbour does; with nothing of it left the first control has the focus."""
    answer(
        page,
        "<button id=a type=button>A</button><button id=b name=act value=x>B</button><p hidden><a href='?d'>D</a></p>",
        a=20,
        b=40,
    )
    assert remember(page, "#b") == ["b", "a"]
    place(page, b=65, a=45)
    assert attend(page) == "b"
    assert top(page, "#b") == 40
    page.evaluate("b.disabled = true")
    assert attend(page) == "a"
    page.evaluate("document.forms[0].innerHTML = '<input id=e>'")
    assert attend(page) == "e"


def test_fold_stays_where_it_was_when_its_opening_moves_it(page: Page) -> None:
    """Once: it may close by itself later."""
    answer(page, "<details id=fold><summary>F</summary>x</details>")
    page.evaluate("script.holdScrollPosition(document.querySelector('summary'))")
    page.evaluate("""new Promise((done) => {
      fold.addEventListener("toggle", done, { once: true });
      fold.style.marginTop = "30px";
      fold.open = true;
    })""")
    assert top(page, "summary") == 0
    page.evaluate("""new Promise((done) => {
      fold.addEventListener("toggle", done, { once: true });
      fold.style.marginTop = "50px";
      fold.open = false;
    })""")
    assert top(page, "summary") == 20


def test_places_in_view_are_remembered_and_focus_elsewhere_stays(page: Page) -> None:
    """An edge that touches the screen's is out of view; a press whose place is gone begins anew."""
    answer(page, BUTTONS, a=-20, b=100, c=120, d=300)
    assert remember(page, "#b") == ["b", "c", "(a)", "(d)"]
    place(page, a=-19, d=299)
    assert remember(page, "#b") == ["b", "c", "a", "d"]
    page.focus("#c")
    assert remember(page, "#none")[0] == "c"
    assert attend(page) == "c"
    page.evaluate("document.activeElement.blur()")
    assert remember(page, "#none") == []
    assert attend(page, ask=False) == "BODY"
    assert attend(page) == "a"


@pytest.mark.parametrize("head", ["", "<header class=md-header></header>"], ids=["nothing in view", "head of the page"])
def test_press_whose_place_is_gone_focuses_nearest_left(page: Page, head: str) -> None:
    """The nearest in view, below the head of the page; with none in view the nearest of all."""
    answer(
        page,
        BUTTONS + head,
        **({"a": 60, "b": 20, "c": -40, "d": 100} if head else {"a": -80, "b": -40, "c": 100, "d": 130}),
    )
    remember(page, "#d")
    page.evaluate("d.remove()")
    if not head:
        page.evaluate("c.remove()")
    assert attend(page) == ("a" if head else "b")


def test_press_in_frame_moves_frame_first(page: Page) -> None:
    """What is left of the way, the page moves."""
    frame = "<div data-pans style='height: 100px; overflow: auto; position: relative'><div style='height: 400px'></div>"
    answer(page, f"{frame}<button id=a style='position: absolute; top: 40px'>A</button></div>")
    remember(page, "#a")
    place(page, a=65)
    assert attend(page) == "a"
    assert (top(page, "#a"), page.evaluate("document.querySelector('[data-pans]').scrollTop")) == (40, 25)
    place(page, a=425)
    assert attend(page) == "a"
    assert top(page, "#a") == 40
    assert page.evaluate("scrollY") > 1000


OPENER = "<button id=opener name=act value='open a' style='top: 700px'>Open</button>"
CLOSING = (
    "<p id=told tabindex=-1 data-focus=closed>x</p><button id=other name=act value='open b'>Other</button>"
    "<button id=close name=act value='' data-returns='open a' style='top: 100px'>Close</button>"
)


@pytest.mark.parametrize(
    ("opener", "how", "has_focus"),
    [
        (OPENER, {}, "opener"),
        (OPENER, {"isMore": True}, "opener"),
        ("<p hidden><button name=act value='open a'>Open</button></p>", {}, "told"),
    ],
    ids=["reached", "more", "hidden"],
)
def test_closing_press_gives_focus_back_in_view(page: Page, opener: str, how: dict[str, Any], has_focus: str) -> None:
    """To the button that opened the sheet, if it can be reached, whatever else the answer would focus."""
    answer(page, opener + CLOSING)
    remember(page, "#close")
    page.evaluate("document.getElementById('close').remove()")
    if how:
        assert attend(page, **how) != has_focus
    assert attend(page) == has_focus
    assert 0 <= top(page, f"#{has_focus}") <= 280


@pytest.mark.parametrize(("ticked", "has_focus"), [("checked", "told"), ("", "opener")])
def test_press_with_ticks_leaves_focus_to_the_answer(page: Page, ticked: str, has_focus: str) -> None:
    """A tick counts as soon as it is made, before its own answer has come."""
    tick = f"<input type=checkbox class=one {ticked}>"
    closing = CLOSING.replace("data-returns", "data-unless='.one:checked' data-returns")
    answer(page, OPENER + tick + closing)
    remember(page, "#close")
    page.evaluate("document.getElementById('close').remove()")
    assert attend(page) == has_focus


def test_result_of_press_comes_into_view_by_as_little_as_it_takes(page: Page) -> None:
    """Not for more of an answer, not after typing, and not by a press elsewhere."""
    told = "<p id=told style='position: absolute; top: 600px; height: 20px; margin: 0'>x</p>"
    answer(page, f"{told}<div data-into-view='#told'><button id=a>A</button></div><button id=b>B</button>", a=20, b=60)
    remember(page, "#a")
    for how in ({"isMore": True}, {"ask": False}):
        attend(page, **how)
        assert page.evaluate("scrollY") == 1000
    remember(page, "#b")
    attend(page)
    assert page.evaluate("scrollY") == 1000
    remember(page, "#a")
    attend(page)
    assert top(page, "#told") == 280


@pytest.mark.parametrize(
    ("left", "up", "is_moved"),
    [(0, 0, False), (80, 80, False), (-1, 0, True), (81, 0, True), (0, -1, True), (0, 81, True)],
)
def test_part_in_frame_is_moved_to_middle_only_when_out_of_sight(
    page: Page, left: int, up: int, is_moved: bool
) -> None:
    """The frame is 100 pixels wide and high, and shows what lies 100 pixels in; the part has 20."""
    place = f"position: absolute; width: 20px; height: 20px; left: {100 + left}px; top: {100 + up}px"
    part = f"<b data-in-view style='{place}'></b>"
    inside = f"<p style='margin: 0; width: 400px; height: 400px'>{part}</p>"
    look = "position: relative; overflow: auto; scrollbar-width: none; width: 100px; height: 100px"
    answer(page, f"<div id=pans data-pans style='{look}'>{inside}</div>")
    page.evaluate("pans.scrollTo(100, 100)")
    attend(page)
    moved = page.evaluate("[pans.scrollLeft, pans.scrollTop]")
    assert moved == ([60 + left, 60 + up] if is_moved else [100, 100])


def test_part_in_row_is_moved_to_its_middle(page: Page) -> None:
    """Along the row alone, whether it is out of sight or not."""
    part = "<i data-in-view style='display: inline-block; width: 20px; margin-left: 200px'>i</i>"
    answer(page, f"<div id=row style='width: 100px; overflow: auto'><p style='width: 500px'></p>{part}</div>")
    attend(page)
    assert page.evaluate("row.scrollLeft") == 160
