"""The replay's query: which story, which step of it, which rulings, which changes; and every problem."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from urllib.parse import quote

from scratch_core.calculators.replay.fork_changes import TEXT_LIMIT, Changes, read_changes, write_changes
from scratch_core.calculators.replay.moment import answer_at, place_in, summary, throws
from scratch_core.calculators.replay.playthroughs import Failed, Story, forked_story, original_story
from scratch_core.calculators.replay.step_editor import fields_of, keys_of, needed_values, typed_fields
from scratch_core.calculators.replay.view_model import CONTROLS, WAY_WORDS, Moment, View
from scratch_core.calculators.shared.form import Form, few, one_line
from scratch_core.calculators.shared.query import Query
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook import RULE_OPTIONS, RulingSettings, format_setting
from scratch_core.scenario import SAMPLE_SCENARIOS, TURN_SYSTEMS, WORKED_COMBAT_RULINGS, AnySystem

QUERY_LIMIT = 1_100_000
"""A query carries a whole file."""

MOST_PROBLEMS = 10

Taken = Iterator[tuple[tuple[str, str], str, str, str]]
"""What of a step can be taken over: where it stands, what is typed, what stands in its field, what the file has."""


class Reading(Form):
    """One query while it is read: each step notes its problems and goes on. `chosen` are the rulings asked for."""

    def __init__(self, query: Query) -> None:
        super().__init__(query, {name: query.text(name).strip() for name in CONTROLS if name != "scenario"})
        self.fields["scenario"] = _text_of(query.raw.get("scenario", ""))
        self.dice = 0
        self.chosen: dict[str, str] = {}

    def view(self, place: Moment | None) -> View:
        """What is told of a place, with the problems met on the way to it."""
        answer = answer_at(place) if place else None
        is_worked = self.text == SAMPLE_SCENARIOS["worked-combat"]
        if answer and place and is_worked and not place.changes and self.chosen == _rulings_of(self.fields["way"]):
            answer = replace(answer, labels=(WAY_WORDS.get(self.fields["way"], "").lower(), "by the rules"))
        system = place.story.played.system if place else TURN_SYSTEMS["scratch"]
        return View(
            query=self.canonical,
            summary=summary(answer),
            problems=tuple(self.problems),
            fields=self.fields,
            is_shipped=is_worked,
            way=self.way,
            dice=self.dice,
            rulings=place.story.played.scenario.rulings if place else RulingSettings(),
            answer=answer,
            switches=tuple(each for each in RULE_OPTIONS if each.name in system.rule_options),
        )

    @property
    def way(self) -> str:
        """The way of playing that is asked for, "" for none, and for what is none."""
        return self.fields["way"] if self.fields["way"] in WORKED_COMBAT_RULINGS else ""

    # The query

    @property
    def text(self) -> str:
        """The text of the scenario, or of the shipped one that is named."""
        text = self.fields["scenario"]
        return SAMPLE_SCENARIOS.get(text.strip(), text) if len(text) < 100 else text

    @property
    def canonical(self) -> str:
        """The query that opens this very answer."""
        return "&".join(
            f"{name}={(quoted if name == 'scenario' else quote)(self.fields[name])}"
            for name in CONTROLS
            if self.fields[name] and (name == "scenario" or len(self.fields[name]) <= TEXT_LIMIT)
        )

    def original(self) -> Story | Failed | None:
        """The file's own story, or why there is none; None where nothing is asked for, or too much."""
        self.dice = self.number("dice")
        return original_story(self.text, self.dice) if self.is_readable(self.text) else None

    def shown_place(self) -> Moment | None:
        """The place of the story that is asked for, None where there is no story; the problems are noted.

        A fork that can't be told is left out.
        """
        original = self.original()
        rulings = self.rulings(original.played.system if isinstance(original, Story) else TURN_SYSTEMS["scratch"])
        if original is None:
            return None
        if isinstance(original, tuple):
            self.note(original, "scenario")
            return None
        self.note(original.played.problems, "scenario")
        self.note(original.played.scenario.advice, "scenario", is_placed=False)
        changes, taken = self.changes(original)
        story = self.fork(original, rulings, changes)
        if taken is not None:
            changes = self.taken(taken, original, story, changes)
            story = self.fork(original, rulings, changes)
        self.fields["fork"] = write_changes(changes) if not self.has_problem("fork") else self.fields["fork"]
        step = self.step(len(story.played.results))
        self.fields["step"] = str(step)
        return place_in(self.text, original, story, changes, step)

    def note(self, problems: Sequence[Problem], control: str, *, is_placed: bool = True) -> None:
        """Note problems at a control; the place within it goes into the words."""
        noted = []
        for problem in problems:
            place = f" in {one_line(problem.where, 80)}" if is_placed and problem.where != control else ""
            got = f"{one_line(problem.got, 120)}{place}"
            facts = {"place": problem.where, **problem.facts}
            noted.append(
                replace(problem, expected=one_line(problem.expected, 200), got=got, where=control, facts=facts)
            )
        self.problems += few(noted, MOST_PROBLEMS, "replay.more")

    def is_readable(self, text: str) -> bool:
        """Whether there is anything that may be a scenario; notes a problem where there is not."""
        if self.query.cut:
            self.add_cut("scenario", QUERY_LIMIT)
            return False
        plain = text.strip() if len(text) < 1000 else text
        if plain and len(plain) < 1000 and "\n" not in plain and "=" not in plain and not plain.startswith("{"):
            expected = f"a scenario file, or the name of one that is here: {', '.join(SAMPLE_SCENARIOS)}"
            self.add_problem("replay.scenario", expected, format_input(plain), "scenario")
            return False
        return bool(plain) and not plain.isspace()

    def number(self, control: str) -> int:
        """The whole number in a control, 0 where there is none."""
        return self.whole_number(control, 999_999)

    def rulings(self, system: AnySystem) -> tuple[tuple[str, str], ...]:
        """The rulings asked for, those of a way among them; one that can't be read is left as it stands."""
        given = _rulings_of(
            self.choice("way", WORKED_COMBAT_RULINGS, "replay.way", f"one of {', '.join(WORKED_COMBAT_RULINGS)}")
        )
        given |= {name: format_setting(value) for name, value in self.settings(system.rule_options).items()}
        self.chosen = {name: value for name, value in given.items() if name in system.rule_options}
        return tuple(sorted(self.chosen.items()))

    def has_problem(self, control: str) -> bool:
        """Whether something is wrong, and not only advised, at a control."""
        return any(problem.where == control and problem.severity == "error" for problem in self.problems)

    # The fork

    def changes(self, original: Story) -> tuple[dict[tuple[str, str], str], str | None]:
        """The changes of the fork asked for, and the label of the step whose fields are to be taken over."""
        try:
            return read_changes(self.fields["fork"], keys_of(original.played.system))
        except ScratchError as error:
            self.note(error.problems, "fork")
            return {}, None

    def fork(self, original: Story, rulings: tuple[tuple[str, str], ...], changes: Changes) -> Story:
        """The story with these rulings and changes; the file's own, and problems, where that can't be told."""
        if not rulings and not changes:
            return original
        made = forked_story(self.text, self.dice, rulings, write_changes(changes))
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
        fields = [*(self.thrown_fields(original, story) if label == "0" else self.step_fields(label, original, story))]
        has = {place for place, *_ in fields}
        made = {place: value for place, value in made.items() if place[0] != label or label == "0" or place in has}
        for place, typed, now, first in fields:
            if plain_words(typed) == plain_words(now):
                continue
            made.pop(place, None)
            if plain_words(typed) != plain_words(first):
                made[place] = typed
        return made

    def thrown_fields(self, original: Story, story: Story) -> Taken:
        """The fields of the beginning's dice."""
        own = {each.who: each.faces for each in throws(original)}
        for each in throws(story):
            if each.control:
                yield ("0", each.who), self.typed(each.control, each.faces), each.faces, own.get(each.who, "")

    def step_fields(self, label: str, original: Story, story: Story) -> Taken:
        """The fields of a step; another act has its own, and comes with what it can't do without."""
        system, at = story.played.system, story.labels.index(label)
        record = story.played.results[at]
        ours = typed_fields(system, record)
        theirs = typed_fields(system, original.played.results[int(label) - 1]) if label.isdigit() else {}
        do = record.do if record.is_gm_action else self.typed(f"do_{label}", record.do) or record.do
        keys = [*([] if record.is_gm_action else ["actor", "do"]), *(field.key for field in fields_of(system, do))]
        typed = {key: self.typed(f"{key}_{label}", ours.get(key, "")) for key in keys}
        if do not in (record.do, theirs.get("do")) and do in system.step_fields:
            needed = needed_values(system, story.played.states[at], typed["actor"], do)
            typed |= {key: typed[key] or value for key, value in needed.items()}
        for key, value in typed.items():
            if value or key not in ("actor", "do") or not system.needs_actor(do):
                yield (label, key), value, ours.get(key, ""), theirs.get(key, "")

    def typed(self, control: str, now: str) -> str:
        """What stands in a field, on one line and without what parts changes; as it is where there is no field."""
        if control not in self.query:
            return now
        return " ".join(self.query.text(control).replace(";", " ").split())

    def step(self, last: int) -> int:
        """The step asked for, the last one for any beyond it."""
        step = self.number("step")
        if step > last:
            self.add_problem("replay.step", f"a step from 0 to {last}", f"{step}", "step", None, "advice", last=last)
        return min(step, last)


def by_step(problems: Sequence[Problem]) -> list[Problem]:
    """Problems whose places count steps from 1, as readers do: `steps[3].faces[0]` → `die 1 of step 4`."""
    return [replace(problem, where=_place(problem.where)) for problem in problems]


def _place(where: str) -> str:
    head, _, rest = where.partition("]")
    number = head.removeprefix("steps[")
    if number == head or not number.isdigit():
        return where
    field = re.sub(r"faces\[(\d+)\]", lambda face: f"die {int(face[1]) + 1}", rest.lstrip("."))
    return f"{field} of step {int(number) + 1}".removeprefix(" of ")


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


def _rulings_of(way: str) -> dict[str, str]:
    """The rulings of a way of playing, by name."""
    return {name: format_setting(value) for name, value in WORKED_COMBAT_RULINGS.get(way, {}).items()}
