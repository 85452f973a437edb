"""The explainer's script alone in a page of its own: its presses, its times, its place, and rules from other pages."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.lone import ORIGIN, fill_body, lone_page

EXPLAINER = ".explainer:popover-open"
HOVER = 250
"""Milliseconds that a mouse rests on a term before it is explained, and that a press which closed it lasts."""
RULES = """<!doctype html><body><article>
<h2 id="act.turn">Turns<a class="headerlink">¶</a></h2><p>One acts,
<a href="../actions/#a">then</a> another.</p><script>no</script><h3>More</h3><p id="more">Some.</p><h2>Next</h2>
<table class="t"><thead><tr><th>What</th></tr></thead><tbody><tr id="row"><td>Row</td></tr></tbody></table></article>"""
CONTENT = """<style>body { margin: 0 } p, summary, h2, h3 { margin: 0; height: 30px; overflow: hidden }
.explainer { inset: auto; left: var(--x); top: var(--y); margin: 0; max-height: var(--room); box-sizing: border-box }
.explainer { overflow: auto }</style>
<main class="calculator"><p id="p">It <abbr title="Once a round.">evades</abbr>, <abbr title="Two.">holds</abbr>.</p>
<details class="why"><summary>13</summary><p id="sum">10 and <b id="x">3</b></p></details>
<scratch-calculator><a class="rule" href="../../rules/turns/#act.turn">turns</a> <a id="no" href="#">no rule</a>
</scratch-calculator></main>"""
TERM, OTHER, RULE = "main abbr >> nth=0", "main abbr >> nth=1", "main a.rule"
PAGE = "<!doctype html><script>window.document$ = { subscribe: (act) => (window.turned = act) }</script>"
SCRIPT = "<script type=module src=/javascripts/page/popover.mjs></script>"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page with terms, a number and a rule's link; its clock goes on by hand."""
    pages = {"tools/dice/": PAGE + SCRIPT, "rules/turns/": RULES}
    with lone_page(browser, pages, has_touch=True) as page:
        fill_body(page, CONTENT)
        yield page


def wait(page: Page, milliseconds: int = HOVER) -> None:
    """Let time pass on the page's clock."""
    page.clock.run_for(milliseconds)


def explained(page: Page) -> str:
    """The HTML of what is explained; empty while the explainer is closed."""
    found: str = page.evaluate(f"document.querySelector('{EXPLAINER}')?.innerHTML ?? ''")
    return found


def close(page: Page) -> None:
    """Close the explainer by its key, and let the press pass."""
    page.keyboard.press("Escape")
    page.wait_for_function(f"!document.querySelector('{EXPLAINER}')")
    wait(page)


def is_focused(page: Page, selector: str) -> bool:
    """Whether an element has the focus."""
    return bool(page.locator(selector).evaluate("each => document.activeElement === each"))


def test_term_is_explained_by_press_enter_and_space(page: Page) -> None:
    """In a dialog that has the focus; its title is no longer shown beside it."""
    page.click(TERM)
    assert explained(page) == "<p>Once a round.</p>"
    for name, value in [("popover", "auto"), ("aria-label", "evades"), ("role", "dialog"), ("tabindex", "-1")]:
        assert page.get_attribute(EXPLAINER, name) == value
    assert is_focused(page, EXPLAINER)
    assert (page.get_attribute(TERM, "title"), page.get_attribute(TERM, "aria-description")) == (None, "Once a round.")
    page.evaluate("turned()")
    for key in ("Enter", "Space"):
        close(page)
        page.focus(TERM)
        page.keyboard.press(key)
        assert explained(page) == "<p>Once a round.</p>"


def test_other_presses_and_keys_explain_nothing(page: Page) -> None:
    """With a key held, by another button, by another key, or on what is no term: those are the browser's."""
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
        assert (explained(page), page.evaluate("taken")) == ("", False)
    page.click(TERM, button="middle")
    assert explained(page) == ""


def test_press_that_closes_explainer_does_not_open_it_again(page: Page) -> None:
    """The focus goes back to the term, and stays where the reader has taken it."""
    page.evaluate("turned()")
    page.click(TERM)
    assert explained(page)
    page.click(TERM)
    page.wait_for_function(f"!document.querySelector('{EXPLAINER}')")
    assert is_focused(page, TERM)
    wait(page)
    page.click(TERM)
    assert explained(page)
    page.focus("#no")
    page.keyboard.press("Escape")
    page.wait_for_function(f"!document.querySelector('{EXPLAINER}')")
    assert is_focused(page, "#no")


