"""The page of parts: every part in every state, in both schemes; what is forced there looks as the real thing does."""

import re

import pytest
from playwright.sync_api import Page, expect

from build_scripts.paths import DOCS, OVERRIDES
from tests.browser.following import visit

PARTS = "build-on-it/parts/"
SHOWN = (
    *("button", "stepper", "field", "choice", "fold", "explainer", "die", "strip", "net", "track", "person", "act"),
    *("notice", "chooser", "table"),
)
LOOK = """(each) => {
  const { color, backgroundColor, borderTopColor, outlineStyle, outlineColor, boxShadow } = getComputedStyle(each);
  return [color, backgroundColor, borderTopColor, outlineStyle, outlineColor, boxShadow];
}"""


def test_every_part_stands_there_twice(page: Page) -> None:
    """All are on the page, light and dark beside one another on the same paper as the schemes have.

    The names of its controls tell the two schemes apart by their groups.
    """
    visit(page, PARTS)
    assert page.locator(".parts").evaluate_all("(all) => all.map((each) => each.dataset.part)") == list(SHOWN)
    grounds = page.locator(".parts > *").evaluate_all(
        "(all) => all.map((each) => getComputedStyle(each).backgroundColor)"
    )
    assert grounds == ["rgb(252, 251, 247)", "rgb(26, 24, 21)"] * len(SHOWN)
    expect(page.get_by_role("group", name="button, dark")).to_be_visible()


def test_every_part_of_the_stylesheet_is_shown() -> None:
    """Each numbered part of parts.css has its heading on the page, under the same number."""
    sheet = (OVERRIDES / "stylesheets" / "parts.css").read_text(encoding="utf-8")
    numbers = re.findall(r"^/\* (\d+) -+", sheet, re.M)
    headings = re.findall(r"^## (\d+) ", (DOCS / "build-on-it" / "parts.md").read_text(encoding="utf-8"), re.M)
    assert numbers == headings == [str(number) for number in range(1, 14)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["Quiet", "Secondary", "Primary"])
def test_what_is_forced_looks_as_the_real_thing(page: Page, kind: str, scheme: str) -> None:
    """A button that is pointed at, focused by keys or held down looks as the one that shows that state."""
    visit(page, PARTS)
    row = page.locator(f"[data-part=button] .part-{scheme} .part-row")
    button = row.nth(0).get_by_role("button", name=kind, exact=True)
    shown = {
        state: row.nth(at).get_by_role("button", name=kind).evaluate(LOOK)
        for at, state in enumerate(("rest", "hover", "focus", "pressed"))
    }
    page.mouse.move(0, 0)
    assert button.evaluate(LOOK) == shown["rest"]
    page.keyboard.press("Tab")  # whoever goes by keys sees where they are
    button.focus()
    assert button.evaluate(LOOK) == shown["focus"]
    button.blur()
    button.hover()
    assert button.evaluate(LOOK) == shown["hover"]
    page.mouse.down()
    pressed = button.evaluate(LOOK)
    page.mouse.up()
    assert pressed[:2] == shown["pressed"][:2]  # the pointer is on it as well


def test_a_reader_s_own_colours_leave_every_sign(page: Page) -> None:
    """With forced colours dice keep their outlines, what is lost its stroke, and a face that fell stands out."""
    visit(page, PARTS)
    page.emulate_media(forced_colors="active")
    ink, paper = page.evaluate("""() => {
      const { color, backgroundColor } = getComputedStyle(document.querySelector("article .part-light"));
      return [color, backgroundColor];
    }""")
    ground = "(each, pseudo) => getComputedStyle(each, pseudo).backgroundColor"
    for place, pseudo in (
        (".face[data-face='17']", "::before"),
        (".is-lost", "::after"),
        (".is-out > .person-name", "::after"),
    ):
        for each in page.locator(f".parts {place}").all():
            assert each.evaluate(ground, pseudo) == ink, place
    fills = {
        name: page.locator(f".part-light .net {name} path").first.evaluate("(each) => getComputedStyle(each).fill")
        for name in (".reaches", ".fell", "g:not([class])")
    }
    assert len({*fills.values(), paper}) == 4
