"""HTML tables of the engine's data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_EMPTY_CELL = '<span class="nothing">–</span>'


def render_html_table(name: str, caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Render a table from column headings and rows of HTML cells.

    The first cell of a row is its heading. A row of one cell is the heading of the group of rows below it. There is a
    line break between two cells, so that an excerpt in the search separates their words.
    """
    lines = [
        f'<div class="engine-table engine-table--{name}" tabindex="0" role="region" aria-label="{escape(caption)}">',
        f'<table>\n<caption class="u-aloud">{escape(caption)}</caption>',
        "<thead><tr>" + "\n".join(f'<th scope="col">{escape(head)}</th>' for head in heads) + "</tr></thead>",
        "<tbody>",
        *(_render_row(row, len(heads)) for row in rows),
        "</tbody>\n</table>\n</div>",
    ]
    return "\n".join(lines)


def _render_row(cells: Sequence[str], columns: int) -> str:
    if len(cells) == 1:
        return f'<tr class="group"><th scope="rowgroup" colspan="{columns}">{cells[0]}</th></tr>'
    rest = "".join(f"\n<td>{cell or _EMPTY_CELL}</td>" for cell in cells[1:])
    return f'<tr><th scope="row">{cells[0]}</th>{rest}</tr>'
