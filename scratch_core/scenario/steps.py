"""Reading the steps of a scenario: every value looked at, and every problem told with its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scratch_core.basic import SCRATCH, SCRATCH_ON_BOARD
from scratch_core.characters.draft import tidy
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.scenario.expecting import expectation_problem
from scratch_core.scenario.fields import NOTHING, Said, WrongValue, one_id, value_of
from scratch_core.scenario.records import AnySystem, Expected, Scenario, Step, Tree
from scratch_core.scenario.text import printable
from scratch_core.turns import Field

STEPS_LIMIT = 1_000
CHARACTERS_LIMIT = 100
FACES_LIMIT = 100
TEXT_LIMIT = 10_000
PROBLEMS_LIMIT = 100
"""The most steps, characters, faces in a list, characters of a text, and problems told."""

WRITTEN = ("n", "legal", "prevented", "rule", "rules", "rolls", "events", "say", "error")
"""What a record of a play adds to a step: read over, so that a play can be played again."""


def read_step(scenario: Scenario, table: Mapping[str, Any]) -> Step:
    """Read one more step of a scenario, as its first (`steps[0]`); nothing else of it is looked at again.

    Raises `ScratchError` with problems and places.
    """
    reading = Reading({})
    reading.system = scenario.system
    reading.ids = [each.id for each in scenario.fighters]
    steps = reading.steps([table])
    if reading.problems:
        raise ScratchError(*reading.problems[:PROBLEMS_LIMIT])
    return steps[0]


class Reading:
    """One pass over a tree; what is wrong is collected, what is right is kept."""

    def __init__(self, lines: Mapping[str, int]) -> None:
        self.lines = lines
        self.problems: list[Problem] = []
        self.ids: list[str] = []
        self.system: AnySystem = SCRATCH

    # Problems

    def wrong(self, expected: str, got: object, where: str, rule: str | None = None) -> None:
        """Note a problem: what was expected at `where`, and what is there."""
        text = got if isinstance(got, Said) else shown(got)
        self.problems.append(Problem("scenario.value", expected, text, self.place(where), rule))

    def place(self, where: str) -> str:
        """A place with its line, where the file has lines: that of the nearest table around it."""
        path = where
        while path:
            if path in self.lines:
                return f"{where} (line {self.lines[path]})"
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return where

    # Tables and texts

    def keys(self, table: Tree, known: tuple[str, ...], where: str) -> None:
        """Note the keys that no table of this kind has."""
        for key in list(table)[:PROBLEMS_LIMIT]:
            if key not in known:
                names = ", ".join(known)
                self.wrong(f"one of {names}", key, f"{where}.{short(key)}" if where else short(key))

    def text(self, table: Tree, key: str, where: str, limit: int = TEXT_LIMIT) -> str:
        """A text of at most `limit` characters, "" where there is none."""
        value = table.get(key, "")
        if not isinstance(value, str):
            self.wrong("a text", value, where)
            return ""
        if len(value) > limit:
            self.wrong(f"{limit:,} characters at most", Said(f"{len(value):,}"), where)
            return ""
        return printable(value)

    def faces(self, faces: object, where: str) -> tuple[int, ...]:
        """Faces of 20-sided dice."""
        if not isinstance(faces, list) or len(faces) > FACES_LIMIT:
            self.wrong("a list of faces from 1 to 20", faces, where)
            return ()
        for place, face in enumerate(faces):
            if type(face) is not int or not 1 <= face <= 20:
                self.wrong("a face from 1 to 20", face, f"{where}[{place}]", "roll.die-substitute")
        return tuple(faces)

    def id(self, table: Tree, key: str, where: str) -> str:
        """The id of somebody who takes part."""
        try:
            return one_id(table.get(key, NOTHING), self.ids)
        except WrongValue as error:
            self.wrong(error.found[0].expected, error.found[0].got, f"{where}.{key}")
            return ""

    def values(self, fields: Sequence[Field], table: Tree, where: str) -> dict[str, Any]:
        """The values of fields, by the names that the engine has for them."""
        return {field.name: self.value(field, table, where) for field in fields}

    def value(self, field: Field, table: Tree, where: str) -> Any:
        """The value of a field; what the file leaves out is its default."""
        key = "targets" if field.kind == "targets" and "targets" in table else field.key
        place = f"{where}.{key}" if where else key
        if key not in table and field.is_optional:
            return None
        if key not in table and field.default is not None and field.kind != "speed":
            return field.default
        if key == "targets" and not self.is_list_of_targets(table, place):
            return ()
        given = table.get(key, field.default if field.kind == "speed" else NOTHING)
        try:
            return value_of(field, given, self.ids)
        except WrongValue as error:
            for each in error.found:
                self.wrong(each.expected, each.got, f"{place}{each.below}", field.rule)
            return field.default

    def is_list_of_targets(self, table: Tree, place: str) -> bool:
        """Whether several targets are named as they may be: in a list, and not beside a single one."""
        if "target" in table:
            self.wrong("target or targets", Said("both"), place)
            return False
        items = table["targets"]
        if not isinstance(items, list) or len(items) > CHARACTERS_LIMIT:
            self.wrong("a list of ids of characters", items, place)
            return False
        return True

    # Steps

    def steps(self, items: object) -> tuple[Step, ...]:
        """The steps, without those that have errors."""
        if not isinstance(items, list):
            self.wrong("a list of steps", items, "steps")
            return ()
        if len(items) > STEPS_LIMIT:
            self.wrong(f"{STEPS_LIMIT:,} steps at most", Said(f"{len(items):,}"), "steps")
            return ()
        made = [self.step(each, f"steps[{n}]") for n, each in enumerate(items)]
        return tuple(each for each in made if each is not None)

    def step(self, table: object, where: str) -> Step | None:
        """A step, None where it is no table."""
        if not isinstance(table, Mapping):
            self.wrong("a table of a step", table, where)
            return None
        do = table.get("do", NOTHING)
        if not isinstance(do, str) or do not in self.system.steps:
            self.wrong(self.expected_do(do), do, f"{where}.do")
            return None
        system, fields = self.system, self.system.steps[do]
        own = tuple(field.key for field in fields if field.key not in system.shared)
        self.keys(table, ("actor", "do", *system.shared, "faces", "note", "expect", *own, *WRITTEN), where)
        is_named = system.needs_actor(do) or table.get("actor", "") != ""
        actor = self.id(table, "actor", where) if is_named else ""
        self.unfit(table, do, where)
        action = system.settle(system.act_type(actor, do, **self.values(fields, table, where)))
        faces = self.faces(table["faces"], f"{where}.faces") if "faces" in table else None
        note = self.text(table, "note", f"{where}.note")
        expect = self.expect(table.get("expect", {}), f"{where}.expect", is_end=False)
        return Step(action, faces, note, expect, where, table)

    def expected_do(self, do: object) -> str:
        """The names that there are for what is done."""
        if self.system is SCRATCH and isinstance(do, str) and do in SCRATCH_ON_BOARD.steps:
            return "an action that needs no board, for there is none"
        return f"one of {', '.join(self.system.steps)}"

    def unfit(self, table: Tree, do: str, where: str) -> None:
        """Note what many steps have and this one does not, and what can't stand together."""
        kinds = {field.kind for field in self.system.steps[do]}
        for key in (each for each in self.system.shared if each in table):
            if key == "with" and "abilities" not in kinds:
                self.wrong(f"no ability with {do}", table[key], f"{where}.{key}")
            elif key != "with" and "targets" not in kinds:
                self.wrong(f"no {key} of {do}", table[key], f"{where}.{key}")
        clash = self.system.clash(do, table)
        if clash and clash.key:
            self.wrong(clash.expected, clash.got, f"{where}.{clash.key}", clash.rule)
        elif clash:
            self.wrong(clash.expected, Said(clash.got), where, clash.rule)

    # Expectations

    def expect(self, table: object, where: str, *, is_end: bool) -> Expected:
        """What a step, or the end, is expected to bring."""
        if not isinstance(table, Mapping):
            self.wrong("a table of expectations", table, where)
            return ()
        pairs = []
        for key, value in flat(table)[:STEPS_LIMIT]:
            problem = expectation_problem(self.system, key, value, self.ids, is_end=is_end)
            if problem:
                expected, got = problem
                self.wrong(expected, NOTHING if got is None else Said(got), f"{where}.{short(key)}")
            else:
                pairs.append((key, value))
        return tuple(pairs)


def flat(table: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Pairs of a table; a table in it is a path's second half, as an unquoted `hp.x = 3` gives it."""
    found: list[tuple[str, Any]] = []
    for key, value in table.items():
        if isinstance(value, Mapping):
            found += [(f"{key}.{inner}", each) for inner, each in value.items()]
        else:
            found.append((str(key), value))
    return found


def short(key: object) -> str:
    """A key, fit for a message."""
    text = key if isinstance(key, str) else shown(key)
    return tidy(text[:60])
