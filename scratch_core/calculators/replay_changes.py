"""What a fork changes, as a small text: `4.faces = 20; 7.do = shoot; initiative.rook = 3`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scratch_core.actions import AT_SOMEBODY, LISTED, WITH
from scratch_core.errors import Problem, ScratchError, shown

KEYS: tuple[str, ...] = ("actor", "do", "with", "target", "faces", "ability", "difficulty", "requires", "add", "hurry")
KEYS += ("path", "at", "to", "swap", "when")
"""What can be changed of a step, in the order in which it is written."""

TEXT_LIMIT = 5_000
CHANGES_LIMIT = 200
"""The most characters and the most changes of a fork."""

Changes = Mapping[tuple[int, str], str]
"""The new values as texts, by step (from 1) and key; under step 0 the initiative's faces, by group."""

_STEP = re.compile(r"(\d{1,4})\.(\w+|\*)\Z")
_TRUE = ("true", "on", "yes")
_FALSE = ("false", "off", "no")
_OWN = {
    "check": ("ability", "difficulty", "requires"),
    "craft": ("ability", "add", "hurry"),
    "move": ("path",),
    "blast": ("at",),
    "reposition": ("to", "swap"),
    "interrupt": ("when",),
}
"""What only these actions have."""


def read_changes(text: str) -> tuple[dict[tuple[int, str], str], int | None]:
    """Read changes parted by semicolons or line ends, and the step whose fields are to be taken over (`4.*`).

    A step's number counts from 1, a key is one of `KEYS`; an empty value takes the key away. Raises `ScratchError`
    with every change that can't be read: `replay.change`.
    """
    changes: dict[tuple[int, str], str] = {}
    problems: list[Problem] = []
    taken: int | None = None
    if len(text) > TEXT_LIMIT:
        raise ScratchError(_wrong(f"{TEXT_LIMIT:,} characters at most", f"{len(text):,}"))
    for part in filter(None, map(str.strip, re.split(r"[;\n]", text))):
        place, sign, value = (each.strip() for each in part.partition("="))
        step = _STEP.match(place)
        if step and step[2] == "*" and not sign:
            taken = int(step[1])
        elif step and step[2] in KEYS and sign and int(step[1]):
            changes[int(step[1]), step[2]] = value
        elif place.startswith("initiative.") and sign:
            changes[0, place.removeprefix("initiative.").strip()] = value
        else:
            expected = f"a step's number, a dot, one of {', '.join(KEYS)}, an equals sign and the new value"
            problems.append(_wrong(expected, shown(part)))
    if len(changes) > CHANGES_LIMIT:
        problems.append(_wrong(f"{CHANGES_LIMIT} changes at most", f"{len(changes):,}"))
    if problems:
        raise ScratchError(*problems)
    return changes, taken


def write_changes(changes: Changes) -> str:
    """Write changes as `read_changes` reads them, in the order of the steps."""
    ordered = sorted(changes, key=lambda place: (place[0], KEYS.index(place[1]) if place[0] else 0, place[1]))
    return "; ".join(_written(place, changes[place]) for place in ordered)


def _written(place: tuple[int, str], value: str) -> str:
    name = f"{place[0]}.{place[1]}" if place[0] else f"initiative.{place[1]}"
    return f"{name} = {value}".rstrip()


def change_tree(tree: Mapping[str, Any], changes: Changes) -> dict[str, Any]:
    """A scenario's tree with changes made; whether it makes sense is for the reader of scenarios to say.

    Raises `ScratchError` for a step or a group that is not there, and for faces that are no numbers: `replay.change`.
    """
    steps: list[Mapping[str, Any]] = list(tree.get("steps", []))
    initiative = dict(tree.get("initiative", {}))
    problems: list[Problem] = []
    by_step: dict[int, dict[str, str]] = {}
    for (n, key), value in changes.items():
        if n > len(steps):
            problems.append(_wrong(f"a step from 1 to {len(steps)}" if steps else "no step, for there is none", str(n)))
        else:
            by_step.setdefault(n, {})[key] = value
    for n, given in by_step.items():
        try:
            if n:
                steps[n - 1] = _changed_step(steps[n - 1], given)
            else:
                initiative |= {group: _faces(value, group) for group, value in given.items()}
        except ScratchError as error:
            problems += error.problems
    if problems:
        raise ScratchError(*problems)
    return {**tree, "initiative": {group: faces for group, faces in initiative.items() if faces}, "steps": steps}


