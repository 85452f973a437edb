"""What the engine and an oracle are compared by."""

from __future__ import annotations

import re
from typing import Any

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