def test_mouse_that_rests_on_term_has_it_explained(page: Page) -> None:
    """It goes when the mouse has left term and explainer alone; what a press has opened stays."""
    page.tap(TERM)
    close(page)
    page.evaluate("document.activeElement.blur()")
    page.hover(TERM)
    wait(page, HOVER - 1)
    page.mouse.move(300, 250)
    wait(page)
    assert explained(page) == ""
    page.hover(TERM)
    wait(page)
    assert explained(page) == "<p>Once a round.</p>"
    assert is_focused(page, "body")
    for rest in (EXPLAINER, TERM):
        page.hover(rest)
        wait(page)
        assert explained(page) == "<p>Once a round.</p>"
    page.hover(OTHER)
    wait(page)
    assert explained(page) == "<p>Two.</p>"
    page.mouse.move(300, 290)
    wait(page)
    assert explained(page) == ""
    page.click(TERM)
    page.mouse.move(300, 290)
    wait(page)
    assert explained(page) == "<p>Once a round.</p>"


def test_finger_on_its_way_explains_nothing(page: Page) -> None:
    """Only a mouse rests."""
    page.dispatch_event(TERM, "pointerover", {"pointerType": "touch", "bubbles": True})
    wait(page)
    assert explained(page) == ""


def test_number_is_explained_by_its_fold_which_stays_closed(page: Page) -> None:
    """Without the fold's own line and without ids, which stand in the page already."""
    page.click("main summary")
    assert explained(page) == "<p>10 and <b>3</b></p>"
    assert page.locator(".why[open]").count() == 0
    assert page.locator("#x").count() == 1


def link_to(anchor: str) -> str:
    """The explainer's last line for a rule."""
    return f'<p><a href="{ORIGIN}rules/turns/#{anchor}">Open page</a></p>'


def test_rule_is_fetched_once_and_ends_before_next_heading(page: Page) -> None:
    """Its links lead where they did, and the last one to its page; a row comes with its table's head."""
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.click(RULE)
    expect(page.locator(EXPLAINER)).to_contain_text("Open page")
    text = (
        f'<h2>Turns</h2><p>One acts,\n<a href="{ORIGIN}rules/actions/#a">then</a> another.</p><h3>More</h3><p>Some.</p>'
    )
    assert explained(page) == text + link_to("act.turn")
    assert is_focused(page, EXPLAINER)
    close(page)
    page.evaluate("document.querySelector('main a.rule').href = '../../rules/turns/#row'")
    page.click(RULE)
    expect(page.locator(EXPLAINER)).to_contain_text("Row")
    table = '<table class="t"><thead><tr><th>What</th></tr></thead><tr><td>Row</td></tr></table>'
    assert explained(page) == table + link_to("row")
    assert fetched == [f"{ORIGIN}rules/turns/"]


COUNT_ANSWERS = """() => {
  const { fetch } = globalThis;
  globalThis.arrived = 0;
  globalThis.fetch = async (address) => {
    const answer = await fetch(address);
    const text = await answer.text();
    arrived += 1;
    return { ok: answer.ok, status: answer.status, text: async () => text };
  };
}"""


def hold(page: Page, path: str) -> list[Route]:
    """Hold back what is fetched from a path; `arrived` counts the answers that the page has had."""
    page.evaluate(COUNT_ANSWERS)
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(f"{ORIGIN}{path}", keep)
    return held


def test_slow_rule_is_announced_and_takes_no_later_explanations_place(page: Page) -> None:
    """A line says after a moment that it is on its way."""
    held = hold(page, "rules/turns/")
    with page.expect_request("**/rules/turns/"):
        page.click(RULE)
    wait(page)
    assert explained(page) == "<p>Loading the rule …</p>"
    page.tap(TERM)
    assert explained(page) == "<p>Once a round.</p>"
    held[0].fulfill(body=RULES, content_type="text/html")
    page.wait_for_function("arrived === 1")
    assert explained(page) == "<p>Once a round.</p>"
    close(page)
    page.click(RULE)
    expect(page.locator(EXPLAINER)).to_contain_text("Open page")
    assert len(held) == 1


def test_missing_rule_is_gone_to_unless_page_has_changed(page: Page) -> None:
    """Its own page says what is wrong, or has it."""
    page.evaluate("document.querySelector('main a.rule').href = '../../rules/none/#act.turn'")
    held = hold(page, "rules/none/")
    with page.expect_request("**/rules/none/"):
        page.click(RULE)
    page.evaluate("turned()")
    held[0].fulfill(status=404, body="")
    page.wait_for_function("arrived === 1")
    with page.expect_request("**/rules/none/"):
        page.click(RULE)
    assert page.url == f"{ORIGIN}tools/dice/"
    assert explained(page) == ""
    page.route(
        f"{ORIGIN}rules/none/", lambda route: route.fulfill(status=404, body="Not here", content_type="text/html")
    )
    held[1].fulfill(status=404, body="")
    page.wait_for_url(f"{ORIGIN}rules/none/#act.turn")


def test_new_page_closes_explainer_and_makes_terms_buttons(page: Page) -> None:
    """Each is reached by the keys."""
    page.click(TERM)
    page.evaluate("turned()")
    assert explained(page) == ""
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
def test_explainer_is_placed_within_window(
    page: Page, line: tuple[int, int], size: tuple[int, int], head: int, expected: list[int]
) -> None:
    """Below the line that it explains, above where there is no room for it, and never over it."""
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
