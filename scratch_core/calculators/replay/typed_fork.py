"""The fork of a request: the typed changes, the fields of a step that become changes, and the playthrough."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from scratch_core.calculators.replay.file_problems import relocate_file_problems
from scratch_core.calculators.replay.fork_changes import Edits, format_edits, parse_edits
from scratch_core.calculators.replay.initiative_dice import list_initiative_dice
from scratch_core.calculators.replay.playthroughs import PlayedScenario, play_fork
from scratch_core.calculators.replay.request import ReplayRequest
from scratch_core.calculators.replay.step_editor import (
    list_editable_keys,
    list_editable_step_keys,
    step_to_fields,
    suggest_required_values,
)
from scratch_core.calculators.shared.query import Query
from scratch_core.errors import Problem, ScratchError, has_errors


@dataclass(frozen=True, slots=True)
class TypedFork:
    """The fork of a request."""

    edits: Edits
    """The changes."""
    story: PlayedScenario
    """The playthrough with the changes and rulings; the original one if they are missing or can't be played."""
    problems: tuple[Problem, ...] = ()
    """The problems of the changes and of their playthrough, all at `fork`."""

    def with_earlier_problems(self, problems: Iterable[Problem]) -> TypedFork:
        """Return the fork with more problems, before its own."""
        return replace(self, problems=(*problems, *self.problems))

    @property
    def has_errors(self) -> bool:
        """Whether there is an error, not only advice."""
        return has_errors(self.problems)


def play_typed_fork(request: ReplayRequest, original: PlayedScenario, rulings: Mapping[str, str]) -> TypedFork:
    """Play the scenario with the typed changes and the rulings.

    A fork that names a step to take over (`4.*`) is played with the typed fields of that step, too.
    """
    try:
        edits, take_over_label = parse_edits(request.fields["fork"], list_editable_keys(original.result.system))
    except ScratchError as error:
        return _play_edits(request, original, rulings, {}).with_earlier_problems(
            relocate_file_problems(error.problems, "fork")
        )
    fork = _play_edits(request, original, rulings, edits)
    if take_over_label is None:
        return fork
    can_take_over = not fork.has_errors and take_over_label in ("0", *fork.story.labels)
    new_edits = (
        add_typed_step_fields_to_edits(request.query, take_over_label, original, fork) if can_take_over else edits
    )
    return _play_edits(request, original, rulings, new_edits).with_earlier_problems(fork.problems)


def _play_edits(
    request: ReplayRequest, original: PlayedScenario, rulings: Mapping[str, str], edits: Edits
) -> TypedFork:
    """Play the scenario with rulings and changes.

    Only problems that the file doesn't have are reported.
    """
    if not rulings and not edits:
        return TypedFork(edits, original)
    story = play_fork(request.scenario_text, request.dice_number, tuple(sorted(rulings.items())), format_edits(edits))
    if not isinstance(story, PlayedScenario):
        return TypedFork(edits, original, relocate_file_problems(story, "fork"))
    known_places = {problem.where for problem in original.result.problems}
    new_problems = [each for each in story.result.problems if each.where not in known_places]
    return TypedFork(edits, story, relocate_file_problems(new_problems, "fork"))


# The typed fields of a step


@dataclass(frozen=True, slots=True)
class TypedField:
    """A field of a step, or of the initiative dice, as typed."""

    place: tuple[str, str]
    """The label of the step, and the key."""
    typed: str
    """The typed text."""
    current: str
    """The text in the playthrough shown."""
    original: str
    """The text in the file; "" if the file doesn't have the step."""


def add_typed_step_fields_to_edits(query: Query, label: str, original: PlayedScenario, fork: TypedFork) -> Edits:
    """Add the typed fields of a step to the changes.

    Values that equal those of the playthrough shown leave the changes as they are. Values that equal those of the
    file remove a change. A new action removes the changes of the step's other fields.
    """
    if label == "0":
        return _add_typed_fields(fork.edits, list_typed_initiative_fields(query, original, fork.story))
    fields = tuple(list_typed_step_fields(query, label, original, fork.story))
    places = {each.place for each in fields}
    edits = {place: value for place, value in fork.edits.items() if place[0] != label or place in places}
    return _add_typed_fields(edits, fields)


def _add_typed_fields(edits: Edits, fields: Iterable[TypedField]) -> Edits:
    """Add the fields that differ from the playthrough shown to the changes."""
    new_edits = dict(edits)
    for field in fields:
        if normalize_separators(field.typed) == normalize_separators(field.current):
            continue
        new_edits.pop(field.place, None)
        if normalize_separators(field.typed) != normalize_separators(field.original):
            new_edits[field.place] = field.typed
    return new_edits


def list_typed_initiative_fields(query: Query, original: PlayedScenario, story: PlayedScenario) -> Iterator[TypedField]:
    """List the fields of the initiative dice."""
    original_faces = {each.group: each.faces for each in list_initiative_dice(original)}
    for each in list_initiative_dice(story):
        if each.control:
            typed = get_typed_line_or_current(query, each.control, each.faces)
            yield TypedField(("0", each.group), typed, each.faces, original_faces.get(each.group, ""))


def list_typed_step_fields(
    query: Query, label: str, original: PlayedScenario, story: PlayedScenario
) -> Iterator[TypedField]:
    """List the fields of a step.

    A newly chosen action has its own fields, with suggestions for those that it requires.
    """
    system, index = story.result.system, story.labels.index(label)
    record = story.result.results[index]
    current_fields = step_to_fields(system, record)
    original_fields = step_to_fields(system, original.result.results[int(label) - 1]) if label.isdigit() else {}
    do = record.do if record.is_gm_action else get_typed_line_or_current(query, f"do_{label}", record.do) or record.do
    keys = [*([] if record.is_gm_action else ["actor", "do"]), *list_editable_step_keys(system, do)]
    typed = {key: get_typed_line_or_current(query, f"{key}_{label}", current_fields.get(key, "")) for key in keys}
    if do not in (record.do, original_fields.get("do")) and do in system.step_fields:
        required_values = suggest_required_values(system, story.result.states[index], typed["actor"], do)
        typed |= {key: typed[key] or value for key, value in required_values.items()}
    for key, value in typed.items():
        if value or key not in ("actor", "do") or not system.needs_actor(do):
            yield TypedField((label, key), value, current_fields.get(key, ""), original_fields.get(key, ""))


def get_typed_line_or_current(query: Query, control: str, current: str) -> str:
    """Return the text of a control on one line, with semicolons as blanks.

    Returns `current` if the query does not have the control.
    """
    if control not in query:
        return current
    return " ".join(query.text(control).replace(";", " ").split())


def normalize_separators(typed: str) -> str:
    """Replace commas and runs of blanks with single blanks."""
    return " ".join(typed.replace(",", " ").split())
