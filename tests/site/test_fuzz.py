"""The fuzzing command: it finds what is wrong, and what reads people's text stands a taste of it."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest

from build_scripts.judges.fuzz import run, targets
from build_scripts.judges.fuzz.changes import inputs
from build_scripts.judges.fuzz.corpora import corpora
from build_scripts.judges.fuzz.targets import TARGETS, Tally, fuzz
from scratch_core.dice.notation import parse


def test_a_crash_and_a_slow_answer_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that is not ours is a crash, kept once for each place with its input; ours is none; time is held."""

    def target(text: str) -> None:
        if "a" in text:
            raise KeyError(text)
        if "b" in text:
            parse("#")
        until = time.process_time() + 0.03
        while "c" in text and time.process_time() < until:
            pass

    monkeypatch.setattr(targets, "SLOW", 0.02)
    tally = fuzz(target, iter(["a", "aa", "b", "c", "d"]))
    assert (tally.tried, tally.answered) == (5, 2)
    assert list(tally.crashes.values()) == ["a"]
    assert tally.slow == ["c"]


def test_inputs_are_the_same_for_a_seed_and_differ_from_the_corpus() -> None:
    """A seed repeats a run; most inputs are none that the site knows."""
    corpus = ["d20+3", "4d6dl1"]
    first, second = (list(inputs(corpus, 100, random.Random(7))) for _ in range(2))
    assert first == second
    assert len(first) == 100
    assert len(set(first) - set(corpus)) > 50


@pytest.mark.parametrize("name", list(TARGETS))
def test_a_taste_of_each_target(name: str) -> None:
    """No input of a short run crashes what reads it."""
    tally = fuzz(TARGETS[name], inputs(corpora()[name], 40, random.Random(name)))
    assert list(tally.crashes) == []


def test_a_taste_of_what_a_browser_keeps() -> None:
    """Entries and files with something strange in each place crash no script that reads them, and nothing is lost."""
    tally = run.kept([*corpora()["kept"], "", "null", "[]", "{", '{"original":"x"}'])
    assert list(tally.crashes) == []
    assert tally.tried > tally.answered > 10


def test_a_crash_in_the_scripts_is_found() -> None:
    """A kept text is given to the scripts as it is: one that breaks the check itself is reported with its input."""
    tally = run.kept(["{}", 7])  # type: ignore[list-item]
    assert list(tally.crashes.values()) == [7]


def test_what_was_found_can_be_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each input that crashed or was slow is written whole, half characters too, until the next run."""
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "FOUND", tmp_path / "found")
    said: list[str] = []
    text = "d20\ud83c" * 200
    tally = Tally(5, 3, 0.5, 2.0, {"KeyError at parse:3": text}, ["slow"])
    assert run.report("dice", tally, said.append)
    assert json.loads((run.FOUND / "dice-1.json").read_text()) == text
    assert 'make fuzz WITH="--only dice --again found/dice-1.json"' in said[0]
    assert said[-1] == "dice: 5 inputs, 10 a second, 3 answered, 1 kinds of crash, 1 over a second, slowest 2000 ms"
    assert run.again("dice", text).tried == 1
    (run.FOUND / "dice-1.json").write_text('"kept"')
    assert run.report("dice", tally, said.append, writes=False)
    assert (run.FOUND / "dice-1.json").read_text() == '"kept"'
    assert not run.report("dice", Tally(5, 3, 0.5, 0.1), said.append)
    assert not list(run.FOUND.iterdir())


def test_an_input_that_ends_the_process_is_named(tmp_path: Path) -> None:
    """An input that Atheris names when a process ends is a crash; a process that ends without one is our mistake."""
    with pytest.raises(SystemExit, match="without a tally"):
        run._ended(tmp_path, "no module")
    (tmp_path / "timeout-0a1b").write_bytes(b"d20\xff")
    assert run._ended(tmp_path, "").crashes == {"the process ended": "d20\udcff"}
