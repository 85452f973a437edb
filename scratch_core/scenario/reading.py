"""From a tree to a scenario: everything is looked at, and every problem is told at once with its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scratch_core.abilities import INERT, NAMES, canonical
from scratch_core.actions import AT_SOMEBODY, BOARD_NAMES, WITH, Action
from scratch_core.actions import NAMES as ACTION_NAMES
from scratch_core.board import Board
from scratch_core.catalogue import Rulings
from scratch_core.characters import Draft
from scratch_core.characters.draft import NAME_LIMIT, tidy
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.scenario import board_keys
from scratch_core.scenario.expecting import expectation_problem
from scratch_core.scenario.records import FORMAT, Expected, Scenario, Step, Tree
from scratch_core.scenario.text import printable, read_text
from scratch_core.state import SURROUNDINGS, Fighter, fighter

STEPS_LIMIT = 1_000
CHARACTERS_LIMIT = 100
FACES_LIMIT = 100
TEXT_LIMIT = 10_000
PROBLEMS_LIMIT = 100
"""The most steps, characters, faces in a list, characters of a text, and problems told."""

NUMBER_LIMIT = 1_000_000

_ID = re.compile(r"[a-z0-9-]{1,100}")
_TOP = ("format", "title", "system", "rulings", "characters", "initiative", "board", "steps", "expect")
_CHARACTER = (
    *("id", "name", "side", "group", "abilities", "hp", "minion_of", "printed", "here", "description", "notes"),
)
_STEP = ("actor", "do", "with", "target", "targets", "faces", "note", "expect")
_CHECK = ("ability", "difficulty", "requires")
_CRAFT = ("ability", "add", "hurry", "difficulty")
WRITTEN = ("n", "legal", "prevented", "rule", "rules", "rolls", "events", "say", "error")
"""What a record of a play adds to a step: read over, so that a play can be played again."""

_OTHER_SYSTEMS = ("mano", "mano-old", "seize")


def read(data: str | bytes) -> Scenario:
    """Read a scenario from the text of a file, TOML or JSON. Raises `ScratchError` with every problem and its place."""
    tree, lines = read_text(data)
    return read_tree(tree, lines)


def read_tree(tree: object, lines: Mapping[str, int] | None = None) -> Scenario:
    """Read a scenario from its tree. Raises `ScratchError` with problems and places, `PROBLEMS_LIMIT` at most."""
    reading = Reading(lines or {})
    scenario = reading.scenario(tree)
    if reading.problems or scenario is None:
        raise ScratchError(*reading.problems[:PROBLEMS_LIMIT])
    return scenario


class Reading:
    """One pass over a tree; what is wrong is collected, what is right is kept."""

    def __init__(self, lines: Mapping[str, int]) -> None:
        self.lines = lines
        self.problems: list[Problem] = []
        self.ids: list[str] = []
        self.board: Board | None = None
        self.has_board = False

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

    # The file

    def scenario(self, tree: object) -> Scenario | None:
        """The scenario of a whole tree, None where it has errors."""
        if not isinstance(tree, Mapping):
            self.wrong("a table", tree, "the file")
            return None
        if tree.get("format") != FORMAT:
            self.wrong(f'"{FORMAT}"', tree.get("format", NOTHING), "format")
            return None
        system = tree.get("system", "scratch")
        if system in _OTHER_SYSTEMS if isinstance(system, str) else False:
            self.wrong('"scratch", the only system played here', system, "system")
            return None
        if system != "scratch":
            self.wrong(f"one of scratch, {', '.join(_OTHER_SYSTEMS)}", system, "system")
        self.board, self.has_board = board_keys.read_map(self, tree), "board" in tree
        self.keys(tree, (*_TOP, "advice", "state"), "")
        rulings = self.rulings(tree.get("rulings", {}))
        fighters, drafts = self.characters(tree.get("characters", NOTHING), rulings)
        groups = {each.group for each in fighters} if len(fighters) == len(self.ids) else None
        board_keys.check_places(self, fighters)
        initiative = self.initiative(tree.get("initiative", {}), groups)
        title = self.text(tree, "title", "title")
        steps = self.steps(tree.get("steps", []))
        expect = self.expect(tree.get("expect", {}), "expect", is_end=True)
        if self.problems:
            return None
        return Scenario(title, rulings, fighters, drafts, initiative, steps, expect, tree, self.board)

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

    def rulings(self, table: object) -> Rulings:
        """The rulings of the file; one that can't be read is left at its default."""
        if not isinstance(table, Mapping):
            self.wrong("a table of rulings", table, "rulings")
            return Rulings()
        try:
            plain = {
                short(key): value if isinstance(value, str | int) else shown(value) for key, value in table.items()
            }
            return Rulings.read(plain)
        except ScratchError as error:
            for problem in error.problems[:PROBLEMS_LIMIT]:
                name = problem.where if problem.where != "the rulings" else problem.got.strip("'")
                self.problems.append(replace(problem, where=self.place(f"rulings.{short(name)}")))
            return Rulings()

    # Characters

    def characters(self, items: object, rulings: Rulings) -> tuple[tuple[Fighter, ...], tuple[Draft, ...]]:
        """The fighters, and the drafts that they were made from."""
        if not isinstance(items, list) or not items:
            self.wrong("a list of characters", items, "characters")
            return (), ()
        if len(items) > CHARACTERS_LIMIT:
            self.wrong(f"{CHARACTERS_LIMIT} characters at most", Said(str(len(items))), "characters")
            return (), ()
        tables = [(each, f"characters[{n}]") for n, each in enumerate(items)]
        self.ids = [str(each.get("id", "")) for each, _ in tables if isinstance(each, Mapping)]
        leaders = self.leaders(tables)
        made = [self.character(each, where, rulings, leaders) for each, where in tables]
        found = [each for each in made if each is not None]
        return tuple(each for each, _ in found), tuple(draft for _, draft in found)

    def leaders(self, tables: list[tuple[Any, str]]) -> dict[str, Mapping[str, Any]]:
        """The tables by id, to look up a minion's leader in."""
        found: dict[str, Mapping[str, Any]] = {}
        for table, where in tables:
            if not isinstance(table, Mapping):
                self.wrong("a table of a character", table, where)
                continue
            own_id = table.get("id", NOTHING)
            if not isinstance(own_id, str) or not _ID.fullmatch(own_id):
                self.wrong("an id of small letters, digits and hyphens", own_id, f"{where}.id")
            elif own_id in found:
                self.wrong("each id once", own_id, f"{where}.id")
            else:
                found[own_id] = table
        return found

    def character(
        self, table: Any, where: str, rulings: Rulings, leaders: Mapping[str, Mapping[str, Any]]
    ) -> tuple[Fighter, Draft] | None:
        """A fighter, and the draft that it was made from; None where it has errors."""
        if not isinstance(table, Mapping):
            return None
        before = len(self.problems)
        if "at" in table and not self.has_board:
            self.wrong("no place, for there is no board", table["at"], f"{where}.at")
        self.keys(table, (*_CHARACTER, "at"), where)
        own_id = table.get("id")
        leader = self.leader(table, where, leaders)
        name = tidy(self.text(table, "name", f"{where}.name", NAME_LIMIT)) or str(own_id)
        side = self.inherited(table, "side", where, leaders)
        group = self.inherited(table, "group", where, leaders)
        here = self.here(["level"] if self.has_board else table.get("here", ["level"]), f"{where}.here")
        at = board_keys.place_of(self, table, where, self.board) if self.board else None
        draft = self.draft(table, where, leader)
        if draft is None or len(self.problems) > before or not isinstance(own_id, str):
            return None
        character = replace(draft.character(), name=own_id)
        hp = self.hp(table, where, character.max_hp().value)
        more: dict[str, Any] = {"side": side, "group": group, "here": here, "hp": hp, "at": at}
        return fighter(character, name=name, rulings=rulings, **more), draft

    def leader(self, table: Tree, where: str, leaders: Mapping[str, Mapping[str, Any]]) -> str:
        """The id of a minion's leader, "" for everybody else."""
        leader = self.text(table, "minion_of", f"{where}.minion_of")
        if not leader:
            return ""
        if leader not in leaders or leader == table.get("id"):
            self.wrong("the id of another character", leader, f"{where}.minion_of")
            return ""
        return leader

    def inherited(self, table: Tree, key: str, where: str, leaders: Mapping[str, Mapping[str, Any]]) -> str:
        """A minion's side and group are its leader's, unless given; anybody else's are its own id."""
        for _ in range(CHARACTERS_LIMIT + 1):
            value = table.get(key)
            if value is not None:
                if not isinstance(value, str) or not value.strip() or len(value) > NAME_LIMIT:
                    self.wrong(f"a name of {NAME_LIMIT} characters at most", value, f"{where}.{key}")
                return printable(str(value))
            leader = table.get("minion_of")
            if not isinstance(leader, str) or leader not in leaders:
                return str(table.get("id"))
            table = leaders[leader]
        self.wrong("a leader who is nobody's minion in turn", Said("a circle"), f"{where}.minion_of")
        return ""

    def here(self, words: object, where: str) -> list[str]:
        """What a character has around it."""
        if not isinstance(words, list):
            self.wrong(f"a list of {', '.join(SURROUNDINGS)}", words, where)
            return []
        strange = [word for word in words[:FACES_LIMIT] if word not in SURROUNDINGS]
        for word in strange:
            self.wrong(f"one of {', '.join(SURROUNDINGS)}", word, where)
        return [] if strange else words[:FACES_LIMIT]

    def draft(self, table: Tree, where: str, leader: str) -> Draft | None:
        """The draft of a character, None where it can't be read."""
        sheet = {key: table[key] for key in ("abilities", "printed", "notes", "description") if key in table}
        draft = replace(Draft.from_dict(sheet), minion_of=leader)
        for problem in draft.reading_problems():
            if problem.severity == "error":
                self.problems.append(replace(problem, where=self.place(f"{where}.{problem.where}")))
        return draft if draft.is_readable() else None

    def hp(self, table: Tree, where: str, most: int) -> int | None:
        """Hit points at the start, None where the file leaves them at the most."""
        if "hp" not in table:
            return None
        hp = table["hp"]
        if type(hp) is not int or not 0 <= hp <= most:
            self.wrong(f"hit points from 0 to {most}", hp, f"{where}.hp", "hp.max")
            return None
        return hp

    def initiative(self, table: object, groups: set[str] | None) -> dict[str, tuple[int, ...]]:
        """Faces by group; `groups` is None where a character could not be read, so that its group is not known."""
        if not isinstance(table, Mapping):
            self.wrong("a table of faces by group", table, "initiative")
            return {}
        table = {printable(str(group)): faces for group, faces in table.items()}
        for group in list(table)[:PROBLEMS_LIMIT]:
            if groups is not None and group not in groups:
                names = ", ".join(map(short, sorted(groups)[:20]))
                self.wrong(f"one of the groups {names}", group, f"initiative.{short(group)}")
        return {group: self.faces(faces, f"initiative.{short(group)}") for group, faces in table.items()}

    def faces(self, faces: object, where: str) -> tuple[int, ...]:
        """Faces of 20-sided dice."""
        if not isinstance(faces, list) or len(faces) > FACES_LIMIT:
            self.wrong("a list of faces from 1 to 20", faces, where)
            return ()
        for place, face in enumerate(faces):
            if type(face) is not int or not 1 <= face <= 20:
                self.wrong("a face from 1 to 20", face, f"{where}[{place}]", "roll.die-substitute")
        return tuple(faces)

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
        names = (*ACTION_NAMES, *BOARD_NAMES) if self.has_board else ACTION_NAMES
        if do not in names if isinstance(do, str) else True:
            expected = f"one of {', '.join(names)}"
            is_grid = isinstance(do, str) and do in BOARD_NAMES
            self.wrong("an action that needs no board, for there is none" if is_grid else expected, do, f"{where}.do")
            return None
        self.keys(table, (*_STEP, *self.more_keys(do), *WRITTEN), where)
        action = self.action(table, str(do), where)
        faces = self.faces(table["faces"], f"{where}.faces") if "faces" in table else None
        note = self.text(table, "note", f"{where}.note")
        expect = self.expect(table.get("expect", {}), f"{where}.expect", is_end=False)
        return Step(action, faces, note, expect, where, table)

    def more_keys(self, do: str) -> tuple[str, ...]:
        """The keys that only this action has."""
        on_board = board_keys.KEYS.get(do, ()) if self.has_board else ()
        return {"check": _CHECK, "craft": _CRAFT}.get(do, on_board)

    def action(self, table: Tree, do: str, where: str) -> Action:
        """The action of a step."""
        actor = "" if do == "end-encounter" and "actor" not in table else self.id(table, "actor", where)
        action = Action(actor, do, self.targets(table, do, where), self.uses(table, do, where))
        if do == "check":
            ability = self.ability(table, where) if "ability" in table else ""
            requires = self.flag(table, "requires", False, where)
            return replace(action, ability=ability, difficulty=self.difficulty(table, where), requires=requires)
        if do == "craft":
            add, hurry = self.flag(table, "add", True, where), self.flag(table, "hurry", False, where)
            ability, difficulty = self.ability(table, where), self.hurry_difficulty(table, where)
            return replace(action, ability=ability, add=add, hurry=hurry, difficulty=difficulty)
        return board_keys.with_board_keys(self, action, table, where) if self.has_board else action

    def id(self, table: Tree, key: str, where: str) -> str:
        """The id of somebody who takes part."""
        value = table.get(key, NOTHING)
        if not isinstance(value, str) or value not in self.ids:
            names = ", ".join(map(short, self.ids[:20]))
            self.wrong(f"the id of a character ({names})", value, f"{where}.{key}")
            return ""
        return value

    def targets(self, table: Tree, do: str, where: str) -> tuple[str, ...]:
        """Whom a step is aimed at; a double attack at one target names it twice."""
        if do not in (*AT_SOMEBODY, "reposition", "interrupt") or (do == "blast" and self.has_board):
            for key in ("target", "targets"):
                if key in table and do != "bonus":
                    self.wrong(f"no {key} of {do}", table[key], f"{where}.{key}")
            return (self.id(table, "target", where),) if "target" in table else ()
        if "targets" not in table:
            found: tuple[str, ...] = (self.id(table, "target", where),)
        elif "target" in table:
            self.wrong("target or targets", Said("both"), f"{where}.targets")
            return ()
        else:
            found = self.many(table["targets"], f"{where}.targets")
        return found * 2 if do == "double-attack" and len(found) == 1 else found

    def many(self, items: object, where: str) -> tuple[str, ...]:
        """Several ids."""
        if not isinstance(items, list) or len(items) > CHARACTERS_LIMIT:
            self.wrong("a list of ids of characters", items, where)
            return ()
        return tuple(self.id({f"targets[{n}]": each}, f"targets[{n}]", where[:-8]) for n, each in enumerate(items))

    def uses(self, table: Tree, do: str, where: str) -> tuple[str, ...] | None:
        """The abilities that an action is done with; None where the file leaves that open."""
        if "with" not in table:
            return None
        given, place = table["with"], f"{where}.with"
        if do not in WITH:
            self.wrong(f"no ability with {do}", given, place)
            return None
        if given == "none":
            return ()
        names = given if isinstance(given, list) else [given]
        if not names or len(names) > len(NAMES):
            self.wrong('an ability, several, or "none"', given, place)
            return None
        return tuple(self.name(name, place) for name in names)

    def name(self, value: object, where: str) -> str:
        """The canonical name of an ability."""
        found = canonical(value) if isinstance(value, str) and len(value) <= NAME_LIMIT else None
        if found is None:
            self.wrong(f"one of the abilities {', '.join((*NAMES, *INERT))}", value, where)
            return ""
        return found

    def ability(self, table: Tree, where: str) -> str:
        """The ability of a check."""
        return self.name(table.get("ability", NOTHING), f"{where}.ability")

    def difficulty(self, table: Tree, where: str) -> int:
        """The difficulty of a check."""
        value = table.get("difficulty", NOTHING)
        if type(value) is not int or abs(value) > NUMBER_LIMIT:
            self.wrong(f"a whole number from -{NUMBER_LIMIT:,} to {NUMBER_LIMIT:,}", value, f"{where}.difficulty")
            return 0
        return value

    def hurry_difficulty(self, table: Tree, where: str) -> int:
        """The difficulty of work in a hurry, 0 for the usual one (ruling A39). Rule: `craft.hurry`."""
        if "difficulty" not in table:
            return 0
        value = table["difficulty"]
        if table.get("hurry") is not True:
            self.wrong("no difficulty without hurry", value, f"{where}.difficulty", "craft.hurry")
        elif type(value) is not int or not 1 <= value <= NUMBER_LIMIT:
            self.wrong(f"a whole number from 1 to {NUMBER_LIMIT:,}", value, f"{where}.difficulty")
        else:
            return value
        return 0

    def flag(self, table: Tree, key: str, default: bool, where: str) -> bool:
        """A true or false, `default` where there is none."""
        value = table.get(key, default)
        if type(value) is not bool:
            self.wrong("true or false", value, f"{where}.{key}")
            return default
        return value

    # Expectations

    def expect(self, table: object, where: str, *, is_end: bool) -> Expected:
        """What a step, or the end, is expected to bring."""
        if not isinstance(table, Mapping):
            self.wrong("a table of expectations", table, where)
            return ()
        pairs = []
        for key, value in flat(table)[:STEPS_LIMIT]:
            problem = expectation_problem(key, value, self.ids, is_end=is_end)
            if problem:
                expected, got = problem
                self.wrong(expected, NOTHING if got is None else got, f"{where}.{short(key)}")
            else:
                pairs.append((key, value))
        return tuple(pairs)


class Said(str):
    """Words that stand in a message as they are."""

    __slots__ = ()


NOTHING = Said("nothing")


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
