"""The pictures of built pages: nothing leaves its frame, text has contrast, and each has a description."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from build_scripts.fences.registry import list_fences
from build_scripts.paths import DOCS
from tests.browser.navigation import visit

DRAWING_FENCES = ("picture", "board-drawing", "turn-order")
PAGES = sorted(
    {
        fence.page.removesuffix(".md").removesuffix("index").rstrip("/") + "/"
        for fence in list_fences(DOCS)
        if fence.kind in DRAWING_FENCES
    }
)
FIGURES = "figure.picture svg, .board-drawing-part > svg, svg.turn-order__drawing"

FIND_TEXT_OUTSIDE = """(svgs) => svgs.flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const slack = 1;
  return [...svg.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left - slack || box.right > frame.right + slack
      || box.top < frame.top - slack || box.bottom > frame.bottom + slack;
  }).map((text) => `${svg.querySelector("title")?.textContent}: ${text.textContent}`);
})"""

FIND_OVERLAPS = """(svgs) => svgs.flatMap((svg) => {
  const texts = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
  return texts.flatMap(([one, a], n) => texts.slice(n + 1).filter(([, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6
  ).map(([other]) => `${one} | ${other}`));
})"""

FIND_UNDESCRIBED = """(svgs) => svgs.filter((svg) => {
  const words = (name) => (svg.getAttribute(name) ?? "").split(" ")
    .map((id) => document.getElementById(id)).filter((each) => each && svg.contains(each))
    .map((each) => each.textContent.trim()).join(" ");
  return svg.getAttribute("role") !== "img" || words("aria-labelledby").length < 10
    || (words("aria-describedby") || words("aria-labelledby")).length < 40;
}).map((svg) => svg.outerHTML.slice(0, 120))"""

FIND_LOW_CONTRAST = """(svgs) => {
  const shade = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    shade.fillStyle = colour;
    shade.fillRect(0, 0, 1, 1);
    return [...shade.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour) => rgb(colour).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, n) => sum + part * [0.2126, 0.7152, 0.0722][n], 0);
  const contrast = (one, other) => {
    const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const paper = getComputedStyle(document.body).backgroundColor;
  const ground = (text) => {
    const box = text.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const shapes = [...text.ownerSVGElement.querySelectorAll("rect, polygon, circle, path")].filter((shape) => {
      const fill = getComputedStyle(shape).fill;
      const around = shape.getBoundingClientRect();
      return fill.startsWith("rgb") && !fill.startsWith("rgba") && getComputedStyle(shape).fillOpacity === "1"
        && around.left <= x && around.right >= x && around.top <= y && around.bottom >= y
        && shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
    });
    return shapes.length ? getComputedStyle(shapes.at(-1)).fill : paper;
  };
  return svgs.flatMap((svg) => [...svg.querySelectorAll("text")].map((text) =>
    [text.textContent, contrast(getComputedStyle(text).fill, ground(text))]).filter(([, ratio]) => ratio < 4.5));
}"""


def test_pages_with_pictures_are_found_by_their_fences() -> None:
    """The page of the Grid is one of them."""
    assert {"rules/grid/"} <= set(PAGES)


@pytest.mark.parametrize("path", PAGES)
def test_pictures_fit_their_frame_and_have_contrast_and_description(page: Page, path: str) -> None:
    """Text neither leaves the frame nor overlaps, on a phone and a desktop.

    Contrast is 4.5 in light mode and with forced colours. Ids are unique, and no page scrolls sideways.
    """
    page.emulate_media(color_scheme="light")
    visit(page, path)
    page.evaluate("document.fonts.ready")
    assert page.locator(FIGURES).count() > 0
    assert page.eval_on_selector_all(FIGURES, FIND_UNDESCRIBED) == []
    ids = page.eval_on_selector_all("figure [id]", "(all) => all.map((each) => each.id)")
    assert len(ids) == len(set(ids))
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.eval_on_selector_all(FIGURES, FIND_TEXT_OUTSIDE) == [], width
        assert page.eval_on_selector_all(FIGURES, FIND_OVERLAPS) == [], width
        page.wait_for_function(
            "() => document.documentElement.scrollWidth <= innerWidth"
        )  # the theme's drawer slides out
    page.emulate_media(forced_colors="active")
    assert page.eval_on_selector_all("figure.picture svg", FIND_LOW_CONTRAST) == [], "with a device's own colours"
    page.emulate_media(forced_colors="none")
    assert page.eval_on_selector_all(FIGURES, FIND_LOW_CONTRAST) == [], "light"


def test_pictures_in_dark_mode_have_contrast(loaded: Page) -> None:
    """Their text has a contrast of 4.5."""
    loaded.emulate_media(color_scheme="dark")  # the site's script reads the scheme as it starts
    for path in PAGES:
        visit(loaded, f"/{path}")
        assert loaded.evaluate("document.body.dataset.mdColorScheme") == "slate"
        assert loaded.eval_on_selector_all(FIGURES, FIND_LOW_CONTRAST) == [], path


def test_pages_with_picture_fences_contain_drawings(site: Path) -> None:
    """No fence is left as code."""
    for path in PAGES:
        html = (site / path / "index.html").read_text(encoding="utf-8")
        assert "<svg" in html
        assert "```" not in html
