"""The room of the start: all that makes Python small and quick in a reader's browser, and nothing else.

Read in this order: `building` (which files go where, and when they are made anew), `exercising` and `compiling` (inside
Pyodide: what the application uses of the library, compiled), `shelf` (how a browser finds it there), `stand_ins` (what
Python does not do at a start), `interpreter` (Pyodide's own files, without what nothing asks for) over `wasm` (their
form), `functions` (a command: which functions this site runs), `joining` (our scripts and stylesheets, a few files
instead of forty).
What each step gives stands in docs/build-on-it/how-it-is-made.md.
"""

from build_scripts.bundle.building import (
    PYODIDE_FILES,
    build_bundle,
    examples,
    install_browser_files,
    is_plain,
    lay_out_sources,
)
from build_scripts.bundle.joining import join_styles, layered

__all__ = [
    "PYODIDE_FILES",
    "build_bundle",
    "examples",
    "install_browser_files",
    "is_plain",
    "join_styles",
    "lay_out_sources",
    "layered",
]
