"""The application in the browser: the engine in a trimmed Pyodide (`build_scripts.bundle`), scripts and stylesheets."""

from build_scripts.browser_app.build import (
    PYODIDE_FILES,
    ensure_current_bundle,
    has_locked_packages_installed,
    install_browser_files,
    is_plain_build,
    list_example_queries,
)
from build_scripts.browser_app.join_assets import (
    build_inline_scripts,
    bundle_classic_scripts,
    join_and_remove_styles,
    remove_unused_theme_rules,
    write_layered_imports,
)
from build_scripts.browser_app.stage import copy_browser_sources

__all__ = [
    "PYODIDE_FILES",
    "build_inline_scripts",
    "bundle_classic_scripts",
    "copy_browser_sources",
    "ensure_current_bundle",
    "has_locked_packages_installed",
    "install_browser_files",
    "is_plain_build",
    "join_and_remove_styles",
    "list_example_queries",
    "remove_unused_theme_rules",
    "write_layered_imports",
]
