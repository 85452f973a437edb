"""A scenario as it was read: trusted records, and the tree that they came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scratch_core.actions import Action
from scratch_core.board import Board
from scratch_core.catalogue import Rulings
from scratch_core.characters import Draft
from scratch_core.errors import Problem
from scratch_core.scenario.advice import minion_advice
from scratch_core.state import Fighter, State, gather

FORMAT = "scratch-scenario/1"
"""The tag that says which form a file has."""

Tree = Mapping[str, Any]
"""Tables, lists, texts, whole numbers and truth values, as TOML and JSON give them."""

Expected = tuple[tuple[str, Any], ...]
"""What is expected: pairs of a key or state path and its value."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its action, the faces of its dice (None: roll), prose for the reader, and what is expected after it.

    `where` is its place in the file (`steps[3]`), `tree` the step as it was written.
    """

    action: Action
    faces: tuple[int, ...] | None
    note: str
    expect: Expected
    where: str
    tree: Tree


@dataclass(frozen=True, slots=True)
class Scenario:
    """A fight to play: who, by which rulings, with which dice, and what they do.

    `drafts` are the characters as written, in order, to audit their printed figures. `initiative` holds faces by group.
    `expect` is what is expected at the end. `tree` is the file, `board` its map, if there is one.
    """

    title: str
    rulings: Rulings
    fighters: tuple[Fighter, ...]
    drafts: tuple[Draft, ...]
    initiative: Mapping[str, tuple[int, ...]]
    steps: tuple[Step, ...]
    expect: Expected
    tree: Tree
    board: Board | None = None

    @property
    def advice(self) -> tuple[Problem, ...]:
        """What the fight is played with and the rules would not allow. Rules: `command.minions`, `command.cp-limit`."""
        return minion_advice(self.fighters)

    def start(self) -> State:
        """The state before the encounter."""
        return gather(self.fighters, self.rulings, self.board)
