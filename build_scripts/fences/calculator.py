"""The fence ```` ```calculator name="dice" ````: its body is a query, which the build answers."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from build_scripts.checks.rule_traceability import format_suggestion
from build_scripts.render import TEMPLATES, render_calculator_response
from scratch_core.calculators.shared.query import format_query

_PAIR = re.compile(r"^[a-z_]+=")


def format_fence_query(body: str) -> str:
    """Format a fence's body as a query string, see `parse_fence_fields`."""
    return format_query(parse_fence_fields(body))


def parse_fence_fields(body: str) -> dict[str, str]:
    """Parse a fence's body into controls and their values.

    A line is `control=value`, with a literal value. A line without a control continues the value above it. Raises
    ValueError if the first line has no control.
    """
    fields: dict[str, str] = {}
    name = ""
    for line in body.splitlines():
        if _PAIR.match(line):
            name, _, value = line.partition("=")
            fields[name] = value.strip()
        elif name:
            fields[name] += "\n" + line
        elif line.strip():
            raise ValueError(f"expected a line `control=value`, got {line!r} in a calculator fence")
    return {name: value.strip() for name, value in fields.items()}


def render_calculator_element(name: str, body: str, uid: str) -> str:
    """Render the element of a calculator with its response to a fence's body.

    Ids begin with `uid`. Raises ValueError for an invalid body, and, with the nearest name, for an unknown calculator.
    """
    known = [template.stem for template in Path(TEMPLATES).glob("*.html")]
    if name not in known:
        raise ValueError(f"expected a calculator, got {name!r}{format_suggestion(name, known)}")
    rendered = render_calculator_response(name, format_fence_query(body), id_prefix=uid)
    # Markdown leaves a fence's HTML unchanged only if it begins with a block-level tag that Markdown knows.
    return (
        '<div class="calculator-place" data-search-exclude>\n'
        f'<scratch-calculator name="{escape(name)}" uid="{escape(uid)}" data-state="prerendered" data-search-exclude'
        f' data-query="{escape(rendered.query)}">\n'
        '<noscript><p class="calculator-noscript">Turn on JavaScript to use this calculator and open shared'
        " links. What you see is an example.</p></noscript>\n"
        '<p class="calculator-awaited">Loading what you opened …</p>\n'
        f'<div class="calculator-body">\n{rendered.html}\n</div>\n'
        '<div class="calculator-absent"><p class="calculator-missing">'
        "<span>This page's script didn't load, so the calculator can't answer. Check your connection."
        ' <a href="">Reload this page</a>.</span>'
        '<span class="calculator-filed">A browser runs no calculator from a file. Serve the folder of this site, with'
        " <code>python3 -m http.server</code> for one, and open <code>http://localhost:8000/</code>.</span></p></div>\n"
        "</scratch-calculator>\n</div>"
    )
