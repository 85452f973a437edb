"""The replay's query: which story, which step of it, which rulings, which changes; and every problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from urllib.parse import quote

from scratch_core.calculators.query import Query
from scratch_core.calculators.replay.answering import EDITS, answer_at, groups, initiative_faces, step_fields
from scratch_core.calculators.replay.board import BOARD_EDITS, board_actions
from scratch_core.calculators.replay.changes import TEXT_LIMIT, Changes, read_changes, write_changes
from scratch_core.calculators.replay.log import LONGEST_SAID
from scratch_core.calculators.replay.shown import BASIC_ACTIONS, BASIC_SWITCHES, WAY_WORDS, Answer, View
from scratch_core.calculators.replay.stories import Failed, Story, forked_story, original_story
from scratch_core.calculators.words import one_line
from scratch_core.catalogue import Rulings, setting_words
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.scenario import SHIPPED, WAYS

QUERY_LIMIT = 1_100_000
"""A query carries a whole file."""

CONTROLS = ("scenario", "way", *(switch.name for switch in BASIC_SWITCHES), "fork", "dice", "step")
"""The names of all controls, in the order of the canonical query."""

MOST_PROBLEMS = 10


Other = Callable[[Query, str], View | None]
"""What answers a query for a file of another turn order; None where the file is none."""


def no_other(query: Query, text: str) -> None:
    """Answer nothing: there is no other turn order to be asked for."""


class Reading:
    """One query while it is read: each step notes its problems and goes on."""

    def __init__(self, query: Query, other: Other = no_other) -> None:
        self.other = other
        self.query = query
        self.problems: list[Problem] = []
        self.fields = {name: query.text(name).strip() for name in CONTROLS if name != "scenario"}
        self.fields["scenario"] = _text_of(query.raw.get("scenario", ""))

    def note(self, problems: Sequence[Problem], control: str, *, is_placed: bool = True) -> None:
        """Note problems at a control; the place within it goes into the words."""
        for problem in problems[:MOST_PROBLEMS]:
            place = f" in {one_line(problem.where, 80)}" if is_placed and problem.where != control else ""
            got = f"{one_line(problem.got, 120)}{place}"
            self.problems.append(replace(problem, expected=one_line(problem.expected, 200), got=got, where=control))
        if len(problems) > MOST_PROBLEMS:
            more = f"{len(problems) - MOST_PROBLEMS:,} more problems"
            self.problems.append(Problem("replay.more", "these to be mended first", more, control, None, "advice"))

    def view(self) -> View:
        """Answer the query; what can't be read is among its problems."""
        name = self.fields["scenario"].strip() if len(self.fields["scenario"]) < 100 else ""
        text = SHIPPED.get(name, self.fields["scenario"])
        dice = self.number("dice", 0)
        way = self.way()
        rulings = self.rulings(way)
        answer, current = None, Rulings()
        if self.is_readable(text):
            original = original_story(text, dice)
            if isinstance(original, tuple):
                other = self.other(self.query, text) if _is_other(original) else None
                if other:
                    return other
                self.note(original, "scenario")
            else:
                self.note(original.played.problems, "scenario")
                self.note(original.played.scenario.advice, "scenario", is_placed=False)
                current, answer = self.answer(text, dice, original, rulings)
        if answer:
            self.fields["step"] = str(answer.step)
        return View(
            query="&".join(
                f"{name}={(quoted if name == 'scenario' else quote)(self.fields[name])}"
                for name in CONTROLS
                if self.fields[name] and (name == "scenario" or len(self.fields[name]) <= TEXT_LIMIT)
            ),
            summary=summary_of(answer),
            problems=tuple(self.problems),
            fields=self.fields,
            is_shipped=text == SHIPPED["worked-combat"],
            way=way,
            dice=dice,
            rulings=current,
            answer=answer,
            actions=board_actions() if answer and answer.board else BASIC_ACTIONS,
        )

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

    def way(self) -> str:
        """The way asked for, "" for none."""
        way = self.fields["way"]
        if way and way not in WAYS:
            self.problems.append(Problem("replay.way", f"one of {', '.join(WAYS)}", shown(way), "way"))
            return ""
        return way

    def rulings(self, way: str) -> tuple[tuple[str, str], ...]:
        """The rulings asked for, by name; one that can't be read is left as it stands."""
        given = dict(self.rulings_of(way))
        for switch in BASIC_SWITCHES:
            text = self.fields[switch.name]
            if not text:
                continue
            try:
                given[switch.name] = setting_words(getattr(Rulings.read({switch.name: text}), switch.name))
            except ScratchError as error:
                self.note(error.problems, switch.name, is_placed=False)
        return tuple(sorted(given.items()))

    def rulings_of(self, way: str) -> tuple[tuple[str, str], ...]:
        """The rulings of a way of playing, by name."""
        return tuple(sorted((name, setting_words(value)) for name, value in WAYS.get(way, {}).items()))

    def answer(
        self, text: str, dice: int, original: Story, rulings: tuple[tuple[str, str], ...]
    ) -> tuple[Rulings, Answer]:
        """The story to show and its moment; a fork that can't be told is left out, and its problems are noted."""
        changes, taken = self.changes(original)
        story = self.fork(text, dice, original, rulings, changes)
        if taken is not None:
            changes = self.taken(taken, original, story, changes)
            story = self.fork(text, dice, original, rulings, changes)
        self.fields["fork"] = write_changes(changes) if not self.has_problem("fork") else self.fields["fork"]
        step = self.step(len(story.played.records))
        answer = answer_at(text, original, story, changes, step)
        if text == SHIPPED["worked-combat"] and rulings == self.rulings_of(self.fields["way"]) and not changes:
            answer = replace(answer, labels=(WAY_WORDS.get(self.fields["way"], "").lower(), "by the rules"))
        return story.played.scenario.rulings, answer

    def has_problem(self, control: str) -> bool:
        """Whether something is wrong, and not only advised, at a control."""
        return any(problem.where == control and problem.severity == "error" for problem in self.problems)

    def changes(self, original: Story) -> tuple[dict[tuple[str, str], str], str | None]:
        """The changes of the fork asked for, and the label of the step whose fields are to be taken over."""
        try:
            return read_changes(self.fields["fork"])
        except ScratchError as error:
            self.note(error.problems, "fork")
            return {}, None

    def fork(
        self, text: str, dice: int, original: Story, rulings: tuple[tuple[str, str], ...], changes: Changes
    ) -> Story:
        """The story with these rulings and changes; the file's own, and problems, where that can't be told."""
        if not rulings and not changes:
            return original
        made = forked_story(text, dice, rulings, write_changes(changes))
        if isinstance(made, tuple):
            self.note(by_step(made), "fork")
            return original
        known = {problem.where for problem in original.played.problems}
        self.note(by_step([each for each in made.played.problems if each.where not in known]), "fork")
        return made

    def taken(self, label: str, original: Story, story: Story, changes: Changes) -> dict[tuple[str, str], str]:
        """The changes with the fields of a step taken over, where they differ from what the story has."""
        if self.has_problem("fork") or label not in ("0", *story.labels):
            return dict(changes)
        if label == "0":
            pairs = [
                (("0", group.name), group.control, group.faces, initiative_faces(original, group.name))
                for group in groups(story.played.begun)
                if group.control
            ]
        else:
            ours = step_fields(story.played.records[story.labels.index(label)])
            theirs = step_fields(original.played.records[int(label) - 1]) if label.isdigit() else {}
            keys = (*EDITS, *BOARD_EDITS) if story.played.scenario.board else EDITS
            pairs = [((label, key), f"{key}_{label}", ours[key], theirs.get(key, "")) for key in keys]
        made = dict(changes)
        if not any(control in self.query for _, control, *_ in pairs):
            return made
        for place, control, now, first in pairs:
            typed = " ".join(self.query.text(control).replace(";", " ").split())
            if plain_words(typed) == plain_words(now) or (
                place[1] in ("actor", "do") and place[0] != "0" and not typed
            ):
                continue
            made.pop(place, None)
            if plain_words(typed) != plain_words(first):
                made[place] = typed
        return made

    def step(self, last: int) -> int:
        """The step asked for, the last one for any beyond it."""
        step = self.number("step", 0)
        if step > last:
            problem = Problem("replay.step", f"a step from 0 to {last}", f"{step}", "step", None, "advice")
            self.problems.append(problem)
        return min(step, last)


def _is_other(problems: Failed) -> bool:
    """Whether a file may be refused for its system alone, which another module plays."""
    return any(problem.where.startswith("system") for problem in problems)


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


def summary_of(answer: Answer | None) -> str:
    """One sentence for who hears the page."""
    if answer is None:
        return ""
    if answer.now is None:
        return one_line(f"Before the first of {answer.last} steps.", LONGEST_SAID)
    return one_line(f"Step {answer.step} of {answer.last}: {answer.now.say}", LONGEST_SAID)


@lru_cache(maxsize=4)
def _text_of(raw: str) -> str:
    """The scenario's text from a query's raw value, which is long and the same for every step."""
    return Query({"scenario": raw}).text("scenario")


@lru_cache(maxsize=4)
def quoted(text: str) -> str:
    """A scenario's text as it stands in a query: long, and the same for every step."""
    return quote(text)
