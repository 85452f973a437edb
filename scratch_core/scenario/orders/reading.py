"""From a tree to a scenario of another turn order: every problem is told at once with its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scratch_core.catalogue import Rulings
from scratch_core.characters.draft import NAME_LIMIT, tidy
from scratch_core.errors import ScratchError
from scratch_core.rounds import LEAVE, SYSTEMS, Act, Field, Rounds, State
from scratch_core.scenario.expecting import KIND_WORDS, MAY_PATHS, RULE_IDS, STEP_KEYS
from scratch_core.scenario.orders.fields import WrongValue, value_of
from scratch_core.scenario.orders.records import OrderScenario, OrderStep
from scratch_core.scenario.reading import (
    CHARACTERS_LIMIT,
    NOTHING,
    PROBLEMS_LIMIT,
    STEPS_LIMIT,
    WRITTEN,
    Reading,
    Said,
    flat,
    short,
)
from scratch_core.scenario.records import FORMAT, Expected, Tree

_TOP = ("format", "title", "system", "rulings", "characters", "initiative", "steps", "expect", "state")
_CHARACTER = ("id", "name", "side", "description", "notes")
_STEP = ("actor", "do", "faces", "note", "expect")

COMMON_PATHS: Mapping[str, type] = {"round": int, "active": str, "winner": str, "order": list, "fight": str}


def system_of(tree: object) -> Rounds[Any] | None:
    """The other system that a tree names, None for Scratch's own, for none, and for what is no scenario."""
    if not isinstance(tree, Mapping) or tree.get("format") != FORMAT:
        return None
    name = tree.get("system")
    return SYSTEMS.get(name) if isinstance(name, str) else None


def read_order_tree(tree: Tree, system: Rounds[Any], lines: Mapping[str, int] | None = None) -> OrderScenario:
    """Read a scenario of that system from its tree. Raises `ScratchError` with problems and places."""
    reading = _OrderReading(system, lines or {})
    found = reading.order_scenario(tree)
    if reading.problems or found is None:
        raise ScratchError(*reading.problems[:PROBLEMS_LIMIT])
    return found


