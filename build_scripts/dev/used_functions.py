"""`make find-functions`: which functions of the interpreter this site runs; `used_functions.json` holds them.

The engine's own tests are run in that Pyodide, some thousand queries of all calculators are answered, from a plain
start and from a kept memory, and Python's own types and its language are gone through. Run it, some minutes, where
another Pyodide lies there, or where `tests/build/test_bundle.py` stops at a function that was left out.
"""

from __future__ import annotations

import json
import sysconfig
from pathlib import Path

from build_scripts.browser_app.build import build_app, install_browser_files
from build_scripts.bundle import compile_archives, record_used_functions
from build_scripts.dev.query_corpus import gather_queries
from build_scripts.paths import ROOT


def main() -> None:
    """Find the functions, and write `used_functions.json`."""
    install_browser_files()
    app = build_app()
    made = app.work_folder / "compiled"
    made.mkdir(exist_ok=True)
    compile_archives(app, made)
    queries = app.work_folder / "queries.json"
    queries.write_text(json.dumps(list(gather_queries(ROOT))))
    archives = [made / name for name in ("stdlib.zip.gz", "app.zip.gz")]

    def of_tests(folder: Path) -> list[object]:
        return [ROOT, sysconfig.get_path("purelib"), folder]

    def of_queries(folder: Path) -> list[object]:
        return [folder, *archives, queries]

    record_used_functions(
        app, [(ROOT / "tests/build/inside_pyodide.mjs", of_tests), (Path(__file__).with_suffix(".mjs"), of_queries)]
    )


if __name__ == "__main__":
    main()
