"""The replay's query: which story, which step of it, which rulings, which changes; and every problem."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from urllib.parse import quote

from scratch_core.calculators.query import Query
from scratch_core.calculators.replay.changes import TEXT_LIMIT, Changes, read_changes, write_changes
from scratch_core.calculators.replay.shown import View
from scratch_core.calculators.replay.stories import Failed, Language, Story, forked_story, original_story
from scratch_core.calculators.replay.telling import Place, place_in
from scratch_core.calculators.words import one_line
from scratch_core.catalogue import Rulings, Switch, setting_words
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.scenario import SHIPPED

QUERY_LIMIT = 1_100_000
"""A query carries a whole file."""

MOST_PROBLEMS = 10

Taken = Iterator[tuple[tuple[str, str], str, str, str]]
"""What of a step can be taken over: where it stands, what is typed, what stands in its field, what the file has."""


class Reading(ABC):
    """One query while it is read, whatever the order of turns: each step notes its problems and goes on.

    `language` is that of its forks, `switches` the rulings that matter, `more` further controls.
    """

    language: Language
    switches: tuple[Switch, ...]
    more: tuple[str, ...] = ()

    def __init__(self, query: Query) -> None:
        self.query = query
        self.problems: list[Problem] = []
        self.dice = 0
        self.fields = {name: query.text(name).strip() for name in self.controls if name != "scenario"}
        self.fields["scenario"] = _text_of(query.raw.get("scenario", ""))

    @property
    def controls(self) -> tuple[str, ...]:
        """The names of all controls, in the order of the canonical query."""
        return ("scenario", *self.more, *(switch.name for switch in self.switches), "fork", "dice", "step")

    # What each order of turns brings

    @abstractmethod
    def view(self) -> View:
        """Answer the query; what can't be read is among its problems."""

    @abstractmethod
    def rulings(self, story: Story | Failed) -> tuple[tuple[str, str], ...]:
        """The rulings asked for, by name; one that can't be read is left as it stands."""

    @abstractmethod
    def thrown_fields(self, original: Story, story: Story) -> Taken:
        """The fields of the beginning's dice."""

    @abstractmethod
    def step_fields(self, label: str, original: Story, story: Story) -> Taken:
        """The fields of a step."""

    # The query

    @property
    def text(self) -> str:
        """The text of the scenario, or of the shipped one that is named."""
        text = self.fields["scenario"]
        return SHIPPED.get(text.strip(), text) if len(text) < 100 else text

    @property
    def canonical(self) -> str:
        """The query that opens this very answer."""
        return "&".join(
            f"{name}={(quoted if name == 'scenario' else quote)(self.fields[name])}"
            for name in self.controls
            if self.fields[name] and (name == "scenario" or len(self.fields[name]) <= TEXT_LIMIT)
        )

    def original(self) -> Story | Failed | None:
        """The file's own story, or why there is none; None where nothing is asked for, or too much."""
        self.dice = self.number("dice", 0)
        return original_story(self.text, self.dice) if self.is_readable(self.text) else None

    def shown_place(self) -> Place | None:
        """The place of the story that is asked for, None where there is no story; the problems are noted.

        A fork that can't be told is left out.
        """
        original = self.original()
        rulings = self.rulings(original or ())
        if original is None:
            return None
        if isinstance(original, tuple):
            self.note(original, "scenario")
            return None
        self.note(original.played.problems, "scenario")
        self.note(original.played.scenario.advice, "scenario", is_placed=False)
        changes, taken = self.changes()
        story = self.fork(original, rulings, changes)
        if taken is not None:
            changes = self.taken(taken, original, story, changes)
            story = self.fork(original, rulings, changes)
        self.fields["fork"] = write_changes(changes) if not self.has_problem("fork") else self.fields["fork"]
        step = self.step(len(story.played.records))
        self.fields["step"] = str(step)
        return place_in(self.text, original, story, changes, step)

    def note(self, problems: Sequence[Problem], control: str, *, is_placed: bool = True) -> None:
        """Note problems at a control; the place within it goes into the words."""
        for problem in problems[:MOST_PROBLEMS]:
            place = f" in {one_line(problem.where, 80)}" if is_placed and problem.where != control else ""
            got = f"{one_line(problem.got, 120)}{place}"
            self.problems.append(replace(problem, expected=one_line(problem.expected, 200), got=got, where=control))
        if len(problems) > MOST_PROBLEMS:
            more = f"{len(problems) - MOST_PROBLEMS:,} more problems"
            self.problems.append(Problem("replay.more", "these to be mended first", more, control, None, "advice"))

    def is_readable(self, text: str) -> bool:
        """Whether there is anything that may be a scenario; notes a problem where there is not."""
        if self.query.cut:
            problem = Problem("query.limit", f"{QUERY_LIMIT:,} characters at most in all", "more", "scenario")
            self.problems.append(problem)
            return False
        plain = text.strip() if len(text) < 1000 else text
        if plain and len(plain) < 1000 and "\n" not in plain and "=" not in plain and not plain.startswith("{"):
            expected = f"a scenario file, or the name of one that is here: {', '.join(SHIPPED)}"
            self.problems.append(Problem("replay.scenario", expected, shown(plain), "scenario"))
            return False
        return bool(plain) and not plain.isspace()

    def number(self, control: str, default: int) -> int:
        """The whole number in a control, `default` where there is none."""
        text = self.fields[control]
        if not text:
            return default
        if text.isascii() and text.isdigit() and len(text) <= 6:
            return int(text)
        self.problems.append(Problem(f"replay.{control}", "a whole number from 0 to 999999", shown(text), control))
        return default

    def rulings_typed(self) -> dict[str, str]:
        """The rulings typed into their controls, by name."""
        given = {}
        for switch in self.switches:
            text = self.fields[switch.name]
            if not text:
                continue
            try:
                given[switch.name] = setting_words(getattr(Rulings.read({switch.name: text}), switch.name))
            except ScratchError as error:
                self.note(error.problems, switch.name, is_placed=False)
        return given

    def has_problem(self, control: str) -> bool:
        """Whether something is wrong, and not only advised, at a control."""
        return any(problem.where == control and problem.severity == "error" for problem in self.problems)

    # The fork

    def changes(self) -> tuple[dict[tuple[str, str], str], str | None]:
        """The changes of the fork asked for, and the label of the step whose fields are to be taken over."""
        try:
            return read_changes(self.fields["fork"], self.language.keys)
        except ScratchError as error:
            self.note(error.problems, "fork")
            return {}, None

    def fork(self, original: Story, rulings: tuple[tuple[str, str], ...], changes: Changes) -> Story:
        """The story with these rulings and changes; the file's own, and problems, where that can't be told."""
        if not rulings and not changes:
            return original
        made = forked_story(self.text, self.dice, rulings, write_changes(changes), self.language)
        if isinstance(made, tuple):
            self.note(by_step(made), "fork")
            return original
        known = {problem.where for problem in original.played.problems}
        self.note(by_step([each for each in made.played.problems if each.where not in known]), "fork")
        return made

    def taken(self, label: str, original: Story, story: Story, changes: Changes) -> dict[tuple[str, str], str]:
        """The changes with the fields of a step taken over, where they differ from what the story has."""
        made = dict(changes)
        if self.has_problem("fork") or label not in ("0", *story.labels):
            return made
        fields = self.thrown_fields(original, story) if label == "0" else self.step_fields(label, original, story)
        for place, typed, now, first in fields:
            if plain_words(typed) == plain_words(now):
                continue
            made.pop(place, None)
            if plain_words(typed) != plain_words(first):
                made[place] = typed
        return made

    def typed(self, control: str, now: str) -> str:
        """What stands in a field, on one line and without what parts changes; as it is where there is no field."""
        if control not in self.query:
            return now
        return " ".join(self.query.text(control).replace(";", " ").split())

    def step(self, last: int) -> int:
        """The step asked for, the last one for any beyond it."""
        step = self.number("step", 0)
        if step > last:
            problem = Problem("replay.step", f"a step from 0 to {last}", f"{step}", "step", None, "advice")
            self.problems.append(problem)
        return min(step, last)


def by_step(problems: Sequence[Problem]) -> list[Problem]:
    """Problems whose places count steps from 1, as readers do: `steps[3].faces` → `faces of step 4`."""
    return [replace(problem, where=_place(problem.where)) for problem in problems]


def _place(where: str) -> str:
    head, _, rest = where.partition("]")
    number = head.removeprefix("steps[")
    if number == head or not number.isdigit():
        return where
    return f"{rest.lstrip('.')} of step {int(number) + 1}".removeprefix(" of ")


def plain_words(typed: str) -> str:
    """What was typed, with one blank between the words; commas count as blanks."""
    return " ".join(typed.replace(",", " ").split())


@lru_cache(maxsize=4)
def _text_of(raw: str) -> str:
    """The scenario's text from a query's raw value, which is long and the same for every step."""
    return Query({"scenario": raw}).text("scenario")


@lru_cache(maxsize=4)
def quoted(text: str) -> str:
    """A scenario's text as it stands in a query: long, and the same for every step."""
    return quote(text)
