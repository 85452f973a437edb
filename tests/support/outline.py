"""Accessibility outlines: Chromium's roles, names and values of a page, as lines of text.

Playwright computes roles and names (`aria_snapshot`). This module adds what each control sends, and writes the result
compactly: text in its element's line, a table row or a list of options in one line, each line once with its count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl

import yaml
from playwright.sync_api import Page

from tests.browser.patience import PATIENCE

MAX_LINE_LENGTH = 120
MAX_TEXT_LENGTH = 1000
MAX_PARAMETER_LENGTH = 40

CONTROLS = frozenset(
    ("button", "textbox", "searchbox", "spinbutton", "combobox", "listbox", "checkbox", "radio", "switch", "slider")
)
NAMED_BY_CONTENT = frozenset(("cell", "columnheader", "listitem", "row", "rowgroup", "rowheader"))
"""Roles whose names repeat the text of their children."""
INLINE = frozenset(
    (
        *("code", "deletion", "emphasis", "generic", "insertion", "mark", "strong", "subscript", "superscript"),
        *("text", "time"),
    )
)
LISTS = frozenset(("combobox", "listbox"))
CELLS = frozenset(("cell", "columnheader", "gridcell", "rowheader"))
STRUCTURE = frozenset(("figure", "form", "grid", "group", "img", "list", "radiogroup", "region", "table"))
"""Roles that have a line of their own even where they have no name."""

PREPARE_SCRIPT = """
pieces => {
  document.body.replaceChildren(...pieces.map((html) => {
    const article = document.createElement("article");
    article.innerHTML = html;
    return article;
  }));
  for (const details of document.querySelectorAll("details")) {
    details.removeAttribute("name");
    const summary = details.querySelector(":scope > summary");
    summary.setAttribute("role", "button");
    summary.setAttribute("aria-expanded", details.open);
    details.open = true;
  }
  let count = 0;
  const nameBy = (element, nodes) => {
    const parts = [...nodes].map((node) => {
      const part = document.createElement("span");
      node.replaceWith(part);
      part.append(node);
      part.id = `name-${count++}`;
      part.setAttribute("aria-hidden", "true");
      return part.id;
    });
    if (!element.hasAttribute("aria-label")) element.setAttribute("aria-labelledby", parts.join(" "));
  };
  for (const label of document.querySelectorAll("label")) {
    const control = label.control;
    if (control && (control.getAttribute("aria-label") ?? label.textContent.trim()) === label.textContent.trim())
      nameBy(control, [...label.childNodes].filter((node) => !node.contains(control) && node.textContent.trim()));
  }
  for (const legend of document.querySelectorAll("fieldset > legend"))
    if (!legend.querySelector("a, button, input"))
      nameBy(legend.parentElement, legend.childNodes);
  const isShown = (element) => element.checkVisibility() && !element.closest("[aria-hidden=true]");
  const pair = (control) => {
    if (control.localName === "summary") return null;
    return control.name ? `${control.name}=${control.value}` : "";
  };
  return [...document.body.children].map((article) => {
    const controls = [...article.querySelectorAll("button, summary, input, select, textarea")];
    const silent = "button, summary, :not([name]), [type=checkbox]:not(:checked), [type=radio]:not(:checked)";
    const typed = {};
    for (const control of controls)
      if (control.value && !control.matches(silent))
        typed[control.name] = control.value;
    return { typed, sends: controls.filter(isShown).map(pair) };
  });
}
"""
"""Put each piece into an article, unfold everything, take the names of controls and groups out of the text.

Returns what each piece's form and controls send; `null` is a fold's summary.
"""


@dataclass(slots=True)
class Node:
    """A node of the outline: Playwright's data, and what it sends."""

    role: str
    """The ARIA role."""
    name: str = ""
    """The accessible name."""
    states: str = ""
    """The states as Playwright writes them, such as ` [disabled]`, with a leading space."""
    text: list[str | Node] = field(default_factory=list)
    """The node's own text and its child nodes, in order."""
    properties: dict[str, str] = field(default_factory=dict)
    """Properties such as `url` and `placeholder`, by name."""
    sends: str = ""
    """What the control sends, as `name=value`; empty if it sends nothing."""
    is_summary: bool = False
    """Whether it is the summary of a fold."""

    @property
    def children(self) -> Iterator[Node]:
        """Yield the child nodes."""
        return (each for each in self.text if isinstance(each, Node))


