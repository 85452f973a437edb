"""One query of the fight while it is answered: what its controls hold, what was pressed, and what is noted of it."""

from __future__ import annotations

from dataclasses import replace

from scratch_core.basic import SCRATCH
from scratch_core.calculators import packing
from scratch_core.calculators.fight.by_fields import ACT_CONTROLS
from scratch_core.calculators.fight.table import system_in
from scratch_core.calculators.fight.view import CONTROLS
from scratch_core.calculators.form import Form, one_line
from scratch_core.calculators.query import Query
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError
from scratch_core.rounds import SYSTEMS
from scratch_core.scenario import AnySystem

WORDS_LIMIT = 180


class Asked(Form):
    """One query. `command` is what was pressed, with what stands behind its first word; `say` is to be said aloud.

    `system` is the order of turns that is chosen, or in which the fight is. `is_whole`: all of the log was asked for;
    `eye` is where the reader looks. `fresh` are controls that the answer settles anew, `added` who was brought in.
    """

    def __init__(self, query: Query, roller: Roller | None) -> None:
        super().__init__(query, {name: query.text(name) for name in (*CONTROLS, *ACT_CONTROLS)})
        self.roller = roller
        self.command = query.text("act").strip()
        self.is_whole = bool(query.text("whole"))
        self.stroke = query.text("stroke").strip()
        self.packed = query.text(packing.NAME)
        self.eye = "log" if self.is_whole else ""
        self.say = self.added = ""
        self.fresh: set[str] = set()
        if self.fields["log"] in ("begin", "resume"):  # the buttons that put a new fight in place of what was typed
            self.command, self.fields["log"] = self.fields["log"], ""
        if self.command == "resume" and not self.fields["log"].strip():
            self.fields |= {"log": self.fields["before"], "before": ""}
        log = self.fields["log"].strip()
        self.system: AnySystem = SYSTEMS.get(system_in(log) if log else self.fields["system"], SCRATCH)
        if not self.system.roll_keys:  # no act throws dice: faces typed in another fight are none of this one's
            self.fields |= {"faces": "", "odds": ""}
        self.fields["odds"] = self.fields["odds"] if self.fields["odds"] == "on" else ""

    @property
    def word(self) -> str:
        """The first word of what was pressed."""
        return self.command.partition(" ")[0]

    @property
    def rest(self) -> str:
        """What stands behind the first word of what was pressed."""
        return self.command.partition(" ")[2]

    @property
    def typed(self) -> str:
        """The control of those who fight."""
        return "fighters" if self.system.character else "sheets"

    def note(self, problem: Problem, control: str, place: str = "") -> None:
        """Keep a problem at a control, in words that fit a line."""
        got = one_line(f"{problem.got} in {place}" if place else problem.got, WORDS_LIMIT)
        expected = one_line(problem.expected, WORDS_LIMIT)
        self.problems.append(replace(problem, where=control, expected=expected, got=got))

    def refuse(self, error: ScratchError, control: str, *, with_place: bool = False) -> None:
        """Keep the problems of an error at a control, each told with its place in the file where that is asked for."""
        for problem in error.problems:
            self.note(problem, control, problem.where if with_place else "")
