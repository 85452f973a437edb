"""The replay's request: the scenario, the step, the rulings and the changes of a fork, and every problem in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from urllib.parse import quote

from scratch_core.calculators.replay.fork_changes import MAX_FORK_LENGTH, Edits, format_edits, parse_edits
from scratch_core.calculators.replay.moment import build_answer, build_position, format_summary, list_initiative_dice
from scratch_core.calculators.replay.playthroughs import PlayedScenario, PlayProblems, play_fork, play_original
from scratch_core.calculators.replay.step_editor import (
    list_editable_keys,
    list_needed_values,
    list_step_keys,
    step_to_fields,
)
from scratch_core.calculators.replay.view_model import CONTROLS, WAY_LABELS, ReplayPosition, View
from scratch_core.calculators.shared.form import Form, limit_problems, truncate_line
from scratch_core.calculators.shared.query import Query
from scratch_core.errors import Location, Problem, ScratchError
from scratch_core.rulebook import RULE_OPTIONS, RulingSettings, format_setting
from scratch_core.scenario import SAMPLE_SCENARIOS, TURN_SYSTEMS, WORKED_COMBAT_RULINGS, AnySystem

MAX_QUERY_LENGTH = 1_100_000
"""The most characters of a query, which holds a whole file."""

MAX_PROBLEMS = 10
"""The most problems of a file that are listed at a control."""

TypedFields = Iterator[tuple[tuple[str, str], str, str, str]]
"""Fields of a step as (label and key), typed text, text in the playthrough shown, text in the file."""


class ReplayForm(Form):
    """A query being parsed: each method reports its problems and continues.

    `chosen_rulings` are the rulings of the query, by name, that concern the turn system.
    """

    def __init__(self, query: Query) -> None:
        super().__init__(query, {name: query.text(name).strip() for name in CONTROLS if name != "scenario"})
        self.fields["scenario"] = _decode_scenario(query.raw.get("scenario", ""))
        self.dice_number = 0
        self.chosen_rulings: dict[str, str] = {}

    def build_view(self, position: ReplayPosition | None) -> View:
        """Build the view of a position, with all problems found so far."""
        answer = build_answer(position) if position else None
        is_worked = self.scenario_text == SAMPLE_SCENARIOS["worked-combat"]
        if (
            answer
            and position
            and is_worked
            and not position.edits
            and self.chosen_rulings == _get_way_rulings(self.fields["way"])
        ):
            answer = replace(answer, column_labels=(WAY_LABELS.get(self.fields["way"], "").lower(), "by the rules"))
        system = position.current.result.system if position else TURN_SYSTEMS["scratch"]
        return View(
            query=self.canonical_query,
            summary=format_summary(answer),
            problems=tuple(self.problems),
            fields=self.fields,
            is_worked_combat=is_worked,
            way=self.way,
            dice=self.dice_number,
            rulings=position.current.result.scenario.rulings if position else RulingSettings(),
            answer=answer,
            rule_options=tuple(each for each in RULE_OPTIONS if each.name in system.rule_options),
        )

    @property
    def way(self) -> str:
        """The chosen way to play the worked combat. Empty if it is missing or unknown."""
        return self.fields["way"] if self.fields["way"] in WORKED_COMBAT_RULINGS else ""

    # The query

    @property
    def scenario_text(self) -> str:
        """The scenario's text, also for a sample that the query gives by name."""
        text = self.fields["scenario"]
        return SAMPLE_SCENARIOS.get(text.strip(), text) if len(text) < 100 else text

    @property
    def canonical_query(self) -> str:
        """The query that reproduces this answer."""
        return "&".join(
            f"{name}={(quote_scenario if name == 'scenario' else quote)(self.fields[name])}"
            for name in CONTROLS
            if self.fields[name] and (name == "scenario" or len(self.fields[name]) <= MAX_FORK_LENGTH)
        )

    def find_original(self) -> PlayedScenario | PlayProblems | None:
        """Play the file as it is.

        Returns the problems if it can't be played. Returns None if the scenario is missing, cut, or an unknown name.
        """
        self.dice_number = self.parse_number("dice")
        return play_original(self.scenario_text, self.dice_number) if self.may_be_scenario(self.scenario_text) else None

    def find_position(self) -> ReplayPosition | None:
        """Find the requested position, and report all problems.

        Returns None if the scenario can't be played. A fork that can't be played is ignored.
        """
        original = self.find_original()
        rulings = self.parse_rulings(
            original.result.system if isinstance(original, PlayedScenario) else TURN_SYSTEMS["scratch"]
        )
        if original is None:
            return None
        if isinstance(original, tuple):
            self.add_file_problems(original, "scenario")
            return None
        self.add_file_problems(original.result.problems, "scenario")
        self.add_file_problems(original.result.scenario.minion_problems, "scenario", is_placed=False)
        changes, take_over_label = self.parse_edits(original)
        story = self.play_fork(original, rulings, changes)
        if take_over_label is not None:
            changes = self.take_over_fields(take_over_label, original, story, changes)
            story = self.play_fork(original, rulings, changes)
        self.fields["fork"] = format_edits(changes) if not self.has_problem("fork") else self.fields["fork"]
        step = self.parse_step(len(story.result.results))
        self.fields["step"] = str(step)
        return build_position(self.scenario_text, original, story, changes, step)

    def add_file_problems(self, problems: Sequence[Problem], control: str, *, is_placed: bool = True) -> None:
        """Add problems of a file at a control.

        With `is_placed` their text includes the place in the file.
        """
        moved = []
        for problem in problems:
            place = _format_step_place(problem.location) if control == "fork" else problem.where
            suffix = f" in {truncate_line(place, 80)}" if is_placed and place != control else ""
            shortened = replace(problem, expected=truncate_line(problem.expected, 200))
            got = f"{truncate_line(problem.got, 120)}{suffix}"
            moved.append(shortened.move_to(control, got=got, place=problem.where))
        self.problems += limit_problems(moved, MAX_PROBLEMS, "replay.more")

    def may_be_scenario(self, text: str) -> bool:
        """Return whether the text may be a scenario.

        Reports a problem if the text was cut, or is the name of no sample.
        """
        if self.query.is_cut:
            self.add_cut_problem("scenario", MAX_QUERY_LENGTH)
            return False
        plain = text.strip() if len(text) < 1000 else text
        if plain and len(plain) < 1000 and "\n" not in plain and "=" not in plain and not plain.startswith("{"):
            expected = f"a scenario file, or the name of one that is here: {', '.join(SAMPLE_SCENARIOS)}"
            self.problems.report_value("replay.scenario", expected, plain, "scenario")
            return False
        return bool(plain) and not plain.isspace()

    def parse_number(self, control: str) -> int:
        """Parse the whole number in a control. Returns 0 if it has none."""
        return self.parse_whole_number(control, 999_999)

    def parse_rulings(self, system: AnySystem) -> tuple[tuple[str, str], ...]:
        """Parse the requested rulings, with those of the chosen way to play.

        Returns names and settings, sorted by name. A setting that can't be parsed is reported and ignored.
        """
        settings = _get_way_rulings(
            self.parse_choice("way", WORKED_COMBAT_RULINGS, "replay.way", f"one of {', '.join(WORKED_COMBAT_RULINGS)}")
        )
        settings |= {name: format_setting(value) for name, value in self.parse_settings(system.rule_options).items()}
        self.chosen_rulings = {name: value for name, value in settings.items() if name in system.rule_options}
        return tuple(sorted(self.chosen_rulings.items()))

    def has_problem(self, control: str) -> bool:
        """Return whether a control has an error. Advice does not count."""
        return any(problem.where == control and problem.severity == "error" for problem in self.problems)

    # The fork

    def parse_edits(self, original: PlayedScenario) -> tuple[dict[tuple[str, str], str], str | None]:
        """Parse the fork's changes, and the label of the step to take over.

        Returns no changes if the text is invalid, and reports its problems.
        """
        try:
            return parse_edits(self.fields["fork"], list_editable_keys(original.result.system))
        except ScratchError as error:
            self.add_file_problems(error.problems, "fork")
            return {}, None

    def play_fork(
        self, original: PlayedScenario, rulings: tuple[tuple[str, str], ...], changes: Edits
    ) -> PlayedScenario:
        """Play the scenario with these rulings and changes.

        Reports the problems and returns the original playthrough if that is not possible.
        """
        if not rulings and not changes:
            return original
        fork = play_fork(self.scenario_text, self.dice_number, rulings, format_edits(changes))
        if isinstance(fork, tuple):
            self.add_file_problems(fork, "fork")
            return original
        known_places = {problem.where for problem in original.result.problems}
        self.add_file_problems([each for each in fork.result.problems if each.where not in known_places], "fork")
        return fork

    def take_over_fields(
        self, label: str, original: PlayedScenario, story: PlayedScenario, changes: Edits
    ) -> dict[tuple[str, str], str]:
        """Add the typed fields of a step to the changes.

        Values that equal those of the playthrough shown leave the changes as they are. Values that equal those of the
        file remove a change.
        """
        edits = dict(changes)
        if self.has_problem("fork") or label not in ("0", *story.labels):
            return edits
        fields = [
            *(self.list_dice_fields(original, story) if label == "0" else self.list_step_fields(label, original, story))
        ]
        field_keys = {place for place, *_ in fields}
        edits = {
            place: value for place, value in edits.items() if place[0] != label or label == "0" or place in field_keys
        }
        for place, typed, current, original_text in fields:
            if normalize_words(typed) == normalize_words(current):
                continue
            edits.pop(place, None)
            if normalize_words(typed) != normalize_words(original_text):
                edits[place] = typed
        return edits

    def list_dice_fields(self, original: PlayedScenario, story: PlayedScenario) -> TypedFields:
        """List the fields of the initiative dice."""
        original_faces = {each.group: each.faces for each in list_initiative_dice(original)}
        for each in list_initiative_dice(story):
            if each.control:
                yield (
                    ("0", each.group),
                    self.get_typed_text(each.control, each.faces),
                    each.faces,
                    original_faces.get(each.group, ""),
                )

    def list_step_fields(self, label: str, original: PlayedScenario, story: PlayedScenario) -> TypedFields:
        """List the fields of a step.

        A newly chosen action has its own fields, with suggestions for those that it requires.
        """
        system, index = story.result.system, story.labels.index(label)
        record = story.result.results[index]
        current_fields = step_to_fields(system, record)
        original_fields = step_to_fields(system, original.result.results[int(label) - 1]) if label.isdigit() else {}
        do = record.do if record.is_gm_action else self.get_typed_text(f"do_{label}", record.do) or record.do
        keys = [
            *([] if record.is_gm_action else ["actor", "do"]),
            *list_step_keys(system, do),
        ]
        typed = {key: self.get_typed_text(f"{key}_{label}", current_fields.get(key, "")) for key in keys}
        if do not in (record.do, original_fields.get("do")) and do in system.step_fields:
            required_values = list_needed_values(system, story.result.states[index], typed["actor"], do)
            typed |= {key: typed[key] or value for key, value in required_values.items()}
        for key, value in typed.items():
            if value or key not in ("actor", "do") or not system.needs_actor(do):
                yield (label, key), value, current_fields.get(key, ""), original_fields.get(key, "")

    def get_typed_text(self, control: str, current: str) -> str:
        """Return the text of a control on one line, with semicolons as blanks.

        Returns `current` if the query does not have the control.
        """
        if control not in self.query:
            return current
        return " ".join(self.query.text(control).replace(";", " ").split())

    def parse_step(self, last: int) -> int:
        """Parse the requested step.

        Reports a step beyond the last as advice, and returns the last.
        """
        step = self.parse_number("step")
        if step > last:
            self.problems.report(
                "replay.step", f"a step from 0 to {last}", f"{step}", "step", severity="advice", last=last
            )
        return min(step, last)


