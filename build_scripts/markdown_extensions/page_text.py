"""The text of a page in Markdown: its blocks, their ids, and the text without fences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from build_scripts.markdown_extensions.engine_numbers import fill_in_engine_numbers

_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2 *$", re.DOTALL | re.MULTILINE)
_ID = re.compile(r"\{:?[^}]*?#([\w.-]+)")


def list_blocks(text: str) -> list[str]:
    """List paragraphs, list items, table rows and headings, with their numbers filled in, without fences."""
    return ["\n".join(lines) for lines in _split_markdown_blocks(fill_in_engine_numbers(blank_out_fences(text)))]


def list_own_ids(block: str) -> list[str]:
    """List the ids of a block."""
    return [match[1] for match in _ID.finditer(block)]


def blank_out_fences(text: str) -> str:
    """Replace front matter and fences by empty lines, so that line numbers stay the same."""
    for pattern in (_FRONT, _FENCE):
        text = pattern.sub(lambda match: "\n" * match[0].count("\n"), text)
    return text


def _split_markdown_blocks(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    for line in text.split("\n"):
        bare = line.strip()
        begins = re.match(r"[-*|#]|\d+\. |!!!|: ", bare) is not None
        if block and (not bare or (begins and not bare.startswith("{:"))):
            yield block
            block = []
        if bare:
            block.append(line)
    if block:
        yield block
