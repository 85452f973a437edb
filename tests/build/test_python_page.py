"""The page about the Python package: its examples run and print the results on the page."""

import doctest
import os
import re
import shlex
import subprocess
import sys

import pytest

from build_scripts.paths import DOCS, ENGINE, ROOT

PAGE = DOCS / "build-on-it" / "python-package.md"
TEXT = PAGE.read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ (.*?)\n(.*?)```", TEXT, re.DOTALL)


def test_python_examples_of_the_page_print_their_results() -> None:
    """Run all examples as one doctest."""
    code = "\n".join(re.findall(r"```pycon\n(.*?)```", TEXT, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    results = doctest.DocTestRunner().run(test, out=said.append)
    assert results.attempted > 10
    assert not results.failed, "".join(said)


@pytest.mark.parametrize(("command", "printed"), CONSOLE, ids=lambda text: text[:40])
def test_console_example_of_the_page_prints_its_output(command: str, printed: str) -> None:
    """Standard error comes last."""
    given, _, call = command.rpartition(" | ")
    words = shlex.split(call)
    text = shlex.split(given)[1].replace("\\n", "\n") if given else None
    assert words[0] == "python"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *words[1:]], input=text, capture_output=True, text=True, env=environment, check=False
    )
    assert (done.stdout + done.stderr).split() == printed.split()


def test_table_of_modules_lists_every_public_module() -> None:
    """Each module is listed once."""
    listed = re.findall(r"^\| `(\w+)` \|", TEXT.split("## The modules")[1], re.MULTILINE)
    existing = [path.stem for path in ENGINE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()]
    assert sorted(listed) == sorted(name for name in existing if not name.startswith("__"))
