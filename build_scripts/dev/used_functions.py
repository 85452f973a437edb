"""Find the functions of the interpreter that this site runs, and write `used_functions.json`: `make find-functions`.

The engine's tests run in that Pyodide, thousands of queries of all calculators are answered, from a plain start and
from a snapshot, and Python's own types and its language are exercised. Run it, for some minutes, after an update of
Pyodide, or if `tests/build/test_bundle.py` stops at a removed function.
"""

from __future__ import annotations

import json
import sysconfig
from pathlib import Path

from build_scripts.browser_app.build import build_app_description, install_browser_files
from build_scripts.bundle import compile_trimmed_archives, run_and_save_used_functions
from build_scripts.dev.query_corpus import gather_queries
from build_scripts.paths import ROOT


def main() -> None:
    """Find the functions, and write `used_functions.json`."""
    install_browser_files()
    app = build_app_description()
    archives_folder = app.work_folder / "compiled"
    archives_folder.mkdir(exist_ok=True)
    compile_trimmed_archives(app, archives_folder)
    queries = app.work_folder / "queries.json"
    queries.write_text(json.dumps(list(gather_queries(ROOT))))
    archives = [archives_folder / name for name in ("stdlib.zip", "app.zip", "more.zip")]

    def list_test_arguments(folder: Path) -> list[object]:
        return [ROOT, sysconfig.get_path("purelib"), folder]

    def list_query_arguments(folder: Path) -> list[object]:
        return [folder, *archives, queries]

    run_and_save_used_functions(
        app,
        [
            (ROOT / "tests/build/inside_pyodide.mjs", list_test_arguments),
            (Path(__file__).with_suffix(".mjs"), list_query_arguments),
        ],
    )


if __name__ == "__main__":
    main()
