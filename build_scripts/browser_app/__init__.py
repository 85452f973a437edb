"""The application for the browser: the engine in a small Pyodide (`build_scripts.bundle`), scripts and stylesheets."""

from build_scripts.browser_app.build import (
    PYODIDE_FILES,
    build_bundle,
    examples,
    install_browser_files,
    is_installed,
    is_plain,
)
from build_scripts.browser_app.join_assets import join_styles, layered
from build_scripts.browser_app.stage import lay_out_sources

__all__ = [
    "PYODIDE_FILES",
    "build_bundle",
    "examples",
    "install_browser_files",
    "is_installed",
    "is_plain",
    "join_styles",
    "lay_out_sources",
    "layered",
]
