"""The calculators and scenarios of the text, with their places: a failing one is named by page and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markdown import Markdown
from pymdownx.superfences import SuperFencesBlockPreprocessor, SuperFencesCodeExtension

from build_scripts.calculator_fence import fence_query
from build_scripts.calculator_html import render
from build_scripts.drawings.fence import render_picture
from build_scripts.scenario_fence import play_example

_PICTURE = re.compile(r'^ *picture +name="(?P<name>[^"]+)"')
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


class _Finder(SuperFencesBlockPreprocessor):  # type: ignore[misc]
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
            render(fence.name, fence.query)
        except Exception as error:  # whatever went wrong, the author is told where
            failures.append(f"docs/{fence.page}:{fence.line}: calculator {fence.name!r} failed: {error!r}")
    for example in scenario_fences(docs):
        try:
            play_example(example.body, example.line)
        except Exception as error:  # whatever went wrong, the author is told where
            failures.append(f"docs/{example.page}:{example.line}: scenario failed: {error}")
    return failures + picture_failures(docs)


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