def load_outlines(page: Page, pieces: Sequence[str]) -> Iterator[tuple[list[Node], dict[str, str]]]:
    """Yield each piece's outline, fully unfolded, and the values its form sends unpressed.

    The browser gets all pieces in one request, because each request waits on a busy machine. No two pieces share an id.
    """
    prepared = page.evaluate(PREPARE_SCRIPT, pieces)
    snapshot = page.locator("body").aria_snapshot(timeout=PATIENCE)
    for entry, each in zip(yaml.load(snapshot, yaml.CBaseLoader), prepared, strict=True):
        article, sends = parse_node(entry), each["sends"]
        controls = [node for node in walk_nodes([article]) if node.role in CONTROLS]
        assert len(controls) == len(sends), f"{len(controls)} controls in the outline, {len(sends)} on page: {sends}"
        for node, pair in zip(controls, sends, strict=True):
            node.sends, node.is_summary = pair or "", pair is None
        yield join_text(article), each["typed"]


KEY_PATTERN = re.compile(r'(?P<role>[a-z]+)(?: (?P<name>"(?:[^"\\]|\\.)*"|/.*/))?(?P<states>(?: \[[^\]]*\])*)$')


def parse_node(entry: str | dict[str, Any]) -> Node:
    """Parse an entry of Playwright's snapshot into a node.

    An entry is a string such as `button "Add" [disabled]`, or a dictionary from that string to its text or its
    children.
    """
    key, content = (entry, []) if isinstance(entry, str) else next(iter(entry.items()))
    found = KEY_PATTERN.match(key)
    assert found, key
    name = (found["name"] or "")[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    node = Node(found["role"], name, found["states"])
    for each in [content] if isinstance(content, str) else content:
        if isinstance(each, dict) and next(iter(each)).startswith("/"):
            node.properties |= {key[1:]: str(value) for key, value in each.items()}
        elif node.role == "text" or isinstance(content, str):
            node.text.append(str(each))
        else:
            child = parse_node(each)
            node.text += child.text if child.role == "text" else [child]
    return node


def walk_nodes(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield nodes in their order, each before its children."""
    for node in nodes:
        yield node
        yield from walk_nodes(node.children)


Line = tuple[int, str, Node]
"""A line's indentation, its text, and its node."""
Shape = tuple[str, tuple[tuple[int, str], ...]]
"""A fold's name and the lines in it."""


def format_lines(nodes: Iterable[Node], depth: int = 0) -> Iterator[Line]:
    """Format nodes as lines."""
    for node in join_definitions(nodes):
        words, inner = ([], join_text(node)) if node.role in STRUCTURE else split_text(node)
        text = (" · " if node.role == "row" else " ").join(words)
        if node.role in LISTS:
            text, inner = format_options(node), []
        elif node.role in CONTROLS and node.role != "button" and node.sends:
            text = ""
        inner_texts = {each.name for each in walk_nodes(inner)} | {
            " ".join(split_text(each)[0]) for each in walk_nodes(inner)
        }
        has_name = node.name and node.role not in NAMED_BY_CONTENT and node.name not in inner_texts
        parts = [
            node.role,
            f'"{node.name}"' if has_name else "",
            node.states.strip(),
            f"({shorten(node.sends)})" if node.sends else "",
            f"→ {shorten_address(node.properties['url'])}" if "url" in node.properties else "",
            f"for example {node.properties['placeholder']}" if "placeholder" in node.properties else "",
        ]
        head = " ".join(filter(None, parts))
        has_text = text and not (has_name and text == node.name)
        has_line = has_text or head != node.role or node.role in STRUCTURE
        if has_line:
            yield depth, f"{head}: {shorten(text, MAX_TEXT_LENGTH)}" if has_text else head, node
        yield from format_lines(inner, depth + bool(has_line))


def join_text(node: Node) -> list[Node]:
    """Return the content of a node of structure, with bare text in text nodes."""
    blocks: list[Node] = []
    for each in node.text:
        if isinstance(each, Node) and each.role not in INLINE:
            blocks.append(each)
        elif blocks and blocks[-1].role == "text":
            blocks[-1].text.append(each)
        else:
            blocks.append(Node("text", text=[each]))
    return blocks


def join_definitions(nodes: Iterable[Node]) -> Iterator[Node]:
    """Join each term with its definitions."""
    term: Node | None = None
    for node in nodes:
        if term and node.role == "definition":
            term.text += ["·", *node.text]
            continue
        if term:
            yield term
        term = replace(node, text=[*node.text]) if node.role == "term" else None
        if not term:
            yield node
    if term:
        yield term


def split_text(node: Node) -> tuple[list[str], list[Node]]:
    """Split the content of a node into its own words and its inner nodes.

    The words contain an ellipsis for each inner node between them.
    """
    words: list[str] = []
    inner: list[Node] = []
    for each in node.text:
        if isinstance(each, str):
            words.append(each)
            continue
        is_cell = each.role in CELLS and node.role == "row"
        if is_cell or each.role in INLINE:
            own, below = split_text(each)
            if is_cell:
                words.append(" ".join(own) or ("…" if below else each.name or "–"))
            else:
                words += own
            inner += below
        else:
            words.append("…")
            inner.append(each)
    if node.role != "row":
        words = [word for place, word in enumerate(words) if word != "…" or words[place - 1 : place] != ["…"]]
        while words and words[-1] == "…":
            words.pop()
        while words and words[0] == "…":
            words.pop(0)
    return ([] if set(words) <= {"…", "–"} else words), inner


def format_options(node: Node) -> str:
    """Format the options of a list, the selected option in brackets."""
    each = [f"[{one.name}]" if "selected" in one.states else one.name for one in walk_nodes(node.children)]
    return " · ".join(each)


def shorten(text: str, longest: int = MAX_LINE_LENGTH) -> str:
    """Return a text on one line, without the middle of a long one."""
    line = text.replace("\r", "").replace("\n", "⏎")
    return line if len(line) <= longest else f"{line[: longest // 2]}…{line[10 - longest // 2 :]}"


def shorten_address(address: str) -> str:
    """Return an address without the long values of its parameters."""
    path, mark, query = address.partition("?")
    pairs = [
        f"{name}={value if len(value) <= MAX_PARAMETER_LENGTH else '…'}"
        for name, value in parse_qsl(query, keep_blank_values=True)
    ]
    return path + mark + shorten("&".join(pairs))


def name_known_folds(lines: Sequence[Line], state: str, seen: dict[Shape, str]) -> Iterator[Line]:
    """Replace the content of a closed fold by the name of an earlier state.

    That state has shown the same content.
    """
    place = 0
    while place < len(lines):
        depth, _, node = lines[place]
        yield lines[place]
        place += 1
        if not node.is_summary or "expanded" in node.states:
            continue
        end = next((n for n in range(place, len(lines)) if lines[n][0] < depth), len(lines))
        content = (node.name, tuple((deep - depth, text) for deep, text, _ in lines[place:end]))
        if end - place > 1 and seen.setdefault(content, state) != state:
            yield depth + 1, f"as in “{seen[content]}”", Node("text")
            place = end


def drop_repeats(lines: Iterable[tuple[int, str]]) -> Iterator[str]:
    """Indent lines, and write each text once with its count.

    Structure without content is left out.
    """
    found = list(lines)
    counts = Counter(text for _, text in found)
    written: set[str] = set()
    shown: list[tuple[int, str]] = []
    for depth, text in (*found, (0, "")):
        while shown and shown[-1][1] in STRUCTURE and shown[-1][0] >= depth:
            shown.pop()
        if text in STRUCTURE or text not in written:
            shown.append((depth, text))
            written.add(text)
    for depth, text in shown[:-1]:
        times = "" if text in STRUCTURE or counts[text] == 1 else f" ×{counts[text]}"
        yield f"{'  ' * depth}- {text}{times}"
