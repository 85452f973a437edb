"""Reading the steps of a scenario: every value looked at, and every problem told with its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scratch_core.encounter.turn_system import Scratch
from scratch_core.errors import ScratchError
from scratch_core.rulebook.abilities import meant
from scratch_core.scenario.characters import People
from scratch_core.scenario.expectations import expectation_problem
from scratch_core.scenario.field_types import NOTHING, Said, short
from scratch_core.scenario.records import Expected, Scenario, Step, Tree
from scratch_core.scenario.validation import PROBLEMS_LIMIT, STEPS_LIMIT
from scratch_core.turn_systems import CONDITION, EVADING, JOIN, Field, Hand

WRITTEN = (*("n", "legal", "prevented", "rule", "rules", "rolls", "events", "say", "error", "game_master"),)
"""What a record of a play adds to a step: read over, so that a play can be played again."""


_ACTOR = Field("actor", "id", None, "who does it")


def read_step(scenario: Scenario, table: Mapping[str, Any], joined: Sequence[Mapping[str, Any]] = ()) -> Step:
    """Read one more step of a scenario, as its first (`steps[0]`); nothing else of it is looked at again.

    `joined` are the tables of those who have joined it meanwhile. Raises `ScratchError` with problems and places.
    """
    reading = Reading({})
    reading.system, reading.rulings_now = scenario.system, scenario.rulings
    reading.board, reading.has_board = scenario.board, scenario.board is not None
    reading.known = {str(each["id"]): each for each in (*scenario.tree["characters"], *joined)}
    reading.ids = list(reading.known)
    steps = reading.steps([table])
    if reading.problems:
        raise ScratchError(*reading.problems[:PROBLEMS_LIMIT])
    return steps[0]


class Reading(People):
    """Steps, and what they expect, table by table."""

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
        if isinstance(do, str) and self.system.is_hand(do, table.get("actor")):
            return self.hand(do, table, where)
        if isinstance(do, str) and do in self.system.hand and do not in self.system.steps:
            self.wrong("no actor, for it is the game master's step", table["actor"], f"{where}.actor")
            return None
        if not isinstance(do, str) or do not in self.system.steps:
            self.wrong(self.expected_do(do), do, f"{where}.do")
            return None
        system, fields = self.system, self.system.steps[do]
        own = tuple(field.key for field in fields if field.key not in system.shared)
        self.keys(table, ("actor", "do", *system.shared, "faces", "note", "expect", *own, *WRITTEN), where)
        is_named = system.needs_actor(do) or table.get("actor", "") != ""
        actor = self.value(_ACTOR, table, where) if is_named else ""
        self.unfit(table, do, where)
        action = system.settle(system.act_type(actor, do, **self.values(fields, table, where)))
        return self.whole_step(action, table, where)

    def whole_step(self, action: Any, table: Tree, where: str) -> Step:
        """A step with what any step may have: faces, a note, expectations."""
        faces = self.faces(table["faces"], f"{where}.faces") if "faces" in table else None
        note = self.text(table, "note", f"{where}.note")
        expect = self.expect(table.get("expect", {}), f"{where}.expect", is_end=False)
        return Step(action, faces, note, expect, where, table)

    # The game master's steps

    def hand(self, do: str, table: Tree, where: str) -> Step | None:
        """A step without an actor that is the game master's; None where someone joins who can't be read."""
        fields = self.system.hand[do]
        own = (field.key for field in fields)
        self.keys(table, ("actor", "do", "faces", "note", "expect", *own, *WRITTEN), where)
        simple = [field for field in fields if field.kind != "character"]
        values = self.values(simple, table, where)
        if do == CONDITION and values["bonus"] and values["condition"] != EVADING:
            self.wrong(f"no bonus with {values['condition']}", table["bonus"], f"{where}.bonus")
        if do == JOIN:
            values["newcomer"] = self.newcomer(table, values.get("at"), where)
            if values["newcomer"] is None:
                return None
        return self.whole_step(Hand(do, tree=table, **values), table, where)

    def newcomer(self, table: Tree, at: Any, where: str) -> Any:
        """Who joins, as the order of turns has its fighters; None while something is wrong. It may act from then on."""
        place, given = f"{where}.character", table.get("character", NOTHING)
        if not isinstance(given, Mapping):
            self.wrong("a table of a character", given, place)
            return None
        before, own_id = len(self.problems), self.known_id(given, place)
        if at is not None and "at" in given:
            self.wrong("one place", Said("two"), f"{where}.at")
        if at is not None:
            given = {**given, "at": list(at)}
        fighter = self.fighter(given, place)
        if len(self.problems) > before or not own_id:
            return None
        self.known[own_id] = given
        if own_id not in self.ids:
            self.ids.append(own_id)
        return fighter

    def fighter(self, table: Tree, where: str) -> Any:
        """A fighter of a character's table."""
        if isinstance(self.system, Scratch):
            found = self.character(table, where, self.rulings_now, self.known)
            return found and found[0]
        before, row = len(self.problems), self.row(table, where)
        try:
            return self.system.newcomer(row) if len(self.problems) == before else None
        except ScratchError as error:
            self.problems += [replace(each, where=self.place(f"{where}.{each.where}")) for each in error.problems]
            return None

    def expected_do(self, do: object) -> str:
        """The names that there are for what is done, or what to write in the place of a word that is none any more."""
        if do == "strike":
            return "the file without this step, and without those that it strikes"
        if isinstance(do, str) and do in self.system.board_steps:
            return "an action that needs no board, for there is none"
        names = (*self.system.steps, *self.system.hand)
        return f"{''.join(f'{each}, or else ' for each in meant(str(do), names))}one of {', '.join(names)}"

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
