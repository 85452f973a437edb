"""The application in the browser: the engine in a trimmed Pyodide (`build_scripts.bundle`), scripts and stylesheets."""

from build_scripts.browser_app.build import (
    PYODIDE_FILES,
    build_bundle,
    install_browser_files,
    is_installed,
    is_plain_build,
    list_examples,
)
from build_scripts.browser_app.join_assets import join_styles, write_layered_styles
from build_scripts.browser_app.stage import copy_sources

__all__ = [
    "PYODIDE_FILES",
    "build_bundle",
    "copy_sources",
    "install_browser_files",
    "is_installed",
    "is_plain_build",
    "join_styles",
    "list_examples",
    "write_layered_styles",
]
