"""The explainer's script alone in a page of its own: presses, delays, placement, and rules of other pages."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.script_page import ORIGIN, fill_body, open_script_page

EXPLAINER = ".explainer:popover-open"
HOVER_DELAY = 250
"""Milliseconds until a term under the mouse is explained, and of a press that closes the explainer."""
RULES_PAGE = """<!doctype html><body><article>
<h2 id="act.turn">Turns<a class="headerlink">¶</a></h2><p>One acts,
<a href="../actions/#a">then</a> another.</p><script>no</script><h3>More</h3><p id="more">Some.</p><h2>Next</h2>
<table class="t"><thead><tr><th>What</th></tr></thead><tbody><tr id="row"><td>Row</td></tr></tbody></table></article>"""
CONTENT = """<style>body { margin: 0 } p, summary, h2, h3 { margin: 0; height: 30px; overflow: hidden }
.explainer { inset: auto; left: var(--x); top: var(--y); margin: 0; max-height: var(--room); box-sizing: border-box }
.explainer { overflow: auto }</style>
<main class="calculator"><p id="p">It <abbr title="Once a round.">evades</abbr>, <abbr title="Two.">holds</abbr>.</p>
<details class="ruling-mark"><summary>13</summary><p id="sum">10 and <b id="x">3</b></p></details>
<scratch-calculator><a class="rule" href="../../rules/turns/#act.turn">turns</a> <a id="no" href="#">no rule</a>
</scratch-calculator></main>"""
TERM, OTHER, RULE = "main abbr >> nth=0", "main abbr >> nth=1", "main a.rule"
PAGE = "<!doctype html><script>window.document$ = { subscribe: (act) => (window.turned = act) }</script>"
SCRIPT = "<script type=module src=/javascripts/page/popover.mjs></script>"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open a page with terms, a number and a rule's link.

    The test moves its clock.
    """
    pages = {"tools/dice/": PAGE + SCRIPT, "rules/turns/": RULES_PAGE}
    with open_script_page(browser, pages, has_touch=True) as page:
        fill_body(page, CONTENT)
        yield page


def advance_clock(page: Page, milliseconds: int = HOVER_DELAY) -> None:
    """Let time pass on the page's clock."""
    page.clock.run_for(milliseconds)


def read_explanation(page: Page) -> str:
    """Return the HTML of the explanation, or "" while the explainer is closed."""
    found: str = page.evaluate(f"document.querySelector('{EXPLAINER}')?.innerHTML ?? ''")
    return found


def close_explainer(page: Page) -> None:
    """Close the explainer by its key, and let the press pass."""
    page.keyboard.press("Escape")
    page.wait_for_function(f"!document.querySelector('{EXPLAINER}')")
    advance_clock(page)


def is_focused(page: Page, selector: str) -> bool:
    """Return whether an element has the focus."""
    return bool(page.locator(selector).evaluate("each => document.activeElement === each"))


def test_press_enter_and_space_explain_a_term(page: Page) -> None:
    """The dialog has the focus, and the term's title is not shown as well."""
    page.click(TERM)
    assert read_explanation(page) == "<p>Once a round.</p>"
    for name, value in [("popover", "auto"), ("aria-label", "evades"), ("role", "dialog"), ("tabindex", "-1")]:
        assert page.get_attribute(EXPLAINER, name) == value
    assert is_focused(page, EXPLAINER)
    assert (page.get_attribute(TERM, "title"), page.get_attribute(TERM, "aria-description")) == (None, "Once a round.")
    page.evaluate("turned()")
    for key in ("Enter", "Space"):
        close_explainer(page)
        page.focus(TERM)
        page.keyboard.press(key)
        assert read_explanation(page) == "<p>Once a round.</p>"


def test_modified_presses_and_other_keys_are_left_to_the_browser(page: Page) -> None:
    """Nothing is explained, and no default is prevented."""
    page.evaluate("turned()")
    for kind in ("click", "keydown"):
        page.evaluate(f"addEventListener('{kind}', (event) => (globalThis.taken = event.defaultPrevented))")
    acts: list[Callable[[], None]] = [
        lambda: page.click("#p", position={"x": 1, "y": 5}),
        lambda: page.click(TERM, modifiers=["Control"]),
        lambda: page.press(TERM, "x"),
        lambda: page.press("#no", "Space"),
    ]
    for act in acts:
        act()
        assert (read_explanation(page), page.evaluate("taken")) == ("", False)
    page.click(TERM, button="middle")
    assert read_explanation(page) == ""


