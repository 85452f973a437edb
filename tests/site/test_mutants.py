"""Mistakes on purpose: which are made, which are left out, and a list of survivors that is about today's code."""

from __future__ import annotations

from pathlib import Path

import pytest

from build_scripts.judges.mutants.mutate import mutants_of
from build_scripts.judges.mutants.run import KEPT, all_mutants, explanations, sampled


def changes(tmp_path: Path, source: str) -> list[str]:
    """Every change that is made to a module of that source, with its place."""
    (tmp_path / "scratch_core").mkdir()
    path = tmp_path / "scratch_core" / "some.py"
    path.write_text(source, encoding="utf-8")
    return [f"{mutant.at}: {mutant.change}" for mutant in mutants_of(path, tmp_path)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("LIMIT = 1", ["some: 1 -> 2"]),
        ("def f(a):\n    return a", ["some.f: return a -> return None", "some.f: return a -> return not a"]),
        (
            "def f(a):\n    if a < 3:\n        g(a)",
            [
                *("some.f: a < 3 -> a <= 3", "some.f: a < 3 -> a >= 3", "some.f: 3 -> 4", "some.f: 3 -> 2"),
                "some.f: without g(a)",
            ],
        ),
        ("class C:\n    def m(self):\n        x = y and 'key'", ["some.C.m: y and 'key' -> y or 'key'"]),
        ("x = f'{1}'\n__all__ = ['x']\ny: int\nassert 1 < 2\nfrom a import b\n'a text'", []),
        ("def f():\n    raise_it(Problem('code', 'one word', 2 + 2))", ["some.f: 'code' -> 'code~'"]),
        ("x = 'act.cover act.engage'", ["some: 'act.cover act.engage' -> 'act.cover act.engage~'"]),
        ("x = 'several words'", []),
    ],
)
def test_mistakes_are_made_where_they_matter(tmp_path: Path, source: str, expected: list[str]) -> None:
    """Numbers, keys, comparisons, conditions, calls and returns; no wording, annotations, imports or assertions."""
    found = changes(tmp_path, source)
    assert [each for each in expected if each not in found] == []
    assert bool(found) == bool(expected)


def test_the_sample_is_the_same_every_time_and_everywhere() -> None:
    """A sample reaches every function before it takes a second mistake of any."""
    mutants = all_mutants()
    places = {mutant.at for mutant in mutants}
    chosen = sampled(mutants, len(places))
    assert {mutant.at for mutant in chosen} == places
    again = sampled(all_mutants(), len(places))
    assert [(each.at, each.change) for each in again] == [(each.at, each.change) for each in chosen]


def test_every_survivor_explained_is_there() -> None:
    """Each entry of the list is a mistake that could still be made, and says why nobody would notice."""
    known = {(mutant.at, mutant.change) for mutant in all_mutants()}
    assert len(known) == len(all_mutants())
    assert [key for key in explanations() if key not in known] == [], f"no such mutants any more in {KEPT.name}"
    assert all(len(why) > 10 for why in explanations().values())
