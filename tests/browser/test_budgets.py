"""What a reader's line has to carry stays within budgets.toml; a budget changes only in a commit that says why."""

import gzip
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.support.plain import TRIMMED_ONLY

BUDGETS = tomllib.loads((Path(__file__).parent / "budgets.toml").read_text(encoding="utf-8"))
PACKED = (".woff2", ".gz", ".zip", ".png")
_IMPORT = re.compile(r"""(?:^|;)(?:import|export)\b[^;]*?["'](\./[\w.-]+)["'];""", re.M)


@cache
def wire(file: Path) -> int:
    """The bytes of a file over the line: packed, unless it is packed already."""
    data = file.read_bytes()
    return len(data) if file.suffix in PACKED else len(gzip.compress(data, 9))


def imported(script: Path, found: set[Path]) -> set[Path]:
    """A script and all that it imports before it runs."""
    if script not in found:
        found.add(script)
        for name in _IMPORT.findall(script.read_text(encoding="utf-8")):
            imported((script.parent / name).resolve(), found)
    return found


def files_before_python(page: Path) -> set[Path]:
    """The page and every file that it asks for before Python starts."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    links = soup.select("link[rel=stylesheet], link[rel=preload], link[rel=modulepreload]")
    addresses = [str(each["href"]) for each in links] + [str(each["src"]) for each in soup.select("script[src]")]
    found = {page.resolve()}
    for address in addresses:
        file = (page.parent / address.split("?")[0]).resolve()
        if file.suffix == ".mjs":
            imported(file, found)
        else:
            found.add(file)
    return found


@pytest.mark.parametrize("path", list(BUDGETS["pages"]))
def test_a_page_before_python(site: Path, path: str) -> None:
    """A page, its styles, fonts and scripts stay within their bytes over the line and their number of requests."""
    files = files_before_python(site / path / "index.html")
    assert sum(map(wire, files)) / 1000 <= BUDGETS["pages"][path]["kB"]
    requests = len(files)
    assert requests <= BUDGETS["pages"][path]["requests"]


def test_every_other_page(site: Path) -> None:
    """No page has more than the widest budget, but what holds all pages of the rules, which has one of its own."""
    most = max(budget["kB"] for budget in BUDGETS["pages"].values())
    allowed = {site / path / "index.html": budget["kB"] for path, budget in BUDGETS["whole"].items()}
    heavy = {page: sum(map(wire, files_before_python(page))) / 1000 for page in site.rglob("index.html")}
    assert allowed.keys() <= heavy.keys()
    assert {page: size for page, size in heavy.items() if size > allowed.get(page, most)} == {}


@TRIMMED_ONLY
def test_python_and_its_files(site: Path) -> None:
    """What the worker fetches stays within its bytes over the line and its number of files."""
    assets = site / "assets"
    engine, lean = (next(assets.glob(f"{name}-*")) for name in ("engine", "pyodide-lean"))
    files = [engine / name for name in ("worker.mjs", "stdlib.zip.gz", "app.zip.gz")] + sorted(lean.iterdir())
    assert sum(map(wire, files)) / 1000 <= BUDGETS["worker"]["kB"]
    assert len(files) <= BUDGETS["worker"]["files"]