class _OrderReading(Reading):
    """One pass over a tree; what is wrong is collected, what is right is kept."""

    def __init__(self, system: Rounds[Any], lines: Mapping[str, int]) -> None:
        super().__init__(lines)
        self.system = system

    def order_scenario(self, tree: Tree) -> OrderScenario | None:
        system = self.system
        self.keys(tree, (*_TOP, *(field.key for field in system.head)), "")
        rulings = self.rulings(tree.get("rulings", {}))
        tables = self.tables(tree.get("characters", NOTHING))
        rows = [self.row(table, where) for table, where in tables]
        head = self.values(system.head, tree, "")
        before = None if self.problems or not rows else self.gathered(rows, head, rulings)
        groups = set(system.dice_for(before)) if before is not None else None
        initiative = self.initiative(tree.get("initiative", {}), groups)
        steps = self.order_steps(tree.get("steps", []))
        expect = self.expect(tree.get("expect", {}), "expect", is_end=True)
        title = self.text(tree, "title", "title")
        if self.problems or before is None:
            return None
        return OrderScenario(title, system, rulings, before, initiative, steps, expect, tree)

    def gathered(self, rows: Sequence[Mapping[str, Any]], head: Mapping[str, Any], rulings: Rulings) -> State | None:
        try:
            before: State = self.system.gather(rows, head, rulings)
            return before
        except ScratchError as error:
            self.problems += [replace(each, where=self.place(each.where)) for each in error.problems]
            return None

    # Characters

    def tables(self, items: object) -> list[tuple[Mapping[str, Any], str]]:
        if not isinstance(items, list) or not items:
            self.wrong("a list of characters", items, "characters")
            return []
        if len(items) > CHARACTERS_LIMIT:
            self.wrong(f"{CHARACTERS_LIMIT} characters at most", Said(str(len(items))), "characters")
            return []
        found = list(self.leaders([(each, f"characters[{n}]") for n, each in enumerate(items)]))
        self.ids = found
        return [(each, f"characters[{n}]") for n, each in enumerate(items) if isinstance(each, Mapping)]

    def row(self, table: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        fields = self.system.character
        self.keys(table, (*_CHARACTER, *(field.key for field in fields)), where)
        own_id = str(table.get("id"))
        name = tidy(self.text(table, "name", f"{where}.name", NAME_LIMIT)) or own_id
        side = self.inherited(table, "side", where, {})
        return {"id": own_id, "name": name, "side": side, **self.values(fields, table, where)}

    # Fields

    def values(self, fields: Sequence[Field], table: Mapping[str, Any], where: str) -> dict[str, Any]:
        return {field.name: self.value(field, table, f"{where}.{field.key}".lstrip(".")) for field in fields}

    def value(self, field: Field, table: Mapping[str, Any], where: str) -> Any:
        if field.key not in table and field.default is not None and field.kind != "speed":
            return field.default
        given = table.get(field.key, field.default if field.kind == "speed" else NOTHING)
        try:
            return value_of(field, given, self.ids)
        except WrongValue as wrong:
            self.wrong(wrong.expected, wrong.got, where, field.rule)
            return None

    # Steps

    def order_steps(self, items: object) -> tuple[OrderStep, ...]:
        if not isinstance(items, list):
            self.wrong("a list of steps", items, "steps")
            return ()
        if len(items) > STEPS_LIMIT:
            self.wrong(f"{STEPS_LIMIT:,} steps at most", Said(f"{len(items):,}"), "steps")
            return ()
        made = [self.order_step(each, f"steps[{n}]") for n, each in enumerate(items)]
        return tuple(each for each in made if each is not None)

    def order_step(self, table: object, where: str) -> OrderStep | None:
        if not isinstance(table, Mapping):
            self.wrong("a table of a step", table, where)
            return None
        do = table.get("do", NOTHING)
        if not isinstance(do, str) or do not in self.system.steps:
            self.wrong(f"one of {', '.join(self.system.steps)}", do, f"{where}.do")
            return None
        fields = self.system.steps[do]
        self.keys(table, (*_STEP, *(field.key for field in fields), *WRITTEN), where)
        has_actor = do in self.system.acts or do == LEAVE or "actor" in table
        actor = self.id(table, "actor", where) if has_actor else ""
        act = self.system.settle(Act(actor, do, **self.values(fields, table, where)))
        faces = self.faces(table["faces"], f"{where}.faces") if "faces" in table else None
        note = self.text(table, "note", f"{where}.note")
        expect = self.expect(table.get("expect", {}), f"{where}.expect", is_end=False)
        return OrderStep(act, faces, note, expect, where, table)

    # Expectations

    def expect(self, table: object, where: str, *, is_end: bool) -> Expected:
        if not isinstance(table, Mapping):
            self.wrong("a table of expectations", table, where)
            return ()
        pairs = []
        for key, value in flat(table)[:STEPS_LIMIT]:
            wrong = self.expectation(key, value, is_end)
            if wrong is None:
                pairs.append((key, value))
            else:
                self.wrong(wrong[0], wrong[1], f"{where}.{short(key)}")
        return tuple(pairs)

    def expectation(self, key: str, value: object, is_end: bool) -> tuple[str, object] | None:
        """What is wrong with an expectation as it is written, None when it can be held."""
        path, _, who = key.partition(".")
        fighter_paths = {
            **{name: kind for name, (kind, _) in self.system.paths.items()},
            **dict.fromkeys(MAY_PATHS, list),
        }
        fight_paths = {**COMMON_PATHS, **{name: kind for name, (kind, _) in self.system.state_paths.items()}}
        known = fighter_paths if who else {**fight_paths, **({} if is_end else STEP_KEYS)}
        if path not in known:
            names = [*known] if who else [*known, *(f"{name}.ID" for name in fighter_paths)]
            return f"one of {', '.join(names)}", path
        if who and who not in self.ids:
            return "the id of a character after the dot", who
        if key == "rule" and (not isinstance(value, str) or value not in RULE_IDS):
            return "a rule id", value
        if path in MAY_PATHS and isinstance(value, list):
            strange = [each for each in value if not isinstance(each, str) or each not in self.system.steps]
            return ("names of acts", strange[0]) if strange else None
        return None if type(value) is known[path] else (KIND_WORDS.get(known[path], "a list"), value)
