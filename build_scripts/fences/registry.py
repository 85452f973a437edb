"""Our fences: how each kind is rendered, and where each stands, so that a failing one is named by page and line."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markdown import Markdown
from pymdownx.superfences import SuperFencesBlockPreprocessor, SuperFencesCodeExtension, SuperFencesException

from build_scripts.checks.rule_traceability import format_suggestion
from build_scripts.fences import scenario, turn_order
from build_scripts.fences.board import render_drawing
from build_scripts.fences.calculator import format_fence_query, parse_fence_fields, render_calculator
from build_scripts.fences.cast import render_cast
from build_scripts.fences.components import render_part
from build_scripts.fences.picture import render_picture
from build_scripts.fences.table import render_table
from build_scripts.markdown_extensions.engine_numbers import NUMBERS_BY_RULE, format_number
from build_scripts.markdown_extensions.page_text import list_own_ids, strip_fences
from build_scripts.markdown_extensions.rule_links import RULE_IDS, RULING_IDS
from build_scripts.markdown_extensions.ruling_notes import TABLE_VALUES
from scratch_core.rulebook.abilities import ABILITY_NAMES

_CODE = re.compile(r"(`+)[^`]+?\1")
_BRACKETS = re.compile(r"\[\[ *(= *|is |at |plain )?([^\[\]|\\]+)(?=\]\]|\\?\|)")

RENDERERS: Mapping[str, Callable[..., str]] = {
    "board-drawing": lambda body, number: render_drawing(body, f"board-{number}"),
    "calculator": lambda body, number, name: render_calculator(name, body, f"{name}-{number}"),
    "cast": lambda body, number, kind: render_cast(kind),
    "engine-table": lambda body, number, name: render_table(name),
    "parts": lambda body, number, name: render_part(name),
    "picture": lambda body, number, name: render_picture(name, body, f"picture-{number}"),
    "scenario": lambda body, number: scenario.render_example(body),
    "turn-order": lambda body, number: turn_order.render_turn_order(body, f"order-{number}"),
}
"""Each kind of fence as HTML, of its body, its number on the page among those of its kind, and its options."""

EXAMPLE_PLAYERS = {"scenario": scenario.play_example, "turn-order": turn_order.play_example}
"""The kinds that are played, by which a mistake is told with its line of the page."""


def accept_options(language: str, inputs: dict[str, str], options: dict[str, Any], attrs: Any, md: Any) -> bool:
    """Accept whatever options a fence has; superfences asks this before it calls the formatter."""
    options.update(inputs)
    return True


def render_page_fence(source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **_: Any) -> str:
    """Render a fence of ours; one that fails stops the build."""
    if not hasattr(md, "scratch_fences"):
        md.scratch_fences = Counter()
    md.scratch_fences[language] += 1
    try:
        return RENDERERS[language](source, md.scratch_fences[language], **options)
    except Exception as error:  # superfences prints a fence as code on any other error: a wrong page instead of no page
        raise SuperFencesException(f"the fence {language} {options} failed: {_format_error(error)}") from error


def _format_error(error: Exception) -> str:
    return str(error) if isinstance(error, ValueError) else repr(error)


@dataclass(frozen=True, slots=True)
class Fence:
    """A fence: the page's path below docs, the line that opens it, its kind, its options and its body."""

    page: str
    line: int
    kind: str
    options: Mapping[str, str]
    body: str

    @property
    def location(self) -> str:
        """Page and line."""
        return f"docs/{self.page}:{self.line}"

    @property
    def name(self) -> str:
        """The option `name`, "" for none."""
        return self.options.get("name", "")

    @property
    def query(self) -> str:
        """The body as a query string; raises ValueError where it is none."""
        return format_fence_query(self.body)


class _FenceFinder(SuperFencesBlockPreprocessor):
    """What superfences takes for a fence, whatever its name, kept instead of rendered."""

    def __init__(self, page: str) -> None:
        every = {"name": "*", "class": "", "format": render_page_fence, "validator": accept_options}
        self.extension = SuperFencesCodeExtension(custom_fences=[every])
        self.config = self.extension.getConfigs()
        super().__init__(Markdown(extensions=[self.extension, "attr_list"]))
        self.page = page
        self.found: list[Fence] = []

    def process_nested_block(self, ws: str, content: str, start: int, end: int) -> None:
        """Keep a fence that ends here; `start` is the line that opens it, counted from 0."""
        self.found.append(Fence(self.page, start + 1, self.lang, self.options, self.rebuild_block(self.code)))
        self.clear()


