"""Draw the icons of the installed site: run `python -m build_scripts.service_worker.icons` if `icon.svg` changes."""

from __future__ import annotations

from build_scripts.browsers import launch_chromium
from build_scripts.service_worker.precache import FOLDER, ICONS


def render_and_save_icons() -> None:
    """Write each icon as a PNG next to `icon.svg`.

    The background of a "full" icon reaches the edges, and its mark is smaller.
    """
    drawing = (FOLDER / "icon.svg").read_text(encoding="utf-8")
    with launch_chromium() as browser:
        for name, width in ICONS.items():
            page = browser.new_page(viewport={"width": width, "height": width})
            drawn = drawing.replace('rx="5"', 'rx="0"') if "full" in name else drawing
            page.set_content(f"<style>*{{margin:0}}svg{{display:block;width:{width}px}}</style>{drawn}")
            page.screenshot(path=FOLDER / name, omit_background=True)


if __name__ == "__main__":
    render_and_save_icons()
