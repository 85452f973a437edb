"""The text of a fork's changes: `4.faces = 20; 7.do = shoot; initiative.rook = 3; 9.delete; 4a.do = evade`.

A step's label is its number in the file, even if other steps are inserted or deleted: `4a` and `4b` are new steps after
step 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from scratch_core.encounter.turn_system import SCRATCH_ON_BOARD
from scratch_core.errors import Problem, Problems, ScratchError, format_input
from scratch_core.normalization import normalize_input
from scratch_core.turn_systems import Field
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

MAX_FORK_LENGTH = 5_000
"""The most characters of a fork's text."""
MAX_EDITS = 200
"""The most changes of a fork."""

Edits = Mapping[tuple[str, str], str]
"""The new values as texts, by label of a step and key. Under the label "0" are the initiative's faces, by group."""

DELETE_KEY = "delete"
"""The key, without a value, of a deleted step."""

TAKE_OVER_KEY = "*"
"""The key, without a value, of the step whose typed fields become changes."""

_STEP_PATTERN = re.compile(r"(\d{1,4}[a-z]?)\.(\w+|\*)\Z")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_STEP_FIELDS: Sequence[Mapping[str, Sequence[Field]]] = (
    SCRATCH_ON_BOARD.step_fields,
    *(each.step_fields for each in VARIANT_TURN_SYSTEMS.values()),
)
_KEYS: tuple[str, ...] = ("actor", "do", "with", "target", "faces")
_KEYS += tuple(field.key for steps in _STEP_FIELDS for fields in steps.values() for field in fields)
_KEY_ORDER = {key: place for place, key in enumerate((*dict.fromkeys(_KEYS), DELETE_KEY))}
"""The order in which the changes of a step are written."""


class ParsedEdits(NamedTuple):
    """The changes of a text."""

    edits: dict[tuple[str, str], str]
    """The new values by the step's label and the key."""
    take_over_label: str | None
    """The label of the step whose typed fields become changes (`4.*`), or None."""


class _Edit(NamedTuple):
    """One change."""

    step_label: str
    """The label of the step, "0" for the initiative."""
    key: str
    """The key that changes."""
    value: str
    """The new value, "" to remove the key."""


def parse_edits(text: str, keys: Sequence[str]) -> ParsedEdits:
    """Parse changes separated by semicolons or line ends.

    A step's number counts from 1, and a key is one of `keys`. An empty value removes the key from the step. Raises
    `ScratchError` with every change that can't be parsed (`changes.…`).
    """
    if len(text) > MAX_FORK_LENGTH:
        expected = f"{MAX_FORK_LENGTH:,} characters at most"
        raise ScratchError(Problem("changes.too-long", expected, f"{len(text):,}", "fork"))
    changes: dict[tuple[str, str], str] = {}
    problems = Problems()
    take_over_label: str | None = None
    for part in filter(None, map(str.strip, re.split(r"[;\n]", text))):
        edit = _parse_edit(part, keys)
        if edit is None:
            expected = f"a step's number, a dot, one of {', '.join(keys)}, an equals sign and the new value"
            problems.report_value("changes.unread", expected, part, "fork")
            continue
        if edit.key == TAKE_OVER_KEY:
            take_over_label = edit.step_label
        else:
            changes[edit.step_label, edit.key] = edit.value
    if len(changes) > MAX_EDITS:
        problems.report("changes.too-many", f"{MAX_EDITS} changes at most", f"{len(changes):,}", "fork")
    problems.raise_if_any()
    return ParsedEdits(changes, take_over_label)


def _parse_edit(part: str, keys: Sequence[str]) -> _Edit | None:
    """Parse one change. Returns None for anything else."""
    address, sign, value = (each.strip() for each in part.partition("="))
    if address.startswith("initiative."):
        return _Edit("0", address.removeprefix("initiative.").strip(), value) if sign else None
    step = _STEP_PATTERN.match(address)
    if step is None:
        return None
    label, key = _normalize_label(step[1]), step[2]
    can_be = {TAKE_OVER_KEY: not sign, DELETE_KEY: not value and label.isdigit() and label != "0"}
    is_change = can_be.get(key, key in keys and bool(sign) and label != "0")
    return _Edit(label, key, value) if is_change else None


def _normalize_label(number: str) -> str:
    """Remove leading zeros from a label: `004a` → `4a`, `00b` → `0b`."""
    bare = number.lstrip("0")
    return bare if bare[:1].isdigit() else f"0{bare}"


def format_edits(changes: Edits) -> str:
    """Format changes for `parse_edits`, in the order of the steps."""
    return "; ".join(_format_edit(place, changes[place]) for place in sorted(changes, key=_sort_key))


def _sort_key(place: tuple[str, str]) -> tuple[int, str, int, str]:
    label, key = place
    return *_split_label(label), _KEY_ORDER.get(key, 0) if label != "0" else 0, key


def _split_label(label: str) -> tuple[int, str]:
    """Split a label into a number of the file and a letter.

    `4a` gives 4 and "a", `4` gives 4 and "".
    """
    number = label.rstrip(_LETTERS)
    return int(number), label[len(number) :]


