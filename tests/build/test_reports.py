"""Pytest's reports of failed tests."""

import subprocess
import sys
from pathlib import Path

import pytest

from build_scripts.paths import ROOT

FAILURES = {
    "text": "assert 'a' * 30_000 == 'b' * 30_000",
    "lists": "assert list(range(1000)) == list(range(1, 1001))",
    "calls": "def down(n):\n        assert n and down(n - 1)\n    down(30)",
    "words": "import pytest\n    pytest.fail('\\n'.join(map(str, range(500))), pytrace=False)",
}


@pytest.mark.needs_process
@pytest.mark.parametrize("name", FAILURES)
def test_failure_prints_at_most_40_short_lines(name: str, tmp_path: Path) -> None:
    """The report of a failure has at most 40 lines of 200 characters.

    `-vv` prints all of it.
    """
    path = tmp_path / "test_it.py"
    path.write_text(f"def test_it():\n    {FAILURES[name]}\n", encoding="utf-8")
    short, whole = (_report(path, *more) for more in ((), ("-vv",)))
    assert len(short) <= 40, "\n".join(short)
    assert max(map(len, short)) <= 200
    assert len("\n".join(whole)) > len("\n".join(short))


@pytest.mark.needs_process
def test_failure_inside_a_library_names_the_line_of_the_test(tmp_path: Path) -> None:
    """Keep the entries of the tests, where those of a library are more than fit."""
    path = tmp_path / "test_it.py"
    source = "{% macro f(n) %}{{ f(n - 1) if n else x.y.z }}{% endmacro %}{{ f(9) }}"
    path.write_text(f"import jinja2\ndef test_it():\n    jinja2.Template('{source}').render()\n", encoding="utf-8")
    assert any("test_it.py:3" in line for line in _report(path))


@pytest.mark.needs_process
def test_text_of_a_failure_keeps_its_first_line_and_names_the_option(tmp_path: Path) -> None:
    """The first line of a snapshot's failure names the command that updates it."""
    path = tmp_path / "test_it.py"
    path.write_text(f"def test_it():\n    {FAILURES['words']}\n", encoding="utf-8")
    first, *_, last = filter(None, _report(path))
    assert (first, "pytest -vv" in last) == ("0", True)


def _report(path: Path, *more: str) -> list[str]:
    """Return the lines of the only failure's report, below its title."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-c", str(ROOT / "pyproject.toml"), *more]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", str(path)], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    start = next(number for number, line in enumerate(lines) if "= FAILURES =" in line) + 2
    return lines[start : next(number for number, line in enumerate(lines) if "= short test summary" in line)]
