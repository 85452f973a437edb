"""The fence ```` ```board-drawing ````: a board drawn when the site is built, by the engine that the rules run on.

Its body has the controls of the board calculator, `control=value` a line, and besides them `caption` (may hold links
like `[[grid.zoc.stop|words]]`), `alt` (what is seen, for whoever does not see it), `title`, `show` (layers, parted by
spaces) and `lines` (spaces to draw lines of sight to). A line of three hyphens begins another board beside the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Any

import jinja2
from pymdownx.superfences import SuperFencesException

from build_scripts.calculator_fence import fence_fields
from build_scripts.calculator_html import TEMPLATES, environment
from build_scripts.drawings.captions import linked, plain
from scratch_core.calculators.board import CONTROLS, LAYERS, picture
from scratch_core.calculators.query import query_string

OWN = ("caption", "alt", "title", "show", "lines")
"""The names that a drawing has and a calculator has not."""


def board_drawing_validator(
    language: str, inputs: dict[str, str], options: dict[str, Any], attrs: Any, md: Any
) -> bool:
    """Accept the fence; superfences asks this before it calls the formatter."""
    options.update(inputs)
    return True


def board_drawing(source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **_: Any) -> str:
    """Draw the boards that the fence holds; one that cannot be drawn stops the build."""
    try:
        return render_drawing(source)
    except Exception as error:  # superfences prints a fence as code on any other error: a wrong page instead of no page
        raise SuperFencesException(f"the board drawing failed: {error}") from error


def render_drawing(source: str) -> str:
    """Render a fence's body as a figure; raises ValueError for a line, a name or a board that cannot be read."""
    parts = [fence_fields(part) for part in re.split(r"^---\s*$", source, flags=re.MULTILINE)]
    unknown = {name for part in parts for name in part} - {*OWN, *CONTROLS}
    if unknown:
        raise ValueError(
            f"expected one of {', '.join((*OWN, *CONTROLS))}, got {min(unknown)!r} in a board-drawing fence"
        )
    caption = " ".join(part["caption"] for part in parts if "caption" in part)
    boards = "".join(f'<div class="board-drawing-part">{_title(part)}{_board(part, caption)}</div>\n' for part in parts)
    below = f"<figcaption>{linked(caption)}</figcaption>\n" if caption else ""
    return f'<figure class="board-drawing">\n<div class="board-drawings">\n{boards}</div>\n{below}</figure>'


def _title(part: Mapping[str, str]) -> str:
    return f'<p class="board-title">{escape(part["title"])}</p>' if "title" in part else ""


def _board(part: Mapping[str, str], caption: str) -> str:
    if not part.get("alt") and not caption:
        raise ValueError("expected an alt or a caption, got neither in a board-drawing fence")
    layers = part["show"].split() if "show" in part else LAYERS
    query = query_string({name: text for name, text in part.items() if name in CONTROLS})
    drawing = picture(query, layers, part.get("lines", ""))
    template = environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("_board.html")
    return str(template.module.picture(drawing, part.get("alt") or plain(caption)))  # type: ignore[attr-defined]
