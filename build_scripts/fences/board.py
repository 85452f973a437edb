"""The fence ```` ```board-drawing ````: a drawing of a map, made by the engine when the site is built.

Its body has the controls of the board calculator, `control=value` on each line, and also `caption` (with links like
`[[grid.zoc.stop|words]]`), `alt` (what the drawing is; the engine describes the rest), `title`, `show` (layers,
separated by spaces), `lines` (spaces to draw lines of sight to), `ways` (spaces to draw the way to) and `expect` (the
expected lines of sight, `clear blocked`, so that no caption contradicts the engine). A line of three hyphens begins
another board next to the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import jinja2

from build_scripts.fences.calculator import parse_fence_fields
from build_scripts.markdown_extensions.captions import render_caption, strip_links
from build_scripts.pictures.board_text import describe_board_drawing, list_legend_entries
from build_scripts.render import TEMPLATES, build_environment
from scratch_core.board import Space
from scratch_core.calculators.board import CONTROLS, LAYERS, BoardAnalysis, analyse_board_of_query, draw_board_of_query
from scratch_core.calculators.board_drawing.state_drawing import draw_board
from scratch_core.calculators.shared.query import format_query
from scratch_core.encounter.actions.positions import trace_line_of_sight

DRAWING_FIELDS = ("caption", "alt", "title", "show", "lines", "ways", "expect")
"""The fields of a drawing that the calculator does not have."""


def render_board_figure(fence_body: str, uid: str = "board") -> str:
    """Render a fence's body as a figure, whose ids begin with `uid`.

    Raises ValueError for an invalid line, name or board, and for lines of sight that are not as expected.
    """
    parts = [parse_fence_fields(part) for part in re.split(r"^---\s*$", fence_body, flags=re.MULTILINE)]
    unknown = {name for part in parts for name in part} - {*DRAWING_FIELDS, *CONTROLS}
    if unknown:
        raise ValueError(
            f"expected one of {', '.join((*DRAWING_FIELDS, *CONTROLS))}, got {min(unknown)!r} in a board-drawing fence"
        )
    caption = " ".join(part["caption"] for part in parts if "caption" in part)
    boards = "".join(
        f'<div class="board-drawing-part">{_render_title(part)}'
        f"{_render_board_and_legend(part, caption, f'{uid}-{n}')}</div>\n"
        for n, part in enumerate(parts, 1)
    )
    below = f"<figcaption>{render_caption(caption)}</figcaption>\n" if caption else ""
    return f'<figure class="board-drawing">\n<div class="board-drawings">\n{boards}</div>\n{below}</figure>'


def _render_title(part: Mapping[str, str]) -> str:
    return f'<p class="board-title">{escape(part["title"])}</p>' if "title" in part else ""


def _render_board_and_legend(fields: Mapping[str, str], caption: str, uid: str) -> str:
    alt = fields.get("alt") or strip_links(caption)
    if not alt:
        raise ValueError("expected an alt or a caption, got neither in a board-drawing fence")
    layers = fields["show"].split() if "show" in fields else LAYERS
    query = format_query({name: text for name, text in fields.items() if name in CONTROLS})
    analysis, lines, ways = analyse_board_of_query(query, layers, fields.get("lines", ""), fields.get("ways", ""))
    words = describe_board_drawing(analysis, layers, lines, ways)
    if "expect" in fields:
        _require_sight_lines_as_expected(fields["expect"].split(), analysis, lines)
    template: Any = build_environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("components/board.html").module
    board = str(
        template.picture(
            draw_board(analysis.state, analysis.build_overlay(layers, lines, ways)), alt, words=words, uid=uid
        )
    )
    return board + _render_legend(template, list_legend_entries(analysis, layers))


def _require_sight_lines_as_expected(
    expected_results: Sequence[str], analysis: BoardAnalysis, targets: Sequence[Space]
) -> None:
    lines = [trace_line_of_sight(analysis.context, target) for target in targets] if analysis.context else []
    actual = ["clear" if line.is_clear else "blocked" for line in lines if line]
    if list(expected_results) != actual:
        raise ValueError(f"expected the lines to be {' '.join(expected_results)}, got {' '.join(actual) or 'none'}")


def _render_legend(template: Any, entries: Sequence[tuple[str, str]]) -> str:
    if not entries:
        return ""
    items = "".join(f"<li>{_render_swatch(template, letter)}{escape(words)}</li>" for letter, words in entries)
    return f'<ul class="board-legend">{items}</ul>'


def _render_swatch(template: Any, letter: str) -> str:
    """Render one space of a terrain, hidden from screen readers.

    Its name is next to it.
    """
    drawing = draw_board_of_query(format_query({"map": letter or "."}), ())
    return f'<span aria-hidden="true">{template.picture(drawing, "")}</span>'
