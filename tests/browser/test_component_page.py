"""The page of components: every component in every state and both colour schemes."""

import re

import pytest
from playwright.sync_api import Page, expect

from build_scripts.paths import DOCS, OVERRIDES
from tests.browser.navigation import visit

PARTS_PAGE = "build-on-it/parts/"
COMPONENTS = (
    *("button", "stepper", "field", "choice", "fold", "explainer", "die", "strip", "net", "track", "person", "act"),
    *("notice", "chooser", "table"),
)
READ_STYLES = """(each) => {
  const { color, backgroundColor, borderTopColor, outlineStyle, outlineColor, boxShadow } = getComputedStyle(each);
  return [color, backgroundColor, borderTopColor, outlineStyle, outlineColor, boxShadow];
}"""


def test_every_component_is_shown_in_light_and_dark(page: Page) -> None:
    """Both are next to each other, in groups named after the scheme."""
    visit(page, PARTS_PAGE)
    assert page.locator(".parts").evaluate_all("(all) => all.map((each) => each.dataset.part)") == list(COMPONENTS)
    grounds = page.locator(".parts > *").evaluate_all(
        "(all) => all.map((each) => getComputedStyle(each).backgroundColor)"
    )
    assert grounds == ["rgb(252, 251, 247)", "rgb(26, 24, 21)"] * len(COMPONENTS)
    expect(page.get_by_role("group", name="button, dark")).to_be_visible()


def test_every_component_of_the_page_has_a_stylesheet() -> None:
    """The files of components are imported in the order of their numbers."""
    text = (DOCS / "build-on-it" / "parts.md").read_text(encoding="utf-8")
    sections = re.findall(r'^## (\d+) .*?^```parts name="(\w+)"', text, re.M | re.S)
    assert [number for number, _ in sections] == [str(number) for number in range(1, 14)]
    names = [name for _, name in sections]
    entry = (OVERRIDES / "stylesheets" / "scratch.css").read_text(encoding="utf-8")
    files = re.findall(r'^@import "([\w-]+)\.css" layer\(parts\);', entry, re.M)
    assert [name for name in files if name in names] == names


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["Quiet", "Secondary", "Primary"])
def test_button_shown_in_a_state_looks_like_a_real_one(page: Page, kind: str, scheme: str) -> None:
    """Hover, focus and press a real button."""
    visit(page, PARTS_PAGE)
    row = page.locator(f"[data-part=button] .parts__{scheme} .parts__row")
    button = row.nth(0).get_by_role("button", name=kind, exact=True)
    shown = {
        state: row.nth(at).get_by_role("button", name=kind).evaluate(READ_STYLES)
        for at, state in enumerate(("rest", "hover", "focus", "pressed"))
    }
    page.mouse.move(0, 0)
    assert button.evaluate(READ_STYLES) == shown["rest"]
    page.keyboard.press("Tab")  # a keyboard user sees the focus
    button.focus()
    assert button.evaluate(READ_STYLES) == shown["focus"]
    button.blur()
    button.hover()
    assert button.evaluate(READ_STYLES) == shown["hover"]
    page.mouse.down()
    pressed = button.evaluate(READ_STYLES)
    page.mouse.up()
    assert pressed[:2] == shown["pressed"][:2]  # the pointer is also on it


def test_forced_colours_keep_dice_lost_points_and_rolled_faces_visible(page: Page) -> None:
    """Outlines, strokes and fills remain different."""
    visit(page, PARTS_PAGE)
    page.emulate_media(forced_colors="active")
    ink, paper = page.evaluate("""() => {
      const { color, backgroundColor } = getComputedStyle(document.querySelector("article .parts__light"));
      return [color, backgroundColor];
    }""")
    ground = "(each, pseudo) => getComputedStyle(each, pseudo).backgroundColor"
    for place, pseudo in (
        (".die__face[data-face='17']", "::before"),
        (".is-lost", "::after"),
        (".is-out > .person__name", "::after"),
    ):
        for each in page.locator(f".parts {place}").all():
            assert each.evaluate(ground, pseudo) == ink, place
    fills = {
        name: page.locator(f".parts__light .net {name} path").first.evaluate("(each) => getComputedStyle(each).fill")
        for name in (".strip__success", ".strip__rolled", "g:not([class])")
    }
    assert len({*fills.values(), paper}) == 4
