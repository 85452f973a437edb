"""Build the example: `python -m build_scripts.bundle.example.build FOLDER FUNCTIONS_FILE` writes a site into FOLDER."""

import shutil
import sys
from pathlib import Path

from build_scripts.bundle import App, compile_trimmed_archives, write_trimmed_interpreter

HERE = Path(__file__).parent
PACKAGES = Path("node_modules").resolve()


def stage_sources(folder: Path) -> tuple[str, ...]:
    """Copy the application's Python, and return no lines, because nothing could not be trimmed."""
    folder.mkdir(parents=True)
    shutil.copy(HERE / "hello.py", folder)
    return ()


def build_example(site: Path, functions_file: Path) -> None:
    """Write the page, the interpreter and both archives into the folder `site`."""
    work = site.with_name(f"{site.name}-work")
    for folder in (site, work):
        folder.mkdir(parents=True, exist_ok=True)
    app = App(
        pyodide=PACKAGES / "pyodide",
        esbuild=PACKAGES / "esbuild" / "bin" / "esbuild",
        functions_file=functions_file,
        exercise_file=HERE / "exercise.py",
        stage_sources=stage_sources,
        build_exercises=lambda: [["1/2", "1/3"]],
        work_folder=work,
    )
    compile_trimmed_archives(app, site)
    write_trimmed_interpreter(app, site)
    shutil.copy(PACKAGES / "pyodide" / "pyodide-lock.json", site)
    shutil.copy(HERE / "index.html", site)


if __name__ == "__main__":
    build_example(*map(Path, sys.argv[1:]))
