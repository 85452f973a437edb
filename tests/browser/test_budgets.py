"""Download sizes stay within budgets.toml; a budget changes only in a commit that gives the reason."""

import gzip
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from build_scripts.service_worker import compute_precache_digests
from tests.support.plain import TRIMMED_ONLY

BUDGETS = tomllib.loads((Path(__file__).parent / "budgets.toml").read_text(encoding="utf-8"))
COMPRESSED_SUFFIXES = (".woff2", ".zst", ".png")
_IMPORT = re.compile(r"""(?:^|;)(?:import|export)\b[^;]*?["'](\./[\w.-]+)["'];""", re.M)


@cache
def measure_transfer_size(file: Path) -> int:
    """Return a file's bytes in transfer: compressed, unless it is compressed already."""
    data = file.read_bytes()
    return len(data) if file.suffix in COMPRESSED_SUFFIXES else len(gzip.compress(data, 9))


def collect_imports(script: Path, found: set[Path]) -> set[Path]:
    """Return a script and all that it imports before it runs."""
    if script not in found:
        found.add(script)
        for name in _IMPORT.findall(script.read_text(encoding="utf-8")):
            collect_imports((script.parent / name).resolve(), found)
    return found


def list_files_before_python(page: Path) -> set[Path]:
    """Return the page and every file that it requests before Python starts."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    links = soup.select("link[rel=stylesheet], link[rel=preload], link[rel=modulepreload]")
    addresses = [str(each["href"]) for each in links] + [str(each["src"]) for each in soup.select("script[src]")]
    found = {page.resolve()}
    for address in addresses:
        file = (page.parent / address.split("?")[0]).resolve()
        if file.suffix == ".mjs":
            collect_imports(file, found)
        else:
            found.add(file)
    return found


@pytest.mark.parametrize("path", list(BUDGETS["pages"]))
def test_page_before_python_stays_within_its_budget(site: Path, path: str) -> None:
    """Count transferred bytes and requests for a page, its styles, fonts and scripts."""
    files = list_files_before_python(site / path / "index.html")
    assert sum(map(measure_transfer_size, files)) / 1000 <= BUDGETS["pages"][path]["kB"]
    requests = len(files)
    assert requests <= BUDGETS["pages"][path]["requests"]


def test_other_pages_stay_within_the_largest_page_budget(site: Path) -> None:
    """The page with the whole rulebook has a budget of its own."""
    most = max(budget["kB"] for budget in BUDGETS["pages"].values())
    allowed = {site / path / "index.html": budget["kB"] for path, budget in BUDGETS["whole"].items()}
    heavy = {
        page: sum(map(measure_transfer_size, list_files_before_python(page))) / 1000
        for page in site.rglob("index.html")
    }
    assert allowed.keys() <= heavy.keys()
    assert {page: size for page, size in heavy.items() if size > allowed.get(page, most)} == {}


@TRIMMED_ONLY
def test_site_kept_offline_stays_within_its_budget(site: Path) -> None:
    """Count the bytes of every file that the service worker fetches.

    The page names the budget.
    """
    size = sum(measure_transfer_size(site / name) for name in compute_precache_digests(site)) / 1e6
    budget = BUDGETS["offline"]["MB"]
    assert budget - 1 < size <= budget
    script = next(site.glob("assets/engine-*/register.mjs")).read_text(encoding="utf-8")
    assert f"about {budget} MB" in script


@TRIMMED_ONLY
def test_python_stays_within_its_budget(site: Path) -> None:
    """Count the bytes and files that the worker fetches."""
    assets = site / "assets"
    engine, lean = (next(assets.glob(f"{name}-*")) for name in ("engine", "pyodide-lean"))
    names = ("worker.mjs", "zstddec.wasm", "stdlib.zip.zst", "app.zip.zst")  # more.zip.zst comes after the first answer
    files = [engine / name for name in names] + sorted(lean.iterdir())
    assert sum(map(measure_transfer_size, files)) / 1000 <= BUDGETS["worker"]["kB"]
    assert len(files) <= BUDGETS["worker"]["files"]
