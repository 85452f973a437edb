"""The licences of everything that the site ships, in one text, `licences.txt`, made from the packages themselves.

Two packages name a licence without its text: Pyodide (MPL 2.0), and CPython inside it (PSF 2). These texts are copied
from other packages of our lock file that contain the same ones, word for word.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

from build_scripts.paths import NODE_MODULES, ROOT

LICENCES_FILE = "licences.txt"
_RULE = "=" * 80


@dataclass(frozen=True, slots=True)
class ShippedWork:
    """A work that the site ships."""

    name: str
    """Its name."""
    version: str
    """Its version; "" for none."""
    purpose: str
    """What it does in the site."""
    source: str
    """The address of its source; "" for none."""
    text: str
    """The text of its licence."""


def list_shipped_works() -> Iterator[ShippedWork]:
    """Yield every work that the browser downloads, ours first."""
    ours = (ROOT / "LICENSE").read_text(encoding="utf-8")
    yield ShippedWork("Scratch RPS Reference", "", "the text, the engine and the calculators", "", ours)
    yield _build_npm_work("pyodide", "Python in the browser", lambda: _load_python_licence("pathspec"))
    lock = json.loads((NODE_MODULES / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
    python, text = lock["info"]["python"], _load_python_licence("typing_extensions")
    yield ShippedWork("CPython", python, "inside Pyodide", "https://www.python.org/", text)
    yield _build_python_work("jinja2", "writes the calculators' answers")
    yield _build_python_work("markupsafe", "keeps what readers type out of the markup")
    yield _build_python_work("segno", "draws the code of a link")
    yield _build_python_work("mkdocs-material", "the frame of the pages, with the icons and scripts that it brings")
    yield _build_npm_work("zstddec", "decompresses Python in the browser")
    yield _build_npm_work("idiomorph", "puts an answer into the page")
    yield _build_npm_work("@fontsource-variable/vollkorn", "the typeface of headings")
    yield _build_npm_work("@fontsource-variable/source-sans-3", "the typeface of the text")


def write_licences(site: Path) -> None:
    """Write the licences into the site."""
    (site / LICENCES_FILE).write_text(
        "\n".join(_format_licence(each) for each in list_shipped_works()), encoding="utf-8", newline="\n"
    )


def _format_licence(work: ShippedWork) -> str:
    head = f"{work.name} {work.version}".strip()
    source = f"\n{work.source}" if work.source else ""
    return f"{_RULE}\n{head}: {work.purpose}{source}\n{_RULE}\n\n{work.text.strip()}\n"


def _build_python_work(name: str, what: str) -> ShippedWork:
    package = distribution(name)
    return ShippedWork(name, package.version, what, f"https://pypi.org/project/{name}/", _load_python_licence(name))


def _load_python_licence(name: str) -> str:
    """Return the licences in a Python package, its own first.

    Raises SystemExit if the package contains none.
    """
    files = [file for file in distribution(name).files or () if file.name.upper().startswith("LICEN")]
    if not files:
        raise SystemExit(
            f"expected a licence in the package {name}, got none: name another one in build_scripts/pages/licences.py"
        )
    files.sort(key=lambda file: (".dist-info" not in file.parts[0], file.as_posix()))
    return "\n\n".join(file.read_text(encoding="utf-8").strip() for file in files)


def _build_npm_work(name: str, purpose: str, load_licence: Callable[[], str] | None = None) -> ShippedWork:
    folder = NODE_MODULES / name
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    licence = load_licence() if load_licence else (folder / "LICENSE").read_text(encoding="utf-8")
    return ShippedWork(name, package["version"], purpose, f"https://www.npmjs.com/package/{name}", licence)