def _changed_step(step: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    """A step with new values; what a new action has no use for is taken away."""
    made = dict(step)
    names = [word for word in re.split(r"[,\s]+", given["target"]) if word] if "target" in given else _names(made)
    do = given.get("do", made.get("do"))
    for key, value in given.items():
        if key != "target":
            made[key] = _value(key, value)
    if "do" in given or "target" in given:
        made = {key: value for key, value in made.items() if key not in ("target", "targets")}
        made |= {} if do == "blast" and "at" in made else _targets(do, names)
    unused = [] if "do" not in given else [key for owner, keys in _OWN.items() if owner != do for key in keys]
    if "do" in given and do not in WITH:
        unused.append("with")
    kept = (*_OWN.get(str(do), ()), *given)
    return {key: value for key, value in made.items() if value != "" and (key not in unused or key in kept)}


def _names(step: Mapping[str, Any]) -> list[str]:
    return list(step["targets"]) if "targets" in step else [step["target"]] if "target" in step else []


def _targets(do: object, names: Sequence[str]) -> dict[str, Any]:
    if not names or do not in (*AT_SOMEBODY, "bonus", "reposition", "interrupt"):
        return {}
    return {"targets": list(names)} if do in LISTED or len(names) > 1 else {"target": names[0]}


def _value(key: str, text: str) -> Any:
    """A value as the file would have it; "" where it is to be left out."""
    if key == "faces":
        return _faces(text, "faces") or ""
    if key == "with" and ("," in text or "+" in text):
        return [word for word in re.split(r"[,+\s]+", text) if word]
    if key in ("path", "at", "to"):
        return _spaces(key, text)
    if key in ("difficulty", "when"):
        return int(text) if re.fullmatch(r"-?[0-9]{1,7}", text) else text
    if text.lower() in (*_TRUE, *_FALSE) and key in ("requires", "add", "hurry", "swap"):
        return text.lower() in _TRUE
    return text


def _spaces(key: str, text: str) -> Any:
    """Spaces like `3,4 5,4`: a list of them for a path, else a single one. Rule: `grid.space`."""
    words = text.split()
    if not all(re.fullmatch(r"-?[0-9]{1,3},-?[0-9]{1,3}", word) for word in words) or (
        key != "path" and len(words) > 1
    ):
        expected = "spaces like 3,4 5,4" if key == "path" else "a space like 3,4"
        raise ScratchError(_wrong(f"{key} as {expected}", shown(text)))
    spaces = [[int(number) for number in word.split(",")] for word in words]
    return spaces if key == "path" and spaces else spaces[0] if spaces else ""


def _faces(text: str, what: str) -> list[int]:
    words = [word for word in re.split(r"[,\s]+", text) if word]
    if not all(re.fullmatch(r"[0-9]{1,4}", word) for word in words):
        raise ScratchError(_wrong(f"{shown(what)} as numbers parted by commas", shown(text)))
    return [int(word) for word in words]


def _wrong(expected: str, got: str) -> Problem:
    return Problem("replay.change", expected, got, "fork")


def without_step(changes: Changes, n: int) -> dict[tuple[int, str], str]:
    """The changes without those of one step."""
    return {place: value for place, value in changes.items() if place[0] != n}


def listed(values: Iterable[object]) -> str:
    """Values as a reader types them into a list."""
    return ", ".join(map(str, values))
