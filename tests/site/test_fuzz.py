"""The fuzzing command: it finds what is wrong, and what reads people's text stands a taste of it."""

from __future__ import annotations

import random
import time

import pytest

from build_scripts.judges import fuzz
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

    monkeypatch.setattr(fuzz, "SLOW", 0.02)
    tally = fuzz.fuzz(target, iter(["a", "aa", "b", "c", "d"]))
    assert (tally.tried, tally.answered) == (5, 2)
    assert list(tally.crashes.values()) == ["a"]
    assert tally.slow == ["c"]


def test_inputs_are_the_same_for_a_seed_and_differ_from_the_corpus() -> None:
    """A seed repeats a run; most inputs are none that the site knows."""
    corpus = ["d20+3", "4d6dl1"]
    first, second = (list(fuzz.inputs(corpus, 100, random.Random(7))) for _ in range(2))
    assert first == second
    assert len(first) == 100
    assert len(set(first) - set(corpus)) > 50


@pytest.mark.parametrize("name", list(fuzz.TARGETS))
def test_a_taste_of_each_target(name: str) -> None:
    """No input of a short run crashes what reads it."""
    tally = fuzz.fuzz(fuzz.TARGETS[name], fuzz.inputs(fuzz.corpora()[name], 40, random.Random(name)))
    assert tally.crashes == {}
