"""Characters as text: stat blocks for the basic rules, one line each for the other turn systems.

The fight, odds and initiative calculators parse the same text with this package.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.shared.names import NameIndex, number_duplicates, slugify
from scratch_core.errors import Problem


@dataclass(frozen=True, slots=True)
class ParsedCharacters:
    """The characters of a text."""

    characters: tuple[dict[str, Any], ...]
    """The characters as in a scenario's file."""
    problems: tuple[Problem, ...]
    """What is wrong with the text."""
    line_numbers: tuple[int, ...] = ()
    """The line of each character, from 1. Empty if characters have more than a line."""

    @property
    def name_index(self) -> NameIndex:
        """An index of the characters' ids by name and id."""
        return NameIndex.build((each["id"], each["name"], each["id"]) for each in self.characters)

    @property
    def is_ready(self) -> bool:
        """Whether a fight can begin with these characters."""
        return bool(self.characters) and all(problem.severity != "error" for problem in self.problems)


def assign_ids_and_unique_names(names: Sequence[str], nameless: str) -> list[tuple[str, str]]:
    """Assign an id and a name to each of the names.

    Repeated names are numbered. A name without letters for an id gets one like `nameless-2`, with `nameless` and its
    position.
    """
    unique_names = number_duplicates(names, " ")
    ids = number_duplicates([slugify(name) or f"{nameless}-{place}" for place, name in enumerate(unique_names, 1)], "-")
    return list(zip(ids, unique_names, strict=True))
