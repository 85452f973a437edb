"""The pages for contributors and the READMEs: what they name in backticks exists."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from build_scripts.paths import DOCS, ROOT
from tests.support.named_code import (
    find_fault,
    find_files,
    has_name,
    is_path,
    is_rule_id,
    list_fenced_words,
    list_files,
    list_named_code,
)

PAGES = sorted(
    [
        *(DOCS / "contributing").glob("*.md"),
        ROOT / "CONTRIBUTING.md",
        *(ROOT / name for name in list_files() if Path(name).name == "README.md"),
    ]
)

NAMED_ELSEWHERE = {
    "of Pyodide and CPython": ("pyodide.asm.mjs", "Include/cpython/object.h", "src/py"),
    "written by a build": ("sw.js", "site/", "build/mutmut", "build/mistakes"),
    "no path of the project": ("text/javascript", "application/wasm", "scratch-kept-fight/"),
    "added by a guide": ("scratch_core/turn_systems/table.py",),
    "for code that still has an older name": ("Fork", "RulingOption", "Job"),
}
"""Names on pages that the project doesn't have, by the reason. Invented names need no entry: put them into a fenced
block, or `<!-- example -->` before the paragraph, list or table."""
EXCEPTIONS = {name for names in NAMED_ELSEWHERE.values() for name in names}


def list_faults(text: str) -> list[str]:
    """List what a text names in backticks and the project lacks, with its line."""
    fenced = list_fenced_words(text)
    named = (each for each in list_named_code(text) if each.name not in EXCEPTIONS)
    return [f"line {each.line}: `{each.name}`: {fault}" for each in named if (fault := find_fault(each.name, fenced))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page_for_contributors_names_existing_code(page: Path) -> None:
    """Every file, folder, module, rule and function in backticks exists.

    A word counts as a name of code if it has an underscore or a capital letter.
    """
    assert list_faults(page.read_text(encoding="utf-8")) == []


def test_exceptions_are_used_and_needed() -> None:
    """An exception that no page names, or that the project has by now, is removed."""
    named = {each.name for page in PAGES for each in list_named_code(page.read_text(encoding="utf-8"))}
    assert {name for name in EXCEPTIONS if name not in named or not find_fault(name, frozenset())} == set()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("in the `chapter(…)` block", "no function"),
        ("in the `parse_rules_of_chapter(…)` block", ""),
        ("the function `undo_last_stepp`", "no name in the code"),
        ("`Playthrough.undo_stepp`", "no name in the code"),
        ("`Playthrough.undo_step`", ""),
        ("`#sendNextRequest` of the client", ""),
        ("`fight/sessions.py`", "no file or folder"),
        ("`scratch_core/calculators/<name>/__init__.py`", ""),
        ("`python -m build_scripts.checks.nothing`", "no module"),
        ("`python -m build_scripts.checks.rule_traceability act.cover`", ""),
        ("the rule `act.covr`", "no rule"),
        ("a plain `word`, `data-live`, `d20+5`, `scratch-scenario/1`", ""),
        ("<!-- example -->\n| `parse_x` |\n| `build_x` |\n", ""),
        ("<!-- example -->\n`parse_x`\n\n`build_x`", "no name in the code"),
        ("```python\ndef resolve_trip(): ...\n```\n`resolve_trip` resolves it", ""),
    ],
)
def test_missing_name_is_found(text: str, fault: str) -> None:
    """Examples and the code of a fenced block count as existing.

    Plain words are not checked.
    """
    assert [each.rpartition("`: ")[2] for each in list_faults(text)] == [fault] * bool(fault)


# The routes of one press

ROUTES = DOCS / "contributing" / "one-press.md"


def list_route_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of the routes, with the lines that continue them.

    Each comes with the number of its first line.
    """
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if re.match(r"\d+\. ", line):
            more = [each for each in lines[number : number + 9] if each.strip()]
            end = next((index for index, each in enumerate(more) if not re.match(r" {3,}[^ |]", each)), len(more))
            yield number, "\n".join([line, *more[:end]])


def list_route_faults(text: str) -> list[str]:
    """List missing or ambiguous files, and names that their file doesn't have.

    A name belongs to the file before it.
    """
    faults = []
    for number, line in list_route_lines(text):
        path = ""
        for each in list_named_code(line):
            if is_path(each.name):
                found = find_files(each.name)
                path = found[0] if found else ""
                faults += [f"line {number}: `{each.name}` is {len(found)} files"] if len(found) != 1 else []
            elif not is_rule_id(each.name) and (not path or not has_name(path, each.name)):
                faults.append(f"line {number}: `{each.name}` is not in {path or 'a file'}")
    return faults


def test_routes_of_one_press_name_functions_of_their_files() -> None:
    """Each line begins with a file, which defines the functions after it.

    The file uses the other words.
    """
    text = ROUTES.read_text(encoding="utf-8")
    lines = list(list_route_lines(text))
    assert len(lines) > 50
    assert [number for number, line in lines if not re.match(r"\d+\. `[\w./-]+\.\w+`: ", line)] == []
    assert list_route_faults(text) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (
            "1. `fight/commands.py`: `_undo` and `_redoo`",
            "`_redoo` is not in scratch_core/calculators/fight/commands.py",
        ),
        ("1. `request.py`: `parse_request`", "`request.py` is "),
        ("1. `fight/commands.py`:\n   `_redoo`", "`_redoo` is not in scratch_core/calculators/fight/commands.py"),
        ("1. `engine/worker.mjs`: `answerRequest`, `postToClients`", "`postToClients` is not in"),
    ],
)
def test_wrong_line_of_a_route_is_found(line: str, fault: str) -> None:
    """A name must be in its file, and only one file ends with a path."""
    assert any(each.startswith(f"line 1: {fault}") for each in list_route_faults(line))