def test_press_that_closes_the_explainer_does_not_reopen_it(page: Page) -> None:
    """The focus returns to the term, unless the reader has moved it."""
    page.evaluate("turned()")
    page.click(TERM)
    assert read_explanation(page)
    page.click(TERM)
    page.wait_for_function(f"!document.querySelector('{EXPLAINER}')")
    assert is_focused(page, TERM)
    advance_clock(page)
    page.click(TERM)
    assert read_explanation(page)
    page.focus("#no")
    page.keyboard.press("Escape")
    page.wait_for_function(f"!document.querySelector('{EXPLAINER}')")
    assert is_focused(page, "#no")


def test_mouse_resting_on_a_term_explains_it(page: Page) -> None:
    """Leaving term and explainer closes it, unless a press has opened it."""
    page.tap(TERM)
    close_explainer(page)
    page.evaluate("document.activeElement.blur()")
    page.hover(TERM)
    advance_clock(page, HOVER_DELAY - 1)
    page.mouse.move(300, 250)
    advance_clock(page)
    assert read_explanation(page) == ""
    page.hover(TERM)
    advance_clock(page)
    assert read_explanation(page) == "<p>Once a round.</p>"
    assert is_focused(page, "body")
    for rest in (EXPLAINER, TERM):
        page.hover(rest)
        advance_clock(page)
        assert read_explanation(page) == "<p>Once a round.</p>"
    page.hover(OTHER)
    advance_clock(page)
    assert read_explanation(page) == "<p>Two.</p>"
    page.mouse.move(300, 290)
    advance_clock(page)
    assert read_explanation(page) == ""
    page.click(TERM)
    page.mouse.move(300, 290)
    advance_clock(page)
    assert read_explanation(page) == "<p>Once a round.</p>"


def test_touch_moving_over_a_term_explains_nothing(page: Page) -> None:
    """Only a mouse hovers."""
    page.dispatch_event(TERM, "pointerover", {"pointerType": "touch", "bubbles": True})
    advance_clock(page)
    assert read_explanation(page) == ""


def test_number_is_explained_by_the_content_of_its_closed_fold(page: Page) -> None:
    """The copy has neither the summary nor ids."""
    page.click("main summary")
    assert read_explanation(page) == "<p>10 and <b>3</b></p>"
    assert page.locator(".ruling-mark[open]").count() == 0
    assert page.locator("#x").count() == 1


def format_page_link(anchor: str) -> str:
    """Return the explainer's last line for a rule."""
    return f'<p><a href="{ORIGIN}rules/turns/#{anchor}">Open page</a></p>'


def test_rule_is_fetched_once_and_cut_at_the_next_heading(page: Page) -> None:
    """A rule is fetched once and cut at the next heading.

    Its links are absolute, and a row has its table's head.
    """
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.click(RULE)
    expect(page.locator(EXPLAINER)).to_contain_text("Open page")
    text = (
        f'<h2>Turns</h2><p>One acts,\n<a href="{ORIGIN}rules/actions/#a">then</a> another.</p><h3>More</h3><p>Some.</p>'
    )
    assert read_explanation(page) == text + format_page_link("act.turn")
    assert is_focused(page, EXPLAINER)
    close_explainer(page)
    page.evaluate("document.querySelector('main a.rule').href = '../../rules/turns/#row'")
    page.click(RULE)
    expect(page.locator(EXPLAINER)).to_contain_text("Row")
    table = '<table class="t"><thead><tr><th>What</th></tr></thead><tr><td>Row</td></tr></table>'
    assert read_explanation(page) == table + format_page_link("row")
    assert fetched == [f"{ORIGIN}rules/turns/"]


COUNT_RESPONSES = """() => {
  const { fetch } = globalThis;
  globalThis.arrived = 0;
  globalThis.fetch = async (address) => {
    const answer = await fetch(address);
    const text = await answer.text();
    arrived += 1;
    return { ok: answer.ok, status: answer.status, text: async () => text };
  };
}"""


def hold_requests(page: Page, path: str) -> list[Route]:
    """Hold the requests of a path, and return them.

    The page counts the responses in `arrived`.
    """
    page.evaluate(COUNT_RESPONSES)
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(f"{ORIGIN}{path}", keep)
    return held


