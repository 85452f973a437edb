"""The expectations that a scenario may have, and how a state differs from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scratch_core.errors import format_input
from scratch_core.rulebook import RULES
from scratch_core.scenario.records import AnySystem

RULE_IDS = frozenset(rule.id for rule in RULES)

STEP_KEYS: Mapping[str, type] = {"legal": bool, "prevented": bool, "rule": str}
"""The keys that expect something of the step itself, each with the type of its value."""

MAY_PATHS = ("can", "cannot")
KIND_WORDS: Mapping[type, str] = {int: "a whole number", bool: "true or false", str: "a text", list: "a list"}
_LISTS = {"at": "a space, [column, row], or []"}

Mismatch = tuple[str, str | None]
"""What was expected, and the invalid text. None if there is no value."""


def check_expectation(
    system: AnySystem, key: str, value: object, ids: Sequence[str], *, is_end: bool
) -> Mismatch | None:
    """Check the key and the value of an expectation. Returns None if they are valid.

    `ids` are those of the characters so far, and `is_end` means that it is one of the whole file, which has no step.
    """
    path, _, who = key.partition(".")
    if who:
        return _check_fighter_expectation(system, path, who, value, ids)
    if key == "order":
        return _check_list(str, value)
    paths = {**system.common_state_paths, **system.state_paths}
    of_fight = {path: kind for path, (kind, _) in paths.items() if path != "order"}
    if key in of_fight:
        return _check_type(of_fight[key], value)
    if not is_end and key in (*STEP_KEYS, *system.roll_keys):
        return _check_step_expectation(system, key, value)
    of_step = () if is_end else (*STEP_KEYS, *system.roll_keys)
    names = (*system.fighter_paths, *MAY_PATHS)
    known = (*of_step, "order", *of_fight, *(f"{each}.ID" for each in names))
    return f"one of {', '.join(known)}", format_input(key)


def _check_step_expectation(system: AnySystem, key: str, value: object) -> Mismatch | None:
    """Check an expectation about a step or its rolls."""
    if key == "rule" and isinstance(value, str) and value not in RULE_IDS:
        return "a rule id", format_input(value)
    if key in STEP_KEYS:
        return _check_type(STEP_KEYS[key], value)
    kind = system.roll_keys[key]
    return _check_list(kind, value) if isinstance(value, list) else _check_type(kind, value)


def _check_fighter_expectation(
    system: AnySystem, path: str, who: str, value: object, ids: Sequence[str]
) -> Mismatch | None:
    """Check an expectation about a character, such as `hp.x`."""
    if path not in system.fighter_paths and path not in MAY_PATHS:
        return f"one of {', '.join((*system.fighter_paths, *MAY_PATHS))} before the dot", format_input(path)
    if who not in ids:
        return "the id of a character after the dot", format_input(who)
    if path in MAY_PATHS:
        return _check_action_names(system, value)
    kind, _ = system.fighter_paths[path]
    choices = system.path_choices.get(path, ())
    if choices and value not in choices:
        return f"one of {', '.join(choices)}", format_input(value)
    return None if type(value) is kind else (_LISTS.get(path, KIND_WORDS[kind]), format_input(value))


def _check_action_names(system: AnySystem, value: object) -> Mismatch | None:
    """Check a list of names of actions.

    The basic rules accept those that need a map even without one.
    """
    known = {*system.step_fields, *system.board_step_fields, *system.gm_fields}
    words = "names of actions" if system.board_step_fields else "names of acts"
    for each in value if isinstance(value, list) else ():
        if not isinstance(each, str) or each not in known:
            return words, format_input(each)
    return _check_list(str, value)


def _check_type(kind: type, value: object) -> Mismatch | None:
    """Check that a value has a type."""
    return None if type(value) is kind else (KIND_WORDS[kind], format_input(value))


def _check_list(kind: type, value: object) -> Mismatch | None:
    """Check that a value is a list whose items have a type."""
    is_right = isinstance(value, list) and all(type(each) is kind for each in value)
    return None if is_right else (f"a list, each {KIND_WORDS[kind]}", format_input(value))


def find_legality_difference(path: str, names: Sequence[str], offered: Iterable[str]) -> tuple[str, str] | None:
    """Compare `can` or `cannot` with the legal actions.

    Returns what was expected and what is the case, or None if the expectation is met.
    """
    there = frozenset(offered)
    wrong = [name for name in names if (name in there) != (path == "can")]
    if not wrong:
        return None
    got = f"{', '.join(wrong)} {'not ' if path == 'can' else ''}among the legal actions"
    return format_file_value(list(names)), got


def format_file_value(value: object) -> str:
    """Format a value as a file writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(format_file_value, value))}]"
    return format_input(value)
