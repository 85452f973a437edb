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


def find_expectation_problem(
    system: AnySystem, key: str, value: object, character_ids: Sequence[str], *, is_for_end: bool
) -> Mismatch | None:
    """Check the key and the value of an expectation. Returns None if they are valid.

    `character_ids` are those of the characters so far, and `is_for_end` means that it is one of the whole file, which
    has no step.
    """
    path, _, who = key.partition(".")
    if who:
        return _find_fighter_expectation_problem(system, path, who, value, character_ids)
    if key == "order":
        return _find_list_problem(str, value)
    paths = {**system.common_state_paths, **system.state_paths}
    of_fight = {path: kind for path, (kind, _) in paths.items() if path != "order"}
    if key in of_fight:
        return _find_type_problem(of_fight[key], value)
    if not is_for_end and key in (*STEP_KEYS, *system.roll_keys):
        return _find_step_expectation_problem(system, key, value)
    of_step = () if is_for_end else (*STEP_KEYS, *system.roll_keys)
    names = (*system.fighter_paths, *MAY_PATHS)
    known = (*of_step, "order", *of_fight, *(f"{each}.ID" for each in names))
    return f"one of {', '.join(known)}", format_input(key)


def _find_step_expectation_problem(system: AnySystem, key: str, value: object) -> Mismatch | None:
    """Check an expectation about a step or its rolls."""
    if key == "rule" and isinstance(value, str) and value not in RULE_IDS:
        return "a rule id", format_input(value)
    if key in STEP_KEYS:
        return _find_type_problem(STEP_KEYS[key], value)
    kind = system.roll_keys[key]
    return _find_list_problem(kind, value) if isinstance(value, list) else _find_type_problem(kind, value)


def _find_fighter_expectation_problem(
    system: AnySystem, path: str, fighter_id: str, value: object, character_ids: Sequence[str]
) -> Mismatch | None:
    """Check an expectation about a character, such as `hp.x`."""
    if path not in system.fighter_paths and path not in MAY_PATHS:
        return f"one of {', '.join((*system.fighter_paths, *MAY_PATHS))} before the dot", format_input(path)
    if fighter_id not in character_ids:
        return "the id of a character after the dot", format_input(fighter_id)
    if path in MAY_PATHS:
        return _find_action_list_problem(system, value)
    kind, _ = system.fighter_paths[path]
    choices = system.path_choices.get(path, ())
    if choices and value not in choices:
        return f"one of {', '.join(choices)}", format_input(value)
    return None if type(value) is kind else (_LISTS.get(path, KIND_WORDS[kind]), format_input(value))


def _find_action_list_problem(system: AnySystem, value: object) -> Mismatch | None:
    """Check a list of names of actions.

    The basic rules accept those that need a map even without one.
    """
    known = {*system.step_fields, *system.board_step_fields, *system.gm_fields}
    words = "names of actions" if system.board_step_fields else "names of acts"
    for each in value if isinstance(value, list) else ():
        if not isinstance(each, str) or each not in known:
            return words, format_input(each)
    return _find_list_problem(str, value)


def _find_type_problem(expected_type: type, value: object) -> Mismatch | None:
    """Check that a value has a type."""
    return None if type(value) is expected_type else (KIND_WORDS[expected_type], format_input(value))


def _find_list_problem(item_type: type, value: object) -> Mismatch | None:
    """Check that a value is a list whose items have a type."""
    is_right = isinstance(value, list) and all(type(each) is item_type for each in value)
    return None if is_right else (f"a list, each {KIND_WORDS[item_type]}", format_input(value))


def find_legality_difference(
    can_or_cannot: str, action_names: Sequence[str], legal_names: Iterable[str]
) -> tuple[str, str] | None:
    """Compare `can` or `cannot` with the legal actions.

    Returns what was expected and what is the case, or None if the expectation is met.
    """
    there = frozenset(legal_names)
    wrong = [name for name in action_names if (name in there) != (can_or_cannot == "can")]
    if not wrong:
        return None
    got = f"{', '.join(wrong)} {'not ' if can_or_cannot == 'can' else ''}among the legal actions"
    return format_file_value(list(action_names)), got


def format_file_value(value: object) -> str:
    """Format a value as a file writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(format_file_value, value))}]"
    return format_input(value)
