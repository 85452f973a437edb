"""The READMEs of folders with code: each lists every module and every folder next to it."""

import re
from collections import Counter
from pathlib import Path

import pytest

from build_scripts.paths import ROOT
from tests.support.named_code import list_files

CODE = re.compile(r".*\.(?:py|mjs|js|html|css|toml)")
READMES = [Path(name).parent for name in list_files() if re.fullmatch(r"[a-z_]+/(?:.*/)?README\.md", name)]
MANY_MODULES = 15
"""The number of modules from which a package of Python has a README, as CONTRIBUTING.md says."""


def list_modules(folder: Path) -> set[str]:
    """List the modules of Python and of scripts in a folder, without `__init__` and tests."""
    names = (Path(name) for name in list_files() if Path(name).parent == folder)
    return {
        each.name for each in names if each.suffix in (".py", ".mjs") and not re.match(r"__|test_|conftest", each.name)
    }


def list_folders(folder: Path) -> set[str]:
    """List the folders with code in a folder."""
    inner = (Path(name).relative_to(folder) for name in list_files() if Path(name).is_relative_to(folder))
    return {f"{each.parts[0]}/" for each in inner if len(each.parts) > 1 and CODE.fullmatch(each.name)}


def list_rows(text: str) -> list[str]:
    """List the names in the first column of a README's tables of modules."""
    tables = re.findall(r"^\| (?:Module|Package|Folder)[^|]*\|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    cells = re.findall(r"^\| ([^|]+) \|", "".join(tables), re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


@pytest.mark.parametrize("folder", READMES, ids=str)
def test_readme_lists_every_module_and_folder(folder: Path) -> None:
    """Each table row names what exists, once, and nothing is missing.

    A name without an ending is that of a module. A folder may be listed with one inside it.
    """
    rows = list_rows((ROOT / folder / "README.md").read_text(encoding="utf-8"))
    listed = {each if re.search(r"[/.]", each) else f"{each}.py" for each in rows}
    there = list_modules(folder) | list_folders(folder)
    assert sorted(there - listed - {f"{each.partition('/')[0]}/" for each in listed if "/" in each}) == []
    assert sorted(each for each in listed if not (ROOT / folder / each).exists()) == []
    assert [name for name, count in Counter(rows).items() if count > 1] == []


def test_packages_with_many_modules_have_a_readme() -> None:
    """So do the four folders at the top, and the calculators."""
    packages = Counter(
        Path(name).parent for name in list_files() if re.fullmatch(r"(?:scratch_core|build_scripts)/.*\.py", name)
    )
    large = {folder for folder in packages if len(list_modules(folder)) >= MANY_MODULES}
    named = {
        Path(each) for each in ("scratch_core", "scratch_core/calculators", "site_overrides", "build_scripts", "tests")
    }
    assert sorted(map(str, (large | named) - {*READMES})) == []
    assert f"{MANY_MODULES} modules or more" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
