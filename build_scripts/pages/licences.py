"""The licences of everything that the site ships, in one text: `licences.txt`, made from the packages themselves.

Two name a licence whose text they don't bring: Pyodide (MPL 2.0), and CPython inside it (PSF 2). Those texts
come from other packages of our lock file that bring the same ones, word for word.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

from build_scripts.paths import NODE_MODULES, ROOT

NAME = "licences.txt"
_RULE = "=" * 80


@dataclass(frozen=True, slots=True)
class Shipped:
    """Something that the site ships: what it is, its version, where it comes from, and the text of its licence."""

    name: str
    version: str
    what: str
    source: str
    text: str


def shipped() -> Iterator[Shipped]:
    """Everything that a reader's browser is given, ours first."""
    ours = (ROOT / "LICENSE").read_text(encoding="utf-8")
    yield Shipped("Scratch RPS Reference", "", "the text, the engine and the calculators", "", ours)
    yield _node("pyodide", "Python in the browser", lambda: _python_text("pathspec"))
    lock = json.loads((NODE_MODULES / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
    python, text = lock["info"]["python"], _python_text("typing_extensions")
    yield Shipped("CPython", python, "inside Pyodide", "https://www.python.org/", text)
    yield _python("jinja2", "writes the calculators' answers")
    yield _python("markupsafe", "keeps what readers type out of the markup")
    yield _python("segno", "draws the code of a link")
    yield _python("mkdocs-material", "the frame of the pages, with the icons and scripts that it brings")
    yield _node("idiomorph", "puts an answer into the page")
    yield _node("@fontsource-variable/vollkorn", "the typeface of headings")
    yield _node("@fontsource-variable/source-sans-3", "the typeface of the text")


def write_licences(site: Path) -> None:
    """Write the text into the site."""
    (site / NAME).write_text("\n".join(_written(each) for each in shipped()), encoding="utf-8", newline="\n")


def _written(each: Shipped) -> str:
    head = f"{each.name} {each.version}".strip()
    source = f"\n{each.source}" if each.source else ""
    return f"{_RULE}\n{head}: {each.what}{source}\n{_RULE}\n\n{each.text.strip()}\n"


def _python(name: str, what: str) -> Shipped:
    found = distribution(name)
    return Shipped(name, found.version, what, f"https://pypi.org/project/{name}/", _python_text(name))


def _python_text(name: str) -> str:
    """The licences that a Python package brings, its own first. Raises SystemExit where it brings none any more."""
    files = [file for file in distribution(name).files or () if file.name.upper().startswith("LICEN")]
    if not files:
        raise SystemExit(
            f"expected a licence in the package {name}, got none: build_scripts/pages/licences.py needs another"
        )
    files.sort(key=lambda file: (".dist-info" not in file.parts[0], file.as_posix()))
    return "\n\n".join(file.read_text(encoding="utf-8").strip() for file in files)


def _node(name: str, what: str, text: Callable[[], str] | None = None) -> Shipped:
    folder = NODE_MODULES / name
    described = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    found = text() if text else (folder / "LICENSE").read_text(encoding="utf-8")
    return Shipped(name, described["version"], what, f"https://www.npmjs.com/package/{name}", found)