def test_slow_rule_shows_a_loading_line_and_replaces_no_later_text(page: Page) -> None:
    """Release the response after another term is explained."""
    held = hold_requests(page, "rules/turns/")
    with page.expect_request("**/rules/turns/"):
        page.click(RULE)
    advance_clock(page)
    assert read_explanation(page) == "<p>Loading the rule …</p>"
    page.tap(TERM)
    assert read_explanation(page) == "<p>Once a round.</p>"
    held[0].fulfill(body=RULES_PAGE, content_type="text/html")
    page.wait_for_function("arrived === 1")
    assert read_explanation(page) == "<p>Once a round.</p>"
    close_explainer(page)
    page.click(RULE)
    expect(page.locator(EXPLAINER)).to_contain_text("Open page")
    assert len(held) == 1


def test_missing_rule_opens_its_page_unless_the_reader_has_left(page: Page) -> None:
    """The browser shows the rule's page or its error."""
    page.evaluate("document.querySelector('main a.rule').href = '../../rules/none/#act.turn'")
    held = hold_requests(page, "rules/none/")
    with page.expect_request("**/rules/none/"):
        page.click(RULE)
    page.evaluate("turned()")
    held[0].fulfill(status=404, body="")
    page.wait_for_function("arrived === 1")
    with page.expect_request("**/rules/none/"):
        page.click(RULE)
    assert page.url == f"{ORIGIN}tools/dice/"
    assert read_explanation(page) == ""
    page.route(
        f"{ORIGIN}rules/none/", lambda route: route.fulfill(status=404, body="Not here", content_type="text/html")
    )
    held[1].fulfill(status=404, body="")
    page.wait_for_url(f"{ORIGIN}rules/none/#act.turn")


def test_navigation_closes_the_explainer_and_makes_terms_buttons(page: Page) -> None:
    """Keys reach each term."""
    page.click(TERM)
    page.evaluate("turned()")
    assert read_explanation(page) == ""
    assert (page.get_attribute(TERM, "tabindex"), page.get_attribute(TERM, "role")) == ("0", "button")


@pytest.mark.parametrize(
    ("line", "size", "head", "expected"),
    [
        ((30, 10), (100, 40), 0, [30, 38, 262]),
        ((360, 260), (100, 40), 0, [292, 212, 252]),
        ((2, 260), (384, 300), 0, [8, 0, 252]),
        ((30, 260), (100, 300), 30, [30, 30, 222]),
    ],
    ids=["below its line", "above its line", "as wide as window", "below head of page"],
)
def test_explainer_is_placed_next_to_its_line_within_the_window(
    page: Page, line: tuple[int, int], size: tuple[int, int], head: int, expected: list[int]
) -> None:
    """It is below the line, or above it where there is no room."""
    term = f"position: fixed; left: {line[0]}px; top: {line[1]}px; width: 30px; height: 20px; line-height: 20px"
    box = f"border: 0; padding: 0; width: {size[0]}px; height: {size[1]}px"
    style = f"<style>main abbr:first-of-type {{ {term} }} .explainer {{ {box} }}</style>"
    fill_body(
        page, f"{CONTENT}{style}<header class=md-header style='position: fixed; top: 0; height: {head}px'></header>"
    )
    page.tap(TERM)
    found = page.locator(EXPLAINER).evaluate("""(each) => {
      const { left, top } = each.getBoundingClientRect();
      return [left, top, parseInt(each.style.getPropertyValue("--room"))];
    }""")
    assert found == expected


def test_tap_beside_the_explanation_only_closes_it(page: Page) -> None:
    """A click of a mouse closes and presses at once."""
    fill_body(page, CONTENT + "<button id=roll style='position: fixed; bottom: 0; right: 0'>Roll</button>")
    page.evaluate("rolls = 0; document.querySelector('#roll').addEventListener('click', () => rolls++)")
    page.tap(TERM)
    page.tap("#roll")
    page.wait_for_function(f"!document.querySelector('{EXPLAINER}')")
    assert page.evaluate("rolls") == 0
    advance_clock(page)
    page.tap("#roll")
    assert page.evaluate("rolls") == 1
    page.click(TERM)
    page.click("#roll")
    assert page.evaluate("rolls") == 2
