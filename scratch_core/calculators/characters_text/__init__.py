"""Characters as text: stat blocks for the basic rules, one line each for the other turn systems.

The fight, odds and initiative calculators parse the same text with this package.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.shared.form import number_duplicates, slugify
from scratch_core.calculators.shared.names import NameIndex
from scratch_core.errors import Problem


@dataclass(frozen=True, slots=True)
class ParsedCharacters:
    """Those who take part as a scenario has them, what is wrong with the text, and the line that each stands on.

    `line_numbers` is () where someone is more than a line.
    """

    characters: tuple[dict[str, Any], ...]
    problems: tuple[Problem, ...]
    line_numbers: tuple[int, ...] = ()

    @property
    def name_index(self) -> NameIndex:
        """The id of each character by the names that it may be called by."""
        return NameIndex.build((each["id"], each["name"], each["id"]) for each in self.characters)

    @property
    def is_ready(self) -> bool:
        """Whether a fight can begin with them."""
        return bool(self.characters) and all(problem.severity != "error" for problem in self.problems)


def assign_ids(names: Sequence[str], nameless: str) -> list[tuple[str, str]]:
    """An id and a name for each of these names, those that come again numbered; `nameless-2` where no id is left."""
    own = number_duplicates(names, " ")
    ids = number_duplicates([slugify(name) or f"{nameless}-{place}" for place, name in enumerate(own, 1)], "-")
    return list(zip(ids, own, strict=True))
