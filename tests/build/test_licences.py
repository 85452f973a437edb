"""The licences of packages that the site ships."""

import json
import re
from pathlib import Path

from build_scripts.browser_app import copy_browser_sources
from build_scripts.pages.licences import list_shipped_works, write_licences
from build_scripts.paths import ROOT


def test_licences_list_every_npm_package_in_its_locked_version() -> None:
    """Compare with the dependencies in package-lock.json."""
    lock = json.loads((ROOT / "package-lock.json").read_text())
    wanted = lock["packages"][""]["dependencies"]
    versions = {each.name: each.version for each in list_shipped_works()}
    assert {name: versions.get(name) for name in wanted} == wanted


def test_licences_list_every_python_package_of_the_bundle(tmp_path: Path) -> None:
    """Our own packages are not listed."""
    copy_browser_sources(tmp_path / "app")
    copied = {each.name for each in (tmp_path / "app").iterdir()} - {"scratch_core", "build_scripts"}
    assert {"jinja2"} < copied <= {each.name for each in list_shipped_works()}


def test_licences_file_has_the_full_text_of_each_licence(tmp_path: Path) -> None:
    """Each text has a heading with name, version, purpose and source."""
    texts = {each.name: each.text for each in list_shipped_works()}
    assert "Mozilla Public License Version 2.0" in texts["pyodide"]
    assert "Exhibit B" in texts["pyodide"]
    assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in texts["CPython"]
    assert "SIL OPEN FONT LICENSE" in texts["@fontsource-variable/vollkorn"].upper()
    assert next(iter(texts.values())) == (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Martin Donath" in texts["mkdocs-material"]
    assert all(len(text) > 500 for text in texts.values())
    write_licences(tmp_path)
    text = (tmp_path / "licences.txt").read_text(encoding="utf-8")
    assert re.findall(r"^={80}\n(.*)\n(?:(https:.*)\n)?={80}\n\n", text, re.M) == [
        (f"{f'{each.name} {each.version}'.strip()}: {each.purpose}", each.source) for each in list_shipped_works()
    ]
