"""What a scenario may expect, and what is there instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scratch_core.actions import BOARD_NAMES, NAMES, agility, intelligence, strength
from scratch_core.catalogue import RULES
from scratch_core.errors import shown
from scratch_core.state import Fighter, State

RULE_IDS = frozenset(rule.id for rule in RULES)

Path = Callable[[Fighter], Any]

FIGHTER_PATHS: Mapping[str, tuple[type, Path]] = {
    "hp": (int, lambda who: who.hp),
    "max_hp": (int, lambda who: who.numbers.max_hp),
    "stamina": (int, lambda who: who.numbers.stamina),
    "condition": (str, lambda who: who.condition),
    "agility": (int, lambda who: agility(who).value),
    "intelligence": (int, lambda who: intelligence(who).value),
    "strength": (int, lambda who: strength(who).value),
    "delayed": (bool, lambda who: who.is_delayed),
    "panicked": (bool, lambda who: who.is_panicked),
    "evading": (bool, lambda who: who.evading is not None),
    "in_cover": (bool, lambda who: who.in_cover),
    "immobilized": (bool, lambda who: who.is_immobilized),
    "escaped": (bool, lambda who: who.escaped),
    "at": (list, lambda who: [] if who.at is None else list(who.at)),
}
"""State paths of one character: `hp.chokestar`."""

STATE_PATHS: Mapping[str, tuple[type, Callable[[State], Any]]] = {
    "round": (int, lambda state: state.round),
    "active": (str, lambda state: state.active),
    "winner": (str, lambda state: state.winner),
}
"""State paths of the whole fight."""

STEP_KEYS: Mapping[str, type] = {"legal": bool, "prevented": bool, "rule": str}
ROLL_KEYS: Mapping[str, type] = {"success": bool, "automatic": bool, "total": int, "against": int}
"""What may be expected of the step itself, and of each of its rolls."""

MAY_PATHS = ("can", "cannot")
_CONDITIONS = ("healthy", "injured", "incapacitated")
KIND_WORDS: Mapping[type, str] = {
    int: "a whole number",
    bool: "true or false",
    str: "a text",
    list: "a space, [column, row], or []",
}


def expectation_problem(key: str, value: object, ids: Sequence[str], *, is_end: bool) -> tuple[str, str | None] | None:
    """What is wrong with an expectation as it is written: expected what, got what; None when it can be held."""
    path, _, who = key.partition(".")
    if who:
        return _path_problem(path, who, value, ids)
    if key in STATE_PATHS:
        return _kind_problem(STATE_PATHS[key][0], value)
    if key == "order":
        return _list_problem(str, value)
    if key in STEP_KEYS and not is_end:
        if key == "rule" and isinstance(value, str) and value not in RULE_IDS:
            return "a rule id", shown(value)
        return _kind_problem(STEP_KEYS[key], value)
    if key in ROLL_KEYS and not is_end:
        return _list_problem(ROLL_KEYS[key], value) if isinstance(value, list) else _kind_problem(ROLL_KEYS[key], value)
    known = (
        *(() if is_end else (*STEP_KEYS, *ROLL_KEYS)),
        "order",
        *STATE_PATHS,
        *(f"{each}.ID" for each in FIGHTER_PATHS),
    )
    return f"one of {', '.join((*known, 'can.ID', 'cannot.ID'))}", shown(key)


def _path_problem(path: str, who: str, value: object, ids: Sequence[str]) -> tuple[str, str | None] | None:
    if path not in FIGHTER_PATHS and path not in MAY_PATHS:
        return f"one of {', '.join((*FIGHTER_PATHS, *MAY_PATHS))} before the dot", shown(path)
    if who not in ids:
        return "the id of a character after the dot", shown(who)
    if path in MAY_PATHS:
        strange = [each for each in value if each not in (*NAMES, *BOARD_NAMES)] if isinstance(value, list) else []
        return ("names of actions", shown(strange[0])) if strange else _list_problem(str, value)
    if path == "condition" and value not in _CONDITIONS:
        return f"one of {', '.join(_CONDITIONS)}", shown(value)
    return _kind_problem(FIGHTER_PATHS[path][0], value)


def _kind_problem(kind: type, value: object) -> tuple[str, str | None] | None:
    return None if type(value) is kind else (KIND_WORDS[kind], shown(value))


def _list_problem(kind: type, value: object) -> tuple[str, str | None] | None:
    is_right = isinstance(value, list) and all(type(each) is kind for each in value)
    return None if is_right else (f"a list, each {KIND_WORDS[kind]}", shown(value))


def state_value(state: State, key: str) -> Any:
    """What a state path leads to."""
    path, _, who = key.partition(".")
    if who:
        return FIGHTER_PATHS[path][1](state.fighter(who))
    return STATE_PATHS[key][1](state)


def state_tree(state: State) -> dict[str, Any]:
    """Every state path of a state as a tree, with the order of the groups and the phase."""
    tree: dict[str, Any] = {
        path: {who.id: value(who) for who in state.fighters}
        for path, (_, value) in FIGHTER_PATHS.items()
        if path != "at" or state.board is not None
    }
    tree |= {path: value(state) for path, (_, value) in STATE_PATHS.items()}
    return {**tree, "order": list(state.order), "phase": state.phase}
