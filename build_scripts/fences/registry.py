"""Our fences: how each kind is rendered, and where each one is, so that errors name the page and the line."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from markdown import Markdown
from pymdownx.superfences import SuperFencesBlockPreprocessor, SuperFencesCodeExtension, SuperFencesException

from build_scripts.checks.rule_traceability import format_suggestion
from build_scripts.fences import scenario, turn_order
from build_scripts.fences.board import render_board_figure
from build_scripts.fences.calculator import format_fence_query, parse_fence_fields, render_calculator_element
from build_scripts.fences.cast import render_cast
from build_scripts.fences.components import render_component
from build_scripts.fences.picture import render_picture
from build_scripts.fences.table import render_table
from build_scripts.markdown_extensions.engine_numbers import NUMBERS_BY_RULE, format_requested_number
from build_scripts.markdown_extensions.page_text import blank_out_fences, list_own_ids
from build_scripts.markdown_extensions.rule_links import RULE_IDS, RULING_IDS
from build_scripts.markdown_extensions.ruling_notes import TABLE_VALUES
from scratch_core.rulebook.abilities import ABILITY_NAMES

_CODE = re.compile(r"(`+)[^`]+?\1")
_BRACKETS = re.compile(r"\[\[ *(= *|is |at |plain )?([^\[\]|\\]+)(?=\]\]|\\?\|)")

RENDERERS: Mapping[str, Callable[..., str]] = {
    "board-drawing": lambda body, number: render_board_figure(body, f"board-{number}"),
    "calculator": lambda body, number, name: render_calculator_element(name, body, f"{name}-{number}"),
    "cast": lambda body, number, kind: render_cast(kind),
    "engine-table": lambda body, number, name: render_table(name),
    "parts": lambda body, number, name: render_component(name),
    "picture": lambda body, number, name: render_picture(name, body, f"picture-{number}"),
    "scenario": lambda body, number: scenario.render_example(body),
    "turn-order": lambda body, number: turn_order.render_turn_order(body, f"order-{number}"),
}
"""The functions that render each kind of fence. Their arguments are the body, the number on the page among fences of
the kind, and the options."""

EXAMPLE_PLAYERS = {"scenario": scenario.play_checked_example, "turn-order": turn_order.play_variant_example}
"""The kinds that are played before they are rendered, so that errors name the line of the page."""


def accept_options(
    language: str, inputs: dict[str, str], options: dict[str, Any], attrs: Any, md: Any
) -> Literal[True]:
    """Accept all options of a fence.

    Superfences calls this before the formatter.
    """
    options.update(inputs)
    return True


def render_page_fence(source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **_: Any) -> str:
    """Render a fence of ours.

    Raises SuperFencesException, which stops the build, if that fails.
    """
    if not hasattr(md, "scratch_fences"):
        md.scratch_fences = Counter()
    md.scratch_fences[language] += 1
    try:
        return RENDERERS[language](source, md.scratch_fences[language], **options)
    except Exception as error:  # on any other error superfences would print the fence as code
        raise SuperFencesException(f"the fence {language} {options} failed: {_format_error(error)}") from error


def _format_error(error: Exception) -> str:
    return str(error) if isinstance(error, ValueError) else repr(error)


@dataclass(frozen=True, slots=True)
class Fence:
    """A fence in a page."""

    page: str
    """The page's path below docs."""
    line: int
    """The line that opens it, from 1."""
    kind: str
    """Its kind, such as `calculator`."""
    options: Mapping[str, str]
    """Its options."""
    body: str
    """Its lines."""

    @property
    def location(self) -> str:
        """The page and the line."""
        return f"docs/{self.page}:{self.line}"

    @property
    def name(self) -> str:
        """The option `name`, or "" without one."""
        return self.options.get("name", "")

    @property
    def query(self) -> str:
        """The body as a query string.

        Raises ValueError if it is none.
        """
        return format_fence_query(self.body)


