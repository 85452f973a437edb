"""Draw the picture for link previews: run `python -m build_scripts.pictures.link_preview` if the net or the name
changes.
"""

from __future__ import annotations

import base64
import io

import jinja2
from PIL import Image

from build_scripts.browsers import launch_chromium
from build_scripts.paths import FONTS, NODE_MODULES, OVERRIDES
from build_scripts.render import TEMPLATES, build_environment

PREVIEW = OVERRIDES / "assets" / "preview.png"
WIDTH, HEIGHT = 1200, 630
"""The size that the large social networks recommend."""
MAX_COLOURS = 32
"""The minimum number of colours with which lines are smooth."""
PAGE_TEMPLATE = """\
<style>
@font-face {{ font-family: Vollkorn; font-weight: 400 900; src: url("data:font/woff2;base64,{serif}"); }}
@font-face {{ font-family: Sans; font-weight: 200 900; src: url("data:font/woff2;base64,{sans}"); }}
body {{ padding: 56px 72px; margin: 0; color: #25211c; background: #fcfbf7; }}
h1 {{ margin: 0; font: 600 96px/1 Vollkorn; }}
p {{ margin: 0; font: 36px/1.4 Vollkorn; font-variant-numeric: lining-nums; }}
svg {{ display: block; width: 760px; margin: 24px 0 0 auto; }}
svg text {{ font: 18px/1 Sans; fill: #635b50; }}
svg path {{ stroke-width: 2; }}
.strip__success path {{ fill: #ded8cb; }} .strip__success text {{ fill: currentColor; }}
.strip__rolled path {{ fill: currentColor; }} .strip__rolled text {{ font-weight: 600; fill: #fcfbf7; }}
</style><h1>Scratch</h1><p>A small d20 role-playing game</p>{net}"""


def save_link_preview() -> None:
    """Write the picture: the net of the d20 with a roll of 17.

    The difficulty is 13.
    """
    net = build_environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("components/dice.html").module.d20_net  # type: ignore[attr-defined]  # the macros of a template
    serif, _, sans = (base64.b64encode((NODE_MODULES / font).read_bytes()).decode() for font in FONTS)
    with launch_chromium() as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.set_content(PAGE_TEMPLATE.format(serif=serif, sans=sans, net=net(least=13, fell=17)))
        page.evaluate("document.fonts.ready.then(() => undefined)")
        image = Image.open(io.BytesIO(page.screenshot()))
    image.convert("RGB").quantize(MAX_COLOURS).save(PREVIEW, optimize=True)


if __name__ == "__main__":
    save_link_preview()