def _format_step_place(location: Location) -> str:
    """Format a place within a step in words: `die 1 of step 4`.

    Numbers count from 1.
    """
    part, index = (*location.path, "", "")[:2]
    if part != "steps" or not isinstance(index, int):
        return location
    field = str(Location(*location.path[2:]))
    if location.path[2:3] == ("faces",) and isinstance(location.path[-1], int):
        field = f"die {location.path[-1] + 1}"
    return f"{field} of step {index + 1}" if field else f"step {index + 1}"


def normalize_words(typed: str) -> str:
    """Replace commas and runs of blanks with single blanks."""
    return " ".join(typed.replace(",", " ").split())


@lru_cache(maxsize=4)
def _decode_scenario(raw: str) -> str:
    """Decode the scenario's text from the raw value of a query.

    Cached, because the text is long and the same for every step.
    """
    return Query({"scenario": raw}).text("scenario")


@lru_cache(maxsize=4)
def quote_scenario(text: str) -> str:
    """Quote a scenario's text for a query.

    Cached, because the text is long and the same for every step.
    """
    return quote(text)


def _get_way_rulings(way: str) -> dict[str, str]:
    """Return the rulings of a way to play the worked combat, by name."""
    return {name: format_setting(value) for name, value in WORKED_COMBAT_RULINGS.get(way, {}).items()}
