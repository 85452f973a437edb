"""How long `mkdocs serve` takes until a browser shows a change: `python -m tests.browser.live [TIMES]`.

Five times each by default; a copy of the project is served and changed: a style, a script, the text, a template and a
rule.
"""

import contextlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from build_scripts.browsers import launch_chromium
from build_scripts.paths import ROOT
from tests.browser.patience import PATIENCE


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of a file that shows a number on a page."""

    file: str
    """The changed file, from the project's root."""
    page: str
    """The path of the page that shows the change."""
    make: Callable[[str, int], str]
    """Returns the file's text with a number put into it."""
    shows: str
    """A script that returns the number once the page shows it."""


EDITS = {
    "style": Edit(
        "site_overrides/stylesheets/page.css",
        "tools/dice/",
        lambda text, n: f"{text}\nhtml {{ outline-width: {n}px; outline-style: dotted; }}\n",
        "parseInt(getComputedStyle(document.documentElement).outlineWidth)",
    ),
    "script": Edit(
        "site_overrides/javascripts/calculator/calculator.mjs",
        "tools/dice/",
        lambda text, n: f"{text}\ndocument.documentElement.dataset.tried = '{n}';\n",
        "Number(document.documentElement.dataset.tried)",
    ),
    "docs": Edit(
        "docs/tools/dice.md",
        "tools/dice/",
        lambda text, n: f"{text}\nTried {n} times.\n",
        "Number(/Tried (\\d+) times/.exec(document.documentElement.textContent)?.[1])",
    ),
    "template": Edit(
        "site_overrides/calculators/dice.html",
        "tools/dice/",
        lambda text, n: f"{text}<p id='tried'>{n}</p>",
        "Number(document.getElementById('tried')?.textContent)",
    ),
    "rule": Edit(
        "scratch_core/rulebook/basic_rules.py",
        "look-up/rule-index/",
        lambda text, n: text.replace("act.cover | Take cover", f"act.cover | Take cover {n}"),
        "Number(/Take cover (\\d+)/.exec(document.documentElement.textContent)?.[1])",
    ),
}


@contextlib.contextmanager
def serve_copy(folder: Path) -> Iterator[str]:
    """Copy the project into a folder, serve it with `mkdocs serve`, and return the address."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as serving:
        try:
            assert serving.stdout
            lines = []
            for line in serving.stdout:
                lines.append(line)
                if "Serving on" in line:
                    break
            else:
                raise AssertionError("".join(lines))
            yield f"http://127.0.0.1:{port}/"
        finally:
            serving.terminate()


def measure_update_seconds(edit: Edit, n: int, folder: Path, page: Page, address: str) -> float:
    """Change the file of an open page, and return when the page shows it.

    The file of the project is the base, so earlier changes are reverted.
    """
    page.goto(f"{address}{edit.page}", wait_until="load")
    text = (ROOT / edit.file).read_text(encoding="utf-8")
    began = time.monotonic()
    (folder / edit.file).write_text(edit.make(text, n), encoding="utf-8")
    page.wait_for_function(f"{edit.shows} === {n}", timeout=PATIENCE, polling=50)
    return time.monotonic() - began


def main() -> None:
    """Print the median of each kind of change."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as room, serve_copy(Path(room)) as address, launch_chromium() as browser:
        page = browser.new_page()
        for kind, edit in EDITS.items():
            took = [measure_update_seconds(edit, n, Path(room), page, address) for n in range(1, times + 1)]
            print(f"{kind}: {statistics.median(took):.1f} s ({', '.join(f'{each:.1f}' for each in took)})", flush=True)


if __name__ == "__main__":
    main()
