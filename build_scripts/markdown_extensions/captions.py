"""Captions: words with links to rules, `[[hp.stamina|stamina]]`."""

from __future__ import annotations

import re
from html import escape

from build_scripts.markdown_extensions.rule_links import render_rule_link

_LINK = re.compile(r"\[\[([\w.-]+)(?:\|([^\]]+))?\]\]")


def render_caption(caption: str) -> str:
    """A caption as HTML, its links for the finished page to complete."""
    return _LINK.sub(lambda link: render_rule_link(link[1], link[2]), escape(caption, quote=False))


def strip_links(caption: str) -> str:
    """A caption as text, its links as their words."""
    return _LINK.sub(lambda link: link[2] or link[1], caption)