def list_fences(docs: Path) -> Iterator[Fence]:
    """Find the fences in every page below `docs`, in order; one within another is part of that one's body."""
    for path in sorted(docs.rglob("*.md")):
        finder = _FenceFinder(path.relative_to(docs).as_posix())
        finder.run(path.read_text(encoding="utf-8").splitlines())
        yield from finder.found


def list_calculator_fences(docs: Path) -> Iterator[Fence]:
    """Find the calculator fences in every page below `docs`, in order."""
    return (fence for fence in list_fences(docs) if fence.kind == "calculator")


def check_fences(docs: Path) -> list[str]:
    """Render every fence of ours; give one sentence, with page and line, for each that fails."""
    failures = []
    for fence in list_fences(docs):
        if fence.kind not in RENDERERS:
            continue
        try:
            if fence.kind in EXAMPLE_PLAYERS:
                EXAMPLE_PLAYERS[fence.kind](fence.body, fence.line)
            html = RENDERERS[fence.kind](fence.body, 1, **fence.options)
        except Exception as error:  # whatever went wrong, the author is told where
            what = " ".join([fence.kind, *map(repr, fence.options.values())])
            failures.append(f"{fence.location}: {what} failed: {_format_error(error)}")
        else:
            failures += check_controls(fence, html) if fence.kind == "calculator" else []
    return failures


def check_controls(fence: Fence, html: str) -> list[str]:
    """Give a sentence for each control that the fence names and the calculator's form, in its answer, doesn't have."""
    own = getattr(importlib.import_module(f"scratch_core.calculators.{fence.name}"), "CONTROLS", ())
    answer = html.partition('class="calculator-body"')[2]
    known = {"example", *own, *re.findall(r'\sname="(\w+)"', answer)}
    lines = [line.partition("=")[0] for line in fence.body.splitlines()]
    return [
        f"docs/{fence.page}:{fence.line + 1 + lines.index(name)}: expected a control of {fence.name!r}, got {name!r}"
        f"{format_suggestion(name, known)}"
        for name in parse_fence_fields(fence.body)
        if name not in known
    ]


def check_links(docs: Path) -> list[str]:
    """Find names, outside of code, that no rule, ruling, number or ability has: in double brackets, or as an anchor."""
    failures = []
    for path in sorted(docs.rglob("*.md")):
        place = f"docs/{path.relative_to(docs).as_posix()}"
        lines = _CODE.sub(" ", strip_fences(path.read_text(encoding="utf-8"))).splitlines()
        for number, line in enumerate(lines, 1):
            for kind, asked in _BRACKETS.findall(line):
                failures += [f"{place}:{number}: {wrong}" for wrong in _check_names(kind.strip(), asked.strip())]
            for anchor in list_own_ids(line):
                if "." in anchor and anchor not in RULE_IDS:
                    got = f"{anchor!r}{format_suggestion(anchor, RULE_IDS)}"
                    failures.append(f"{place}:{number}: expected a rule's anchor, got {got}")
    return failures


_NAMES_BY_WORD: Mapping[str, tuple[Collection[str], str]] = {
    "is": (ABILITY_NAMES, "an ability"),
    "at": (TABLE_VALUES, "a ruling with a switch, or a limit"),
}
"""The names that may follow a word in double brackets, and what they are."""


def _check_names(kind: str, asked: str) -> list[str]:
    """What is wrong with the names in double brackets."""
    if kind == "=":
        try:
            format_number(asked)
        except ValueError as error:
            return [f"{error}{format_suggestion(asked.partition(' ')[0], NUMBERS_BY_RULE)}"]
        return []
    if kind == "plain":
        return []
    known, what = _NAMES_BY_WORD.get(kind, ({*RULE_IDS, *RULING_IDS}, "a rule or ruling"))
    return [
        f"expected {what}, got {each!r}{format_suggestion(each, known)}" for each in asked.split() if each not in known
    ]
