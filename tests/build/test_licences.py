"""The licences of what the site ships."""

import json
import re
from pathlib import Path

from build_scripts.browser_app import copy_sources
from build_scripts.pages.licences import list_shipped_works, write_licences
from build_scripts.paths import ROOT


def test_everything_from_the_browsers_lock_file_is_there() -> None:
    """Each npm package that the site ships stands in the licences, in its locked version."""
    lock = json.loads((ROOT / "package-lock.json").read_text())
    wanted = lock["packages"][""]["dependencies"]
    told = {each.name: each.version for each in list_shipped_works()}
    assert {name: told.get(name) for name in wanted} == wanted


def test_every_python_package_that_travels_is_there(tmp_path: Path) -> None:
    """What is laid out for the browser's Python beside our own stands in the licences too."""
    copy_sources(tmp_path / "app")
    travels = {each.name for each in (tmp_path / "app").iterdir()} - {"scratch_core", "build_scripts"}
    assert {"jinja2"} < travels <= {each.name for each in list_shipped_works()}


def test_texts_are_those_of_the_licences_named(tmp_path: Path) -> None:
    """Each licence is told with its whole text."""
    texts = {each.name: each.text for each in list_shipped_works()}
    assert "Mozilla Public License Version 2.0" in texts["pyodide"]
    assert "Exhibit B" in texts["pyodide"]
    assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in texts["CPython"]
    assert "SIL OPEN FONT LICENSE" in texts["@fontsource-variable/vollkorn"].upper()
    assert next(iter(texts.values())) == (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Martin Donath" in texts["mkdocs-material"]
    assert all(len(text) > 500 for text in texts.values())
    write_licences(tmp_path)
    told = (tmp_path / "licences.txt").read_text(encoding="utf-8")
    assert re.findall(r"^={80}\n(.*)\n(?:(https:.*)\n)?={80}\n\n", told, re.M) == [
        (f"{f'{each.name} {each.version}'.strip()}: {each.purpose}", each.source) for each in list_shipped_works()
    ]
