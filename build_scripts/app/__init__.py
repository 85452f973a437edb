"""What travels into the browser, made small by `build_scripts.bundle`, and our scripts and stylesheets joined.

`building` says which files go where, and when they are made anew; `staging` what of the application travels;
`exercising` uses it as readers do, so that it is seen what it needs.
"""

from build_scripts.app.building import (
    PYODIDE_FILES,
    build_bundle,
    examples,
    install_browser_files,
    is_installed,
    is_plain,
)
from build_scripts.app.joining import join_styles, layered
from build_scripts.app.staging import lay_out_sources

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