class _FenceFinder(SuperFencesBlockPreprocessor):
    """A parser that collects the fences of any name that superfences recognizes, instead of rendering them."""

    def __init__(self, page: str) -> None:
        any_fence = {"name": "*", "class": "", "format": render_page_fence, "validator": accept_options}
        self.extension = SuperFencesCodeExtension(custom_fences=[any_fence])
        self.config = self.extension.getConfigs()
        super().__init__(Markdown(extensions=[self.extension, "attr_list"]))
        self.page = page
        self.found: list[Fence] = []

    def process_nested_block(self, ws: str, content: str, start: int, end: int) -> None:
        """Add the fence that ends here and whose first line is `start`, from 0."""
        self.found.append(Fence(self.page, start + 1, self.lang, self.options, self.rebuild_block(self.code)))
        self.clear()


def list_fences(docs: Path) -> Iterator[Fence]:
    """Yield the fences in every page below `docs`, in order.

    A fence inside another one is part of the outer one's body.
    """
    for path in sorted(docs.rglob("*.md")):
        finder = _FenceFinder(path.relative_to(docs).as_posix())
        finder.run(path.read_text(encoding="utf-8").splitlines())
        yield from finder.found


def list_calculator_fences(docs: Path) -> Iterator[Fence]:
    """Return the calculator fences in every page below `docs`, in order."""
    return (fence for fence in list_fences(docs) if fence.kind == "calculator")


def check_fences(docs: Path) -> list[str]:
    """Render every fence of ours, and return a sentence for each that fails.

    It names the page and the line.
    """
    failures = []
    for fence in list_fences(docs):
        if fence.kind not in RENDERERS:
            continue
        try:
            if fence.kind in EXAMPLE_PLAYERS:
                EXAMPLE_PLAYERS[fence.kind](fence.body, fence.line)
            html = RENDERERS[fence.kind](fence.body, 1, **fence.options)
        except Exception as error:  # the author needs page and line of any error
            what = " ".join([fence.kind, *map(repr, fence.options.values())])
            failures.append(f"{fence.location}: {what} failed: {_format_error(error)}")
        else:
            failures += check_fence_controls(fence, html) if fence.kind == "calculator" else []
    return failures


def check_fence_controls(fence: Fence, html: str) -> list[str]:
    """Return a sentence for each control of the fence that the form lacks."""
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


def list_unknown_name_failures(docs_folder: Path) -> list[str]:
    """Return a sentence for each unknown name in double brackets or anchors.

    Names are those of rules, rulings, numbers and abilities.

    Code is ignored.
    """
    failures = []
    for path in sorted(docs_folder.rglob("*.md")):
        page = f"docs/{path.relative_to(docs_folder).as_posix()}"
        lines = _CODE.sub(" ", blank_out_fences(path.read_text(encoding="utf-8"))).splitlines()
        for number, line in enumerate(lines, 1):
            for kind, names in _BRACKETS.findall(line):
                failures += [
                    f"{page}:{number}: {problem}" for problem in _check_bracketed_names(kind.strip(), names.strip())
                ]
            for anchor in list_own_ids(line):
                if "." in anchor and anchor not in RULE_IDS:
                    got = f"{anchor!r}{format_suggestion(anchor, RULE_IDS)}"
                    failures.append(f"{page}:{number}: expected a rule's anchor, got {got}")
    return failures


_NAMES_BY_WORD: Mapping[str, tuple[Collection[str], str]] = {
    "is": (ABILITY_NAMES, "an ability"),
    "at": (TABLE_VALUES, "a ruling with a switch, or a limit"),
}
"""The names that may follow a word in double brackets, and what they are."""


def _check_bracketed_names(kind: str, names: str) -> list[str]:
    """Return the problems with the names in double brackets."""
    if kind == "=":
        try:
            format_requested_number(names)
        except ValueError as error:
            return [f"{error}{format_suggestion(names.partition(' ')[0], NUMBERS_BY_RULE)}"]
        return []
    if kind == "plain":
        return []
    known, what = _NAMES_BY_WORD.get(kind, ({*RULE_IDS, *RULING_IDS}, "a rule or ruling"))
    return [
        f"expected {what}, got {each!r}{format_suggestion(each, known)}" for each in names.split() if each not in known
    ]