def _format_edit(place: tuple[str, str], value: str) -> str:
    label, key = place
    if key == DELETE_KEY and label != "0":
        return f"{label}.{DELETE_KEY}"
    return f"{label if label != '0' else 'initiative'}.{key} = {value}".rstrip()


def list_step_labels(file_step_count: int, changes: Edits) -> tuple[str, ...]:
    """List the labels of a fork's steps in order, without deleted steps.

    `file_step_count` is the number of steps of the file.
    """
    named = {label for label, _ in changes}
    deleted = {label for label, key in changes if key == DELETE_KEY}
    new = [label for label in named if not label.isdigit()]
    return tuple(sorted({*(str(n) for n in range(1, file_step_count + 1)), *new} - deleted, key=_split_label))


def get_file_step_number(label: str) -> int:
    """Return the number of the file's step that a label names.

    For a new step it is the step before it; 0 means before the first step.
    """
    return _split_label(label)[0]


def insert_step(changes: Edits, label_before: str, step: Mapping[str, str]) -> dict[tuple[str, str], str] | None:
    """Insert a step with these keys and values after the step labelled `label_before`.

    The label "0" inserts before the first step. New steps that follow move to the next letter. Returns the new changes,
    or None if all letters are taken.
    """
    number, letter = _split_label(label_before)
    letter_index = _LETTERS.index(letter) + 1 if letter else 0
    if any(label == f"{number}z" for label, _ in changes):
        return None
    moved = {f"{number}{one}": f"{number}{next_one}" for one, next_one in pairwise(_LETTERS[letter_index:])}
    new_changes = {(moved.get(label, label), key): value for (label, key), value in changes.items()}
    new = f"{number}{_LETTERS[letter_index]}"
    return {**new_changes, **{(new, key): value for key, value in step.items()}}


def delete_step(changes: Edits, label: str) -> dict[tuple[str, str], str]:
    """Return the changes with one step deleted.

    A new step disappears from the changes. A step of the file is marked with `DELETE_KEY`.
    """
    new_changes = drop_step_edits(changes, label)
    return {**new_changes, (label, DELETE_KEY): ""} if label.isdigit() else new_changes


def apply_edits(
    tree: Mapping[str, Any],
    changes: Edits,
    change_step: Callable[[Mapping[str, Any], Mapping[str, str]], dict[str, Any]],
) -> dict[str, Any]:
    """Apply changes to the data of a scenario, and return the new data.

    `change_step` returns a step with new values for some keys. The result is not validated: the parser of scenarios
    does that. Raises `ScratchError` for a step that does not exist, and for faces that are not numbers (`changes.…`).
    """
    file_steps: list[Mapping[str, Any]] = list(tree.get("steps", []))
    steps: dict[str, Mapping[str, Any]] = {str(n): step for n, step in enumerate(file_steps, 1)}
    initiative = dict(tree.get("initiative", {}))
    expected = f"a step from 1 to {len(file_steps)}" if file_steps else "another file, for this one has no steps"
    problems = Problems()
    values: dict[str, dict[str, str]] = {}
    for (label, key), value in changes.items():
        if get_file_step_number(label) > len(file_steps):
            problems.report("changes.no-step", expected, label, "fork")
        elif key != DELETE_KEY or label == "0":
            values.setdefault(label, {})[key] = value
    for label, edits in values.items():
        try:
            if label != "0":
                steps[label] = change_step(steps.get(label, {}), edits)
            else:
                initiative |= {group: parse_edited_faces(value, group) for group, value in edits.items()}
        except ScratchError as error:
            problems += error.problems
    problems.raise_if_any()
    edited_steps = [steps[label] for label in list_step_labels(len(file_steps), changes)]
    return {**tree, "initiative": {group: faces for group, faces in initiative.items() if faces}, "steps": edited_steps}


def parse_edited_faces(text: str, name_in_problem: str) -> list[int]:
    """Parse faces as typed, separated by commas or spaces.

    `name_in_problem` names them in the problem. Raises `ScratchError` (`changes.numbers`) for anything but numbers.
    """
    words = re.findall(r"[^,;.\s]+", normalize_input(text))
    if not all(re.fullmatch(r"[0-9]{1,4}", word) for word in words):
        expected = f"{format_input(name_in_problem)} as numbers separated by commas"
        raise ScratchError(Problem("changes.numbers", expected, format_input(text), "fork"))
    return [int(word) for word in words]


def drop_step_edits(changes: Edits, label: str) -> dict[tuple[str, str], str]:
    """Return the changes without those of one step.

    A new step disappears with its changes, and the letters of the new steps after it move up.
    """
    others = {place: value for place, value in changes.items() if place[0] != label}
    number, letter = _split_label(label)
    if not letter:
        return others
    moved = {f"{number}{each}": f"{number}{_LETTERS[n]}" for n, each in enumerate(_LETTERS[1:]) if each > letter}
    return {(moved.get(name, name), key): value for (name, key), value in others.items()}


def join_values(values: Iterable[object]) -> str:
    """Format values as a list in a text field, separated by commas."""
    return ", ".join(map(str, values))
