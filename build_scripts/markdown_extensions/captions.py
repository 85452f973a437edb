"""Captions: text with links to rules, `[[hp.stamina|stamina]]`."""

from __future__ import annotations

import re
from html import escape

from build_scripts.markdown_extensions.rule_links import render_rule_link

_LINK = re.compile(r"\[\[([\w.-]+)(?:\|([^\]]+))?\]\]")


def render_caption(caption: str) -> str:
    """Render a caption, with links that `make_rule_links_relative` completes in the finished page."""
    return _LINK.sub(lambda link: render_rule_link(link[1], link[2]), escape(caption, quote=False))


def strip_links(caption: str) -> str:
    """Replace the links of a caption by their words."""
    return _LINK.sub(lambda link: link[2] or link[1], caption)
