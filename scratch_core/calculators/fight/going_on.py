"""A fight too long for one file goes on in a new one: the same people, with the hit points that they have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scratch_core.calculators.fight.table import Fight
from scratch_core.scenario.noting import STEPS_LIMIT
from scratch_core.turns.hand import JOIN

WARNED_BEFORE = 60
"""So many steps before the limit the page begins to say so."""


def steps_left(fight: Fight) -> int | None:
    """How many steps a fight's file still has room for, None while that is no worry."""
    left = STEPS_LIMIT - len(fight.steps)
    return left if left <= WARNED_BEFORE else None


def head_of(fight: Fight) -> dict[str, Any]:
    """The head of a fight of everybody who is still in this one, in today's order, each as it is; nothing else lasts.

    Rules: `hp.start`, `turn.initiative-roll`, `mano.order.seating`.
    """
    system, state, tree = fight.system, fight.state, fight.scenario.tree
    known = {table["id"]: table for table in (*tree["characters"], *_joined(fight))}
    here = [each.id for each in system.fighters(state) if not system.is_away(state, each.id)]
    ranked = system.order(state) if system.character else ()
    order = [*(who for who in ranked if who in here), *(who for who in here if who not in ranked)]
    kept = {key: tree[key] for key in ("title", "system", "rulings", "board") if key in tree}
    head = {**kept, "characters": [_now(fight, known[who], who, here) for who in order]}
    faces = {
        each.group: list(each.faces)
        for each in getattr(state, "initiative", ())
        if any(who in here for who in system.members(state, each.group))
    }
    return {**head, "initiative": faces} if faces else head


def _joined(fight: Fight) -> list[Mapping[str, Any]]:
    """The tables of those whom the game master has let join, each with the space that stands beside it."""
    joins = [step for step in fight.steps if step["do"] == JOIN and not step.get("actor")]
    return [{**step["character"], **({"at": step["at"]} if "at" in step else {})} for step in joins]


def _now(fight: Fight, table: Mapping[str, Any], who: str, here: list[str]) -> dict[str, Any]:
    """A table of a character with what it has left of hit points, stun and pools, and on a board with its space."""
    fighter, fields = fight.system.fighter(fight.state, who), fight.system.character
    keys = [field.key for field in fields if field.key in ("stun", "hp")] if fields else ["hp", "group"]
    found = {**table, "side": fighter.side, **{key: getattr(fighter, key) for key in keys}}
    for field in fields:
        if field.kind == "pools":
            found[field.key] = {pool: fighter.pool(pool) for pool in field.choices}
    if getattr(fighter, "at", None) is not None:
        found["at"] = list(fighter.at)
    if found.get("minion_of", who) not in here:
        del found["minion_of"]
    return found
