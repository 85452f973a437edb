"""What the engine and an oracle are compared by."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from scratch_core.errors import ScratchError

Tree = dict[str, Any]
Differences = Callable[[Tree, int], Iterator[str]]
"""What gives all on which engine and oracle part in a scenario; the number says how often what is legal is compared."""

# Rules that alone say what is wrong; whatever else is broken, each of them is told too.
PLAIN = {
    *("act.regular", "act.bonus", "act.unrepeatable", "hp.incapacitated", "tough.none", "cond.panicked"),
    *("act.cover.forbidden", "flying.immunity", "swimming.deep-evade", "act.escape.effect", "act.escape"),
    *("minion.no-heal", "act.heal.not-self", "act.blasting.distinct", "act.throw-object.needs-object"),
    *("act.fighting.double", "act.wrestling.counter-hold", "craft.encounter-lock", "craft.needs-level"),
    "craft.one-per-ability",
}


def paths(tree: dict[str, Any]) -> dict[str, Any]:
    """The engine's state by the paths of the oracle's figures."""
    flat = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat.update({f"{key}.{name}": each for name, each in value.items()})
        else:
            flat[key] = value
    return flat


def rolls_of(record: Any) -> list[dict[str, Any]]:
    """The engine's rolls in the oracle's words."""
    return [
        {**{key: each[key] for key in ("face", "total", "success", "automatic")}, "against": each["against"]["value"]}
        for each in record.tree()["rolls"]
    ]


def kind_of(difference: str) -> str:
    """A difference without the names and numbers that change while a scenario gets smaller."""
    return re.sub(r"\d+|'[a-e]'|\b[a-e]\b|\[.*", "", difference)


def compare(where: str, mine: Tree, record: Any, told: set[str]) -> Iterator[str]:
    """Verdict and rolls of one step; of the rules that it breaks, those are told whatever else it breaks."""
    if record.error is not None:
        yield f"{where}: the engine refuses the step: {record.error}"
        return
    if record.legal != mine["legal"]:
        yield f"{where}: legal is {record.legal} {record.rules}, expected {mine['legal']} {sorted(mine['broken'])}"
        return
    if not record.legal and record.rule not in mine["broken"]:
        yield f"{where}: rule is {record.rule}, expected one of {sorted(mine['broken'])}"
    missing = mine["broken"] & told - set(record.rules)
    if missing and not mine["broken"] & {"turn.order", "turn.encounter"}:
        yield f"{where}: rules are {record.rules}, expected {sorted(missing)} among them"
    if "rolls" in mine and rolls_of(record) != mine["rolls"]:
        yield f"{where}: rolls are {rolls_of(record)}, expected {mine['rolls']}"


def differing(where: str, theirs: Tree, figures: Tree) -> Iterator[str]:
    """The figures that are not the oracle's."""
    for path, value in figures.items():
        if theirs[path] != value:
            yield f"{where}: {path} is {theirs[path]!r}, expected {value!r}"


def listing(where: str, listed: list[Any], mine: set[Any]) -> Iterator[str]:
    """Every legal act, each once."""
    if len(listed) != len(set(listed)):
        yield f"after {where}: an act is listed twice"
    for step in sorted(set(listed) ^ mine, key=str):
        yield f"after {where}: {dict(step)} is {'listed' if step in listed else 'missing'}"


def agree(tree: Tree, differences: Differences, to_toml: Callable[[Tree], str], listed_every: int) -> None:
    """Fail with all differences of a scenario, and the scenario with no more steps than one of the kind takes."""
    if not any(differences(tree, listed_every)):
        return
    kind = kind_of(next(differences(tree, 1)))
    for n in reversed(range(len(tree["steps"]))):
        smaller = {**tree, "steps": tree["steps"][:n] + tree["steps"][n + 1 :]}
        try:
            if kind_of(next(differences(smaller, 1), "")) == kind:
                tree = smaller
        except (ScratchError, LookupError, ValueError):  # no longer a scenario, or too few faces for it
            continue
    pytest.fail("\n".join([*differences(tree, 1), to_toml(tree)]))
