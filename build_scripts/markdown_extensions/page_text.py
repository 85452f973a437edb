"""The text of a page in Markdown: its blocks, the ids in them, and the text without its fences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from build_scripts.markdown_extensions.engine_numbers import fill_numbers

_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2 *$", re.DOTALL | re.MULTILINE)
_ID = re.compile(r"\{:?[^}]*?#([\w.-]+)")


def list_blocks(text: str) -> list[str]:
    """Return paragraphs, list items, table rows and headings with their numbers, without fences."""
    return ["\n".join(lines) for lines in _split_blocks(fill_numbers(strip_fences(text)))]


def list_own_ids(block: str) -> list[str]:
    """Return the ids that a block carries."""
    return [match[1] for match in _ID.finditer(block)]


def strip_fences(text: str) -> str:
    """Empty front matter and fences, with every line in its place."""
    for pattern in (_FRONT, _FENCE):
        text = pattern.sub(lambda match: "\n" * match[0].count("\n"), text)
    return text


def _split_blocks(text: str) -> Iterator[list[str]]:
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
