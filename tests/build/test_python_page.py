"""The page about the Python package: its examples run and print what the page says."""

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


def test_python_examples_run() -> None:
    """Every Python example of the page gives what stands under it."""
    code = "\n".join(re.findall(r"```pycon\n(.*?)```", TEXT, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    results = doctest.DocTestRunner().run(test, out=said.append)
    assert results.attempted > 10
    assert not results.failed, "".join(said)


@pytest.mark.parametrize(("command", "printed"), CONSOLE, ids=lambda text: text[:40])
def test_console_examples_run(command: str, printed: str) -> None:
    """Every command of the page prints what stands under it, standard error last."""
    given, _, call = command.rpartition(" | ")
    words = shlex.split(call)
    text = shlex.split(given)[1].replace("\\n", "\n") if given else None
    assert words[0] == "python"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *words[1:]], input=text, capture_output=True, text=True, env=environment, check=False
    )
    assert (done.stdout + done.stderr).split() == printed.split()


def test_every_module_is_told() -> None:
    """The table of modules has all that can be imported, each once."""
    told = re.findall(r"^\| `(\w+)` \|", TEXT.split("## The modules")[1], re.MULTILINE)
    there = [path.stem for path in ENGINE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()]
    assert sorted(told) == sorted(name for name in there if not name.startswith("__"))
