"""The calculators and scenarios of the text, with their places: a failing one is named by page and line."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markdown import Markdown
from pymdownx.superfences import SuperFencesBlockPreprocessor, SuperFencesCodeExtension

from build_scripts.calculator_fence import fence_fields, fence_query
from build_scripts.calculator_html import render
from build_scripts.check_rules import near
from build_scripts.drawings.fence import render_picture
from build_scripts.engine_numbers import NUMBERS, written
from build_scripts.markdown_rules import RULE_IDS, RULING_IDS
from build_scripts.numerals import own_ids, without_fences
from build_scripts.scenario_fence import play_example
from scratch_core.abilities import NAMES

_PICTURE = re.compile(r'^ *picture +name="(?P<name>[^"]+)"')
_CODE = re.compile(r"(`+)[^`]+?\1")
_BRACKETS = re.compile(r"\[\[ *(= *|is )?([^\[\]|\\]+)(?:\\?\|[^\]]*)?\]\]")
_CALCULATOR = re.compile(r'^ *calculator +name="(?P<name>[^"]+)"')


@dataclass(frozen=True, slots=True)
class CalculatorFence:
    """One fence: the page's path below docs, the line that opens it, the calculator's name and its body."""

    page: str
    line: int
    name: str
    body: str

    @property
    def query(self) -> str:
        """The body as a query string; raises ValueError where it is none."""
        return fence_query(self.body)


@dataclass(frozen=True, slots=True)
class Fence:
    """Any fence: the page's path below docs, the line that opens it, what stands behind its ticks, and its body."""

    page: str
    line: int
    what: str
    body: str


class _Finder(SuperFencesBlockPreprocessor):
    """What superfences takes for a fence, whatever its name, kept instead of rendered."""

    def __init__(self, page: str) -> None:
        every = {"name": "*", "class": "", "format": _not_rendered, "validator": _accepted}
        self.extension = SuperFencesCodeExtension(custom_fences=[every])
        self.config = self.extension.getConfigs()
        super().__init__(Markdown(extensions=[self.extension, "attr_list"]))
        self.page = page
        self.found: list[Fence] = []

    def process_nested_block(self, ws: str, content: str, start: int, end: int) -> None:
        """Keep a fence that ends here; `start` is the line that opens it, counted from 0."""
        what = self.first.strip().removeprefix(self.fence).strip()
        self.found.append(Fence(self.page, start + 1, what, self.rebuild_block(self.code)))
        self.clear()


def _accepted(language: str, inputs: dict[str, str], options: dict[str, Any], attrs: Any, md: Any) -> bool:
    options.update(inputs)
    return True


def _not_rendered(*_: Any, **__: Any) -> str:
    return ""


def fences(docs: Path) -> Iterator[Fence]:
    """Find the fences in every page below `docs`, in order; one within another is part of that one's body."""
    for path in sorted(docs.rglob("*.md")):
        finder = _Finder(path.relative_to(docs).as_posix())
        finder.run(path.read_text(encoding="utf-8").splitlines())
        yield from finder.found


def calculator_fences(docs: Path) -> Iterator[CalculatorFence]:
    """Find the calculator fences in every page below `docs`, in order."""
    for fence in fences(docs):
        calculator = _CALCULATOR.match(fence.what)
        if calculator:
            yield CalculatorFence(fence.page, fence.line, calculator["name"], fence.body)


def scenario_fences(docs: Path) -> Iterator[Fence]:
    """Find the scenario fences in every page below `docs`, in order."""
    return (fence for fence in fences(docs) if fence.what == "scenario")


def check_fences(docs: Path) -> list[str]:
    """Render calculators, play scenarios, draw pictures; give one sentence, with page and line, for each that fails."""
    failures = []
    for fence in calculator_fences(docs):
        try:
            html = render(fence.name, fence.query).html
        except Exception as error:  # whatever went wrong, the author is told where
            failures.append(f"docs/{fence.page}:{fence.line}: calculator {fence.name!r} failed: {error!r}")
        else:
            failures += strange_controls(fence, html)
    for example in scenario_fences(docs):
        try:
            play_example(example.body, example.line)
        except Exception as error:  # whatever went wrong, the author is told where
            failures.append(f"docs/{example.page}:{example.line}: scenario failed: {error}")
    return failures + picture_failures(docs)


def strange_controls(fence: CalculatorFence, html: str) -> list[str]:
    """Give a sentence for each control that the fence names and the calculator's form, in its answer, doesn't have."""
    own = getattr(importlib.import_module(f"scratch_core.calculators.{fence.name}"), "CONTROLS", ())
    known = {"example", *own, *re.findall(r'\sname="(\w+)"', html)}
    lines = [line.partition("=")[0] for line in fence.body.splitlines()]
    return [
        f"docs/{fence.page}:{fence.line + 1 + lines.index(name)}: expected a control of {fence.name!r}, got {name!r}"
        f"{near(name, known)}"
        for name in fence_fields(fence.body)
        if name not in known
    ]


def link_failures(docs: Path) -> list[str]:
    """Find names, outside of code, that no rule, ruling, number or ability has: in double brackets, or as an anchor."""
    failures = []
    for path in sorted(docs.rglob("*.md")):
        place = f"docs/{path.relative_to(docs).as_posix()}"
        lines = _CODE.sub(" ", without_fences(path.read_text(encoding="utf-8"))).splitlines()
        for number, line in enumerate(lines, 1):
            for kind, asked in _BRACKETS.findall(line):
                failures += [f"{place}:{number}: {wrong}" for wrong in _wrong_names(kind.strip(), asked.strip())]
            for anchor in own_ids(line):
                if "." in anchor and anchor not in RULE_IDS:
                    failures.append(
                        f"{place}:{number}: expected a rule's anchor, got {anchor!r}{near(anchor, RULE_IDS)}"
                    )
    return failures


def _wrong_names(kind: str, asked: str) -> list[str]:
    """What is wrong with the names in double brackets."""
    if kind == "=":
        try:
            written(asked)
        except ValueError as error:
            return [f"{error}{near(asked.partition(' ')[0], NUMBERS)}"]
        return []
    known, what = (NAMES, "an ability") if kind == "is" else ({*RULE_IDS, *RULING_IDS}, "a rule or ruling")
    return [f"expected {what}, got {each!r}{near(each, known)}" for each in asked.split() if each not in known]


def picture_failures(docs: Path) -> list[str]:
    """Draw every picture of a rule; give one sentence, page and line named, for each that fails."""
    failures = []
    for fence in fences(docs):
        picture = _PICTURE.match(fence.what)
        if not picture:
            continue
        try:
            render_picture(picture["name"], fence.body, "checked")
        except Exception as error:  # whatever went wrong, the author is told where
            failures.append(f"docs/{fence.page}:{fence.line}: picture {picture['name']!r} failed: {error}")
    return failures
