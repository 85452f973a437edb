"""Reading of a scenario's steps: every value is validated, and every problem has its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scratch_core.encounter.turn_system import BasicTurnSystem
from scratch_core.errors import MISSING_VALUE, Location, ScratchError
from scratch_core.rulebook.abilities import suggest_names
from scratch_core.scenario.characters import CharacterReader
from scratch_core.scenario.expectations import find_expectation_problem
from scratch_core.scenario.records import Expected, Scenario, Step, Tree
from scratch_core.scenario.validation import MAX_PROBLEMS, MAX_STEPS
from scratch_core.turn_systems import CONDITION, EVADING, JOIN, Field, GmAction
from scratch_core.turn_systems.fields import COMMON_STEP_KEYS, format_key

RESULT_KEYS = (*("n", "legal", "prevented", "rule", "rules", "rolls", "events", "say", "error", "game_master"),)
"""The keys that `StepResult.to_dict` adds to a step. They are ignored, so that a saved play is a valid file."""


_ACTOR = Field("actor", "id", None, "who does it")


def parse_next_step(scenario: Scenario, table: Mapping[str, Any], joined: Sequence[Mapping[str, Any]] = ()) -> Step:
    """Parse one more step of a valid scenario as `steps[0]`.

    `joined` are the tables of the characters who have joined meanwhile. Raises `ScratchError` with problems and their
    places.
    """
    reading = StepReader()
    reading.system, reading.rulings_now = scenario.system, scenario.rulings
    reading.board, reading.has_board = scenario.board, scenario.board is not None
    reading.known = {str(each["id"]): each for each in (*scenario.tree["characters"], *joined)}
    reading.ids = list(reading.known)
    steps = reading.parse_steps([table])
    reading.problems.raise_if_any(MAX_PROBLEMS)
    return steps[0]


class StepReader(CharacterReader):
    """A reader of steps and their expectations."""

    def parse_steps(self, items: object) -> tuple[Step, ...]:
        """Parse the list of steps. Steps with errors are omitted."""
        where = Location("steps")
        if not isinstance(items, list):
            self.problems.report_value("scenario.value", "a list of steps", items, where)
            return ()
        if len(items) > MAX_STEPS:
            self.problems.report("scenario.value", f"{MAX_STEPS:,} steps at most", f"{len(items):,}", where)
            return ()
        made = [self.parse_step(each, where / n) for n, each in enumerate(items)]
        return tuple(each for each in made if each is not None)

    def parse_step(self, table: object, where: Location) -> Step | None:
        """Parse a step. Returns None if its name or its newcomer is invalid."""
        if not isinstance(table, Mapping):
            self.problems.report_value("scenario.value", "a table of a step", table, where)
            return None
        do = table.get("do", MISSING_VALUE)
        if isinstance(do, str) and self.system.is_gm_action_step(do, table.get("actor")):
            return self.parse_gm_step(do, table, where)
        if isinstance(do, str) and do in self.system.gm_fields and do not in self.system.step_fields:
            self.problems.report_value(
                "scenario.value", "no actor, for it is the game master's step", table["actor"], where / "actor"
            )
            return None
        if not isinstance(do, str) or do not in self.system.step_fields:
            self.problems.report_value("scenario.value", self.suggest_action_names(do), do, where / "do")
            return None
        system, fields = self.system, self.system.step_fields[do]
        own = tuple(field.key for field in fields if field.key not in system.shared_keys)
        self.report_unknown_keys(
            table, ("actor", "do", *system.shared_keys, *COMMON_STEP_KEYS, *own, *RESULT_KEYS), where
        )
        is_named = system.needs_actor(do) or table.get("actor", "") != ""
        actor = self.parse_field_or_default(_ACTOR, table, where) if is_named else ""
        self.report_misused_or_conflicting_keys(table, do, where)
        action = system.fill_defaults(system.action_type(actor, do, **self.parse_fields(fields, table, where)))
        return self.parse_common_fields(action, table, where)

    def parse_common_fields(self, action: Any, table: Tree, where: Location) -> Step:
        """Build a step with the parts that every step may have: faces, note, expectations."""
        faces = self.parse_faces(table["faces"], where / "faces") if "faces" in table else None
        note = self.parse_text_field(table, "note", where)
        expect = self.parse_expectations(table["expect"], where / "expect", is_end=False) if "expect" in table else ()
        return Step(action, faces, note, expect, where, table)

    # Changes by the game master

    def parse_gm_step(self, do: str, table: Tree, where: Location) -> Step | None:
        """Parse a change by the game master. Returns None if its newcomer is invalid."""
        fields = self.system.gm_fields[do]
        own = (field.key for field in fields)
        self.report_unknown_keys(table, ("actor", "do", *COMMON_STEP_KEYS, *own, *RESULT_KEYS), where)
        values = self.parse_fields(fields, table, where)
        if do == CONDITION and values["bonus"] and values["condition"] != EVADING:
            self.problems.report_value(
                "scenario.value", f"no bonus with {values['condition']}", table["bonus"], where / "bonus"
            )
        if do == JOIN:
            given = values["newcomer"]
            values["newcomer"] = (
                None if given is None else self.parse_and_register_newcomer(given, values.get("at"), where)
            )
            if values["newcomer"] is None:
                return None
        return self.parse_common_fields(GmAction(do, tree=table, **values), table, where)

    def parse_and_register_newcomer(self, table: Tree, position: Any, where: Location) -> Any:
        """Parse the fighter of the table of a character who joins.

        Later steps may use its id.

        Returns None if there are errors.
        """
        place = where / "character"
        before, own_id = len(self.problems), self.parse_id(table, place)
        if position is not None and "at" in table:
            self.problems.report("scenario.value", "one place", "two", where / "at")
        if position is not None:
            table = {**table, "at": list(position)}
        fighter = self.parse_fighter(table, place)
        if len(self.problems) > before or not own_id:
            return None
        self.known[own_id] = table
        if own_id not in self.ids:
            self.ids.append(own_id)
        return fighter

    def parse_fighter(self, table: Tree, where: Location) -> Any:
        """Parse the fighter of a character's table. Returns None if there are errors."""
        if isinstance(self.system, BasicTurnSystem):
            found = self.parse_character(table, where, self.rulings_now, self.known)
            return found and found[0]
        before, row = len(self.problems), self.parse_character_fields(table, where)
        try:
            return self.system.build_fighter_from_fields(row) if len(self.problems) == before else None
        except ScratchError as error:
            self.problems += [each.with_location(where / each.where) for each in error.problems]
            return None

    def suggest_action_names(self, do: object) -> str:
        """Format what to write in place of an unknown name of an action."""
        if do == "strike":
            return "the file without this step, and without those that it strikes"
        if isinstance(do, str) and do in self.system.board_step_fields:
            return "an action that needs no board, for there is none"
        names = (*self.system.step_fields, *self.system.gm_fields)
        return f"{''.join(f'{each}, or else ' for each in suggest_names(str(do), names))}one of {', '.join(names)}"

    def report_misused_or_conflicting_keys(self, table: Tree, do: str, where: Location) -> None:
        """Add a problem for each shared key that this action lacks, and for contradictions.

        Keys that contradict each other count as one problem.
        """
        own = {field.key for field in self.system.step_fields[do]}
        for key in (each for each in self.system.shared_keys if each in table):
            if key == "with" and key not in own:
                self.problems.report_value("scenario.value", f"no ability with {do}", table[key], where / key)
            elif key != "with" and "target" not in own:
                self.problems.report_value("scenario.value", f"no {key} of {do}", table[key], where / key)
        clash = self.system.find_field_conflict(do, table)
        if clash and clash.key:
            self.problems.report_value("scenario.value", clash.expected, clash.got, where / clash.key, clash.rule)
        elif clash:
            self.problems.report("scenario.value", clash.expected, str(clash.got), where, clash.rule)

    # Expectations

    def parse_expectations(self, table: object, where: Location, *, is_end: bool) -> Expected:
        """Parse the expectations of a step, or of the end. Invalid ones are omitted."""
        if not isinstance(table, Mapping):
            self.problems.report_value("scenario.value", "a table of expectations", table, where)
            return ()
        pairs = []
        for key, value in flatten_one_level(table)[:MAX_STEPS]:
            problem = find_expectation_problem(self.system, key, value, self.ids, is_for_end=is_end)
            if problem:
                expected, got = problem
                place = Location(*where.path, *format_key(key).split("."))
                self.problems.report("scenario.value", expected, MISSING_VALUE if got is None else got, place)
            else:
                pairs.append((key, value))
        return tuple(pairs)


def flatten_one_level(table: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Flatten a table into pairs of a key and a value.

    An inner table is the second half of a path, as in an unquoted `hp.x = 3`.
    """
    found: list[tuple[str, Any]] = []
    for key, value in table.items():
        if isinstance(value, Mapping):
            found += [(f"{key}.{inner}", each) for inner, each in value.items()]
        else:
            found.append((str(key), value))
    return found
